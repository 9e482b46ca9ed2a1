"""The study's tables that take more than a call: one function each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from shadowtime.partitions import partitions
from shadowtime.prediction.concentration import mass_count
from shadowtime.prediction.intervals import bootstrap

if TYPE_CHECKING:
    from shadowtime.study.whole import LogStudy

WEIGHTS = {
    "mean_wait": "jobs",
    "mean_bounded_slowdown": "jobs",
    "node_weighted_mean_wait": "held",
}
"""What a partition's mean counts for when partitions are put together: its jobs, or their nodes."""


def top(deciles: pd.DataFrame) -> pd.DataFrame:
    """Keep the rows of the top decile, and the columns of the study's Table 2."""
    kept = ["log", "predictor", "jobs", "usage_share", "A_mean", "A_geo", "UnderRate"]
    top = deciles["decile"] == deciles["decile"].max()
    table: pd.DataFrame = deciles.loc[top, kept].reset_index(drop=True)
    return table


def scores(log: LogStudy) -> pd.DataFrame:
    """Measure each predictor over all jobs; say what share of the jobs it predicts itself."""
    table = log.predictions.scores().reset_index()
    coverage = log.predictions.coverage()
    table.insert(2, "coverage", [coverage[name] for name in table["predictor"]])
    return table


def gaps(scores: pd.DataFrame) -> pd.DataFrame:
    """Subtract the worst predictor's measure from the best one's, by log."""
    groups = scores.groupby("log", sort=False)
    table: pd.DataFrame = (
        groups[["A_mean", "A_geo"]].max() - groups[["A_mean", "A_geo"]].min()
    ).add_suffix("_gap")
    return table.reset_index()


def concentration(log: LogStudy) -> pd.DataFrame:
    """Measure how few jobs hold most of the node-time."""
    jobs = log.predictions.aligned()
    return pd.DataFrame([{"jobs": len(jobs), **mass_count(jobs.usage)._asdict()}])


def intervals(log: LogStudy, seed: int) -> pd.DataFrame:
    """Draw days again: intervals of each measure, and of its difference to the request's."""
    own, gap = (
        bootstrap(log.predictions, np.random.default_rng(seed), versus=versus)
        for versus in (None, "request")
    )
    return own.join(gap.add_suffix("_versus_request")).reset_index()


def replayed(log: LogStudy) -> pd.DataFrame:
    """Put the partitions together: means over jobs and over their nodes, sums, and the maximum."""
    compared, _ = log.predictions.jobs()
    nodes = np.asarray(compared.nodes)
    held = {part.name: nodes[part.rows].sum() for part in partitions(compared, log.replay.by)}
    table = log.replay.table.assign(
        held=lambda each: each["partition"].map(held).fillna(nodes.sum())
    )  # uncut, the only partition has the name of the log
    for measure, weight in WEIGHTS.items():
        table[measure] *= table[weight]
    groups = table.groupby(["planned", "correction"], sort=False)
    found: pd.DataFrame = groups[["jobs", *WEIGHTS, "backfilled", "held"]].sum()
    for measure, weight in WEIGHTS.items():
        found[measure] /= found[weight]
    found["max_wait"] = groups["max_wait"].max()
    return found.drop(columns="held").reset_index()
