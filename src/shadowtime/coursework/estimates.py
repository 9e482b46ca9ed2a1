"""Exercises of chapter 3, estimate error."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from random import Random

from shadowtime import estimates, traces
from shadowtime.coursework.framework import (
    Counterexample,
    Trials,
    exercise,
    fail,
    given,
    listed,
    workload,
)
from shadowtime.engine import simulate
from shadowtime.online import Last2, Predictor
from shadowtime.workload import Job, Seconds, Workload

USERS = ("ann", "bob", "cem")
LOG = 1500
"""Jobs of the teaching log on which predictors are compared."""
MARGIN = 0.05


@exercise("longest-claim")
def longest_claim(
    function: Callable[[int, Seconds, int, Seconds, int], Seconds | None], trials: Trials
) -> None:
    """Write ``function(nodes, now, free, shadow, extra)``: the longest claim that passes the head.

    None if no claim does; ``math.inf`` if every claim does.
    """
    random = trials.random
    for _ in range(trials.count):
        nodes, now, free = random.randint(1, 6), random.randint(0, 50), random.randint(0, 6)
        shadow, extra = now + random.choice((0, 1, 10, 30)), random.randint(0, 4)
        right: Seconds | None = shadow - now or None
        if nodes > free:
            right = None
        elif nodes <= extra:
            right = inf
        mine = function(nodes, now, free, shadow, extra)
        if mine != right:
            fail(
                f"nodes {nodes}, now {now}, free {free}, shadow {shadow}, extra {extra}: "
                f"your function returns {mine} instead of {right}"
            )


@exercise("broken-promise")
def broken_promise(jobs: Iterable[Job], trials: Trials) -> None:
    """Find at most three jobs of which EASY breaks a promise by 30 minutes, where jobs run on."""
    del trials
    found = listed(jobs, 3)
    schedule = simulate(found, "easy", overrun="extend")
    late = [
        start - promise
        for start, promise in zip(schedule.start, schedule.first_reservation, strict=True)
        if promise is not None
    ]
    if not late:
        raise Counterexample("no job was promised anything", found, schedule)
    if max(late) < 30:
        latest = max(0, *late)
        raise Counterexample(f"the latest job starts {latest} minutes late", found, schedule)


@exercise("worse-with-the-truth")
def worse_with_the_truth(jobs: Iterable[Job], trials: Trials) -> None:
    """Find at most six jobs that wait longer under EASY with exact claims than with doubled ones.

    On average; the claims that the jobs come with do not matter.
    """
    del trials
    found = estimates.exact(listed(jobs, 6))
    exact, doubled = simulate(found, "easy"), simulate(estimates.scale(found, 2), "easy")
    waits = sum(exact.wait()), sum(doubled.wait())
    if waits[0] <= waits[1]:
        raise Counterexample(
            f"all waits together are {waits[0]} with the truth, {waits[1]} with doubled claims",
            found,
            exact,
        )


@exercise("halving-correction")
def halving_correction(correct: Callable[[int, Seconds, Seconds], Seconds], trials: Trials) -> None:
    """Write ``correct(made, planned, requested)``.

    The first correction plans half of the request, or, if the plan was as long already, and each
    later one, halfway from the plan to the request. When less than one unit is left, it is the
    request.
    """
    random = trials.random
    for _ in range(trials.count):
        requested = random.randint(2, 200)
        planned: Seconds = random.randint(1, requested - 1)
        for made in range(12):
            half = requested / 2
            right = half if made == 0 and planned < half else (planned + requested) / 2
            if requested - right < 1:
                right = requested
            mine = given(correct(made, planned, requested))
            if abs(mine - right) > 1e-9:
                fail(
                    f"made {made}, planned {planned}, requested {requested}: your function returns "
                    f"{mine} instead of {right}"
                )
            if right == requested:
                break
            planned = right


@exercise("last-two")
def last_two(predictor: Predictor, trials: Trials) -> None:
    """Write a predictor that says what ``shadowtime.online.Last2`` says."""
    _refuse_other(predictor)
    random = Random(trials.seed)
    for trial in range(trials.count):
        jobs = workload(random, 1 + trial * 20 // trials.count)
        jobs = jobs.replace(
            user=[random.choice(USERS) for _ in range(len(jobs))],
            runtime=[random.choice((0, run, run)) for run in jobs.runtime],
        )
        mine, right = _Listener(predictor), _Listener(Last2())
        schedule = simulate(jobs, "easy", planned=mine, correction="request")
        simulate(jobs, "easy", planned=right, correction="request")
        for row, expected in right.said.items():
            if mine.said[row] != expected:
                user = jobs.extra["user"][row]
                raise Counterexample(
                    f"your predictor plans job {jobs.id[row]}, of {user}, with {mine.said[row]}, "
                    f"and not with {expected}; users are {list(jobs.extra['user'])}",
                    jobs,
                    schedule,
                )


def _refuse_other(answer: object) -> None:
    """Refuse what is no predictor."""
    if isinstance(answer, type):
        fail(f"{answer.__name__} is a class; the check takes an object of it, {answer.__name__}()")
    if not isinstance(answer, Predictor):
        fail("your predictor lacks one of renews, reset, predict and learn")


class _Listener:
    """Passes on what a predictor says, and keeps it; the runtimes of the log it keeps back."""

    renews = False

    def __init__(self, predictor: Predictor) -> None:
        self.predictor = predictor
        self.said: dict[int, Seconds] = {}

    def reset(self, jobs: Workload) -> None:
        self.predictor.reset(jobs.replace(runtime=jobs.estimate))

    def predict(self, row: int) -> Seconds:
        self.said[row] = self.predictor.predict(row)
        return self.said[row]

    def learn(self, row: int, ran: Seconds) -> None:
        self.predictor.learn(row, ran)


def accuracy(predictor: Predictor, jobs: Workload) -> float:
    """Return the mean of min(plan / runtime, runtime / plan), from 0 to 1.

    Under shortest-first backfilling, corrected to the request.
    """
    listener = _Listener(predictor)
    simulate(jobs, "easy-sjbf", planned=listener, correction="request")
    ratios = (listener.said[row] / max(run, 1) for row, run in enumerate(jobs.runtime))
    return sum(min(ratio, 1 / ratio) for ratio in ratios) / len(jobs)


@exercise("better-than-last2")
def better_than_last2(predictor: Predictor, trials: Trials) -> None:
    """Write a predictor that is more accurate than Last2 on the beginning of the teaching log.

    By :func:`accuracy`, and by five hundredths at least.
    """
    del trials
    _refuse_other(predictor)
    jobs = traces.load("teaching")[:LOG]
    mine, theirs = accuracy(predictor, jobs), accuracy(Last2(), jobs)
    if mine < theirs + MARGIN:
        fail(f"your accuracy is {mine:.3f}, that of Last2 {theirs:.3f}; beat it by {MARGIN}")
