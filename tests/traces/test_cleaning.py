"""A job that cannot be simulated is an error with its place, or a counted line in the report."""

from array import array
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime import InputError, Report, Workload
from shadowtime.traces.cleaning import make_workload

GOOD: dict[str, Any] = {"id": 7, "submit": 10, "nodes": 4, "estimate": 90, "runtime": 60}


def made(*jobs: dict[str, Any], **options: Any) -> Workload:
    """Make a workload of jobs given by what differs from a good one; ids 7, 8, ..."""
    table = [GOOD | {"id": 7 + row} | job for row, job in enumerate(jobs)]
    columns: dict[str, Any] = {key: [job[key] for job in table] for key in GOOD}
    given: dict[str, Any] = {
        "machine_nodes": 100,
        "extra": {},
        "report": Report(source="log.swf"),
    }
    return make_workload(
        **columns, where=lambda row: f"log.swf line {row + 1}", **(given | options)
    )


DROP = "pass clean=True (--clean) to drop such jobs"

BAD_JOBS = [
    ({"nodes": -1}, "size unknown or 0", "nodes = -1", DROP),
    ({"nodes": 0}, "size unknown or 0", "nodes = 0", DROP),
    ({"nodes": 2.5}, "size not whole", "nodes = 2.5", DROP),
    (
        {"nodes": 101},
        "larger than the machine",
        "nodes = 101, the machine has 100",
        f"give a larger machine (machine_nodes, --nodes), or {DROP}",
    ),
    ({"runtime": -1}, "run time unknown (-1)", "runtime = -1", DROP),
    ({"runtime": -5}, "negative run time", "runtime = -5", DROP),
    ({"submit": -1}, "submit time unknown (-1)", "submit = -1", DROP),
    ({"submit": -5}, "negative submit time", "submit = -5", DROP),
    (
        {"estimate": -1},
        "no requested time",
        "estimate = -1",
        f'pass missing_estimate="runtime" (--missing-estimate runtime), or {DROP}',
    ),
    (
        {"estimate": 0},
        "no requested time",
        "estimate = 0",
        f'pass missing_estimate="runtime" (--missing-estimate runtime), or {DROP}',
    ),
]


@pytest.mark.parametrize("fields, reason, value, remedy", BAD_JOBS)
def test_a_bad_job_is_an_error_with_place_field_value_and_remedy(
    fields: dict[str, Any], reason: str, value: str, remedy: str
) -> None:
    with pytest.raises(InputError) as error:
        made({}, {}, fields, fields)
    assert str(error.value) == f"log.swf line 3, job 9: {value}; {remedy}"


@pytest.mark.parametrize("fields, reason, value, remedy", BAD_JOBS)
def test_cleaning_counts_bad_jobs_by_reason_with_the_first_example(
    fields: dict[str, Any], reason: str, value: str, remedy: str
) -> None:
    workload = made(
        {}, {}, fields, {}, fields, clean=True, extra={"user": array("q", [1, 2, 3, 4, 5])}
    )
    assert list(workload.id) == [7, 8, 10]
    assert list(workload.extra["user"]) == [1, 2, 4]
    assert workload.report.dropped == {reason: 2}
    assert workload.report.first == {reason: f"log.swf line 3, job 9: {value}"}
    assert (workload.report.records, workload.report.kept) == (5, 3)


def test_a_number_used_twice_names_both_places_and_the_first_job_stays() -> None:
    with pytest.raises(InputError) as error:
        made({}, {"id": 7})
    assert str(error.value) == (
        f"log.swf line 2, job 7: id = 7 is already in log.swf line 1; {DROP}"
    )
    workload = made({}, {"id": 7, "runtime": 1}, clean=True)
    assert list(workload.runtime) == [60]
    assert workload.report.dropped == {"job number used twice": 1}


def test_a_machine_of_unknown_size_holds_any_job() -> None:
    assert made({"nodes": 10**6}, machine_nodes=None).nodes[0] == 10**6


