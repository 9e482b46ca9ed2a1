"""Predictors that learn while the schedule is made.

A prediction from a table was made beforehand. A predictor of this module is asked when a job is
submitted to the simulated machine, and has seen the jobs that have ended there by then, no others:
under another policy other jobs have ended, and it says something else. Pass one to
:func:`shadowtime.simulate` as `planned`.

Nothing here but the standard library.
"""

from __future__ import annotations

from bisect import insort
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from shadowtime.errors import InputError
from shadowtime.workload import Seconds, Workload


@runtime_checkable
class Predictor(Protocol):
    """Says how long a job will run, and learns how long jobs ran.

    Attributes
    ----------
    renews : bool
        Whether it is asked again about every job that waits, once jobs have ended.
    """

    renews: bool

    def reset(self, workload: Workload) -> None:
        """Forget the last simulation; called once before each."""
        ...

    def predict(self, row: int) -> Seconds:
        """Return the planned runtime of the job at `row`, which is being submitted.

        More than 0, in the workload's unit. At one instant jobs end before others are submitted.
        """
        ...

    def learn(self, row: int, ran: Seconds) -> None:
        """Take note that the job at `row` has ended, after `ran` on the machine."""
        ...


class Last2:
    """Plan a job with the mean of its user's last two runs, and no longer than requested.

    Parameters
    ----------
    count : int
        How many runs make the mean: those submitted last among the user's jobs that have ended.
        With fewer ended, those; with none, the request.
    renews : bool
        Whether a job that waits is planned anew when jobs have ended, instead of once and for all
        when it is submitted.

    Raises
    ------
    InputError
        If `count` is less than 1.

    Notes
    -----
    With shortest-first backfilling and a correction for predictions that run out this is the
    EASY++ of Tsafrir, Etsion and Feitelson. That its parts learn from the schedule they make is as
    in theirs; in what order runs count as the last, and when a plan is renewed, differs among
    programs that bear the name.

    References
    ----------
    D. Tsafrir, Y. Etsion and D. G. Feitelson, "Backfilling using system-generated
    predictions rather than user runtime estimates", IEEE Transactions on Parallel and
    Distributed Systems 18(6), 2007, doi:10.1109/TPDS.2007.70606.

    Examples
    --------
    >>> from shadowtime import Job, Workload, simulate
    >>> jobs = [
    ...     Job(1, 0, 8, 600, 100, user="ann"),
    ...     Job(2, 50, 4, 600, 300, user="ann"),
    ...     Job(3, 150, 6, 600, 100, user="ann"),
    ... ]
    >>> w = Workload.from_jobs(jobs, machine_nodes=8)
    >>> s = simulate(w, "easy-sjbf", planned=Last2(), correction="increments", decisions=True)
    >>> [decision.planned for decision in s.decisions if decision.starts]
    [600, 600, 100.0]
    """

    def __init__(self, count: int = 2, *, renews: bool = False) -> None:
        if count < 1:
            raise InputError(f"count = {count}; it must be 1 or more")
        self.count = count
        self.renews = renews

    def reset(self, workload: Workload) -> None:
        """Forget all runs.

        Raises
        ------
        InputError
            If the workload does not say whose the jobs are.
        """
        if "user" not in workload.extra:
            raise InputError("this workload does not say whose the jobs are (no column 'user')")
        self.user: Sequence[Any] = workload.extra["user"]
        self.estimate = workload.estimate
        self.runs: defaultdict[Any, list[tuple[int, Seconds]]] = defaultdict(list)

    def predict(self, row: int) -> Seconds:
        """Return the mean of the last runs, at most the request."""
        runs, request = self.runs[self.user[row]], self.estimate[row]
        if not runs:
            return request
        # Runs that ended at once are no reason to plan with nothing.
        return min(sum(ran for _, ran in runs) / len(runs) or 1, request)

    def learn(self, row: int, ran: Seconds) -> None:
        """Remember the run, and forget the one submitted first if there are too many."""
        runs = self.runs[self.user[row]]
        insort(runs, (row, ran))
        if len(runs) > self.count:
            del runs[0]
