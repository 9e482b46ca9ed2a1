"""Exercises of chapter 1, FIFO blocking."""

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
from shadowtime.metrics import bounded_slowdown
from shadowtime.policies import Policy
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, Seconds, Workload


def by_hand(seed: int = 0) -> Workload:
    """Return the five jobs of the exercise ``fifo-by-hand``; another seed, other jobs."""
    return workload(Random(seed), 5, exact=True)


@exercise("fifo-by-hand")
def fifo_by_hand(starts: Sequence[Seconds], trials: Trials) -> None:
    """Give the five starts that FCFS comes to."""
    jobs = by_hand(trials.seed)
    if len(starts) != len(jobs):
        fail(f"there are {len(jobs)} jobs, and your answer has {len(starts)} starts")
    right = simulate(jobs, "fcfs").start
    for row, (job, mine) in enumerate(zip(jobs, starts, strict=True)):
        # The drawing of the schedule would be the answer.
        if mine < job.submit:
            fail(f"job {job.id} cannot start at {mine}: it is not there yet")
        if mine < max(right[:row], default=mine):
            ahead = next(jobs.id[other] for other in range(row) if right[other] > mine)
            fail(f"job {job.id} cannot start at {mine}: job {ahead}, ahead of it, still waits")
        if mine < right[row]:
            fail(f"job {job.id} cannot start at {mine}: not enough nodes are free then")
        if mine > right[row]:
            fail(f"job {job.id} can start before {mine}")


@exercise("slowdown")
def slowdown(function: Callable[[Seconds, Seconds, Seconds], float], trials: Trials) -> None:
    """Write ``function(wait, runtime, tau)``: the bounded slowdown of one job."""
    random = trials.random
    for _ in range(trials.count):
        wait, runtime, tau = random.randint(0, 100), random.randint(0, 40), random.randint(1, 20)
        right = bounded_slowdown(wait, runtime, tau)
        mine = given(function(wait, runtime, tau))
        if abs(mine - right) > 1e-9:
            fail(
                f"wait {wait}, runtime {runtime}, tau {tau}: your function returns {mine} "
                f"instead of {right}"
            )


@exercise("idle-node-time")
def idle_node_time(function: Callable[[Schedule], Seconds], trials: Trials) -> None:
    """Write ``function(schedule)``: node-time that stands idle while at least one job waits."""
    for jobs in trials:
        schedule = simulate(jobs, "fcfs")
        right, mine = schedule.timeline().idle_while_waiting(), given(function(schedule))
        if mine != right:
            raise Counterexample(f"your function counts {mine}, there are {right}", jobs, schedule)


@exercise("wasteful")
def wasteful(jobs: Iterable[Job], trials: Trials) -> None:
    """Find at most five jobs for eight nodes of which FCFS wastes the most.

    While a job waits, on average six nodes or more of the eight stand idle, and first fit ends in
    at most six tenths of the time.
    """
    del trials
    found = listed(jobs)
    fcfs, first_fit = simulate(found, "fcfs"), simulate(found, "first-fit")
    line = fcfs.timeline()
    waited = sum(
        end - begin
        for queued, begin, end in zip(line.queued, line.time, line.time[1:], strict=False)
        if queued
    )
    if not waited:
        raise Counterexample("no job waits under FCFS", found, fcfs)
    idle = line.idle_while_waiting() / waited
    if idle < 6:
        raise Counterexample(f"while a job waits, {idle:.2f} nodes are idle", found, fcfs)
    ratio = max(first_fit.end) / max(fcfs.end)
    if ratio > 0.6:
        raise Counterexample(f"first fit takes {ratio:.2f} of the time of FCFS", found, fcfs)


@exercise("shortest-that-fits")
def shortest_that_fits(policy: Policy, trials: Trials) -> None:
    """Write a policy: of the jobs that fit, the shortest planned starts, until none fits.

    Ties are broken in queue order.
    """
    for jobs in trials:
        schedule = simulate(jobs, policy)
        right = _shortest_that_fits(jobs)
        for job, mine, start in zip(jobs, schedule.start, right, strict=True):
            if mine != start:
                raise Counterexample(
                    f"your policy starts job {job.id} at {mine}, and not at {start}", jobs, schedule
                )


def _shortest_that_fits(jobs: Workload) -> list[Seconds]:
    """Return the starts, from instant to instant and without the engine."""
    starts: dict[int, Seconds] = {}
    ends: list[tuple[Seconds, int]] = []
    instants = set(jobs.submit)
    while len(starts) < len(jobs):
        now = min(instants)
        instants.remove(now)
        while True:
            free = NODES - sum(nodes for end, nodes in ends if end > now)
            fitting = [
                (job.estimate, row)
                for row, job in enumerate(jobs)
                if row not in starts and job.submit <= now and job.nodes <= free
            ]
            if not fitting:
                break
            row = min(fitting)[1]
            starts[row] = now
            ends.append((now + jobs.runtime[row], jobs.nodes[row]))
            instants.add(now + jobs.runtime[row])
    return [starts[row] for row in range(len(jobs))]


@exercise("patience")
def patience(policy: Policy, trials: Trials) -> None:
    """Write a policy without reservations under which no job starves, and gaps are filled.

    Streams of up to 60 narrow jobs come behind a wide one of eight nodes: it waits at most 120
    minutes, however long the stream. On random workloads the mean wait, over all of them, is
    below that of FCFS.
    """
    for count in (5, 20, 60):
        jobs = [Job(1, 0, 4, 30, 30), Job(2, 1, 8, 20, 20)]
        jobs += [Job(3 + n, 2 + 15 * n, 4, 30, 30) for n in range(count)]
        stream = Workload.from_jobs(jobs, machine_nodes=NODES)
        schedule = simulate(stream, policy)
        if schedule.wait()[1] > 120:
            wait = schedule.wait()[1]
            raise Counterexample(
                f"with {count} narrow jobs behind it the wide job 2 waits {wait} minutes",
                stream,
                schedule,
            )
    mine = fcfs = 0.0
    for jobs_ in trials:
        mine += sum(simulate(jobs_, policy).wait())
        fcfs += sum(simulate(jobs_, "fcfs").wait())
    if mine >= fcfs:
        fail(f"all waits together are {mine:.0f} minutes; FCFS comes to {fcfs:.0f}")
