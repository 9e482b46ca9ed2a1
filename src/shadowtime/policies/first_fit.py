"""First fit: whatever fits starts, and no job is promised anything."""

from __future__ import annotations

from collections.abc import Iterator

from shadowtime.kernels import Twin
from shadowtime.policies.base import State, Stateless, Waiting
from shadowtime.schedule import Decision


class FirstFit(Stateless):
    """Start every job that fits, in queue order.

    It keeps nodes busy and starves wide jobs: narrow ones behind them go on taking the nodes that
    they would need together. It is here to be compared with.
    """

    name = "first-fit"
    twin = Twin("shadowtime.kernels.first_fit", worthwhile=20_000)

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        """Start what fits."""
        for job in state.queue:
            if job.nodes <= state.free:
                yield state.start(job, "fits")
            elif state.explain:
                yield state.wait(job, "too-wide")
            elif not state.free:
                return
