"""First come, first served: twin of :mod:`shadowtime.policies.fcfs`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shadowtime.kernels import machine
from shadowtime.kernels.columns import Columns, Outcome, unknown
from shadowtime.kernels.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from shadowtime.kernels.machine import Machine
    from shadowtime.policies.fcfs import Fcfs


def schedule(_policy: Fcfs, jobs: Columns, nodes: int, _correction: int) -> Outcome:
    """Schedule first come, first served; no planned runtime matters."""
    outcome = unknown(jobs)
    fcfs(jobs, machine.empty(jobs, nodes), nodes, outcome.start)
    return outcome


@kernel
def fcfs(jobs: Columns, running: Machine, nodes: int, start: NDArray[Any]) -> None:
    """Start each job when those before it have started and its nodes are free.

    Starts are in queue order, so there is no queue to keep: one job after the other waits for as
    many completions as it needs. O(log running jobs) a job.
    """
    count, free = 0, nodes
    now = jobs.submit[0]
    for row in range(start.size):
        now = max(now, jobs.submit[row])
        while count and (running.end[0] <= now or free < jobs.size[row]):
            now = max(now, running.end[0])
            free += jobs.size[machine.pop(running.end, running.row, count)]
            count -= 1
        start[row] = now
        free -= jobs.size[row]
        machine.push(running.end, running.row, count, now + jobs.length[row], row)
        count += 1
