"""EASY backfilling: twin of :mod:`shadowtime.policies.easy`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.kernels import machine, waiting
from shadowtime.kernels.columns import Columns, Outcome, unknown
from shadowtime.kernels.corrections import NONE
from shadowtime.kernels.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from shadowtime.kernels.machine import Machine
    from shadowtime.kernels.waiting import Queue
    from shadowtime.policies.easy import Easy


def schedule(policy: Easy, jobs: Columns, nodes: int, correction: int) -> Outcome | None:
    """Schedule by EASY, candidates in queue order or shortest first."""
    outcome = unknown(jobs)
    started = np.zeros(jobs.size.size, np.bool_)
    queue = waiting.empty(jobs, shortest=policy.order == "shortest")
    running = machine.empty(jobs, nodes, corrections=correction != NONE)
    done = easy(jobs, queue, running, nodes, correction, started, outcome)
    return outcome if done else None


@kernel
def easy(
    jobs: Columns,
    queue: Queue,
    running: Machine,
    nodes: int,
    correction: int,
    started: NDArray[Any],
    outcome: Outcome,
) -> bool:
    """Protect the head's reservation, and let any job behind it pass that keeps it.

    The shadow time is found anew only if the head is a new one, a job ended before its planned
    end, or planned ends have moved. The queue is searched only if that happened or nodes came
    free; otherwise whoever waited must go on waiting, and only a new job is looked at.

    A job costs O(log running jobs) for its completion, O(those planned to end sooner) for its
    place among the running jobs, O(those planned to end by the shadow time) for each new shadow
    time, and O(log jobs) for its way through the queue. A search of a deep queue costs O(log jobs)
    for each class of size that fits and each candidate found; only in the one class of which some
    jobs fit and some do not can it cost more.

    Returns whether all went well: False if a correction did not raise a planned runtime.
    """
    submit, size, plan, length = jobs.submit, jobs.size, jobs.plan, jobs.length
    start = outcome.start
    count, free = 0, nodes
    head = arrivals = 0
    reserved = -1
    shadow, extra = submit[0], 0

    while True:
        now = submit[arrivals]
        if count and running.end[0] < now:
            now = running.end[0]
        if now == jobs.never:
            return True

        freed = early = False
        while count and running.end[0] == now:
            row = machine.finish(running, count)
            count -= 1
            free += size[row]
            freed = True
            early |= running.until[row] > now
        new = arrivals
        while submit[arrivals] == now:
            arrivals += 1
        if head == arrivals:
            continue
        if correction != NONE:
            raised = machine.correct(running, count, start, jobs.estimate, correction, now)
            if raised < 0:
                return False
            early |= raised > 0

        while head < arrivals and size[head] <= free:
            if head < new:
                waiting.leave(queue, head)
            start[head] = now
            machine.begin(running, count, head, now + length[head], now + plan[head])
            count += 1
            free -= size[head]
            head += 1
            while head < arrivals and started[head]:
                head += 1
        if head == arrivals:
            continue

        if head != reserved or early or shadow < now:
            shadow, extra = machine.shadow_time(running, count, size, free, size[head], now)
            freed = True
            reserved = head
            if not outcome.promised[head]:
                outcome.promised[head] = True
                outcome.promise[head] = shadow

        row = -1
        if not freed and arrivals - new == 1:
            if size[new] <= free and (now + plan[new] <= shadow or size[new] <= extra):
                row = new
            else:
                waiting.enter(queue, new)
        else:
            freed = True
            for row in range(max(new, head), arrivals):
                waiting.enter(queue, row)
            waiting.begin(queue)
            row = waiting.take(queue, free, extra, now, shadow)
        while row >= 0:
            start[row] = now
            started[row] = outcome.backfilled[row] = True
            machine.begin(running, count, row, now + length[row], now + plan[row])
            count += 1
            free -= size[row]
            if now + plan[row] > shadow:
                extra -= size[row]
            row = waiting.take(queue, free, extra, now, shadow) if freed else -1
