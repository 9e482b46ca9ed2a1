"""Progress is told to who listens, and changes no schedule."""

from collections.abc import Iterator

import pytest

from shadowtime import policies, simulate, traces
from shadowtime.live import progress


@pytest.fixture
def heard() -> Iterator[list[str]]:
    lines: list[str] = []
    progress.listen(lines.append)
    yield lines
    progress.listen(None)


def test_a_policy_that_tells_decides_as_the_other_does(heard: list[str]) -> None:
    jobs = traces.load("teaching")[:1100]
    told = progress.Told(policies.Conservative(), "Conservative", len(jobs))
    assert simulate(jobs, told).start == simulate(jobs, "conservative", engine="readable").start
    assert heard[0] == "Conservative: 250 of 1,100 jobs"
    assert len(heard) == 4


def test_a_second_simulation_counts_from_the_start(heard: list[str]) -> None:
    jobs = traces.load("teaching")[:300]
    told = progress.Told(policies.Fcfs(), "FCFS", len(jobs))
    simulate(jobs, told)
    simulate(jobs, told)
    assert heard == ["FCFS: 250 of 300 jobs"] * 2


def test_nobody_hears_where_nobody_listens() -> None:
    assert not progress.heard()
    progress.tell("nobody")
