"""Jobs on their way from a log to a workload: what a reader collects before anyone judges them.

A reader hands over what each row says, times as they are in the log; run times and waits that the
log leaves to be worked out are worked out here, and every oddity is counted for the report.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate, compress
from math import isnan, nan
from typing import Any

from shadowtime.errors import InputError
from shadowtime.traces import header as headers
from shadowtime.traces.cleaning import DROP, MissingEstimate, make_workload
from shadowtime.traces.textfile import stem
from shadowtime.workload import Report, Workload

NUMBERS = ("submit", "start", "end", "wait", "runtime", "estimate", "nodes")
"""Fields that are numbers: times in Unix seconds, or in seconds since the log's start."""

_CORE = ("submit", "nodes", "estimate", "runtime")


class Rows:
    """Jobs of a log, collected row by row or column by column.

    Parameters
    ----------
    name : str
        File name, for messages.
    clean : bool
        Leave out rows that cannot be used, and count them; the first is an error otherwise.
    place : str
        What a place in the file is called: ``"line"``, or ``"row"`` of a table.

    Attributes
    ----------
    report : Report

    Examples
    --------
    >>> rows = Rows("log.txt")
    >>> rows.add(2, id=7, submit=0, start=5, end=65, nodes=4, estimate=90, runtime=None, user="ann")
    >>> workload = rows.workload(machine_nodes=8)
    >>> list(workload.runtime), list(workload.extra["wait"])
    ([60], [5])
    """

    def __init__(self, name: str, *, clean: bool = False, place: str = "line") -> None:
        self.name = name
        self.clean = clean
        self.place = place
        self.report = Report(source=name)
        self._lines: array[int] = array("q")
        self._columns: dict[str, Any] = {}
        self._told: dict[tuple[int, str], str] = {}
        self._noticed: dict[str, tuple[int, str]] = {}

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def found(self) -> int:
        """How many jobs there were so far, those that were refused among them."""
        return len(self) + sum(self.report.dropped.values())

    def where(self, line: int, job: Any = None) -> str:
        """Return how messages call a line, and the job in it."""
        place = f"{self.name} {self.place} {line}"
        return place if job is None else f"{place}, job {shown(job)}"

    def add(self, line: int, *, told: Mapping[str, str] | None = None, **values: Any) -> None:
        """Add one job.

        Parameters
        ----------
        line : int
            Where it is in the file.
        told : mapping of str to str, optional
            What the log says of fields that are unknown, such as ``{"estimate": "Timelimit =
            UNLIMITED"}``, for messages.
        **values
            ``id``, :data:`NUMBERS` and any further column, None where unknown. Every job has the
            same ones.
        """
        for field, text in (told or {}).items():
            self._told[len(self._lines), field] = text
        columns = self._columns or self._begin(values)
        self._lines.append(line)
        for key, value in values.items():
            columns[key].append(nan if value is None and key in NUMBERS else value)

    def extend(
        self,
        lines: Sequence[int],
        columns: Mapping[str, Sequence[Any]],
        told: Mapping[tuple[int, str], str] | None = None,
        faults: Mapping[int, Sequence[str]] | None = None,
    ) -> None:
        """Add many jobs, given as columns.

        Parameters
        ----------
        lines : sequence of int, shape (jobs,)
            Where they are in the file.
        columns : mapping of str to sequence, each of shape (jobs,)
            As for :meth:`add`; NaN is unknown in :data:`NUMBERS`.
        told : mapping of (int, str) to str, optional
            As for :meth:`add`, by position among these jobs and field.
        faults : mapping of int to sequence of str, optional
            Reason, value and, perhaps, remedy of those among these jobs that are to be refused,
            by position: see :meth:`refuse`.

        Raises
        ------
        InputError
            At the first fault, unless the rows are to be cleaned.
        """
        places = list(range(len(lines)))
        if faults:
            for row in sorted(faults):
                self.refuse(lines[row], columns["id"][row], *faults[row])
            good = [row not in faults for row in places]
            places = list(accumulate(good, initial=0))
            lines = list(compress(lines, good))
            columns = {key: list(compress(values, good)) for key, values in columns.items()}
        for (row, field), text in (told or {}).items():
            if not faults or row not in faults:
                self._told[len(self) + places[row], field] = text
        mine = self._columns or self._begin(columns)
        self._lines.extend(lines)
        for key, values in columns.items():
            mine[key].extend(values)

    def _begin(self, names: Iterable[str]) -> dict[str, Any]:
        self._columns = {key: array("d") if key in NUMBERS else [] for key in names}
        return self._columns

    def refuse(self, line: int, job: Any, reason: str, what: str, remedy: str = DROP) -> None:
        """Leave out a row that is no job to be simulated.

        Parameters
        ----------
        line : int
        job : int, str or None
        reason : str
            Such rows are counted by it.
        what : str
            Field and value, such as ``"Start = Unknown"``.
        remedy : str
            What to do about it.

        Raises
        ------
        InputError
            Unless the rows are to be cleaned.
        """
        place = f"{self.where(line, job)}: {what}"
        if not self.clean:
            raise InputError(f"{place}; {remedy}")
        self.report.drop(reason, place)

    def notice(self, what: str, example: str) -> None:
        """Count an oddity that changes nothing; the report says how many there are.

        Parameters
        ----------
        what : str
            What is counted.
        example : str
            Place and value; the first one is told.
        """
        count, first = self._noticed.get(what, (0, example))
        self._noticed[what] = count + 1, first

    def workload(
        self,
        *,
        machine_nodes: int | None = None,
        missing_estimate: MissingEstimate = None,
        header: Mapping[str, str] | None = None,
        rename: bool = False,
    ) -> Workload:
        """Judge the jobs and make a workload of them.

        Where the run time is unknown it is ``end - start``; where the wait is, ``start - submit``.
        A further column that is unknown everywhere is left out.

        Parameters
        ----------
        machine_nodes : int, optional
        missing_estimate : "runtime", "drop" or seconds, optional
            As for :func:`shadowtime.traces.cleaning.make_workload`.
        header : mapping of str to str, optional
            Facts about the log, under the names that SWF has for them; ``MaxProcs`` is the size of
            the machine if it is not given.
        rename : bool
            Whether an id that comes again, with another submit or start, is a job of its own:
            ``7#2`` is the second of the id 7. It is a fault otherwise.

        Returns
        -------
        Workload

        Raises
        ------
        InputError
            If there is no job; at the first that cannot be simulated, unless cleaning.
        """
        report = self.report
        report.records = self.found
        if not len(self):
            reasons = ", ".join(
                f"{reason}: {count:,}, first in {report.first[reason]}"
                for reason, count in report.dropped.items()
            )
            raise InputError(f"{self.name}: the file has no job" + (reasons and f" ({reasons})"))
        columns = {key: self._columns.get(key) or array("d", [nan]) * len(self) for key in NUMBERS}
        ids = self._columns["id"]
        if rename:
            ids = self._rename(ids, columns["submit"], columns["start"])
        columns["runtime"] = self._runtimes(columns)
        waits = self._waits(columns)
        known = {key: _known(columns[key]) for key in _CORE}
        extra = {"wait": waits} | {
            key: column
            for key, column in self._columns.items()
            if key not in NUMBERS and key != "id"
        }
        for what, (count, first) in self._noticed.items():
            report.note(f"{what}: {count:,} (first: {first})")
        if machine_nodes is not None:
            report.note(f"machine size given: {machine_nodes}")
        elif header:
            machine_nodes, _ = headers.machine_size(header)
        if machine_nodes is None:
            report.note("the log does not say how large the machine is (machine_nodes, --nodes)")

        def told(row: int, field: str) -> str | None:
            unknown = field in columns and isnan(columns[field][row])
            return self._told.get((row, field), f"{field} is unknown" if unknown else None)

        return make_workload(
            id=ids,
            **known,
            extra={key: tidied for key, column in extra.items() if (tidied := _tidy(column))},
            where=lambda row: self.where(self._lines[row]),
            report=report,
            machine_nodes=machine_nodes,
            clean=self.clean,
            missing_estimate=missing_estimate,
            name=stem(self.name),
            header=header,
            told=told,
        )

    def _runtimes(self, columns: Mapping[str, array[float]]) -> array[float]:
        runtimes = columns["runtime"][:]
        for row, (start, end) in enumerate(zip(columns["start"], columns["end"], strict=True)):
            lasted = end - start
            if isnan(runtimes[row]):
                runtimes[row] = lasted
                if lasted < 0:
                    text = f"end = {end:.15g} is before start = {start:.15g}"
                    self._told.setdefault((row, "runtime"), text)
            elif abs(lasted - runtimes[row]) > 1:
                self.notice(
                    "jobs whose run time is not end - start; the run time counts",
                    f"{self._where(row)}: {runtimes[row]:.15g} and {lasted:.15g}",
                )
        return runtimes

    def _waits(self, columns: Mapping[str, array[float]]) -> array[float]:
        waits = columns["wait"][:]
        for row, (submit, start) in enumerate(
            zip(columns["submit"], columns["start"], strict=True)
        ):
            if isnan(waits[row]):
                waits[row] = start - submit
            if waits[row] < 0:
                self.notice(
                    "jobs that start before they are submitted; their wait is unknown",
                    f"{self._where(row)}: wait = {waits[row]:.15g}",
                )
                waits[row] = nan
        return waits

    def _where(self, row: int) -> str:
        return self.where(self._lines[row], self._columns["id"][row])

    def _rename(self, ids: list[Any], submit: Sequence[float], start: Sequence[float]) -> list[Any]:
        """Give ids that come again, in jobs that are not the same, names of their own."""
        if len(set(ids)) == len(ids):
            return ids
        runs: dict[Any, dict[tuple[float, float], Any]] = {}
        renamed = []
        for row, name in enumerate(ids):
            known = runs.setdefault(name, {})
            # NaN is not equal to itself: -1 makes two unknown starts the same.
            run = submit[row], -1 if isnan(start[row]) else start[row]
            if run not in known:
                known[run] = name if not known else f"{name}#{len(known) + 1}"
                if len(known) > 1:
                    self.notice(
                        "ids that come again, as those of requeued jobs do; each run is a job",
                        f"{self._where(row)} is called {known[run]}",
                    )
            renamed.append(known[run])
        return renamed


def shown(value: Any) -> str:
    r"""Return a value as it can stand in a message of one line.

    Examples
    --------
    >>> shown("so\nlong" + 100 * "!")
    'so long!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!...'
    """
    text = " ".join(str(value).split())
    return text if len(text) <= 40 else f"{text[:40]}..."


def _whole(column: array[float]) -> array[Any]:
    if all(map(float.is_integer, column)):
        with suppress(OverflowError):  # a whole number beyond 64 bits stays a float
            return array("q", map(int, column))
    return column


def _known(column: array[float]) -> array[Any]:
    """Return a column with -1 where it is unknown."""
    return _whole(array("d", [-1 if isnan(value) else value for value in column]))


def _tidy(column: Any) -> Sequence[Any] | None:
    """Return a column with None where it is unknown, or None if all of it is."""
    if not isinstance(column, array):
        return column if any(value is not None for value in column) else None
    known = array("d", [value for value in column if not isnan(value)])
    if not known:
        return None
    whole = _whole(known)
    if len(known) == len(column):
        return whole
    values = iter(whole)
    return tuple([None if isnan(value) else next(values) for value in column])
