"""Scheduling policies, one a file.

Each is a small class whose one method, ``decide``, looks at the queue and the machine and yields
decisions. A policy of one's own is the same thing, passed to :func:`shadowtime.simulate`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from shadowtime.errors import InputError
from shadowtime.policies.base import Policy, Running, State, Stateless, Waiting
from shadowtime.policies.conservative import Conservative
from shadowtime.policies.depth import Depth
from shadowtime.policies.easy import Easy
from shadowtime.policies.fcfs import Fcfs
from shadowtime.policies.first_fit import FirstFit
from shadowtime.policies.ordered import ORDERS, Ordered
from shadowtime.policies.production import Configured, from_lsf, from_maui, from_pbs
from shadowtime.policies.selective import Selective
from shadowtime.policies.slack import SlackBased
from shadowtime.policies.slurm import Slurm
from shadowtime.policies.watchful import Watchful

NAMES: dict[str, Callable[[], Policy]] = {
    "fcfs": Fcfs,
    "first-fit": FirstFit,
    "easy": Easy,
    "easy-sjbf": lambda: Easy(order="shortest"),
    "conservative": Conservative,
    "conservative-none": lambda: Conservative(compression="none"),
    "conservative-replan": lambda: Conservative(compression="replan"),
    "selective": Selective,
    "slack": SlackBased,
    "slurm": Slurm,
}
"""The policies that have a name of their own, and how each is made."""


def by_name(name: str) -> Policy:
    """Return a new policy called `name`.

    Parameters
    ----------
    name : str
        One of :data:`NAMES`, or ``depth-`` and how many jobs hold a reservation (or ``all``); and
        behind it, if the queue is to be in another order, ``-sjf``, ``-ljf`` or ``-wfp3``.

    Returns
    -------
    Policy

    Raises
    ------
    InputError
        If there is none of that name.

    Examples
    --------
    >>> by_name("easy-sjbf").order
    'shortest'
    >>> by_name("depth-all").reservations
    inf
    >>> by_name("easy-wfp3").name
    'easy-wfp3'
    """
    inner, _, order = name.rpartition("-")
    if inner and order in ORDERS:
        return Ordered(by_name(inner), order)
    family, _, reservations = name.partition("-")
    if family == "depth" and (reservations.isdecimal() or reservations == "all"):
        return Depth(inf if reservations == "all" else int(reservations))
    try:
        return NAMES[name]()
    except KeyError:
        known = ", ".join(NAMES)
        raise InputError(
            f"there is no policy {name!r}; there are {known}, and depth-0, depth-1, ... depth-all"
        ) from None


__all__ = [
    "NAMES", "Configured", "Conservative", "Depth", "Easy", "Fcfs", "FirstFit", "Ordered",
    "Policy", "Running", "Selective", "SlackBased", "Slurm", "State", "Stateless", "Waiting",
    "Watchful", "by_name", "from_lsf", "from_maui", "from_pbs",
]  # fmt: skip
