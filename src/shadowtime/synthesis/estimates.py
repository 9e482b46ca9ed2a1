"""Models of the run time that users request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from shadowtime.errors import InputError
from shadowtime.estimates import ROUND_VALUES

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

HOUR = 3600
ODD_SHARE = 0.1
ODD_STEP = 300


def round_values(
    runtime: ArrayLike, rng: np.random.Generator, *, limit: int = 48 * HOUR
) -> NDArray[np.int64]:
    """Draw requests at round values, none of them below the run time.

    Parameters
    ----------
    runtime : array_like of numbers, shape (jobs,)
        Seconds that each job runs.
    rng : numpy.random.Generator
    limit : int
        Seconds that the site allows at most.

    Returns
    -------
    numpy.ndarray of int, shape (jobs,)
        Seconds, each from the run time to `limit`.

    Raises
    ------
    InputError
        If a run time is negative or above `limit`.

    Notes
    -----
    Real users know about twenty numbers: some twenty round values hold nine jobs in ten, and the
    limit of the site is one of the most popular (Tsafrir et al.). The share of its request that a
    job uses is about uniform (Mu'alem and Feitelson). So the model divides the run time by a
    uniform number. Nine times in ten it takes the nearest of twenty round values or the limit, in
    ratio, that is not below the run time; otherwise it rounds up to a multiple of five minutes.
    What is above the limit becomes the limit.

    This is far simpler than the model of Tsafrir et al., which fits how many different values a log
    holds, where they lie and how popular each is, and hands them out to the jobs without looking at
    run times except that none may pass its request. Here popularity follows from the run times.

    References
    ----------
    D. Tsafrir, Y. Etsion and D. G. Feitelson, "Modeling user runtime estimates", Job
    Scheduling Strategies for Parallel Processing, 2005.

    A. W. Mu'alem and D. G. Feitelson, "Utilization, predictability, workloads, and user
    runtime estimates in scheduling the IBM SP2 with backfilling", IEEE Transactions on Parallel
    and Distributed Systems 12(6), 2001.

    Examples
    --------
    >>> round_values([40, 1000, 50_000], np.random.default_rng(1)).tolist()
    [300, 21600, 64800]
    """
    seconds = _run_times(runtime)
    if seconds.size and seconds.max() > limit:
        raise InputError(f"runtime = {seconds.max():g} is above the limit of {limit} s")
    used = 1 - rng.random(len(seconds))  # in (0, 1], so that the quotient is finite
    wanted = np.minimum(seconds / used, limit)
    popular = np.array([*(v for v in ROUND_VALUES if v < limit), limit])
    nearest = np.searchsorted(np.sqrt(popular[1:] * popular[:-1]), wanted)
    rounded = popular[np.maximum(nearest, np.searchsorted(popular, seconds))]
    odd = np.minimum(np.maximum(np.ceil(wanted / ODD_STEP), 1) * ODD_STEP, limit)
    return np.where(rng.random(len(seconds)) < ODD_SHARE, odd, rounded).astype(np.int64)


def f_model(runtime: ArrayLike, f: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw requests uniformly between the run time and (`f` + 1) times the run time.

    Parameters
    ----------
    runtime : array_like of numbers, shape (jobs,)
        Seconds that each job runs.
    f : float
        Badness of the requests; with 0 they equal the run times.
    rng : numpy.random.Generator

    Returns
    -------
    numpy.ndarray of int, shape (jobs,)
        Seconds, rounded up to whole ones; at least 1.

    Raises
    ------
    InputError
        If a run time or `f` is negative or not a number.

    References
    ----------
    D. G. Feitelson and A. M. Weil, "Utilization and predictability in scheduling the IBM SP2
    with backfilling", International Parallel Processing Symposium, 1998.

    Examples
    --------
    >>> f_model([40, 1000, 50_000], 2, np.random.default_rng(1)).tolist()
    [81, 2901, 64416]
    """
    seconds = _run_times(runtime)
    if not 0 <= f < np.inf:
        raise InputError(f"f = {f}; it must be 0 or greater")
    drawn = seconds * (1 + f * rng.random(len(seconds)))
    return np.maximum(np.ceil(drawn), 1).astype(np.int64)


def _run_times(runtime: ArrayLike) -> NDArray[np.float64]:
    seconds = np.asarray(runtime, dtype=np.float64)
    bad = ~(seconds >= 0)
    if bad.any():
        raise InputError(f"runtime = {seconds[bad][0]:g}; it must be 0 or greater")
    return seconds
