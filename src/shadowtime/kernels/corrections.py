"""The corrections of predictions that ran out: twin of :mod:`shadowtime.corrections`."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime import corrections
from shadowtime.corrections import Correction
from shadowtime.kernels.jit import inlined

NONE, REQUEST, INCREMENTS, DOUBLING = range(4)

NUMBER: dict[Correction | None, int] = {
    None: NONE,
    corrections.request: REQUEST,
    corrections.increments: INCREMENTS,
    corrections.doubling: DOUBLING,
}
"""How the kernels call each correction."""

STEPS = np.array(corrections.INCREMENTS)


@inlined
def corrected(
    correction: int, made: int, planned: Any, requested: Any, elapsed: Any
) -> tuple[int, Any]:
    """Raise a planned runtime until it is longer than what has elapsed.

    Returns the corrections made so far, -1 if the planned runtime cannot be raised, and the
    planned runtime.
    """
    while planned <= elapsed:
        if correction == REQUEST:
            longer = requested
        elif correction == INCREMENTS:
            longer = planned + STEPS[min(made, STEPS.size - 1)]
        else:
            longer = 2 * planned
        longer = min(longer, requested)
        if longer <= planned:
            return -1, planned
        made, planned = made + 1, longer
    return made, planned
