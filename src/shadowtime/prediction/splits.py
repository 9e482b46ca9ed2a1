"""Which jobs a predictor learns from on a day, and which it then predicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from shadowtime.errors import InputError
from shadowtime.prediction.jobs import Jobs

if TYPE_CHECKING:
    from numpy.typing import NDArray

DAY = 86_400
"""Seconds."""


class Split(NamedTuple):
    """One day.

    Attributes
    ----------
    start : int or float
        The instant t at which it begins.
    history : slice
        Jobs that ended in the window before t, among all jobs in the order of their ends.
    test : slice
        Jobs submitted on the day, among all jobs in the order of their submits.
    """

    start: int | float
    history: slice
    test: slice


def splits(
    jobs: Jobs, *, window_days: float = 100, every_days: float = 1
) -> tuple[list[Split], NDArray[np.intp]]:
    """Find the days of a log, and what to learn and to predict on each.

    Parameters
    ----------
    jobs : Jobs
        In the order of their submits, with their outcome; times in seconds.
    window_days : float
        How far the history reaches back. The first day is the one that begins when the log, from
        the midnight before its first submit, is as old as that.
    every_days : float
        Length of a test period, and distance between two splits.

    Returns
    -------
    splits : list of Split
        Days on which no job was submitted, or before which none ended, are left out.
    by_end : numpy.ndarray of int, shape (jobs,)
        The rows in the order of their ends; jobs that end together keep their order.

    Raises
    ------
    InputError
        If a length is not greater than 0, or the log is shorter than the window.

    Examples
    --------
    >>> day = np.array([0.0, 0.5, 1.5, 2.5]) * DAY
    >>> found, by_end = splits(Jobs({"submit": day, "end": day + 3600}), window_days=1)
    >>> [(split.start / DAY, split.history, split.test) for split in found]
    [(1.0, slice(0, 2, None), slice(2, 3, None)), (2.0, slice(2, 3, None), slice(3, 4, None))]
    """
    if not (window_days > 0 and every_days > 0):
        raise InputError(
            f"window_days = {window_days}, every_days = {every_days}; both must be greater than 0"
        )
    submit, end = jobs["submit"], jobs["end"]
    by_end = np.argsort(end, kind="stable")
    window, step = window_days * DAY, every_days * DAY
    first = submit[0] // DAY * DAY + window
    if submit[-1] < first:
        span = (submit[-1] - submit[0]) / DAY
        raise InputError(
            f"the log spans {span:.1f} days: there is no split after {window_days:g} days of"
            " history; give fewer (window_days, --window-days)"
        )
    starts = np.arange(first, submit[-1] + 1, step)
    bounds = (
        starts,
        np.searchsorted(end, starts - window, sorter=by_end),
        np.searchsorted(end, starts, sorter=by_end),
        np.searchsorted(submit, starts),
        np.searchsorted(submit, starts + step),
    )
    return [
        Split(start, slice(begin, stop), slice(low, high))
        for start, begin, stop, low, high in zip(*(each.tolist() for each in bounds), strict=True)
        if begin < stop and low < high
    ], by_end
