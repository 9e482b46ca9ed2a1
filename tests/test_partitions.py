"""Parts of a log, and what it says about how it ran."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import InputError, Workload, traces
from shadowtime.partitions import (
    YEAR,
    column,
    logged_starts,
    observed_peak,
    partitions,
    years,
)


def workload(submit: list[int], **given: object) -> Workload:
    jobs = len(submit)
    columns = {"nodes": [1] * jobs, "estimate": [10] * jobs, "runtime": [10] * jobs}
    extra = {key: given.pop(key) for key in list(given) if key not in {*columns, "header"}}
    return Workload(id=range(jobs), submit=submit, extra=extra, **(columns | given))  # type: ignore[arg-type]


@given(st.lists(st.integers(0, 10 * YEAR), min_size=1, max_size=30), st.integers(0, 10**9))
def test_years_are_those_of_the_calendar(submit: list[int], origin: int) -> None:
    submit.sort()
    header = {"UnixStartTime": str(origin)}
    expected = [datetime.fromtimestamp(origin + time, UTC).year for time in submit]
    assert years(workload(submit, header=header)) == expected


def test_unix_seconds_need_no_header() -> None:
    turn = int(datetime(2018, 1, 1, tzinfo=UTC).timestamp())
    assert years(workload([turn - 1, turn])) == [2017, 2018]


def test_a_log_without_a_date_has_years_of_its_own() -> None:
    assert years(workload([5, 5 + YEAR - 1, 5 + YEAR])) == [1, 1, 2]
    assert years(workload([])) == []


@given(
    st.lists(
        st.tuples(st.sampled_from([1, 2, None]), st.sampled_from(["a", "b", None])), max_size=30
    )
)
def test_every_job_is_in_one_partition_with_its_like(keys: list[tuple[object, object]]) -> None:
    queue, user = (list(each) for each in zip(*keys, strict=True)) if keys else ([], [])
    parts = partitions(workload(list(range(len(keys))), queue=queue, user=user), ["queue", "user"])
    assert sorted(row for part in parts for row in part.rows) == list(range(len(keys)))
    assert len({part.key for part in parts}) == len(parts)
    for part in parts:
        told = {tuple("unknown" if value is None else value for value in keys[row])
                for row in part.rows}  # fmt: skip
        assert told == {part.key}
        assert part.rows == sorted(part.rows)


def test_queues_have_the_names_of_the_header() -> None:
    jobs = workload([0, 1, 2], queue=[2, 1, 7], header={"Queue": "1 short\n2 long"})
    assert list(column(jobs, "queue")) == ["long", "short", 7]
    assert [part.name for part in partitions(jobs)] == ["7/1", "long/1", "short/1"]


def test_a_log_without_queues_is_one_queue() -> None:
    jobs = workload([0, 1])
    assert [part.key for part in partitions(jobs)] == [("all", 1)]
    assert [part.rows for part in partitions(jobs, [])] == [[0, 1]]


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match="no column 'ueue' to be cut by; it has year, user"):
        partitions(workload([0], user=[4]), ["ueue"])


def test_by_is_a_list() -> None:
    with pytest.raises(InputError, match="by = 'queue'; it is a list"):
        partitions(workload([0]), "queue")


@given(
    st.lists(
        st.tuples(st.integers(0, 20), st.integers(0, 5), st.integers(0, 9), st.integers(1, 4)),
        min_size=1,
        max_size=25,
    )
)
def test_the_peak_is_the_most_nodes_held_at_any_instant(
    jobs: list[tuple[int, int, int, int]],
) -> None:
    jobs.sort()
    submit, wait, runtime, nodes = (list(each) for each in zip(*jobs, strict=True))
    peak = observed_peak(workload(submit, wait=wait, runtime=runtime, nodes=nodes))
    held = [sum(n for s, w, r, n in jobs if s + w <= instant < s + w + r) for instant in range(40)]
    assert peak == max(*held, *nodes)


def test_jobs_that_follow_each_other_do_not_overlap_by_a_rounding_error() -> None:
    submit, first, runtime, second = 1_417_739_064, 10.2, 2.9, 13.1
    assert submit + first + runtime > submit + second
    jobs = workload([submit] * 2, wait=[first, second], runtime=[runtime, 60], nodes=[4, 4])
    assert observed_peak(jobs) == 4


def test_an_unknown_wait_is_an_error_that_names_the_job() -> None:
    with pytest.raises(InputError, match="no column 'wait'"):
        logged_starts(workload([0]))
    with pytest.raises(InputError, match="job 1: wait is unknown"):
        logged_starts(workload([0, 0], wait=[0, None]))
    assert observed_peak(workload([])) == 0


@pytest.mark.traces
def test_kth_seems_to_use_more_than_its_machine_as_its_waits_are_whole_minutes(
    traces_dir: Path,
) -> None:
    log = traces.read(traces_dir / "KTH-SP2-1996-2.1-cln.swf.gz")
    assert {part.key: len(part) for part in partitions(log)} == {
        ("all", 1996): 6_791,
        ("all", 1997): 21_684,
    }
    assert log.machine_nodes == 100
    assert observed_peak(log) == 104
    assert sum(wait % 60 == 0 for wait in log.extra["wait"]) > 0.99 * len(log)
