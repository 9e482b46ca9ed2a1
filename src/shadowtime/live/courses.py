"""Long schedules in few numbers, fast enough for a slider.

What :meth:`shadowtime.timeline.Timeline.buckets` and :func:`shadowtime.metrics.by_size` say in
full is more than a live figure draws. Here is that part in one walk over the jobs: in numpy where
the compiled engine made the schedule, in plain Python where numpy may not exist.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from math import fsum
from typing import Any

from shadowtime.metrics import size_class
from shadowtime.schedule import Schedule
from shadowtime.workload import Seconds

Bucket = dict[str, float]


def waits_by_size(schedule: Schedule) -> dict[tuple[int, int], tuple[float, int]]:
    """Return the mean wait and the number of jobs of each size class.

    Parameters
    ----------
    schedule : Schedule

    Returns
    -------
    dict of tuple of int to tuple of float and int
        By the fewest and the most nodes of the class, narrow classes first.

    Examples
    --------
    >>> from shadowtime import demo, simulate
    >>> waits_by_size(simulate(demo.workload(), "fcfs"))[5, 8]
    (142.5, 2)
    """
    sums: dict[int, tuple[float, int]]
    if "start" in schedule.arrays:
        sums = _sums_of_arrays(schedule)
    else:
        waits: dict[int, list[Seconds]] = {}
        for nodes, submit, start in zip(
            schedule.workload.nodes, schedule.workload.submit, schedule.start, strict=True
        ):
            waits.setdefault((nodes - 1).bit_length(), []).append(start - submit)
        sums = {key: (fsum(each), len(each)) for key, each in waits.items()}
    return {
        size_class(1 << key): (total / count, count) for key, (total, count) in sorted(sums.items())
    }


def buckets(schedule: Schedule, count: int) -> list[Bucket]:
    """Cut the time from first submit to last end into equal buckets.

    Parameters
    ----------
    schedule : Schedule
    count : int
        Buckets, 1 or more.

    Returns
    -------
    list of dict
        ``from`` and ``to`` in the workload's unit, ``busy_mean`` and ``queued_mean`` over the
        time of the bucket, and ``queued_max``. None where there are no jobs or no time passes.

    Examples
    --------
    >>> from shadowtime import demo, simulate
    >>> buckets(simulate(demo.workload(), "fcfs"), 35)[0]["busy_mean"]
    6.0
    """
    jobs = schedule.workload
    if not len(jobs):
        return []
    arrays = "start" in schedule.arrays
    first = jobs.submit[0]
    last = schedule.arrays["end"].max().item() if arrays else max(schedule.end)
    if last <= first:
        return []
    width = (last - first) / count
    edges = [first + width * place for place in range(count)] + [last]
    if arrays:
        busy, waited, most = _fill_from_arrays(schedule, edges)
    else:
        busy, waited, most = _fill(schedule, edges)
    return [
        {
            "from": edges[place],
            "to": edges[place + 1],
            "busy_mean": busy[place] / width,
            "queued_mean": waited[place] / width,
            "queued_max": most[place],
        }
        for place in range(count)
    ]


Filled = tuple[list[float], list[float], list[int]]


def _fill(schedule: Schedule, edges: list[float]) -> Filled:
    """Return node-time, job-time in the queue and the longest queue of each bucket."""
    submits, starts = schedule.workload.submit, sorted(schedule.start)
    begun = _integral(schedule.start, schedule.workload.nodes, edges)
    over = _integral(schedule.end, schedule.workload.nodes, edges)
    came = _integral(submits, None, edges)
    left = _integral(schedule.start, None, edges)
    busy = _steps([a - b for a, b in zip(begun, over, strict=True)])
    waited = _steps([a - b for a, b in zip(came, left, strict=True)])
    # The queue is longest after a submission, or where the bucket begins.
    most = [bisect_right(submits, edge) - bisect_right(starts, edge) for edge in edges[:-1]]
    first, width, last = edges[0], edges[1] - edges[0], len(most) - 1
    gone = 0
    for place, (submit, following) in enumerate(
        zip(submits, [*submits[1:], None], strict=True), start=1
    ):
        if submit == following:
            continue
        while gone < len(starts) and starts[gone] <= submit:
            gone += 1
        bucket = min(int((submit - first) / width), last)
        most[bucket] = max(most[bucket], place - gone)
    return busy, waited, most


def _integral(instants: Any, weights: Any, edges: list[float]) -> list[float]:
    """Return, up to each edge, the integral of a course that steps up at the instants."""
    first, width, last = edges[0], edges[1] - edges[0], len(edges) - 2
    height = [0.0] * (last + 1)
    moment = [0.0] * (last + 1)
    for instant, weight in zip(instants, weights or [1] * len(instants), strict=True):
        bucket = min(int((instant - first) / width), last)
        height[bucket] += weight
        moment[bucket] += weight * (instant - first)
    return _add_up(height, moment, edges)


def _add_up(height: Any, moment: Any, edges: list[float]) -> list[float]:
    total = [0.0]
    level = before = 0.0
    for up, moved, edge in zip(height, moment, edges[1:], strict=True):
        level += up
        before += moved
        total.append(level * (edge - edges[0]) - before)
    return total


def _steps(total: list[float]) -> list[float]:
    return [max(0.0, b - a) for a, b in pairwise(total)]


def _sums_of_arrays(schedule: Schedule) -> dict[int, tuple[float, int]]:
    import numpy as np

    nodes, submit = np.asarray(schedule.workload.nodes), np.asarray(schedule.workload.submit)
    classes = np.ceil(np.log2(np.arange(1, nodes.max() + 1))).astype(int)[nodes - 1]
    counts = np.bincount(classes)
    sums = np.bincount(classes, schedule.arrays["start"] - submit)
    return {key: (float(sums[key]), int(counts[key])) for key in np.flatnonzero(counts).tolist()}


def _fill_from_arrays(schedule: Schedule, edges: list[float]) -> Filled:
    import numpy as np

    submit, nodes = np.asarray(schedule.workload.submit), np.asarray(schedule.workload.nodes)
    start, end = schedule.arrays["start"], schedule.arrays["end"]
    first, width, size = edges[0], edges[1] - edges[0], len(edges) - 1

    def integral_of_nodes(instants: Any) -> Any:
        since = instants - first
        place = np.minimum((since / width).astype(np.int64), size - 1)
        height = np.bincount(place, nodes, size)
        return np.array(_add_up(height, np.bincount(place, nodes * since, size), edges))

    def integral_of_jobs(instants: Any) -> Any:
        before = np.searchsorted(instants, edges, "right")
        total = np.concatenate(([0], np.cumsum(instants - first)))
        return before * (np.array(edges) - first) - total[before]

    starts = np.sort(start, kind="stable")  # fast where most are in order
    busy = integral_of_nodes(start) - integral_of_nodes(end)
    waited = integral_of_jobs(submit) - integral_of_jobs(starts)
    # Of jobs that come together the last one finds the longest queue, so counting rows will do.
    after = np.arange(1, len(submit) + 1) - np.searchsorted(starts, submit, "right")
    most = np.searchsorted(submit, edges[:-1], "right") - np.searchsorted(
        starts, edges[:-1], "right"
    )
    bounds = np.searchsorted(submit, edges[:-1], "left")
    some = np.flatnonzero(np.diff(bounds, append=len(submit)))
    most[some] = np.maximum(most[some], np.maximum.reduceat(after, bounds[some]))
    return _steps(busy.tolist()), _steps(waited.tolist()), most.tolist()
