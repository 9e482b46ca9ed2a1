"""How much each job counts when accuracy is averaged, on the standard library alone.

A mean over jobs lets every job count once; weighted by resource usage, a few large jobs decide.
Between the two lies an exponent: a job that used c counts c ** exponent. The live figure of
chapter 4 computes with these functions in the reader's browser. The study's measures, for millions
of jobs, are in :mod:`shadowtime.prediction.accuracy`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, fsum, log
from typing import Literal

from shadowtime.errors import InputError
from shadowtime.workload import Seconds


def job_accuracy(planned: Seconds, runtime: Seconds) -> float:
    """Return min(planned / runtime, runtime / planned): 1 is exact, twice as long as half is 0.5.

    Parameters
    ----------
    planned, runtime : int or float
        Of one job, both greater than 0, in one unit.

    Examples
    --------
    >>> job_accuracy(200, 100), job_accuracy(50, 100)
    (0.5, 0.5)
    """
    return min(planned / runtime, runtime / planned)


def weighted_accuracy(
    planned: Sequence[Seconds],
    runtime: Sequence[Seconds],
    usage: Sequence[float],
    exponent: float = 1.0,
    *,
    mean: Literal["arithmetic", "geometric"] = "geometric",
) -> float:
    """Average the jobs' accuracy with weights usage ** exponent.

    Parameters
    ----------
    planned, runtime : sequence of numbers, shape (jobs,)
        Greater than 0, in one unit.
    usage : sequence of numbers, shape (jobs,)
        Node-time of each job, greater than 0.
    exponent : float
        From 0 (every job counts once) to 1 (every node-second counts once).
    mean : {"arithmetic", "geometric"}
        Exponent 0 with the arithmetic mean is A_mean of the study, exponent 1 with the geometric
        mean is its A_geo.

    Returns
    -------
    float
        From 0 to 1.

    Raises
    ------
    InputError
        If there is no job, the columns differ in length, a value is not greater than 0, or the
        exponent does not lie between 0 and 1.

    Examples
    --------
    One small job is planned four times too long, one large job exactly:

    >>> planned, runtime, usage = [40, 100], [10, 100], [10, 1000]
    >>> for exponent in (0, 0.5, 1):
    ...     print(round(weighted_accuracy(planned, runtime, usage, exponent), 3))
    0.5
    0.882
    0.986
    >>> weighted_accuracy(planned, runtime, usage, 0, mean="arithmetic")
    0.625
    """
    check(exponent, mean)
    if not len(planned) == len(runtime) == len(usage) > 0:
        raise InputError(
            f"there are {len(planned)} planned run times, {len(runtime)} run times and "
            f"{len(usage)} usages; one of each is needed for every job, and one job at least"
        )
    for name, column in (("planned", planned), ("runtime", runtime), ("usage", usage)):
        if not min(column) > 0:
            row = next(row for row, value in enumerate(column) if not value > 0)
            raise InputError(f"row {row + 1}: {name} = {column[row]}; it must be greater than 0")
    weight = [used**exponent for used in usage]
    score = map(job_accuracy, planned, runtime)
    if mean == "arithmetic":
        return fsum(w * a for w, a in zip(weight, score, strict=True)) / fsum(weight)
    return exp(fsum(w * log(a) for w, a in zip(weight, score, strict=True)) / fsum(weight))


def check(exponent: float, mean: str) -> None:
    """Refuse weights and means that there are not.

    Raises
    ------
    InputError
        If the exponent does not lie between 0 and 1, or the mean is neither arithmetic nor
        geometric.
    """
    if not 0 <= exponent <= 1:
        raise InputError(f"exponent = {exponent}; it lies between 0 and 1")
    if mean not in ("arithmetic", "geometric"):
        raise InputError(f"mean = {mean!r}; it is 'arithmetic' or 'geometric'")


def groups_by_usage(usage: Sequence[float], groups: int = 10) -> list[int]:
    """Sort the jobs by usage and cut them into groups of equal size.

    Parameters
    ----------
    usage : sequence of numbers, shape (jobs,)
    groups : int
        10 for deciles.

    Returns
    -------
    list of int, shape (jobs,)
        The group of each job, from 1 to `groups`. Jobs of equal usage keep their order, so the
        result never depends on how a sort settles ties. Sizes differ by one job at most.

    Raises
    ------
    InputError
        If `groups` is less than 1.

    Examples
    --------
    >>> groups_by_usage([7, 1, 7, 3], groups=2)
    [2, 1, 2, 1]
    """
    if groups < 1:
        raise InputError(f"groups = {groups}; it takes 1 or more")
    group = [0] * len(usage)
    for place, row in enumerate(sorted(range(len(usage)), key=usage.__getitem__)):
        group[row] = place * groups // len(usage) + 1
    return group
