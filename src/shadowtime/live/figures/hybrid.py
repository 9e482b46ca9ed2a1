"""Hybrid routing: which jobs to plan as requested, and what the machine makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from shadowtime.errors import InputError
from shadowtime.live.controls import Choice, Control, Params, Slider
from shadowtime.live.livefigure import Data, LiveFigure
from shadowtime.live.routing import Routing, role
from shadowtime.palette import variable
from shadowtime.partitions import partitions
from shadowtime.prediction import teaching
from shadowtime.workload import Seconds, Workload

if TYPE_CHECKING:
    import altair as alt

    from shadowtime.prediction import Predictions

SHOWN = "long/1"
"""The partition of the teaching log in the book: jobs of the other queue hardly wait."""

EXTENT = 38


def routings(
    workload: Workload,
    planned: Mapping[str, Sequence[Seconds]],
    model: str,
    by: Sequence[str] = ("queue", "year"),
) -> dict[str, Routing]:
    """Return each partition's replays by its name, of the jobs that every predictor knows."""
    valid = [
        row for row in range(len(workload)) if all(column[row] > 0 for column in planned.values())
    ]
    if not valid:
        raise InputError("there is no job for which every predictor has a prediction")
    known = workload.select(valid)
    made = {}
    for part in partitions(known, by):
        rows = [valid[row] for row in part.rows]
        own = workload.select(rows)
        own.name = ", ".join([workload.name or "the log", *map("{} {}".format, by, part.key)])
        request, said = ([planned[name][row] for row in rows] for name in ("request", model))
        made[part.name] = Routing(own, request, said, model)
    return made


@lru_cache(maxsize=1)
def _shipped() -> Routing:
    return routings(*teaching.load(), "xgboost")[SHOWN]


def compute(params: Params) -> Data:
    """Replay the teaching log's predictions; this is what a browser calls."""
    return _shipped().compute(params)


def chart(model: str = "xgboost") -> alt.VConcatChart:
    """Draw wait and backfilled jobs against the percentile, and where the routed jobs lie."""
    import altair as alt

    colour = alt.Color(
        "plan:N",
        scale=alt.Scale(
            domain=["request", "hybrid", "model"],
            range=[variable(each) for each in ("request", "hybrid", role(model))],
        ),
        legend=None,
    )

    def across(*, last: bool) -> Any:
        return alt.X(
            "percentile:Q",
            title="routing percentile" if last else None,
            scale=alt.Scale(domain=[0, 100], nice=False),
            axis=alt.Axis(tickCount=10, labels=last),
        )

    def panel(field: str, title: str, *, zero: bool, last: bool = False) -> Any:
        x = across(last=last)
        y = alt.Y(
            f"{field}:Q",
            title=title,
            scale=alt.Scale(zero=zero),
            axis=alt.Axis(tickCount=4, minExtent=EXTENT),
        )
        tips = [
            alt.Tooltip("percentile:Q"),
            alt.Tooltip("wait:Q", title="mean wait (h)", format=".1f"),
            alt.Tooltip("backfilled:Q", title="backfilled jobs", format=","),
        ]
        curve = alt.Chart(alt.NamedData("curve")).encode(x=x, y=y, tooltip=tips)
        here = alt.Chart(alt.NamedData("here")).encode(x=x)
        base = alt.Chart(alt.NamedData("model")).mark_rule(
            color=variable(role(model)), strokeDash=[5, 3]
        )
        return alt.layer(
            here.mark_rule(color=variable("muted"), strokeDash=[2, 3]),
            base.encode(y=y),
            curve.mark_line(color=variable("hybrid"), strokeWidth=1.5),
            curve.mark_point(size=50, opacity=1).encode(color=colour),
            here.mark_point(size=150, opacity=1, color=variable("hybrid")).encode(
                y=y, tooltip=tips
            ),
        ).properties(width=640, height=120)

    bars = (
        alt.Chart(alt.NamedData("routed"))
        .mark_rect(stroke=variable("paper"), color=variable("request"))
        .encode(
            x=alt.X(
                "from:Q",
                title="jobs by node-time, least first (%)",
                scale=alt.Scale(domain=[0, 100], nice=False),
                axis=alt.Axis(tickCount=10),
            ),
            x2="to:Q",
            y=alt.Y(
                "share:Q",
                title="as requested (%)",
                scale=alt.Scale(domain=[0, 100]),
                axis=alt.Axis(values=[0, 50, 100], minExtent=EXTENT),
            ),
            y2=alt.datum(0),
            tooltip=[alt.Tooltip("share:Q", title="planned as requested (%)", format=".1f")],
        )
        .properties(width=640, height=90)
    )
    return alt.vconcat(
        panel("wait", "mean wait (h)", zero=True),
        panel("backfilled", "backfilled jobs", zero=False, last=True),
        bars,
        spacing=14,
    )


