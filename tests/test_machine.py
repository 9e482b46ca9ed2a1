"""Which nodes a job may take where nodes have places."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.errors import InputError
from shadowtime.machine import Machine, neighbours
from shadowtime.nodes import Nodes

FREE = st.integers(0, 2**12 - 1)
COUNT = st.integers(1, 12)


def members(nodes: Nodes) -> list[int]:
    return [node for node in range(nodes.bit_length()) if nodes >> node & 1]


@given(free=FREE, count=COUNT)
def test_neighbours_are_the_first_run_of_free_nodes_that_is_long_enough(
    free: Nodes, count: int
) -> None:
    runs = [range(at, at + count) for at in range(13 - count)]
    fitting = [run for run in runs if all(free >> node & 1 for node in run)]
    assert members(neighbours(free, count)) == (list(fitting[0]) if fitting else [])


@given(free=FREE, count=COUNT, size=st.integers(1, 12))
def test_a_job_is_on_as_few_switches_as_hold_it_on_an_empty_machine(
    free: Nodes, count: int, size: int
) -> None:
    machine = Machine(12, "switch", switch=size)
    taken = machine.choose(free, count)
    few = -(-count // size)
    switches = [{node for node in members(free) if node // size == at} for at in range(12)]
    possible = any(
        sum(map(len, choice)) >= count for choice in combinations(switches, min(few, 12))
    )
    assert bool(taken) == possible
    if taken:
        assert taken & ~free == 0
        assert taken.bit_count() == count
        assert len({node // size for node in members(taken)}) <= few


@given(free=FREE, count=COUNT)
def test_without_placement_the_lowest_free_nodes_do(free: Nodes, count: int) -> None:
    lowest = members(free)[:count]
    assert members(Machine(12).choose(free, count)) == (lowest if len(lowest) == count else [])


def test_a_job_goes_to_the_switch_on_which_it_leaves_the_least() -> None:
    machine = Machine(12, "switch", switch=4)
    assert members(machine.choose(0b0011_0111_1111, 2)) == [8, 9]
    assert members(machine.choose(0b0011_0111_1111, 3)) == [4, 5, 6]
    assert members(machine.choose(0b0011_0111_1111, 6)) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"nodes": 0}, "nodes = 0; a machine has 1 node or more"),
        ({"nodes": 4, "placement": "torus"}, "placement = 'torus'; it is 'any', 'contiguous' or"),
        ({"nodes": 4, "placement": "switch"}, "give switch=, the nodes of one"),
        ({"nodes": 4, "switch": 2}, "give switch=, the nodes of one"),
        ({"nodes": 4, "placement": "switch", "switch": 0}, "switch = 0; a switch has 1 node or"),
    ],
)
def test_a_machine_that_cannot_be_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Machine(**settings)
