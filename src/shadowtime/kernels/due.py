"""Reservations to come, in a binary heap in which every job can be found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shadowtime.kernels.jit import inlined, part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from shadowtime.kernels.columns import Columns


class Due(NamedTuple):
    """Reserved jobs by start, ties in queue order.

    Attributes
    ----------
    start : array, shape (jobs,)
        Where each job's reservation begins.
    rows : array of int64, shape (jobs,)
        The heap.
    place : array of int64, shape (jobs,)
        Where in the heap each job is.
    held : array of int64, shape (1,)
        Jobs in the heap.
    """

    start: NDArray[Any]
    rows: NDArray[Any]
    place: NDArray[Any]
    held: NDArray[Any]


def empty(jobs: Columns) -> Due:
    """Return a heap without reservations."""
    count = jobs.size.size
    return Due(
        np.empty(count, jobs.plan.dtype),
        np.empty(count, np.int64),
        np.empty(count, np.int64),
        np.zeros(1, np.int64),
    )


@inlined
def sooner(due: Due, row: int, other: int) -> bool:
    """Say whether the reservation of `row` comes before that of `other`."""
    if due.start[row] == due.start[other]:
        return row < other
    return bool(due.start[row] < due.start[other])


@part
def rise(due: Due, place: int, row: int) -> None:
    """Put `row` at `place` or, as far as it is due sooner, higher up. O(log count)."""
    while place > 0:
        parent = (place - 1) >> 1
        above = due.rows[parent]
        if sooner(due, above, row):
            break
        due.rows[place] = above
        due.place[above] = place
        place = parent
    due.rows[place] = row
    due.place[row] = place


@part
def sink(due: Due, place: int, row: int) -> None:
    """Put `row` at `place` or, as far as it is due later, lower down. O(log count)."""
    count = due.held[0]
    while True:
        child = 2 * place + 1
        if child >= count:
            break
        if child + 1 < count and sooner(due, due.rows[child + 1], due.rows[child]):
            child += 1
        below = due.rows[child]
        if sooner(due, row, below):
            break
        due.rows[place] = below
        due.place[below] = place
        place = child
    due.rows[place] = row
    due.place[row] = place


@inlined
def push(due: Due, row: int, start: Any) -> None:
    """Add the reservation of a job."""
    due.start[row] = start
    due.held[0] += 1
    rise(due, due.held[0] - 1, row)


@inlined
def pop(due: Due) -> int:
    """Take out the reservation that is due first; return its job."""
    first = due.rows[0]
    due.held[0] -= 1
    if due.held[0]:
        sink(due, 0, due.rows[due.held[0]])
    return int(first)


@inlined
def move(due: Due, row: int, start: Any) -> None:
    """Give a job another reservation."""
    later = start > due.start[row]
    due.start[row] = start
    if later:
        sink(due, due.place[row], row)
    else:
        rise(due, due.place[row], row)