CONTROLS: list[Control] = [
    Slider(name="percentile", label="Routing percentile", min=0, max=100, step=5, default=90),
    Slider(name="load", label="Load", min=0.7, max=1.3, step=0.1, default=1, unit="× the log's"),
    Choice(
        name="correction",
        label="A prediction that has run out",
        options={
            "none": "stays",
            "increments": "grows",
            "doubling": "doubles",
            "request": "= request",
        },
        default="none",
    ),
]


class Partitioned:
    """The replays of several partitions, of which a control chooses one."""

    def __init__(self, parts: Mapping[str, Routing]) -> None:
        self.parts = parts

    def compute(self, params: Params) -> Data:
        """Replay the partition that is chosen, the first where there is no choice."""
        first = next(iter(self.parts))
        return self.parts[str(params.get("partition", first))].compute(params)


def for_predictions(predictions: Predictions) -> LiveFigure:
    """Return the figure for predictions of one's own, to be displayed in a notebook.

    Parameters
    ----------
    predictions : Predictions
        Of ``"request"`` and a model: ``"xgboost"``, or else the last one.

    Returns
    -------
    LiveFigure
        With a choice among the log's queues and years, where there are several.

    Raises
    ------
    InputError
        If there are no predictions of ``"request"`` or none of a model.
    """
    names = [name for name in predictions.planned if name != "request"]
    if len(names) in (0, len(predictions.planned)):
        raise InputError(
            f"there are predictions of {', '.join(predictions.planned)}; hybrid routing needs "
            "'request' and a model"
        )
    model = "xgboost" if "xgboost" in names else names[-1]
    parts = routings(
        predictions.workload.select(predictions.row.tolist()),
        {name: column.tolist() for name, column in predictions.planned.items()},
        model,
    )
    controls = list(CONTROLS)
    if len(parts) > 1:
        longest = max(parts, key=lambda name: len(parts[name].workload))
        options = {name: name for name in parts}
        controls.append(
            Choice(name="partition", label="Queue and year", options=options, default=longest)
        )
    return LiveFigure(
        name="hybrid",
        title=TITLE,
        controls=controls,
        compute=Partitioned(parts).compute,
        chart=partial(chart, model),
        caption=CAPTION,
        alt="Mean wait and backfilled jobs against the routing percentile, and the routed jobs.",
    )


TITLE = "Plan large jobs as requested? The wait at every percentile"

CAPTION = (
    "Jobs that ask for more node-time than the percentile are planned as requested, all others as "
    "predicted: at 0 every job takes its request, at 100 every job its prediction (dashed). Each "
    "dot is an EASY replay of the same jobs; the large ones stand where the slider does. Bars: how "
    "many were routed among the jobs that used least, and so on to those that used most. A "
    "prediction that has run out can stay, so that the job counts as ending now; grow by a minute, "
    "then by five, then by more; double; or give way to the request. Neighbouring dots differ by "
    "chance as well as by rule: change the load before you believe one of them."
)

FIGURE = LiveFigure(
    name="hybrid",
    title=TITLE,
    controls=CONTROLS,
    compute=compute,
    chart=chart,
    caption=CAPTION,
    alt=(
        "Three charts of 1,244 jobs of the teaching log. The mean wait rises with the routing "
        "percentile, not evenly: 34 hours where every job takes its request, 63 at percentile 90, "
        "69 where every job takes its prediction. Backfilled jobs go from 831 to 915. Six in ten "
        "of the tenth of jobs that used most take their request, and few of the others."
    ),
)
