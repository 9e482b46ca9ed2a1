"""The measures of a schedule that is held as arrays: twin of :mod:`shadowtime.metrics`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from shadowtime.schedule import Schedule
    from shadowtime.workload import Seconds


def summary(schedule: Schedule, tau: Seconds) -> dict[str, Any]:
    """Return what :func:`shadowtime.metrics.summary` measures, up to rounding of the last digits.

    Parameters
    ----------
    schedule : Schedule
        With at least one job and all columns as arrays.
    tau : int or float
        Threshold of the bounded slowdown, in the workload's unit.

    Returns
    -------
    dict
        All keys but ``policy``, ``jobs`` and ``nodes``.
    """
    held = schedule.arrays
    end = held["end"]
    submit, nodes, wait, runtime = _columns(schedule)
    response = wait + runtime
    makespan = (end.max() - submit[0]).item()
    slowdown = _bounded_slowdown(wait, runtime, tau)
    ran = runtime > 0
    ratio = np.maximum(1.0, wait[ran] / runtime[ran])
    median, p95, p99 = _percentiles(wait, (50, 95, 99))
    return {
        "makespan": makespan,
        "utilization": _dot(nodes, runtime) / (schedule.nodes * makespan) if makespan else 0.0,
        "backfilled": int(held["backfilled"].sum()),
        "killed": int(held["killed"].sum()),
        "mean_wait": float(wait.mean()),
        "median_wait": median,
        "p95_wait": p95,
        "p99_wait": p99,
        "max_wait": wait.max().item(),
        "mean_response": float(response.mean()),
        "mean_bounded_slowdown": float(slowdown.mean()),
        "max_bounded_slowdown": float(slowdown.max()),
        "mean_wait_ratio": float(ratio.mean()) if ratio.size else None,
        "max_wait_ratio": float(ratio.max()) if ratio.size else None,
        "node_weighted_mean_wait": _dot(nodes, wait) / int(nodes.sum()),
    }


def by_size(schedule: Schedule, tau: Seconds) -> list[dict[str, Any]]:
    """Return what :func:`shadowtime.metrics.by_size` measures, up to rounding.

    Parameters
    ----------
    schedule : Schedule
        With at least one job and all columns as arrays.
    tau : int or float
        Threshold of the bounded slowdown, in the workload's unit.
    """
    _, nodes, wait, runtime = _columns(schedule)
    slowdown = _bounded_slowdown(wait, runtime, tau)
    work = nodes.astype(np.float64) * runtime
    kind = np.frexp(nodes - 1)[1]  # the bit length
    jobs = np.bincount(kind)
    waits, works, slowdowns = (
        np.bincount(kind, weights=column) for column in (wait, work, slowdown)
    )
    longest = np.full(jobs.size, wait.min())
    np.maximum.at(longest, kind, wait)
    table = []
    for place in np.flatnonzero(jobs).tolist():
        high = 1 << place
        low = high // 2 + 1
        mean = float(slowdowns[place] / jobs[place])
        table.append(
            {
                "nodes": f"{low}-{high}" if low < high else f"{high}",
                "jobs": int(jobs[place]),
                "share_of_jobs": float(jobs[place] / nodes.size),
                "share_of_work": float(works[place] / (works.sum() or 1)),
                "mean_wait": float(waits[place] / jobs[place]),
                "max_wait": longest[place].item(),
                "mean_bounded_slowdown": mean,
                "relative_slowdown": mean / float(slowdown.mean()),
            }
        )
    return table


def _columns(schedule: Schedule) -> tuple[Any, Any, Any, Any]:
    """Return submit, nodes, wait and time on the machine, each of shape (jobs,)."""
    start, end = schedule.arrays["start"], schedule.arrays["end"]
    submit, nodes = np.asarray(schedule.workload.submit), np.asarray(schedule.workload.nodes)
    return submit, nodes, start - submit, end - start


def _bounded_slowdown(wait: Any, runtime: Any, tau: Seconds) -> Any:
    return np.maximum(1.0, (wait + runtime) / np.maximum(runtime, tau))


def _dot(nodes: Any, times: Any) -> float:
    """Return the sum of nodes x time; a product of whole numbers may be too large for int64."""
    return float((nodes.astype(np.float64) * times).sum())


def _percentiles(values: Any, percents: tuple[int, ...]) -> list[float]:
    places = [(values.size - 1) * percent / 100 for percent in percents]
    around = sorted({index for place in places for index in (int(place), int(np.ceil(place)))})
    ordered = np.partition(values, around)
    found = []
    for place in places:
        low, high = ordered[int(place)].item(), ordered[int(np.ceil(place))].item()
        found.append(float(low + (high - low) * (place - int(place))))
    return found
