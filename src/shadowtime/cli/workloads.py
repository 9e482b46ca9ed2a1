"""Commands about jobs as they were submitted: ``info`` and ``generate``."""

from __future__ import annotations

from typing import Annotated

import typer

from shadowtime.cli import console
from shadowtime.cli.options import (
    AsJson,
    Clean,
    MissingEstimate,
    Nodes,
    Output,
    Trace,
    locate,
    workload,
)

ACKNOWLEDGED = ("machine", "lacks", "acknowledgement", "terms")
"""What the catalog says of a log that it knows."""


def info(
    trace: Trace,
    *,
    nodes: Nodes = None,
    clean: Clean = None,
    missing_estimate: MissingEstimate = None,
    as_json: AsJson = False,
) -> None:
    """Say what is in a log, what reading it leaves out, and whom to thank for it."""
    from shadowtime import traces

    jobs = workload(trace, nodes=nodes, clean=clean, missing_estimate=missing_estimate)
    path = locate(trace)
    if path is None and trace.lower() != traces.TEACHING:
        path = traces.fetch.locate(trace)
    facts = traces.survey(jobs) if path is None else traces.survey(path, clean=True)
    report = jobs.report
    known = path and traces.catalog.find(path.name)
    if as_json:
        read = {"kept": report.kept, "dropped": report.dropped, "notes": report.notes}
        read |= {"machine_nodes": jobs.machine_nodes}
        read |= {key: getattr(known, key) for key in ACKNOWLEDGED} if known else {}
        console.print_json(facts.to_dict() | read)
        return
    print(facts)
    print(report)
    if known:
        print("", *(getattr(known, key) for key in ACKNOWLEDGED), sep="\n")


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
    offered = console.figure(synthesis.offered_load(made))
    print(f"{out}: {len(made):,} jobs for {nodes:,} nodes, offered load {offered}")
