"""Plans of named nodes, held against plain sets of nodes minute by minute."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.machine import neighbours
from shadowtime.nodes import NodePlan, Nodes, first, lowest

SIX = first(6)
BOOKINGS = st.lists(
    st.tuples(st.integers(0, 15), st.integers(1, 8), st.integers(1, SIX)), max_size=8
)


def at(plan: NodePlan, time: int) -> Nodes:
    steps = zip(plan.times, plan.free, strict=True)
    return [free for begin, free in steps if begin <= time][-1]


@given(bookings=BOOKINGS)
def test_reserved_nodes_are_gone_for_as_long_as_they_are_reserved(
    bookings: list[tuple[int, int, Nodes]],
) -> None:
    plan = NodePlan(0, SIX)
    free = [SIX] * 30
    for begin, length, nodes in bookings:
        plan.reserve(begin, begin + length, nodes)
        free[begin : begin + length] = [held & ~nodes for held in free[begin : begin + length]]
    assert [at(plan, time) for time in range(30)] == free
    assert plan.times == sorted(set(plan.times))


@given(
    bookings=BOOKINGS,
    count=st.integers(1, 6),
    length=st.integers(1, 9),
    choose=st.sampled_from((lowest, neighbours)),
    allowed=st.sampled_from((-1, 0b001111)),
)
def test_the_earliest_place_is_the_first_minute_that_has_one(
    bookings: list[tuple[int, int, Nodes]], count: int, length: int, choose: object, allowed: Nodes
) -> None:
    pick = lowest if choose is lowest else neighbours
    plan = NodePlan(0, SIX)
    for begin, duration, nodes in bookings:
        plan.reserve(begin, begin + duration, nodes)
    if count > (SIX & allowed).bit_count():
        with pytest.raises(ValueError, match=f"never a place for a job of {count} nodes"):
            plan.earliest(count, length, pick, allowed)
        return

    def place(begin: int) -> Nodes:
        free = SIX & allowed
        for time in range(begin, begin + length):
            free &= at(plan, time)
        return pick(free, count)

    begin = next(time for time in range(40) if place(time))
    assert plan.earliest(count, length, pick, allowed) == (begin, place(begin))
    assert plan.now(count, length, pick, allowed) == place(0)


def test_what_is_released_is_free_again_and_the_past_is_forgotten() -> None:
    plan = NodePlan(0, 0b0011, [(10, 0b0100), (10, 0b1000), (20, 0b1_0000)])
    assert (plan.times, plan.free) == ([0, 10, 20], [0b0011, 0b1111, 0b1_1111])
    plan.release(5, 10, 0b0100)
    assert at(plan, 7) == 0b0111
    plan.advance(15)
    assert (plan.times[0], plan.free[0]) == (15, 0b1111)
    plan.reserve(0, 16, 0b0001)
    assert at(plan, 15) == 0b1110


@given(free=st.integers(0, 2**70 - 1), count=st.integers(1, 70))
def test_the_lowest_nodes_are_taken_or_none(free: Nodes, count: int) -> None:
    nodes = [node for node in range(70) if free >> node & 1]
    taken = sum(1 << node for node in nodes[:count]) if len(nodes) >= count else 0
    assert lowest(free, count) == taken
