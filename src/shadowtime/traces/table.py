"""Tables of jobs: CSV, Parquet and pandas DataFrames, with a mapping of their columns.

Of a table whose columns have other names, ``columns`` says which is which, such as
``{"submit": "queued_at", "nodes": "n"}``. Big files are read a part at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, TypeAlias

from shadowtime.errors import InputError
from shadowtime.traces import series
from shadowtime.traces.cleaning import DROP, NO_NUMBER, MissingEstimate
from shadowtime.traces.clock import SKIPPED, TWICE, Clock
from shadowtime.traces.rows import NUMBERS, Rows, shown
from shadowtime.traces.tablefile import Table, header_of, open_table, title
from shadowtime.workload import Workload

if TYPE_CHECKING:
    import pandas as pd

Convert: TypeAlias = "Callable[[pd.Series[Any]], pd.Series[Any]]"

TIMES = ("submit", "start", "end")
DURATIONS = ("wait", "runtime", "estimate")
NAMES = ("user", "group", "account", "application", "queue", "partition", "qos", "status")
REQUESTS = ("requested_memory", "memory", "processors", "gpus", "allocated")
KNOWN = ("id", *NUMBERS, *NAMES, *REQUESTS)
"""Columns that are read under their own name if the mapping does not name another."""

_NO_ID = "no job id"


def read(
    source: Table,
    columns: Mapping[str, str] | None = None,
    *,
    clean: bool | None = None,
    missing_estimate: MissingEstimate = None,
    machine_nodes: int | None = None,
    limit: int | None = None,
    zone: str | None = None,
    rename: bool = False,
    convert: Mapping[str, Convert] | None = None,
    optional: Collection[str] = (),
    spare: Mapping[str, str] | None = None,
    header: Mapping[str, str] | None = None,
) -> Workload:
    """Read a table of jobs.

    Parameters
    ----------
    source : path, file open for reading, or pandas.DataFrame
        CSV (plain or gzip; commas, semicolons, tabs or bars) with a line of names, or Parquet.
    columns : mapping of str to str, optional
        Our name of a column, and the table's. Needed are ``submit``, ``nodes``, ``estimate``, and
        ``runtime`` or ``start`` and ``end``. Those of :data:`KNOWN` that are not in the mapping
        are taken if the table has them under that name. A name that is none of these becomes a
        further column of the workload. Without an ``id`` the rows are numbered from 1.

        ``submit``, ``start`` and ``end`` are seconds, or timestamps; ``runtime``, ``estimate``
        and ``wait`` are seconds, timedeltas, or texts ``[days-]hours:minutes:seconds``.
    clean : bool, optional
        Leave out rows that cannot be used, and count them; the first is an error otherwise.
    missing_estimate : "runtime", "drop" or seconds, optional
        As for :func:`shadowtime.traces.swf.read`.
    machine_nodes : int, optional
    limit : int, optional
        Read this many rows at most.
    zone : str, optional
        Time zone of timestamps that have none, such as ``"Europe/Berlin"``; UTC by default.
    rename : bool
        Whether an id that comes again, with another submit or start, is a job of its own:
        ``7#2``. It is a fault otherwise.
    convert : mapping of str to callable, optional
        For columns that have to be worked out: our name, and what turns the table's column (a
        pandas.Series of its values, of texts in CSV) into ours.
    optional : collection of str
        Names in `columns` that the table may lack.
    spare : mapping of str to str, optional
        For numbers that are unknown or 0: our name, and the table's column that counts instead. The
        report says how often it did.
    header : mapping of str to str, optional
        Facts about the log, under the names that SWF has for them.

    Returns
    -------
    Workload

    Raises
    ------
    InputError
        If the table cannot be read or lacks a column; at the first row that is not right, unless
        `clean`. The message names file, row (from 1), job, column and value.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame(
    ...     {"queued_at": ["2024-05-01 12:00:00"], "n": [4], "limit": ["01:00:00"], "runtime": [60]}
    ... )
    >>> mapping = {"submit": "queued_at", "nodes": "n", "estimate": "limit"}
    >>> workload = read(frame, columns=mapping, machine_nodes=8)
    >>> workload[0].submit, workload[0].estimate
    (1714564800, 3600)
    """
    if limit is not None and limit < 1:
        raise InputError(f"limit = {limit}; it must be 1 or more")
    name = title(source)
    rows = Rows(name, clean=bool(clean), place="row")
    with ExitStack() as stack:
        try:
            names, parts = open_table(source, stack, limit, rows)
            mapping = _mapping(name, names, columns or {}, optional, missing_estimate)
            second = {key: column for key, column in (spare or {}).items() if column in names}
            gathered = _Gathering(rows, mapping, second, Clock(zone), convert or {})
            wanted = list(dict.fromkeys([*mapping.values(), *second.values()]))
            for numbers, part in parts(wanted):
                gathered.take(numbers, part)
        except ImportError as error:
            raise InputError(
                f"{name}: tables need the package {error.name}: pip install 'shadowtime[frames]'"
            ) from None
    if gathered.local and zone is None:
        rows.report.note("times without a zone are read as UTC (zone, --zone)")
    if left := [key for key in names if key not in wanted]:
        rows.report.note(f"columns that are not read: {', '.join(left)}")
    return rows.workload(
        machine_nodes=machine_nodes,
        missing_estimate=missing_estimate,
        header=header,
        rename=rename,
    )


def sniff(head: bytes) -> bool:
    r"""Tell whether a file that begins with `head` is a CSV with the names of this package.

    Examples
    --------
    >>> sniff(b"submit,nodes,estimate,runtime\n"), sniff(b"when,how_many\n")
    (True, False)
    """
    names = set(header_of(head))
    lasts = "runtime" in names or {"start", "end"} <= names
    return lasts and {"submit", "nodes", "estimate"} <= names


def _mapping(
    name: str,
    names: Sequence[str],
    columns: Mapping[str, str],
    optional: Collection[str],
    missing_estimate: MissingEstimate,
) -> dict[str, str]:
    """Return the table's name of each column that is read, by ours."""
    there = ", ".join(names)
    mapping = {key: key for key in KNOWN if key in names and key not in columns.values()}
    for key, column in columns.items():
        if column in names:
            mapping[key] = column
        elif key not in optional:
            raise InputError(f"{name}: there is no column {column!r} for {key}; there are {there}")
    lasts = () if {"start", "end"} <= mapping.keys() else ("runtime",)
    asked = ("estimate",) if missing_estimate in {None, "drop"} else ()
    for key in ("submit", "nodes", *lasts, *asked):
        if key not in mapping:
            raise InputError(
                f"{name}: no column is known to be {key}; there are {there}; name it:"
                f" columns={{{key!r}: ...}} (--columns {key}=...)"
            )
    for column in mapping.values():
        if names.count(column) > 1:
            raise InputError(f"{name}: there are {names.count(column)} columns called {column!r}")
    return mapping


