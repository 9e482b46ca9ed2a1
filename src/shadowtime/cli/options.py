"""Options that several commands share, and how a command gets its workload."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from shadowtime.cli import console
from shadowtime.errors import InputError

if TYPE_CHECKING:
    from shadowtime.workload import Workload

Trace = Annotated[
    str,
    typer.Argument(
        metavar="TRACE", help="A job log, or the name of a known one: teaching, kth-sp2, ..."
    ),
]
Nodes = Annotated[
    int | None,
    typer.Option(min=1, help="Nodes of the machine, where the log does not say or is wrong."),
]
Limit = Annotated[int | None, typer.Option(min=1, help="Read no more than this many jobs.")]
Clean = Annotated[
    bool | None,
    typer.Option(
        "--clean/--strict",
        show_default=False,
        help="Leave out unusable jobs and count them, or stop at the first. "
        "By default known logs are cleaned, and others are not.",
    ),
]
MissingEstimate = Annotated[
    Literal["runtime", "drop"] | None,
    typer.Option(help="For jobs without a requested time: take the run time, or leave them out."),
]
Columns = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="Columns of a table by another name (submit=queued_at,nodes=n), or all those of a "
        "print of sacct that does not name them (JobID,User,...).",
    ),
]
Zone = Annotated[
    str | None,
    typer.Option(help="Time zone of a log in local time, such as Europe/Berlin; else UTC."),
]
Unit = Annotated[
    Literal["nodes", "processors"] | None,
    typer.Option(
        show_default=False, help="What a size in a print of sacct counts: nodes, or processors."
    ),
]
Overrun = Annotated[
    Literal["kill", "extend"],
    typer.Option(help="End a job that passes its estimate, or let it run on."),
]
Engine = Annotated[
    Literal["auto", "readable", "compiled"], typer.Option(help="Which engine simulates.")
]
Tau = Annotated[
    float, typer.Option(help="Threshold of the bounded slowdown, in the log's unit of time.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
Output = Annotated[Path, typer.Argument(metavar="OUT.swf", help="File to write; gzip if .gz.")]


def workload(
    trace: str,
    *,
    nodes: int | None = None,
    clean: bool | None = None,
    missing_estimate: str | None = None,
    limit: int | None = None,
    columns: str | None = None,
    zone: str | None = None,
    unit: str | None = None,
) -> Workload:
    """Read a log by its path, or load a known one by its name.

    Parameters
    ----------
    trace : str
        A path wins over a name.
    nodes : int, optional
        Nodes of the machine; by default what the log says.
    clean : bool, optional
        Whether unusable jobs are left out; by default only in known logs.
    missing_estimate : {"runtime", "drop"}, optional
    limit : int, optional
        How many jobs to read at most.
    columns : str, optional
        ``"ours=theirs,..."`` for a table, or the names of a print of sacct in their order.
    zone, unit : str, optional
        For formats that know them.

    Returns
    -------
    Workload

    Raises
    ------
    InputError
        If there is neither such a file nor such a log, or its content is at fault.
    """
    from shadowtime import traces

    read: Callable[..., Workload] = traces.load if locate(trace) is None else traces.read
    own = {"columns": columns and _columns(columns), "zone": zone, "unit": unit}
    given = {name: value for name, value in own.items() if value is not None}
    with console.busy(f"reading {trace}"):
        return read(
            trace,
            clean=clean,
            missing_estimate=missing_estimate,
            machine_nodes=nodes,
            limit=limit,
            **given,
        )


def _columns(text: str) -> dict[str, str] | list[str]:
    names = [name.strip() for name in text.split(",")]
    pairs = [name.partition("=") for name in names]
    if all(sign for _, sign, _ in pairs):
        return {ours.strip(): theirs.strip() for ours, _, theirs in pairs}
    if any(sign for _, sign, _ in pairs):
        raise InputError(f"columns = {text!r}; give ours=theirs for each, or names alone")
    return names


def locate(trace: str) -> Path | None:
    """Return the file that `trace` names, or None if it is the name of a known log.

    Raises
    ------
    InputError
        If it is neither.
    """
    from shadowtime import traces

    path = Path(trace)
    if path.exists():
        return path
    if trace.lower() in traces.names():
        return None
    known = ", ".join(traces.names())
    raise InputError(f"{trace}: no such file, and no log of that name; known are {known}")
