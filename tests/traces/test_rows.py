"""What a log says of a job is completed where it follows, counted where it is odd, and judged."""

from __future__ import annotations

from math import nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import InputError, Workload
from shadowtime.traces.rows import Rows

JOB: dict[str, Any] = {
    "id": 7, "submit": 100, "start": 130, "end": 190, "nodes": 4, "estimate": 90, "runtime": None,
}  # fmt: skip


def read(*jobs: dict[str, Any], rename: bool = False, clean: bool = False) -> Workload:
    rows = Rows("log.txt", clean=clean)
    for line, job in enumerate(jobs, 1):
        rows.add(line, **(JOB | {"id": line} | job))
    return rows.workload(machine_nodes=8, rename=rename)


def notes(workload: Workload) -> list[str]:
    return [note for note in workload.report.notes if "machine" not in note]


def test_run_time_and_wait_follow_from_submit_start_and_end() -> None:
    workload = read({}, {"start": 100}, {"runtime": 60.5})
    assert list(workload.runtime) == [60, 90, 60.5]
    assert list(workload.extra["wait"]) == [30, 0, 30]
    assert notes(workload) == []


def test_a_run_time_of_its_own_counts_and_the_difference_is_said() -> None:
    workload = read({"runtime": 61}, {"runtime": 50}, {"runtime": 40})
    assert list(workload.runtime) == [61, 50, 40]
    (note,) = notes(workload)
    assert note == (
        "jobs whose run time is not end - start; the run time counts: 2"
        " (first: log.txt line 2, job 2: 50 and 60)"
    )


def test_a_start_before_the_submission_leaves_the_wait_unknown_and_is_said() -> None:
    workload = read({}, {"submit": 150})
    assert list(workload.extra["wait"]) == [30, None]
    (note,) = notes(workload)
    assert note == (
        "jobs that start before they are submitted; their wait is unknown: 1"
        " (first: log.txt line 2, job 2: wait = -20)"
    )


@pytest.mark.parametrize(
    "job, reason, value",
    [
        ({"end": 120}, "negative run time", "end = 120 is before start = 130"),
        ({"end": 129}, "run time unknown", "end = 129 is before start = 130"),
        ({"end": None}, "run time unknown", "runtime is unknown"),
        ({"submit": None}, "submit time unknown", "submit is unknown"),
        ({"nodes": None}, "size unknown or 0", "nodes is unknown"),
        ({"nodes": 0}, "size unknown or 0", "nodes = 0"),
        ({"nodes": 2.5}, "size not whole", "nodes = 2.5"),
        ({"estimate": None}, "no requested time", "estimate is unknown"),
        (
            {"estimate": None, "told": {"estimate": "Timelimit = UNLIMITED"}},
            "no requested time",
            "Timelimit = UNLIMITED",
        ),
    ],
)
def test_a_fault_is_told_in_the_words_of_the_log(
    job: dict[str, Any], reason: str, value: str
) -> None:
    with pytest.raises(InputError) as error:
        read({}, job)
    assert str(error.value).startswith(f"log.txt line 2, job 2: {value}; pass ")
    report = read({}, job, clean=True).report
    assert report.dropped == {reason: 1}
    assert report.first == {reason: f"log.txt line 2, job 2: {value}"}


def test_a_row_that_is_no_job_is_an_error_or_counted_among_the_records() -> None:
    rows = Rows("log.txt", clean=True)
    rows.refuse(1, 5, "never started", "Start = Unknown")
    rows.add(2, **JOB)
    workload = rows.workload()
    assert (workload.report.records, workload.report.kept) == (2, 1)
    assert workload.report.dropped == {"never started": 1}
    assert workload.report.first == {"never started": "log.txt line 1, job 5: Start = Unknown"}
    with pytest.raises(InputError, match=r"^log.txt line 1, job 5: Start = Unknown; pass clean"):
        Rows("log.txt").refuse(1, 5, "never started", "Start = Unknown")


