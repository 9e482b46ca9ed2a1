"""EASY that looks again when a planned end goes by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from shadowtime.policies.base import State, Waiting
from shadowtime.policies.easy import Easy
from shadowtime.schedule import Decision


class Watchful(Easy):
    """Make a pass when a running job reaches its planned end and does not end.

    Nothing is submitted then, and no node comes free. But if the job's planned end is corrected,
    the head's shadow time moves back, and there may be room for a job that had none. EASY as such
    finds out at the next submission or completion.

    Parameters
    ----------
    order : {"queue", "shortest"}
        As for :class:`~shadowtime.policies.Easy`. With ``"shortest"``, a predictor and a correction
        it is what Tsafrir, Etsion and Feitelson call EASY++.

    References
    ----------
    D. Tsafrir, Y. Etsion and D. G. Feitelson, "Backfilling using system-generated
    predictions rather than user runtime estimates", IEEE Transactions on Parallel and
    Distributed Systems 18(6), 2007, doi:10.1109/TPDS.2007.70606.
    """

    def __init__(self, order: Literal["queue", "shortest"] = "queue") -> None:
        super().__init__(order)
        self.name += "-watchful"

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        """Decide as EASY does, and ask for a pass at the next planned end."""
        yield from super().decide(state)
        state.wake = next(
            (job.planned_end for job in state.running if job.planned_end > state.now), None
        )
