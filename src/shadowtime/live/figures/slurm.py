"""Slurm's backfill knobs: what each does to the jobs of a fortnight."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from shadowtime import metrics, palette
from shadowtime.engine import simulate
from shadowtime.live.controls import Params, Slider
from shadowtime.live.livefigure import Data, LiveFigure, Row, readout
from shadowtime.policies.slurm import Slurm
from shadowtime.schedule import Schedule
from shadowtime.traces import load
from shadowtime.workload import Workload

JOBS = 300
DEFAULTS = {
    "bf_window": 1440,
    "bf_resolution": 60,
    "bf_interval": 30,
    "bf_max_job_test": 500,
    "bf_max_job_user": 0,
}
KNOBS = {
    "bf_window": (60, 4320, 60, "min"),
    "bf_resolution": (60, 3600, 60, "s"),
    "bf_interval": (30, 3630, 60, "s"),
    "bf_max_job_test": (1, 500, 1, "jobs"),
    "bf_max_job_user": (0, 10, 1, "jobs"),
}
"""Least and greatest value, step and unit of each knob."""

SIDES = {"default": "Slurm's defaults", "yours": "your settings"}
HOUR = 3600


@lru_cache(maxsize=1)
def workload() -> Workload:
    """Return the first jobs of the teaching log; times in seconds."""
    return load("teaching")[:JOBS]


@lru_cache(maxsize=32)
def schedule(**knobs: int) -> Schedule:
    """Schedule the jobs with the knobs as given, the others at their defaults."""
    return simulate(workload(), Slurm(**knobs))  # type: ignore[arg-type]


def compute(params: Params) -> Data:
    """Compare the knobs as they stand with Slurm's defaults."""
    knobs = {name: int(value) for name, value in params.items()}
    both = {"default": schedule(**DEFAULTS), "yours": schedule(**knobs)}
    numbers: list[Row] = []
    waits: list[Row] = []
    for side, made in both.items():
        numbers += _measure(made, SIDES[side])
        waits += [
            {
                "order": order, "nodes": row["nodes"], "side": side, "what": what,
                "hours": row[f"{what}_wait"] / HOUR,
            }
            for order, row in enumerate(metrics.by_size(made))
            for what in ("mean", "max")
        ]  # fmt: skip
    return {"waits": waits, "readout": numbers, "key": _key()}


def _key() -> list[Row]:
    return [
        {"role": "job-edge", "label": SIDES["default"]},
        {"role": "accent", "label": SIDES["yours"]},
    ]


def _measure(made: Schedule, of: str) -> list[Row]:
    summary = made.summary()
    return [
        readout("Mean wait", summary["mean_wait"] / HOUR, "h", digits=1, of=of),
        readout("Longest wait", summary["max_wait"] / HOUR, "h", digits=1, of=of),
        readout("Mean bounded slowdown", summary["mean_bounded_slowdown"], digits=1, of=of),
        readout("Utilization", 100 * summary["utilization"], "%", digits=1, of=of),
        readout("Backfilled", summary["backfilled"], "jobs", of=of),
    ]


def chart() -> Any:
    """Draw the mean and the longest wait of each size class, for both settings."""
    import altair as alt

    colours = alt.Scale(
        domain=list(SIDES), range=[palette.variable("job-edge"), palette.variable("accent")]
    )

    def bars(what: str, title: str) -> Any:
        return (
            alt.Chart(alt.NamedData("waits"))
            .transform_filter(alt.datum.what == what)
            .mark_bar()
            .encode(
                x=alt.X(
                    "nodes:N",
                    sort=alt.SortField("order"),
                    title="nodes of the job",
                    axis=alt.Axis(labelAngle=0),
                ),
                xOffset=alt.XOffset("side:N", sort=list(SIDES)),
                y=alt.Y("hours:Q", title=title, axis=alt.Axis(tickCount=4, minExtent=30)),
                color=alt.Color("side:N", scale=colours, legend=None),
                tooltip=[alt.Tooltip("nodes:N"), alt.Tooltip("hours:Q", format=".1f")],
            )
            .properties(width=640, height=110)
        )

    return alt.vconcat(
        bars("mean", "mean wait (h)"), bars("max", "longest wait (h)"), spacing=14
    ).resolve_scale(y="independent")


FIGURE = LiveFigure(
    name="slurm",
    title="Five knobs of sched/backfill, against their defaults",
    controls=[
        Slider(
            name=name, label=name, min=least, max=most, step=step, unit=unit, default=DEFAULTS[name]
        )
        for name, (least, most, step, unit) in KNOBS.items()
    ],
    compute=compute,
    chart=chart,
    caption=(
        "The first 300 jobs of the teaching log on 128 nodes, under a model of Slurm's main and "
        "backfill schedulers. Grey bars are the defaults, blue ones your settings, by width of the "
        "job: above the mean wait, below the longest. A bf_max_job_user of 0 means no limit."
    ),
    alt=(
        "Two bar charts of waits by job width, the mean and the longest, with two bars for each "
        "width: Slurm's defaults and the reader's settings. They are equal until a knob is moved."
    ),
)
