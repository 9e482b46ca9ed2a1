"""What becomes of a prediction that proves too short while the job still runs.

A predictor may plan a job shorter than it is. Once its planned end has passed, the job counts as
ending now, at every pass again, and backfilling piles promises on an end that does not come. A
correction raises the planned runtime instead, never past the user's request.

References
----------
D. Tsafrir, Y. Etsion and D. G. Feitelson, "Backfilling Using System-Generated Predictions Rather
than User Runtime Estimates", IEEE Transactions on Parallel and Distributed Systems 18(6), 2007,
doi:10.1109/TPDS.2007.70606.
"""

from __future__ import annotations

from collections.abc import Callable

from shadowtime.errors import InputError
from shadowtime.workload import Seconds

Correction = Callable[[int, Seconds, Seconds], Seconds]
"""``(corrections made so far, planned runtime, request) -> a longer planned runtime``."""

MINUTE, HOUR = 60, 3600
INCREMENTS = (
    MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE,
    HOUR, 2 * HOUR, 5 * HOUR, 10 * HOUR, 20 * HOUR, 50 * HOUR, 100 * HOUR,
)  # fmt: skip
"""Seconds by which the first, second, ... correction of a job raises its prediction."""


def request(_made: int, _planned: Seconds, requested: Seconds) -> Seconds:
    """Fall back to what the user asked for."""
    return requested


def increments(made: int, planned: Seconds, _requested: Seconds) -> Seconds:
    """Add a minute, then five, then more and more: see :data:`INCREMENTS` (in seconds)."""
    return planned + INCREMENTS[min(made, len(INCREMENTS) - 1)]


def doubling(_made: int, planned: Seconds, _requested: Seconds) -> Seconds:
    """Plan twice as long as before."""
    return 2 * planned


NAMES: dict[str, Correction | None] = {
    "none": None,
    "request": request,
    "increments": increments,
    "doubling": doubling,
}
"""The corrections by name; under ``"none"`` a job past its planned end counts as ending now."""


def by_name(name: str) -> Correction | None:
    """Return the correction called `name`.

    Parameters
    ----------
    name : str
        A key of :data:`NAMES`.

    Returns
    -------
    callable or None
        None for ``"none"``.

    Raises
    ------
    InputError
        If there is none of that name.
    """
    if name not in NAMES:
        raise InputError(f"correction = {name!r}; it is one of {', '.join(NAMES)}")
    return NAMES[name]


def corrected(
    correction: Correction, made: int, planned: Seconds, requested: Seconds, elapsed: Seconds
) -> tuple[int, Seconds]:
    """Raise a planned runtime until it is longer than what has elapsed.

    Parameters
    ----------
    correction : callable
    made : int
        Corrections that the job has had.
    planned, requested, elapsed : int or float
        All in the workload's unit; `elapsed` is less than `requested`.

    Returns
    -------
    made : int
    planned : int or float
        At most `requested`.

    Raises
    ------
    InputError
        If the correction does not raise the planned runtime.

    Examples
    --------
    >>> corrected(increments, 0, planned=100, requested=3600, elapsed=170)
    (2, 460)
    """
    while planned <= elapsed:
        longer = min(correction(made, planned, requested), requested)
        if longer <= planned:
            raise InputError(f"a correction turned a planned runtime of {planned} into {longer}")
        made, planned = made + 1, longer
    return made, planned
