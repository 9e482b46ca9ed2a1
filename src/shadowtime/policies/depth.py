"""Backfilling of any depth: reservations for the first few jobs that have to wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf

from shadowtime.errors import InputError
from shadowtime.kernels import Twin
from shadowtime.policies.base import State, Stateless, Waiting
from shadowtime.profile import Profile
from shadowtime.schedule import Decision

KEEPS = "all reservations are kept"
BREAKS = "it fits, but not until its planned end without moving a reservation"


def profile_of(state: State) -> Profile:
    """Return the free nodes over time if the running jobs end as planned.

    Parameters
    ----------
    state : State

    Returns
    -------
    Profile

    Examples
    --------
    >>> list(profile_of(State(8)))
    [(0, 8)]
    """
    ends = ((planned_end, nodes) for planned_end, _, nodes in state.running)
    return Profile.of_releases(state.now, state.free, ends)


def backfill(
    state: State, may_reserve: Callable[[Waiting], bool], at_most: float = inf
) -> Iterator[tuple[Waiting, Decision]]:
    """Walk the queue once: start what delays no reservation, and reserve for whom it is due.

    Parameters
    ----------
    state : State
    may_reserve : callable
        ``(blocked job) -> bool``, whether it holds a reservation.
    at_most : float
        How many do.

    Yields
    ------
    tuple of Waiting and Decision
    """
    now, reserved = state.now, 0
    plan: Profile | None = None
    for job in state.queue:
        if plan is None:
            if job.nodes <= state.free:
                yield state.start(job, "head-fits")
                continue
            plan = profile_of(state)
        if job.nodes <= state.free and plan.fits(job.nodes, job.planned):
            plan.reserve(now, now + job.planned, job.nodes)
            yield state.start(job, KEEPS if reserved else "fits")
        elif reserved < at_most and may_reserve(job):
            reserved += 1
            begin = plan.earliest(job.nodes, job.planned)
            plan.reserve(begin, begin + job.planned, job.nodes)
            if state.explain or job.promise is None:
                yield state.wait(job, "reserved", promise=begin)
        elif state.explain:
            yield state.wait(job, "too-wide" if job.nodes > state.free else BREAKS)
        elif reserved >= at_most and not state.free:
            return


class Depth(Stateless):
    """Reserve for the first `reservations` blocked jobs, and start whatever delays none of them.

    The plan is made anew in each pass, in queue order. None reserved is first fit, one is EASY,
    and all is conservative backfilling that replans. Only the head's reservation never moves to
    a later time; those behind it can, because a job that ends early changes the plan before them.

    Parameters
    ----------
    reservations : int or float
        How many jobs hold a reservation; ``math.inf`` for all.

    Raises
    ------
    InputError
        If `reservations` is not a whole number of 0 or more, or ``math.inf``.

    References
    ----------
    The knob is RESERVATIONDEPTH in Maui and backfill_depth in PBS. On what lies between the two
    ends: S.-H. Chiang, A. Arpaci-Dusseau and M. K. Vernon, "The Impact of More Accurate Requested
    Runtimes on Production Job Scheduling Performance", JSSPP 2002, doi:10.1007/3-540-36180-4_7.

    Examples
    --------
    >>> from shadowtime import Job, Workload, simulate
    >>> jobs = [
    ...     Job(1, 0, 5, 40, 40),
    ...     Job(2, 1, 6, 20, 20),
    ...     Job(3, 2, 8, 9, 9),
    ...     Job(4, 3, 2, 60, 60),
    ... ]
    >>> workload = Workload.from_jobs(jobs)
    >>> simulate(workload, Depth(1), nodes=8).start
    [0, 40, 63, 3]
    >>> simulate(workload, Depth(2), nodes=8).start
    [0, 40, 60, 69]
    """

    twin = Twin("shadowtime.kernels.depth", worthwhile=5_000)

    def __init__(self, reservations: float = 1) -> None:
        if not (reservations == inf or (reservations >= 0 and reservations == int(reservations))):
            raise InputError(f"reservations = {reservations}; it is 0, 1, 2, ... or math.inf")
        self.reservations = reservations
        self.name = f"depth-{'all' if reservations == inf else int(reservations)}"

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        """Start heads while they fit; then reserve, or start what delays no reservation.

        Parameters
        ----------
        state : State

        Yields
        ------
        tuple of Waiting and Decision
        """
        return backfill(state, lambda _job: True, self.reservations)
