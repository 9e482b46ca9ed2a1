"""Busy nodes and queue length over time, and how to draw a year of them without lying."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from shadowtime.errors import InputError
from shadowtime.workload import Seconds

if TYPE_CHECKING:
    import pandas as pd

    from shadowtime.schedule import Schedule

SERIES = ("busy", "free", "queued")


@dataclass(frozen=True)
class Timeline:
    """What went on between the first submit and the last end of a schedule, step by step.

    Attributes
    ----------
    nodes : int
        Nodes of the machine.
    time : sequence, shape (steps + 1,)
        Step i lasts from ``time[i]`` to ``time[i + 1]``; the workload's unit.
    busy, free : sequence of int, shape (steps,)
        Nodes that jobs hold during the step, and the rest of the machine.
    queued : sequence of int, shape (steps,)
        Jobs that wait during the step.
    """

    nodes: int
    time: Sequence[Seconds]
    busy: Sequence[int]
    free: Sequence[int]
    queued: Sequence[int]

    def __len__(self) -> int:
        return len(self.busy)

    def idle_while_waiting(self) -> Seconds:
        """Return the node-time that stood idle while at least one job waited."""
        steps = zip(self.free, self.queued, pairwise(self.time), strict=True)
        return sum(free * (end - begin) for free, queued, (begin, end) in steps if queued)

    def buckets(self, count: int) -> list[dict[str, Any]]:
        """Cut the time into equal buckets, each with its extremes.

        Parameters
        ----------
        count : int
            Buckets to make, 1 or more.

        Returns
        -------
        list of dict
            ``from``, ``to``, and for each of ``busy``, ``free`` and ``queued`` the least value
            (``busy_min``), the greatest (``busy_max``) and the mean over time (``busy_mean``).
            No peak and no trough is lost, however few buckets there are.

        Raises
        ------
        InputError
            If `count` is less than 1.
        """
        if count < 1:
            raise InputError(f"buckets = {count}; it takes 1 or more")
        if not len(self):
            return []
        first, last = self.time[0], self.time[-1]
        edges = [first + (last - first) * i / count for i in range(count)] + [last]
        return list(self._fill(edges))

    def _fill(self, edges: Sequence[Seconds]) -> Iterator[dict[str, Any]]:
        step = 0
        series = [(name, getattr(self, name)) for name in SERIES]
        for begin, end in pairwise(edges):
            while self.time[step + 1] <= begin:
                step += 1
            inside = [step]
            while inside[-1] + 1 < len(self) and self.time[inside[-1] + 1] < end:
                inside.append(inside[-1] + 1)
            lasts = [min(self.time[i + 1], end) - max(self.time[i], begin) for i in inside]
            row: dict[str, Any] = {"from": begin, "to": end}
            for name, values in series:
                seen = [values[i] for i in inside]
                row[f"{name}_min"], row[f"{name}_max"] = min(seen), max(seen)
                weighted = sum(value * last for value, last in zip(seen, lasts, strict=True))
                row[f"{name}_mean"] = weighted / (end - begin)
            yield row

    def to_frame(self) -> pd.DataFrame:
        """Return one row a step: ``from``, ``to``, ``busy``, ``free``, ``queued``."""
        import pandas as pd

        return pd.DataFrame(
            {
                "from": list(self.time[:-1]),
                "to": list(self.time[1:]),
                **{name: list(getattr(self, name)) for name in SERIES},
            }
        )


def timeline(schedule: Schedule) -> Timeline:
    """Follow a schedule from its first submit to its last end.

    Parameters
    ----------
    schedule : Schedule

    Returns
    -------
    Timeline
        With a step from each instant at which something happened to the next.

    Examples
    --------
    >>> from shadowtime import demo, simulate
    >>> line = timeline(simulate(demo.workload(), "fcfs"))
    >>> line.time[:4], line.busy[:3], line.queued[:3]
    ([0, 5, 10, 20], [6, 6, 6], [0, 1, 3])
    """
    jobs = schedule.workload
    changes: list[tuple[Seconds, int, int]] = []
    for submit, start, end, nodes in zip(
        jobs.submit, schedule.start, schedule.end, jobs.nodes, strict=True
    ):
        changes += ((submit, 0, 1), (start, nodes, -1), (end, -nodes, 0))
    changes.sort(key=itemgetter(0))
    time, busy, queued = list[Seconds](), list[int](), list[int]()
    nodes_now = jobs_now = 0
    for instant, group in groupby(changes, key=itemgetter(0)):
        for _, nodes, job in group:
            nodes_now += nodes
            jobs_now += job
        time.append(instant)
        busy.append(nodes_now)
        queued.append(jobs_now)
    free = [schedule.nodes - nodes for nodes in busy]
    return Timeline(schedule.nodes, time, busy[:-1], free[:-1], queued[:-1])
