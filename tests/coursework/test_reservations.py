"""Exercises of chapter 2: right answers pass, wrong ones are shown why."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import shadowtime as st
from shadowtime.coursework import CheckFailed, Counterexample, check
from shadowtime.policies import State, Stateless, Waiting
from shadowtime.schedule import Decision
from shadowtime.workload import Seconds

Ends = Sequence[tuple[Seconds, int]]
Steps = Sequence[tuple[Seconds, int]]


class Depth(Stateless):
    def __init__(self, depth: int, *, looks: bool = True) -> None:
        self.depth = depth
        self.looks = looks
        self.name = f"depth {depth}"

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        profile = st.Profile(state.nodes, state.now)
        for end, _, nodes in state.running:
            profile.reserve(state.now, end, nodes)
        held = 0
        for job in state.queue:
            start = profile.earliest(job.nodes, job.planned)
            if start == state.now and (job.nodes <= state.free or not self.looks):
                profile.reserve(start, start + job.planned, job.nodes)
                yield state.start(job, "it fits the plan")
            elif held < self.depth:
                profile.reserve(start, start + job.planned, job.nodes)
                held += 1
                yield state.wait(job, "it holds a reservation", promise=start)


def shadow(running: Ends, free: int, need: int, now: Seconds) -> tuple[Seconds, int]:
    for instant in sorted({max(end, now) for end, _ in running}):
        left = free + sum(nodes for end, nodes in running if end <= instant)
        if left >= need:
            return instant, left - need
    raise AssertionError("the machine is too small")


def shadow_without_ties(running: Ends, free: int, need: int, now: Seconds) -> tuple[Seconds, int]:
    for end, nodes in sorted(running):
        free += nodes
        if free >= need:
            return max(end, now), free - need
    raise AssertionError("the machine is too small")


def shadow_in_the_past(running: Ends, free: int, need: int, now: Seconds) -> tuple[Seconds, int]:
    for instant in sorted({end for end, _ in running}):
        left = free + sum(nodes for end, nodes in running if end <= instant)
        if left >= need:
            return instant, left - need
    raise AssertionError("the machine is too small")


def earliest(steps: Steps, nodes: int, duration: Seconds) -> Seconds:
    ends = [begin for begin, _ in steps[1:]] + [float("inf")]
    for start, _ in steps:
        touched = [
            free
            for (begin, free), end in zip(steps, ends, strict=True)
            if begin < start + duration and end > start
        ]
        if min(touched) >= nodes:
            return start
    raise AssertionError("the machine is too small")


def first_wide_step(steps: Steps, nodes: int, duration: Seconds) -> Seconds:
    return next(begin for begin, free in steps if free >= nodes)


LATER = [st.Job(1, 0, 2, 50, 30), st.Job(2, 2, 8, 10, 10), st.Job(3, 3, 4, 30, 30)]
PASSED = [
    st.Job(1, 0, 6, 10, 10),
    st.Job(2, 1, 4, 10, 10),
    st.Job(3, 9, 8, 20, 20),
    st.Job(4, 9, 2, 60, 60),
]

RIGHT: dict[str, Any] = {
    "window": lambda nodes, planned, now, free, shadow, extra: (
        nodes <= free and (now + planned <= shadow or nodes <= extra)
    ),
    "shadow": shadow,
    "profile": earliest,
    "later-than-fcfs": LATER,
    "passed-over": PASSED,
    "depth": Depth,
}

WRONG: dict[str, list[tuple[Any, str]]] = {
    "window": [
        (
            lambda nodes, planned, now, free, shadow, extra: (
                now + planned <= shadow or nodes <= extra
            ),
            "the job may not start",
        ),
        (
            lambda nodes, planned, now, free, shadow, extra: (
                nodes <= free and now + planned <= shadow
            ),
            "the job may start",
        ),
        (
            lambda nodes, planned, now, free, shadow, extra: (
                nodes <= free and (now + planned < shadow or nodes <= extra)
            ),
            "the job may start",
        ),
        (
            lambda nodes, planned, now, free, shadow, extra: (
                nodes <= free and (planned <= shadow or nodes <= extra)
            ),
            "the job may not start",
        ),
    ],
    "shadow": [
        (shadow_without_ties, "running .*, free"),
        (shadow_in_the_past, "running .*, free"),
        (lambda *given: shadow(*given)[0], r"your function returns \d+ instead of \("),
    ],
    "profile": [
        (first_wide_step, "nodes for"),
        (lambda steps, nodes, duration: steps[-1][0], "nodes for"),
    ],
    "later-than-fcfs": [
        ([], "0 jobs"),
        ([*LATER, *LATER], "6 jobs|twice|id"),
        (LATER[:2], "no promised job later"),
        # With exact estimates FCFS starts the head no earlier than EASY promises.
        ([st.Job(j.id, j.submit, j.nodes, j.runtime, j.runtime) for j in LATER], "no promised job"),
    ],
    "passed-over": [
        ([], "0 jobs"),
        (LATER, "estimates are not the runtimes"),
        (PASSED[:3], "waits under EASY and conservative"),
    ],
    "depth": [
        (lambda depth: st.policies.FirstFit(), r"make\(1\) starts job"),
        (lambda depth: st.policies.Easy(), r"make\(\d+\) starts job \d+ at"),
        (lambda depth: st.policies.Conservative(), r"make\(1\) starts job"),
        (lambda depth: Depth(depth + 1), r"make\(1\) starts job"),
        (lambda depth: Depth(1), "conservative backfilling"),
        (lambda depth: Depth(depth, looks=False), "where jobs run longer than planned: policy"),
        (lambda depth: None, "your function returns None"),
    ],
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_answer_holds(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in (0, 1, 2):
        check(name, RIGHT[name], seed=seed)
    assert capsys.readouterr().out == f"{name}: holds\n" * 3


@pytest.mark.parametrize(
    "name, answer, message",
    [(name, answer, message) for name, cases in WRONG.items() for answer, message in cases],
)
def test_a_wrong_answer_is_shown_why(
    name: str, answer: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Counterexample, "draw", lambda found: None)
    for seed in (0, 1, 2):
        with pytest.raises((CheckFailed, st.InputError), match=message):
            check(name, answer, seed=seed)
