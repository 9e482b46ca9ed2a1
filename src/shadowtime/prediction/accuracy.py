"""How good planned runtimes are: averaged over jobs, weighted by usage, and by decile.

The measures are those of a study of runtime prediction on Eagle, Mira and Intrepid. For job i with
runtime y, planned runtime p and usage c (nodes x runtime), e = abs(log(p / y)) and
a = exp(-e) = min(p / y, y / p):

- A_mean, the mean of a over jobs;
- L_usage, the mean of e weighted by c, and A_geo = exp(-L_usage), a weighted geometric mean;
- UnderRate, the share of jobs with p < y.

Every function takes jobs that have a planned runtime: numbers greater than 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from shadowtime.errors import InputError
from shadowtime.prediction import weights

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "MEASURES",
    "deciles",
    "geo_accuracy",
    "job_accuracy",
    "log_error",
    "mean_accuracy",
    "scores",
    "scores_by_group",
    "under_rate",
    "usage_log_error",
    "weighted_accuracy",
]

MEASURES = {"A_mean": True, "A_geo": True, "L_usage": False, "UnderRate": False}
"""The measures, and whether more is better."""


def _positive(**columns: ArrayLike) -> tuple[NDArray[np.float64], ...]:
    """Return the columns as arrays of one length, checked."""
    arrays = {name: np.asarray(column, dtype=np.float64) for name, column in columns.items()}
    lengths = {name: len(column) for name, column in arrays.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(
            "columns differ in length: "
            + ", ".join(f"{name} has {length}" for name, length in lengths.items())
        )
    for name, column in arrays.items():
        wrong = ~((column > 0) & np.isfinite(column))
        if wrong.any():
            row = int(wrong.argmax())
            raise InputError(
                f"row {row + 1}: {name} = {column[row]}; it must be a number greater than 0"
            )
    return tuple(arrays.values())


def _some(column: NDArray[np.float64]) -> None:
    if not len(column):
        raise InputError("there is no accuracy of no jobs")


def log_error(planned: ArrayLike, runtime: ArrayLike) -> NDArray[np.float64]:
    """Return abs(log(planned / runtime)) of each job, shape (jobs,)."""
    planned, runtime = _positive(planned=planned, runtime=runtime)
    return np.abs(np.log(planned / runtime))


def job_accuracy(planned: ArrayLike, runtime: ArrayLike) -> NDArray[np.float64]:
    """Return min(planned / runtime, runtime / planned) of each job, shape (jobs,).

    Examples
    --------
    >>> job_accuracy([200, 50, 100], [100, 100, 100]).tolist()
    [0.5, 0.5, 1.0]
    """
    planned, runtime = _positive(planned=planned, runtime=runtime)
    return np.minimum(planned / runtime, runtime / planned)


def mean_accuracy(planned: ArrayLike, runtime: ArrayLike) -> float:
    """Return A_mean, the mean of the jobs' accuracy: every job counts once."""
    accuracy = job_accuracy(planned, runtime)
    _some(accuracy)
    return float(accuracy.mean())


def usage_log_error(planned: ArrayLike, runtime: ArrayLike, usage: ArrayLike) -> float:
    """Return L_usage, the mean log error: every node-second counts once.

    Parameters
    ----------
    planned, runtime : array_like, shape (jobs,)
    usage : array_like, shape (jobs,)
        Node-time of each job.
    """
    planned, runtime, usage = _positive(planned=planned, runtime=runtime, usage=usage)
    _some(usage)
    return float(np.average(np.abs(np.log(planned / runtime)), weights=usage))


def geo_accuracy(planned: ArrayLike, runtime: ArrayLike, usage: ArrayLike) -> float:
    """Return A_geo, the geometric mean of the jobs' accuracy weighted by usage.

    Examples
    --------
    >>> round(geo_accuracy([40, 100], [10, 100], [10, 1000]), 3)
    0.986
    """
    return float(np.exp(-usage_log_error(planned, runtime, usage)))


def weighted_accuracy(
    planned: ArrayLike,
    runtime: ArrayLike,
    usage: ArrayLike,
    exponent: float = 1.0,
    *,
    mean: Literal["arithmetic", "geometric"] = "geometric",
) -> float:
    """Average the jobs' accuracy with weights usage ** exponent, for millions of jobs.

    The parameters and the meaning are those of
    :func:`shadowtime.prediction.weights.weighted_accuracy`.

    Examples
    --------
    >>> round(weighted_accuracy([40, 100], [10, 100], [10, 1000], 0.5), 3)
    0.882
    """
    weights.check(exponent, mean)
    planned, runtime, usage = _positive(planned=planned, runtime=runtime, usage=usage)
    _some(usage)
    error = np.abs(np.log(planned / runtime))
    weight = usage**exponent
    if mean == "arithmetic":
        return float(np.average(np.exp(-error), weights=weight))
    return float(np.exp(-np.average(error, weights=weight)))


