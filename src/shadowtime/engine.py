"""The event loop: jobs are submitted, start when the policy says so, and end.

Nothing here but the standard library, so that the same code runs in a notebook, in a test and in
a reader's browser.
"""

from __future__ import annotations

import copy
from bisect import bisect_left, insort
from collections.abc import Sequence
from heapq import heappop, heappush
from math import inf
from typing import Literal

from shadowtime import corrections, kernels, policies
from shadowtime.corrections import Correction
from shadowtime.errors import InputError, JobDoesNotFit
from shadowtime.machine import Machine
from shadowtime.online import Predictor
from shadowtime.policies.base import Policy, Running, State, Waiting
from shadowtime.schedule import Decision, Schedule
from shadowtime.workload import Seconds, Workload

Overrun = Literal["kill", "extend"]


def simulate(
    workload: Workload,
    policy: str | Policy = "easy",
    nodes: int | Machine | None = None,
    *,
    overrun: Overrun = "kill",
    planned: Sequence[Seconds] | Predictor | None = None,
    correction: str | Correction = "none",
    decisions: bool = False,
    engine: Literal["auto", "readable", "compiled"] = "auto",
) -> Schedule:
    """Schedule a workload on a machine of interchangeable nodes, or of nodes in their places.

    At each instant all completions come first, then all submissions, then one scheduling pass.
    Nothing else makes a pass, except a reservation that comes due.

    Parameters
    ----------
    workload : Workload
    policy : str or Policy
        A name of :data:`shadowtime.policies.NAMES`, or an object with the same method.
    nodes : int or Machine, optional
        Nodes of the machine; by default what the workload says. On a
        :class:`~shadowtime.machine.Machine` with placement a job needs certain nodes, which
        `placement` of the schedule tells; the readable engine does it, for FCFS, first fit, EASY,
        ``depth-`` and conservative backfilling.
    overrun : {"kill", "extend"}
        What happens to a job whose runtime passes its estimate: it is ended at the estimate, or
        it runs on. While it runs on it counts, for planning, as ending now.
    planned : sequence of numbers, shape (jobs,), or shadowtime.online.Predictor, optional
        Runtimes for the policy to plan with in place of the estimates, in workload order; or a
        predictor of :mod:`shadowtime.online`, which is asked for each when the job is submitted,
        and learns from the jobs that have ended by then. Whether a job is killed depends on its
        estimate all the same.
    correction : str or callable
        What becomes of a planned runtime that has passed while the job, still within its
        estimate, runs on: ``"none"`` (it counts as ending now) or a name or function of
        :mod:`shadowtime.corrections`. Corrections are made when the next pass is made.
    decisions : bool
        Log why each examined job started or waited. Slower, and only the readable engine does it.
    engine : {"auto", "readable", "compiled"}
        The readable engine, the policy's compiled twin (it needs numba), or the twin where there
        is one and the workload is long enough to be worth loading it. Both give the same
        schedule, which says in `engine` who made it.

    Returns
    -------
    Schedule

    Raises
    ------
    InputError
        If the machine's size is unknown or smaller than a job, an argument has no meaning, or
        the compiled engine is asked for what it cannot do.
    JobDoesNotFit
        If a policy of one's own starts a job that needs more nodes than are free.

    Examples
    --------
    >>> from shadowtime import Job, Workload
    >>> jobs = [Job(1, 0, 5, 40, 40), Job(2, 1, 6, 20, 20), Job(3, 2, 3, 30, 30)]
    >>> simulate(Workload.from_jobs(jobs), "fcfs", nodes=8).start
    [0, 40, 60]
    >>> simulate(Workload.from_jobs(jobs), "easy", nodes=8).start
    [0, 40, 2]
    """
    machine = nodes if isinstance(nodes, Machine) else None
    nodes = _machine(workload, nodes.nodes if isinstance(nodes, Machine) else nodes)
    if overrun not in ("kill", "extend"):
        raise InputError(f"overrun = {overrun!r}; it is 'kill' or 'extend'")
    if engine not in ("auto", "readable", "compiled"):
        raise InputError(f"engine = {engine!r}; it is 'auto', 'readable' or 'compiled'")
    if isinstance(policy, type):
        raise InputError(f"policy = {policy.__name__} is a class; give an object of it")
    learner = planned if isinstance(planned, Predictor) else None
    if planned is None or isinstance(planned, Predictor):
        plan = workload.estimate
    else:
        plan = _planned(workload, planned)
    rule = policies.by_name(policy) if isinstance(policy, str) else copy.copy(policy)
    places = None
    if machine is not None and machine.placement != "any":
        from shadowtime.policies import placed

        rule = places = placed.on(rule, machine)
    correct = corrections.by_name(correction) if isinstance(correction, str) else correction
    if learner is not None:
        if engine == "compiled":
            raise InputError("engine = 'compiled': it asks no predictor while it runs")
        learner.reset(workload)
    elif engine != "readable":
        schedule, obstacle = kernels.attempt(
            workload,
            rule,
            nodes,
            plan,
            correct,
            kill=overrun == "kill",
            explain=decisions,
            only_if_worthwhile=engine == "auto",
        )
        if schedule is not None:
            return schedule
        if engine == "compiled":
            raise InputError(f"engine = 'compiled': {obstacle}")
    schedule = _run(workload, rule, nodes, overrun, plan, correct, learner, explain=decisions)
    if places is not None:
        schedule.placement = [places.placement[row] for row in range(len(workload))]
    return schedule


