"""Event logs of the Cobalt scheduler, which are written as PBS writes its accounting logs.

A line is an event, ``time;kind;job;key=value key=value ...``. A job is made of three: it is queued
(Q), it starts (S), and it ends (E). The values are Unix seconds; the time at the beginning of a
line is that of a local clock, and is not used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from sys import intern
from typing import NamedTuple

from shadowtime.errors import InputError
from shadowtime.traces.catalog import entry, find
from shadowtime.traces.cleaning import MissingEstimate
from shadowtime.traces.clock import duration
from shadowtime.traces.entry import Entry
from shadowtime.traces.records import complaint
from shadowtime.traces.rows import Rows
from shadowtime.traces.textfile import Source, name_of, open_log
from shadowtime.workload import Workload

KINDS = "QSE"
"""Events that make a job: queued, started, ended."""

_EVENT = re.compile(rb"\d\d/\d\d/\d{4} \d\d:\d\d:\d\d;[A-Z];[^;\s]+;")
_PARTITION = re.compile(r"([A-Z]{3})-[^+,]*-(\d+)")
_MACHINES = {"MIR": "mira"}
_SIZE, _REQUEST = "Resource_List.nodect", "Resource_List.walltime"


class _Job(NamedTuple):
    """A job as far as the log tells it: the line of its first event, and all values so far."""

    line: int
    name: str
    kinds: list[str]
    values: dict[str, str]


def read(
    source: Source,
    *,
    clean: bool | None = None,
    missing_estimate: MissingEstimate = None,
    machine_nodes: int | None = None,
    limit: int | None = None,
) -> Workload:
    r"""Read an event log of Cobalt.

    Jobs whose end is not in the log are left out and counted, cleaning or not: a log is cut out of
    the life of a machine. Extra columns are ``wait``, ``queue``, ``user``, ``account``, ``status``
    (1 for exit status 0, else 0) and ``allocated``, the nodes of the partition that a job held,
    where the log has them.

    Parameters
    ----------
    source : path, or file open for reading
        Plain or packed, whatever its name.
    clean : bool, optional
        Drop lines that are no events, and jobs that cannot be simulated, and count them in the
        report. By default each of them is an error, except for the logs in
        :mod:`shadowtime.traces.catalog`.
    missing_estimate : "runtime", "drop" or seconds, optional
        What stands for a missing requested time, or that such jobs are left out and counted.
    machine_nodes : int, optional
        Nodes of the machine, if the name of the log or the partitions in it do not tell.
    limit : int, optional
        Read no more than this many jobs.

    Returns
    -------
    Workload
        With ``machine_nodes``, ``header`` and ``report``; submits are Unix seconds.

    Raises
    ------
    InputError
        If the file cannot be read or no job of it ends; at the first line or job that is not right,
        unless `clean`. The message names file, line, job, field and value.

    Examples
    --------
    >>> import io
    >>> log = io.StringIO('''01/19/2018 00:00:00;Q;7;queue=prod-short
    ... 01/19/2018 00:00:05;S;7;qtime=1516320000.0 start=1516320005.0
    ... 01/19/2018 00:01:05;E;7;qtime=1516320000.0 start=1516320005.0 end=1516320065.0 \
    ... Resource_List.nodect=512 Resource_List.walltime=01:00:00 exec_host=MIR-00000-333F1-512
    ... 01/19/2018 00:02:00;Q;8;queue=prod-short''')
    >>> workload = read(log)
    >>> list(workload.nodes), list(workload.runtime), workload.machine_nodes
    ([512], [60], 49152)
    >>> workload.report.dropped
    {'not started within the log': 1}
    """
    if limit is not None and limit < 1:
        raise InputError(f"limit = {limit}; it must be 1 or more")
    name = name_of(source)
    known = find(name)
    if known and clean is None:
        clean = known.clean
    rows = Rows(name, clean=bool(clean))
    begun: dict[str, _Job] = {}
    ended: list[_Job] = []
    with open_log(source) as stream:
        for kind, number in _events(stream, rows, begun):
            if kind == "E":
                ended.append(begun.pop(number))
                if len(ended) == limit:
                    begun.clear()
                    break
    # Jobs that are queued at the same second stand in the order in which they were queued.
    for job in sorted(ended):
        _add(rows, job)
    for job in begun.values():
        what = "ended" if "S" in job.kinds else "started"
        place = f"{rows.where(job.line, job.name)}: only {' and '.join(job.kinds)}"
        rows.report.drop(f"not {what} within the log", place)
    known = known or _machine(ended)
    return rows.workload(
        machine_nodes=machine_nodes,
        missing_estimate=missing_estimate,
        header=known.header if known else None,
        rename=True,
    )


def sniff(head: bytes) -> bool:
    r"""Tell whether a file that begins with `head` looks like an event log.

    Examples
    --------
    >>> sniff(b"12/01/2014 00:24:37;Q;368180;queue=default\n"), sniff(b"; MaxProcs: 100\n")
    (True, False)
    """
    return _EVENT.match(head.lstrip()) is not None


def _events(
    stream: Iterable[bytes], rows: Rows, begun: dict[str, _Job]
) -> Iterator[tuple[str, str]]:
    """Yield kind and job of each event, after its values have been added to what is `begun`."""
    for line, raw in enumerate(stream, 1):
        if not raw.strip():
            continue
        fields = raw.decode("utf-8", "replace").strip().split(";", 3)
        if len(fields) < 4 or not _EVENT.match(raw.lstrip()):
            what = f"no event, which is time;kind;job;values ({';'.join(fields)[:40]!r})"
            rows.refuse(line, None, "lines that are no event", what)
            continue
        _, kind, name, values = fields
        if kind not in KINDS:
            rows.notice(
                "events of other kinds than queued, started and ended",
                f"{rows.where(line, name)}: {kind}",
            )
            continue
        job = begun.setdefault(name, _Job(line, name, [], {}))
        job.kinds.append(kind)
        for pair in values.split():
            key, _, value = pair.partition("=")
            job.values[key] = value
        yield kind, name


def _add(rows: Rows, job: _Job) -> None:
    values = job.values
    name: int | str = int(job.name) if job.name.isdecimal() else job.name
    numbers: dict[str, float | None] = {}
    told: dict[str, str] = {}
    fields: tuple[tuple[str, str, Callable[[str], float]], ...] = (
        ("submit", "qtime", _number),
        ("start", "start", _number),
        ("end", "end", _number),
        ("runtime", "runtime", _number),
        ("nodes", _SIZE, _number),
        ("estimate", _REQUEST, duration),
    )
    for field, key, number in fields:
        text = values.get(key)
        numbers[field] = None
        if text is not None:
            try:
                numbers[field] = number(text)
            except ValueError:
                rows.refuse(job.line, name, "text where a number belongs", f"{key} = {text!r}")
                return
        elif field != "runtime":
            told[field] = f"{key} is missing"
    partition = _PARTITION.fullmatch(values.get("exec_host", ""))
    status = values.get("Exit_status")
    rows.add(
        job.line,
        told=told,
        id=name,
        **numbers,
        queue=_text(values.get("queue_name") or values.get("queue")),
        user=_text(values.get("user")),
        account=_text(values.get("account")),
        allocated=int(partition[2]) if partition else None,
        status=None if status is None else int(status == "0"),
    )


def _number(text: str) -> float:
    if complaint(text.encode()):
        raise ValueError(text)
    return float(text)


def _text(value: str | None) -> str | None:
    return None if value is None else intern(value)


def _machine(jobs: list[_Job]) -> Entry | None:
    """Return the machine whose partitions the jobs held, if the catalog knows it."""
    found = _PARTITION.fullmatch(jobs[0].values.get("exec_host", "")) if jobs else None
    return entry(_MACHINES[found[1]]) if found and found[1] in _MACHINES else None
