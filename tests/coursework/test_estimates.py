"""Exercises of chapter 3: right answers pass, wrong ones are shown why."""

from collections import defaultdict
from math import inf
from typing import Any

import pytest

import shadowtime as st
from shadowtime.coursework import CheckFailed, Counterexample, check
from shadowtime.online import Last2
from shadowtime.workload import Seconds, Workload


def longest(nodes: int, now: Seconds, free: int, shadow: Seconds, extra: int) -> Seconds | None:
    if nodes > free:
        return None
    return inf if nodes <= extra else shadow - now or None


def halving(made: int, planned: Seconds, requested: Seconds) -> Seconds:
    half = requested / 2
    longer = half if made == 0 and planned < half else (planned + requested) / 2
    return requested if requested - longer < 1 else longer


class LastEnded(Last2):
    """Counts as the last two those that ended last, in whatever order they came."""

    def learn(self, row: int, ran: Seconds) -> None:
        runs = self.runs[self.user[row]]
        runs.append((row, ran))
        del runs[: -self.count]


class NoFloor(Last2):
    """Plans with a mean of 0, too."""

    def predict(self, row: int) -> Seconds:
        runs = self.runs[self.user[row]]
        if not runs:
            return self.estimate[row]
        return min(sum(ran for _, ran in runs) / len(runs), self.estimate[row])


class Seer(Last2):
    """Looks the runtime up in the log."""

    def reset(self, workload: Workload) -> None:
        super().reset(workload)
        self.runtime = workload.runtime

    def predict(self, row: int) -> Seconds:
        return max(1, self.runtime[row])


class Alike(Last2):
    """The longest of the last four runs of a user's jobs of one size and request."""

    def __init__(self) -> None:
        super().__init__(4)

    def reset(self, workload: Workload) -> None:
        super().reset(workload)
        self.user = list(zip(self.user, workload.nodes, workload.estimate, strict=True))
        self.runs = defaultdict(list)

    def predict(self, row: int) -> Seconds:
        longest = max((ran for _, ran in self.runs[self.user[row]]), default=None)
        return min(longest or self.estimate[row], self.estimate[row])


BROKEN = [st.Job(1, 0, 4, 30, 90), st.Job(2, 1, 6, 60, 60)]
FOUR = [
    st.Job(1, 0, 2, 40, 40), st.Job(2, 5, 8, 20, 20), st.Job(3, 5, 8, 30, 30),
    st.Job(4, 15, 4, 30, 30),
]  # fmt: skip

RIGHT: dict[str, Any] = {
    "longest-claim": longest,
    "broken-promise": BROKEN,
    "worse-with-the-truth": FOUR,
    "halving-correction": halving,
    "last-two": Last2(),
    "better-than-last2": Alike(),
}

WRONG: dict[str, list[tuple[Any, str]]] = {
    "longest-claim": [
        (lambda nodes, now, free, shadow, extra: shadow - now, "instead of"),
        (lambda *given: longest(*given) or 0, "returns 0 instead of None"),
        (
            lambda nodes, now, free, shadow, extra: None if nodes > free else shadow - now or None,
            "instead of inf",
        ),
    ],
    "broken-promise": [
        ([], "0 jobs; take 1 to 3"),
        ([st.Job(1, 0, 4, 30, 90)], "no job was promised anything"),
        ([st.Job(1, 0, 4, 90, 90), BROKEN[1]], "the latest job starts 0 minutes late"),
        ([st.Job(1, 0, 4, 70, 90), BROKEN[1]], "the latest job starts 20 minutes late"),
    ],
    "worse-with-the-truth": [
        (FOUR[:2], "35 with the truth, 35 with doubled"),
        (FOUR * 2, "8 jobs; take 1 to 6"),
    ],
    "halving-correction": [
        (lambda made, planned, requested: (planned + requested) / 2, "planned"),
        (lambda made, planned, requested: requested, "made 0"),
        (lambda made, planned, requested: None, "your function returns None"),
    ],
    "last-two": [
        (LastEnded(), "your predictor plans job"),
        (Last2(1), "your predictor plans job"),
        (Last2(3), "your predictor plans job"),
        (NoFloor(), r"planned = 0\.0; it must be"),
        (Last2, "Last2 is a class"),
        (object(), "lacks one of"),
    ],
    "better-than-last2": [
        (Last2(), "beat it by 0.05"),
        (Seer(), "beat it by 0.05"),
        (None, "lacks one of"),
    ],
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_answer_holds(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in (0, 7):
        check(name, RIGHT[name], seed=seed)
    assert capsys.readouterr().out == f"{name}: holds\n" * 2


@pytest.mark.parametrize(
    "name, answer, message",
    [(name, answer, message) for name, cases in WRONG.items() for answer, message in cases],
)
def test_a_wrong_answer_is_shown_why(
    name: str, answer: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Counterexample, "draw", lambda _: None)
    with pytest.raises((CheckFailed, st.InputError), match=message):
        check(name, answer)
