"""Hybrid routing: large requests are planned as requested, the rest as predicted.

What a job will use is unknown when it is submitted; what it asks for, nodes times requested time,
is a proxy for it. Within each queue and year the jobs above a percentile of that proxy are planned
with the user's request, which is rarely too short, and all others with the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.errors import InputError
from shadowtime.partitions import partitions
from shadowtime.workload import Workload

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike, NDArray

BY = ("queue", "year")
"""The columns that the study cuts a log by."""


def proxy_cost(workload: Workload) -> NDArray[np.float64]:
    """Return nodes times requested time of each job, shape (jobs,): known at submission."""
    nodes = np.asarray(workload.nodes, dtype=np.float64)
    return nodes * np.asarray(workload.estimate, dtype=np.float64)


def usage(workload: Workload) -> NDArray[np.float64]:
    """Return nodes times runtime of each job, shape (jobs,): known in the end."""
    nodes = np.asarray(workload.nodes, dtype=np.float64)
    return nodes * np.asarray(workload.runtime, dtype=np.float64)


def above(values: ArrayLike, percentile: float) -> NDArray[np.bool_]:
    """Tell which values lie above a percentile of all of them, shape (jobs,).

    Parameters
    ----------
    values : array_like, shape (jobs,)
    percentile : float
        From 0 to 100, interpolated between neighbours. Values equal to it are not above it, so
        where many requests are alike fewer than 10 % of the jobs lie above the 90th percentile.
        Below the 0th percentile lies nothing: 0 takes all values.

    Raises
    ------
    InputError
        If the percentile does not lie between 0 and 100.

    Examples
    --------
    >>> above([10, 20, 30, 40, 50], 75).tolist()
    [False, False, False, False, True]
    """
    if not 0 <= percentile <= 100:
        raise InputError(f"percentile = {percentile}; it lies between 0 and 100")
    column = np.asarray(values, dtype=np.float64)
    if percentile == 0 or not len(column):
        return np.ones(len(column), dtype=bool)
    return column > np.percentile(column, percentile)


def route(
    workload: Workload,
    percentile: float = 90,
    *,
    by: Sequence[str] = BY,
    cost: ArrayLike | None = None,
) -> NDArray[np.bool_]:
    """Tell which jobs are planned with the user's request.

    Parameters
    ----------
    workload : Workload
    percentile : float
        From 0 (all jobs) to 100 (none).
    by : sequence of str
        Columns that the jobs are grouped by before the percentile is taken, as for
        :func:`shadowtime.partitions.partitions`.
    cost : array_like, shape (jobs,), optional
        By default :func:`proxy_cost`.

    Returns
    -------
    numpy.ndarray of bool, shape (jobs,)

    Notes
    -----
    The percentile of a year is known at its end. A scheduler would take that of the year before.

    Examples
    --------
    >>> jobs = Workload(
    ...     id=range(4), submit=[0] * 4, nodes=[1, 2, 4, 8], estimate=[60] * 4, runtime=[60] * 4
    ... )
    >>> route(jobs, 50).tolist()
    [False, False, True, True]
    """
    column = proxy_cost(workload) if cost is None else np.asarray(cost, dtype=np.float64)
    if len(column) != len(workload):
        raise InputError(f"cost has {len(column)} values for {len(workload)} jobs")
    routed = np.zeros(len(column), dtype=bool)
    for part in partitions(workload, by):
        routed[part.rows] = above(column[part.rows], percentile)
    return routed


def combine(request: ArrayLike, model: ArrayLike, routed: ArrayLike) -> NDArray[np.float64]:
    """Return the planned runtimes: the request where routed, the model's elsewhere.

    Parameters
    ----------
    request, model : array_like, shape (jobs,)
    routed : array_like of bool, shape (jobs,)

    Examples
    --------
    >>> combine(request=[90, 90], model=[30, 40], routed=[False, True]).tolist()
    [30.0, 90.0]
    """
    return np.where(
        np.asarray(routed, dtype=bool),
        np.asarray(request, dtype=np.float64),
        np.asarray(model, dtype=np.float64),
    )


def recall(
    workload: Workload,
    percentile: float = 90,
    *,
    by: Sequence[str] = BY,
    each: Sequence[str] = ("queue",),
) -> pd.DataFrame:
    """Return how much of the true tail the proxy finds.

    Both tails are taken within the same partitions: the jobs above the percentile of what they
    used, and those above the percentile of what they asked for.

    Parameters
    ----------
    workload : Workload
    percentile : float
    by : sequence of str
        Partitions of the tails.
    each : sequence of str
        Columns to report by, a row each: the study's table has one for each queue.

    Returns
    -------
    pandas.DataFrame
        ``jobs``; ``tail``, those in the true tail; ``routed``, those above the proxy's; ``recall``,
        the share of the true tail that is routed; ``cost_recall``, the share of its usage.
    """
    import pandas as pd

    cost = usage(workload)
    routed = route(workload, percentile, by=by)
    tail = route(workload, percentile, by=by, cost=cost)
    rows: dict[Any, dict[str, Any]] = {}
    for part in partitions(workload, each):
        chosen = np.asarray(part.rows)
        hit = tail[chosen] & routed[chosen]
        in_tail = tail[chosen]
        rows[part.name or "all"] = {
            "jobs": len(part),
            "tail": int(in_tail.sum()),
            "routed": int(routed[chosen].sum()),
            "recall": _share(float(hit.sum()), float(in_tail.sum())),
            "cost_recall": _share(cost[chosen][hit].sum(), cost[chosen][in_tail].sum()),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("/".join(each) or "log")


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else float("nan")
