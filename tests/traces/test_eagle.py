"""Jobs of Eagle: the sample that NREL offers, and what the whole data hold beside it."""

import io
from pathlib import Path
from typing import Any

import pytest

from shadowtime import InputError, traces
from shadowtime.traces import eagle

pd = pytest.importorskip("pandas")

SAMPLE = "NREL-Eagle-2019-sample-1000.csv.gz"


def frame(*changes: dict[str, Any]) -> Any:
    """A table with one job for each change."""
    usual = {
        "job_id": 532209, "user": "user0014", "account": "account0003",
        "partition": "partition001", "qos": "normal", "wallclock_req": 172800.0, "nodes_req": 10,
        "processors_req": 360, "gpus_req": 0, "mem_req": 184000.0,
        "submit_time": "2019-01-01 08:55:55", "start_time": "2019-01-01 08:55:56",
        "end_time": "2019-01-02 12:39:41", "run_time": 99825.0, "state": "COMPLETED",
        "name": "name1", "work_dir": "dir1", "submit_line": "line1",
    }  # fmt: skip
    return pd.DataFrame([usual | change for change in changes])


def log(*changes: dict[str, Any]) -> io.BytesIO:
    file = io.BytesIO(frame(*changes).to_csv(index=False).encode())
    file.name = "mine.csv"
    return file


def test_a_job_has_what_was_requested_and_what_came_of_it() -> None:
    workload = eagle.read(log({}))
    job = workload[0]
    assert (job.id, job.submit, job.nodes) == (1, 1_546_332_955, 10)
    assert (job.estimate, job.runtime) == (172_800, 99_825)
    assert {key: list(column) for key, column in workload.extra.items()} == {
        "wait": [1],
        "user": ["user0014"],
        "account": ["account0003"],
        "queue": ["partition001"],
        "qos": ["normal"],
        "status": ["COMPLETED"],
        "processors": [360],
        "gpus": [0],
        "memory": [184_000],
    }
    assert workload.machine_nodes == 2618
    assert "D. Duplyakin and K. Menear" in workload.header["Acknowledge"]


def test_tasks_of_an_array_are_jobs_though_they_share_an_id() -> None:
    assert list(eagle.read(log({}, {}, {"job_id": 532210})).id) == [1, 2, 3]


@pytest.mark.parametrize("state", ["PENDING", "RUNNING"])
def test_a_job_that_has_not_ended_is_an_error_or_counted(state: str) -> None:
    change = {"state": state, "end_time": None, "run_time": None}
    with pytest.raises(InputError, match=r"mine\.csv row 2, job 2: runtime is unknown"):
        eagle.read(log({}, change))
    workload = eagle.read(log({}, change), clean=True)
    assert list(workload.id) == [1]
    assert list(workload.report.dropped.values()) == [1]


def test_csv_parquet_and_a_table_say_the_same(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    changes = [{"user": f"user{row}", "run_time": 100.0 + row} for row in range(5)]
    table = frame(*changes)
    for name in ("submit_time", "start_time", "end_time"):
        table[name] = pd.to_datetime(table[name])
    table.to_parquet(tmp_path / "eagle_data.parquet")
    texts = eagle.read(log(*changes))
    for other in (eagle.read(tmp_path / "eagle_data.parquet"), eagle.read(table)):
        for name in ("submit", "nodes", "estimate", "runtime"):
            assert list(getattr(other, name)) == list(getattr(texts, name))
        assert {key: list(column) for key, column in other.extra.items()} == {
            key: list(column) for key, column in texts.extra.items()
        }


def test_the_format_is_recognised_by_its_columns() -> None:
    assert traces.read(log({})).extra["qos"] == ["normal"]
    assert not eagle.sniff(b"submit,nodes,estimate,runtime\n")


def test_times_are_those_of_the_zone_that_is_given() -> None:
    assert "read as UTC" in str(eagle.read(log({})).report)
    there = eagle.read(log({}), zone="America/Denver")
    assert there[0].submit == 1_546_332_955 + 7 * 3600


@pytest.mark.traces
def test_the_sample_holds_what_was_counted_in_it(traces_dir: Path) -> None:
    workload = traces.read(traces_dir / SAMPLE)
    survey = traces.survey(workload)
    assert (survey.jobs, survey.largest_job, survey.users) == (1000, 360, 15)
    assert max(workload.extra["processors"]) == 12_960
    assert len(set(workload.extra["queue"])) == 5
    states = list(workload.extra["status"])
    assert (states.count("COMPLETED"), states.count("TIMEOUT")) == (985, 15)
    assert sum(r > e for r, e in zip(workload.runtime, workload.estimate, strict=True)) == 14
    assert sum(memory > 0 for memory in workload.extra["memory"]) == 12
    assert f"{survey.first_submit:%Y-%m-%d %H:%M}" == "2019-01-01 08:55"
    assert f"{survey.last_submit:%Y-%m-%d %H:%M}" == "2019-01-03 10:27"
    assert workload.report.dropped == {}


@pytest.mark.traces
def test_the_sample_is_known_by_its_name(traces_dir: Path) -> None:
    assert len(traces.load("eagle-sample", limit=7)) == 7