def _machine(workload: Workload, nodes: int | None) -> int:
    """Return the machine's size, checked against the jobs."""
    size = workload.machine_nodes if nodes is None else nodes
    if size is None:
        raise InputError("the size of the machine is unknown: give nodes= (--nodes)")
    if size < 1:
        raise InputError(f"nodes = {size}; a machine has 1 node or more")
    if len(workload) and (widest := max(workload.nodes)) > size:
        job = workload.id[list(workload.nodes).index(widest)]
        raise InputError(f"job {job}: nodes = {widest}; the machine has {size}")
    return size


def _planned(workload: Workload, planned: Sequence[Seconds]) -> Sequence[Seconds]:
    """Return the planned runtimes, checked."""
    if len(planned) != len(workload):
        raise InputError(f"planned has {len(planned)} values for {len(workload)} jobs")
    plan = planned.tolist() if hasattr(planned, "tolist") else list(planned)
    for row, value in enumerate(plan):
        _positive(workload, row, value)
    return plan


def _predicted(learner: Predictor, workload: Workload, row: int) -> Seconds:
    """Ask for a planned runtime, and check it."""
    value = learner.predict(row)
    _positive(workload, row, value)
    return value


def _renew(queue: Sequence[Waiting], learner: Predictor, workload: Workload) -> bool:
    """Plan the waiting jobs anew, and say whether any plan has changed."""
    before = [job.planned for job in queue]
    for job in queue:
        job.planned = _predicted(learner, workload, job.row)
    return before != [job.planned for job in queue]


def _positive(workload: Workload, row: int, value: Seconds) -> None:
    try:
        good = 0 < value < inf
    except TypeError:
        good = False
    if not good:
        raise InputError(
            f"job {workload.id[row]}: planned = {value!r}; it must be a number greater than 0"
        )


