"""Backfilling of any depth: twin of :mod:`shadowtime.policies.depth`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shadowtime.kernels import machine, profile, ring, waiting
from shadowtime.kernels.columns import Columns, Outcome, unknown
from shadowtime.kernels.corrections import NONE
from shadowtime.kernels.jit import kernel, part
from shadowtime.kernels.profile import FIRST, STOP

if TYPE_CHECKING:
    from shadowtime.kernels.machine import Machine
    from shadowtime.kernels.profile import Profile
    from shadowtime.kernels.ring import Ring
    from shadowtime.kernels.waiting import Queue
    from shadowtime.policies.depth import Depth


def schedule(policy: Depth, jobs: Columns, nodes: int, correction: int) -> Outcome | None:
    """Schedule by backfilling with some reservations."""
    count = jobs.size.size
    outcome = unknown(jobs)
    running = machine.empty(jobs, nodes, corrections=correction != NONE)
    queue, in_order, plan = waiting.empty(jobs), ring.empty(count), profile.empty(jobs, nodes)
    most = int(min(policy.reservations, count))
    done = depth(jobs, queue, in_order, running, plan, nodes, most, correction, outcome)
    return outcome if done else None


@part
def plan_of(
    plan: Profile, jobs: Columns, running: Machine, count: int, now: Any, free: int
) -> None:
    """Make the plan of a machine whose jobs end as planned. O(running jobs)."""
    profile.forget_all(plan, now, free)
    step = 0
    for place in range(count - 1, -1, -1):
        time, nodes = running.planned_end[place], jobs.size[running.planned_row[place]]
        if time > plan.times[step]:
            step += 1
            plan.times[step], plan.free[step] = time, plan.free[step - 1]
        plan.free[step] += nodes
    plan.bounds[STOP] = step + 1


@part
def begin(
    jobs: Columns,
    running: Machine,
    count: int,
    plan: Profile,
    row: int,
    now: Any,
    outcome: Outcome,
) -> None:
    """Start a job that others were ahead of, and take its nodes out of the plan."""
    outcome.start[row] = now
    outcome.backfilled[row] = True
    end = now + jobs.plan[row]
    machine.begin(running, count, row, now + jobs.length[row], end)
    profile.add(plan, now, end, -jobs.size[row])


@part
def reserve(plan: Profile, jobs: Columns, row: int, now: Any, outcome: Outcome) -> Any:
    """Give a job its earliest reservation; return its start."""
    nodes, span, never = jobs.size[row], jobs.plan[row], jobs.never
    start = profile.earliest(plan, nodes, span, now, never, never)
    profile.add(plan, start, start + span, -nodes)
    if not outcome.promised[row]:
        outcome.promised[row] = True
        outcome.promise[row] = start
    return start


@part
def limits(plan: Profile, never: Any) -> tuple[int, Any]:
    """Return the nodes that stay free for ever, and when the first step without any begins."""
    extra, full = plan.free[plan.bounds[FIRST]], never
    for step in range(plan.bounds[FIRST], plan.bounds[STOP]):
        extra = min(extra, plan.free[step])
        if plan.free[step] < 1:
            full = plan.times[step]
            break
    return extra, full


@kernel
def depth(
    jobs: Columns,
    queue: Queue,
    in_order: Ring,
    running: Machine,
    plan: Profile,
    nodes: int,
    most: int,
    correction: int,
    outcome: Outcome,
) -> bool:
    """Reserve for the first `most` blocked jobs, and start whatever delays none of them.

    The plan is made anew when a job has ended, planned ends have moved, or a reservation has gone
    by; otherwise it holds, whoever waited must go on waiting, and only new jobs are looked at.

    A new plan costs O(running jobs), and for each reservation and each job that may start
    O(steps of the plan). The jobs behind the last reservation are searched for one that fits and
    ends before the plan has no free node; few others are looked at.

    Returns whether all went well: False if a correction did not raise a planned runtime.
    """
    submit, size, span = jobs.submit, jobs.size, jobs.plan
    nobody = size.size
    count, free = 0, nodes
    arrivals = reserved = 0
    planned = False  # whether there is a plan that may still hold
    due = jobs.never  # where the first reservation begins

    while True:
        now = submit[arrivals]
        if count and running.end[0] < now:
            now = running.end[0]
        if now == jobs.never:
            return True

        while count and running.end[0] == now:
            free += size[machine.finish(running, count)]
            count -= 1
            planned = False
        new = arrivals
        while submit[arrivals] == now:
            ring.enter(in_order, arrivals)
            waiting.enter(queue, arrivals)
            arrivals += 1
        if in_order.after[nobody] == nobody:
            continue
        if correction != NONE:
            raised = machine.correct(running, count, outcome.start, jobs.estimate, correction, now)
            if raised < 0:
                return False
            planned &= raised == 0
        planned &= due >= now

        row = in_order.after[nobody]
        if planned:
            profile.advance(plan, now)
            row = new if new < arrivals else nobody
        while not planned and row != nobody:
            if size[row] > free:
                plan_of(plan, jobs, running, count, now, free)
                planned, reserved, due = True, 0, jobs.never
                break
            ring.leave(in_order, row)
            waiting.leave(queue, row)
            outcome.start[row] = now
            machine.begin(running, count, row, now + jobs.length[row], now + span[row])
            count += 1
            free -= size[row]
            row = in_order.after[row]

        while row != nobody and (reserved < most or (row >= new and free > 0)):
            if size[row] <= free and profile.fits(plan, size[row], now + span[row]):
                ring.leave(in_order, row)
                waiting.leave(queue, row)
                begin(jobs, running, count, plan, row, now, outcome)
                count += 1
                free -= size[row]
            elif reserved < most:
                reserved += 1
                due = min(due, reserve(plan, jobs, row, now, outcome))
            row = in_order.after[row]
        if row == nobody or free == 0:
            continue

        extra, full = limits(plan, jobs.never)
        waiting.begin(queue)
        row = waiting.find(queue, free, extra, now, full)
        while row >= 0:
            if profile.fits(plan, size[row], now + span[row]):
                waiting.leave(queue, row)
                ring.leave(in_order, row)
                begin(jobs, running, count, plan, row, now, outcome)
                count += 1
                free -= size[row]
                extra, full = limits(plan, jobs.never)
            else:
                waiting.pass_over(queue, row)
            row = waiting.find(queue, free, extra, now, full)
