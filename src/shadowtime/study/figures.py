"""The study's figures, in matplotlib: Figures 1, 2, 4, 5 and 7."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime import palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from shadowtime.study.report import Study

MARKERS = "osD^vP*X"
HATCHES = ("", "//", "..", "xx", "\\\\", "++")
LINES = ("-", "--", "-.", ":")
NODE_HOUR = 3600


def _panels(rows: int, columns: int, *, width: float, height: float, **shared: Any) -> Any:
    """Return a figure and its axes, shape (rows, columns), in the book's dress."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(
        rows, columns, figsize=(width, height), layout="constrained", squeeze=False, **shared
    )
    for ax in axes.flat:
        ax.spines[["top", "right"]].set_visible(False)
        ax.grid(axis="y", color=palette.colour("grid"))
        ax.set_axisbelow(True)
    return figure, axes


def _colour(name: str) -> str:
    return palette.colour(name if name in palette.PREDICTORS["light"] else "muted")


def _label(name: str) -> str:
    return palette.NAMES.get(name, name)


def _bars(ax: Axes, study: Study, measure: str) -> None:
    """Draw one group of bars a log, one bar a predictor."""
    table = study.tables["table1"].pivot_table(measure, "log", "predictor", sort=False)
    width = 0.8 / len(table.columns)
    for place, name in enumerate(study.settings.predictors):
        left = np.arange(len(table)) + (place - (len(table.columns) - 1) / 2) * width
        ax.bar(
            left, table[name], width, color=_colour(name), hatch=HATCHES[place % len(HATCHES)],
            edgecolor=palette.colour("paper"), label=_label(name),
        )  # fmt: skip
    ax.set_xticks(range(len(table)), [str(name) for name in table.index], rotation=20, ha="right")
    ax.set_ylim(0, 1)


def gaps(study: Study) -> Figure:
    """Draw Figure 1: the predictors lie closer together by A_mean than by A_geo."""
    figure, axes = _panels(1, 2, width=7.2, height=3.2, sharey=True)
    for ax, measure, what in zip(
        axes[0], ("A_mean", "A_geo"), ("over jobs", "by usage"), strict=True
    ):
        _bars(ax, study, measure)
        gap = study.tables["figure1"][f"{measure}_gap"]
        ax.set_title(
            f"{measure}: averaged {what} (gap {gap.min():.2f} to {gap.max():.2f})", fontsize=9
        )
    axes[0, 0].set_ylabel("accuracy")
    axes[0, 0].legend(frameon=False, fontsize=8)
    return figure  # type: ignore[no-any-return]


def concentration(study: Study) -> Figure:
    """Draw Figure 2: the share of usage in each decile, and the distribution of usage."""
    figure, axes = _panels(1, 2, width=7.2, height=3.2)
    table = study.tables["figure2a"].pivot_table("usage_share", "decile", "log", sort=False)
    width = 0.8 / len(study.logs)
    for place, log in enumerate(study.logs):
        style = {"color": f"C{place}", "label": log.name}
        left = table.index.to_numpy() + (place - (len(study.logs) - 1) / 2) * width
        axes[0, 0].bar(left, 100 * table[log.name], width, **style)
        usage = np.sort(log.predictions.aligned().usage) / NODE_HOUR
        share = np.arange(1, len(usage) + 1) / len(usage)
        axes[0, 1].plot(usage, share, ls=LINES[place % len(LINES)], **style)
    axes[0, 0].set(xlabel="decile of usage", ylabel="share of usage (%)", xticks=table.index)
    axes[0, 1].set(xlabel="usage of a job (node-hours)", ylabel="share of jobs", xscale="log")
    axes[0, 1].legend(frameon=False, fontsize=8)
    return figure  # type: ignore[no-any-return]


def scores(study: Study) -> Figure:
    """Draw Figure 4: the measures of each predictor over all jobs."""
    figure, axes = _panels(1, 3, width=9, height=3.2, sharey=True)
    for ax, measure in zip(axes[0], ("A_mean", "A_geo", "UnderRate"), strict=True):
        _bars(ax, study, measure)
        ax.set_title(measure, fontsize=9)
    axes[0, 0].legend(frameon=False, fontsize=8)
    return figure  # type: ignore[no-any-return]


def deciles(study: Study) -> Figure:
    """Draw Figure 5: A_geo and UnderRate by decile, from the smallest jobs to the largest."""
    table = study.tables["figure5"]
    width = 1.5 + 2.6 * len(study.logs)
    figure, axes = _panels(2, len(study.logs), width=width, height=5, sharex=True, sharey="row")
    for column, log in enumerate(study.logs):
        own = table[table["log"] == log.name]
        for row, measure in enumerate(("A_geo", "UnderRate")):
            ax = axes[row, column]
            for place, name in enumerate(study.settings.predictors):
                line = own[own["predictor"] == name]
                ax.plot(
                    line["decile"], line[measure], color=_colour(name),
                    ls=LINES[place % len(LINES)], marker=MARKERS[place % len(MARKERS)], ms=4,
                    label=_label(name),
                )  # fmt: skip
            ax.set_ylim(0, 1)
        axes[0, column].set_title(log.name, fontsize=9)
        axes[1, column].set(xlabel="decile of usage", xticks=range(1, 11))
    axes[0, 0].set_ylabel("A_geo")
    axes[1, 0].set_ylabel("UnderRate")
    axes[0, 0].legend(frameon=False, fontsize=8)
    return figure  # type: ignore[no-any-return]


def changes(study: Study) -> Figure:
    """Draw Figure 7: what the hybrid changes against the model, a row of panels a correction.

    The bar spans the years of a queue, the small points are the years, the diamond is their mean.
    """
    means, points = study.tables["over_years"], study.tables["figure7"]
    keys = ["log", *(name for name in study.logs[0].replay.by if name != "year")]
    corrections = study.settings.corrections
    queues = list(dict.fromkeys(map(tuple, means[keys].to_numpy().tolist())))
    figure, axes = _panels(
        len(corrections), 2, width=8, height=len(corrections) * (1 + 0.25 * len(queues)),
        sharex="col", sharey=True,
    )  # fmt: skip
    titles = {"mean_wait_change": "mean wait", "backfilled_change": "backfilled jobs"}
    for row, correction in enumerate(corrections):
        for column, (measure, title) in enumerate(titles.items()):
            ax = axes[row, column]
            for height, queue in enumerate(queues):
                here = (means[keys] == list(queue)).all(axis=1)
                mean = means[here & (means["correction"] == correction)].iloc[0]
                low, high = 100 * mean[f"{measure}_min"], 100 * mean[f"{measure}_max"]
                ax.barh(height, high - low, 0.5, low, color=palette.colour("grid"))
                own = (points[keys] == list(queue)).all(axis=1)
                years = 100 * points.loc[own & (points["correction"] == correction), measure]
                ax.plot(years, [height] * len(years), "o", ms=3, color=palette.colour("muted"))
                ax.plot(100 * mean[measure], height, "D", color=_colour("hybrid"))
            ax.margins(x=0.1)
            ax.axvline(0, color=palette.colour("ink"), lw=0.8)
            ax.set_title(f"{title}, correction: {correction}", fontsize=9)
    axes[0, 0].set_yticks(range(len(queues)), ["/".join(map(str, queue)) for queue in queues])
    axes[0, 0].invert_yaxis()
    for ax in axes[-1]:
        ax.set_xlabel(f"hybrid against {_label(study.settings.model)} (%)")
    return figure  # type: ignore[no-any-return]