def test_what_the_log_says_stays_with_its_job_when_those_before_it_are_refused() -> None:
    rows = Rows("log.txt", clean=True)
    jobs = [JOB | {"id": line, "estimate": nan} for line in range(4)]
    columns = {key: [job[key] for job in jobs] for key in JOB if key != "runtime"}
    told = {(row, "estimate"): f"Timelimit = {row}" for row in range(4)}
    faults = {0: ("odd", "a"), 2: ("odd", "b")}
    rows.extend(range(10, 14), columns, told, faults)
    with pytest.raises(InputError, match="no job is left"):
        rows.workload()
    assert rows.report.dropped == {"odd": 2, "no requested time": 2}
    assert rows.report.first == {
        "odd": "log.txt line 10, job 0: a",
        "no requested time": "log.txt line 11, job 1: Timelimit = 1",
    }


def test_a_file_without_jobs_is_an_error_with_the_reasons() -> None:
    rows = Rows("log.txt", clean=True)
    rows.refuse(1, 5, "never started", "Start = Unknown")
    with pytest.raises(InputError, match=r"^log.txt: the file has no job \(never") as error:
        rows.workload()
    assert str(error.value).endswith(
        "never started: 1, first in log.txt line 1, job 5: Start = Unknown)"
    )


def test_an_id_that_comes_again_is_a_fault_or_a_job_of_its_own() -> None:
    again = [{"id": 5}, {"id": 5, "submit": 110}, {"id": 5, "submit": 120}, {"id": 6}]
    with pytest.raises(InputError, match=r"id = 5 is already in log\.txt line 1"):
        read(*again)
    workload = read(*again, rename=True)
    assert dict(zip(workload.id, workload.submit, strict=True)) == {
        5: 100,
        6: 100,
        "5#2": 110,
        "5#3": 120,
    }
    assert any(
        note.startswith("ids that come again") and ": 2 (" in note for note in notes(workload)
    )


def test_the_same_run_twice_is_a_fault_even_where_ids_may_come_again() -> None:
    with pytest.raises(InputError, match=r"id = 5 is already in log\.txt line 1"):
        read({"id": 5}, {"id": 5}, rename=True)


def test_columns_that_are_unknown_everywhere_are_left_out() -> None:
    rows = Rows("log.txt")
    rows.add(1, **JOB, user=None, queue="short")
    rows.add(2, **JOB | {"id": 8}, user=None, queue=None)
    assert {key: list(values) for key, values in rows.workload().extra.items()} == {
        "wait": [30, 30],
        "queue": ["short", None],
    }


MAYBE = st.none() | st.integers(0, 1000)


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "submit": MAYBE, "start": MAYBE, "end": MAYBE, "nodes": MAYBE,
                "estimate": MAYBE, "runtime": MAYBE, "user": st.sampled_from([None, "ann"]),
            }
        ),
        min_size=1,
    )
)  # fmt: skip
def test_columns_and_rows_make_the_same_workload_and_no_job_is_lost(
    jobs: list[dict[str, Any]],
) -> None:
    one, other = Rows("log.txt", clean=True), Rows("log.txt", clean=True)
    for line, job in enumerate(jobs):
        one.add(line, id=line, **job)
    half = len(jobs) // 2
    for lines in (range(half), range(half, len(jobs))):
        columns: dict[str, Any] = {
            key: [
                nan if jobs[line][key] is None and key != "user" else jobs[line][key]
                for line in lines
            ]
            for key in jobs[0]
        }
        other.extend(lines, {"id": lines} | columns)
    first, second = outcome(one), outcome(other)
    assert first == second
    if isinstance(first, dict):
        report = one.report
        assert report.kept == len(first["id"])
        assert report.kept + sum(report.dropped.values()) == len(jobs)


def outcome(rows: Rows) -> Any:
    try:
        frame = rows.workload().to_frame().astype(object)
    except InputError as error:
        return str(error)
    return frame.where(frame.notna(), None).to_dict("list")
