"""Exercises of chapter 1: right answers pass, wrong ones are shown why."""

from collections.abc import Iterator
from typing import Any

import pytest

import shadowtime as st
from shadowtime.coursework import CheckFailed, by_hand, check
from shadowtime.policies import State, Stateless, Waiting
from shadowtime.schedule import Decision
from shadowtime.workload import Seconds


class ShortestThatFits(Stateless):
    name = "shortest that fits"

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        for job in sorted(state.queue, key=lambda job: job.planned):
            if job.nodes <= state.free:
                yield state.start(job, "fits")


class Patient(Stateless):
    name = "patient"

    def __init__(self, limit: Seconds) -> None:
        self.limit = limit

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        for job in state.queue:
            if job.nodes <= state.free:
                yield state.start(job, "fits")
            elif state.now - job.submit >= self.limit:
                return


WASTEFUL = [st.Job(1, 0, 1, 100, 100), st.Job(2, 0, 8, 1, 1), st.Job(3, 0, 1, 100, 100)]

RIGHT: dict[str, Any] = {
    "fifo-by-hand": st.simulate(by_hand(), "fcfs").start,
    "slowdown": lambda wait, run, tau: max(1, (wait + run) / max(run, tau)),
    "idle-node-time": lambda schedule: schedule.timeline().idle_while_waiting(),
    "wasteful": WASTEFUL,
    "shortest-that-fits": ShortestThatFits(),
    "patience": Patient(30),
}

WRONG: dict[str, list[tuple[Any, str]]] = {
    "fifo-by-hand": [
        ([0, 0, 0, 0, 0], r"job 1 cannot start at 0: it is not there yet"),
        ([25, 25, 47, 47, 59], r"job 2 cannot start at 25: not enough nodes"),
        ([25, 38, 47, 38, 59], r"job 4 cannot start at 38: job 3, ahead of it, still waits"),
        ([25, 38, 47, 47, 60], r"job 5 can start before 60"),
        ([25], r"5 jobs, and your answer has 1"),
    ],
    "slowdown": [
        (lambda wait, run, tau: (wait + run) / max(run, tau), "instead of 1"),
        (lambda wait, run, tau: None, "your function returns None"),
        (lambda wait, run, tau: max(1, wait / max(run, tau)), "instead of"),
    ],
    "idle-node-time": [
        (lambda schedule: schedule.nodes, "your function counts 8, there are 0"),
        (
            lambda schedule: (
                schedule.nodes * schedule.summary()["makespan"]
                - sum(job.nodes * job.runtime for job in schedule.workload)
            ),
            "there are",
        ),
    ],
    "wasteful": [
        ([], "0 jobs"),
        (None, "your answer is None"),
        ([(1, 0, 8, 9, 9)], r"\(1, 0, 8, 9, 9\) is no job; st.Job"),
        (WASTEFUL[:1], "no job waits"),
        ([st.Job(1, 0, 4, 9, 9), st.Job(2, 0, 8, 1, 1)], "4.00 nodes are idle"),
        (WASTEFUL[:2], "first fit takes 1.00"),
    ],
    "shortest-that-fits": [(st.policies.FirstFit(), "your policy starts job")],
    "patience": [
        (st.policies.FirstFit(), "the wide job 2 waits"),
        (st.policies.Fcfs(), "FCFS comes to"),
        (Patient(10_000), "the wide job 2 waits"),
    ],
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_answer_holds(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    check(name, RIGHT[name])
    assert capsys.readouterr().out == f"{name}: holds\n"


@pytest.mark.parametrize(
    "name, answer, message",
    [(name, answer, message) for name, cases in WRONG.items() for answer, message in cases],
)
def test_a_wrong_answer_is_shown_why(
    name: str, answer: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from shadowtime.coursework import Counterexample

    drawn: list[Counterexample] = []
    monkeypatch.setattr(Counterexample, "draw", lambda found: drawn.insert(0, found))
    with pytest.raises(CheckFailed, match=message) as failure:
        check(name, answer)
    if "on 8 nodes" in str(failure.value):
        assert len(drawn) == 1


def test_another_seed_is_another_problem() -> None:
    assert list(by_hand(1)) != list(by_hand(2))
    check("fifo-by-hand", st.simulate(by_hand(7), "fcfs").start, seed=7)
    with pytest.raises(CheckFailed):
        check("fifo-by-hand", st.simulate(by_hand(7), "fcfs").start, seed=8)


def test_a_counterexample_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    with pytest.raises(CheckFailed):
        check("shortest-that-fits", st.policies.FirstFit())
    assert plt.get_fignums()
    plt.close("all")


def test_an_unknown_exercise_is_refused() -> None:
    with pytest.raises(st.InputError, match="no exercise 'golf'; there are"):
        check("golf", None)
