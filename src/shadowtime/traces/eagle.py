"""Jobs of NREL's machine Eagle, from Slurm's records, as CSV or Parquet.

References
----------
K. Menear, A. Nag, J. Perr-Sauer, M. Lunacek, K. Potter and D. Duplyakin, "Mastering HPC Runtime
Prediction: From Observing Patterns to a Methodological Approach", PEARC 2023.
"""

from __future__ import annotations

from shadowtime.traces import catalog, table
from shadowtime.traces.cleaning import MissingEstimate
from shadowtime.traces.tablefile import Table, header_of, title
from shadowtime.workload import Workload

COLUMNS = {
    "submit": "submit_time",
    "start": "start_time",
    "end": "end_time",
    "runtime": "run_time",
    "estimate": "wallclock_req",
    "nodes": "nodes_req",
    "processors": "processors_req",
    "gpus": "gpus_req",
    "memory": "mem_req",
    "user": "user",
    "account": "account",
    "queue": "partition",
    "qos": "qos",
    "status": "state",
}
"""Our name of a column, and that of the data."""

NEEDED = ("submit_time", "start_time", "end_time", "wallclock_req", "nodes_req", "run_time")
"""Columns by which the format is recognised."""


def read(
    source: Table,
    *,
    clean: bool | None = None,
    missing_estimate: MissingEstimate = None,
    machine_nodes: int | None = None,
    limit: int | None = None,
    zone: str | None = None,
) -> Workload:
    r"""Read jobs of Eagle.

    Jobs are numbered by their row, from 1: the tasks of an array share one ``job_id``. Extra
    columns are ``wait``, ``user``, ``account``, ``queue`` (Slurm's partition), ``qos``, ``status``
    (Slurm's words, such as ``"COMPLETED"``), and what was requested: ``processors``, ``gpus`` and
    ``memory`` (MB, of the whole job; 0 where nothing was said).

    Parameters
    ----------
    source : path, file open for reading, or pandas.DataFrame
        CSV, plain or packed, or Parquet.
    clean : bool, optional
        Drop jobs that cannot be simulated, such as those that have not ended, and count them in the
        report. By default each of them is an error, except in the files that NREL offers.
    missing_estimate : "runtime", "drop" or seconds, optional
        What stands for a missing requested time, or that such jobs are left out and counted.
    machine_nodes : int, optional
        Nodes of the machine; by default Eagle's.
    limit : int, optional
        Read this many records at most.
    zone : str, optional
        Time zone of the times, which state none; UTC by default.

    Returns
    -------
    Workload
        With ``machine_nodes``, ``header`` and ``report``; submits are Unix seconds.

    Raises
    ------
    InputError
        If the file cannot be read or lacks a column; at the first record that is not right, unless
        `clean`. The message names file, row, column and value.

    Examples
    --------
    >>> import io
    >>> log = io.StringIO('''job_id,user,partition,wallclock_req,nodes_req,processors_req,\
    ... submit_time,start_time,end_time,run_time,state
    ... 7,ann,short,3600.0,2,72,2019-01-01 08:00:00,2019-01-01 08:00:05,2019-01-01 08:01:05,60.0,\
    ... COMPLETED''')
    >>> workload = read(log)
    >>> workload[0].nodes, workload[0].estimate, workload.extra["status"][0]
    (2, 3600, 'COMPLETED')
    """
    known = catalog.find(title(source))
    if known and clean is None:
        clean = known.clean
    return table.read(
        source,
        COLUMNS,
        clean=clean,
        missing_estimate=missing_estimate,
        machine_nodes=machine_nodes,
        limit=limit,
        zone=zone,
        optional=("processors", "gpus", "memory", "user", "account", "queue", "qos", "status"),
        header=catalog.entry("eagle").header,
    )


def sniff(head: bytes) -> bool:
    r"""Tell whether a file that begins with `head` looks like jobs of Eagle.

    Examples
    --------
    >>> sniff(b"submit_time,start_time,end_time,wallclock_req,nodes_req,run_time\n")
    True
    >>> sniff(b"JobID|User|State\n")
    False
    """
    return {*NEEDED} <= {*header_of(head)}
