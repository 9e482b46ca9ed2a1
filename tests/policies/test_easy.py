"""EASY backfilling protects the head, and only the head."""

from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shadowtime.engine import simulate
from shadowtime.errors import InputError
from shadowtime.policies import Easy, Running
from shadowtime.policies.easy import shadow_time
from shadowtime.workload import Job, Seconds, Workload
from tests.strategies import workloads


def starts(*jobs: tuple[int, int, int], nodes: int = 8, policy: str = "easy") -> Sequence[Seconds]:
    """Simulate jobs of (submit, nodes, length), with perfect estimates."""
    table = [Job(n, submit, need, length, length) for n, (submit, need, length) in enumerate(jobs)]
    return list(simulate(Workload.from_jobs(table), policy, nodes).start)


# A holds 4 of 8 nodes until 40, another job 2 until 90; the head needs 6 and is promised 40.
WINDOW = [(0, 4, 40), (0, 2, 90), (1, 6, 20)]


@pytest.mark.parametrize(
    "candidate, start",
    [
        ((2, 2, 38), 2),  # ends exactly when the head is due
        ((2, 2, 39), 60),  # a minute too long, and no node is extra
        ((2, 3, 5), 60),  # too wide for what is free, and then for what the head leaves
        ((2, 1, 38), 2),
    ],
)
def test_a_candidate_is_accepted_if_the_head_is_not_delayed(
    candidate: tuple[int, int, int], start: int
) -> None:
    assert starts(*WINDOW, candidate) == [0, 0, 40, start]


def test_extra_nodes_serve_a_long_job_once() -> None:
    """The head leaves two of the eight; the first long job takes both."""
    held = [(0, 4, 40), (1, 6, 20)]
    assert starts(*held, (2, 2, 500), (2, 2, 500)) == [0, 40, 2, 60]
    assert starts(*held, (2, 1, 500), (2, 1, 500), (2, 1, 38)) == [0, 40, 2, 2, 2]


def test_only_the_head_is_protected() -> None:
    """The second in the queue is pushed back by a job that does the head no harm."""
    jobs = [(0, 4, 10), (1, 6, 10), (2, 8, 10), (3, 2, 100)]
    assert starts(*jobs) == [0, 10, 103, 3]
    assert starts(*jobs, policy="conservative") == [0, 10, 20, 30]


def test_shortest_first_tries_the_short_candidate_before_the_long() -> None:
    jobs = [*WINDOW, (2, 2, 30), (2, 2, 10), (2, 2, 10)]
    assert starts(*jobs) == [0, 0, 40, 2, 60, 60]
    assert starts(*jobs, policy="easy-sjbf") == [0, 0, 40, 60, 2, 12]


def test_the_window_as_drawn_is_wider_than_the_window_as_told() -> None:
    """With four nodes free, two of them extra, what is refused with two free is legal."""
    assert starts((0, 4, 40), (1, 6, 20), (2, 2, 300))[2] == 2
    assert starts(*WINDOW, (2, 2, 300))[3] > 2


@given(
    data=st.data(),
    running=st.lists(st.tuples(st.integers(-5, 20), st.integers(1, 6)), min_size=1, max_size=8),
    free=st.integers(0, 5),
)
def test_the_shadow_time_is_the_first_instant_with_enough_nodes(
    data: st.DataObject, running: list[tuple[int, int]], free: int
) -> None:
    machine = free + sum(nodes for _, nodes in running)
    need = data.draw(st.integers(free + 1, machine))
    entries = sorted(Running(end, row, nodes) for row, (end, nodes) in enumerate(running))
    shadow, extra = shadow_time(entries, free, need, 0)

    def free_at(time: Seconds) -> int:
        return free + sum(nodes for end, nodes in running if max(end, 0) <= time)

    assert shadow in {max(end, 0) for end, _ in running}
    assert free_at(shadow) == need + extra
    assert extra >= 0
    assert all(free_at(earlier) < need for earlier in range(int(shadow)))


@given(workload=workloads())
def test_with_jobs_of_one_length_both_orders_are_one(workload: Workload) -> None:
    alike = workload.replace(estimate=[7] * len(workload))
    assert list(simulate(alike, "easy").start) == list(simulate(alike, "easy-sjbf").start)


@given(workload=workloads(max_jobs=12))
def test_with_nobody_backfilled_it_is_fcfs(workload: Workload) -> None:
    schedule = simulate(workload, "easy")
    assume(not any(schedule.backfilled))
    assert list(schedule.start) == list(simulate(workload, "fcfs").start)


@pytest.mark.parametrize("order, name", [("queue", "easy"), ("shortest", "easy-sjbf")])
def test_the_order_has_a_name(order: str, name: str) -> None:
    assert Easy(order=order).name == name  # type: ignore[arg-type]


def test_another_order_is_an_error() -> None:
    with pytest.raises(InputError, match="order = 'longest'; EASY backfills in 'queue' or "):
        Easy(order="longest")  # type: ignore[arg-type]
