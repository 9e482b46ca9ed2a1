"""The workload model of Lublin & Feitelson (2003): sizes, run times and arrivals of rigid jobs.

It knows neither users nor requested times nor weekends; :mod:`shadowtime.synthesis` adds the first
two.

References
----------
U. Lublin and D. G. Feitelson, "The workload on parallel supercomputers: modeling the
characteristics of rigid jobs", Journal of Parallel and Distributed Computing 63(11), 2003.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from shadowtime.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

DAY = 86_400
BUCKETS = 48
BUCKET_SECONDS = DAY // BUCKETS
CYCLE_STARTS = 11
"""Half hour, counted from 1, at which the model's day begins: at 5 in the morning few submit."""

LONGEST_LOG_RUNTIME = 12.0
LONGEST_LOG_GAP = 13.0
"""Natural logarithms of seconds above which the model draws again: about 45 h and 123 h."""

FITTED_LOG_NODES = 7.0
"""The published size parameters are those of a machine with 2**7 nodes."""


@dataclass(frozen=True)
class Parameters:
    """Parameters of one variant of the model, under the names of the paper.

    Parameters
    ----------
    serial, power_of_two : float
        Share of jobs on one node, and of parallel jobs on a power of two of nodes.
    u_low, u_med, u_prob : float
        The binary logarithm of a parallel job's size is uniform on [`u_low`, `u_med`] with
        probability `u_prob`, else on [`u_med`, log2 of the machine]. They hold for 128 nodes.
    a1, b1, a2, b2 : float
        Shapes and scales of the two gamma distributions of the natural logarithm of the run time
        in seconds.
    p_a, p_b : float
        The first of them is taken with probability ``p_a * nodes + p_b``: wide jobs run longer.
    a_arr, b_arr : float
        Shape and scale of the gamma distribution of the natural logarithm of the time between
        two submissions, in seconds, at rush hour.
    a_num, b_num : float
        Shape and scale of the gamma distribution over the day's half hours.
    arar : float
        Ratio that turns `a_arr` from the rush hour to the whole day.
    """

    serial: float
    power_of_two: float
    u_low: float
    u_med: float
    u_prob: float
    a1: float
    b1: float
    a2: float
    b2: float
    p_a: float
    p_b: float
    a_arr: float
    b_arr: float
    a_num: float
    b_num: float
    arar: float


VARIANTS = {
    "batch": Parameters(
        serial=0.2927,
        power_of_two=0.6686,
        u_low=1.2,
        u_med=5,
        u_prob=0.875,
        a1=6.57,
        b1=0.823,
        a2=639.1,
        b2=0.0156,
        p_a=-0.003,
        p_b=0.6986,
        a_arr=6.0415,
        b_arr=0.8531,
        a_num=6.1271,
        b_num=5.2740,
        arar=1.0519,
    ),
    "one-type": Parameters(
        serial=0.244,
        power_of_two=0.576,
        u_low=0.8,
        u_med=4.5,
        u_prob=0.86,
        a1=4.2,
        b1=0.94,
        a2=312,
        b2=0.03,
        p_a=-0.0054,
        p_b=0.78,
        a_arr=10.2303,
        b_arr=0.4871,
        a_num=8.1737,
        b_num=3.9631,
        arar=1.0225,
    ),
}
"""``"batch"``: the batch jobs alone; ``"one-type"``: batch and interactive jobs, not told apart."""


def sizes(
    jobs: int, nodes: int, rng: np.random.Generator, parameters: Parameters
) -> NDArray[np.int64]:
    """Draw the nodes that jobs need.

    Parameters
    ----------
    jobs : int
        How many to draw.
    nodes : int
        Nodes of the machine.
    rng : numpy.random.Generator
    parameters : Parameters

    Returns
    -------
    numpy.ndarray of int, shape (jobs,)
        Each from 1 to `nodes`.

    Notes
    -----
    On other machines than the 128 nodes of the fit, the upper end of the distribution moves to
    log2(`nodes`) and its bend keeps the same distance below it, as the authors recommend. A size
    that rounding to a power of two puts above the machine becomes the whole machine.
    """
    high = math.log2(nodes)
    low = min(parameters.u_low, high)
    middle = max(low, high - (FITTED_LOG_NODES - parameters.u_med))
    kind = rng.random(jobs)
    narrow = rng.random(jobs) < parameters.u_prob
    where = rng.random(jobs)
    log_size = np.where(narrow, low + where * (middle - low), middle + where * (high - middle))
    power_of_two = kind < parameters.serial + parameters.power_of_two
    log_size = np.where(power_of_two, np.floor(log_size + 0.5), log_size)
    drawn = np.floor(2**log_size + 0.5).astype(np.int64)
    return np.where(kind < parameters.serial, 1, np.minimum(drawn, nodes))


def short_share(size: NDArray[np.int64], parameters: Parameters) -> NDArray[np.float64]:
    """Return the chance that the run time comes from the first, shorter gamma distribution.

    Parameters
    ----------
    size : numpy.ndarray of int, shape (jobs,)
        Nodes of each job.
    parameters : Parameters

    Returns
    -------
    numpy.ndarray of float, shape (jobs,)

    Examples
    --------
    >>> short_share(np.array([1, 128]), VARIANTS["batch"]).round(4).tolist()
    [0.6956, 0.3146]
    """
    return np.clip(parameters.p_a * size + parameters.p_b, 0, 1)


