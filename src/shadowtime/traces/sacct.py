"""What Slurm's ``sacct --parsable2`` prints: one job a line, fields between bars, in any order.

Columns are called as ``sacct --format`` calls them. Needed are an id (``JobIDRaw`` or ``JobID``),
``Submit``, a size (``NNodes``, ``AllocNodes`` or ``ReqNodes``; for processors ``NCPUS``,
``AllocCPUS`` or ``ReqCPUS``), ``Elapsed`` or ``Start`` and ``End``, and, unless something stands
for it, ``Timelimit``. ``Start``, ``State`` and ``NodeList`` tell which jobs ran; ``User`` and
``Partition`` serve prediction. For all runs of all jobs, with none of their steps::

    sacct --allusers --duplicates --allocations --parsable2 --starttime=2024-01-01 --format=...

where ``...`` may be ``JobIDRaw,JobID,User,Account,Partition,Submit,Start,End,Elapsed,State``, then
``NNodes,NCPUS,ReqCPUS,ReqMem,Timelimit,NodeList,JobName``.

References
----------
SchedMD, "sacct", the manual of Slurm Workload Manager.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Literal

from shadowtime.errors import InputError
from shadowtime.traces.cleaning import MissingEstimate
from shadowtime.traces.clock import Clock
from shadowtime.traces.rows import Rows
from shadowtime.traces.sacctlines import IDS, SIZES, Layout, Reader
from shadowtime.traces.textfile import Source, name_of, open_log
from shadowtime.workload import Workload

_BLOCK = 2048
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


def read(
    source: Source,
    columns: Sequence[str] | str | None = None,
    *,
    clean: bool | None = None,
    missing_estimate: MissingEstimate = None,
    machine_nodes: int | None = None,
    limit: int | None = None,
    zone: str | None = None,
    unit: Literal["nodes", "processors"] = "nodes",
) -> Workload:
    """Read what ``sacct --parsable2`` or ``--parsable`` printed.

    Steps (``123.batch``) are no jobs: they are passed over and counted. A job that never started or
    has not ended is a fault. An id that comes again, as a requeued job's does, or as ids do after
    years, is a job of its own: ``123#2``. Parts of a heterogeneous job (``123+1``) are jobs of
    their own, too. A job name may hold bars.

    Parameters
    ----------
    source : path, file open for reading
        Plain or packed, whatever its name.
    columns : sequence of str, or str with commas, optional
        The columns, as given to ``sacct --format``, of a file without a line of names.
    clean : bool, optional
        Leave out jobs that cannot be simulated, and lines that are none, and count them; the first
        is an error otherwise.
    missing_estimate : "runtime", "drop" or seconds, optional
        As for :func:`shadowtime.traces.swf.read`. A limit of ``UNLIMITED`` or ``Partition_Limit``
        is none.
    machine_nodes : int, optional
        Size of the machine, in `unit`.
    limit : int, optional
        Read this many jobs at most.
    zone : str, optional
        Time zone of the cluster's clock, such as ``"Europe/Berlin"``; UTC by default. A time that
        this clock leaves out is a fault; times that it shows twice are counted.
    unit : {"nodes", "processors"}
        What the size of a job counts: whole nodes, or processors where jobs share nodes. The
        allocated size is taken, or the requested one of a job that says no other.

    Returns
    -------
    Workload
        Submits in Unix seconds. Extra columns, where they are known: ``wait``, ``status`` (the
        state in Slurm's words), ``user``, ``group``, ``account``, ``queue`` (the partition),
        ``qos``, ``name`` (of the job), ``cluster``, ``processors`` and ``gpus`` (requested), and
        ``requested_memory`` (kilobytes per processor).

    Raises
    ------
    InputError
        If the file cannot be read, has no job, or lacks a column; at the first line or job that
        is not right, unless `clean`. The message names file, line, job, column and value.

    Examples
    --------
    >>> import io
    >>> log = io.StringIO('''JobID|User|Submit|Start|Elapsed|NNodes|Timelimit|State
    ... 7|ann|2024-05-01T12:00:00|2024-05-01T12:00:05|00:01:00|4|01:00:00|COMPLETED
    ... 7.batch||2024-05-01T12:00:05|2024-05-01T12:00:05|00:01:00|1||COMPLETED''')
    >>> workload = read(log, zone="Europe/Berlin")
    >>> workload[0].submit, workload[0].runtime, list(workload.extra["wait"])
    (1714557600, 60, [5])
    """
    if limit is not None and limit < 1:
        raise InputError(f"limit = {limit}; it must be 1 or more")
    if unit not in SIZES:
        raise InputError(f"unit = {unit!r}; it is 'nodes' or 'processors'")
    rows = Rows(name_of(source), clean=bool(clean))
    with open_log(source) as stream:
        first = stream.peek(1 << 16).split(b"\n", 1)[0].rstrip(b"\r")
        names = first.decode("utf-8", "backslashreplace").split("|")
        if columns is None and not _is_header(names):
            raise InputError(
                f"{rows.name}: the first line names no columns; say which they are:"
                " columns=[...] (--columns JobID,User,...)"
            )
        layout = Layout(rows.name, names if columns is None else columns, unit)
        bars = names[-1] == "" and (_is_header(names) or len(names) > len(layout.at))
        reader = Reader(rows, layout, Clock(zone), bars=bars)
        wanted = min(_BLOCK, limit or _BLOCK)
        while wanted and (block := list(islice(stream, wanted))):
            reader.take(block)
            if limit is not None:
                wanted = min(_BLOCK, limit - rows.found)
    reader.finish()
    if reader.clock.local and zone is None:
        rows.report.note("times are those of the cluster's clock, read as UTC (zone, --zone)")
    return rows.workload(
        machine_nodes=machine_nodes, missing_estimate=missing_estimate, rename=True
    )


def sniff(head: bytes) -> bool:
    r"""Tell whether a file that begins with `head` looks like a print of sacct.

    Examples
    --------
    >>> sniff(b"JobID|User|Submit\n"), sniff(b"7|ann|2024-05-01T12:00:00|00:01:00\n")
    (True, True)
    >>> sniff(b"1 0 -1 60 4\n")
    False
    """
    line = next(iter(head.splitlines()), b"").decode("utf-8", "replace")
    fields = line.split("|")
    return len(fields) > 1 and (_is_header(fields) or any(map(_TIME.fullmatch, fields)))


def _is_header(fields: Sequence[str]) -> bool:
    return any(field.casefold() in IDS for field in fields)
