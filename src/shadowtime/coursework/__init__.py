"""Exercises of the book, each with a check that tries an answer on many workloads.

Examples
--------
>>> from shadowtime import coursework
>>> coursework.check("slowdown", lambda wait, run, tau: max(1, (wait + run) / max(run, tau)))
slowdown: holds
"""

from __future__ import annotations

from shadowtime.coursework import estimates, fifo, laboratory, production, reservations, tail
from shadowtime.coursework.fifo import by_hand
from shadowtime.coursework.framework import EXERCISES, CheckFailed, Counterexample, check

__all__ = [
    "EXERCISES",
    "CheckFailed",
    "Counterexample",
    "by_hand",
    "check",
    "estimates",
    "fifo",
    "laboratory",
    "production",
    "reservations",
    "tail",
]