def runtimes(
    size: NDArray[np.int64],
    rng: np.random.Generator,
    parameters: Parameters,
    short: NDArray[np.bool_] | None = None,
) -> NDArray[np.int64]:
    """Draw the run time of each job, given the nodes that it needs.

    Parameters
    ----------
    size : numpy.ndarray of int, shape (jobs,)
        Nodes of each job.
    rng : numpy.random.Generator
    parameters : Parameters
    short : numpy.ndarray of bool, shape (jobs,), optional
        Which jobs take the first, shorter of the two gamma distributions; by default drawn with
        :func:`short_share`.

    Returns
    -------
    numpy.ndarray of int, shape (jobs,)
        Seconds, each from 1 to exp(12), about 45 hours.
    """
    log_runtime = np.empty(len(size))
    pending = np.arange(len(size))
    while len(pending):
        # A rejected job chooses between the two distributions again, as in the published model.
        first = (
            rng.random(len(pending)) < short_share(size[pending], parameters)
            if short is None
            else short[pending]
        )
        shape = np.where(first, parameters.a1, parameters.a2)
        scale = np.where(first, parameters.b1, parameters.b2)
        log_runtime[pending] = rng.gamma(shape, scale)
        pending = pending[log_runtime[pending] > LONGEST_LOG_RUNTIME]
    return np.exp(log_runtime).astype(np.int64)


def gaps(jobs: int, rng: np.random.Generator, parameters: Parameters) -> NDArray[np.float64]:
    """Draw the time from each submission to the next, as if every hour were equally busy.

    Parameters
    ----------
    jobs : int
        How many to draw.
    rng : numpy.random.Generator
    parameters : Parameters

    Returns
    -------
    numpy.ndarray of float, shape (jobs,)
        Seconds, each from 1 to exp(13), about five days. :func:`arrivals` bends them to the day.
    """
    shape = parameters.a_arr * parameters.arar
    log_gap = rng.gamma(shape, parameters.b_arr, jobs)
    while (late := log_gap > LONGEST_LOG_GAP).any():
        log_gap[late] = rng.gamma(shape, parameters.b_arr, np.count_nonzero(late))
    return np.exp(log_gap)


def daily_cycle(parameters: Parameters) -> NDArray[np.float64]:
    """Return how busy each half hour of the day is.

    Parameters
    ----------
    parameters : Parameters

    Returns
    -------
    numpy.ndarray of float, shape (48,)
        Submissions relative to the day's mean, from midnight; their mean is 1.

    Examples
    --------
    >>> cycle = daily_cycle(VARIANTS["one-type"])
    >>> print(f"busiest at {cycle.argmax() / 2} h, quietest at {cycle.argmin() / 2} h")
    busiest at 13.5 h, quietest at 5.0 h
    """
    # Half hour i of the model's day weighs what the gamma density holds on [i - 0.5, i + 0.5].
    # Only ratios matter, so the density needs no normalisation, and Gauss-Legendre nodes do.
    offsets, weights = np.polynomial.legendre.leggauss(8)
    halves = np.arange(CYCLE_STARTS, CYCLE_STARTS + BUCKETS)
    at = halves[:, None] + offsets / 2
    density = at ** (parameters.a_num - 1) * np.exp(-at / parameters.b_num)
    cycle = np.empty(BUCKETS)
    cycle[(halves - 1) % BUCKETS] = density @ weights
    cycle /= cycle.mean()
    return cycle


def arrivals(gap: NDArray[np.float64], cycle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn times between submissions into submit times that follow the daily cycle.

    A half hour twice as busy as the mean takes in twice the sum of gaps: the clock of the gaps runs
    at the speed of the cycle.

    Parameters
    ----------
    gap : numpy.ndarray of float, shape (jobs,)
        Seconds, as from :func:`gaps`.
    cycle : numpy.ndarray of float, shape (48,)
        As from :func:`daily_cycle`.

    Returns
    -------
    numpy.ndarray of float, shape (jobs,)
        Seconds since the midnight at which the workload begins.
    """
    return _clock(np.cumsum(gap), cycle)


def _clock(busy: NDArray[np.float64], cycle: NDArray[np.float64]) -> NDArray[np.float64]:
    day, within = np.divmod(busy, DAY)
    reached = np.concatenate([[0.0], np.cumsum(cycle * BUCKET_SECONDS)])
    time: NDArray[np.float64] = np.interp(within, reached, np.arange(BUCKETS + 1) * BUCKET_SECONDS)
    return day * DAY + time


def pace(gap: NDArray[np.float64], cycle: NDArray[np.float64], span: float) -> float:
    """Return the factor on all gaps that makes the submissions span a given time.

    Stretching the gaps, and not the submit times, leaves the day its 24 hours.

    Parameters
    ----------
    gap, cycle : numpy.ndarray
        As for :func:`arrivals`.
    span : float
        Seconds from the first submission to the last.

    Returns
    -------
    float

    Raises
    ------
    InputError
        If there are fewer than two jobs, or `span` is not positive.
    """
    if len(gap) < 2:
        raise InputError(f"jobs = {len(gap)}; an offered load needs 2 or more")
    if not span > 0:
        raise InputError(f"span = {span} s; it must be greater than 0")
    ends = np.array([gap[0], gap.sum()])

    def reached(factor: float) -> float:
        first, last = _clock(ends * factor, cycle)
        return float(last - first)

    low, high = 0.0, span / float(ends[1] - ends[0])
    while reached(high) < span:
        low, high = high, 2 * high
    for _ in range(64):
        middle = (low + high) / 2
        low, high = (middle, high) if reached(middle) < span else (low, middle)
    return high
