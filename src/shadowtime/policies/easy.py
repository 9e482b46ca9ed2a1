"""EASY backfilling: one reservation, for the head of the queue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Literal

from shadowtime.errors import InputError
from shadowtime.kernels import Twin
from shadowtime.policies.base import Running, State, Stateless, Waiting
from shadowtime.schedule import Decision
from shadowtime.workload import Seconds


def shadow_time(
    running: Sequence[Running], free: int, need: int, now: Seconds
) -> tuple[Seconds, int]:
    """Find when a blocked job can start, and what will then be left over.

    Parameters
    ----------
    running : sequence of Running
        By planned end; one that has passed counts as `now`.
    free : int
        Nodes free now, fewer than `need`.
    need : int
        Nodes that the blocked job needs, at most the machine's size.
    now : int or float

    Returns
    -------
    shadow : int or float
        The earliest instant at which planned ends leave `need` nodes free.
    extra : int
        Nodes free at the shadow time beyond `need`, with all releases of that instant counted.

    Examples
    --------
    >>> shadow_time([Running(40, 0, 4), Running(90, 1, 2)], free=2, need=6, now=0)
    (40, 0)
    """
    shadow = now
    enough = False
    for planned_end, _, nodes in running:
        if enough and planned_end > shadow:
            break
        free += nodes
        if free >= need and not enough:
            enough = True
            shadow = max(planned_end, now)
    return shadow, free - need


class Easy(Stateless):
    """Protect the head's reservation, and let any job behind it pass that keeps it.

    Parameters
    ----------
    order : {"queue", "shortest"}
        The order in which candidates for backfilling are tried: queue order, or shortest planned
        runtime first (SJBF), ties in queue order.

    References
    ----------
    A. W. Mu'alem and D. G. Feitelson, "Utilization, Predictability, Workloads, and User Runtime
    Estimates in Scheduling the IBM SP2 with Backfilling", IEEE Transactions on Parallel and
    Distributed Systems 12(6), 2001, doi:10.1109/71.932708.
    """

    twin = Twin("shadowtime.kernels.easy", worthwhile=20_000)

    def __init__(self, order: Literal["queue", "shortest"] = "queue") -> None:
        if order not in ("queue", "shortest"):
            raise InputError(f"order = {order!r}; EASY backfills in 'queue' or 'shortest' order")
        self.order = order
        self.name = "easy" if order == "queue" else "easy-sjbf"

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        """Start heads while they fit, reserve for the blocked head, then backfill."""
        queue, explain = state.queue, state.explain
        for place, head in enumerate(queue):  # noqa: B007 - the blocked head is used below
            if head.nodes > state.free:
                break
            yield state.start(head, "head-fits")
        else:
            return

        now = state.now
        shadow, extra = shadow_time(state.running, state.free, head.nodes, now)
        if explain or head.promise is None:
            yield state.wait(head, "head-reserved", shadow, extra, promise=shadow)

        free = state.free
        if not free and not explain:
            return
        candidates = queue[place + 1 :]
        if self.order == "shortest":
            candidates.sort(key=attrgetter("planned"))
        for job in candidates:
            if job.nodes > free:
                if explain:
                    yield state.wait(job, "too-wide")
            elif now + job.planned <= shadow:
                yield state.start(job, "ends-by-shadow", shadow, extra, protects=head)
                free = state.free
            elif job.nodes <= extra:
                yield state.start(job, "within-extra", shadow, extra, protects=head)
                free = state.free
                extra -= job.nodes
            elif explain:
                yield state.wait(job, "would-delay", shadow, extra, protects=head)
