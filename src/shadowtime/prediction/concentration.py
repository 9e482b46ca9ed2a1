"""How unequally jobs use a machine: the joint ratio and mass-count disparity.

Two distributions tell a heavy tail: that of the jobs (count) and that of the node-time they use
(mass), both over the usage of a job. The further they lie apart, the fewer jobs hold the mass.

References
----------
D. G. Feitelson, "Metrics for Mass-Count Disparity", 14th International Symposium on Modeling,
Analysis, and Simulation of Computer and Telecommunication Systems (MASCOTS), 2006,
doi:10.1109/MASCOTS.2006.30.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from shadowtime.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class MassCount(NamedTuple):
    """Mass-count disparity of a sample.

    Attributes
    ----------
    joint_ratio : float
        Percentage x such that the largest x % of the jobs hold 100 - x % of the mass, as in the
        "10/90 rule": 50 if all jobs are equal.
    n_half : float
        Percentage of jobs, the largest, that hold half of the mass.
    w_half : float
        Percentage of the mass that the smaller half of the jobs holds.
    median_distance : float
        Median of the mass over the median of the count.
    top_decile : float
        Percentage of the mass that the largest tenth of the jobs holds.
    """

    joint_ratio: float
    n_half: float
    w_half: float
    median_distance: float
    top_decile: float

    @property
    def rule(self) -> str:
        """The joint ratio as it is told, such as ``"13/87"``."""
        return f"{self.joint_ratio:.0f}/{100 - self.joint_ratio:.0f}"


def shares(usage: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the count and the mass of all jobs up to each, the jobs in order of usage.

    Parameters
    ----------
    usage : array_like, shape (jobs,)
        Not negative, and not all 0.

    Returns
    -------
    count, mass : numpy.ndarray, shape (jobs + 1,)
        Shares from 0 to 1.

    Raises
    ------
    InputError
        If there is no usage at all, or a value is negative.
    """
    column = np.sort(np.asarray(usage, dtype=np.float64))
    if not (len(column) and column[0] >= 0 and 0 < column[-1] < np.inf):
        raise InputError("usage needs numbers that are not negative, one of them greater than 0")
    mass = np.concatenate(([0.0], np.cumsum(column)))
    return np.linspace(0, 1, len(mass)), mass / mass[-1]


def mass_count(usage: ArrayLike) -> MassCount:
    """Measure how few jobs hold most of the mass.

    Parameters
    ----------
    usage : array_like, shape (jobs,)
        Node-time of each job.

    Returns
    -------
    MassCount

    Raises
    ------
    InputError
        As for :func:`shares`.

    Examples
    --------
    Nine jobs of one node-hour and one of 91:

    >>> found = mass_count([1] * 9 + [91])
    >>> found.rule, found.top_decile
    ('10/90', 91.0)
    """
    column = np.sort(np.asarray(usage, dtype=np.float64))
    count, mass = shares(column)
    # Where the rising curve count + mass passes 1, the largest 1 - count hold count of the mass.
    joint = 1 - np.interp(1, count + mass, count)
    median = column[np.searchsorted(mass[1:], 0.5)]
    return MassCount(
        joint_ratio=100 * float(joint),
        n_half=100 * float(1 - np.interp(0.5, mass, count)),
        w_half=100 * float(np.interp(0.5, count, mass)),
        median_distance=float(median / np.median(column)),
        top_decile=100 * float(1 - np.interp(0.9, count, mass)),
    )
