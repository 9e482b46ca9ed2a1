"""Job data of ALCF: what is written is read, what is missing is said."""

import io
from pathlib import Path
from typing import Any

import pytest

from shadowtime import InputError, traces
from shadowtime.partitions import observed_peak, partitions
from shadowtime.traces import alcf
from tests import alcf as made

pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def table() -> list[dict[str, Any]]:
    return made.records(made.jobs(a_year=40))


def log(path: Path, *changes: dict[str, Any]) -> Path:
    """Write one record for each change to the first one."""
    first = made.records(made.jobs(a_year=1))[0]
    numbered = ({"COBALT_JOBID": 7 + row} | change for row, change in enumerate(changes))
    return made.write(path / "mine.csv", [first | change for change in numbered])


@pytest.mark.parametrize("machine", made.MACHINES)
def test_every_job_is_read_as_it_was_written(tmp_path: Path, machine: str) -> None:
    jobs = made.jobs(machine, a_year=50)
    path = made.write(tmp_path / "jobs.csv.gz", made.records(jobs))
    workload = traces.read(path)
    assert workload.machine_nodes == made.MACHINES[machine][0]
    assert workload.report.dropped == {}
    for name in ("id", "submit", "nodes", "estimate", "runtime"):
        assert list(getattr(workload, name)) == list(getattr(jobs, name))
    for name in ("wait", "user", "account", "queue", "status"):
        assert list(workload.extra[name]) == list(jobs.extra[name])
    assert list(workload.extra["allocated"]) == list(jobs.nodes)
    assert [part.key for part in partitions(workload)] == [
        (queue, year) for queue in sorted(made.QUEUES) for year in made.MACHINES[machine][1]
    ]
    assert observed_peak(workload) <= made.MACHINES[machine][0]


def test_whom_to_thank_comes_with_the_jobs(tmp_path: Path, table: list[dict[str, Any]]) -> None:
    workload = alcf.read(made.write(tmp_path / "jobs.csv", table))
    assert workload.header["Acknowledge"] == traces.catalog.entry("mira").acknowledgement


def test_files_of_several_years_are_read_as_one(
    tmp_path: Path, table: list[dict[str, Any]]
) -> None:
    half = len(table) // 2
    names = [
        made.write(tmp_path / f"{row}.csv.gz", part)
        for row, part in enumerate([table[:half], table[half:]])
    ]
    whole = tmp_path / "ANL-ALCF-DJC-MIRA.csv.gz"
    whole.write_bytes(b"".join(path.read_bytes() for path in names))
    workload = alcf.read(whole)
    assert list(workload.id) == [record["COBALT_JOBID"] for record in table]
    assert workload.report.records == len(table)
    assert "lines that repeat the names of the columns: 1" in str(workload.report)


def test_a_machine_that_the_catalog_does_not_know_has_no_size(
    tmp_path: Path, table: list[dict[str, Any]]
) -> None:
    path = made.write(tmp_path / "a.csv", [row | {"MACHINE_NAME": "polaris"} for row in table])
    assert alcf.read(path).machine_nodes is None
    assert "does not say how large the machine is" in str(alcf.read(path).report)
    assert alcf.read(path, machine_nodes=50_000).machine_nodes == 50_000


def test_where_no_size_was_requested_the_nodes_used_count(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        {"NODES_REQUESTED": 1024, "NODES_USED": 2048},
        {"NODES_REQUESTED": "", "NODES_USED": 2048},
        {"NODES_REQUESTED": "0.0", "NODES_USED": 4096},
    )
    workload = alcf.read(path)
    assert list(workload.nodes) == [1024, 2048, 4096]
    assert (
        "jobs without NODES_REQUESTED; NODES_USED counts: 2 (first: mine.csv row 2, job 8: 2048)"
        in str(workload.report)
    )


