"""Parts of a log that are replayed on their own: by queue, year or any other column.

Also what a log itself says about how it ran: when each job started, and how many nodes were in
use at most.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from shadowtime.errors import InputError
from shadowtime.traces import header
from shadowtime.traces.surveys import UNIX_SECONDS
from shadowtime.workload import Seconds, Workload

YEAR = 365 * 24 * 3600
"""Seconds; a log that does not say when it began is cut into years of this length."""

UNKNOWN = "unknown"
"""What the key of a partition says where a job's value is unknown."""


@dataclass(frozen=True)
class Partition:
    """Some jobs of a workload.

    Attributes
    ----------
    key : tuple
        One value for each column that the workload was cut by, such as ``("prod-short", 2016)``.
    rows : list of int
        Positions of its jobs in the workload, in increasing order.
    """

    key: tuple[Any, ...]
    rows: list[int]

    @property
    def name(self) -> str:
        """The key as a text, such as ``"prod-short/2016"``."""
        return "/".join(map(str, self.key))

    def __len__(self) -> int:
        return len(self.rows)


def years(workload: Workload) -> list[int]:
    """Return the year in which each job was submitted.

    Parameters
    ----------
    workload : Workload
        With times in seconds.

    Returns
    -------
    list of int, shape (jobs,)
        Calendar years (UTC) where the submits are Unix seconds or the header has a
        ``UnixStartTime``; otherwise 1, 2, ... counted from the first submit.

    Examples
    --------
    >>> w = Workload(
    ...     id=[1, 2],
    ...     submit=[0, 86400],
    ...     nodes=[1, 1],
    ...     estimate=[1, 1],
    ...     runtime=[1, 1],
    ...     header={"UnixStartTime": "852033600"},
    ... )
    >>> years(w)
    [1996, 1997]
    """
    if not len(workload):
        return []
    first, last = workload.submit[0], workload.submit[-1]
    origin = 0 if first >= UNIX_SECONDS else header.number(workload.header, "UnixStartTime")
    if origin is None:
        return [1 + int((submit - first) // YEAR) for submit in workload.submit]
    begin = datetime.fromtimestamp(first + origin, UTC).year
    end = datetime.fromtimestamp(last + origin, UTC).year
    turns = [datetime(year, 1, 1, tzinfo=UTC).timestamp() for year in range(begin + 1, end + 1)]
    return [begin + bisect_right(turns, submit + origin) for submit in workload.submit]


def column(workload: Workload, name: str) -> Sequence[Any]:
    """Return the values by which a workload can be cut, shape (jobs,).

    Parameters
    ----------
    workload : Workload
    name : str
        ``"year"``, or an extra column. Numbers of queues and partitions become the names that
        the header gives them. A workload without queues, or without partitions, has one, called
        ``"all"``.

    Raises
    ------
    InputError
        If there is no such column.
    """
    if name == "year":
        return years(workload)
    if name not in workload.extra:
        if name in {"queue", "partition"}:
            return ["all"] * len(workload)
        raise InputError(
            f"{workload.name or 'the workload'} has no column {name!r} to be cut by; it has "
            + ", ".join(["year", *workload.extra])
        )
    names = header.names(workload.header, name.capitalize())
    return [UNKNOWN if value is None else names.get(value, value) for value in workload.extra[name]]


def partitions(workload: Workload, by: Sequence[str] = ("queue", "year")) -> list[Partition]:
    """Cut a workload into parts whose jobs have the same values.

    Parameters
    ----------
    workload : Workload
    by : sequence of str
        Columns: see :func:`column`. None at all makes one partition of the whole workload.

    Returns
    -------
    list of Partition
        Every job is in exactly one; ordered by key.

    Examples
    --------
    >>> w = Workload(
    ...     id=[1, 2, 3],
    ...     submit=[0, 1, 2],
    ...     nodes=[1, 1, 1],
    ...     estimate=[1, 1, 1],
    ...     runtime=[1, 1, 1],
    ...     extra={"queue": ["long", "short", "long"]},
    ... )
    >>> [(part.name, part.rows) for part in partitions(w)]
    [('long/1', [0, 2]), ('short/1', [1])]
    """
    if isinstance(by, str):
        raise InputError(f"by = {by!r}; it is a list of columns, such as ['queue', 'year']")
    rows: dict[tuple[Any, ...], list[int]] = {}
    columns = [column(workload, name) for name in by]
    for row, key in enumerate(zip(*columns, strict=True) if columns else [()] * len(workload)):
        rows.setdefault(key, []).append(row)
    return [Partition(key, rows[key]) for key in sorted(rows, key=_order)]


def _order(key: tuple[Any, ...]) -> tuple[tuple[bool, Any], ...]:
    return tuple((isinstance(value, str), value) for value in key)


def logged_starts(workload: Workload) -> list[Seconds]:
    """Return when each job started by the log itself, shape (jobs,).

    Raises
    ------
    InputError
        If the log does not say how long its jobs waited.
    """
    waits = workload.extra.get("wait")
    if waits is None:
        raise InputError(
            f"{workload.name or 'the workload'} has no column 'wait': it does not say when its "
            "jobs started"
        )
    starts = []
    for row, (submit, wait) in enumerate(zip(workload.submit, waits, strict=True)):
        if wait is None:
            raise InputError(f"job {workload.id[row]}: wait is unknown")
        starts.append(submit + wait)
    return starts


def observed_peak(workload: Workload) -> int:
    """Return how many nodes the jobs held at once, at most, by the log itself.

    Parameters
    ----------
    workload : Workload
        With a column ``"wait"``.

    Returns
    -------
    int
        At least the size of the widest job. At one instant, nodes are given back before others
        are taken. 0 for a workload without jobs.

    Raises
    ------
    InputError
        As for :func:`logged_starts`.

    Examples
    --------
    >>> w = Workload(
    ...     id=[1, 2, 3],
    ...     submit=[0, 0, 5],
    ...     nodes=[4, 2, 3],
    ...     estimate=[9, 9, 9],
    ...     runtime=[5, 9, 9],
    ...     extra={"wait": [0, 0, 0]},
    ... )
    >>> observed_peak(w)
    6
    """
    if not len(workload):
        return 0
    changes: list[tuple[Seconds, int]] = []
    for start, runtime, nodes in zip(
        logged_starts(workload), workload.runtime, workload.nodes, strict=True
    ):
        if runtime > 0:
            # Fractions of a second do not add up exactly: one job would end after the next began.
            changes += (round(start, 3), nodes), (round(start + runtime, 3), -nodes)
    changes.sort()
    in_use = 0
    peak = max(workload.nodes)
    for _, change in changes:
        in_use += change
        peak = max(peak, in_use)
    return peak
