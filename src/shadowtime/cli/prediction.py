"""Commands about predicted runtimes: ``predict``, ``hybrid`` and ``study``."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shadowtime.cli import console
from shadowtime.cli.options import (
    AsJson,
    Clean,
    Columns,
    Limit,
    MissingEstimate,
    Nodes,
    Trace,
    Unit,
    Zone,
    workload,
)
from shadowtime.cli.workers import (
    Dask,
    Processes,
    Seed,
    TableFile,
    WindowDays,
    check_ending,
    names,
    resumable,
    workers,
    write,
)
from shadowtime.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from shadowtime.prediction import Predictions
    from shadowtime.study import Study

COMPARED = "request,last2,xgboost"
MEASURES = ("A_mean", "A_geo", "UnderRate")

Predictors = Annotated[
    str, typer.Option(help="Predictors, separated by commas; a wrong one lists them all.")
]
Model = Annotated[str, typer.Option(help="The predictor that the hybrid takes for most jobs.")]
Percentile = Annotated[
    float, typer.Option(help="Jobs whose requested node-time is above it take the request.")
]
By = Annotated[str, typer.Option(help="Columns that the log is cut by, separated by commas.")]
Corrections = Annotated[
    str, typer.Option(help="What becomes of predictions that ran out, separated by commas.")
]
MinJobs = Annotated[int, typer.Option(min=1, help="Replay no partition with fewer jobs.")]
Traces = Annotated[list[str], typer.Argument(metavar="TRACE...", help="Logs, or known names.")]
Folder = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Tables, figures, state.")]


def predict(
    trace: Trace,
    *,
    predictors: Predictors = COMPARED,
    window_days: WindowDays = 100,
    seed: Seed = 0,
    nodes: Nodes = None,
    clean: Clean = None,
    missing_estimate: MissingEstimate = None,
    columns: Columns = None,
    zone: Zone = None,
    unit: Unit = None,
    limit: Limit = None,
    jobs: Processes = None,
    dask: Dask = None,
    out: TableFile = None,
    as_json: AsJson = False,
) -> None:
    """Predict runtimes day by day from the past, and measure the predictions.

    With --out, an interrupted run goes on where it was: what is done is kept in FILE.partial.
    """
    from shadowtime import prediction

    check_ending(out)
    wanted = _predictors(predictors, seed)
    log = workload(
        trace,
        nodes=nodes,
        clean=clean,
        missing_estimate=missing_estimate,
        limit=limit,
        columns=columns,
        zone=zone,
        unit=unit,
    )
    state = None if out is None else out.with_name(f"{out.name}.partial")
    with workers(jobs, dask) as executor, resumable(state):
        prepared = prediction.prepare(log)
        found = prediction.evaluate(
            prepared, wanted, window_days=window_days, executor=executor, results=state
        )
    scores, deciles = found.scores(), found.by_decile()
    if out is not None:
        write(found.to_frame(), out)
        _forget(state)
    console.notes(log.report)
    console.notes(prepared.report)
    top = deciles[deciles["decile"] == 10].set_index("predictor")
    facts = {
        "trace": log.name or trace,
        "jobs": len(prepared),
        "splits": len(found.start),
        "predicted": len(found),
        "compared": int(found.valid.sum()),
        "coverage": found.coverage(),
    }
    if as_json:
        own = list(found.planned)
        rates = {name: _records(found.win_rates(name, own[0])) for name in own[1:]}
        console.print_json(
            facts
            | {
                "predictors": _records(scores),
                "top_decile": _records(top.drop(columns="decile")),
                "win_rates": rates,
            }
        )
        return
    console.table(
        f"{facts['trace']}: {facts['compared']:,} of {facts['predicted']:,} jobs, those that all "
        f"predictors know, on {facts['splits']:,} days, each from {window_days:g} days before",
        ["predictor", *MEASURES, "top decile:", *MEASURES],
        [[name, *_cells(scores, name), "", *_cells(top, name)] for name in found.planned],
    )
    _days_won(found)


def hybrid(
    trace: Trace,
    *,
    percentile: Percentile = 90,
    model: Model = "xgboost",
    by: By = "queue,year",
    corrections: Corrections = "none",
    min_jobs: MinJobs = 1,
    window_days: WindowDays = 100,
    seed: Seed = 0,
    nodes: Nodes = None,
    clean: Clean = None,
    missing_estimate: MissingEstimate = None,
    columns: Columns = None,
    zone: Zone = None,
    unit: Unit = None,
    limit: Limit = None,
    jobs: Processes = None,
    dask: Dask = None,
    out: TableFile = None,
    as_json: AsJson = False,
) -> None:
    """Plan large requests as requested and the rest as predicted; replay each queue and year.

    With --out, an interrupted run goes on where it was: what is done is kept in FILE.partial.
    """
    from shadowtime import study as whole

    check_ending(out)
    wanted = _predictors(",".join(dict.fromkeys(["request", "last2", model])), seed)
    log = workload(
        trace,
        nodes=nodes,
        clean=clean,
        missing_estimate=missing_estimate,
        limit=limit,
        columns=columns,
        zone=zone,
        unit=unit,
    )
    state = None if out is None else out.with_name(f"{out.name}.partial")
    with workers(jobs, dask) as executor, resumable(state):
        found = whole.run(
            [log],
            predictors=wanted,
            model=model,
            percentile=percentile,
            window_days=window_days,
            corrections=names(corrections),
            by=names(by),
            min_jobs=min_jobs,
            seed=seed,
            executor=executor,
            folder=state,
        )
    table = found.tables["figure7"].drop(columns="log")
    if out is not None:
        write(table, out)
        _forget(state)
    console.notes(log.report)
    for note in found.logs[0].notes:
        console.note(note)
    recall = found.tables["table4"].drop(columns="log")
    if as_json:
        console.print_json(
            {
                "trace": log.name or trace,
                "percentile": percentile,
                "model": model,
                "recall": recall.to_dict("records"),
                "partitions": table.to_dict("records"),
                "over_years": found.tables["over_years"].drop(columns="log").to_dict("records"),
            }
        )
        return
    _recall(recall, percentile)
    print()
    console.table(
        f"hybrid against {model}, {percentile:g}th percentile; waits in seconds",
        ["partition", "jobs", "nodes", "correction", f"wait {model}", "wait hybrid", "change%",
         f"backfilled {model}", "backfilled hybrid", "change%"],
        [_replayed(row, model) for row in table.to_dict("records")],
    )  # fmt: skip


def study(
    traces: Traces,
    *,
    out: Folder,
    predictors: Predictors = COMPARED,
    model: Model = "xgboost",
    percentile: Percentile = 90,
    corrections: Corrections = "none,request,increments,doubling",
    min_jobs: MinJobs = 1,
    window_days: WindowDays = 100,
    seed: Seed = 0,
    clean: Clean = None,
    missing_estimate: MissingEstimate = None,
    columns: Columns = None,
    zone: Zone = None,
    unit: Unit = None,
    limit: Limit = None,
    jobs: Processes = None,
    dask: Dask = None,
    as_json: AsJson = False,
) -> None:
    """Regenerate every table and figure of the study of runtime prediction on these logs.

    An interrupted study goes on where it was: what is done is kept in FOLDER/state.
    """
    from shadowtime import study as whole

    wanted = _predictors(predictors, seed)
    logs = [
        workload(
            trace,
            clean=clean,
            missing_estimate=missing_estimate,
            limit=limit,
            columns=columns,
            zone=zone,
            unit=unit,
        )
        for trace in traces
    ]
    state = out / "state"
    with workers(jobs, dask) as executor, resumable(state):
        found = whole.run(
            logs,
            predictors=wanted,
            model=model,
            percentile=percentile,
            window_days=window_days,
            corrections=names(corrections),
            min_jobs=min_jobs,
            seed=seed,
            executor=executor,
            folder=state,
        )
        files = found.save(out)
    for log in logs:
        console.notes(log.report)
    for each in found.logs:
        for note in each.notes:
            console.note(note)
    if as_json:
        tables = {name: table.to_dict("records") for name, table in found.tables.items()}
        console.print_json(found.facts() | {"tables": tables})
        return
    _study(found)
    console.note(f"{len(files)} files are in {out}")


def _predictors(text: str, seed: int) -> list[Any]:
    """Return the predictors, so that a wrong name is refused before a long log is read."""
    from shadowtime.prediction.predictors import named

    return list(named(names(text), seed=seed).values())


def _cells(table: pd.DataFrame, name: str) -> list[str]:
    return [console.figure(float(table.loc[name, measure]), 3) for measure in MEASURES]  # type: ignore[arg-type]


def _records(table: pd.DataFrame) -> dict[str, Any]:
    return {str(key): dict(row) for key, row in table.to_dict("index").items()}


def _days_won(found: Predictions) -> None:
    own = list(found.planned)
    if len(own) < 2:
        return
    rows = []
    for name in own[1:]:
        rates = _records(found.win_rates(name, own[0]))
        rows.append([name, *(console.percent(rates[measure][name]) for measure in MEASURES)])
    print()
    console.table(
        f"days on which a predictor is better than {own[0]} (%)", ["predictor", *MEASURES], rows
    )


def _recall(table: pd.DataFrame, percentile: float) -> None:
    console.table(
        f"the true tail, above the {percentile:g}th percentile of usage, and how much of it the "
        "requests find",
        ["queue", "jobs", "tail", "routed", "recall%", "of usage%"],
        [
            [
                str(row["queue"]),
                *(console.figure(row[name]) for name in ("jobs", "tail", "routed")),
                *(_change(row[name]) for name in ("recall", "cost_recall")),
            ]
            for row in table.to_dict("records")
        ],
    )


def _replayed(row: dict[Any, Any], model: str) -> list[str]:
    cells = [row["partition"], console.figure(row["jobs"]), console.figure(row["nodes"])]
    cells.append(row["correction"])
    for measure, digits in (("mean_wait", 0), ("backfilled", 0)):
        cells += [console.figure(row[f"{measure}_{each}"], digits) for each in (model, "hybrid")]
        cells.append(_change(row[f"{measure}_change"]))
    return cells


def _change(share: float) -> str:
    """Write a share as a percentage, or a dash where there is none."""
    return console.figure(None) if math.isnan(share) else console.percent(share)


def _study(found: Study) -> None:
    for name, title in (("table1", "all jobs"), ("table2", "top decile of usage")):
        console.table(
            title,
            ["log", "predictor", "jobs", *MEASURES],
            [
                [row["log"], row["predictor"], console.figure(row["jobs"])]
                + [console.figure(row[measure], 3) for measure in MEASURES]
                for row in found.tables[name].to_dict("records")
            ],
        )
        print()
    columns = ["years", "mean_wait_change", "backfilled_change"]
    console.table(
        "hybrid against the model, mean over years (%)",
        ["log", "queue", "correction", *(name.replace("_", " ") for name in columns)],
        [
            [row["log"], str(row.get("queue", "")), row["correction"], console.figure(row["years"])]
            + [_change(row[name]) for name in columns[1:]]
            for row in found.tables["over_years"].to_dict("records")
        ],
    )


def _forget(state: Path | None) -> None:
    """Remove what an interrupted command would have gone on from."""
    if state is None:
        return
    if state.is_file():
        state.unlink()
        return
    for file in state.glob("*.jsonl"):
        file.unlink()
    try:
        state.rmdir()
    except OSError as error:
        raise InputError(f"{state}: {error.strerror}") from error
