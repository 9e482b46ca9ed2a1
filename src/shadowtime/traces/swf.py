"""The Standard Workload Format (SWF) of the Parallel Workloads Archive: reading and writing.

A log is a text of one line a job, 18 numbers each, -1 where a value is unknown, after comment
lines (``;``) that describe the machine. Times are in seconds, sizes in processors.

References
----------
S. J. Chapin et al., "Benchmarks and Standards for the Evaluation of Parallel Job Schedulers", Job
Scheduling Strategies for Parallel Processing, LNCS 1659, 1999.

D. G. Feitelson, D. Tsafrir and D. Krakov, "Experience with using the Parallel Workloads Archive",
J. Parallel and Distributed Computing 74(10), 2014.
"""

from __future__ import annotations

import operator
from array import array
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from shadowtime.traces import header as headers
from shadowtime.traces.catalog import find
from shadowtime.traces.cleaning import MissingEstimate, make_workload
from shadowtime.traces.records import EXTRA, FIELDS, Records, complaint, parse
from shadowtime.traces.surveys import UNIX_SECONDS, Survey, count
from shadowtime.traces.textfile import Source, name_of, stem
from shadowtime.traces.writing import write
from shadowtime.workload import Report, Workload

__all__ = ["EXTRA", "FIELDS", "Records", "parse", "read", "sniff", "survey", "write"]


def read(
    source: Source | Records,
    *,
    clean: bool | None = None,
    missing_estimate: MissingEstimate = None,
    machine_nodes: int | None = None,
    limit: int | None = None,
) -> Workload:
    """Read an SWF log.

    The size of a job is the number of processors that it requested, or, where that is unknown,
    the number that it was allocated. Further columns come as ``workload.extra`` under the names
    in :data:`EXTRA`, None where unknown; columns that the log does not have are left out, and so
    is ``allocated`` where it says nothing new.

    Parameters
    ----------
    source : path, file open for reading, or Records
        Plain or packed, whatever its name; or the records that :func:`parse` has read.
    clean : bool, optional
        Drop jobs that cannot be simulated, and lines that are not SWF, and count them in the
        report. By default each of them is an error, except for the logs in
        :mod:`shadowtime.traces.catalog`, whose gaps are known.
    missing_estimate : "runtime", "drop" or seconds, optional
        What stands for a missing requested time, or that such jobs are left out and counted. By
        default they cannot be simulated, except for the logs in the catalog that lack requests
        altogether.
    machine_nodes : int, optional
        Processors of the machine, if the header does not say or is not to count.
    limit : int, optional
        Read this many records at most.

    Returns
    -------
    Workload
        With ``header``, ``machine_nodes`` and ``report``.

    Raises
    ------
    InputError
        If the file cannot be read or holds no job; at the first line or job that is not right,
        unless `clean`. The message names file, line, job, field and value.

    Examples
    --------
    >>> import io
    >>> log = io.StringIO('''; MaxProcs: 100
    ... 1  0 5 60 4 -1 -1 4 90 -1 1 7 1 -1 2 -1 -1 -1
    ... 2 10 0 30 8 -1 -1 8 60 -1 1 7 1 -1 2 -1 -1 -1''')
    >>> workload = read(log)
    >>> workload.machine_nodes, list(workload.nodes), list(workload.extra["user"])
    (100, [4, 8], [7, 7])
    """
    name = source.name if isinstance(source, Records) else name_of(source)
    known = find(name)
    if known:
        clean = known.clean if clean is None else clean
        missing_estimate = known.missing_estimate if missing_estimate is None else missing_estimate
    records = source
    if not isinstance(records, Records):
        records = parse(records, clean=bool(clean), limit=limit)
    report = deepcopy(records.report)
    size = _machine_size(records, machine_nodes, report)
    if known and limit is None and len(records) != known.jobs:
        report.note(
            f"the archive's {known.file} has {known.jobs:,} jobs, this copy {len(records):,}"
        )
    stated = headers.number(records.header, "MaxRecords")
    if not known and limit is None and stated not in {None, len(records)}:
        report.note(f"the header states {stated:,} records, the file has {len(records):,}")
    if (first := min(records.columns["submit"])) >= UNIX_SECONDS:
        report.note(f"submit times are Unix seconds (the first is {first}): kept as they are")
    columns = records.columns
    nodes = _sizes(columns["nodes"], columns["allocated"], report)
    optional = {key: _optional(columns[key]) for key in EXTRA}
    extra = {key: column for key, column in optional.items() if column is not None}
    if all(map(operator.eq, nodes, columns["allocated"])):
        extra.pop("allocated", None)
    return make_workload(
        id=columns["id"],
        submit=columns["submit"],
        nodes=nodes,
        estimate=columns["estimate"],
        runtime=columns["runtime"],
        extra=extra,
        where=lambda row: f"{name} line {records.lines[row]}",
        report=report,
        machine_nodes=size,
        clean=bool(clean),
        missing_estimate=missing_estimate,
        name=stem(name),
        header=records.header,
    )


def survey(source: Source | Records, *, clean: bool = False) -> Survey:
    """Count what an SWF log holds: all its records as they stand, before any cleaning.

    Parameters
    ----------
    source : path, file open for reading, or Records
    clean : bool
        Pass over lines that are not SWF; the first is an error otherwise.

    Raises
    ------
    InputError
        If the file cannot be read, has no job, or, unless `clean`, has a line that is not SWF.
    """
    records = source if isinstance(source, Records) else parse(source, clean=clean)
    return count(
        records.columns,
        name=records.name,
        processors=_machine_size(records, None, Report()),
        epoch=headers.number(records.header, "UnixStartTime"),
    )


def sniff(head: bytes) -> bool:
    r"""Tell whether a file that begins with `head` looks like SWF.

    Examples
    --------
    >>> sniff(b"; MaxProcs: 100\n"), sniff(b"JobID|User|State\n")
    (True, False)
    """
    for line in head.splitlines():
        if line.lstrip().startswith(b";"):
            return True
        if fields := line.split():
            return len(fields) >= 18 and not complaint(fields[0]) and not complaint(fields[17])
    return False


def _machine_size(records: Records, given: int | None, report: Report) -> int | None:
    if given is not None:
        report.note(f"machine size given: {given}")
        return given
    size, sentence = headers.machine_size(records.header)
    known = find(records.name)
    if size is None and known:
        size, sentence = known.processors, f"{sentence}: {known.processors} by the catalog"
    if sentence:
        report.note(sentence)
    return size


def _sizes(requested: array[Any], allocated: array[Any], report: Report) -> array[Any]:
    if min(requested) > 0:
        return requested
    sizes = requested[:]
    if "d" in {requested.typecode, allocated.typecode}:
        sizes = array("d", sizes)
    taken = [row for row, (r, a) in enumerate(zip(requested, allocated, strict=True)) if r <= 0 < a]
    for row in taken:
        sizes[row] = allocated[row]
    if taken:
        report.note(f"jobs without a requested size: {len(taken):,}; the allocated size counts")
    return sizes


def _optional(column: array[Any]) -> Sequence[Any] | None:
    """Return a column with None where it is unknown, or None if all of it is."""
    unknown = column.count(-1)
    if unknown == 0:
        return column
    if unknown == len(column):
        return None
    return tuple([None if value == -1 else value for value in column])
