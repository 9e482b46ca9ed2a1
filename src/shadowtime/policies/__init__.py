"""Scheduling policies, one a file.

Each is a small class whose one method, ``decide``, looks at the queue and the machine and yields
decisions. A policy of one's own is the same thing, passed to :func:`shadowtime.simulate`. The
protocol is :class:`Policy`; what a policy sees is :class:`State`.

Examples
--------
The widest job that fits goes first, and whoever waits waits:

>>> from shadowtime import Job, Workload, simulate
>>> from shadowtime.policies import Stateless
>>> class WidestFit(Stateless):
...     def decide(self, state):
...         for job in sorted(state.queue, key=lambda job: -job.nodes):
...             if job.nodes <= state.free:
...                 yield state.start(job, "no wider job fits")
>>> jobs = [Job(1, 0, 5, 40, 40), Job(2, 1, 6, 20, 20), Job(3, 2, 3, 30, 30)]
>>> workload = Workload.from_jobs(jobs, machine_nodes=8)
>>> schedule = simulate(workload, WidestFit(), decisions=True)
>>> schedule.start
[0, 40, 2]
>>> print(schedule.explain(3))
t=2: job 3 is submitted.
t=2: job 3 starts: no wider job fits.

A job that cannot start there and then is refused:

>>> class Hasty(Stateless):
...     def decide(self, state):
...         for job in state.queue:
...             yield state.start(job, "why wait?")
>>> simulate(workload, Hasty())
Traceback (most recent call last):
shadowtime.errors.JobDoesNotFit: policy 'Hasty' starts job 2 at 1: it needs 6 nodes and 3 are free
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from math import inf
from typing import TYPE_CHECKING, Any

from shadowtime.errors import InputError

if TYPE_CHECKING:
    from shadowtime.policies.base import Policy, Running, State, Stateless, Waiting
    from shadowtime.policies.conservative import Conservative
    from shadowtime.policies.depth import Depth
    from shadowtime.policies.easy import Easy
    from shadowtime.policies.fcfs import Fcfs
    from shadowtime.policies.first_fit import FirstFit
    from shadowtime.policies.ordered import Ordered
    from shadowtime.policies.production import Configured, from_lsf, from_maui, from_pbs
    from shadowtime.policies.selective import Selective
    from shadowtime.policies.slack import SlackBased
    from shadowtime.policies.slurm import Slurm
    from shadowtime.policies.watchful import Watchful

_HOME = {
    "Configured": "production",
    "Conservative": "conservative",
    "Depth": "depth",
    "Easy": "easy",
    "Fcfs": "fcfs",
    "FirstFit": "first_fit",
    "Ordered": "ordered",
    "Policy": "base",
    "Running": "base",
    "Selective": "selective",
    "SlackBased": "slack",
    "Slurm": "slurm",
    "State": "base",
    "Stateless": "base",
    "Waiting": "base",
    "Watchful": "watchful",
    "from_lsf": "production",
    "from_maui": "production",
    "from_pbs": "production",
}
"""The module of each name: a reader's browser waits for those alone that a figure simulates."""


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


def _make(name: str, **options: Any) -> Policy:
    policy: Policy = __getattr__(name)(**options)
    return policy


NAMES: dict[str, Callable[[], Policy]] = {
    "fcfs": partial(_make, "Fcfs"),
    "first-fit": partial(_make, "FirstFit"),
    "easy": partial(_make, "Easy"),
    "easy-sjbf": partial(_make, "Easy", order="shortest"),
    "easy-watchful": partial(_make, "Watchful"),
    "easy-sjbf-watchful": partial(_make, "Watchful", order="shortest"),
    "conservative": partial(_make, "Conservative"),
    "conservative-every": partial(_make, "Conservative", compression="every"),
    "conservative-none": partial(_make, "Conservative", compression="none"),
    "conservative-replan": partial(_make, "Conservative", compression="replan"),
    "selective": partial(_make, "Selective"),
    "slack": partial(_make, "SlackBased"),
    "slurm": partial(_make, "Slurm"),
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
    if name in NAMES:
        return NAMES[name]()
    family, _, reservations = name.partition("-")
    if family == "depth" and (reservations.isdecimal() or reservations == "all"):
        return _make("Depth", reservations=inf if reservations == "all" else int(reservations))
    from shadowtime.policies.ordered import ORDERS, Ordered

    inner, _, order = name.rpartition("-")
    if inner and order in ORDERS:
        return Ordered(by_name(inner), order)
    known = ", ".join(NAMES)
    raise InputError(
        f"there is no policy {name!r}; there are {known}, and depth-0, depth-1, ... depth-all"
    )


__all__ = [
    "NAMES", "Configured", "Conservative", "Depth", "Easy", "Fcfs", "FirstFit", "Ordered",
    "Policy", "Running", "Selective", "SlackBased", "Slurm", "State", "Stateless", "Waiting",
    "Watchful", "by_name", "from_lsf", "from_maui", "from_pbs",
]  # fmt: skip
