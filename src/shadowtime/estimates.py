"""What if users had requested other run times? Changes of a workload's estimates.

Each function returns a new workload in which the estimates differ, and leaves the given one as it
is. Where a workload's times are whole numbers its estimates stay whole. A run time that passes its
new estimate is a matter of the overrun rule of :func:`shadowtime.simulate`. To compare requests for
the same work, pass the workload through :func:`kill_overruns` first.

Nothing here but the standard library; randomness is a :class:`random.Random` passed in.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from random import Random
from typing import Any, Literal

from shadowtime.errors import InputError
from shadowtime.workload import Seconds, Workload

MINUTE, HOUR = 60, 3600
ROUND_VALUES = tuple(
    [MINUTE * m for m in (5, 10, 15, 20, 30)]
    + [HOUR * h for h in (1, 2, 3, 4, 5, 6, 8, 10, 12, 18, 24, 36, 48, 72, 96)]
)
"""Twenty round times, in seconds, of the kind that most users request."""


def kill_overruns(workload: Workload) -> Workload:
    """Shorten each run time that passes its estimate to the estimate.

    Under the kill rule the schedule stays the same. After it, longer estimates no longer give a
    job more to do, so that schedules with other estimates do the same work.

    Examples
    --------
    >>> from shadowtime import Job
    >>> list(kill_overruns(Workload.from_jobs([Job(1, 0, 4, 100, 140)])).runtime)
    [100]
    """
    pairs = zip(workload.runtime, workload.estimate, strict=True)
    return workload.replace(runtime=[min(pair) for pair in pairs])


def exact(workload: Workload) -> Workload:
    """Set each estimate to the run time.

    A run time of 0 is requested as 1, or as it was if that is less: no estimate may be 0.

    Examples
    --------
    >>> from shadowtime import Job
    >>> list(exact(Workload.from_jobs([Job(1, 0, 4, 100, 80), Job(2, 0, 1, 60, 0)])).estimate)
    [80, 1]
    """
    return workload.replace(estimate=_run_times(workload))


def scale(workload: Workload, factor: float) -> Workload:
    """Multiply all estimates by `factor`; whole estimates are rounded, to 1 or more.

    Parameters
    ----------
    workload : Workload
    factor : float
        2 for the doubling that often helps EASY (Zotkin and Keleher).

    Returns
    -------
    Workload

    Raises
    ------
    InputError
        If `factor` is not a positive number.

    References
    ----------
    D. Zotkin and P. J. Keleher, "Job-length estimation and performance in backfilling
    schedulers", IEEE International Symposium on High Performance Distributed Computing, 1999.

    Examples
    --------
    >>> from shadowtime import Job
    >>> list(scale(Workload.from_jobs([Job(1, 0, 4, 100, 80)]), 2).estimate)
    [200]
    """
    whole = _rounding(workload, round)
    _positive(factor, "factor")
    return workload.replace(estimate=[whole(estimate * factor) for estimate in workload.estimate])


def pad(workload: Workload, user: Any, factor: float) -> Workload:
    """Multiply the estimates of one user's jobs by `factor`: the padding game.

    Parameters
    ----------
    workload : Workload
        With an extra column ``user``.
    user : int or str
        As in that column.
    factor : float

    Returns
    -------
    Workload

    Raises
    ------
    InputError
        If `factor` is not a positive number, or no job is of that user.

    Examples
    --------
    >>> from shadowtime import Job
    >>> jobs = [Job(1, 0, 4, 100, 80, user="ann"), Job(2, 0, 4, 100, 80, user="bob")]
    >>> list(pad(Workload.from_jobs(jobs), "bob", 3).estimate)
    [100, 300]
    """
    whole = _rounding(workload, round)
    _positive(factor, "factor")
    users = _users(workload)
    if user not in users:
        raise InputError(f"user = {user!r}; no job of this workload is theirs")
    pairs = zip(workload.estimate, users, strict=True)
    return workload.replace(
        estimate=[whole(estimate * factor) if who == user else estimate for estimate, who in pairs]
    )


def round_up(workload: Workload, values: Iterable[Seconds] = ROUND_VALUES) -> Workload:
    """Raise each estimate to the next of the values that users choose among.

    Parameters
    ----------
    workload : Workload
    values : iterable of numbers
        Times that users choose; an estimate above all of them stays.

    Returns
    -------
    Workload

    Raises
    ------
    InputError
        If a value is not a positive number.

    Examples
    --------
    >>> from shadowtime import Job
    >>> jobs = [Job(1, 0, 4, 250, 80), Job(2, 0, 4, 300, 80), Job(3, 0, 4, 7000, 80)]
    >>> list(round_up(Workload.from_jobs(jobs), [300, 3600]).estimate)
    [300, 300, 7000]
    """
    choices = sorted(values)
    for value in choices:
        _positive(value, "value")

    def choose(estimate: Seconds) -> Seconds:
        place = bisect_left(choices, estimate)
        return choices[place] if place < len(choices) else estimate

    return workload.replace(estimate=map(choose, workload.estimate))


def f_model(workload: Workload, f: float, rng: Random) -> Workload:
    """Draw each estimate uniformly between the run time and (`f` + 1) times the run time.

    Parameters
    ----------
    workload : Workload
    f : float
        Badness of the estimates: with 0 they equal the run times, as from :func:`exact`.
    rng : random.Random
        One number is drawn for each job, in workload order, so that a generator in the same state
        gives every job the same place in its range whatever `f` is.

    Returns
    -------
    Workload
        Whole estimates are rounded up.

    Raises
    ------
    InputError
        If `f` is negative or not a number.

    References
    ----------
    D. G. Feitelson and A. M. Weil, "Utilization and predictability in scheduling the IBM SP2
    with backfilling", International Parallel Processing Symposium, 1998.

    Examples
    --------
    >>> from shadowtime import Job
    >>> w = Workload.from_jobs([Job(1, 0, 4, 100, 80)])
    >>> 80 <= f_model(w, 2, Random(1)).estimate[0] <= 240
    True
    """
    if not 0 <= f < math.inf:
        raise InputError(f"f = {f}; it must be 0 or greater")
    whole = _rounding(workload, math.ceil)
    return workload.replace(
        estimate=[whole(runtime * (1 + f * rng.random())) for runtime in _run_times(workload)]
    )


def cap(
    workload: Workload,
    *,
    limit: Seconds | None = None,
    multiple_of_mean: float | None = None,
    of: Literal["user", "all"] = "user",
    ends: Sequence[Seconds] | None = None,
) -> Workload:
    """Cut estimates that are above a limit, or far above what jobs were seen to need.

    Parameters
    ----------
    workload : Workload
    limit : number, optional
        A site's limit, in the workload's unit.
    multiple_of_mean : float, optional
        Instead of a limit: cut a job's estimate at this many times the mean run time of the jobs
        that had ended when it was submitted. The estimate stays if there are none.
    of : {"user", "all"}
        Whose jobs make that mean: those of the job's own user, or everyone's. With ``"user"``,
        jobs whose user is unknown keep their estimates.
    ends : sequence of numbers, shape (jobs,), optional
        When each job ended, such as the ``end`` of a schedule. By default each job counts as ended
        at submit + wait + runtime, with the wait that the log recorded, or none.

    Returns
    -------
    Workload
        No estimate is above the given workload's. Whole estimates are rounded up.

    Raises
    ------
    InputError
        If not exactly one of `limit` and `multiple_of_mean` is given, it is not a positive number,
        or users are asked for and the workload has none.

    Notes
    -----
    A run counts for the mean with the lesser of run time and given estimate, which is what it took
    under the kill rule. A job whose run time passes the cut estimate is killed there, if that is
    the rule: the price of a tight cap.

    Examples
    --------
    >>> from shadowtime import Job
    >>> jobs = [Job(1, 0, 4, 900, 10), Job(2, 5, 4, 900, 40), Job(3, 60, 4, 900, 30)]
    >>> list(cap(Workload.from_jobs(jobs), multiple_of_mean=2, of="all").estimate)
    [900, 900, 50]
    """
    if (limit is None) == (multiple_of_mean is None):
        raise InputError("cap needs either limit or multiple_of_mean")
    if limit is not None:
        _positive(limit, "limit")
        return workload.replace(estimate=[min(estimate, limit) for estimate in workload.estimate])
    assert multiple_of_mean is not None  # noqa: S101
    _positive(multiple_of_mean, "multiple_of_mean")
    whole = _rounding(workload, math.ceil)
    return workload.replace(
        estimate=[
            min(estimate, whole(mean * multiple_of_mean)) if mean else estimate
            for estimate, mean in zip(
                workload.estimate, _past_means(workload, of, ends), strict=True
            )
        ]
    )


def _past_means(
    workload: Workload, of: str, ends: Sequence[Seconds] | None
) -> Iterable[float | None]:
    """Yield for each job the mean run time of jobs that had ended at its submit, or None."""
    if of not in {"user", "all"}:
        raise InputError(f"of = {of!r}; it is 'user' or 'all'")
    groups: Sequence[Any] = _users(workload) if of == "user" else [True] * len(workload)
    waits = workload.extra.get("wait") or [0] * len(workload)
    if ends is not None and len(ends) != len(workload):
        raise InputError(f"ends has {len(ends)} values for {len(workload)} jobs")
    total: defaultdict[Any, Seconds] = defaultdict(int)
    count: defaultdict[Any, int] = defaultdict(int)
    running: list[tuple[Seconds, int]] = []
    table = zip(workload.submit, workload.runtime, workload.estimate, strict=True)
    took = [min(runtime, estimate) for _, runtime, estimate in table]
    for row, submit in enumerate(workload.submit):
        while running and running[0][0] <= submit:
            _, ended = heappop(running)
            total[groups[ended]] += took[ended]
            count[groups[ended]] += 1
        group = groups[row]
        yield total[group] / count[group] if group is not None and count[group] else None
        end = submit + (waits[row] or 0) + took[row] if ends is None else ends[row]
        heappush(running, (end, row))


def _users(workload: Workload) -> Sequence[Any]:
    if "user" not in workload.extra:
        raise InputError("this workload does not say whose the jobs are (no column 'user')")
    return workload.extra["user"]


def _run_times(workload: Workload) -> list[Seconds]:
    pairs = zip(workload.runtime, workload.estimate, strict=True)
    return [runtime or min(1, estimate) for runtime, estimate in pairs]


def _rounding(workload: Workload, to_whole: Callable[[float], int]) -> Callable[[Seconds], Seconds]:
    """Return what keeps a whole workload whole, and leaves others alone."""
    if all(isinstance(value, int) for value in workload.estimate):
        return lambda value: max(1, to_whole(value))
    return lambda value: value


def _positive(value: float, name: str) -> None:
    if not 0 < value < math.inf:
        raise InputError(f"{name} = {value}; it must be greater than 0")
