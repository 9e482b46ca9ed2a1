"""Exercises of chapter 6, in production."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

from shadowtime.coursework.framework import (
    NODES,
    CheckFailed,
    Counterexample,
    Trials,
    exercise,
    fail,
    heads_are_promised,
    promises_hold,
    workload,
)
from shadowtime.engine import simulate
from shadowtime.machine import Machine
from shadowtime.nodes import first
from shadowtime.policies import Policy, Slurm, State, Waiting, slurm
from shadowtime.schedule import Decision, Schedule
from shadowtime.workload import Job, Seconds, Workload

RULES = {
    "fcfs": "fcfs",
    "first-fit": "first-fit",
    "easy": "easy",
    "conservative": "conservative-replan",
}
"""What a line can come to. Slurm's plan is made anew in each cycle."""

DECIDING = (
    "",
    "bf_max_job_test=1",
    "bf_job_part_count_reserve=1",
    "bf_min_age_reserve=2592000",
    "bf_window=1",
    "bf_interval=-1",
)
"""Parameters of which each makes another rule of the line."""

ASIDE = (
    "bf_continue",
    "bf_max_job_start=0",
    "bf_one_resv_per_job",
    "bf_yield_sleep=1000000",
    "defer",
    "max_rpc_cnt=150",
)
"""Parameters that change nothing where a cycle takes no time and there is one partition."""

MARGIN = 1.02
"""Another choice among the gaps costs less than this, and half of a rule costs more."""


def scaled(jobs: Workload, seconds: int) -> Workload:
    """Return the jobs with all times multiplied, for policies that know seconds alone."""
    columns = {"submit": jobs.submit, "estimate": jobs.estimate, "runtime": jobs.runtime}
    return jobs.replace(
        **{name: [time * seconds for time in column] for name, column in columns.items()}
    )


