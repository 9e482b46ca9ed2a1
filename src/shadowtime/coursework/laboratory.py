"""Exercises of chapter 5, the trace replay laboratory."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from random import Random

from shadowtime import traces
from shadowtime.coursework.framework import (
    CheckFailed,
    Counterexample,
    Trials,
    exercise,
    fail,
    given,
    heads_are_promised,
    promises_hold,
)
from shadowtime.engine import simulate
from shadowtime.errors import InputError
from shadowtime.policies import Policy
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, JobId, Workload

FACTORS = (0.5, 0.8, 1.0, 1.25, 2.0)

GAP = Workload.from_jobs(
    [Job(1, 0, 4, 30, 30), Job(2, 2, 8, 100, 100), Job(3, 20, 4, 20, 20)], machine_nodes=8
)
"""Under EASY the third job comes too late for the gap before the second, unless it comes faster."""


@exercise("load-factor")
def load_factor(function: Callable[[Workload, float], float], trials: Trials) -> None:
    """Write ``function(jobs, load)``: the factor for ``jobs.scale_load`` that offers `load`.

    The offered load is the work over what the machine can do from first to last submission.
    """
    random = trials.random
    for jobs in trials:
        span = jobs.submit[-1] - jobs.submit[0]
        if not span:
            continue
        load = random.choice((0.25, 0.5, 0.8, 1.0, 1.5))
        work = sum(job.nodes * job.runtime for job in jobs)
        right, mine = load * span * (jobs.machine_nodes or 0) / work, given(function(jobs, load))
        if abs(mine - right) > 1e-9 * right:
            raise Counterexample(
                f"for a load of {load} your function returns {mine:.4f} instead of {right:.4f}",
                jobs,
            )


@exercise("losers")
def losers(function: Callable[[Schedule, Schedule], Iterable[JobId]], trials: Trials) -> None:
    """Write ``function(before, after)``: ids of the jobs that wait longer in the second."""
    for jobs in trials:
        before, after = simulate(jobs, "fcfs"), simulate(jobs, "easy")
        for first, second in ((before, after), (after, before)):
            right = {
                job.id
                for job, early, late in zip(jobs, first.start, second.start, strict=True)
                if late > early
            }
            mine = set(given(function(first, second)))
            if mine != right:
                raise Counterexample(
                    f"from {first.policy} to {second.policy} your function returns "
                    f"{sorted(mine, key=str)} instead of {sorted(right, key=str)}",
                    jobs,
                    second,
                )


@exercise("replayable")
def replayable(function: Callable[[str], Sequence[int]], trials: Trials) -> None:
    """Write ``function(text)``: ids of the jobs of an SWF log that can be replayed, in file order.

    The machine has as many processors as ``MaxProcs`` says. A job's size is what it requested
    (field 8), or, where that is not above 0, what it was allocated (field 5). It needs a size that
    the machine has, a run time (field 4) of 0 or more, a requested time (field 9) above 0, and a
    line of 18 fields.
    """
    random = trials.random
    for _ in range(trials.count):
        text = _log(random)
        try:
            right = sorted(traces.read(io.StringIO(text), clean=True).id)
        except InputError:  # a log of which nothing is left
            right = []
        mine = list(given(function(text)))
        if mine != right:
            fail(f"your function returns {mine} instead of {right} for\n{text}")


def _log(random: Random) -> str:
    """Make a log of a few jobs, unsorted and with things missing."""
    lines = ["; Computer: a machine of eight", "; MaxProcs: 8"]
    for number in range(1, random.randint(2, 8)):
        size = random.choice((1, 2, 4, 8, 9))
        fields = [-1] * 18
        fields[0], fields[1] = number, random.randint(0, 50)
        fields[3] = random.choice((-1, 0, 5, 30, 60))
        fields[4] = random.choice((size, size, -1))
        fields[7] = random.choice((size, size, -1, 0))
        fields[8] = random.choice((60, 60, 60, -1, 0))
        kept = 18 if random.random() < 0.9 else random.randint(3, 17)
        lines.append(" ".join(map(str, fields[:kept])))
    return "\n".join(lines) + "\n"


Capacity = Callable[[Workload, str, Sequence[float], float], float | None]


@exercise("capacity")
def capacity(function: Capacity, trials: Trials) -> None:
    """Write ``function(jobs, policy, factors, limit)``: the greatest factor with a short wait.

    Of the load factors return the greatest at which the mean wait is at most `limit`; None if there
    is none. The factors are in no particular order.
    """
    random = trials.random
    _try_capacity(function, GAP, "easy", FACTORS, 20)
    for jobs in trials:
        factors = random.sample(FACTORS, len(FACTORS))
        policy, limit = random.choice(("fcfs", "easy")), random.choice((0, 5, 15, 40))
        _try_capacity(function, jobs, policy, factors, limit)


def _try_capacity(
    function: Capacity, jobs: Workload, policy: str, factors: Sequence[float], limit: float
) -> None:
    good = []
    for factor in factors:
        wait = simulate(jobs.scale_load(factor), policy).wait()
        if sum(wait) <= limit * len(wait):
            good.append(factor)
    right, mine = max(good, default=None), function(jobs, policy, factors, limit)
    if mine != right:
        raise Counterexample(
            f"under {policy} and for a limit of {limit} your function returns {mine} instead of "
            f"{right}; the factors are {list(factors)}",
            jobs,
        )


@exercise("better-than-easy")
def better_than_easy(policy: Policy, trials: Trials) -> None:
    """Write a policy that makes jobs wait less than EASY does, and keeps its promises.

    The policy is your own. On workloads with exact estimates no job starts after its first promise,
    and none is passed at the head of the queue without one. Over all workloads the waits come to
    less than under EASY.
    """
    if type(policy).__module__.startswith("shadowtime."):
        fail(f"{type(policy).__name__} is one of the package's policies; write your own")
    mine = easy = 0.0
    for jobs in trials:
        exact = jobs.replace(estimate=[max(1, runtime) for runtime in jobs.runtime])
        schedule = simulate(exact, policy)
        promises_hold(schedule)
        heads_are_promised(schedule)
        mine += sum(schedule.wait())
        easy += sum(simulate(exact, "easy").wait())
    if mine >= easy:
        raise CheckFailed(f"all waits together are {mine:.0f} minutes; EASY comes to {easy:.0f}")
