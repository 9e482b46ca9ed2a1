"""The queue of a kernel: the jobs that came last in a short list, all others in an index.

A short queue is looked through, which is fastest. When the list is full its jobs move to the
index, so that a deep queue need not be looked through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shadowtime.kernels import index
from shadowtime.kernels.index import Index
from shadowtime.kernels.jit import inlined, part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from shadowtime.kernels.columns import Columns

MOST = 64
"""Jobs that the list holds."""

LISTED, CURSOR, FOUND, INDEXED = range(4)


class Queue(NamedTuple):
    """The waiting jobs.

    Attributes
    ----------
    listed : array of int64
        Rows of the jobs that came last.
    state : array of int64, shape (4,)
        At `LISTED` the jobs in the list, at `CURSOR` where in it the search has come to, at
        `FOUND` where in it the job was that was found last (-1: in the index), and at `INDEXED`
        the jobs in the index.
    deep : Index
        All other jobs.
    """

    listed: NDArray[Any]
    state: NDArray[Any]
    deep: Index


def empty(jobs: Columns, *, shortest: bool = False) -> Queue:
    """Return an empty queue.

    Parameters
    ----------
    jobs : Columns
    shortest : bool
        Try candidates by planned runtime, ties in queue order; otherwise all in queue order.
    """
    return Queue(
        np.empty(MOST, np.int64),
        np.zeros(4, np.int64),
        index.empty(jobs.size, jobs.plan, shortest=shortest),
    )


@part
def file(queue: Queue) -> None:
    """Move all jobs of the list to the index."""
    for at in range(queue.state[LISTED]):
        index.enter(queue.deep, queue.listed[at])
    queue.state[INDEXED] += queue.state[LISTED]
    queue.state[LISTED] = 0


@inlined
def enter(queue: Queue, row: int) -> None:
    """Let a job wait, behind all others."""
    if queue.state[LISTED] == MOST:
        file(queue)
    queue.listed[queue.state[LISTED]] = row
    queue.state[LISTED] += 1


@inlined
def strike(queue: Queue, at: int) -> None:
    """Take a job off the list."""
    queue.state[LISTED] -= 1
    for other in range(at, queue.state[LISTED]):
        queue.listed[other] = queue.listed[other + 1]


@inlined
def leave(queue: Queue, row: int) -> None:
    """Take a job out of the queue."""
    if queue.state[LISTED] and row >= queue.listed[0]:
        at = 0
        while queue.listed[at] != row:
            at += 1
        strike(queue, at)
    else:
        index.leave(queue.deep, row)
        queue.state[INDEXED] -= 1


@inlined
def begin(queue: Queue) -> None:
    """Begin a search for candidates."""
    queue.state[CURSOR] = 0
    if queue.state[INDEXED]:
        index.begin(queue.deep)


@inlined
def find(queue: Queue, free: int, extra: int, now: Any, shadow: Any) -> int:
    """Return the row of the next candidate for backfilling, or -1.

    It fits in the `free` nodes, and it either ends by the shadow time or fits in the `extra`
    nodes. What is left of these from one call to the next only shrinks; so whoever was passed
    over remains so until the next search begins.
    """
    size, plan, in_order = queue.deep.size, queue.deep.plan, queue.deep.order.size == 0
    best, found = -1, -1
    if queue.state[INDEXED]:
        best = index.candidate(queue.deep, free, extra, now, shadow)
    if best < 0 or not in_order:
        for at in range(queue.state[CURSOR], queue.state[LISTED]):
            row = queue.listed[at]
            nodes = size[row]
            if nodes <= free and (nodes <= extra or now + plan[row] <= shadow):
                if best < 0 or index.comes_before(queue.deep, row, best):
                    best, found = row, at
                if in_order:
                    queue.state[CURSOR] = at
                    break
    if best < 0 and in_order:
        queue.state[CURSOR] = queue.state[LISTED]
    queue.state[FOUND] = found
    return best


@inlined
def take(queue: Queue, free: int, extra: int, now: Any, shadow: Any) -> int:
    """Take the next candidate out of the queue; return its row, or -1: see :func:`find`."""
    row = find(queue, free, extra, now, shadow)
    if queue.state[FOUND] >= 0:
        strike(queue, queue.state[FOUND])
    elif row >= 0:
        index.leave(queue.deep, row)
        queue.state[INDEXED] -= 1
    return row


@inlined
def pass_over(queue: Queue, row: int) -> None:
    """Leave the job that was found last where it is, and search on behind it."""
    if queue.state[FOUND] >= 0:
        queue.state[CURSOR] = queue.state[FOUND] + 1
    else:
        queue.deep.next[index.class_of(queue.deep.size[row])] += 1
