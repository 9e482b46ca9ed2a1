"""What the fields of Slurm's accounting mean, one by one."""

from __future__ import annotations

import re
from functools import lru_cache
from math import isnan, nan

from shadowtime.traces.clock import NO_LIMIT, duration

UNKNOWN = frozenset({"", "Unknown", "None", "INVALID"})
"""What stands for a time or a number that is not known."""

RUNNING = frozenset(
    {"RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING", "STOPPED", "SIGNALING", "STAGE_OUT"}
)
"""States of jobs that have started and not ended."""

EARLY = "never started"
LATE = "not ended"

_MANY = 1 << 16
_MEMORY = re.compile(r"(\d{1,15}(?:\.\d+)?)([KMGTP]?)([nc]?)")
_GPUS = re.compile(r"(?:^|,)gres/gpu=(\d+)")


def state(text: str) -> str:
    """Return a state without who brought it about.

    Examples
    --------
    >>> state("CANCELLED by 1234"), state("CANCELLED+")
    ('CANCELLED', 'CANCELLED')
    """
    return text.partition(" ")[0].rstrip("+")


def unfinished(
    job: str, state: str, start: str, end: str, nodes: str, allocated: str
) -> tuple[str, str] | None:
    """Tell why a job has no run to look at, and which column says so.

    Parameters
    ----------
    job, state, start, end, nodes, allocated : str
        ``JobID``, ``State``, ``Start``, ``End``, ``NodeList``, and ``AllocCPUS`` or
        ``AllocNodes``; ``"-"`` where there is none.

    Examples
    --------
    >>> unfinished("7", "CANCELLED by 1234", "Unknown", "2024-05-01T12:00:00", "-", "-")
    ('never started', 'start')
    """
    early = (
        (state.startswith("PENDING") and "state")
        or (start in UNKNOWN and "start")
        or (nodes == "None assigned" and "nodelist")
        or (allocated == "0" and "allocated")
        # Tasks of an array that have no line of their own yet.
        or ("[" in job and "jobid")
    )
    late = (state in RUNNING and "state") or (end in UNKNOWN and "end")
    return (EARLY, early) if early else (LATE, late) if late else None


@lru_cache(_MANY)
def seconds(text: str) -> float:
    """Return a duration such as ``Elapsed``, NaN where there is none."""
    return nan if text in UNKNOWN or text.lower() in NO_LIMIT else duration(text)


@lru_cache(_MANY)
def limit(text: str) -> float:
    """Return a time limit in seconds, NaN where there is none; a bare number counts minutes."""
    return nan if text in UNKNOWN or text.lower() in NO_LIMIT else duration(text, 60)


@lru_cache(_MANY)
def count(text: str) -> float:
    """Return a number of nodes or processors, NaN where it is unknown or 0."""
    if text in UNKNOWN:
        return nan
    if not text.isdecimal() or len(text) > 15:
        raise ValueError(text)
    return int(text) or nan


@lru_cache(_MANY)
def memory(text: str, nodes: float, processors: float) -> int | float | None:
    """Return ``ReqMem`` in kilobytes per processor, None where it is unknown.

    Parameters
    ----------
    text : str
        A request per node (``n``), per processor (``c``), or, as of Slurm 21.08, in all.
    nodes, processors : float
        Of the job; NaN where unknown.

    Examples
    --------
    >>> memory("4Gc", 1, 8), memory("4Gn", 2, 8), memory("4G", 2, 8)
    (4194304, 1048576, 524288)
    """
    found = _MEMORY.fullmatch(text)
    if not found:
        return None
    number, unit, per = found.groups()
    kilobytes = float(number) * 1024.0 ** "KMGTP".index(unit or "M")
    kilobytes *= {"c": 1, "n": nodes / processors, "": 1 / processors}[per]
    if isnan(kilobytes):
        return None
    return int(kilobytes) if kilobytes.is_integer() else kilobytes


@lru_cache(_MANY)
def gpus(text: str) -> int:
    """Return the GPUs in a list of trackable resources such as ``ReqTRES``.

    Examples
    --------
    >>> gpus("billing=4,cpu=4,gres/gpu=2,node=1"), gpus("cpu=4")
    (2, 0)
    """
    found = _GPUS.search(text)
    return int(found[1]) if found else 0
