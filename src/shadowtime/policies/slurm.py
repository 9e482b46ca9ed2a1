"""Slurm's two schedulers: the main one at every event, and the backfill cycle in between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from shadowtime.errors import InputError
from shadowtime.nodes import NodePlan, Nodes, first, lowest
from shadowtime.policies import slurm_conf
from shadowtime.policies.base import State, Waiting
from shadowtime.schedule import Decision
from shadowtime.workload import Seconds, Workload

MAIN = "the main scheduler finds its nodes free, and nobody ahead of it waits for that partition"
BLOCKED = "for the main scheduler its partition is closed: a job ahead of it there waits"
FILLS = "the backfill cycle finds nodes for it that stay free until its planned end"
NOW_ONLY = "it cannot start at once, and the settings let it reserve nothing"
BEYOND = "it could start only beyond bf_window, so nothing is reserved"
USER = "bf_max_job_user jobs of its user have been tested in this cycle"
PARTITION = "bf_max_job_part jobs of its partition have been tested in this cycle"


@dataclass
class Cycle:
    """One run of the backfill scheduler, which may pause to let others work."""

    began: Seconds
    pairs: Iterator[tuple[Waiting, str]]
    tested: int = 0
    started: int = 0
    by_user: Counter[Any] = field(default_factory=Counter)
    by_partition: Counter[str] = field(default_factory=Counter)
    reserving: Counter[str] = field(default_factory=Counter)
    booked: set[int] = field(default_factory=set)
    reservations: list[tuple[Seconds, Seconds, Nodes]] = field(default_factory=list)
    resumes: Seconds | None = None


class Slurm:
    """Schedule as ``sched/backfill`` does, with the knobs of ``SchedulerParameters``.

    At each event the *main scheduler* walks the queue in order of priority and starts what fits;
    the first job of a partition that does not fit closes the partition and its nodes. The
    *backfill cycle* then walks the queue from the top: a job starts if nodes can be found that
    stay free until its planned end, and otherwise reserves the nodes that it can have earliest.
    By default it reserves for every job that it tests, which is nearer to conservative backfilling
    than to EASY. A plan lasts for its cycle only; the next one makes its own.

    A cycle begins at the first change (a job submitted, started or ended) that comes `bf_interval`
    after the last one finished, and at that instant if the change came before it. All times are in
    seconds, except where the manual has other units.

    Parameters
    ----------
    bf_window : int
        Minutes ahead; a job that would start later reserves nothing.
    bf_resolution : int
        Seconds to which reservations are rounded, starts down and ends up.
    bf_interval : int
        Seconds from the end of a cycle to the next; -1 for no backfilling at all.
    bf_max_time : int, optional
        Seconds that a cycle may take; `bf_interval` by default.
    bf_max_job_test : int
        Jobs that a cycle tests; a job in several partitions counts once for each.
    bf_max_job_user, bf_max_job_part, bf_max_job_start : int
        Jobs of one user and of one partition that a cycle tests, and jobs that it starts; 0 for no
        limit.
    bf_job_part_count_reserve : int
        How many jobs of a partition may reserve, those of highest priority; 0 for all.
    bf_min_age_reserve : int
        Seconds that a job must have waited before it reserves, or closes its partition.
    bf_min_prio_reserve : int
        The priority that it must have for that.
    bf_continue : bool
        Whether a cycle that paused goes on down its list although something has changed since.
    bf_busy_nodes : bool
        Whether a reservation prefers nodes that are in use now, which leaves idle ones to others.
    bf_one_resv_per_job : bool
        Whether a job that was submitted to several partitions reserves in the first of them only.
    bf_yield_interval, bf_yield_sleep : int
        Microseconds after which a cycle pauses, and how long.
    partitions : mapping of str to iterable of int, optional
        Node numbers of each partition, which may overlap. Jobs name theirs in the workload's
        column ``partition``, several separated by commas. By default there is one, of all nodes.
    test_seconds : float
        What it costs to test one job, in seconds of simulated time. See Notes.

    Raises
    ------
    InputError
        If a value is outside the manual's limits; in a simulation, if the workload lacks a column
        that a knob needs (``user``, ``partition``, ``priority``) or a job has no partition that
        can hold it.

    Notes
    -----
    The cost of a cycle is a model: `test_seconds` for each job tested, whatever the job. Every
    `bf_yield_interval` of that the cycle pauses, for as long as the next `bf_yield_sleep` ends.
    What is decided between two pauses takes effect at the first. If it costs nothing, the default,
    a cycle takes no time, and `bf_max_time` and `bf_continue` change nothing.

    Priority is the workload's column ``priority``, greater first, ties in queue order; without it
    the queue's order. A running job past its planned end counts as ending one `bf_resolution`
    from now. A job takes the free nodes with the lowest numbers.

    References
    ----------
    The manual pages slurm.conf(5), and the source of ``sched/backfill`` where they are silent.

    Examples
    --------
    >>> from shadowtime import Job, Workload, simulate
    >>> jobs = [Job(1, 0, 5, 400, 400), Job(2, 10, 6, 200, 200), Job(3, 20, 3, 300, 300)]
    >>> simulate(Workload.from_jobs(jobs), Slurm(), nodes=8).start
    [0, 400, 30]
    """

    name = "slurm"
    unmodelled: tuple[str, ...] = ()

    def __init__(
        self,
        *,
        bf_window: int = 1440,
        bf_resolution: int = 60,
        bf_interval: int = 30,
        bf_max_time: int | None = None,
        bf_max_job_test: int = 500,
        bf_max_job_user: int = 0,
        bf_max_job_part: int = 0,
        bf_max_job_start: int = 0,
        bf_job_part_count_reserve: int = 0,
        bf_min_age_reserve: int = 0,
        bf_min_prio_reserve: int = 0,
        bf_continue: bool = False,
        bf_busy_nodes: bool = False,
        bf_one_resv_per_job: bool = False,
        bf_yield_interval: int = 2_000_000,
        bf_yield_sleep: int = 500_000,
        partitions: Mapping[str, Iterable[int]] | None = None,
        test_seconds: float = 0,
    ) -> None:
        self.bf_window = bf_window
        self.bf_resolution = bf_resolution
        self.bf_interval = bf_interval
        self.bf_max_time = bf_max_time if bf_max_time is not None else min(abs(bf_interval), 3600)
        self.bf_max_job_test = bf_max_job_test
        self.bf_max_job_user = bf_max_job_user
        self.bf_max_job_part = bf_max_job_part
        self.bf_max_job_start = bf_max_job_start
        self.bf_job_part_count_reserve = bf_job_part_count_reserve
        self.bf_min_age_reserve = bf_min_age_reserve
        self.bf_min_prio_reserve = bf_min_prio_reserve
        self.bf_continue = bf_continue
        self.bf_busy_nodes = bf_busy_nodes
        self.bf_one_resv_per_job = bf_one_resv_per_job
        self.bf_yield_interval = bf_yield_interval
        self.bf_yield_sleep = bf_yield_sleep
        self.partitions = None if partitions is None else _masks(partitions)
        self.test_seconds = test_seconds
        for knob, (least, greatest) in slurm_conf.LIMITS.items():
            value = getattr(self, knob)
            if not (least <= value <= greatest or (knob == "bf_interval" and value == -1)):
                raise InputError(f"{knob} = {value}; it must be from {least} to {greatest}")
        if not test_seconds >= 0:
            raise InputError(f"test_seconds = {test_seconds}; it must not be negative")
        self.reset(0)

    def reset(self, nodes: int) -> None:
        """Begin with an empty machine of `nodes` nodes."""
        self.machine = self.free = first(nodes)
        self.held: dict[int, Nodes] = {}
        self.workload: Workload | None = None
        self.cycle: Cycle | None = None
        self.changed = False
        self.next_cycle: Seconds | None = None

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        """Let the main scheduler run, and the backfill cycle if it is its time."""
        now = state.now
        if self.workload is None:
            self._read(state.workload)
        for ended in state.ended:
            self.free |= self.held.pop(ended.row)
        if (priority := self.priority) is not None:
            state.queue.sort(key=lambda job: (-priority[job.row], job.row))
        changed = bool(state.ended or state.arrived)

        waiting = len(self.held)
        yield from self._main(state)
        changed = changed or len(self.held) > waiting
        self.changed = self.changed or changed

        if self.cycle is not None and changed and not self.bf_continue:
            self._finish(now)
        due = self.next_cycle is None or now >= self.next_cycle
        if self.cycle is None and self.changed and due and self.bf_interval > 0:
            self.changed = False
            queue = list(state.queue)
            pairs = ((job, part) for job in queue for part in self._parts(job))
            self.cycle = Cycle(now, pairs, resumes=now)
        if self.cycle is not None and self.cycle.resumes is not None and self.cycle.resumes <= now:
            yield from self._backfill(state, self.cycle)

        if self.cycle is not None:
            state.wake = self.cycle.resumes
        elif self.changed and self.next_cycle is not None:
            state.wake = self.next_cycle

    def _main(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        """Start jobs in order of priority; one that has to wait closes its partition."""
        closed: Nodes = 0
        shut: set[str] = set()
        for job in state.queue:
            for part in self._parts(job):
                if part in shut:
                    continue
                nodes = lowest(self.free & self.mask[part] & ~closed, job.nodes)
                if nodes:
                    yield self._start(state, job, nodes, MAIN)
                    break
                if self._may_reserve(job, state.now):
                    shut.add(part)
                    closed |= self.mask[part]
            else:
                if state.explain:
                    yield state.wait(job, BLOCKED)
            if len(shut) == len(self.mask) and not state.explain:
                return

    def _backfill(self, state: State, cycle: Cycle) -> Iterator[tuple[Waiting, Decision]]:
        """Test jobs until the list, a limit or the time is at its end, or a pause is due."""
        now, spent = state.now, 0.0
        plan = self._plan(state, cycle)
        for job, part in cycle.pairs:
            if job.started:
                continue
            if self.bf_max_job_user and self.user is not None:
                cycle.by_user[self.user[job.row]] += 1
                if cycle.by_user[self.user[job.row]] > self.bf_max_job_user:
                    if state.explain:
                        yield state.wait(job, USER)
                    continue
            cycle.by_partition[part] += 1
            if 0 < self.bf_max_job_part < cycle.by_partition[part]:
                if state.explain:
                    yield state.wait(job, PARTITION)
                continue
            cycle.tested += 1
            spent += self.test_seconds
            yield from self._test(state, cycle, plan, job, part)
            if (
                cycle.tested == self.bf_max_job_test
                or cycle.started == self.bf_max_job_start > 0
                or now + spent - cycle.began >= self.bf_max_time
            ):
                break
            if spent * 1_000_000 >= self.bf_yield_interval:
                cycle.resumes = now + spent + self.bf_yield_sleep / 1_000_000
                return
        self._finish(now + spent if spent else now)

    def _test(
        self, state: State, cycle: Cycle, plan: NodePlan, job: Waiting, part: str
    ) -> Iterator[tuple[Waiting, Decision]]:
        """Start one job of the list now, or reserve for it if it may."""
        now, allowed, limit = state.now, self.mask[part], self.bf_job_part_count_reserve
        nodes = plan.now(job.nodes, job.planned, lowest, allowed)
        if nodes:
            plan.reserve(now, now + job.planned, nodes)
            cycle.started += 1
            self.changed = True
            yield self._start(state, job, nodes, FILLS)
            return
        if (
            not self._may_reserve(job, now)
            or (self.bf_one_resv_per_job and job.row in cycle.booked)
            or 0 < limit <= cycle.reserving[part]
        ):
            if state.explain:
                yield state.wait(job, NOW_ONLY)
            return
        choose = partial(_busy_first, self.free) if self.bf_busy_nodes else lowest
        begin, nodes = plan.earliest(job.nodes, job.planned, choose, allowed)
        if begin > cycle.began + 60 * self.bf_window:
            if state.explain:
                yield state.wait(job, BEYOND)
            return
        grid = self.bf_resolution
        booking = (begin // grid * grid, -(-(begin + job.planned) // grid) * grid, nodes)
        plan.reserve(*booking)
        cycle.reservations.append(booking)
        cycle.booked.add(job.row)
        cycle.reserving[part] += 1
        if state.explain or job.promise is None:
            yield state.wait(job, "reserved", promise=begin)

    def _plan(self, state: State, cycle: Cycle) -> NodePlan:
        """Return the nodes free over time: running jobs as planned, reservations of this cycle."""
        late = state.now + self.bf_resolution
        ends = sorted(
            (end if end > state.now else late, self.held[row]) for end, row, _ in state.running
        )
        plan = NodePlan(state.now, self.free, ends)
        for booking in cycle.reservations:
            plan.reserve(*booking)
        return plan

    def _finish(self, now: Seconds) -> None:
        self.cycle = None
        self.next_cycle = now + self.bf_interval

    def _start(
        self, state: State, job: Waiting, nodes: Nodes, rule: str
    ) -> tuple[Waiting, Decision]:
        self.free &= ~nodes
        self.held[job.row] = nodes
        return state.start(job, rule)

    def _may_reserve(self, job: Waiting, now: Seconds) -> bool:
        """Whether the job has the age and the priority to keep others waiting."""
        if now - job.submit < self.bf_min_age_reserve:
            return False
        priority = self.priority
        return priority is None or priority[job.row] >= self.bf_min_prio_reserve

    def _parts(self, job: Waiting) -> tuple[str, ...]:
        return self.parts[job.row] if self.parts else ("",)

    def _read(self, workload: Workload) -> None:
        """Take from the workload the columns that the settings need."""
        self.workload = workload
        self.user = workload.extra.get("user")
        self.priority = workload.extra.get("priority")
        if self.bf_max_job_user and self.user is None:
            raise InputError("bf_max_job_user: this workload does not say whose the jobs are")
        if self.bf_min_prio_reserve and self.priority is None:
            raise InputError("bf_min_prio_reserve: this workload has no column 'priority'")
        self.mask = {"": self.machine}
        self.parts: list[tuple[str, ...]] = []
        if self.partitions is None:
            return
        self.mask = self.partitions
        if any(mask & ~self.machine for mask in self.mask.values()):
            raise InputError("partitions: a partition has a node that the machine has not")
        named = workload.extra.get("partition")
        if named is None:
            raise InputError("partitions: this workload has no column 'partition'")
        for row, names in enumerate(named):
            parts = tuple(str(names).split(","))
            for part in parts:
                if part not in self.mask or self.mask[part].bit_count() < workload.nodes[row]:
                    raise InputError(
                        f"job {workload.id[row]}: partition = {part!r} cannot hold it; there are "
                        + ", ".join(f"{name} ({m.bit_count()})" for name, m in self.mask.items())
                    )
            self.parts.append(parts)


def from_conf(
    text: str,
    *,
    partitions: Mapping[str, Iterable[int]] | None = None,
    test_seconds: float = 0,
) -> Slurm:
    """Make the policy that a line of ``slurm.conf`` asks for.

    Parameters
    ----------
    text : str
        A line ``SchedulerParameters=...``, or the whole file, of which only such lines and
        ``SchedulerType`` are read. ``sched/builtin`` does not backfill.
    partitions : mapping of str to iterable of int, optional
        As for :class:`Slurm`.
    test_seconds : float
        As for :class:`Slurm`.

    Returns
    -------
    Slurm
        Its attribute `unmodelled` names, a phrase each, what the text sets and the model has not.

    Raises
    ------
    InputError
        If nothing of the kind is in the text, or a value is outside the manual's limits.

    Examples
    --------
    >>> policy = from_conf("SchedulerParameters=bf_window=2880,bf_continue,defer,bf_widow=1")
    >>> policy.bf_window, policy.bf_continue, policy.bf_interval
    (2880, True, 30)
    >>> policy.unmodelled
    ('defer is not modelled', "bf_widow=1 is not known to Slurm's manual")
    """
    knobs, unmodelled = slurm_conf.read(text)
    options: dict[str, Any] = knobs
    policy = Slurm(**options, partitions=partitions, test_seconds=test_seconds)
    policy.unmodelled = unmodelled
    return policy


def _masks(partitions: Mapping[str, Iterable[int]]) -> dict[str, Nodes]:
    return {name: sum(1 << node for node in set(nodes)) for name, nodes in partitions.items()}


def _busy_first(idle: Nodes, free: Nodes, count: int) -> Nodes:
    """Take nodes that are in use now before idle ones."""
    busy = free & ~idle
    short = count - busy.bit_count()
    if short <= 0:
        return lowest(busy, count)
    rest = lowest(free & idle, short)
    return busy | rest if rest else 0