def under_rate(planned: ArrayLike, runtime: ArrayLike) -> float:
    """Return the share of jobs that ran longer than planned."""
    planned, runtime = _positive(planned=planned, runtime=runtime)
    _some(planned)
    return float(np.mean(planned < runtime))


def scores(planned: ArrayLike, runtime: ArrayLike, usage: ArrayLike) -> dict[str, Any]:
    """Return all measures of one predictor.

    Parameters
    ----------
    planned, runtime : array_like, shape (jobs,)
        In one unit.
    usage : array_like, shape (jobs,)
        Node-time of each job.

    Returns
    -------
    dict
        ``jobs``, ``A_mean``, ``A_geo``, ``L_usage``, ``UnderRate``.

    Raises
    ------
    InputError
        If there is no job, the columns differ in length, or a value is not greater than 0.

    Examples
    --------
    >>> found = scores(planned=[40, 50], runtime=[10, 100], usage=[10, 1000])
    >>> {name: round(value, 3) for name, value in found.items()}
    {'jobs': 2, 'A_mean': 0.375, 'A_geo': 0.497, 'L_usage': 0.7, 'UnderRate': 0.5}
    """
    planned, runtime, usage = _positive(planned=planned, runtime=runtime, usage=usage)
    one = np.ones(len(usage), dtype=np.intp)
    return scores_by_group(planned, runtime, usage, one, groups=1)[0]


def scores_by_group(
    planned: ArrayLike,
    runtime: ArrayLike,
    usage: ArrayLike,
    group: ArrayLike,
    groups: int = 10,
) -> list[dict[str, Any]]:
    """Return all measures of one predictor for each group of jobs.

    Parameters
    ----------
    planned, runtime, usage : array_like, shape (jobs,)
    group : array_like of int, shape (jobs,)
        From 1 to `groups`: deciles, for instance, or days.
    groups : int

    Returns
    -------
    list of dict
        As :func:`scores`, one a group; the measures of a group without jobs are NaN.
    """
    planned, runtime, usage = _positive(planned=planned, runtime=runtime, usage=usage)
    place = np.asarray(group, dtype=np.intp) - 1
    if len(place) != len(usage):
        raise InputError(f"group has {len(place)} values for {len(usage)} jobs")
    if len(place) and not 0 <= place.min() <= place.max() < groups:
        raise InputError(f"group = {place.max() + 1}; groups are numbered from 1 to {groups}")
    if groups == 1:
        _some(usage)
    error = np.abs(np.log(planned / runtime))

    def total(values: NDArray[Any]) -> NDArray[np.float64]:
        return np.bincount(place, weights=values, minlength=groups).astype(np.float64)

    jobs = np.bincount(place, minlength=groups)
    with np.errstate(invalid="ignore", divide="ignore"):
        accuracy = total(np.exp(-error)) / jobs
        loss = total(usage * error) / total(usage)
        under = total(planned < runtime) / jobs
    table = zip(jobs, accuracy, np.exp(-loss), loss, under, strict=True)
    return [
        dict(zip(("jobs", *MEASURES), (int(count), *map(float, row)), strict=True))
        for count, *row in table
    ]


def deciles(usage: ArrayLike, groups: int = 10) -> NDArray[np.intp]:
    """Sort the jobs by usage and cut them into groups of equal size.

    Parameters
    ----------
    usage : array_like, shape (jobs,)
    groups : int
        10 for deciles.

    Returns
    -------
    numpy.ndarray of int, shape (jobs,)
        From 1 to `groups`, the top group. Jobs of equal usage keep their order, as in
        :func:`shadowtime.prediction.weights.groups_by_usage`.

    Examples
    --------
    >>> deciles([7, 1, 7, 3], groups=2).tolist()
    [2, 1, 2, 1]
    """
    if groups < 1:
        raise InputError(f"groups = {groups}; it takes 1 or more")
    column = np.asarray(usage)
    group = np.empty(len(column), dtype=np.intp)
    group[np.argsort(column, kind="stable")] = np.arange(len(column)) * groups // len(column) + 1
    return group
