"""The machine of a kernel: the jobs on it, by end and by planned end.

By end they are in a binary heap. By planned end they are in order, the one that is planned to end
last in front: jobs come and go mostly among those that end soon, and little has to be moved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shadowtime.kernels.corrections import corrected
from shadowtime.kernels.jit import inlined, part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from shadowtime.kernels.columns import Columns


class Machine(NamedTuple):
    """The running jobs; how many there are is the kernel's to know.

    Attributes
    ----------
    end, row : arrays, shape (most,)
        A heap by end.
    planned_end, planned_row : arrays, shape (most,)
        In order of planned end, last first.
    until : array, shape (jobs,)
        Planned end of each job that has started.
    made : array of int64, shape (jobs,)
        Corrections that each job has had.
    """

    end: NDArray[Any]
    row: NDArray[Any]
    planned_end: NDArray[Any]
    planned_row: NDArray[Any]
    until: NDArray[Any]
    made: NDArray[Any]


def empty(jobs: Columns, nodes: int, *, corrections: bool = False) -> Machine:
    """Return a machine without jobs, with room for what it may run."""
    count, kind = jobs.size.size, jobs.plan.dtype
    most = min(count, nodes)
    return Machine(
        np.empty(most, kind),
        np.empty(most, np.int64),
        np.empty(most, kind),
        np.empty(most, np.int64),
        np.empty(count, kind),
        np.zeros(count if corrections else 0, np.int64),
    )


@inlined
def push(times: NDArray[Any], rows: NDArray[Any], count: int, time: Any, row: int) -> None:
    """Put an entry on a heap of `count` entries. O(log count)."""
    place = count
    while place > 0:
        parent = (place - 1) >> 1
        if times[parent] <= time:
            break
        times[place] = times[parent]
        rows[place] = rows[parent]
        place = parent
    times[place] = time
    rows[place] = row


@inlined
def pop(times: NDArray[Any], rows: NDArray[Any], count: int) -> int:
    """Take the earliest entry off a heap of `count` entries; return its row. O(log count)."""
    first = rows[0]
    last = count - 1
    time, row = times[last], rows[last]
    place = 0
    while True:
        child = 2 * place + 1
        if child >= last:
            break
        if child + 1 < last and times[child + 1] < times[child]:
            child += 1
        if time <= times[child]:
            break
        times[place] = times[child]
        rows[place] = rows[child]
        place = child
    times[place] = time
    rows[place] = row
    return int(first)


@inlined
def insert(ends: NDArray[Any], rows: NDArray[Any], count: int, end: Any, row: int) -> None:
    """Add an entry to `count` others. O(those that end sooner)."""
    place = count
    while place > 0 and ends[place - 1] < end:
        ends[place] = ends[place - 1]
        rows[place] = rows[place - 1]
        place -= 1
    ends[place] = end
    rows[place] = row


@inlined
def begin(machine: Machine, count: int, row: int, end: Any, planned_end: Any) -> None:
    """Put a job on the machine, beside `count` others."""
    machine.until[row] = planned_end
    push(machine.end, machine.row, count, end, row)
    insert(machine.planned_end, machine.planned_row, count, planned_end, row)


@inlined
def finish(machine: Machine, count: int) -> int:
    """Take the job that ends first off a machine with `count` jobs; return its row."""
    row = pop(machine.end, machine.row, count)
    ends, rows = machine.planned_end, machine.planned_row
    place = count - 1
    while rows[place] != row:
        place -= 1
    for other in range(place, count - 1):
        ends[other] = ends[other + 1]
        rows[other] = rows[other + 1]
    return row


@inlined
def shadow_time(
    machine: Machine, count: int, size: NDArray[Any], free: int, need: int, now: Any
) -> tuple[Any, int]:
    """Find when `need` nodes will be free, and how many will then be left over.

    The twin of :func:`shadowtime.policies.easy.shadow_time`; O(jobs that end by then).
    """
    ends, rows = machine.planned_end, machine.planned_row
    place = count
    while free < need:
        place -= 1
        free += size[rows[place]]
    shadow = max(ends[place], now)
    while place > 0 and ends[place - 1] <= shadow:
        place -= 1
        free += size[rows[place]]
    return shadow, free - need


@part
def correct(
    machine: Machine,
    count: int,
    start: NDArray[Any],
    estimate: NDArray[Any],
    correction: int,
    now: Any,
) -> int:
    """Raise every planned end that has passed, unless the request has passed too.

    Returns how many were raised, or -1 if one cannot be. O(jobs whose planned end has passed),
    and for each raised one those that end sooner.
    """
    ends, rows = machine.planned_end, machine.planned_row
    raised = 0
    passed = count
    while passed > 0 and ends[passed - 1] <= now:
        passed -= 1
    for place in range(passed, count):
        row = rows[place]
        begun = start[row]
        if now - begun < estimate[row]:
            made, planned = corrected(
                correction, machine.made[row], ends[place] - begun, estimate[row], now - begun
            )
            if made < 0:
                return -1
            machine.made[row] = made
            machine.until[row] = begun + planned
            insert(ends, rows, place, begun + planned, row)
            raised += 1
    return raised
