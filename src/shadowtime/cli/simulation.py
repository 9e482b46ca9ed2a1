"""Commands that schedule jobs: ``demo``, ``simulate`` and ``compare``."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shadowtime.cli import console
from shadowtime.cli.options import (
    AsJson,
    Clean,
    Columns,
    Engine,
    Limit,
    MissingEstimate,
    Nodes,
    Overrun,
    Tau,
    Trace,
    Unit,
    Zone,
    workload,
)
from shadowtime.cli.rules import Contiguous, SlurmSettings, SwitchSize, machine
from shadowtime.cli.rules import policies as policies_of
from shadowtime.errors import InputError

if TYPE_CHECKING:
    from shadowtime.schedule import Schedule
    from shadowtime.workload import JobId

COMPARED = "fcfs,first-fit,easy,easy-sjbf,conservative"

Policy = Annotated[str, typer.Option(help="Name of the policy; a wrong one lists them all.")]
Policies = Annotated[str, typer.Option(help="Names of the policies, separated by commas.")]
Starts = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Write each job's start as CSV.")
]
Explained = Annotated[
    str | None, typer.Option(metavar="JOB", help="Tell why this job waited and started.")
]
Textbook = Annotated[
    bool, typer.Option("--textbook", help="By the rules of the literature, not of the page.")
]


HEADINGS = {
    "mean_wait": "mean wait",
    "max_wait": "max wait",
    "mean_bounded_slowdown": "mean bsld",
    "max_bounded_slowdown": "max bsld",
    "utilization": "util%",
    "backfilled": "backfilled",
    "makespan": "makespan",
}
"""Columns of a comparison, by field."""

PAGE = {
    "makespan": "makespan",
    "utilization": "util%",
    "backfilled": "backfill",
    "mean_wait_ratio": "mean BSLD",
    "max_wait_ratio": "max BSLD",
    "max_wait": "max wait",
}
"""Columns of the published table, by field."""

LITERATURE = {"mean_bounded_slowdown": "mean bsld(10)", "max_bounded_slowdown": "max bsld(10)"}


def demo(*, textbook: Textbook = False, as_json: AsJson = False) -> None:
    """Print the table of ten jobs on eight nodes, as published or by the textbook."""
    from shadowtime import demo as ten

    lines = [line._asdict() for line in ten.table(textbook=textbook)]
    if as_json:
        facts = {
            "nodes": ten.NODES,
            "jobs": len(ten.JOBS),
            "unit": "minutes",
            "rules": "textbook" if textbook else "published",
        }
        console.print_json(facts | {"policies": {line.pop("policy"): line for line in lines}})
        return
    columns = PAGE | (LITERATURE if textbook else {})
    names = [line["policy"] for line in lines]
    console.table(
        f"{ten.NODES} nodes, {len(ten.JOBS)} jobs, "
        f"{sum(job.nodes * job.runtime for job in ten.JOBS)} node-minutes of work; minutes",
        ["policy", *columns.values()],
        [[line["policy"], *(_cell(key, line[key]) for key in columns)] for line in lines],
    )
    print()
    console.table(
        "wait of each job",
        ["job", "nodes", "submit", "runtime", *names],
        [
            [f"J{job.id}", *map(str, (job.nodes, job.submit, job.runtime, *waits))]
            for job, *waits in zip(ten.JOBS, *(line["waits"] for line in lines), strict=True)
        ],
    )
    if textbook:
        console.note(
            "BSLD is max(wait / runtime, 1), bsld(10) the bounded slowdown, tau 10 minutes"
        )
    else:
        console.note("these are the published page's rules; demo --textbook has the literature's")


def simulate(
    trace: Trace,
    *,
    policy: Policy = "easy",
    slurm: SlurmSettings = None,
    nodes: Nodes = None,
    contiguous: Contiguous = False,
    switch_size: SwitchSize = None,
    overrun: Overrun = "kill",
    tau: Tau = 10,
    clean: Clean = None,
    missing_estimate: MissingEstimate = None,
    columns: Columns = None,
    zone: Zone = None,
    unit: Unit = None,
    limit: Limit = None,
    engine: Engine = "auto",
    out: Starts = None,
    explain: Explained = None,
    as_json: AsJson = False,
) -> None:
    """Simulate one policy on a log and print the metrics."""
    _check(tau)
    rules = policies_of([policy], slurm)
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
    told = None if explain is None else _job(explain)
    if told is not None:
        jobs.row(told)
    from shadowtime import simulate as run

    with console.busy(f"simulating {policy}"):
        schedule = run(
            jobs,
            rules[policy],
            machine(jobs, nodes, contiguous=contiguous, switch_size=switch_size),
            overrun=overrun,
            decisions=told is not None,
            engine=engine,
        )
        summary = schedule.summary(tau=tau)
    if out is not None:
        _write(schedule, out)
    console.notes(jobs.report)
    story = [] if told is None else str(schedule.explain(told)).splitlines()
    if as_json:
        console.print_json(summary | ({"explanation": story} if story else {}))
        return
    console.table(
        f"{jobs.name or trace}: {policy}; times in seconds",
        ["metric", "value"],
        [[_label(key), _cell(key, value)] for key, value in summary.items()],
    )
    if story:
        print("", *story, sep="\n")


def compare(
    trace: Trace,
    *,
    policies: Policies = COMPARED,
    slurm: SlurmSettings = None,
    nodes: Nodes = None,
    contiguous: Contiguous = False,
    switch_size: SwitchSize = None,
    overrun: Overrun = "kill",
    tau: Tau = 10,
    clean: Clean = None,
    missing_estimate: MissingEstimate = None,
    columns: Columns = None,
    zone: Zone = None,
    unit: Unit = None,
    limit: Limit = None,
    engine: Engine = "auto",
    as_json: AsJson = False,
) -> None:
    """Simulate several policies on one log and print their metrics side by side."""
    names = list(dict.fromkeys(name.strip() for name in policies.split(",")))
    _check(tau)
    rules = policies_of(names, slurm)
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
    from shadowtime import simulate as run

    where = machine(jobs, nodes, contiguous=contiguous, switch_size=switch_size)
    summaries: dict[str, dict[str, Any]] = {}
    for name, rule in rules.items():
        with console.busy(f"simulating {name}"):
            schedule = run(jobs, rule, where, overrun=overrun, engine=engine)
            summaries[name] = schedule.summary(tau=tau)
    console.notes(jobs.report)
    if as_json:
        facts = {"trace": jobs.name or trace, "jobs": len(jobs), "nodes": schedule.nodes}
        console.print_json(facts | {"policies": summaries})
        return
    console.table(
        f"{jobs.name or trace}: {len(jobs):,} jobs, {schedule.nodes:,} nodes; times in seconds",
        ["policy", *HEADINGS.values()],
        [
            [name, *(_cell(key, summary[key]) for key in HEADINGS)]
            for name, summary in summaries.items()
        ],
    )


def _label(key: str) -> str:
    return "utilization (%)" if key == "utilization" else key.replace("_", " ")


def _cell(key: str, value: Any) -> str:
    return console.percent(value) if key == "utilization" else console.figure(value)


def _check(tau: float) -> None:
    """Refuse a wrong threshold before a long log is read."""
    if not tau > 0:
        raise InputError(f"tau = {tau}; it must be greater than 0")


def _job(name: str) -> JobId:
    return int(name) if name.lstrip("-").isdecimal() else name


def _write(schedule: Schedule, path: Path) -> None:
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["job", "start"])
            writer.writerows(zip(schedule.workload.id, schedule.start, strict=True))
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
