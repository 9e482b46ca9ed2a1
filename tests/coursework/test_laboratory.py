"""Exercises of chapter 5: right answers pass, wrong ones are shown why."""

from collections.abc import Iterator
from typing import Any

import pytest

import shadowtime as st
from shadowtime.coursework import CheckFailed, check
from shadowtime.policies import Easy, State, Stateless
from shadowtime.policies.easy import shadow_time
from shadowtime.synthesis import offered_load


class Shortest(Stateless):
    """EASY that tries the shortest candidate first, with the head's promise made or not."""

    name = "shortest"

    def __init__(self, *, promises: bool = True, heeds: bool = True) -> None:
        self.promises = promises
        self.heeds = heeds

    def decide(self, state: State) -> Iterator[Any]:
        queue = list(state.queue)
        while queue and queue[0].nodes <= state.free:
            yield state.start(queue.pop(0), "head-fits")
        if not queue:
            return
        head, *others = queue
        shadow, extra = shadow_time(state.running, state.free, head.nodes, state.now)
        if self.promises:
            yield state.wait(head, "head-reserved", shadow, extra, promise=shadow)
        for job in sorted(others, key=lambda job: job.planned):
            in_time = state.now + job.planned <= shadow
            if job.nodes <= state.free and (in_time or job.nodes <= extra or not self.heeds):
                yield state.start(job, "the shortest that may pass")
                extra -= 0 if in_time else job.nodes


class Slow(Shortest):
    """Keeps every promise and is no better than FCFS."""

    def decide(self, state: State) -> Iterator[Any]:
        for job in state.queue:
            if job.nodes > state.free:
                return
            yield state.start(job, "head-fits")


def losers(before: st.Schedule, after: st.Schedule) -> set[Any]:
    both = zip(before.workload, before.wait(), after.wait(), strict=True)
    return {job.id for job, early, late in both if late > early}


def replayable(text: str, *, allocated: bool = True, machine: int = 8) -> list[int]:
    rows = [list(map(int, line.split())) for line in text.splitlines() if line[0] != ";"]
    found = []
    for row in rows:
        if len(row) == 18:
            size = row[4] if allocated and row[7] <= 0 else row[7]
            if 0 < size <= machine and row[3] >= 0 and row[8] > 0:
                found.append(row[0])
    return found


def mean_wait(jobs: st.Workload, policy: str, factor: float) -> float:
    wait = st.simulate(jobs.scale_load(factor), policy).wait()
    return sum(wait) / len(wait)


def capacity(jobs: st.Workload, policy: str, factors: list[float], limit: float) -> float | None:
    fair = [factor for factor in factors if mean_wait(jobs, policy, factor) <= limit]
    return max(fair, default=None)


def first_failure(
    jobs: st.Workload, policy: str, factors: list[float], limit: float
) -> float | None:
    """Stop at the first factor that is too much, as if waits always grew with the load."""
    best = None
    for factor in sorted(factors):
        if mean_wait(jobs, policy, factor) > limit:
            break
        best = factor
    return best


RIGHT: dict[str, Any] = {
    "load-factor": lambda jobs, load: load / offered_load(jobs),
    "losers": losers,
    "replayable": replayable,
    "capacity": capacity,
    "better-than-easy": Shortest(),
}

WRONG: list[tuple[str, Any, str]] = [
    ("load-factor", lambda jobs, load: load, "for a load of"),
    ("load-factor", lambda jobs, load: offered_load(jobs) / load, "for a load of"),
    (
        "losers",
        lambda before, after: losers(after, before),
        r"your function returns \[.*\] instead of \[",
    ),
    ("replayable", lambda text: replayable(text, allocated=False), "instead of"),
    ("replayable", lambda text: replayable(text, machine=9), "instead of"),
    ("capacity", first_failure, "None instead of 2.0"),
    ("capacity", lambda jobs, policy, factors, limit: factors[-1], "instead of"),
    ("better-than-easy", Easy(order="shortest"), "write your own"),
    ("better-than-easy", Shortest(promises=False), "without a promise"),
    ("better-than-easy", Shortest(heeds=False), "was promised a start"),
    ("better-than-easy", Slow(), "EASY comes to"),
]


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("seed", [0, 1, 7])
def test_right_answers_hold(name: str, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    check(name, RIGHT[name], seed=seed)
    assert capsys.readouterr().out == f"{name}: holds\n"


@pytest.mark.parametrize("name, answer, why", WRONG, ids=lambda value: str(value)[:40])
def test_wrong_answers_are_refused_and_say_why(name: str, answer: Any, why: str) -> None:
    with pytest.raises(CheckFailed, match=why):
        check(name, answer)