class _Gathering:
    """Turns parts of a table into rows."""

    def __init__(
        self,
        rows: Rows,
        mapping: Mapping[str, str],
        spare: Mapping[str, str],
        clock: Clock,
        convert: Mapping[str, Convert],
    ) -> None:
        self.rows = rows
        self.mapping = mapping
        self.spare = spare
        self.clock = clock
        self.convert = convert
        self.local = False
        self._texts: dict[Any, Any] = {}

    def take(self, numbers: Sequence[int], part: pd.DataFrame) -> None:
        """Read the next rows; `numbers` are theirs."""
        part = part.reset_index(drop=True)
        read = {key: self._read(key, part[column]) for key, column in self.mapping.items()}
        figures = {key: found for key, found in read.items() if isinstance(found, series.Numbers)}
        columns = {key: found for key, found in read.items() if key not in figures}
        ids = columns.setdefault("id", list(numbers))
        self._fill(part, figures, lambda row: self.rows.where(numbers[row], ids[row]))
        faults = self._faults(part, figures, ids)
        self._settle(part, figures, lambda row: self.rows.where(numbers[row], ids[row]))
        self.local = self.local or any(found.local for found in figures.values())
        for key, found in figures.items():
            columns[key] = found.number if key in NUMBERS else found.known()
        told = {
            (row, key): self._show(part, key, row)
            for key, found in figures.items()
            for row in found.unlimited
        }
        self.rows.extend(numbers, columns, told, faults)

    def _read(self, key: str, values: pd.Series[Any]) -> Any:
        if key in self.convert:
            values = self.convert[key](values)
        if key in TIMES:
            return series.times(values, self.clock)
        if key in DURATIONS:
            return series.durations(values)
        if key == "nodes" or key in REQUESTS:
            return series.numbers(values)
        return series.names(values, {} if key == "id" else self._texts)

    def _fill(
        self,
        part: pd.DataFrame,
        figures: Mapping[str, series.Numbers],
        where: Callable[[int], str],
    ) -> None:
        """Take the numbers of spare columns where those of the first are unknown or 0."""
        for key, column in self.spare.items():
            found, other = figures[key], series.numbers(part[column])
            empty = ~((found.number > 0) | found.wrong) & (other.number > 0)
            found.number[empty] = other.number[empty]
            for row in empty.nonzero()[0].tolist():
                self.rows.notice(
                    f"jobs without {self.mapping[key]}; {column} counts",
                    f"{where(row)}: {part[column].iloc[row]}",
                )

    def _show(self, part: pd.DataFrame, key: str, row: int) -> str:
        return f"{self.mapping[key]} = {shown(part[self.mapping[key]].iloc[row])}"

    def _faults(
        self, part: pd.DataFrame, figures: Mapping[str, series.Numbers], ids: Sequence[Any]
    ) -> dict[int, tuple[str, str, str]]:
        """Return reason, value and remedy of the rows that cannot be read."""
        bad: dict[int, tuple[str, str, str]] = {}
        for key, found in figures.items():
            kind = "time" if key in TIMES else "duration" if key in DURATIONS else "number"
            for row in found.wrong.nonzero()[0].tolist():
                bad.setdefault(row, (NO_NUMBER, f"{self._show(part, key, row)} is no {kind}", DROP))
            for row, reading in found.doubtful.items():
                if reading.missing:
                    what = f"{self._show(part, key, row)} does not exist in {self.clock.zone}"
                    bad.setdefault(row, (SKIPPED, what, f"give the right zone, or {DROP}"))
        for row, name in enumerate(ids):
            if name is None:
                bad.setdefault(row, (_NO_ID, "the id is empty", DROP))
        return bad

    def _settle(
        self,
        part: pd.DataFrame,
        figures: Mapping[str, series.Numbers],
        where: Callable[[int], str],
    ) -> None:
        """Choose what times mean that the clock shows twice."""
        earlier = None
        for key in TIMES:
            if key not in figures:
                continue
            found = figures[key]
            for row, reading in found.doubtful.items():
                if reading.twice:
                    self.rows.notice(TWICE, f"{where(row)}: {self._show(part, key, row)}")
                    if earlier is not None:
                        found.number[row] = reading.settle(earlier.number[row])
            earlier = found
