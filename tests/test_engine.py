"""The event loop: one pass an instant, overruns, planned runtimes, and arguments."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine import simulate
from shadowtime.errors import InputError
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, Seconds, Workload
from tests.strategies import POLICIES, policy_named, workloads

each_policy = pytest.mark.parametrize("policy", POLICIES)


def workload(*jobs: tuple[Seconds, int, Seconds, Seconds], nodes: int = 8) -> Workload:
    """Make jobs of (submit, nodes, estimate, runtime)."""
    return Workload.from_jobs([Job(n, *job) for n, job in enumerate(jobs, 1)], machine_nodes=nodes)


def run(jobs: Workload, policy: str = "easy", **options: Any) -> Schedule:
    return simulate(jobs, policy_named(policy), engine="readable", **options)


def starts(jobs: Workload, policy: str = "easy", **options: Any) -> Sequence[Seconds]:
    return list(run(jobs, policy, **options).start)


@each_policy
def test_completions_come_before_submissions_and_both_before_the_pass(policy: str) -> None:
    """At 10 the machine is handed over, and the first in the queue is the one that came first."""
    jobs = workload((0, 8, 10, 10), (10, 8, 5, 5), (10, 8, 5, 5))
    assert starts(jobs, policy) == [0, 10, 15]


@each_policy
def test_the_queue_is_served_in_the_order_of_the_input_at_one_instant(policy: str) -> None:
    assert starts(workload((0, 8, 5, 5), (0, 8, 5, 5), (0, 8, 5, 5)), policy) == [0, 5, 10]


@each_policy
def test_a_job_of_no_length_frees_its_nodes_at_the_instant_it_starts(policy: str) -> None:
    """Two passes more are made at 3, unless reservations are not to move."""
    schedule = run(workload((3, 8, 5, 0), (3, 8, 5, 0), (3, 8, 5, 4)), policy)
    assert list(schedule.start) == ([3, 8, 13] if policy == "conservative-none" else [3, 3, 3])
    assert schedule.end[2] == schedule.start[2] + 4


@each_policy
def test_time_jumps_over_idle_gaps(policy: str) -> None:
    jobs = workload((10**9, 4, 10, 10), (2 * 10**12, 4, 10, 10))
    assert starts(jobs, policy) == [10**9, 2 * 10**12]


def test_a_planned_end_that_goes_by_is_no_event() -> None:
    """Job 1 outlives its plan at 10; job 3, refused at 5, is looked at again at 30 only."""
    jobs = workload((0, 5, 10, 30), (1, 8, 10, 10), (5, 3, 6, 6))
    assert starts(jobs, overrun="extend") == [0, 30, 40]


@each_policy
def test_kill_ends_a_job_at_its_estimate(policy: str) -> None:
    schedule = run(workload((0, 8, 10, 25), (1, 8, 5, 5)), policy)
    assert list(schedule.end) == [10, 15]
    assert list(schedule.killed) == [True, False]


@each_policy
def test_extend_lets_a_job_run_on_and_nobody_else_on_its_nodes(policy: str) -> None:
    schedule = run(workload((0, 8, 10, 25), (1, 8, 5, 5)), policy, overrun="extend")
    assert list(schedule.start) == [0, 25]
    assert list(schedule.end) == [25, 30]
    assert not any(schedule.killed)


def test_a_job_that_needs_exactly_its_estimate_is_not_killed() -> None:
    assert list(run(workload((0, 8, 10, 10))).killed) == [False]


@each_policy
@given(jobs=workloads())
def test_estimates_given_as_plans_change_nothing(policy: str, jobs: Workload) -> None:
    assert starts(jobs, policy, planned=jobs.estimate) == starts(jobs, policy)


@pytest.mark.parametrize("make", [list, tuple, np.array, lambda values: np.array(values, float)])
def test_plans_may_be_any_sequence(make: Any) -> None:
    """Planned at 5, job 3 passes the head; asked for at 50, it may not. It is not killed at 5."""
    jobs = workload((0, 4, 20, 20), (1, 8, 10, 10), (2, 4, 50, 15))
    assert starts(jobs) == [0, 20, 30]
    schedule = run(jobs, planned=make([20, 10, 5]))
    assert list(schedule.start) == [0, 20, 2]
    assert list(schedule.end) == [20, 30, 17]
    assert all(type(start) is int for start in schedule.start)


@each_policy
def test_times_of_a_fraction_of_a_second_are_exact_enough_to_meet(policy: str) -> None:
    """0.1 + 0.2 is not 0.3 to a computer, but a reservation at it comes due all the same."""
    jobs = workload((0.1, 8, 0.2, 0.2), (0.2, 8, 0.7, 0.7), (0.2, 2, 0.1, 0.1))
    schedule = run(jobs, policy)
    assert list(schedule.start) == [0.1, 0.1 + 0.2, 0.1 + 0.2 + 0.7]
    assert list(schedule.end)[:2] == list(schedule.start)[1:]


@each_policy
@given(data=st.data(), jobs=workloads(max_jobs=12))
def test_the_order_of_the_input_matters_only_within_one_instant(
    policy: str, data: st.DataObject, jobs: Workload
) -> None:
    apart = jobs.replace(submit=[n + submit for n, submit in enumerate(jobs.submit)])
    shuffled = data.draw(st.permutations(list(apart)))
    again = Workload.from_jobs(shuffled, machine_nodes=jobs.machine_nodes)
    here, there = (dict(zip(w.id, run(w, policy).start, strict=True)) for w in (apart, again))
    assert here == there


def test_the_machine_may_be_other_than_the_logs() -> None:
    jobs = workload((0, 4, 10, 10), (0, 4, 10, 10), nodes=8)
    assert starts(jobs) == [0, 0]
    schedule = run(jobs, nodes=4)
    assert (schedule.nodes, list(schedule.start)) == (4, [0, 10])


def test_an_empty_workload_is_scheduled_at_once() -> None:
    empty = Workload(id=[], submit=[], nodes=[], estimate=[], runtime=[])
    schedule = simulate(empty, nodes=4, decisions=True)
    assert list(schedule.start) == []
    assert schedule.decisions == []


@pytest.mark.parametrize(
    "options, message",
    [
        ({"nodes": 3}, "job 2: nodes = 4; the machine has 3"),
        ({"nodes": 0}, "nodes = 0; a machine has 1 node or more"),
        ({"overrun": "pause"}, "overrun = 'pause'; it is 'kill' or 'extend'"),
        ({"engine": "fast"}, "engine = 'fast'; it is 'auto', 'readable' or 'compiled'"),
        ({"correction": "guess"}, "correction = 'guess'; it is one of none, request, "),
        ({"policy": "sjf"}, "there is no policy 'sjf'; there are fcfs, "),
        ({"planned": [10]}, "planned has 1 values for 2 jobs"),
        ({"planned": [10, 0]}, "job 2: planned = 0; it must be a number greater than 0"),
        ({"planned": [10, -1]}, "job 2: planned = -1; it must be a number greater than 0"),
        ({"planned": [math.nan, 1]}, "job 1: planned = nan; it must be a number greater than 0"),
        ({"planned": [10, math.inf]}, "job 2: planned = inf; it must be a number greater than 0"),
        ({"planned": [10, None]}, "job 2: planned = None; it must be a number greater than 0"),
        ({"planned": [10, "5"]}, "job 2: planned = '5'; it must be a number greater than 0"),
        (
            {"planned": np.array([10, np.nan])},
            "job 2: planned = nan; it must be a number greater than 0",
        ),
    ],
)
def test_an_argument_without_meaning_is_an_error(options: dict[str, Any], message: str) -> None:
    jobs = workload((0, 3, 10, 10), (0, 4, 10, 10))
    with pytest.raises(InputError) as raised:
        simulate(jobs, **options)
    assert str(raised.value).startswith(message)


def test_a_machine_of_unknown_size_is_an_error() -> None:
    jobs = Workload.from_jobs([Job(1, 0, 3, 10, 10)])
    with pytest.raises(InputError, match=r"the size of the machine is unknown: give nodes= "):
        simulate(jobs)
