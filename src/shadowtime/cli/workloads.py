"""Commands about logs: ``info``, ``fetch``, ``convert`` and ``generate``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shadowtime.cli import console
from shadowtime.cli.console import figure
from shadowtime.cli.options import (
    AsJson,
    Clean,
    Columns,
    Limit,
    MissingEstimate,
    Nodes,
    Output,
    Trace,
    Unit,
    Zone,
    locate,
    workload,
)
from shadowtime.errors import InputError

if TYPE_CHECKING:
    from shadowtime.traces.entry import Entry
    from shadowtime.workload import Workload

ACKNOWLEDGED = ("machine", "lacks", "acknowledgement", "terms")
"""What the catalog says of a log that it knows."""

LISTED = ("name", "jobs", "processors", "period", *ACKNOWLEDGED, "file", "sha256", "url", "source")
"""What the list of all logs says of each."""


def info(
    trace: Trace,
    *,
    nodes: Nodes = None,
    clean: Clean = None,
    missing_estimate: MissingEstimate = None,
    columns: Columns = None,
    zone: Zone = None,
    unit: Unit = None,
    as_json: AsJson = False,
) -> None:
    """Say what is in a log, what reading it leaves out, and whom to thank for it."""
    from shadowtime import traces

    jobs = workload(
        trace,
        nodes=nodes,
        clean=clean,
        missing_estimate=missing_estimate,
        columns=columns,
        zone=zone,
        unit=unit,
    )
    path = locate(trace)
    if path is None and trace.lower() != traces.TEACHING:
        path = traces.fetch.locate(trace)
    if path is not None and columns is None and traces.recognise(path) == "swf":
        facts = traces.survey(path, clean=True)
    else:
        facts = traces.survey(jobs)
    report = jobs.report
    known = path and traces.catalog.find(path.name)
    if as_json:
        read = {"kept": report.kept, "dropped": report.dropped, "notes": report.notes}
        read |= {"machine_nodes": jobs.machine_nodes}
        read |= _facts(known, ACKNOWLEDGED) if known else _thanks(jobs)
        console.print_json(facts.to_dict() | read)
        return
    print(facts)
    print(report)
    if known:
        print("", *_facts(known, ACKNOWLEDGED).values(), sep="\n")
    elif thanks := _thanks(jobs):
        print("", *thanks.values(), sep="\n")


def fetch(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A known log; without it, all are listed.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Download a known log, check it and keep it, or list the logs that are known."""
    from shadowtime import traces

    if name is None:
        _list(as_json=as_json)
        return
    if name.lower() == traces.TEACHING:
        raise InputError(f"{traces.TEACHING} is part of shadowtime: there is nothing to fetch")
    log = traces.catalog.entry(name)
    path = traces.fetch.locate(name)
    if not log.sha256:
        console.note(f"the checksum of {log.name} is not known: {path.name} is not checked")
    elif not traces.fetch.is_genuine(log, path):
        console.note(f"{path} differs from the archive's copy (checksum); remove it to get that")
    if as_json:
        console.print_json({"name": log.name, "path": str(path)} | _facts(log, ACKNOWLEDGED))
        return
    print(path)
    print("", *_facts(log, ACKNOWLEDGED).values(), sep="\n")


def _list(*, as_json: bool) -> None:
    from shadowtime import traces

    places = {log: _place(log) for log in traces.catalog.ENTRIES}
    if as_json:
        facts = [_facts(log, LISTED) | {"place": place} for log, place in places.items()]
        console.print_json({"logs": facts})
        return
    console.table(
        "",
        ["name", "machine", "period", "place", "jobs", "size"],
        [
            [log.name, log.machine, log.period, place, figure(log.jobs), figure(log.processors)]
            for log, place in places.items()
        ],
        texts=4,
    )


def _place(log: Entry) -> str:
    """Say where a log is: here, to be downloaded, or to be got by hand."""
    from shadowtime import traces

    try:
        here = traces.fetch.find(log.name)
    except InputError:
        return "here, in parts"
    return "here" if here else "download" if log.url else "by hand"


def _thanks(jobs: Workload) -> dict[str, Any]:
    """Return whom the header of a log asks to thank."""
    said = jobs.header.get("Acknowledge")
    return {"acknowledgement": said} if said else {}


def _facts(log: Entry, names: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(log, name) for name in names}


def convert(
    trace: Trace,
    out: Output,
    *,
    nodes: Nodes = None,
    clean: Clean = None,
    missing_estimate: MissingEstimate = None,
    limit: Limit = None,
    columns: Columns = None,
    zone: Zone = None,
    unit: Unit = None,
) -> None:
    """Write a log of any format in the Standard Workload Format."""
    jobs = workload(
        trace,
        nodes=nodes,
        clean=clean,
        missing_estimate=missing_estimate,
        limit=limit,
        columns=columns,
        zone=zone,
        unit=unit,
    )
    notes = jobs.to_swf(out)
    console.notes(jobs.report)
    for note in notes:
        console.note(note)
    print(f"{out}: {len(jobs):,} jobs")


def generate(
    out: Output,
    *,
    jobs: Annotated[int, typer.Option(min=1, help="How many jobs.")],
    nodes: Annotated[int, typer.Option(min=1, help="Nodes of the machine.")],
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same log.")],
    load: Annotated[
        float | None, typer.Option(help="Offered load to reach, such as 0.8; else the model's own.")
    ] = None,
    variant: Annotated[
        str, typer.Option(help="Variant of the model: batch, or one-type for all jobs.")
    ] = "batch",
) -> None:
    """Write a synthetic log by the model of Lublin and Feitelson, in SWF."""
    import numpy as np

    from shadowtime import synthesis, traces

    made = synthesis.generate(jobs, nodes, np.random.default_rng(seed), variant=variant, load=load)
    traces.write(made, out)
    offered = figure(synthesis.offered_load(made))
    print(f"{out}: {len(made):,} jobs for {nodes:,} nodes, offered load {offered}")
