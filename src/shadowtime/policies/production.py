"""What PBS, LSF and Maui call these rules: their parameters, as policies of this package.

Each function reads the lines that matter out of a configuration, and returns one of the policies.
Its attribute ``unmodelled`` says, a phrase each, what in the text has no counterpart here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Protocol

from shadowtime.errors import InputError
from shadowtime.policies.base import Policy
from shadowtime.policies.depth import Depth
from shadowtime.policies.easy import Easy
from shadowtime.policies.fcfs import Fcfs
from shadowtime.policies.first_fit import FirstFit


class Configured(Policy, Protocol):
    """A policy that was made from a configuration.

    Attributes
    ----------
    unmodelled : tuple of str
        What the configuration asks for besides, a phrase each.
    """

    unmodelled: tuple[str, ...]


def from_pbs(text: str) -> Configured:
    """Make the policy that OpenPBS's scheduler parameters ask for.

    Parameters
    ----------
    text : str
        Lines such as ``set server backfill_depth = 4`` or ``strict_ordering: True ALL``. What is
        missing has PBS's default: ``backfill_depth`` 1, ``strict_ordering`` off.

    Returns
    -------
    Easy, Depth, FirstFit or Fcfs
        ``backfill_depth`` is the number of top jobs that hold a reservation. With 0 nobody is
        backfilled around: jobs then start strictly in order, or else, first fit.

    Raises
    ------
    InputError
        If a value has no meaning.

    References
    ----------
    OpenPBS, Administrator's Guide: "Using Backfilling", "FIFO with Strict Ordering".

    Examples
    --------
    >>> policy = from_pbs("set server backfill_depth = 4; set sched opt_backfill_fuzzy = low")
    >>> policy.name, policy.unmodelled
    ('depth-4', ('opt_backfill_fuzzy = low: planned starts are exact here, not rounded',))
    """
    found = _settings(text, r"(?:set\s+(?:server|sched)\s+)?([\w.]+)\s*[:=]\s*([^\s;]+)")
    depth = _number(found, "backfill_depth", 1)
    strict = _choice(found, "strict_ordering", "false", ("true", "false")) == "true"
    unmodelled = []
    if strict and depth:
        unmodelled.append(
            "strict_ordering = true: it differs only where limits keep a job waiting, and none do"
        )
    fuzzy = found.pop("opt_backfill_fuzzy", "off")
    if fuzzy != "off":
        unmodelled.append(
            f"opt_backfill_fuzzy = {fuzzy}: planned starts are exact here, not rounded"
        )
    if depth == 0:
        return _configured(Fcfs() if strict else FirstFit(), unmodelled, found)
    return _configured(_depth(depth), unmodelled, found)


def from_lsf(text: str) -> Configured:
    r"""Make the policy that LSF's queue and cluster parameters ask for.

    Parameters
    ----------
    text : str
        Lines such as ``BACKFILL = Y``, ``SLOT_RESERVE = MAX_RESERVE_TIME[20]`` (lsb.queues) and
        ``LSB_TIME_RESERVE_NUMJOBS=4`` (lsf.conf). What is missing is off, as in LSF.

    Returns
    -------
    Easy, Depth, FirstFit or Fcfs
        Without reservations what fits is dispatched: first fit. With slots reserved and no
        backfilling they lie idle until there are enough of them: first come, first served. With
        both, a job may use reserved slots that it gives back in time: EASY, or as many
        reservations as ``LSB_TIME_RESERVE_NUMJOBS`` says.

    Raises
    ------
    InputError
        If a value has no meaning.

    References
    ----------
    IBM Spectrum LSF, "Reserving resources" and "Backfill scheduling".

    Examples
    --------
    >>> policy = from_lsf("BACKFILL=Y\nSLOT_RESERVE=MAX_RESERVE_TIME[20]")
    >>> policy.name, policy.unmodelled
    ('easy', ('MAX_RESERVE_TIME[20]: a reservation never lapses here',))
    """
    found = _settings(text, r"(\w+)\s*=\s*(\S+)")
    backfill = _choice(found, "backfill", "n", ("y", "n", "yes", "no")) in ("y", "yes")
    jobs = _number(found, "lsb_time_reserve_numjobs", 0)
    slots = {found.pop(key, None) for key in ("slot_reserve", "resource_reserve")} - {None}
    unmodelled = [
        f"{str(slot).upper()}: a reservation never lapses here" for slot in sorted(slots, key=str)
    ]
    if not slots and not jobs:
        if backfill:
            unmodelled.append("BACKFILL = Y: nothing is reserved, so there is nothing to protect")
        return _configured(FirstFit(), unmodelled, found)
    if not backfill:
        return _configured(Fcfs(), unmodelled, found)
    return _configured(_depth(jobs or 1), unmodelled, found)


def from_maui(text: str) -> Configured:
    r"""Make the policy that Maui's parameters ask for.

    Parameters
    ----------
    text : str
        Lines such as ``BACKFILLPOLICY FIRSTFIT``, ``RESERVATIONDEPTH[0] 4`` and
        ``RESERVATIONPOLICY CURRENTHIGHEST``. What is missing has Maui's default, which is these
        three with a depth of 1.

    Returns
    -------
    Easy, Depth, FirstFit or Fcfs
        ``RESERVATIONDEPTH`` is the number of jobs that hold a reservation, and ``RESERVATIONPOLICY
        NEVER`` is none: first fit. ``BACKFILLPOLICY NONE`` lets nobody pass.

    Raises
    ------
    InputError
        If a value has no meaning.

    References
    ----------
    Maui Scheduler Administrator's Guide, "Backfill" and "Job Reservations".

    Examples
    --------
    >>> policy = from_maui("RESERVATIONDEPTH 8\nBACKFILLPOLICY BESTFIT")
    >>> policy.name, policy.unmodelled
    ('depth-8', ('BACKFILLPOLICY BESTFIT: candidates are tried in queue order, as by FIRSTFIT',))
    """
    found = _settings(text, r"(\w+)(?:\[\w+\])?\s+(\S+)")
    depth = _number(found, "reservationdepth", 1)
    fit = _choice(
        found, "backfillpolicy", "firstfit", ("firstfit", "bestfit", "greedy", "preempt", "none")
    )
    reserve = _choice(
        found, "reservationpolicy", "currenthighest", ("currenthighest", "highest", "never")
    )
    unmodelled = []
    if fit in ("bestfit", "greedy"):
        unmodelled.append(
            f"BACKFILLPOLICY {fit.upper()}: candidates are tried in queue order, as by FIRSTFIT"
        )
    elif fit == "preempt":
        unmodelled.append("BACKFILLPOLICY PREEMPT: a job that has started is never stopped here")
    if reserve == "highest":
        unmodelled.append(
            "RESERVATIONPOLICY HIGHEST: who holds a reservation is decided anew at every pass"
        )
    if fit == "none":
        return _configured(Fcfs(), unmodelled, found)
    if reserve == "never":
        return _configured(FirstFit(), unmodelled, found)
    return _configured(_depth(depth), unmodelled, found)


def _settings(text: str, pattern: str) -> dict[str, str]:
    """Return what the lines of `text` set, names and values in lower case."""
    found = {}
    for line in text.splitlines():
        for name, value in re.findall(pattern, line.partition("#")[0]):
            found[name.lower()] = value.lower()
    return found


def _number(found: dict[str, str], name: str, default: int) -> int:
    value = found.pop(name, str(default))
    if not value.isdecimal():
        raise InputError(f"{name} = {value!r}; it is a whole number of 0 or more")
    return int(value)


def _choice(found: dict[str, str], name: str, default: str, choices: tuple[str, ...]) -> str:
    value = found.pop(name, default)
    if value not in choices:
        raise InputError(f"{name} = {value!r}; it is one of {', '.join(choices)}")
    return value


def _depth(reservations: int) -> Policy:
    """Return the simplest policy of that depth."""
    simple: dict[int, Callable[[], Policy]] = {0: FirstFit, 1: Easy}
    return simple[reservations]() if reservations in simple else Depth(reservations)


def _configured(policy: Any, unmodelled: list[str], rest: dict[str, str]) -> Configured:
    """Let the policy say what of its configuration it leaves out."""
    others = [f"{name} = {value} is not modelled" for name, value in rest.items()]
    policy.unmodelled = (*unmodelled, *others)
    configured: Configured = policy
    return configured
