"""Event logs of Cobalt: a job is made of its events, and nothing is lost between them."""

import io
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import InputError, traces
from shadowtime.partitions import observed_peak
from shadowtime.traces import cobalt

BEGIN = 1_516_320_000
MIRA = 49_152


def event(time: int, kind: str, job: int | str, **values: Any) -> str:
    """One line; keys are given with _ for the dot."""
    text = " ".join(f"{key.replace('List_', 'List.')}={value}" for key, value in values.items())
    return f"{datetime.fromtimestamp(time, UTC):%m/%d/%Y %H:%M:%S};{kind};{job};{text}"


def end(job: int | str = 7, **values: Any) -> str:
    """The end of a job that ran for a minute, except for the given values; None leaves one out."""
    usual: dict[str, Any] = {
        "qtime": float(BEGIN),
        "start": BEGIN + 5.0,
        "end": BEGIN + 65.0,
        "Resource_List_nodect": 512,
        "Resource_List_walltime": "01:00:00",
    }
    told = {key: value for key, value in (usual | values).items() if value is not None}
    return event(BEGIN + 65, "E", job, **told)


def log(*lines: str) -> io.BytesIO:
    file = io.BytesIO("\n".join([*lines, ""]).encode())
    file.name = "mine.log"
    return file


jobs = st.lists(
    st.fixed_dictionaries(
        {
            "submit": st.integers(0, 1000),
            "wait": st.integers(0, 1000),
            "runtime": st.integers(1, 1000),
            "nodes": st.integers(1, MIRA),
            "estimate": st.integers(1, 90_000),
            "queue": st.sampled_from(["prod-short", "prod-long"]),
        }
    ),
    min_size=1,
    max_size=20,
)


@given(jobs, st.integers(0, 3000))
def test_every_job_that_ends_is_read_and_every_other_one_is_counted(
    table: list[dict[str, Any]], until: int
) -> None:
    events = []
    for number, job in enumerate(table, 1):
        start = job["submit"] + job["wait"]
        minutes, seconds = divmod(job["estimate"], 60)
        known = {"queue": "default", "queue_name": job["queue"]}
        ran = {
            "qtime": BEGIN + job["submit"],
            "Resource_List_nodect": job["nodes"],
            "Resource_List_walltime": f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}",
            "start": BEGIN + start,
        }
        # The order of the events of one job is kept where they come at one instant.
        for rank, (time, kind, values) in enumerate(
            [
                (job["submit"], "Q", known),
                (start, "S", known | ran),
                (
                    start + job["runtime"],
                    "E",
                    known | ran | {"end": BEGIN + start + job["runtime"]},
                ),
            ]
        ):
            events.append((time, rank, number, event(BEGIN + time, kind, number, **values)))
    seen = [line for time, *_, line in sorted(events) if time <= until]
    ended = {
        number: job
        for number, job in enumerate(table, 1)
        if job["submit"] + job["wait"] + job["runtime"] <= until
    }
    if not ended:
        with pytest.raises(InputError, match=r"mine\.log: the file (has no job|is empty)"):
            cobalt.read(log(*seen))
        return
    workload = cobalt.read(log(*seen), machine_nodes=MIRA)
    assert set(workload.id) == set(ended)
    for row, name in enumerate(workload.id):
        job = ended[int(name)]
        assert workload.submit[row] == BEGIN + job["submit"]
        assert workload.extra["wait"][row] == job["wait"]
        for field in ("nodes", "runtime", "estimate"):
            assert getattr(workload, field)[row] == job[field]
        assert workload.extra["queue"][row] == job["queue"]
    counted = Counter(
        "not started within the log"
        if job["submit"] + job["wait"] > until
        else "not ended within the log"
        for number, job in enumerate(table, 1)
        if number not in ended and job["submit"] <= until
    )
    assert workload.report.dropped == counted
    assert workload.report.records == workload.report.kept + counted.total()


def test_jobs_queued_in_the_same_second_stay_in_the_order_of_the_log() -> None:
    queued = [event(BEGIN, "Q", job, queue="default") for job in (9, 8, 7)]
    assert list(cobalt.read(log(*queued, end(7), end(8), end(9))).id) == [9, 8, 7]


def test_a_job_has_what_any_of_its_events_says() -> None:
    lines = [
        event(BEGIN, "Q", 7, queue="default", user="ann"),
        event(BEGIN + 5, "S", 7, account="physics", exec_host="MIR-08000-3B7F1-3-4096"),
        end(queue_name="prod-long", Exit_status=0),
    ]
    workload = cobalt.read(log(*lines))
    assert {key: list(column) for key, column in workload.extra.items()} == {
        "wait": [5],
        "queue": ["prod-long"],
        "user": ["ann"],
        "account": ["physics"],
        "allocated": [4096],
        "status": [1],
    }
    assert cobalt.read(log(end(Exit_status=143))).extra["status"] == [0]


def test_a_run_time_that_is_missing_is_what_lies_between_start_and_end() -> None:
    assert list(cobalt.read(log(end())).runtime) == [60]
    assert list(cobalt.read(log(end(runtime=59.5))).runtime) == [59.5]


