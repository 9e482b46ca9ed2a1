"""The study's tables that take more than a call: one function each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from shadowtime.prediction.concentration import mass_count
from shadowtime.prediction.intervals import bootstrap

if TYPE_CHECKING:
    from shadowtime.study.whole import LogStudy


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
    """Put the partitions together: means over jobs, and the sum of the backfilled."""
    table = log.replay.table
    keys = [table["planned"], table["correction"]]
    means = ["mean_wait", "mean_bounded_slowdown"]
    sums = table[means].mul(table["jobs"], axis=0).assign(
        jobs=table["jobs"], backfilled=table["backfilled"]
    ).groupby(keys, sort=False).sum()  # fmt: skip
    sums[means] = sums[means].div(sums["jobs"], axis=0)
    return sums[["jobs", *means, "backfilled"]].reset_index()
