"""Any policy works on a queue in any order, and then means that order."""

import copy
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import policies
from shadowtime.engine import Overrun, simulate
from shadowtime.errors import InputError
from shadowtime.policies import Conservative, Depth, Easy, Fcfs, FirstFit, Ordered, Policy, ordered
from shadowtime.policies.base import Waiting
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, Seconds, Workload
from tests.strategies import POLICIES, policy_named, workloads

INNER = [Fcfs(), FirstFit(), Easy(), Easy("shortest"), Conservative(), Depth(2)]
each_inner = pytest.mark.parametrize("inner", INNER, ids=lambda policy: policy.name)


def told(schedule: Schedule) -> tuple[list[object], ...]:
    return list(schedule.start), list(schedule.backfilled), list(schedule.first_reservation)


@given(name=st.sampled_from(POLICIES), workload=workloads())
def test_the_order_of_submission_changes_nothing(name: str, workload: Workload) -> None:
    plain = simulate(workload, policy_named(name), engine="readable")
    assert told(simulate(workload, Ordered(policy_named(name), "fcfs"))) == told(plain)


@each_inner
@given(
    workload=workloads(),
    order=st.sampled_from(list(ordered.ORDERS)),
    overrun=st.sampled_from(("kill", "extend")),
)
def test_every_job_runs_once_and_the_log_changes_nothing(
    inner: Policy, workload: Workload, order: str, overrun: Overrun
) -> None:
    policy = Ordered(inner, order)
    silent = simulate(workload, policy, overrun=overrun)
    assert told(simulate(workload, policy, overrun=overrun, decisions=True)) == told(silent)
    for job, start in zip(workload, silent.start, strict=True):
        assert start >= job.submit


# Whole-machine jobs, so that one runs after another and nothing is there to be filled.
WIDE = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=12)


@each_inner
@given(wide=WIDE, order_and_sign=st.sampled_from((("sjf", 1), ("ljf", -1))))
def test_one_after_another_the_shortest_or_the_longest_of_those_that_wait_goes_first(
    inner: Policy, wide: list[tuple[int, int]], order_and_sign: tuple[str, int]
) -> None:
    order, sign = order_and_sign
    jobs = [Job(i, submit, 4, length, length) for i, (submit, length) in enumerate(wide)]
    workload = Workload.from_jobs(jobs, machine_nodes=4)
    if isinstance(inner, Conservative):
        workload = workload.replace(submit=[0] * len(jobs))
    schedule = simulate(workload, Ordered(inner, order))
    in_turn = sorted(range(len(jobs)), key=lambda row: schedule.start[row])
    for first, second in pairwise(in_turn):
        if workload.submit[second] <= schedule.start[first]:
            lengths = [sign * workload.runtime[row] for row in (first, second)]
            assert lengths == sorted(lengths)


def test_wfp3_lets_the_one_that_waits_longest_for_its_length_go_first() -> None:
    def at(now: Seconds, nodes: int, planned: int, submit: int = 0) -> float:
        return ordered.wfp3(Waiting(0, 1, submit, nodes, planned), now)

    assert at(100, nodes=4, planned=50) == -32
    assert at(100, 4, 50) < at(100, 4, 100) < at(100, 4, 100, submit=50)
    assert at(100, 8, 50) < at(100, 4, 50)
    # A narrow job needs twice the wait for eight times the weight.
    assert at(200, 1, 100) == at(100, 8, 100)


def test_a_job_is_backfilled_if_it_passes_one_before_it_in_the_policy_s_order() -> None:
    jobs = [Job(1, 0, 6, 50, 50), Job(2, 1, 8, 10, 10), Job(3, 2, 2, 30, 30), Job(4, 3, 2, 5, 5)]
    workload = Workload.from_jobs(jobs, machine_nodes=8)
    by_submission, by_length = (
        simulate(workload, Easy()),
        simulate(workload, Ordered(Easy(), "sjf")),
    )
    assert list(by_submission.start) == [0, 50, 2, 32]
    assert list(by_submission.backfilled) == [False, False, True, True]
    # Job 4 is the shortest: it heads the queue, and passes nobody when it starts.
    assert list(by_length.start) == [0, 50, 2, 32]
    assert list(by_length.backfilled) == [False, False, True, False]


def test_the_head_is_the_first_in_the_policy_s_order() -> None:
    """Under EASY the shortest holds the reservation, and job 2 must not delay it."""
    jobs = [Job(1, 0, 6, 50, 50), Job(2, 1, 2, 90, 90), Job(3, 1, 8, 20, 20)]
    workload = Workload.from_jobs(jobs, machine_nodes=8)
    assert list(simulate(workload, Easy()).start) == [0, 1, 91]
    shortest = simulate(workload, Ordered(Easy(), "sjf"))
    assert list(shortest.start) == [0, 70, 50]
    assert list(shortest.first_reservation) == [None, 70, 50]


def test_an_order_of_one_s_own_is_a_function() -> None:
    def widest_first(job: Waiting, now: Seconds) -> float:
        return -job.nodes

    jobs = [Job(1, 0, 8, 10, 10), Job(2, 1, 5, 10, 10), Job(3, 2, 7, 10, 10), Job(4, 3, 7, 9, 9)]
    policy = Ordered(Fcfs(), widest_first)
    schedule = simulate(Workload.from_jobs(jobs, machine_nodes=8), policy)
    assert list(schedule.start) == [0, 29, 10, 20]
    assert schedule.policy == "fcfs-widest_first"


def test_easy_plus_plus_is_made_of_parts() -> None:
    """Predictions, corrections, and shortest first among the candidates; any part can be left."""
    jobs = [
        Job(1, 0, 6, 900, 500),
        Job(2, 1, 8, 900, 100),
        Job(3, 2, 2, 900, 90),
        Job(4, 3, 2, 900, 50),
    ]
    workload = Workload.from_jobs(jobs, machine_nodes=8)
    predicted = [300, 100, 100, 50]
    both = simulate(workload, Easy("shortest"), planned=predicted, correction="increments")
    assert list(both.start) == [0, 500, 2, 92]


def test_names_are_put_together_of_policy_and_order() -> None:
    for name in ("fcfs-sjf", "easy-wfp3", "easy-sjbf-ljf", "conservative-none-sjf", "depth-3-wfp3"):
        policy = policies.by_name(name)
        assert isinstance(policy, Ordered)
        assert policy.name == name
    with pytest.raises(InputError, match="there is no policy 'sjf'"):
        policies.by_name("sjf")
    with pytest.raises(InputError, match="order = 'random'; it is one of fcfs, sjf, ljf, wfp3, or"):
        Ordered(Easy(), "random")


def test_a_copy_has_a_policy_of_its_own() -> None:
    one = Ordered(Conservative(), "sjf")
    two = copy.copy(one)
    assert two.policy is not one.policy
    assert (two.name, two.order) == (one.name, one.order)