def test_a_job_that_is_run_again_is_a_job_of_its_own() -> None:
    again = end(start=BEGIN + 100.0, end=BEGIN + 160.0)
    workload = cobalt.read(log(end(), again))
    assert list(workload.id) == [7, "7#2"]
    assert "come again" in str(workload.report)


def test_other_events_are_counted() -> None:
    lines = [event(BEGIN, "D", 6, requester="ann"), end(), event(BEGIN, "B", 5)]
    assert "events of other kinds than queued, started and ended: 2 (first: mine.log line 1" in str(
        cobalt.read(log(*lines)).report
    )


@pytest.mark.parametrize(
    "line,message",
    [
        ("7;E", "line 2: no event, which is time;kind;job;values ('7;E')"),
        ("01/19/2018 00:00:00;E;8", "line 2: no event"),
        ("2018-01-19;E;8;qtime=1", "line 2: no event"),
        (end(8, end="soon"), "line 2, job 8: end = 'soon'"),
        (end(8, start="nan"), "line 2, job 8: start = 'nan'"),
        (end(8, Resource_List_walltime="long"), "line 2, job 8: Resource_List.walltime = 'long'"),
        (end(8, qtime=None), "line 2, job 8: qtime is missing"),
        (end(8, Resource_List_nodect=None), "line 2, job 8: Resource_List.nodect is missing"),
        (end(8, Resource_List_walltime=None), "line 2, job 8: Resource_List.walltime is missing"),
        (end(8, end=BEGIN), "line 2, job 8: end = 1516320000 is before start = 1516320005"),
        (end(8, Resource_List_nodect=0), "line 2, job 8: nodes = 0"),
        (
            end(8, Resource_List_nodect=MIRA + 1),
            "line 2, job 8: nodes = 49153, the machine has 49152",
        ),
    ],
)
def test_what_is_wrong_is_an_error_or_counted(line: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        cobalt.read(log(end(), line), machine_nodes=MIRA)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    workload = cobalt.read(log(end(), line), machine_nodes=MIRA, clean=True)
    assert list(workload.id) == [7]
    assert sum(workload.report.dropped.values()) == 1
    assert message in str(workload.report)


def test_a_log_without_an_end_is_an_error_that_says_so() -> None:
    with pytest.raises(InputError, match=r"no job \(not started within the log: 1, first"):
        cobalt.read(log(event(BEGIN, "Q", 7, queue="default")))


def test_no_more_jobs_are_read_than_wanted() -> None:
    workload = cobalt.read(log(end(7), end(8), end(9)), limit=2)
    assert list(workload.id) == [7, 8]
    assert workload.report.dropped == {}
    with pytest.raises(InputError, match="limit = 0; it must be 1 or more"):
        cobalt.read(log(end()), limit=0)


def test_a_log_of_mira_is_recognised_by_its_partitions() -> None:
    workload = cobalt.read(log(end(exec_host="MIR-00000-333F1-512")))
    assert workload.machine_nodes == MIRA
    assert "Argonne Leadership Computing Facility" in workload.header["Acknowledge"]
    assert cobalt.read(log(end(exec_host="CET-00000-333F1-512"))).machine_nodes is None
    assert cobalt.read(log(end(exec_host="MIR-00000-333F1-512")), machine_nodes=999)[0].nodes == 512


def test_the_format_is_recognised_by_its_content() -> None:
    assert len(traces.read(log("", end()))) == 1
    assert not cobalt.sniff(b"; MaxProcs: 100\n")
    assert not cobalt.sniff(b"1 0 5 60 4 -1 -1 4 90 -1 1 7 1 -1 2 -1 -1 -1\n")


WINDOWS = {
    # Name: jobs, those over their request (%), median of run time / request, as the archive of
    # these files states them.
    "mira-2018-1": (2147, 10.8, 0.50),
    "mira-2018-2": (1511, 22.4, 0.86),
    "mira-2018-3": (2882, 18.5, 0.56),
}


@pytest.mark.traces
@pytest.mark.parametrize("name", WINDOWS)
def test_a_window_of_mira_holds_what_was_counted_in_it(traces_dir: Path, name: str) -> None:
    jobs, over, ratio = WINDOWS[name]
    workload = traces.load(name)
    survey = traces.survey(workload)
    assert (survey.jobs, workload.report.dropped) == (jobs, {})
    assert survey.over_request is not None
    assert survey.median_ratio is not None
    assert round(100 * survey.over_request, 1) == over
    assert round(survey.median_ratio, 2) == ratio
    assert (min(workload.nodes), workload.machine_nodes) == (512, MIRA)
    known = traces.catalog.entry(name)
    assert survey.first_submit is not None
    assert survey.last_submit is not None
    assert f"{survey.first_submit:%Y-%m-%d} .. {survey.last_submit:%Y-%m-%d}" == known.period


@pytest.mark.traces
def test_the_week_of_mira_leaves_out_98_jobs_that_do_not_end(traces_dir: Path) -> None:
    workload = traces.load("mira-2014")
    assert len(workload) == 943
    assert workload.report.records == 1041
    assert sum(workload.report.dropped.values()) == 98
    assert observed_peak(workload) <= MIRA
