"""The quick courses say what timeline and by_size say, whichever engine made the schedule."""

from typing import Literal

import pytest
from hypothesis import given, settings

from shadowtime import Workload, metrics, simulate, traces
from shadowtime.live import courses
from shadowtime.schedule import Schedule
from tests.strategies import workloads


def agree(schedule: Schedule, count: int) -> None:
    quick = courses.buckets(schedule, count)
    full = schedule.timeline().buckets(count)
    for have, want in zip(quick, full, strict=True):
        for key, value in have.items():
            assert value == pytest.approx(want[key], rel=1e-6, abs=1e-6), key
    classes = courses.waits_by_size(schedule)
    rows = metrics.by_size(schedule)
    assert [mean for mean, _ in classes.values()] == pytest.approx([r["mean_wait"] for r in rows])
    assert [count for _, count in classes.values()] == [r["jobs"] for r in rows]


@pytest.mark.parametrize("engine", ["readable", "compiled"])
def test_the_teaching_log_has_the_courses_of_its_timeline(
    engine: Literal["readable", "compiled"],
) -> None:
    if engine == "compiled":
        pytest.importorskip("numba")
    schedule = simulate(traces.load("teaching")[:1500], "easy", engine=engine)
    assert ("start" in schedule.arrays) == (engine == "compiled")
    agree(schedule, 40)


@given(workloads())
@settings(max_examples=50, deadline=None)
def test_any_schedule_has_the_courses_of_its_timeline(jobs: Workload) -> None:
    schedule = simulate(jobs, "easy")
    if max(schedule.end) > jobs.submit[0]:
        agree(schedule, 7)


def test_no_job_and_no_time_have_no_course() -> None:
    assert courses.buckets(simulate(Workload.from_jobs([]), "easy", 4), 10) == []
