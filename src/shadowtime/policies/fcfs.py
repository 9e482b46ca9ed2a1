"""First come, first served: nobody passes the head of the queue."""

from __future__ import annotations

from collections.abc import Iterator

from shadowtime.kernels import Twin
from shadowtime.policies.base import State, Stateless, Waiting
from shadowtime.schedule import Decision


class Fcfs(Stateless):
    """Start the head of the queue while it fits; stop at the first job that does not."""

    name = "fcfs"
    twin = Twin("shadowtime.kernels.fcfs", worthwhile=20_000)

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        """Start heads while they fit."""
        head = None
        for job in state.queue:
            if head is not None:
                yield state.wait(job, "behind-head", protects=head)
            elif job.nodes <= state.free:
                yield state.start(job, "head-fits")
            elif state.explain:
                head = job
                yield state.wait(job, "head-blocked")
            else:
                return
