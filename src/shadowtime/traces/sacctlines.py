"""The lines of a print of ``sacct``, many at a time, as columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import repeat
from math import isnan, nan
from typing import Any

from shadowtime.errors import InputError
from shadowtime.traces import slurm
from shadowtime.traces.cleaning import DROP, NO_NUMBER
from shadowtime.traces.clock import SKIPPED, TWICE, Clock, Reading
from shadowtime.traces.rows import Rows, shown

SIZES = {
    "nodes": ("nnodes", "allocnodes", "reqnodes"),
    "processors": ("alloccpus", "ncpus", "reqcpus"),
}
"""Columns that give the size of a job, the first one that is there and more than 0."""

NAMES = {
    "user": "user", "group": "group", "account": "account", "queue": "partition", "qos": "qos",
    "name": "jobname", "cluster": "cluster",
}  # fmt: skip
"""Further columns of the workload, and Slurm's columns."""

IDS = ("jobid", "jobidraw")
"""Columns that tell jobs apart."""

_UNKNOWN_TIME = Reading(nan, nan)


class Layout:
    """Which field of a line says what.

    Attributes
    ----------
    at : dict of str to int
        Position of each column, by its name in lower case.
    called : dict of str to str
        Name of each column as it is given.
    id, shown : str
        The column that tells jobs apart, and the one that tells steps from jobs.
    sizes : list of str
        Columns that give the size.
    """

    def __init__(self, file: str, columns: Sequence[str] | str, unit: str) -> None:
        if isinstance(columns, str):
            columns = columns.split(",")
        names = [name.partition("%")[0].strip() for name in columns]
        if names[-1] == "":  # a bar, or a comma, ends the line of names
            names.pop()
        self.at = {name.casefold(): place for place, name in enumerate(names)}
        self.called = {name.casefold(): name for name in names}
        self.sizes = [name for name in SIZES[unit] if name in self.at]
        self.id = "jobidraw" if "jobidraw" in self.at else "jobid"
        self.shown = "jobid" if "jobid" in self.at else "jobidraw"
        if len(self.at) < len(names):
            raise InputError(f"{file}: a column comes twice: {', '.join(names)}")
        for name, is_there in (
            ("JobID", self.id in self.at),
            ("Submit", "submit" in self.at),
            ("NNodes" if unit == "nodes" else "NCPUS", bool(self.sizes)),
            (
                "Elapsed",
                {"elapsed", "elapsedraw"} & self.at.keys() or {"start", "end"} <= set(self.at),
            ),
        ):
            if not is_there:
                raise InputError(f"{file}: there is no column {name}; there are {', '.join(names)}")


class _Part:
    """Some lines, column by column, and what is wrong with them.

    Attributes
    ----------
    lines : list of int
        Where the jobs are in the file.
    told : dict of (int, str) to str
        What the log says of unknown fields, by position among the jobs and our name.
    faults : dict of int to tuple of str
        Reason, value and remedy, by position.
    """

    def __init__(self, layout: Layout) -> None:
        self.lines: list[int] = []
        self.told: dict[tuple[int, str], str] = {}
        self.faults: dict[int, tuple[str, ...]] = {}
        self._layout = layout
        self._jobs: list[list[str]] = []
        self._columns: list[tuple[str, ...]] = []

    def add(self, line: int, fields: list[str]) -> None:
        """Add a job."""
        self.lines.append(line)
        self._jobs.append(fields)

    def misfit(self, line: int, fields: list[str]) -> None:
        """Add a line that has not as many fields as there are columns."""
        width = len(self._layout.at)
        more = "more" if len(fields) > width else "fewer"
        what = f"{len(fields)} fields for {width} columns"
        self.fault(len(self.lines), f"{more} fields than columns", what)
        self.add(line, (fields + [""] * width)[:width])

    def fault(self, row: int, *told: str) -> None:
        """Say what is wrong with a job, if nothing else is."""
        self.faults.setdefault(row, told)

    def texts(self, name: str) -> Sequence[str]:
        """Return a column as it is in the file, shape (jobs,)."""
        if not self._columns:
            self._columns = list(zip(*self._jobs, strict=True))
        return self._columns[self._layout.at[name]]

    def show(self, row: int, name: str) -> str:
        """Return how messages tell a field."""
        return f"{self._layout.called[name]} = {shown(self.texts(name)[row])}"

    def read(
        self,
        name: str,
        function: Callable[[str], Any],
        kind: str,
        key: str = "",
        unknown: Any = nan,
    ) -> list[Any]:
        """Return the values of a column; `key` is our name if they can be told to be unknown."""
        texts = self.texts(name)
        try:
            values = list(map(function, texts))
        except ValueError:
            values = [self._one(row, name, function, kind, unknown) for row in range(len(texts))]
        if key:
            for row, value in enumerate(values):
                if isnan(value):
                    self.told.setdefault((row, key), self.show(row, name))
        return values

    def _one(
        self, row: int, name: str, function: Callable[[str], Any], kind: str, unknown: Any
    ) -> Any:
        try:
            return function(self.texts(name)[row])
        except ValueError:
            self.fault(row, NO_NUMBER, f"{self.show(row, name)} is no {kind}")
            return unknown

    def check_ended(self) -> None:
        """Find the jobs that have not run, or have not ended."""
        there = self._layout.at
        names = {name: name for name in ("jobid", "state", "start", "end", "nodelist")}
        names["jobid"] = self._layout.shown
        names["allocated"] = "alloccpus" if "alloccpus" in there else "allocnodes"
        columns = [self.texts(name) if name in there else repeat("-") for name in names.values()]
        for row, found in enumerate(map(slurm.unfinished, *columns)):
            if found:
                self.fault(row, found[0], self.show(row, names[found[1]]))