def test_a_run_time_of_zero_and_one_beyond_the_request_are_legal_and_said() -> None:
    workload = made({"runtime": 0}, {"runtime": 91}, {"runtime": 90})
    assert list(workload.runtime) == [0, 91, 90]
    assert workload.report.notes == [
        "jobs with a run time of 0: 1",
        "jobs that run longer than requested: 1; the overrun rule says what happens",
    ]


def test_submits_out_of_order_are_sorted_and_said_and_errors_name_the_place_in_the_file() -> None:
    workload = made({"submit": 9}, {"submit": 3}, extra={"user": ("a", "b")})
    assert list(workload.id) == [8, 7]
    assert list(workload.extra["user"]) == ["b", "a"]
    assert [note for note in workload.report.notes if "sorted" in note]


MISSING = {"estimate": -1}


def test_the_run_time_can_stand_for_a_missing_request_at_least_one_second() -> None:
    workload = made(MISSING, MISSING | {"runtime": 0}, {}, missing_estimate="runtime")
    assert list(workload.estimate) == [60, 1, 90]
    assert workload.report.notes[0] == (
        "jobs without a requested time: 2; the run time stands for it"
    )


def test_a_fixed_time_can_stand_for_a_missing_request() -> None:
    workload = made(MISSING, {}, missing_estimate=3600)
    assert list(workload.estimate) == [3600, 90]
    assert workload.report.notes == ["jobs without a requested time: 1; 3600 s stands for it"]


def test_jobs_without_a_request_can_be_dropped_while_all_else_is_strict() -> None:
    workload = made(MISSING, {}, missing_estimate="drop")
    assert workload.report.dropped == {"no requested time": 1}
    with pytest.raises(InputError, match="nodes = -1"):
        made(MISSING, {"nodes": -1}, missing_estimate="drop")


def test_a_job_without_a_run_time_gets_no_request_from_it() -> None:
    with pytest.raises(InputError, match="runtime = -1"):
        made(MISSING | {"runtime": -1}, missing_estimate="runtime")


@pytest.mark.parametrize("value", ["median", 0, -1, float("nan"), float("inf")])
def test_what_stands_for_a_missing_request_must_make_sense(value: Any) -> None:
    with pytest.raises(InputError, match="it is 'runtime', 'drop' or a time greater than 0"):
        made(MISSING, missing_estimate=value)


def test_a_log_of_which_nothing_is_left_is_an_error_with_the_reasons() -> None:
    with pytest.raises(InputError) as error:
        made({"nodes": 0}, {"runtime": -1}, {"nodes": 0}, clean=True)
    assert str(error.value) == (
        "log.swf: no job is left after cleaning (size unknown or 0: 2, run time unknown (-1): 1)"
    )


NUMBERS = st.sampled_from([-5, -1, 0, 1, 2, 4, 100, 101, 0.5, 2**52])
JOBS = st.fixed_dictionaries(dict.fromkeys(GOOD, NUMBERS))


@settings(deadline=None)
@given(st.lists(JOBS, min_size=1, max_size=8), st.sampled_from([None, "runtime", "drop", 60]))
def test_cleaning_keeps_or_counts_every_job_and_keeps_what_strict_reading_would(
    jobs: list[dict[str, Any]], missing: Any
) -> None:
    try:
        cleaned = made(*jobs, clean=True, missing_estimate=missing)
    except InputError as error:
        message = str(error)
        assert "no job is left" in message
        return
    report = cleaned.report
    assert report.kept + sum(report.dropped.values()) == len(jobs)
    names = set(cleaned.id)
    seen: set[Any] = set()
    good = []
    for job in jobs:
        if job["id"] in names and job["id"] not in seen:
            good.append(job)
        seen.add(job["id"])
    strict = made(*good, missing_estimate=missing)
    assert [tuple(vars_of(strict, row)) for row in range(len(strict))] == [
        tuple(vars_of(cleaned, row)) for row in range(len(cleaned))
    ]


def vars_of(workload: Workload, row: int) -> list[Any]:
    return [getattr(workload, key)[row] for key in GOOD]
