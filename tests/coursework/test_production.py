"""Exercises of chapter 6: right answers pass, wrong ones are shown why."""

from collections.abc import Iterator
from math import ceil
from typing import Any

import pytest

import shadowtime as st
from shadowtime.coursework import CheckFailed, Counterexample, check
from shadowtime.coursework.production import besieged
from shadowtime.policies import Slurm, State, Waiting
from shadowtime.policies.placed import PlacedDepth
from shadowtime.schedule import Decision
from shadowtime.workload import Seconds


def grid(start: int, duration: int, step: int) -> tuple[int, int]:
    return start // step * step, ceil((start + duration) / step) * step


DECIDES = {
    "bf_interval=-1": "fcfs",
    "bf_max_job_test=1": "fcfs",
    "bf_min_age_reserve=2592000": "first-fit",
    "bf_window=1": "first-fit",
    "bf_job_part_count_reserve=1": "easy",
}


def rule_of(line: str, **mistaken: str) -> str:
    """Tell the rule of a line; a parameter may be taken for something else."""
    for item in line.partition("=")[2].split(","):
        name = item.partition("=")[0]
        if name in mistaken or item in DECIDES:
            return mistaken.get(name, DECIDES.get(item, ""))
    return "conservative"


def gap(free: set[int], count: int) -> int | None:
    fits = (at for at in sorted(free) if free.issuperset(range(at, at + count)))
    return next(fits, None)


class Neighbors:
    """EASY on neighboring nodes, with this or that forgotten."""

    name = "neighbors"

    def __init__(self, *forgotten: str) -> None:
        self.forgotten = forgotten

    def reset(self, nodes: int) -> None:
        self.free = set(range(nodes))
        self.placed: dict[int, int] = {}

    def start(self, state: State, job: Waiting, at: int) -> tuple[Waiting, Decision]:
        self.free -= set(range(at, at + job.nodes))
        if "to note" not in self.forgotten:
            self.placed[job.row] = 8 - job.nodes + 1 if "the edge" in self.forgotten else at
        return state.start(job, "its nodes lie side by side")

    def reserve(self, state: State, head: Waiting) -> tuple[Seconds, set[int]]:
        free = set(self.free)
        for end, row, nodes in state.running:
            free |= set(range(self.placed.get(row, 0), self.placed.get(row, 0) + nodes))
            first = gap(free, head.nodes)
            if first is not None:
                return end, set(range(first, first + head.nodes))
        raise AssertionError("the machine is too small")

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        for _, row, nodes in state.ended:
            at = self.placed.get(row, 0)
            self.free |= set(range(at, at + nodes))
        if "whose nodes they were" in self.forgotten:
            self.free = set(range(state.free))
        queue = list(state.queue)
        while queue and (first := gap(self.free, queue[0].nodes)) is not None:
            yield self.start(state, queue.pop(0), first)
        if not queue or "to backfill" in self.forgotten:
            return
        head, *others = queue
        shadow, block = self.reserve(state, head)
        if "to promise" not in self.forgotten:
            yield state.wait(head, "head-reserved", shadow, promise=shadow)
        if "the block" in self.forgotten:
            block = set()
        if "what is out of the way" in self.forgotten:
            block = set(range(state.nodes))
        for job in others:
            in_time = state.now + job.planned <= shadow
            first = gap(self.free if in_time else self.free - block, job.nodes)
            if first is not None:
                yield self.start(state, job, first)


class Inherited(PlacedDepth):
    """The package's own placement under another name."""


RIGHT: dict[str, Any] = {
    "resolution": grid,
    "bf-window": lambda jobs: ceil(max(jobs.estimate) / 60),
    "conf-line": rule_of,
    "neighbors": Neighbors(),
}

