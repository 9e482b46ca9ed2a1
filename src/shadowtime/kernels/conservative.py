"""Conservative backfilling: twin of :mod:`shadowtime.policies.conservative`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.kernels import due, machine, profile, ring
from shadowtime.kernels.columns import Columns, Outcome, unknown
from shadowtime.kernels.corrections import NONE
from shadowtime.kernels.jit import kernel, part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from shadowtime.kernels.due import Due
    from shadowtime.kernels.machine import Machine
    from shadowtime.kernels.profile import Profile
    from shadowtime.kernels.ring import Ring
    from shadowtime.policies.conservative import Conservative

QUEUE, EVERY, KEEP, REPLAN = range(4)
COMPRESSION = {"queue": QUEUE, "every": EVERY, "none": KEEP, "replan": REPLAN}


def schedule(policy: Conservative, jobs: Columns, nodes: int, correction: int) -> Outcome | None:
    """Schedule by conservative backfilling."""
    count = jobs.size.size
    outcome = unknown(jobs)
    queue = ring.empty(count)
    late_row, begun_row = np.empty(count, np.int64), np.empty(min(count, nodes), np.int64)
    running = machine.empty(jobs, nodes, corrections=correction != NONE)
    reserved, free_nodes = due.empty(jobs), profile.empty(jobs, nodes)
    compression = COMPRESSION[policy.compression]
    done = conservative(
        jobs, queue, running, reserved, free_nodes, late_row, begun_row, nodes, compression,
        correction, outcome,
    )  # fmt: skip
    return outcome if done else None


@part
def rebuild(
    jobs: Columns,
    queue: Ring,
    running: Machine,
    count: int,
    reserved: Due,
    free_nodes: Profile,
    nodes: int,
    now: Any,
) -> None:
    """Make the profile from the running jobs, and all reservations anew in queue order."""
    profile.forget_all(free_nodes, now, nodes)
    for place in range(count):
        row = running.planned_row[place]
        profile.add(free_nodes, now, running.planned_end[place], -jobs.size[row])
    reserved.held[0] = 0
    nobody = jobs.size.size
    row = queue.after[nobody]
    while row != nobody:
        reserve(jobs, reserved, free_nodes, row, now)
        row = queue.after[row]


@part
def reserve(jobs: Columns, reserved: Due, free_nodes: Profile, row: int, now: Any) -> None:
    """Give a job its earliest reservation."""
    nodes, plan, never = jobs.size[row], jobs.plan[row], jobs.never
    start = profile.earliest(free_nodes, nodes, plan, now, never, never)
    profile.add(free_nodes, start, start + plan, -nodes)
    due.push(reserved, row, start)


@part
def compress(
    jobs: Columns,
    queue: Ring,
    reserved: Due,
    free_nodes: Profile,
    now: Any,
    limit: Any,
) -> Any:
    """Lift out each waiting job, in queue order, and put it back at its earliest place.

    A place that a job has not found before takes nodes that came free since it was looked at last,
    and these came free before `limit`. Returns up to when jobs that moved have left nodes behind.
    """
    never, nobody = jobs.never, jobs.size.size
    left = now
    row = queue.after[nobody]
    while row != nobody:
        nodes, plan, promised = jobs.size[row], jobs.plan[row], reserved.start[row]
        if promised < now:
            profile.add(free_nodes, now, promised + plan, nodes)
            start = profile.earliest(free_nodes, nodes, plan, now, never, never)
        else:
            sooner = min(limit, promised)
            start = profile.earliest(free_nodes, nodes, plan, now, sooner, promised)
            if start < promised:
                profile.add(free_nodes, promised, promised + plan, nodes)
        if start != promised:
            profile.add(free_nodes, start, start + plan, -nodes)
            due.move(reserved, row, start)
            limit, left = max(limit, promised + plan), max(left, promised + plan)
        row = queue.after[row]
    return left


@kernel
def conservative(
    jobs: Columns,
    queue: Ring,
    running: Machine,
    reserved: Due,
    free_nodes: Profile,
    late_row: NDArray[Any],
    begun_row: NDArray[Any],
    nodes: int,
    compression: int,
    correction: int,
    outcome: Outcome,
) -> bool:
    """Promise every job a start when it is submitted, and keep every promise.

    A reservation costs O(steps of the profile before its end). A compression costs, for each
    waiting job, O(steps before its reservation and before the last nodes that came free); there is
    none where nothing came free. Jobs that move cost a new reservation. Replanning, and a
    correction that raised a planned end, cost a new reservation for each waiting job.

    On an overloaded machine one in seven of all that wait moves with every early end (measured on
    KTH-SP2 at load 1.5), and each move decides the next. So the time grows at least with the early
    ends times the jobs that wait; as the profile has a step or two for each of these, here even
    with their square.

    Returns whether all went well: False if a correction did not raise a planned runtime.
    """
    submit, size, plan, length = jobs.submit, jobs.size, jobs.plan, jobs.length
    nobody = size.size
    count, free = 0, nodes
    arrivals = 0
    late = 0  # jobs whose reservation was due in the last pass but could not begin
    loose = submit[0]  # up to here nodes may have come free that not every job has looked at

    while True:
        now = submit[arrivals]
        if count and running.end[0] < now:
            now = running.end[0]
        if reserved.held[0] and reserved.start[reserved.rows[0]] < now:
            now = reserved.start[reserved.rows[0]]
        if now == jobs.never:
            return True

        ended = early = False
        while count and running.end[0] == now:
            row = machine.finish(running, count)
            count -= 1
            free += size[row]
            ended = True
            if running.until[row] > now:
                profile.add(free_nodes, now, running.until[row], size[row])
                loose = max(loose, running.until[row])
                early = True
        new = arrivals
        while submit[arrivals] == now:
            arrivals += 1
        if new == arrivals and queue.after[nobody] == nobody:
            continue

        raised = 0
        if correction != NONE:
            raised = machine.correct(running, count, outcome.start, jobs.estimate, correction, now)
            if raised < 0:
                return False
        profile.advance(free_nodes, now)
        for at in range(late):
            row = late_row[at]
            due.push(reserved, row, reserved.start[row])
        if raised or (early and compression == REPLAN):
            rebuild(jobs, queue, running, count, reserved, free_nodes, nodes, now)
            loose = now
        elif (early and compression == QUEUE) or (ended and compression == EVERY):
            if late or loose > now:
                loose = compress(jobs, queue, reserved, free_nodes, now, loose)
        else:
            for at in range(late):
                row = late_row[at]
                promised = reserved.start[row]
                if promised < now:
                    profile.add(free_nodes, now, promised + plan[row], size[row])
                    loose = max(loose, promised + plan[row])
                    start = profile.earliest(
                        free_nodes, size[row], plan[row], now, jobs.never, jobs.never
                    )
                    profile.add(free_nodes, start, start + plan[row], -size[row])
                    due.move(reserved, row, start)
        for row in range(new, arrivals):
            ring.enter(queue, row)
            reserve(jobs, reserved, free_nodes, row, now)
            outcome.promise[row], outcome.promised[row] = reserved.start[row], True

        late = begun = 0
        while reserved.held[0] and reserved.start[reserved.rows[0]] == now:
            row = due.pop(reserved)
            if size[row] > free:
                late_row[late] = row
                late += 1
                continue
            ring.leave(queue, row)
            begun_row[begun] = row
            begun += 1
            outcome.start[row] = now
            machine.begin(running, count, row, now + length[row], now + plan[row])
            count += 1
            free -= size[row]
        for at in range(begun):
            row = begun_row[at]
            outcome.backfilled[row] = queue.after[nobody] < row
