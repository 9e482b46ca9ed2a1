"""Job data of the Argonne Leadership Computing Facility (ALCF): Mira, Intrepid, Theta and others.

The facility offers one CSV a machine and year, called DIM_JOB_COMPOSITE. Several, joined one behind
the other, are read as one.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from shadowtime.traces import catalog, table
from shadowtime.traces.cleaning import MissingEstimate
from shadowtime.traces.entry import Entry
from shadowtime.traces.tablefile import Table, header_of, is_frame, title
from shadowtime.traces.textfile import first_bytes
from shadowtime.workload import Workload

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = {
    "id": "COBALT_JOBID",
    "submit": "QUEUED_TIMESTAMP",
    "start": "START_TIMESTAMP",
    "end": "END_TIMESTAMP",
    "runtime": "RUNTIME_SECONDS",
    "estimate": "WALLTIME_SECONDS",
    "nodes": "NODES_REQUESTED",
    "user": "USERNAME_GENID",
    "account": "PROJECT_NAME_GENID",
    "queue": "QUEUE_NAME",
    "allocated": "NODES_USED",
    "status": "EXIT_STATUS",
}
"""Our name of a column, and the facility's."""

FILE = "ANL-ALCF-DJC-"
"""How the name of a file begins under which ALCF offers it; the machine's follows."""

NEEDED = ("QUEUED_TIMESTAMP", "START_TIMESTAMP", "WALLTIME_SECONDS", "RUNTIME_SECONDS")
"""Columns by which the format is recognised."""


def read(
    source: Table,
    *,
    clean: bool | None = None,
    missing_estimate: MissingEstimate = None,
    machine_nodes: int | None = None,
    limit: int | None = None,
) -> Workload:
    r"""Read job data of ALCF.

    The size of a job is the number of nodes that it requested, or, where that is unknown, the
    number that it used. Extra columns are ``wait``, ``queue``, ``user``, ``account`` (the project),
    ``allocated`` (the nodes used) and ``status``: 1 if the exit status is 0, else 0. Every record
    is of a job that has ended.

    Parameters
    ----------
    source : path, file open for reading, or pandas.DataFrame
        CSV, plain or packed, or Parquet.
    clean : bool, optional
        Drop jobs that cannot be simulated, and count them in the report. By default each of them is
        an error, except in files that have the name under which ALCF offers them.
    missing_estimate : "runtime", "drop" or seconds, optional
        What stands for a missing requested time, or that such jobs are left out and counted.
    machine_nodes : int, optional
        Nodes of the machine; by default those of MACHINE_NAME, if the catalog knows it.
    limit : int, optional
        Read this many records at most.

    Returns
    -------
    Workload
        With ``machine_nodes``, ``header`` and ``report``; submits are Unix seconds, times are UTC.

    Raises
    ------
    InputError
        If the file cannot be read or lacks a column; at the first record that is not right, unless
        `clean`. The message names file, row, job, column and value.

    Examples
    --------
    >>> import io
    >>> log = io.StringIO('''COBALT_JOBID,MACHINE_NAME,QUEUED_TIMESTAMP,START_TIMESTAMP,\
    ... END_TIMESTAMP,USERNAME_GENID,QUEUE_NAME,WALLTIME_SECONDS,RUNTIME_SECONDS,NODES_USED,\
    ... NODES_REQUESTED,EXIT_STATUS
    ... 7,mira,2015-01-01 00:00:00,2015-01-01 01:00:00,2015-01-01 01:01:00,42,prod-short,3600,60,\
    ... 512,512,0''')
    >>> workload = read(log)
    >>> workload[0].queue, workload[0].nodes, workload.extra["wait"][0], workload.machine_nodes
    ('prod-short', 512, 3600, 49152)
    """
    known = catalog.find(title(source))
    if known and clean is None:
        clean = known.clean
    machine = known or _machine(source)
    return table.read(
        source,
        COLUMNS,
        clean=clean,
        missing_estimate=missing_estimate,
        machine_nodes=machine_nodes,
        limit=limit,
        zone="UTC",
        rename=True,
        convert={"status": _status},
        optional=("user", "account", "queue", "allocated", "status"),
        spare={"nodes": COLUMNS["allocated"]},
        header=machine.header if machine else None,
    )


def sniff(head: bytes) -> bool:
    r"""Tell whether a file that begins with `head` looks like job data of ALCF.

    Examples
    --------
    >>> head = b"QUEUED_TIMESTAMP,START_TIMESTAMP,WALLTIME_SECONDS,RUNTIME_SECONDS\n"
    >>> sniff(head), sniff(b"job_id,user\n")
    (True, False)
    """
    return {*NEEDED} <= {*header_of(head)}


def _status(values: pd.Series[Any]) -> pd.Series[Any]:
    """Turn exit statuses into SWF's states."""
    import pandas as pd

    codes = pd.to_numeric(values, errors="coerce")
    return (codes == 0).astype("Int64").where(codes.notna())


def _machine(source: Any) -> Entry | None:
    """Return the machine of the first record, if the catalog knows it."""
    if is_frame(source):
        column = source.get("MACHINE_NAME")
        name = None if column is None or column.empty else column.iloc[0]
    else:
        head = io.StringIO(first_bytes(source).decode("utf-8", "replace"), newline="")
        name = next(csv.DictReader(head), {}).get("MACHINE_NAME")
    return catalog.find(f"{FILE}{name}.csv")