class Reader:
    """Turns lines into rows, many at a time."""

    def __init__(self, rows: Rows, layout: Layout, clock: Clock, *, bars: bool) -> None:
        self.rows = rows
        self.layout = layout
        self.clock = clock
        self.bars = bars
        self.seen = self.steps = 0
        self.clusters: Counter[str | None] = Counter()
        self.texts: dict[str, str | None] = {"": None}  # each name is held once

    def take(self, block: Sequence[bytes]) -> None:
        """Read the next lines."""
        at = self.layout.at[self.layout.shown]
        width = len(self.layout.at)
        part = _Part(self.layout)
        for line in block:
            self.seen += 1
            fields = self._fields(line)
            if len(fields) != width:
                if fields != [""]:
                    part.misfit(self.seen, fields)
            elif "." in fields[at]:
                self.steps += 1
            elif fields[at].casefold() not in IDS:
                part.add(self.seen, fields)
            elif self.seen > 1:
                self.rows.notice("lines of names among the jobs", self.rows.where(self.seen))
        if part.lines:
            columns = self._columns(part)
            self.rows.extend(part.lines, columns, part.told, part.faults)

    def finish(self) -> None:
        """Say what concerns the whole file."""
        if self.steps:
            self.rows.report.note(f"steps of jobs (such as .batch), passed over: {self.steps:,}")
        if len(self.clusters) > 1:
            told = ", ".join(f"{name}: {jobs:,}" for name, jobs in self.clusters.items())
            self.rows.report.note(f"jobs of several clusters ({told})")

    def _fields(self, line: bytes) -> list[str]:
        try:
            text = line.decode()
        except UnicodeDecodeError:
            text = line.decode("utf-8", "backslashreplace")
            what = r"lines that are not UTF-8; such bytes stand as \x.."
            self.rows.notice(what, self.rows.where(self.seen))
        fields = text.rstrip("\r\n").split("|")
        at = self.layout.at
        if self.bars and len(fields) > 1 and fields[-1] == "":
            fields.pop()
        if len(fields) > len(at) and "jobname" in at:  # the name has bars in it
            begin = at["jobname"]
            end = begin + 1 + len(fields) - len(at)
            fields[begin:end] = ["|".join(fields[begin:end])]
        return fields

    def _columns(self, part: _Part) -> dict[str, Any]:
        """Return the columns of some jobs, and tell `part` what is wrong with them."""
        part.check_ended()
        there = self.layout.at
        shown = part.texts(self.layout.shown)
        columns: dict[str, Any] = {
            "id": [int(x) if x.isdecimal() else x for x in part.texts(self.layout.id)]
        }
        for row, name in enumerate(shown):
            if "+" in name:
                where = self.rows.where(part.lines[row], name)
                self.rows.notice("parts of heterogeneous jobs; each is a job", where)
        self._times(part, columns)
        for key, column, function in (
            ("runtime", "elapsed", slurm.seconds),
            ("estimate", "timelimit", slurm.limit),
        ):
            for name in (f"{column}raw", column):
                if name in there and key not in columns:
                    columns[key] = part.read(name, function, "duration", key)
        sizes = [part.read(name, slurm.count, "number", "nodes") for name in self.layout.sizes]
        columns["nodes"] = [
            next((x for x in row if not isnan(x)), nan) for row in zip(*sizes, strict=True)
        ]
        for key, name in NAMES.items():
            if name in there:
                columns[key] = [self.texts.setdefault(text, text) for text in part.texts(name)]
        self.clusters.update(columns.get("cluster", ()))
        if "state" in there:
            columns["status"] = [slurm.state(text) or None for text in part.texts("state")]
        requested = next((x for x in reversed(SIZES["processors"]) if x in there), None)
        if requested:
            processors = part.read(requested, slurm.count, "number")
            columns["processors"] = [None if isnan(x) else x for x in processors]
            if "reqmem" in there:
                nodes = (
                    part.read("nnodes", slurm.count, "number") if "nnodes" in there else repeat(nan)
                )
                asked = zip(part.texts("reqmem"), nodes, processors, strict=False)
                columns["requested_memory"] = [slurm.memory(*job) for job in asked]
        if "reqtres" in there:
            columns["gpus"] = list(map(slurm.gpus, part.texts("reqtres")))
        return columns

    def _times(self, part: _Part, columns: dict[str, Any]) -> None:
        earlier: Sequence[float] | None = None
        for key in ("submit", "start", "end"):
            if key not in self.layout.at:
                continue
            readings = part.read(key, self._time, "time", unknown=_UNKNOWN_TIME)
            columns[key] = [reading[0] for reading in readings]
            for row, reading in enumerate(readings):
                if reading.missing:
                    what = f"{part.show(row, key)} does not exist in {self.clock.zone}"
                    part.fault(row, SKIPPED, what, f"give the right zone, or {DROP}")
                elif reading.twice:
                    where = self.rows.where(part.lines[row], columns["id"][row])
                    self.rows.notice(TWICE, f"{where}: {part.show(row, key)}")
                    if earlier:
                        columns[key][row] = reading.settle(earlier[row])
            earlier = columns[key]

    def _time(self, text: str) -> Reading:
        return _UNKNOWN_TIME if text in slurm.UNKNOWN else self.clock.read(text)
