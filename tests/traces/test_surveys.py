"""The figures of a log agree with those measured by others, before and without cleaning."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import pytest

from shadowtime import Workload
from shadowtime.traces import survey, swf
from shadowtime.traces.surveys import count


@dataclass
class Row:
    """A log as it was measured by other means when it was collected, figures rounded."""

    file: str
    processors: str
    largest: str
    jobs: str
    ran: str
    dates: str
    requested: str
    median: str
    over: str
    utilization: str
    users: str
    status: str


with Path(__file__).with_name("measured.csv").open() as file:
    MEASURED = [Row(**row) for row in csv.DictReader(file)]


@pytest.mark.traces
def test_every_swf_log_of_the_collection_is_tested(traces_dir: Path) -> None:
    assert {path.name for path in traces_dir.glob("*.swf*")} == {row.file for row in MEASURED}


@pytest.mark.traces
@pytest.mark.parametrize("told", MEASURED, ids=lambda row: row.file.removesuffix(".swf.gz"))
def test_survey_and_report_agree_with_the_measured_figures(traces_dir: Path, told: Row) -> None:
    records = swf.parse(traces_dir / told.file)
    found = swf.survey(records)

    def percent(share: float | None, digits: int = 1) -> str:
        return "-" if share is None else f"{share:.{digits}%}"

    assert found.first_submit is not None
    assert found.last_submit is not None
    dates = f"{found.first_submit:%Y-%m-%d} .. {found.last_submit:%Y-%m-%d}"
    measured = Row(
        told.file,
        str(found.processors),
        str(found.largest_job),
        str(found.jobs),
        str(found.ran),
        dates + ("" if found.in_order else " (not sorted by submit)"),
        percent(found.requested),
        "-" if found.median_ratio is None else f"{found.median_ratio:.2f}",
        percent(found.over_request),
        percent(found.utilization, 0),
        str(found.users),
        ", ".join(f"{code}: {jobs}" for code, jobs in found.status.items()),
    )
    assert measured == told

    workload = swf.read(records)
    report = workload.report
    assert report.records == found.jobs
    assert report.kept + sum(report.dropped.values()) == found.jobs
    assert report.kept == len(workload)
    assert workload.machine_nodes == found.processors
    assert sum(runtime > 0 for runtime in workload.runtime) <= found.ran


def columns(**changes: list[int]) -> dict[str, list[int]]:
    names = ("submit", "wait", "runtime", "allocated", "nodes", "estimate", "user", "status")
    return {name: [0] for name in names} | changes


def test_dates_count_from_the_start_of_the_log_or_are_unix_seconds_themselves() -> None:
    def first(submit: int, epoch: int | None) -> str:
        return str(count(columns(submit=[submit]), epoch=epoch).first_submit)

    assert first(60, 843480000) == "1996-09-23 12:01:00+00:00"
    assert first(1_640_995_200, None) == "2022-01-01 00:00:00+00:00"
    assert first(1_640_995_200, 1_640_995_200) == "2022-01-01 00:00:00+00:00"
    assert first(60, None) == first(60, 0) == "None"
    assert first(10**18, None) == "None"


def test_unknown_values_count_for_nothing() -> None:
    found = count(
        columns(
            submit=[-1, 10, 20],
            wait=[-1, 10, -1],
            runtime=[-1, 100, 0],
            allocated=[-1, 4, 2],
            nodes=[8, -1, 2],
            estimate=[50, 200, -1],
            user=[-1, 3, 3],
            status=[5, 1, 1],
        ),
        processors=8,
    )
    assert (found.largest_job, found.jobs, found.ran, found.users) == (8, 3, 1, 1)
    assert (found.median_ratio, found.over_request, found.requested) == (0.5, 0.0, 2 / 3)
    assert found.utilization == 100 * 4 / (8 * 110)
    assert found.status == {1: 2, 5: 1}
    assert not found.in_order or found.first_submit is None


def test_a_workload_of_any_origin_can_be_surveyed() -> None:
    workload = Workload(
        id=[1, 2],
        submit=[0, 50],
        nodes=[4, 8],
        estimate=[100, 100],
        runtime=[50, 50],
        extra={"user": ["ann", None]},
        machine_nodes=8,
        name="two jobs",
    )
    found = survey(workload)
    assert (found.name, found.jobs, found.users, found.largest_job) == ("two jobs", 2, 1, 8)
    assert found.utilization == 600 / 800
    assert found.status == {}
    assert found.to_dict()["first_submit"] is None
    assert "75.0%" in str(found)
    assert "machine size        8\n" in str(found)


def test_a_workload_without_jobs_can_be_surveyed() -> None:
    found = survey(Workload(id=[], submit=[], nodes=[], estimate=[], runtime=[]))
    assert (found.jobs, found.largest_job, found.utilization) == (0, 0, None)
    assert str(found)