@exercise("resolution")
def resolution(function: Callable[[int, int, int], Sequence[int]], trials: Trials) -> None:
    """Write ``function(start, duration, resolution)``: from when until when the plan holds nodes.

    A job could have its nodes from `start` on, and is planned for `duration`. All in seconds.
    """
    random = trials.random
    for _ in range(trials.count):
        grid = random.choice((60, 300, 600, 3600))
        start = grid * random.randint(1, 4) + random.choice((0, 0, 1, grid // 2, grid - 1))
        duration = grid * random.randint(0, 3) + random.choice((0, 1, grid // 2, grid - 1)) or grid
        begin, end = function(start, duration, grid)
        case = f"start {start}, duration {duration}, resolution {grid}"
        if not begin > 0:
            fail(f"{case}: the plan does not hold the nodes from {begin} on")
        ahead = [Job(1, 0, 4, start, start), Job(2, 0, 8, duration, duration)]
        for planned, passes in ((begin, True), (begin + 1, False)):
            schedule = _on_grid([*ahead, Job(3, 0, 4, planned, planned)], grid)
            if (schedule.start[2] == 0) is not passes:
                raise Counterexample(
                    f"{case}: job 3, planned for {planned}, {'may not' if passes else 'may'} pass "
                    f"job 2, so the nodes are held from {'before' if passes else 'after'} {begin}",
                    schedule.workload,
                    schedule,
                )
        schedule = _on_grid([*ahead, Job(3, 0, 8, grid, grid)], grid)
        if (promise := schedule.first_reservation[2]) != end:
            raise Counterexample(
                f"{case}: job 3 is promised the whole machine from {promise}, so the nodes are "
                f"held until then and not until {end}",
                schedule.workload,
                schedule,
            )


def _on_grid(jobs: list[Job], grid: int) -> Schedule:
    found = Workload.from_jobs(jobs, machine_nodes=NODES, name="resolution")
    return simulate(found, Slurm(bf_resolution=grid, bf_window=43_200))


@exercise("bf-window")
def bf_window(function: Callable[[Workload], int], trials: Trials) -> None:
    """Write ``function(jobs)``: the least ``bf_window`` that protects the head of the queue.

    In minutes, while the times of the jobs are seconds. Whatever the order in which jobs with the
    limits of these may come, the plan reaches to the start of the head. Runtimes are not known.
    """
    random = trials.random
    for small in trials:
        jobs = scaled(small, random.choice((20, 30, 45, 100, 600)))
        minutes = function(jobs)
        if minutes != int(minutes) or not 1 <= minutes <= 43_200:
            fail(f"bf_window = {minutes}; it takes whole minutes from 1 to 43200")
        heads_are_promised(simulate(jobs, _window(minutes)))
        longest = max(jobs.estimate)
        wide = simulate(besieged(longest), _window(minutes))
        if wide.start[2] > longest:
            raise Counterexample(
                f"the longest limit is {longest} s; with bf_window={minutes} job 3 has no "
                f"reservation when job 4 is tested, and starts at {wide.start[2]}",
                wide.workload,
                wide,
            )
        if minutes > 1:
            less = simulate(besieged(longest), _window(minutes - 1))
            if less.start[2] <= longest:
                raise Counterexample(
                    f"the longest limit is {longest} s; a plan of {minutes - 1} minutes protects "
                    f"job 3 as well as your {minutes}",
                    less.workload,
                    less,
                )


def _window(minutes: int) -> Slurm:
    return Slurm(bf_window=int(minutes), bf_interval=1)


def besieged(longest: Seconds) -> Workload:
    """Return jobs of one limit, but for a wide one that all others pass if nothing protects it.

    Parameters
    ----------
    longest : int or float
        The limit, in seconds.

    Examples
    --------
    >>> for minutes in (10, 59, 60):
    ...     print(simulate(besieged(3600), Slurm(bf_window=minutes, bf_interval=1)).start[2])
    9000
    3601
    3600
    """
    half = max(1, longest // 2)
    narrow = [Job(number, 1, 3, longest, longest) for number in (5, 6, 7)]
    return Workload.from_jobs(
        [
            Job(1, 0, 4, longest, longest),
            Job(2, 0, 3, longest, half),
            Job(3, 1, NODES, 60, 60),
            Job(4, 1, 1, longest, longest),
            *narrow,
        ],
        machine_nodes=NODES,
        name="besieged",
    )


@exercise("conf-line")
def conf_line(function: Callable[[str], str], trials: Trials) -> None:
    """Write ``function(line)``: to which of :data:`RULES` the ``SchedulerParameters`` come.

    It is the rule that most often gives the same starts, where there is one partition, estimates
    are exact and all times are multiples of two minutes. A reservation of Slurm names its nodes, so
    now and then the starts are those of no rule; ``bf_busy_nodes``, which is set, makes that rare.
    """
    random = Random(trials.seed)
    lines = ["SchedulerParameters=bf_busy_nodes,bf_one_resv_per_job"]
    for deciding in DECIDING * 2:
        others = random.sample(ASIDE, random.randint(0, 3))
        chosen = [each for each in ("bf_busy_nodes", deciding, *others) if each]
        random.shuffle(chosen)
        lines.append("SchedulerParameters=" + ",".join(chosen))
    jobs = [
        scaled(workload(random, 1 + trial * 14 // trials.count, exact=True), 120)
        for trial in range(trials.count)
    ]
    starts = {rule: [simulate(each, name).start for each in jobs] for rule, name in RULES.items()}
    for line in lines:
        mine = function(line)
        if mine not in RULES:
            fail(f"{line}: {mine!r}; it is one of {', '.join(RULES)}")
        policy = slurm.from_conf(line)
        found = [simulate(each, policy) for each in jobs]
        same = {
            rule: [one.start == other for one, other in zip(found, starts[rule], strict=True)]
            for rule in RULES
        }
        right = max(RULES, key=lambda rule: sum(same[rule]))
        if sum(same[mine]) == sum(same[right]):
            continue
        trial = next(at for at in range(len(jobs)) if same[right][at] > same[mine][at])
        for job, start, other in zip(
            jobs[trial], found[trial].start, starts[mine][trial], strict=True
        ):
            if start != other:
                raise Counterexample(
                    f"{line}: job {job.id} starts at {start}, under {mine} at {other}",
                    jobs[trial],
                    found[trial],
                )


class _Watched:
    """Passes on what a policy decides; it is the policy itself that plays, and not a copy."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.name = policy.name

    def reset(self, nodes: int) -> None:
        self.policy.reset(nodes)

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        return self.policy.decide(state)


def replay(policy: Any, jobs: Workload) -> Schedule:
    """Return the schedule of a policy that places jobs, with the nodes that it chose.

    Parameters
    ----------
    policy : Policy
        Its dictionary ``placed`` holds the first node of each job, by row.
    jobs : Workload

    Returns
    -------
    Schedule

    Raises
    ------
    Counterexample
        If a job has no place, or one that another holds.
    """
    schedule = simulate(jobs, _Watched(policy), NODES)
    placed: dict[int, int] = getattr(policy, "placed", {})
    for row, job in enumerate(jobs):
        if row not in placed:
            raise Counterexample(
                f"job {job.id} starts, and placed has no entry for its row, {row}", jobs, schedule
            )
        if not 0 <= placed[row] <= NODES - job.nodes:
            raise Counterexample(
                f"job {job.id} is put on nodes {placed[row]} to {placed[row] + job.nodes - 1}; "
                f"there are 0 to {NODES - 1}",
                jobs,
                schedule,
            )
    schedule.placement = [first(job.nodes) << placed[row] for row, job in enumerate(jobs)]
    for one, other in combinations(range(len(jobs)), 2):
        both = schedule.placement[one] & schedule.placement[other]
        since = max(schedule.start[one], schedule.start[other])
        if both and since < min(schedule.end[one], schedule.end[other]):
            raise Counterexample(
                f"from {since} on jobs {jobs.id[one]} and {jobs.id[other]} both hold node "
                f"{both.bit_length() - 1}",
                jobs,
                schedule,
            )
    return schedule


@exercise("neighbors")
def neighbors(policy: Any, trials: Trials) -> None:
    """Write a policy for a machine on which a job needs neighboring nodes.

    Its dictionary ``placed`` holds the first node of each job that it has started, by ``job.row``.
    On workloads with exact estimates no two jobs ever hold one node, no job starts after its first
    promise, and none is passed at the head of the queue without one. Over all workloads the waits
    come to at most :data:`MARGIN` of what EASY makes of them on the same machine.
    """
    if any(kind.__module__.startswith("shadowtime.policies.placed") for kind in type(policy).mro()):
        fail(f"{type(policy).__name__} places jobs as the package does; write your own")
    machine = Machine(NODES, "contiguous")
    mine = easy = 0.0
    for jobs in trials:
        exact = jobs.replace(estimate=jobs.runtime)
        schedule = replay(policy, exact)
        promises_hold(schedule)
        heads_are_promised(schedule)
        mine += sum(schedule.wait())
        easy += sum(simulate(exact, "easy", machine).wait())
    if mine > MARGIN * easy:
        raise CheckFailed(
            f"all waits together are {mine:.0f} minutes; EASY on this machine comes to {easy:.0f}, "
            f"and you may have {MARGIN * easy:.0f}"
        )
