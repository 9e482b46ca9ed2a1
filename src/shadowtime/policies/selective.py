"""Selective reservations: a job gets one when it has waited long for its length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from shadowtime.errors import InputError
from shadowtime.policies.base import State, Waiting
from shadowtime.policies.depth import backfill
from shadowtime.schedule import Decision
from shadowtime.workload import Seconds


def expansion(job: Waiting, now: Seconds) -> float:
    """Return the slowdown that the job would have if it started now and ran as planned.

    Parameters
    ----------
    job : Waiting
    now : int or float

    Returns
    -------
    float
        1 for a job that has not waited.

    Examples
    --------
    >>> expansion(Waiting(0, 1, submit=100, nodes=4, planned=60), now=160)
    2.0
    """
    return (now - job.submit + job.planned) / job.planned


class Selective:
    """Reserve for those blocked jobs whose expansion factor has reached a threshold.

    Few reservations leave room for backfilling, as in EASY, and whoever is about to starve gets
    one, as in conservative backfilling. The plan is made anew in each pass, in queue order. A
    threshold of 1 reserves for every job, an infinite one for none.

    Parameters
    ----------
    threshold : float or "adaptive"
        The expansion factor, 1 + wait / planned runtime, from which on a job holds a reservation;
        or the mean of the factors with which jobs have started so far.

    Raises
    ------
    InputError
        If `threshold` is neither 1 or more nor ``"adaptive"``.

    References
    ----------
    S. Srinivasan, R. Kettimuthu, V. Subramani and P. Sadayappan, "Selective Reservation Strategies
    for Backfill Job Scheduling", JSSPP 2002, doi:10.1007/3-540-36180-4_4. Their adaptive threshold
    is the mean slowdown of the jobs that have completed; here it is what a scheduler has known of
    those that have started, which needs no memory of runtimes.

    Examples
    --------
    >>> from shadowtime import Job, Workload, simulate
    >>> jobs = [Job(1, 0, 5, 40, 40), Job(2, 1, 6, 90, 90), Job(3, 2, 3, 60, 60)]
    >>> workload = Workload.from_jobs(jobs, machine_nodes=8)
    >>> simulate(workload, Selective(1)).start
    [0, 40, 130]
    >>> simulate(workload, Selective(2)).start
    [0, 62, 2]
    """

    def __init__(self, threshold: float | Literal["adaptive"] = 2) -> None:
        known = threshold == "adaptive" if isinstance(threshold, str) else threshold >= 1
        if not known:
            raise InputError(f"threshold = {threshold!r}; it is 1 or more, or 'adaptive'")
        self.threshold = threshold
        self.name = "selective" if threshold == 2 else f"selective-{threshold}"
        self.reset(0)

    def reset(self, _nodes: int) -> None:
        """Forget the jobs that have started."""
        self.started = 0
        self.total = 0.0

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        """Start what delays no reservation, and reserve for those who have waited long.

        Parameters
        ----------
        state : State

        Yields
        ------
        tuple of Waiting and Decision
        """
        now = state.now
        if self.threshold == "adaptive":
            threshold = self.total / self.started if self.started else 1
        else:
            threshold = self.threshold
        for job, decision in backfill(state, lambda job: expansion(job, now) >= threshold):
            if decision.starts:
                self.started += 1
                self.total += expansion(job, now)
            yield job, decision