WRONG: list[tuple[str, Any, str]] = [
    ("resolution", lambda s, d, step: (s, s + d), "may not pass job 2|promised the whole"),
    ("resolution", lambda s, d, step: (s, grid(s, d, step)[1]), "may not pass .* from before"),
    ("resolution", lambda s, d, step: (-(-s // step) * step, grid(s, d, step)[1]), "from before"),
    ("resolution", lambda s, d, step: (grid(s, d, step)[0] - 1, s + d), "job 2, .* from after"),
    ("resolution", lambda s, d, step: (0, s + d), "does not hold the nodes from 0"),
    # The duration rounded up, the end rounded down, and a step more where it is on the grid.
    ("resolution", lambda s, d, step: (s // step * step, s + -(-d // step) * step), "promised"),
    ("resolution", lambda s, d, step: (s // step * step, (s + d) // step * step), "promised"),
    ("resolution", lambda s, d, step: (s // step * step, (s + d) // step * step + step), "until"),
    ("bf-window", lambda jobs: max(jobs.estimate) // 60 or 1, "job 3 has no reservation"),
    ("bf-window", lambda jobs: ceil(max(jobs.runtime) / 60), "without a promise|no reservation"),
    ("bf-window", lambda jobs: ceil(sum(jobs.estimate) / 60), "protects job 3 as well"),
    ("bf-window", lambda jobs: 43_200, "a plan of 43199 minutes protects"),
    ("bf-window", lambda jobs: max(jobs.estimate), "protects job 3 as well"),
    ("bf-window", lambda jobs: max(jobs.estimate) / 60, "it takes whole minutes"),
    ("bf-window", lambda jobs: max(jobs.estimate) // 3600 or 1, "job 3 has no reservation"),
    ("bf-window", lambda jobs: 0, "it takes whole minutes from 1"),
    ("conf-line", lambda line: "easy", "job . starts at .* under easy at"),
    ("conf-line", lambda line: "EASY", "'EASY'; it is one of fcfs, first-fit, easy, conserv"),
    ("conf-line", lambda line: rule_of(line, bf_one_resv_per_job="easy"), "per_job: job"),
    ("conf-line", lambda line: rule_of(line, bf_window="easy"), "under easy"),
    ("conf-line", lambda line: rule_of(line, bf_max_job_test="easy"), "under easy"),
    ("conf-line", lambda line: rule_of(line, bf_interval="first-fit"), "under first-fit"),
    ("conf-line", lambda line: rule_of(line, bf_job_part_count_reserve="fcfs"), "under fcfs"),
    ("neighbors", Neighbors("to note"), "placed has no entry for its row"),
    ("neighbors", Neighbors("the edge"), "is put on nodes . to 8; there are 0 to 7"),
    ("neighbors", Neighbors("whose nodes they were"), "both hold node"),
    ("neighbors", Neighbors("the block"), "was promised a start at"),
    ("neighbors", Neighbors("to promise"), "without a promise"),
    ("neighbors", Neighbors("to backfill"), "EASY on this machine comes to"),
    ("neighbors", Neighbors("what is out of the way"), "EASY on this machine comes to"),
    ("neighbors", Inherited(st.machine.Machine(8, "contiguous"), "mine", 1), "write your own"),
    ("neighbors", st.policies.Easy(), "placed has no entry"),
]  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("seed", [0, 1, 7])
def test_right_answers_hold(name: str, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    check(name, RIGHT[name], seed=seed)
    assert capsys.readouterr().out == f"{name}: holds\n"


@pytest.mark.parametrize("name, answer, why", WRONG)
@pytest.mark.parametrize("seed", [0, 1])
def test_wrong_answers_are_refused_and_say_why(
    name: str, answer: Any, why: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Counterexample, "draw", lambda found: None)
    with pytest.raises(CheckFailed, match=why):
        check(name, answer, seed=seed)


def test_two_jobs_on_one_node_are_drawn_where_they_were_put() -> None:
    from shadowtime.coursework.framework import EXERCISES, Trials

    with pytest.raises(Counterexample) as caught:
        EXERCISES["neighbors"](Neighbors("whose nodes they were"), Trials())
    drawn = caught.value.schedule
    assert drawn is not None
    assert drawn.placement is not None
    assert len(drawn.placement) == len(drawn.workload)


@pytest.mark.parametrize("longest", [20, 60, 90, 3600, 7230])
def test_besieged_job_is_protected_by_a_window_of_the_longest_limit_and_no_less(
    longest: int,
) -> None:
    jobs, least = besieged(longest), ceil(longest / 60)
    starts = [
        st.simulate(jobs, Slurm(bf_window=minutes, bf_interval=1)).start[2]
        for minutes in range(1, least + 3)
    ]
    assert starts[least - 1 :] == [longest] * 3
    assert all(start > longest for start in starts[: least - 1])
