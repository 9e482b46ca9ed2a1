"""The lines of an SWF log as columns of numbers, before anyone judges the jobs."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, islice
from typing import Any

from shadowtime.errors import InputError
from shadowtime.traces import bulk
from shadowtime.traces import header as headers
from shadowtime.traces.textfile import Source, name_of, open_log
from shadowtime.workload import Report

FIELDS = (
    "id",
    "submit",
    "wait",
    "runtime",
    "allocated",
    "cpu_time",
    "used_memory",
    "nodes",
    "estimate",
    "requested_memory",
    "status",
    "user",
    "group",
    "application",
    "queue",
    "partition",
    "preceding_job",
    "think_time",
)
"""The fields of a line, in order; ``nodes`` and ``estimate`` are the requested ones."""

EXTRA = tuple(key for key in FIELDS if key not in {"id", "submit", "nodes", "estimate", "runtime"})
"""The fields that become extra columns of a workload, where a log has them."""

_BLOCK = 4096
_MANY = 2 * _BLOCK  # lines after which it pays to load numpy
_LIMIT = 2**53  # whole numbers below it are exact in any column
_DROP = "pass clean=True (--clean) to drop such lines"


@dataclass
class Records:
    """The records of an SWF log as they stand.

    Parameters
    ----------
    name : str
        File name.
    header : dict of str to str
        See :func:`shadowtime.traces.header.understand`.
    columns : dict of str to array, each of shape (records,)
        The 18 :data:`FIELDS`, -1 where unknown.
    lines : array of int, shape (records,)
        Line of each record in the file.
    report : Report
        What was noticed, and the lines that are not SWF if they were to be dropped.
    """

    name: str
    header: dict[str, str]
    columns: dict[str, array[Any]]
    lines: array[int]
    report: Report

    def __len__(self) -> int:
        return len(self.lines)


def parse(source: Source, *, clean: bool = False, limit: int | None = None) -> Records:
    """Read the lines of an SWF log without judging the jobs.

    Parameters
    ----------
    source : path, or file open for reading
        Plain or packed, whatever its name.
    clean : bool
        Drop and count lines that do not begin with 18 numbers; the first is an error otherwise.
    limit : int, optional
        Read this many records at most.

    Raises
    ------
    InputError
        If the file cannot be read, has no job, or, unless `clean`, has a line that is not SWF.
    """
    if limit is not None and limit < 1:
        raise InputError(f"limit = {limit}; it must be 1 or more")
    parser = _Parser(name_of(source), clean=clean)
    with open_log(source) as stream:
        wanted = _BLOCK if limit is None else limit
        while wanted > 0 and (block := list(islice(stream, min(wanted, _BLOCK)))):
            parser.take(block)
            if limit is not None:
                wanted = limit - len(parser.lines)
    return parser.finish()


class _Parser:
    """Collects columns block by block: far faster than number by number."""

    def __init__(self, name: str, *, clean: bool) -> None:
        self.name = name
        self.clean = clean
        self.report = Report(source=name)
        self.comments: list[str] = []
        self.lines: array[int] = array("q")
        self.columns: list[array[Any]] = [array("q") for _ in FIELDS]
        self.seen = self.longest = self.longer = 0

    def take(self, block: list[bytes]) -> None:
        if self.seen >= _MANY and self._take_numbers(block):
            return
        rows = list(map(bytes.split, block))
        lines: Sequence[int] = range(self.seen + 1, self.seen + len(block) + 1)
        self.seen += len(block)
        text = b"".join(block)
        if set(map(len, rows)) != {18} or b";" in text or b"_" in text:
            jobs = [self._is_job(*line) for line in zip(lines, block, rows, strict=True)]
            rows = [row[:18] for row in compress(rows, jobs)]
            lines = list(compress(lines, jobs))
        if not rows:
            return
        try:
            columns = [_column(texts) for texts in zip(*rows, strict=True)]
        except ValueError:
            good = [self._is_numeric(*pair) for pair in zip(lines, rows, strict=True)]
            rows, lines = list(compress(rows, good)), list(compress(lines, good))
            columns = [_column(texts) for texts in zip(*rows, strict=True)]
        self._append(lines, columns)

    def _take_numbers(self, block: list[bytes]) -> bool:
        """Take a block if it holds nothing but whole numbers, 18 a line."""
        columns = bulk.columns(b"".join(block), len(block), len(FIELDS), _LIMIT)
        if columns is None:
            return False
        self._append(range(self.seen + 1, self.seen + len(block) + 1), columns)
        self.seen += len(block)
        return True

    def _append(self, lines: Sequence[int], columns: Sequence[array[Any]]) -> None:
        self.lines.extend(lines)
        for place, column in enumerate(columns):
            mine = self.columns[place]
            if mine.typecode == column.typecode:
                mine.extend(column)
            else:
                self.columns[place] = array("d", [*mine, *column])

    def finish(self) -> Records:
        report = self.report
        report.records = len(self.lines) + sum(report.dropped.values())
        if not self.lines:
            if report.first:
                raise InputError(f"{next(iter(report.first.values()))}; no line of the file is SWF")
            raise InputError(f"{self.name}: the file has no job, only comments or blank lines")
        if self.longer:
            report.note(
                f"lines with more than 18 fields (up to {self.longest}): {self.longer:,}; only the"
                " 18 of SWF are read"
            )
        header = headers.understand(self.comments)
        columns = dict(zip(FIELDS, self.columns, strict=True))
        return Records(self.name, header, columns, self.lines, report)

    def _comment(self, line: int, text: bytes) -> None:
        try:
            self.comments.append(text.decode())
        except UnicodeDecodeError:
            self.comments.append(text.decode("latin-1"))
            self.report.note(f"the comment in line {line} is not UTF-8: read as Latin-1")

    def _bad(self, line: int, reason: str, what: str) -> None:
        place = f"{self.name} line {line}{what}"
        if not self.clean:
            raise InputError(f"{place}; {_DROP}")
        self.report.drop(reason, place)

    def _is_job(self, line: int, text: bytes, fields: list[bytes]) -> bool:
        if not fields:
            return False
        if fields[0].startswith(b";"):
            self._comment(line, text)
            return False
        count = len(fields)
        if count < 18:
            what = f": {count} field{'s' * (count > 1)}, SWF has 18 ({_show(text.strip())})"
            self._bad(line, "fewer than 18 fields", what)
            return False
        if b"\r" in text.rstrip():
            raise InputError(f"{self.name} line {line}: lines end in CR alone; use LF or CR LF")
        if count > 18:
            self.longer += 1
            self.longest = max(self.longest, count)
        return not any(b"_" in field for field in fields[:18]) or self._is_numeric(line, fields)

    def _is_numeric(self, line: int, fields: list[bytes]) -> bool:
        for name, field in zip(FIELDS, fields, strict=False):
            if why := complaint(field):
                job = "" if complaint(fields[0]) else f", job {fields[0].decode()}"
                what = f"{job}: {name} = {_show(field)} {why}"
                self._bad(line, "text where a number belongs", what)
                return False
        return True


def complaint(text: bytes) -> str:
    """Say why `text` is not a number that a log may hold; nothing if it is one."""
    try:
        number = float(text)
    except ValueError:
        return "is not a number"
    # Python reads 1_000 as a number; a log that has it is broken.
    if b"_" in text or math.isnan(number):
        return "is not a number"
    return "" if abs(number) < _LIMIT else "is too large"


def _column(texts: tuple[bytes, ...]) -> array[Any]:
    """Turn the texts of one field into numbers; ValueError if one is not as it should be."""
    if texts.count(texts[0]) == len(texts):  # most logs say -1 in half of the fields
        texts, times = texts[:1], len(texts)
    else:
        times = 1
    numbers: array[Any]
    try:
        numbers = array("q", map(int, texts))
    except (ValueError, OverflowError):
        numbers = array("d", map(float, texts))
        if any(map(math.isnan, numbers)):
            raise ValueError from None
    if max(numbers) >= _LIMIT or min(numbers) <= -_LIMIT:
        raise ValueError
    if numbers.typecode == "d" and all(map(float.is_integer, numbers)):
        numbers = array("q", map(int, numbers))
    return numbers * times


def _show(text: bytes) -> str:
    shown = text.decode("utf-8", "backslashreplace")
    return repr(shown if len(shown) <= 40 else shown[:40] + "...")
