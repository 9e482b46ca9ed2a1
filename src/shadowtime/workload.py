"""Jobs, and workloads made of them.

A :class:`Workload` is a table of rigid jobs held as columns, so that ten jobs and ten million are
one type. Numeric columns are :class:`array.array` objects: plain Python indexes them, and
``numpy.asarray`` looks at them without copying.
"""

from __future__ import annotations

import copy
import dataclasses
import math
import operator
import os
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from itertools import islice
from typing import TYPE_CHECKING, Any, overload

from shadowtime.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

Seconds = int | float
"""A time or a duration, in the workload's unit: seconds for every log, minutes in the demo."""

JobId = int | str

NUMERIC = ("submit", "nodes", "estimate", "runtime")


@dataclass(frozen=True, slots=True)
class Job:
    """One rigid batch job.

    Parameters
    ----------
    id : int or str
        The job's name, unique in its workload.
    submit : int or float
        When the job enters the queue.
    nodes : int
        Nodes it needs, all of them from its start to its end.
    estimate : int or float
        Wall time that the user requested, in the same unit as `submit`.
    runtime : int or float
        Wall time that the job needs. It may pass the estimate: see the overrun rules of
        :func:`shadowtime.simulate`.
    user, queue : str, optional
        Who submitted the job, and to which queue.

    Examples
    --------
    >>> Job(id=1, submit=0, nodes=4, estimate=100, runtime=80).nodes
    4
    """

    id: JobId
    submit: Seconds
    nodes: int
    estimate: Seconds
    runtime: Seconds
    user: str | None = None
    queue: str | None = None


@dataclass
class Report:
    """What was found, left out or changed while jobs were read.

    Parameters
    ----------
    source : str
        File or table that the jobs came from.
    records : int
        Jobs found in the source.
    kept : int
        Jobs that became part of the workload.
    dropped : dict of str to int
        Jobs left out, counted by reason.
    first : dict of str to str
        The first job left out for each reason, as file, line, job, field and value.
    notes : list of str
        Anything else worth saying, one sentence each.
    """

    source: str = ""
    records: int = 0
    kept: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    first: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def drop(self, reason: str, where: str = "") -> None:
        """Count one job left out.

        Parameters
        ----------
        reason : str
            Jobs are counted by it.
        where : str
            File, line, job, field and value; kept if it is the first for the reason.
        """
        self.dropped[reason] = self.dropped.get(reason, 0) + 1
        if where:
            self.first.setdefault(reason, where)

    def note(self, text: str) -> None:
        """Add a sentence, once.

        Parameters
        ----------
        text : str
        """
        if text not in self.notes:
            self.notes.append(text)

    def __str__(self) -> str:
        lines = [f"{self.source or 'workload'}: {self.records:,} jobs found, {self.kept:,} kept"]
        for reason, count in self.dropped.items():
            example = f" (first: {self.first[reason]})" if reason in self.first else ""
            lines.append(f"left out, {reason}: {count:,}{example}")
        return "\n".join(lines + self.notes)


def _is_number(value: Any) -> bool:
    try:
        array("d", [value])
    except (TypeError, OverflowError):
        return False
    return True


def _numbers(
    values: Iterable[Any], name: str, describe: Callable[[int], str]
) -> array[int] | array[float]:
    """Turn `values` into a column: whole numbers if all of them are, floats otherwise."""
    if isinstance(values, array) and values.typecode in "qd":
        column: array[Any] = values
    else:
        values = values.tolist() if hasattr(values, "tolist") else list(values)
        with suppress(TypeError, OverflowError):
            return array("q", values)
        try:
            column = array("d", values)
        except (TypeError, OverflowError):
            row = next(row for row, value in enumerate(values) if not _is_number(value))
            raise InputError(f"{describe(row)}: {name} = {values[row]!r} is not a number") from None
    if column.typecode == "q":
        return column
    if not all(map(math.isfinite, column)):
        row = next(row for row, value in enumerate(column) if not math.isfinite(value))
        raise InputError(f"{describe(row)}: {name} = {column[row]} is not a number")
    if all(map(float.is_integer, column)):
        with suppress(OverflowError):  # a whole number beyond 64 bits stays a float
            return array("q", map(int, column))
    return column


