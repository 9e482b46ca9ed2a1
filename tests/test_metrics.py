"""Metrics are what their definitions say, and agree with each other."""

from math import fsum, inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import metrics
from shadowtime.engine import simulate
from shadowtime.errors import InputError
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, Workload
from tests.strategies import POLICIES, workloads

SCHEDULES = st.builds(
    lambda workload, policy, overrun: simulate(workload, policy, overrun=overrun),
    workloads(),
    st.sampled_from([policy for policy in POLICIES if policy != "conservative-every"]),
    st.sampled_from(("kill", "extend")),
)
TAU = st.sampled_from((1, 10, 2.5))


def by_hand() -> Schedule:
    """Three jobs on 4 nodes; the second is killed, the third backfilled."""
    jobs = [
        Job(id=1, submit=10, nodes=3, estimate=40, runtime=20),
        Job(id=2, submit=10, nodes=4, estimate=30, runtime=35),
        Job(id=3, submit=15, nodes=1, estimate=5, runtime=4),
    ]
    return simulate(Workload.from_jobs(jobs), "easy", nodes=4)


def test_the_measures_of_a_small_schedule_are_those_worked_out_by_hand() -> None:
    schedule = by_hand()
    assert list(schedule.start) == [10, 30, 15]
    assert metrics.per_job(schedule, tau=10) == {
        "wait": [0, 20, 0],
        "runtime": [20, 30, 4],
        "response": [20, 50, 4],
        "slowdown": [1.0, 50 / 30, 1.0],
        "bounded_slowdown": [1.0, 50 / 30, 1.0],
        "wait_ratio": [1.0, 1.0, 1.0],
    }
    summary = schedule.summary(tau=10)
    assert summary == metrics.summary(schedule, 10)
    assert summary == {
        "policy": "easy",
        "jobs": 3,
        "nodes": 4,
        "makespan": 50,
        "utilization": (60 + 120 + 4) / 200,
        "backfilled": 1,
        "killed": 1,
        "mean_wait": 20 / 3,
        "median_wait": 0,
        "p95_wait": 18,
        "p99_wait": pytest.approx(19.6),
        "max_wait": 20,
        "mean_response": 74 / 3,
        "mean_bounded_slowdown": pytest.approx((2 + 50 / 30) / 3),
        "max_bounded_slowdown": 50 / 30,
        "mean_wait_ratio": 1.0,
        "max_wait_ratio": 1.0,
        "node_weighted_mean_wait": 80 / 8,
    }


def test_the_two_slowdowns_go_by_their_own_names() -> None:
    """A job of 4 that waited 28: the page's ratio is 7, the bounded slowdown 8, or 3.2."""
    assert metrics.wait_ratio(28, 4) == 7
    assert metrics.bounded_slowdown(28, 4, tau=1) == 8
    assert metrics.bounded_slowdown(28, 4, tau=10) == pytest.approx(3.2)


def test_a_job_of_no_length_has_no_slowdown_but_a_bounded_one() -> None:
    jobs = [Job(1, 0, 1, 20, 20), Job(2, 0, 1, 20, 0)]
    schedule = simulate(Workload.from_jobs(jobs), "fcfs", nodes=1)
    measured = metrics.per_job(schedule, tau=10)
    assert measured["slowdown"] == [1.0, None]
    assert measured["bounded_slowdown"] == [1.0, 2.0]
    assert measured["wait_ratio"] == [1.0, inf]
    assert metrics.wait_ratio(0, 0) == 1
    assert schedule.summary()["max_wait_ratio"] == 1, "it is left out of the ratio's mean"


@given(schedule=SCHEDULES, tau=TAU)
def test_measures_of_jobs_follow_from_start_and_end(schedule: Schedule, tau: float) -> None:
    measured = metrics.per_job(schedule, tau)
    rows = [dict(zip(measured, row, strict=True)) for row in zip(*measured.values(), strict=True)]
    for job, start, end, row in zip(
        schedule.workload, schedule.start, schedule.end, rows, strict=True
    ):
        assert row["wait"] == start - job.submit
        assert row["response"] == row["wait"] + row["runtime"] == end - job.submit
        assert row["bounded_slowdown"] == metrics.bounded_slowdown(row["wait"], row["runtime"], tau)
        assert row["bounded_slowdown"] >= 1
        assert row["wait_ratio"] == metrics.wait_ratio(row["wait"], row["runtime"])
        if row["slowdown"] is not None and row["runtime"] >= tau:
            assert row["slowdown"] == row["bounded_slowdown"]


