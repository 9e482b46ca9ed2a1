"""Exercises of chapter 2, reservations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from shadowtime.coursework.framework import (
    NODES,
    Counterexample,
    Trials,
    exercise,
    fail,
    given,
    listed,
    workload,
)
from shadowtime.engine import simulate
from shadowtime.errors import JobDoesNotFit
from shadowtime.policies import Policy, Running
from shadowtime.policies.easy import shadow_time
from shadowtime.profile import Profile
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, Seconds, Workload

Window = Callable[[int, Seconds, Seconds, int, Seconds, int], bool]
Shadow = Callable[[Sequence[tuple[Seconds, int]], int, int, Seconds], tuple[Seconds, int]]
Earliest = Callable[[Sequence[tuple[Seconds, int]], int, Seconds], Seconds]


@exercise("window")
def window(function: Window, trials: Trials) -> None:
    """Write ``function(nodes, planned, now, free, shadow, extra)``: whether the job may pass."""
    random = trials.random
    for _ in range(trials.count):
        nodes, planned, now = random.randint(1, 6), random.randint(1, 40), random.randint(0, 50)
        free, extra = random.randint(0, 6), random.randint(0, 4)
        # Many a job would end at the shadow time, or within a minute of it.
        shadow = max(now + planned + random.choice((-15, -1, 0, 0, 1, 15)), now + 1)
        right = nodes <= free and (now + planned <= shadow or nodes <= extra)
        if bool(given(function(nodes, planned, now, free, shadow, extra))) is not right:
            fail(
                f"nodes {nodes}, planned {planned}, now {now}, free {free}, shadow {shadow}, "
                f"extra {extra}: the job {'may' if right else 'may not'} start"
            )


@exercise("shadow")
def shadow(function: Shadow, trials: Trials) -> None:
    """Write ``function(running, free, need, now)``: shadow time and extra nodes.

    `running` lists the planned end and the nodes of each running job, in any order.
    """
    random = trials.random
    for _ in range(trials.count):
        now = random.randint(0, 20)
        table, left = [], NODES
        while left > random.randint(0, NODES - 1):
            nodes = random.randint(1, left)
            # Ends often coincide, and some have passed.
            table.append((now + random.choice((-3, 5, 5, 10, 20)), nodes))
            left -= nodes
        if left == NODES:
            continue
        need = random.randint(left + 1, NODES)
        running = sorted(Running(end, row, nodes) for row, (end, nodes) in enumerate(table))
        right = shadow_time(running, left, need, now)
        mine = given(function(list(table), left, need, now))
        if not isinstance(mine, Sequence) or tuple(mine) != right:
            fail(
                f"running {table}, free {left}, need {need}, now {now}: your function returns "
                f"{mine} instead of {right}"
            )


@exercise("profile")
def profile(function: Earliest, trials: Trials) -> None:
    """Write ``function(steps, nodes, duration)``: the earliest start in a profile.

    `steps` lists the beginning and the free nodes of each step; the last lasts for ever.
    """
    random = trials.random
    for _ in range(trials.count):
        free = Profile(NODES)
        for _ in range(random.randint(0, 6)):
            nodes, length = random.randint(1, NODES), random.randint(1, 15)
            start = free.earliest(nodes, length, random.randint(0, 20))
            free.reserve(start, start + length, nodes)
        nodes, duration = random.randint(1, NODES), random.randint(1, 20)
        right, mine = free.earliest(nodes, duration), function(list(free), nodes, duration)
        if mine != right:
            fail(
                f"{list(free)}, {nodes} nodes for {duration}: your function returns {mine} "
                f"instead of {right}"
            )


@exercise("later-than-fcfs")
def later_than_fcfs(jobs: Iterable[Job], trials: Trials) -> None:
    """Find at most five jobs of which EASY starts one later than FCFS, within its promise."""
    del trials
    found = listed(jobs)
    easy, fcfs = simulate(found, "easy"), simulate(found, "fcfs")
    for row, promise in enumerate(easy.first_reservation):
        if promise is not None and fcfs.start[row] < easy.start[row] <= promise:
            return
    raise Counterexample("EASY starts no promised job later than FCFS", found, easy)


@exercise("passed-over")
def passed_over(jobs: Iterable[Job], trials: Trials) -> None:
    """Find at most five jobs, estimates exact, of which one suffers from EASY.

    It waits under EASY at least three times as long as under conservative backfilling.
    """
    del trials
    found = listed(jobs)
    if list(found.estimate) != list(found.runtime):
        raise Counterexample("estimates are not the runtimes", found)
    easy, conservative = simulate(found, "easy"), simulate(found, "conservative")
    waits = list(zip(easy.wait(), conservative.wait(), strict=True))
    if not any(theirs > 0 and ours >= 3 * theirs for ours, theirs in waits):
        raise Counterexample(
            f"waits under EASY and conservative backfilling are {waits}", found, easy
        )


@exercise("depth")
def depth(make: Callable[[int], Policy], trials: Trials) -> None:
    """Write ``make(k)``, a policy in which the first `k` jobs that do not fit hold a reservation.

    The plan is made anew in every pass. With one reservation it is EASY, also where jobs run longer
    than planned; with as many as there are jobs, and exact estimates, conservative backfilling.
    """
    random = Random(trials.seed)
    for trial in range(trials.count):
        jobs = workload(random, 1 + trial * 20 // trials.count, exact=trial % 2 == 1)
        _same(jobs, simulate(jobs, given(make(1))), simulate(jobs, "easy"), "make(1)", "EASY")
        if trial % 2 == 1:
            deep, right = simulate(jobs, make(len(jobs))), simulate(jobs, "conservative")
            _same(jobs, deep, right, f"make({len(jobs)})", "conservative backfilling")
        else:
            short = jobs.replace(estimate=[max(1, estimate // 4) for estimate in jobs.estimate])
            try:
                late = simulate(short, make(1), overrun="extend")
            except JobDoesNotFit as error:
                raise Counterexample(
                    f"where jobs run longer than planned: {error}", short
                ) from None
            right = simulate(short, "easy", overrun="extend")
            _same(short, late, right, "where jobs run longer than planned, make(1)", "EASY")


def _same(jobs: Workload, mine: Schedule, right: Schedule, name: str, rule: str) -> None:
    for job, start, expected in zip(jobs, mine.start, right.start, strict=True):
        if start != expected:
            raise Counterexample(
                f"{name} starts job {job.id} at {start}, {rule} at {expected}", jobs, mine
            )
