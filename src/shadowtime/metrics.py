"""What a schedule is worth: waits, slowdowns, utilization.

Two measures go by the name of bounded slowdown. Here each has its own: *bounded slowdown* is that
of Feitelson and Rudolph, and the *wait ratio*, max(wait / runtime, 1), is the one that the page of
the published demo prints.

References
----------
D. G. Feitelson and L. Rudolph, "Metrics and Benchmarking for Parallel Job Scheduling", Job
Scheduling Strategies for Parallel Processing, LNCS 1459, 1998, doi:10.1007/BFb0053978.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor, fsum, inf
from typing import Any

from shadowtime.errors import InputError
from shadowtime.schedule import Schedule
from shadowtime.workload import Seconds


def bounded_slowdown(wait: Seconds, runtime: Seconds, tau: Seconds = 10) -> float:
    """Return max(1, response / max(runtime, tau)).

    Parameters
    ----------
    wait, runtime : int or float
        Of one job, in one unit.
    tau : int or float
        Runtimes below this count as this much, so that very short jobs do not rule the mean.

    Returns
    -------
    float

    Examples
    --------
    >>> bounded_slowdown(wait=90, runtime=5, tau=10)
    9.5
    """
    return max(1.0, (wait + runtime) / max(runtime, tau))


def wait_ratio(wait: Seconds, runtime: Seconds) -> float:
    """Return max(wait / runtime, 1); infinite for a job of zero runtime that waited.

    Parameters
    ----------
    wait, runtime : int or float
        Of one job, in one unit.

    Returns
    -------
    float

    Examples
    --------
    >>> wait_ratio(wait=60, runtime=20), wait_ratio(wait=0, runtime=20)
    (3.0, 1.0)
    """
    if runtime == 0:
        return inf if wait else 1.0
    return max(wait / runtime, 1.0)


def percentile(values: Iterable[float], percent: float) -> float:
    """Return a percentile of `values`, interpolated between neighbours.

    Parameters
    ----------
    values : iterable of numbers, shape (n,)
        At least one.
    percent : float
        From 0 to 100.

    Returns
    -------
    float

    Raises
    ------
    InputError
        If there are no values, or `percent` is none.

    Examples
    --------
    >>> percentile([10, 20, 30, 40], 50)
    25.0
    """
    ordered = sorted(values)
    if not ordered:
        raise InputError("there is no percentile of no values")
    if not 0 <= percent <= 100:
        raise InputError(f"percentile = {percent}; it lies between 0 and 100")
    place = (len(ordered) - 1) * percent / 100
    low, high = ordered[floor(place)], ordered[ceil(place)]
    return float(low + (high - low) * (place - floor(place)))


def _threshold(tau: Seconds) -> Seconds:
    if not tau > 0:
        raise InputError(f"tau = {tau}; it must be greater than 0")
    return tau


def _as_arrays(schedule: Schedule) -> bool:
    return schedule.arrays.keys() >= {"start", "end", "backfilled", "killed"}


def per_job(schedule: Schedule, tau: Seconds = 10) -> dict[str, list[Any]]:
    """Return the measures of every job.

    Parameters
    ----------
    schedule : Schedule
    tau : int or float
        Threshold of the bounded slowdown, in the workload's unit.

    Returns
    -------
    dict of str to list, each of shape (jobs,)
        ``wait``, ``runtime`` (time on the machine, shorter than the job's own if it was killed),
        ``response``, ``slowdown`` (None for zero runtime), ``bounded_slowdown``, ``wait_ratio``.
    """
    tau = _threshold(tau)
    wait = schedule.wait()
    runtime = [end - start for start, end in zip(schedule.start, schedule.end, strict=True)]
    both = list(zip(wait, runtime, strict=True))
    return {
        "wait": wait,
        "runtime": runtime,
        "response": [w + r for w, r in both],
        "slowdown": [(w + r) / r if r else None for w, r in both],
        "bounded_slowdown": [max(1.0, (w + r) / max(r, tau)) for w, r in both],
        "wait_ratio": [wait_ratio(w, r) for w, r in both],
    }


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def summary(schedule: Schedule, tau: Seconds = 10) -> dict[str, Any]:
    """Return the measures of a whole schedule.

    Parameters
    ----------
    schedule : Schedule
    tau : int or float
        Threshold of the bounded slowdown, in the workload's unit.

    Returns
    -------
    dict
        ``policy``, ``jobs``, ``nodes``; ``makespan`` (last end less first submit);
        ``utilization`` (busy node-time over nodes x makespan, 0 to 1); ``backfilled`` and
        ``killed`` (jobs); mean, median, 95th and 99th percentile and maximum of ``wait``; mean
        ``response``; mean and maximum of ``bounded_slowdown`` and of ``wait_ratio``;
        ``node_weighted_mean_wait`` (a job counts as often as it has nodes). The mean and maximum
        of the wait ratio leave out jobs of zero runtime, for which it is not defined. An empty
        workload has no means: they are None.
    """
    workload = schedule.workload
    facts: dict[str, Any] = {
        "policy": schedule.policy,
        "jobs": len(workload),
        "nodes": schedule.nodes,
    }
    if len(workload) and _as_arrays(schedule):
        from shadowtime.kernels import measures

        return facts | measures.summary(schedule, _threshold(tau))
    facts |= {
        "makespan": 0,
        "utilization": 0.0,
        "backfilled": sum(schedule.backfilled),
        "killed": sum(schedule.killed),
    }
    means = (
        "mean_wait", "median_wait", "p95_wait", "p99_wait", "max_wait", "mean_response",
        "mean_bounded_slowdown", "max_bounded_slowdown", "mean_wait_ratio", "max_wait_ratio",
        "node_weighted_mean_wait",
    )  # fmt: skip
    if not len(workload):
        return facts | dict.fromkeys(means)

    jobs = per_job(schedule, tau)
    wait, runtime, nodes = jobs["wait"], jobs["runtime"], workload.nodes
    makespan = max(schedule.end) - workload.submit[0]
    busy = sum(n * r for n, r in zip(nodes, runtime, strict=True))
    ratios = [ratio for ratio, r in zip(jobs["wait_ratio"], runtime, strict=True) if r]
    ordered = sorted(wait)
    values = (
        _mean(wait), percentile(ordered, 50), percentile(ordered, 95), percentile(ordered, 99),
        ordered[-1], _mean(jobs["response"]),
        _mean(jobs["bounded_slowdown"]), max(jobs["bounded_slowdown"]),
        _mean(ratios) if ratios else None, max(ratios, default=None),
        sum(n * w for n, w in zip(nodes, wait, strict=True)) / sum(nodes),
    )  # fmt: skip
    facts["makespan"] = makespan
    facts["utilization"] = busy / (schedule.nodes * makespan) if makespan else 0.0
    return facts | dict(zip(means, values, strict=True))


def size_class(nodes: int) -> tuple[int, int]:
    """Return the size class of a job: powers of two and what lies below each.

    Parameters
    ----------
    nodes : int

    Returns
    -------
    tuple of int and int
        The fewest and the most nodes of the class.

    Examples
    --------
    >>> size_class(1), size_class(6), size_class(8)
    ((1, 1), (5, 8), (5, 8))
    """
    high = 1 << (nodes - 1).bit_length()
    return high // 2 + 1, high


def by_size(schedule: Schedule, tau: Seconds = 10) -> list[dict[str, Any]]:
    """Return the measures per size class, narrow jobs first.

    Parameters
    ----------
    schedule : Schedule
    tau : int or float
        Threshold of the bounded slowdown, in the workload's unit.

    Returns
    -------
    list of dict
        For each class that has jobs: ``nodes`` (``"5-8"``), ``jobs``, ``share_of_jobs``,
        ``share_of_work`` (of the node-time), ``mean_wait``, ``max_wait``,
        ``mean_bounded_slowdown``, and ``relative_slowdown``: the class's mean bounded slowdown
        over that of all jobs, 1 where the policy treats the class like the rest.
    """
    if len(schedule.workload) and _as_arrays(schedule):
        from shadowtime.kernels import measures

        return measures.by_size(schedule, _threshold(tau))
    jobs = per_job(schedule, tau)
    nodes = schedule.workload.nodes
    work = [n * r for n, r in zip(nodes, jobs["runtime"], strict=True)]
    members: dict[tuple[int, int], list[int]] = {}
    for row, width in enumerate(nodes):
        members.setdefault(size_class(width), []).append(row)
    table = []
    for (low, high), rows in sorted(members.items()):
        slowdowns = [jobs["bounded_slowdown"][row] for row in rows]
        waits = [jobs["wait"][row] for row in rows]
        table.append(
            {
                "nodes": f"{low}-{high}" if low < high else f"{high}",
                "jobs": len(rows),
                "share_of_jobs": len(rows) / len(nodes),
                "share_of_work": sum(work[row] for row in rows) / (sum(work) or 1),
                "mean_wait": _mean(waits),
                "max_wait": max(waits),
                "mean_bounded_slowdown": _mean(slowdowns),
                "relative_slowdown": _mean(slowdowns) / _mean(jobs["bounded_slowdown"]),
            }
        )
    return table