def _run(  # noqa: C901, PLR0912, PLR0915 - the event loop, told in one piece
    workload: Workload,
    policy: Policy,
    nodes: int,
    overrun: Overrun,
    plan: Sequence[Seconds],
    correct: Correction | None,
    learner: Predictor | None,
    *,
    explain: bool,
) -> Schedule:
    jobs = len(workload)
    submit: list[Seconds] = [*workload.submit, inf]
    size, estimate, runtime = list(workload.nodes), list(workload.estimate), list(workload.runtime)
    kill = overrun == "kill"
    start: list[Seconds] = [0] * jobs
    end: list[Seconds] = [0] * jobs
    backfilled = [False] * jobs
    killed = [False] * jobs
    promised: list[Seconds | None] = [None] * jobs
    log: list[Decision] | None = [] if explain else None

    policy.reset(nodes)
    state = State(nodes, workload, explain=explain)
    queue, running, ended, arrived = state.queue, state.running, state.ended, state.arrived
    on_machine: dict[int, Running] = {}
    completions: list[tuple[Seconds, int]] = []
    made: dict[int, int] = {}
    arrivals = 0

    while True:
        now = submit[arrivals]
        if completions and completions[0][0] < now:
            now = completions[0][0]
        if state.wake is not None:
            if state.wake <= state.now:
                raise InputError(
                    f"policy {policy.name!r} asks at {state.now} for a pass at {state.wake}, "
                    "which is not later"
                )
            now = min(now, state.wake)
        if now == inf:
            break
        state.now = now

        while completions and completions[0][0] == now:
            done = on_machine.pop(heappop(completions)[1])
            del running[bisect_left(running, done)]
            state.free += done.nodes
            ended.append(done)
            if learner is not None:
                learner.learn(done.row, now - start[done.row])
        while submit[arrivals] == now:
            planned = plan[arrivals] if learner is None else _predicted(learner, workload, arrivals)
            job = Waiting(arrivals, workload.id[arrivals], now, size[arrivals], planned)
            queue.append(job)
            arrived.append(job)
            arrivals += 1
        state.wake = None
        if not queue:
            continue

        state.corrected = correct is not None and _correct(
            running, on_machine, made, correct, start, estimate, now
        )
        if learner is not None and learner.renews and ended:
            state.corrected |= _renew(queue, learner, workload)
        someone_started = False
        decisions = policy.decide(state)
        if decisions is None:
            raise InputError(
                f"policy {policy.name!r} decides nothing at {now}: its decide has to yield "
                "state.start(job, ...) or state.wait(job, ...)"
            )
        for job, decision in decisions:
            if log is not None:
                log.append(decision)
            if job.promise is None and decision.promise is not None:
                job.promise = promised[job.row] = decision.promise
            if not decision.starts:
                continue
            if job.started or job.nodes > state.free:
                raise JobDoesNotFit(_complaint(policy, job, state))
            someone_started = job.started = True
            row, length = job.row, runtime[job.row]
            if kill and length > estimate[row]:
                length = estimate[row]
                killed[row] = True
            start[row] = now
            end[row] = now + length
            state.free -= job.nodes
            entry = on_machine[row] = Running(now + job.planned, row, job.nodes)
            insort(running, entry)
            heappush(completions, (now + length, row))
        ended.clear()
        arrived.clear()
        if someone_started:
            _leave(queue, backfilled)

    if queue:
        raise JobDoesNotFit(
            f"the machine is empty and policy {policy.name!r} starts none of the {len(queue)} "
            f"waiting jobs; the first is job {queue[0].id}, which needs {queue[0].nodes} nodes"
        )
    return Schedule(workload, nodes, policy.name, start, end, backfilled, killed, promised, log)


def _correct(
    running: list[Running],
    on_machine: dict[int, Running],
    made: dict[int, int],
    correct: Correction,
    start: Sequence[Seconds],
    estimate: Sequence[Seconds],
    now: Seconds,
) -> bool:
    """Raise every planned end that has passed, unless the request has passed too."""
    run_out = []
    for entry in running:
        if entry.planned_end > now:
            break
        if now - start[entry.row] < estimate[entry.row]:
            run_out.append(entry)
    for entry in run_out:
        row = entry.row
        begun = start[row]
        made[row], planned = corrections.corrected(
            correct, made.get(row, 0), entry.planned_end - begun, estimate[row], now - begun
        )
        running.remove(entry)
        on_machine[row] = raised = entry._replace(planned_end=begun + planned)
        insort(running, raised)
    return bool(run_out)


def _leave(queue: list[Waiting], backfilled: list[bool]) -> None:
    """Take the started jobs out of the queue; those that passed a waiting one were backfilled."""
    heads = 0
    while heads < len(queue) and queue[heads].started:
        heads += 1
    del queue[:heads]
    passed = [job.row for job in queue if job.started]
    if passed:
        for row in passed:
            backfilled[row] = True
        queue[:] = [job for job in queue if not job.started]


def _complaint(policy: Policy, job: Waiting, state: State) -> str:
    if job.started:
        return f"policy {policy.name!r} starts job {job.id} at {state.now}, but it has started"
    return (
        f"policy {policy.name!r} starts job {job.id} at {state.now}: it needs {job.nodes} nodes "
        f"and {state.free} are free"
    )
