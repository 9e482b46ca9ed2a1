"""First fit: twin of :mod:`shadowtime.policies.first_fit`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.kernels import machine, waiting
from shadowtime.kernels.columns import Columns, Outcome, unknown
from shadowtime.kernels.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from shadowtime.kernels.machine import Machine
    from shadowtime.kernels.waiting import Queue
    from shadowtime.policies.first_fit import FirstFit


def schedule(_policy: FirstFit, jobs: Columns, nodes: int, _correction: int) -> Outcome:
    """Schedule by first fit; no planned runtime matters."""
    outcome = unknown(jobs)
    started = np.zeros(jobs.size.size, np.bool_)
    queue, running = waiting.empty(jobs), machine.empty(jobs, nodes)
    first_fit(jobs, queue, running, nodes, started, outcome.start, outcome.backfilled)
    return outcome


@kernel
def first_fit(
    jobs: Columns,
    queue: Queue,
    running: Machine,
    nodes: int,
    started: NDArray[Any],
    start: NDArray[Any],
    backfilled: NDArray[Any],
) -> None:
    """Start whatever fits, in queue order.

    Whoever waits after a pass does not fit, so until nodes come free only a new job is looked at.
    A job costs O(log running jobs) for its completion and O(log jobs) for its way through the
    queue; a pass after a completion costs the search for the jobs that fit.
    """
    submit, size, length = jobs.submit, jobs.size, jobs.length
    count, free = 0, nodes
    head = arrivals = 0

    while True:
        now = submit[arrivals]
        if count and running.end[0] < now:
            now = running.end[0]
        if now == jobs.never:
            break

        searched = False
        while count and running.end[0] == now:
            free += size[machine.pop(running.end, running.row, count)]
            count -= 1
            searched = True
        new = arrivals
        while submit[arrivals] == now:
            arrivals += 1

        row = -1
        if not searched and arrivals - new == 1:
            if size[new] <= free:
                row = new
            else:
                waiting.enter(queue, new)
        else:
            searched = True
            for row in range(new, arrivals):
                waiting.enter(queue, row)
            waiting.begin(queue)
            row = waiting.take(queue, free, free, now, now)
        while row >= 0:
            start[row] = now
            started[row] = True
            backfilled[row] = row > head
            free -= size[row]
            machine.push(running.end, running.row, count, now + length[row], row)
            count += 1
            while head < arrivals and started[head]:
                head += 1
            row = waiting.take(queue, free, free, now, now) if searched else -1
