"""From the jobs of a log to a workload that can be simulated, with nothing lost silently.

Every reader hands its columns to :func:`make_workload`. A job that cannot be simulated is an error
that names its place, or, with ``clean=True``, is left out and counted in the report.
"""

from __future__ import annotations

import math
import operator
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, Literal, NamedTuple

from shadowtime.errors import InputError
from shadowtime.workload import Report, Seconds, Workload, extremes

MissingEstimate = Literal["runtime", "drop"] | Seconds | None

Told = Callable[[int, str], str | None]
"""Maps a row and a field to what the log itself says there, such as ``"Start = Unknown"``."""

NO_NUMBER = "text where a number or a time belongs"
NO_REQUEST = "no requested time"
DROP = "pass clean=True (--clean) to drop such jobs"


class Fault(NamedTuple):
    """Why a job cannot be simulated: the reason it is counted under, and what its field says."""

    reason: str
    field: str
    value: str
    remedy: str = DROP


def make_workload(
    *,
    id: Sequence[Any],  # noqa: A002 - the column's name
    submit: Sequence[Seconds],
    nodes: Sequence[int],
    estimate: Sequence[Seconds],
    runtime: Sequence[Seconds],
    extra: Mapping[str, Sequence[Any]],
    where: Callable[[int], str],
    report: Report,
    machine_nodes: int | None = None,
    clean: bool = False,
    missing_estimate: MissingEstimate = None,
    name: str = "",
    header: Mapping[str, str] | None = None,
    told: Told | None = None,
) -> Workload:
    """Check the jobs of a log, clean them if asked to, and make a workload of them.

    Parameters
    ----------
    id, submit, nodes, estimate, runtime : sequence, shape (jobs,)
        The log's values; a negative number is unknown. Times in seconds.
    extra : mapping of str to sequence, each of shape (jobs,)
        Further columns, None where a value is unknown.
    where : callable
        Maps a row to its place in the log, such as ``"log.swf line 812"``.
    report : Report
        What the reader found so far; completed here.
    machine_nodes : int, optional
        Size of the machine.
    clean : bool
        Drop and count the jobs that cannot be simulated; they are an error otherwise.
    missing_estimate : "runtime", "drop" or seconds, optional
        What stands for a missing estimate: the job's own run time (1 second at least), or a
        fixed time. With "drop" such jobs are left out and counted, cleaning or not. Jobs without
        an estimate cannot be simulated otherwise.
    name : str
        What tables and figures call the workload.
    header : mapping of str to str, optional
        Facts that came with the log.
    told : callable, optional
        Maps a row and a field to what the log itself says there, for messages about unknown
        values; None where the number in the column says it.

    Returns
    -------
    Workload
        Its report counts what was left out and what is worth knowing.

    Raises
    ------
    InputError
        At the first job that cannot be simulated, unless `clean`; if no job is left.
    """
    id = _whole(id)  # noqa: A001
    report.records = max(report.records, len(id))
    estimate = _fill_estimates(estimate, runtime, missing_estimate, report)
    faults = dict(_faults(id, submit, nodes, estimate, runtime, machine_nodes, where))
    for row in sorted(faults):
        fault = faults[row]
        reason, value = fault.reason, fault.value
        if told:
            reason, value = reason.removesuffix(" (-1)"), told(row, fault.field) or value
        place = f"{where(row)}, job {id[row]}: {value}"
        if not clean and not (missing_estimate == "drop" and fault.reason == NO_REQUEST):
            raise InputError(f"{place}; {fault.remedy}")
        report.drop(reason, place)
    kept: Sequence[int] = range(len(id))
    if faults:
        bad = sorted(faults)
        kept = _without(bad, array("q", kept))
        id, submit, nodes, estimate, runtime = (  # noqa: A001
            _without(bad, column) for column in (id, submit, nodes, estimate, runtime)
        )
        extra = {key: _without(bad, column) for key, column in extra.items()}
    if not kept:
        reasons = ", ".join(f"{reason}: {count:,}" for reason, count in report.dropped.items())
        raise InputError(f"{report.source}: no job is left after cleaning ({reasons})")
    _note_oddities(estimate, runtime, report)
    return Workload(
        id=id,
        submit=submit,
        nodes=nodes,
        estimate=estimate,
        runtime=runtime,
        extra=extra,
        machine_nodes=machine_nodes,
        name=name,
        header=header,
        report=report,
        where=lambda row: where(kept[row]),
    )


def _without(rows: Sequence[int], column: Sequence[Any]) -> Sequence[Any]:
    """Return a column without some rows, copying what lies between them as a whole."""
    kept: Any = array(column.typecode) if isinstance(column, array) else []
    begin = 0
    for row in rows:
        kept += column[begin:row]
        begin = row + 1
    kept += column[begin:]
    return kept if isinstance(kept, array) else tuple(kept)


