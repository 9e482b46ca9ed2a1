"""Slack-based backfilling: a promise that may slip, but only so far."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from shadowtime.errors import InputError
from shadowtime.policies.base import State, Waiting
from shadowtime.policies.conservative import Conservative
from shadowtime.policies.depth import profile_of
from shadowtime.profile import Profile
from shadowtime.schedule import Decision
from shadowtime.workload import Seconds

WITHIN = "it delays others, but none beyond its deadline"


class SlackBased(Conservative):
    """Promise every job a start, and let others delay it within its slack.

    A job's reservation is made when it is submitted, as in conservative backfilling. The promised
    start and the job's slack make its deadline. A job that fits may then start at once if all
    others can be planned anew, in the order of their reservations, each by its deadline. With no
    slack no promise slips, and there is still more freedom than under conservative backfilling: a
    reservation that compression has brought forward may move back to what was promised.

    Parameters
    ----------
    factor : float
        A job's slack in units of the mean wait of the jobs that have started before it came.

    Raises
    ------
    InputError
        If `factor` is negative.

    References
    ----------
    D. Talby and D. G. Feitelson, "Supporting Priorities and Improving Utilization of the IBM SP
    Scheduler Using Slack-Based Backfilling", IPPS/SPDP 1999, doi:10.1109/IPPS.1999.760525. Theirs
    chooses, by a cost function, among several plans in which a new job is put, and slack depends
    on priorities; this one keeps the slack, takes the first plan that meets all deadlines, and
    knows no priorities.

    Examples
    --------
    >>> from shadowtime import Job, Workload, simulate
    >>> jobs = [
    ...     Job(1, 0, 8, 30, 30),
    ...     Job(2, 0, 5, 40, 40),
    ...     Job(3, 31, 6, 90, 90),
    ...     Job(4, 32, 3, 45, 45),
    ... ]
    >>> workload = Workload.from_jobs(jobs, machine_nodes=8)
    >>> simulate(workload, SlackBased(0)).start
    [0, 30, 70, 160]
    >>> simulate(workload, SlackBased(1)).start
    [0, 30, 77, 32]
    """

    def __init__(self, factor: float = 1) -> None:
        if not factor >= 0:
            raise InputError(f"factor = {factor}; it must not be negative")
        self.factor = factor
        super().__init__()
        self.name = "slack" if factor == 1 else f"slack-{factor}"

    def reset(self, nodes: int) -> None:
        """Begin with an empty machine of `nodes` nodes."""
        super().reset(nodes)
        self.deadline: dict[int, Seconds] = {}
        self.started = 0
        self.waited: Seconds = 0

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        """Do as conservative backfilling does; then start what delays nobody beyond a deadline.

        Parameters
        ----------
        state : State

        Yields
        ------
        tuple of Waiting and Decision
        """
        now = state.now
        slack = self.factor * self.waited / self.started if self.started else 0
        for job, decision in super().decide(state):
            if decision.starts:
                self._note(job, now)
            yield job, decision
        for job in state.arrived:
            if not job.started:
                self.deadline[job.row] = self.promise[job.row] + slack

        for job in state.queue:
            if job.started or job.nodes > state.free or self.promise[job.row] <= now:
                continue
            if self._moved_aside(state, job):
                del self.promise[job.row]
                self._note(job, now)
                yield state.start(job, WITHIN)
        # Whoever is planned anew may have come to be due.
        for job in state.queue:
            if not job.started and self.promise[job.row] <= now and job.nodes <= state.free:
                promise = self.promise.pop(job.row)
                self._note(job, now)
                yield state.start(job, "reservation-due", promise=promise)
        state.wake = min((start for start in self.promise.values() if start > now), default=None)

    def _note(self, job: Waiting, now: Seconds) -> None:
        self.started += 1
        self.waited += now - job.submit
        self.deadline.pop(job.row, None)

    def _moved_aside(self, state: State, job: Waiting) -> bool:
        """Plan all others around `job` starting now; keep the plan if it meets all deadlines."""
        now = state.now
        plan: Profile = profile_of(state)
        if not plan.fits(job.nodes, job.planned):
            return False
        plan.reserve(now, now + job.planned, job.nodes)
        others = [other for other in state.queue if not other.started and other is not job]
        others.sort(key=lambda other: self.promise[other.row])
        promise = {job.row: now}
        for other in others:
            begin = plan.earliest(other.nodes, other.planned)
            limit = max(self.deadline.get(other.row, -inf), self.promise[other.row])
            if begin > limit:
                return False
            plan.reserve(begin, begin + other.planned, other.nodes)
            promise[other.row] = begin
        self.profile, self.promise = plan, promise
        return True
