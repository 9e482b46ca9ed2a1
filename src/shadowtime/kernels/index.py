"""An index of waiting jobs that finds the next candidate without looking at all of them.

Jobs are sorted into classes by their nodes: 1, 2-3, 4-7 and so on. In its class each job has a
place, in the order in which candidates are tried. Every block of 16 places knows the fewest nodes
and the shortest planned runtime of the jobs that wait in it, and so does every block of 16 such
blocks, up to one block of all. In a class whose jobs are all narrow enough, a block's shortest
planned runtime tells for certain whether it holds a candidate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shadowtime.kernels.jit import inlined, part

if TYPE_CHECKING:
    from numpy.typing import NDArray

BITS = 4
FAN = 1 << BITS

NOBODY = np.iinfo(np.int64).max
"""Nodes needed where nobody waits."""


class Index(NamedTuple):
    """Jobs by nodes and planned runtime.

    Attributes
    ----------
    size : array of int64, shape (jobs,)
        Nodes that each job needs.
    plan : array of int64 or float64, shape (jobs,)
        Planned runtimes.
    order : array of int64, shape (jobs,) or (0,)
        Rows in the order in which candidates are tried; empty if that is queue order.
    row_at, place_of : array of int64, shape (jobs,)
        The job at each place, and the place of each job.
    narrow : array of int64, shape (places and blocks,)
        The fewest nodes at each place, then in each block of places, and so on.
    brief : array like plan, shape (places and blocks,)
        The shortest planned runtimes, likewise.
    level : array of int64
        Where in the other two places begin, then blocks, blocks of blocks, ...
    low, high : array of int64, shape (classes,)
        Who waits in a class, waits at a place from `low` on and before `high`.
    next : array of int64, shape (classes,)
        Where in each class the search has come to; before that, where its next free place is.
    prepared : array of bool, shape (1,)
        Whether every job has its place yet.
    """

    size: NDArray[Any]
    plan: NDArray[Any]
    order: NDArray[Any]
    row_at: NDArray[Any]
    place_of: NDArray[Any]
    narrow: NDArray[Any]
    brief: NDArray[Any]
    level: NDArray[Any]
    low: NDArray[Any]
    high: NDArray[Any]
    next: NDArray[Any]
    prepared: NDArray[Any]


def empty(size: NDArray[Any], plan: NDArray[Any], *, shortest: bool = False) -> Index:
    """Return an index in which nobody waits; it takes its memory when it is first needed.

    Parameters
    ----------
    size : array of int64, shape (jobs,)
        Nodes that each job needs.
    plan : array, shape (jobs,)
        Planned runtimes.
    shortest : bool
        Try candidates by planned runtime, ties in queue order; otherwise all in queue order.
    """
    jobs = size.size
    blocks = [-(-jobs // FAN) * FAN]
    while blocks[-1] > FAN:
        blocks.append(-(-blocks[-1] // FAN // FAN) * FAN)
    *level, entries = (sum(blocks[:height]) for height in range(len(blocks) + 1))
    classes = int(size.max(initial=1)).bit_length()
    return Index(
        size,
        plan,
        np.argsort(plan, kind="stable") if shortest else np.empty(0, np.int64),
        np.empty(jobs, np.int64),
        np.empty(jobs, np.int64),
        np.empty(entries, np.int64),
        np.empty(entries, plan.dtype),
        np.array(level),
        np.full(classes, NOBODY, np.int64),
        np.zeros(classes, np.int64),
        np.zeros(classes, np.int64),
        np.zeros(1, np.bool_),
    )


@inlined
def class_of(nodes: int) -> int:
    """Return the size class of a job: 0 for 1 node, 1 for 2-3, 2 for 4-7, ..."""
    kind = 0
    while nodes > 1:
        nodes >>= 1
        kind += 1
    return kind


@part
def prepare(index: Index) -> None:
    """Give every job its place. O(jobs), once."""
    begins = index.next
    for nodes in index.size:
        kind = class_of(nodes) + 1
        if kind < begins.size:
            begins[kind] += 1
    for kind in range(1, begins.size):
        begins[kind] += begins[kind - 1]
    for rank in range(index.size.size):
        row = index.order[rank] if index.order.size else rank
        kind = class_of(index.size[row])
        index.row_at[begins[kind]] = row
        index.place_of[row] = begins[kind]
        begins[kind] += 1
    index.narrow[:] = NOBODY
    index.prepared[0] = True


@part
def enter(index: Index, row: int) -> None:
    """Let a job wait. O(log jobs), mostly less."""
    if not index.prepared[0]:
        prepare(index)
    narrow, brief, level = index.narrow, index.brief, index.level
    place, nodes, plan = index.place_of[row], index.size[row], index.plan[row]
    kind = class_of(nodes)
    index.low[kind] = min(index.low[kind], place)
    index.high[kind] = max(index.high[kind], place + 1)
    for height in range(level.size):
        at = level[height] + (place >> (BITS * height))
        if narrow[at] == NOBODY:
            narrow[at], brief[at] = nodes, plan
        elif nodes < narrow[at] or plan < brief[at]:
            narrow[at], brief[at] = min(nodes, narrow[at]), min(plan, brief[at])
        else:
            break


@part
def leave(index: Index, row: int) -> None:
    """Take a job out. O(16 log jobs), mostly less."""
    narrow, brief, level = index.narrow, index.brief, index.level
    place, plan = index.place_of[row], index.plan[row]
    narrow[place] = NOBODY
    for height in range(1, level.size):
        block = place >> (BITS * height)
        below = level[height - 1] + block * FAN
        nodes, shortest = NOBODY, plan
        for other in range(below, below + FAN):
            if narrow[other] != NOBODY:
                shortest = brief[other] if nodes == NOBODY else min(shortest, brief[other])
                nodes = min(nodes, narrow[other])
        at = level[height] + block
        if narrow[at] == nodes and brief[at] == shortest:
            break
        narrow[at], brief[at] = nodes, shortest
    kind = class_of(index.size[row])
    if place == index.low[kind]:
        anyone = NOBODY - 1
        stop = index.high[kind]
        place = search(narrow, brief, level, place, stop, anyone, anyone, plan, plan)
        index.low[kind] = place
        if place == stop:
            index.low[kind], index.high[kind] = NOBODY, 0


@part
def search(
    narrow: NDArray[Any],
    brief: NDArray[Any],
    level: NDArray[Any],
    place: int,
    stop: int,
    free: int,
    extra: int,
    now: Any,
    shadow: Any,
) -> int:
    """Return the first place from `place` on, before `stop`, whose job may be backfilled.

    It fits in the `free` nodes, and it either ends by the shadow time or fits in the `extra`
    nodes. Returns `stop` if there is none.
    """
    within = min(free, extra)
    height = 0
    while place < stop:
        block = place >> (BITS * height)
        at = level[height] + block
        if narrow[at] <= within or (narrow[at] <= free and now + brief[at] <= shadow):
            if height == 0:
                return place
            height -= 1
        else:
            block += 1
            place = block << (BITS * height)
            while height + 1 < level.size and block & (FAN - 1) == 0:
                block >>= BITS
                height += 1
    return stop


@part
def begin(index: Index) -> None:
    """Begin a search at the first waiting job of each class."""
    for kind in range(index.low.size):
        index.next[kind] = index.low[kind]


@part
def candidate(index: Index, free: int, extra: int, now: Any, shadow: Any) -> int:
    """Return the row of the next job that may be backfilled, or -1."""
    best = -1
    for kind in range(index.high.size):
        if (1 << kind) > free:
            break
        place, stop = index.next[kind], index.high[kind]
        if place < stop:
            place = search(
                index.narrow, index.brief, index.level, place, stop, free, extra, now, shadow
            )
            index.next[kind] = place
            if place < stop:
                row = index.row_at[place]
                if best < 0 or comes_before(index, row, best):
                    best = row
    return best


@inlined
def comes_before(index: Index, row: int, other: int) -> bool:
    """Say whether `row` is tried before `other`: in queue order, or by planned runtime first."""
    if index.order.size == 0 or index.plan[row] == index.plan[other]:
        return row < other
    return bool(index.plan[row] < index.plan[other])