def _whole(ids: Sequence[Any]) -> Sequence[Any]:
    """Return job numbers as ints where they are whole: one fraction makes a column of floats."""
    if isinstance(ids, array) and ids.typecode == "q":
        return ids
    with suppress(TypeError, OverflowError):
        return array("q", ids)
    return [int(x) if isinstance(x, float) and x.is_integer() else x for x in ids]


def _fill_estimates(
    estimate: Sequence[Seconds],
    runtime: Sequence[Seconds],
    missing_estimate: Any,
    report: Report,
) -> Sequence[Seconds]:
    if missing_estimate in (None, "drop"):
        return estimate
    if missing_estimate == "runtime":
        filled = [
            e if e > 0 or r < 0 else max(r, 1) for e, r in zip(estimate, runtime, strict=True)
        ]
        stands = "the run time stands for it"
    elif isinstance(missing_estimate, int | float) and 0 < missing_estimate < math.inf:
        filled = [e if e > 0 else missing_estimate for e in estimate]
        stands = f"{missing_estimate} s stands for it"
    else:
        raise InputError(
            f"missing_estimate = {missing_estimate!r}; it is 'runtime', 'drop' or a time greater"
            " than 0"
        )
    if changed := sum(map(operator.ne, estimate, filled)):
        report.note(f"jobs without a requested time: {changed:,}; {stands}")
    return filled


def _faults(
    ids: Sequence[Any],
    submit: Sequence[Seconds],
    nodes: Sequence[int],
    estimate: Sequence[Seconds],
    runtime: Sequence[Seconds],
    machine_nodes: int | None,
    where: Callable[[int], str],
) -> Iterator[tuple[int, Fault]]:
    """Yield (row, fault) for each job that cannot be simulated; the last one of a row counts."""
    # Ids that increase cannot repeat, and a set of millions of them takes a lot of room.
    if not _increase(ids) and len(set(ids)) < len(ids):
        first: dict[Any, int] = {}
        for row, name in enumerate(ids):
            if first.setdefault(name, row) != row:
                value = f"id = {name} is already in {where(first[name])}"
                yield row, Fault("job number used twice", "id", value)
    limit = math.inf if machine_nodes is None else machine_nodes
    bad = {
        row
        for column, low, high in (
            (submit, 0, math.inf),
            (nodes, 1, limit),
            (estimate, math.ulp(0), math.inf),
            (runtime, 0, math.inf),
        )
        if column and not all(low <= value <= high for value in extremes(column))
        for row, value in enumerate(column)
        if not low <= value <= high
    }
    if not isinstance(nodes, array) or nodes.typecode == "d":
        bad.update(row for row, value in enumerate(nodes) if value % 1)
    for row in sorted(bad):
        yield row, _fault(submit[row], nodes[row], estimate[row], runtime[row], limit)
    for row, name in enumerate(ids):
        if isinstance(name, float):
            yield row, Fault("job number not whole", "id", f"id = {name}")


def _increase(ids: Sequence[Any]) -> bool:
    return isinstance(ids, array) and all(map(operator.lt, ids, islice(ids, 1, None)))


def _fault(submit: Seconds, nodes: int, estimate: Seconds, runtime: Seconds, limit: float) -> Fault:
    if runtime < 0:
        unknown = "run time unknown (-1)" if runtime == -1 else "negative run time"
        return Fault(unknown, "runtime", f"runtime = {runtime}")
    if nodes < 1:
        return Fault("size unknown or 0", "nodes", f"nodes = {nodes}")
    if nodes % 1:
        return Fault("size not whole", "nodes", f"nodes = {nodes}")
    if nodes > limit:
        larger = "give a larger machine (machine_nodes, --nodes), or " + DROP
        value = f"nodes = {nodes}, the machine has {limit}"
        return Fault("larger than the machine", "nodes", value, larger)
    if submit < 0:
        unknown = "submit time unknown (-1)" if submit == -1 else "negative submit time"
        return Fault(unknown, "submit", f"submit = {submit}")
    remedy = f'pass missing_estimate="runtime" (--missing-estimate runtime), or {DROP}'
    return Fault(NO_REQUEST, "estimate", f"estimate = {estimate}", remedy)


def _note_oddities(estimate: Sequence[Seconds], runtime: Sequence[Seconds], report: Report) -> None:
    if zero := runtime.count(0):
        report.note(f"jobs with a run time of 0: {zero:,}")
    if over := sum(map(operator.gt, runtime, estimate)):
        report.note(
            f"jobs that run longer than requested: {over:,}; the overrun rule says what happens"
        )
