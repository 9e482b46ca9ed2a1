"""The numbers that a kernel works on, and those that it gives back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from shadowtime.workload import Seconds, Workload

EXACT = 2**53
"""Whole numbers below this are exact as floats, and sums of a few of them are whole in int64."""


class Columns(NamedTuple):
    """A workload and its planned runtimes as arrays, all times of one type.

    Attributes
    ----------
    submit : array of int64 or float64, shape (jobs + 1,)
        Submit times, and `never` behind the last.
    size : array of int64, shape (jobs,)
        Nodes that each job needs.
    plan, estimate, length : array like submit, shape (jobs,)
        Planned runtimes, requests, and times that jobs will spend on the machine.
    never : int64 or float64
        A time after all others.
    """

    submit: NDArray[Any]
    size: NDArray[np.int64]
    plan: NDArray[Any]
    estimate: NDArray[Any]
    length: NDArray[Any]
    never: Any


class Outcome(NamedTuple):
    """What a kernel finds, all of shape (jobs,).

    Attributes
    ----------
    start : array of int64 or float64
    backfilled : array of bool
    promise : array like start
        First reservations, where there was one.
    promised : array of bool
        Whether there was one.
    """

    start: NDArray[Any]
    backfilled: NDArray[np.bool_]
    promise: NDArray[Any]
    promised: NDArray[np.bool_]


def unknown(jobs: Columns) -> Outcome:
    """Return an outcome for a kernel to fill in."""
    count, kind = jobs.size.size, jobs.plan.dtype
    return Outcome(
        np.empty(count, kind),
        np.zeros(count, np.bool_),
        np.zeros(count, kind),
        np.zeros(count, np.bool_),
    )


def columns(workload: Workload, plan: Sequence[Seconds], *, kill: bool) -> Columns | None:
    """Return the arrays of a workload, or None if their times are too large to be exact."""
    given = [np.asarray(c) for c in (workload.submit, plan, workload.estimate, workload.runtime)]
    if any(column.dtype.kind not in "if" for column in given):
        return None
    whole = all(column.dtype.kind == "i" for column in given)
    kind = np.dtype(np.int64 if whole else np.float64)
    if len(workload):
        first, last = float(given[0].min()), float(given[0].max())
        longest = sum(float(column.sum(dtype=np.float64)) for column in given[1:])
        if first <= -EXACT or last + longest >= EXACT:
            return None
    submit, plan_, estimate, runtime = (column.astype(kind, copy=False) for column in given)
    never = np.int64(np.iinfo(np.int64).max) if whole else np.float64(np.inf)
    return Columns(
        np.append(submit, never),
        np.asarray(workload.nodes).astype(np.int64, copy=False),
        plan_,
        estimate,
        np.minimum(runtime, estimate) if kill else runtime,
        never,
    )


def whole_if_possible(times: NDArray[Any]) -> NDArray[Any]:
    """Return `times` as whole numbers if all of them are."""
    if times.dtype.kind == "f" and bool((times == np.floor(times)).all()):
        return times.astype(np.int64)
    return times
