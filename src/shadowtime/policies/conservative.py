"""Conservative backfilling: a reservation for every job, made when it is submitted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from typing import Literal

from shadowtime.errors import InputError
from shadowtime.kernels import Twin
from shadowtime.policies.base import State, Waiting
from shadowtime.profile import Profile
from shadowtime.schedule import Decision
from shadowtime.workload import Seconds


class Conservative:
    """Promise every job a start when it is submitted, and keep every promise.

    A job's reservation is the earliest instant from which its nodes stay free for its whole
    planned runtime, given the running jobs and every reservation made before. A promise that goes
    by because running jobs outlive their planned ends is broken: that job is promised its
    earliest place among the reservations that stand. When a correction raises a planned end, the
    whole plan is made anew in queue order.

    Parameters
    ----------
    compression : {"queue", "every", "none", "replan"}
        What happens when a job ends before its planned end. ``"queue"``: each waiting job, in
        queue order, is lifted out of the profile and put back at its earliest place, never later
        than before. ``"every"``: the same, and again when a job ends on time, which finds the
        gaps that the last round opened behind itself. ``"none"``: reservations stay where they
        are. ``"replan"``: all reservations are dropped and made anew in queue order, so that a
        promise can slip.

    References
    ----------
    A. W. Mu'alem and D. G. Feitelson (2001), doi:10.1109/71.932708. On the order of compression:
    A. M. Lindsay, M. Galloway-Carson, C. R. Johnson, D. P. Bunde and V. J. Leung, "Backfilling
    with guarantees made as jobs arrive", Concurrency and Computation 25(4), 2013.
    """

    twin = Twin("shadowtime.kernels.conservative", worthwhile=3_000)

    def __init__(self, compression: Literal["queue", "every", "none", "replan"] = "queue") -> None:
        if compression not in ("queue", "every", "none", "replan"):
            raise InputError(
                f"compression = {compression!r}; it is 'queue', 'every', 'none' or 'replan'"
            )
        self.compression = compression
        self.name = "conservative" + ("" if compression == "queue" else f"-{compression}")
        self.reset(0)

    def reset(self, nodes: int) -> None:
        """Begin with an empty machine of `nodes` nodes."""
        self.profile = Profile(nodes, start=-inf)
        self.promise: dict[int, Seconds] = {}

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        """Bring the profile up to now, reserve for new jobs, start the jobs that are due."""
        self._catch_up(state)
        for job in state.arrived:
            self._reserve(job, state.now)
            if not state.explain:
                yield state.wait(job, "reserved", promise=self.promise[job.row])

        wake = None
        for job in state.queue:
            promise = self.promise[job.row]
            if promise <= state.now and job.nodes <= state.free:
                del self.promise[job.row]
                yield state.start(job, "reservation-due", promise=promise)
                continue
            if state.explain:
                rule = "reserved" if promise > state.now else "reservation-late"
                yield state.wait(job, rule, promise=promise)
            if promise > state.now and (wake is None or promise < wake):
                wake = promise
        state.wake = wake

    def _catch_up(self, state: State) -> None:
        """Bring the profile up to what has happened since the last pass."""
        now = state.now
        early = [job for job in state.ended if job.planned_end > now]
        compress = bool(state.ended if self.compression == "every" else early)
        old = [job for job in state.queue if job.row in self.promise]
        if state.corrected:
            self._rebuild(state, old)
            return
        self.profile.advance(now)
        for ended in early:
            self.profile.release(now, ended.planned_end, ended.nodes)
        if compress and self.compression == "replan":
            self._rebuild(state, old)
            return
        forward = compress and self.compression != "none"
        for job in old:
            if self.promise[job.row] < now:
                self._postpone(job, now)
            elif forward:
                self._move_forward(job, now)

    def _rebuild(self, state: State, jobs: Iterable[Waiting]) -> None:
        """Make the profile from the running jobs, and all reservations anew in queue order."""
        self.profile = Profile(state.nodes, state.now)
        for planned_end, _, nodes in state.running:
            self.profile.reserve(state.now, planned_end, nodes)
        for job in jobs:
            self._reserve(job, state.now)

    def _reserve(self, job: Waiting, now: Seconds) -> None:
        start = self.profile.earliest(job.nodes, job.planned, now)
        self.profile.reserve(start, start + job.planned, job.nodes)
        self.promise[job.row] = start

    def _move_forward(self, job: Waiting, now: Seconds) -> None:
        """Lift the job out and put it back at its earliest place, if that is another one."""
        old = self.promise[job.row]
        new = self.profile.earliest(job.nodes, job.planned, now, held=old)
        if new < old:  # where the places overlap nothing changes
            self.profile.reserve(new, min(new + job.planned, old), job.nodes)
            self.profile.release(max(new + job.planned, old), old + job.planned, job.nodes)
            self.promise[job.row] = new

    def _postpone(self, job: Waiting, now: Seconds) -> None:
        """Reserve anew for a job whose promise has passed and was not kept."""
        self.profile.release(now, self.promise[job.row] + job.planned, job.nodes)
        self._reserve(job, now)
