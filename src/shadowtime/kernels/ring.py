"""The waiting jobs in queue order, from which any can leave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shadowtime.kernels.jit import inlined

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Ring(NamedTuple):
    """Each waiting job knows the next and the one before; row `jobs`, nobody, closes the ring.

    Attributes
    ----------
    after, before : array of int64, shape (jobs + 1,)
    """

    after: NDArray[Any]
    before: NDArray[Any]


def empty(jobs: int) -> Ring:
    """Return a ring in which nobody waits."""
    return Ring(np.full(jobs + 1, jobs), np.full(jobs + 1, jobs))


@inlined
def enter(ring: Ring, row: int) -> None:
    """Let a job wait, behind all others."""
    nobody = ring.after.size - 1
    last = ring.before[nobody]
    ring.after[last], ring.before[row] = row, last
    ring.after[row], ring.before[nobody] = nobody, row


@inlined
def leave(ring: Ring, row: int) -> None:
    """Take a job out; the rows before and after it stay known to it."""
    ring.after[ring.before[row]] = ring.after[row]
    ring.before[ring.after[row]] = ring.before[row]