def _through_numpy(column: Sequence[Any]) -> Any:
    """Return a long column as numpy sees it, if numpy is loaded anyway; None otherwise."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(column, array) or len(column) < 10_000:
        return None
    return numpy.asarray(column)


def extremes(column: Sequence[Any]) -> tuple[Any, Any]:
    """Return the least and the greatest value of a column.

    Parameters
    ----------
    column : sequence of numbers, shape (jobs,)
        At least one.

    Returns
    -------
    least, greatest : int or float

    Examples
    --------
    >>> extremes(array("q", [4, 1, 3]))
    (1, 4)
    """
    values = _through_numpy(column)
    if values is None:
        return min(column), max(column)
    return values.min().item(), values.max().item()


def _increases(column: Sequence[Any], *, strictly: bool) -> bool:
    values = _through_numpy(column)
    if values is not None:
        compared = values[:-1] < values[1:] if strictly else values[:-1] <= values[1:]
        return bool(compared.all())
    compare = operator.lt if strictly else operator.le
    return all(map(compare, column, islice(column, 1, None)))


class Workload:
    """A table of jobs, in queue order: by submit time, then by position in the input.

    Parameters
    ----------
    id : sequence of int or str, shape (jobs,)
        Unique names.
    submit : sequence of numbers, shape (jobs,)
        When each job enters the queue, in the unit of the durations (seconds for logs).
    nodes : sequence of int, shape (jobs,)
        Nodes that each job needs.
    estimate, runtime : sequence of numbers, shape (jobs,)
        Requested and actual durations.
    extra : mapping of str to sequence, optional
        Further columns, each of shape (jobs,), such as ``"user"``, ``"queue"`` or ``"status"``;
        None where a value is unknown.
    machine_nodes : int, optional
        Nodes of the machine that the jobs were submitted to.
    name : str
        What tables and figures call this workload.
    header : mapping of str to str, optional
        Facts that came with the log.
    report : Report, optional
        What the reader found; the workload adds what it notices itself.
    where : callable, optional
        Maps a row of the input to its place (``"log.swf line 812"``) for error messages.

    Attributes
    ----------
    id, submit, nodes, estimate, runtime : sequence, shape (jobs,)
        The columns in queue order.
    extra : dict of str to sequence
    report : Report

    Raises
    ------
    InputError
        If a value is not a number, nodes < 1, nodes > `machine_nodes`, estimate <= 0, runtime < 0,
        an id occurs twice, or columns differ in length. The message names job, field and value.

    Examples
    --------
    >>> w = Workload(id=[1, 2], submit=[0, 5], nodes=[4, 2], estimate=[60, 30], runtime=[50, 30])
    >>> len(w), w[1].nodes, list(w.runtime)
    (2, 2, [50, 30])
    """

    id: Sequence[JobId]
    submit: Sequence[Seconds]
    nodes: Sequence[int]
    estimate: Sequence[Seconds]
    runtime: Sequence[Seconds]

    def __init__(
        self,
        *,
        id: Iterable[JobId],  # noqa: A002 - the column's name
        submit: Iterable[Seconds],
        nodes: Iterable[int],
        estimate: Iterable[Seconds],
        runtime: Iterable[Seconds],
        extra: Mapping[str, Sequence[Any]] | None = None,
        machine_nodes: int | None = None,
        name: str = "",
        header: Mapping[str, str] | None = None,
        report: Report | None = None,
        where: Callable[[int], str] | None = None,
    ) -> None:
        self.machine_nodes = machine_nodes
        self.name = name
        self.header = dict(header or {})
        self.report = report if report is not None else Report(source=name)
        ids = id if isinstance(id, array) else list(id)

        def describe(row: int) -> str:
            place = f"{where(row)}, " if where else ""
            return f"{place}job {ids[row]}" if row < len(ids) else f"{place}row {row + 1}"

        self.id = self._ids(ids, describe)
        self.submit = _numbers(submit, "submit", describe)
        self.nodes = _numbers(nodes, "nodes", describe)  # type: ignore[assignment]
        self.estimate = _numbers(estimate, "estimate", describe)
        self.runtime = _numbers(runtime, "runtime", describe)
        self.extra: dict[str, Sequence[Any]] = dict(extra or {})
        for column in (*NUMERIC, *self.extra):
            length = len(self.extra[column] if column in self.extra else getattr(self, column))
            if length != len(ids):
                raise InputError(f"{column} has {length} values for {len(ids)} jobs")
        if machine_nodes is not None and machine_nodes < 1:
            raise InputError(f"machine_nodes = {machine_nodes}; a machine has 1 node or more")
        self._check_values(describe)
        self._sort()
        self.report.kept = len(ids)
        self.report.records = max(self.report.records, len(ids))

    @staticmethod
    def _ids(ids: Sequence[JobId] | array[int], describe: Callable[[int], str]) -> Sequence[JobId]:
        column: Sequence[JobId]
        try:
            column = array("q", ids)  # type: ignore[type-var]
        except (TypeError, OverflowError):
            column = tuple(ids)
            for row, value in enumerate(column):
                if not isinstance(value, int | str):
                    raise InputError(
                        f"{describe(row)}: id = {value!r} is neither a number nor a text"
                    ) from None
        if isinstance(column, array) and _increases(column, strictly=True):
            return column
        if len(set(column)) < len(column):
            seen: set[JobId] = set()
            for row, value in enumerate(column):
                if value in seen:
                    raise InputError(f"{describe(row)}: id = {value!r} is there twice")
                seen.add(value)
        return column

    def _check_values(self, describe: Callable[[int], str]) -> None:
        if not self.id:
            return
        if isinstance(self.nodes, array) and self.nodes.typecode == "d":
            row = next(row for row, value in enumerate(self.nodes) if not value.is_integer())
            raise InputError(f"{describe(row)}: nodes = {self.nodes[row]} is not a whole number")
        self._refuse(self.nodes, "nodes", lambda v: v < 1, "a job needs 1 node or more", describe)
        self._refuse(
            self.estimate, "estimate", lambda v: v <= 0, "it must be greater than 0", describe
        )
        self._refuse(self.runtime, "runtime", lambda v: v < 0, "it must not be negative", describe)
        if self.machine_nodes is not None:
            limit = self.machine_nodes
            reason = f"the machine has {limit}"
            self._refuse(self.nodes, "nodes", lambda v: v > limit, reason, describe)

    @staticmethod
    def _refuse(
        column: Sequence[Any],
        name: str,
        is_bad: Callable[[Any], bool],
        reason: str,
        describe: Callable[[int], str],
    ) -> None:
        if any(map(is_bad, extremes(column))):
            row = next(row for row, value in enumerate(column) if is_bad(value))
            raise InputError(f"{describe(row)}: {name} = {column[row]}; {reason}")

    def _sort(self) -> None:
        if _increases(self.submit, strictly=False):
            return
        order = sorted(range(len(self)), key=self.submit.__getitem__)
        moved = sum(map(operator.ne, order, range(len(order))))
        self.report.note(f"submit times were not in order: sorted, {moved:,} jobs moved")
        self._take(order)

    def _take(self, order: Sequence[int]) -> None:
        def pick(values: Sequence[Any]) -> Sequence[Any]:
            picked = map(values.__getitem__, order)
            return array(values.typecode, picked) if isinstance(values, array) else tuple(picked)

        for column in ("id", *NUMERIC):
            setattr(self, column, pick(getattr(self, column)))
        self.extra = {column: pick(values) for column, values in self.extra.items()}

    @classmethod
    def from_jobs(
        cls, jobs: Iterable[Job], *, machine_nodes: int | None = None, name: str = ""
    ) -> Workload:
        """Make a workload of :class:`Job` objects.

        Parameters
        ----------
        jobs : iterable of Job
        machine_nodes : int, optional
        name : str

        Returns
        -------
        Workload
            In queue order; the report says so if the jobs had to be sorted.

        Raises
        ------
        InputError
            As for :class:`Workload`.
        """
        table = list(jobs)
        columns: dict[str, Any] = {
            f.name: [getattr(job, f.name) for job in table] for f in fields(Job)
        }
        optional = {key: tuple(columns.pop(key)) for key in ("user", "queue")}
        extra = {
            key: column
            for key, column in optional.items()
            if any(value is not None for value in column)
        }
        return cls(**columns, extra=extra, machine_nodes=machine_nodes, name=name)

    @classmethod
    def from_frame(
        cls, frame: pd.DataFrame, *, machine_nodes: int | None = None, name: str = ""
    ) -> Workload:
        """Make a workload of a pandas table.

        Parameters
        ----------
        frame : pandas.DataFrame
            Columns ``submit``, ``nodes``, ``estimate`` and ``runtime``; ``id`` if there is one
            (1, 2, ... otherwise); every other column becomes an extra one.
        machine_nodes : int, optional
        name : str

        Returns
        -------
        Workload

        Raises
        ------
        InputError
            If a column is missing, and as for :class:`Workload`.
        """
        missing = [column for column in NUMERIC if column not in frame]
        if missing:
            raise InputError(f"the table has no column {missing[0]!r}; it has {list(frame)}")
        own: dict[str, Any] = {key: frame[key] for key in NUMERIC}
        own["id"] = frame["id"].tolist() if "id" in frame else range(1, len(frame) + 1)
        extra = {
            str(key): frame[key].astype(object).where(frame[key].notna(), None).tolist()
            for key in frame
            if key not in own
        }
        return cls(**own, extra=extra, machine_nodes=machine_nodes, name=name)

    def to_frame(self) -> pd.DataFrame:
        """Return the jobs as a pandas table.

        Returns
        -------
        pandas.DataFrame
            One row a job in queue order, extra columns last.
        """
        import numpy as np
        import pandas as pd

        own = {column: getattr(self, column) for column in ("id", *NUMERIC)}
        return pd.DataFrame(
            {
                key: np.array(values) if isinstance(values, array) else list(values)
                for key, values in (own | self.extra).items()
            }
        )

    def to_swf(self, path: str | os.PathLike[str]) -> list[str]:
        """Write the jobs in the Standard Workload Format.

        Parameters
        ----------
        path : path
            Packed if it ends in ``.gz``; an existing file is replaced.

        Returns
        -------
        list of str
            What that format cannot say as the workload does, one sentence each. Texts become
            numbers, for instance: see :func:`shadowtime.traces.writing.write`.

        Raises
        ------
        InputError
            If a submit time is negative; if the file cannot be written.
        """
        from shadowtime.traces import writing

        return writing.write(self, path)

    def __len__(self) -> int:
        return len(self.id)

    @overload
    def __getitem__(self, row: int) -> Job: ...
    @overload
    def __getitem__(self, row: slice) -> Workload: ...
    def __getitem__(self, row: int | slice) -> Job | Workload:
        if isinstance(row, slice):
            return self.select(range(len(self))[row])
        optional = {key: self.extra[key][row] for key in ("user", "queue") if key in self.extra}
        return Job(
            self.id[row],
            self.submit[row],
            self.nodes[row],
            self.estimate[row],
            self.runtime[row],
            **optional,
        )

    def __iter__(self) -> Iterator[Job]:
        return map(self.__getitem__, range(len(self)))

    def __repr__(self) -> str:
        name = f"{self.name}: " if self.name else ""
        machine = f" for {self.machine_nodes:,} nodes" if self.machine_nodes else ""
        return f"<Workload {name}{len(self):,} jobs{machine}>"

    def row(self, job_id: JobId) -> int:
        """Return the position of the job called `job_id`.

        Parameters
        ----------
        job_id : int or str

        Returns
        -------
        int

        Raises
        ------
        InputError
            If no job has that id.
        """
        try:
            return self.id.index(job_id)
        except ValueError:
            raise InputError(f"there is no job {job_id!r} in this workload") from None

    def select(self, rows: Iterable[int]) -> Workload:
        """Return the jobs at `rows` as a workload of its own; the report is shared.

        Parameters
        ----------
        rows : iterable of int
            Positions, in increasing order.

        Returns
        -------
        Workload

        Raises
        ------
        InputError
            If the positions do not increase: queue order would be lost, or a job doubled.

        Examples
        --------
        >>> w = Workload(id=[1, 2], submit=[0, 5], nodes=[4, 2], estimate=[9, 9], runtime=[5, 5])
        >>> list(w.select([1]).id)
        [2]
        """
        order = list(rows)
        if not _increases(order, strictly=True):
            raise InputError("the rows to select are not in increasing order")
        picked = copy.copy(self)
        picked._take(order)  # noqa: SLF001 - a copy of itself
        return picked

    def replace(self, **columns: Iterable[Any]) -> Workload:
        """Return a copy in which the named columns have new values.

        Parameters
        ----------
        **columns : iterable, shape (jobs,)
            New values of ``submit``, ``nodes``, ``estimate``, ``runtime``, ``id`` or of extra
            columns, in the order of this workload.

        Returns
        -------
        Workload

        Raises
        ------
        InputError
            As for :class:`Workload`.

        Examples
        --------
        >>> w = Workload.from_jobs([Job(1, 0, 4, 100, 80)])
        >>> list(w.replace(estimate=[200]).estimate)
        [200]
        """
        own: dict[str, Any] = {
            column: columns.pop(column, getattr(self, column)) for column in ("id", *NUMERIC)
        }
        extra = self.extra | {key: tuple(values) for key, values in columns.items()}
        report = dataclasses.replace(self.report, notes=list(self.report.notes))
        return Workload(
            **own,
            extra=extra,
            machine_nodes=self.machine_nodes,
            name=self.name,
            header=self.header,
            report=report,
        )

    def scale_load(self, factor: float) -> Workload:
        """Return the same jobs arriving `factor` times as fast.

        The time between submissions is divided by `factor`; runtimes and estimates stay. Where
        the workload's times are whole numbers the new submits are rounded to whole numbers.

        Parameters
        ----------
        factor : float
            Greater than 0; 2 doubles the load.

        Returns
        -------
        Workload

        Raises
        ------
        InputError
            If `factor` is not a positive number.
        """
        if not (factor > 0 and math.isfinite(factor)):
            raise InputError(f"load factor = {factor}; it must be greater than 0")
        if not len(self):
            return self
        first = self.submit[0]
        submits = [first + (submit - first) / factor for submit in self.submit]
        whole = isinstance(self.submit, array) and self.submit.typecode == "q"
        return self.replace(submit=map(round, submits) if whole else submits)