@pytest.mark.parametrize(
    "change,message",
    [
        ({"NODES_REQUESTED": "", "NODES_USED": 0}, "nodes is unknown"),
        ({"NODES_REQUESTED": "many"}, "NODES_REQUESTED = many is no number"),
        ({"NODES_REQUESTED": 49_153}, "nodes = 49153, the machine has 49152"),
        ({"QUEUED_TIMESTAMP": ""}, "submit is unknown"),
        ({"QUEUED_TIMESTAMP": "yesterday"}, "QUEUED_TIMESTAMP = yesterday is no time"),
        ({"WALLTIME_SECONDS": ""}, "estimate is unknown"),
        ({"WALLTIME_SECONDS": "0.0"}, "estimate = 0"),
        ({"RUNTIME_SECONDS": "-5"}, "runtime = -5"),
        ({"COBALT_JOBID": ""}, "the id is empty"),
    ],
)
def test_what_is_wrong_is_an_error_or_counted(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    path = log(tmp_path, {}, change)
    with pytest.raises(InputError) as raised:
        alcf.read(path)
    assert str(raised.value).startswith("mine.csv row 2")
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    workload = alcf.read(path, clean=True)
    assert list(workload.id) == [7]
    assert sum(workload.report.dropped.values()) == 1
    assert message in str(workload.report)


def test_a_file_under_its_owners_name_is_cleaned(tmp_path: Path) -> None:
    path = log(tmp_path, {}, {"WALLTIME_SECONDS": ""})
    own = path.rename(tmp_path / "ANL-ALCF-DJC-MIRA_20150101_20151231.csv")
    assert alcf.read(own).report.dropped == {"no requested time": 1}
    with pytest.raises(InputError, match="estimate is unknown"):
        alcf.read(own, clean=False)


def test_what_was_got_by_hand_is_loaded_by_its_name(
    tmp_path: Path, table: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(traces.fetch.FOLDER_VARIABLE, str(tmp_path))
    made.write(tmp_path / "ANL-ALCF-DJC-MIRA_20150101_20151231.csv.gz", table)
    workload = traces.load("mira")
    assert len(workload) == len(table)
    assert "checksum" not in str(workload.report)


def test_a_job_whose_start_is_unknown_stays_without_a_wait(tmp_path: Path) -> None:
    workload = alcf.read(log(tmp_path, {}, {"START_TIMESTAMP": ""}))
    assert workload.extra["wait"][0] is not None
    assert workload.extra["wait"][1] is None


def test_an_id_that_comes_again_is_a_job_of_its_own(tmp_path: Path) -> None:
    again = {"COBALT_JOBID": 7, "QUEUED_TIMESTAMP": "2015-12-31 00:00:00"}
    times = {"START_TIMESTAMP": "2015-12-31 01:00:00", "END_TIMESTAMP": "2015-12-31 02:00:00"}
    assert list(alcf.read(log(tmp_path, {}, again | times)).id) == [7, "7#2"]


def test_a_missing_column_is_named(tmp_path: Path, table: list[dict[str, Any]]) -> None:
    columns = [name for name in made.COLUMNS if name != "NODES_REQUESTED"]
    with pytest.raises(InputError, match="no column 'NODES_REQUESTED' for nodes"):
        alcf.read(made.write(tmp_path / "a.csv", table, columns))
    few = [name for name in made.COLUMNS if name not in {"USERNAME_GENID", "EXIT_STATUS"}]
    workload = alcf.read(made.write(tmp_path / "b.csv", table, few))
    assert not {"user", "status"} & set(workload.extra)


def test_only_as_many_jobs_are_read_as_are_wanted(
    tmp_path: Path, table: list[dict[str, Any]]
) -> None:
    assert len(alcf.read(made.write(tmp_path / "a.csv", table), limit=5)) == 5


def test_a_dataframe_is_read_too(tmp_path: Path, table: list[dict[str, Any]]) -> None:
    import pandas as pd

    path = made.write(tmp_path / "a.csv", table)
    workload = alcf.read(pd.read_csv(path))
    assert list(workload.submit) == list(alcf.read(path).submit)
    assert workload.machine_nodes == 49_152


def test_a_parquet_file_is_read_too(tmp_path: Path, table: list[dict[str, Any]]) -> None:
    pytest.importorskip("pyarrow")
    import pandas as pd

    path = tmp_path / "ANL-ALCF-DJC-MIRA.parquet"
    pd.DataFrame(table).astype(str).to_parquet(path)
    workload = traces.read(path, machine_nodes=49_152)
    assert list(workload.id) == [record["COBALT_JOBID"] for record in table]


def test_the_format_is_recognised_by_its_columns() -> None:
    assert alcf.sniff(",".join(made.COLUMNS).encode())
    assert not alcf.sniff(b"job_id,user\n")
    with pytest.raises(InputError, match="no job"):
        traces.read(io.StringIO(",".join(made.COLUMNS) + "\n"))


def test_what_is_read_can_be_written_as_swf(tmp_path: Path, table: list[dict[str, Any]]) -> None:
    workload = alcf.read(made.write(tmp_path / "a.csv", table))
    traces.write(workload, tmp_path / "a.swf")
    again = traces.read(tmp_path / "a.swf")
    assert list(again.nodes) == list(workload.nodes)
    assert list(again.submit) == list(workload.submit)
    assert [part.key for part in partitions(again)] == [part.key for part in partitions(workload)]
    assert again.header["Acknowledge"] == workload.header["Acknowledge"]