@given(schedule=SCHEDULES, tau=TAU)
def test_the_summary_is_of_the_jobs(schedule: Schedule, tau: float) -> None:
    summary = schedule.summary(tau)
    jobs = metrics.per_job(schedule, tau)
    waits = np.array(jobs["wait"])
    assert summary["mean_wait"] == pytest.approx(waits.mean())
    assert summary["max_wait"] == waits.max()
    assert (summary["median_wait"], summary["p95_wait"], summary["p99_wait"]) == pytest.approx(
        tuple(np.percentile(waits, (50, 95, 99)))
    )
    assert summary["node_weighted_mean_wait"] == pytest.approx(
        np.average(waits, weights=np.array(schedule.workload.nodes))
    )
    assert summary["mean_bounded_slowdown"] == pytest.approx(np.mean(jobs["bounded_slowdown"]))
    assert summary["max_bounded_slowdown"] == max(jobs["bounded_slowdown"])
    assert summary["killed"] == sum(schedule.killed)
    assert summary["backfilled"] == sum(schedule.backfilled)


@given(schedule=SCHEDULES)
def test_utilization_is_the_share_of_node_time_in_use(schedule: Schedule) -> None:
    summary = schedule.summary()
    busy = sum(
        sum(
            nodes
            for start, end, nodes in zip(
                schedule.start, schedule.end, schedule.workload.nodes, strict=True
            )
            if start <= minute < end
        )
        for minute in range(int(max(schedule.end)))
    )
    assert summary["makespan"] == max(schedule.end) - min(schedule.workload.submit)
    capacity = schedule.nodes * summary["makespan"]
    assert summary["utilization"] == (busy / capacity if capacity else 0)


@given(schedule=SCHEDULES, tau=TAU)
def test_size_classes_share_out_jobs_and_work(schedule: Schedule, tau: float) -> None:
    table = metrics.by_size(schedule, tau)
    summary = schedule.summary(tau)
    jobs = len(schedule.workload)
    assert sum(row["jobs"] for row in table) == jobs
    assert fsum(row["share_of_jobs"] for row in table) == pytest.approx(1)
    work = fsum(row["share_of_work"] for row in table)
    assert work == pytest.approx(1) or (work == 0 and summary["utilization"] == 0)
    assert max(row["max_wait"] for row in table) == summary["max_wait"]
    for key in ("mean_wait", "mean_bounded_slowdown"):
        weighted = fsum(row["jobs"] * row[key] for row in table)
        assert weighted / jobs == pytest.approx(summary[key])
    assert fsum(row["share_of_jobs"] * row["relative_slowdown"] for row in table) == (
        pytest.approx(1)
    )


@given(st.integers(1, 10**6))
def test_a_size_class_reaches_from_above_one_power_of_two_to_the_next(nodes: int) -> None:
    low, high = metrics.size_class(nodes)
    assert low <= nodes <= high
    assert high & (high - 1) == 0
    assert low == high // 2 + 1


def test_size_classes_come_narrow_jobs_first_and_only_those_that_have_jobs() -> None:
    assert [row["nodes"] for row in metrics.by_size(by_hand())] == ["1", "3-4"]


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30),
    st.one_of(st.sampled_from((0, 100)), st.floats(0, 100)),
)
def test_percentiles_are_those_of_numpy(values: list[float], percent: float) -> None:
    assert metrics.percentile(values, percent) == pytest.approx(
        np.percentile(values, percent), abs=1e-6
    )


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: metrics.percentile([], 50), "there is no percentile of no values"),
        (lambda: metrics.percentile([1], 101), "percentile = 101; it lies between 0 and 100"),
        (lambda: metrics.summary(by_hand(), tau=0), "tau = 0; it must be greater than 0"),
        (lambda: metrics.by_size(by_hand(), tau=-1), "tau = -1; it must be greater than 0"),
    ],
)
def test_what_has_no_meaning_is_an_error(call: Any, message: str) -> None:
    with pytest.raises(InputError) as raised:
        call()
    assert str(raised.value) == message


def test_an_empty_schedule_has_no_means() -> None:
    empty = Workload(id=[], submit=[], nodes=[], estimate=[], runtime=[])
    schedule = simulate(empty, "easy", nodes=4)
    summary = schedule.summary()
    assert (summary["jobs"], summary["makespan"], summary["utilization"]) == (0, 0, 0.0)
    assert summary["mean_wait"] is None
    assert set(summary) == set(by_hand().summary())
    assert metrics.by_size(schedule) == []
