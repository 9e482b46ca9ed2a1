"""Accuracy: which predictor is best depends on how much a large job counts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from shadowtime.live.controls import Choice, Control, Params, Slider
from shadowtime.live.livefigure import Data, LiveFigure
from shadowtime.live.scores import LEAST, Scores, colours
from shadowtime.palette import variable
from shadowtime.prediction import teaching

if TYPE_CHECKING:
    import altair as alt

    from shadowtime.prediction import Predictions

EXTENT = 34
"""Room for the labels of all y axes, so that the panels stand in line."""


@lru_cache(maxsize=1)
def _shipped() -> Scores:
    return Scores(*teaching.load())


def compute(params: Params) -> Data:
    """Score the predictions of the teaching log; this is what a browser calls."""
    return _shipped().compute(params)


def chart(predictors: Sequence[str] = ("request", "last2", "xgboost")) -> alt.VConcatChart:
    """Draw scores against the exponent; below, weight, scores and UnderRate by decile."""
    import altair as alt

    own = colours(predictors)
    colour = alt.Color(
        "predictor:N",
        scale=alt.Scale(domain=list(own), range=[variable(each) for each in own.values()]),
        legend=None,
    )
    shape = alt.Shape("predictor:N", scale=alt.Scale(domain=list(own)), legend=None)

    def tips(*more: Any) -> list[Any]:
        return [alt.Tooltip("predictor:N"), *more]

    def score(title: str) -> Any:
        return alt.Y(
            "score:Q",
            title=title,
            scale=alt.Scale(domainMin=0),
            axis=alt.Axis(tickCount=4, minExtent=EXTENT, format=".1f"),
        )

    exponent = alt.X(
        "exponent:Q",
        title="weight exponent (0: jobs, 1: node-time)",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1], format=".1f"),
    )
    curve = alt.Chart(alt.NamedData("curve")).encode(
        x=exponent, y=score("accuracy, all jobs"), color=colour
    )
    here = alt.Chart(alt.NamedData("here")).encode(x=exponent)
    dots = here.mark_point(size=110, opacity=1).encode(
        y=score("accuracy, all jobs"), color=colour, shape=shape,
        tooltip=tips(alt.Tooltip("score:Q", format=".3f")),
    )  # fmt: skip
    rule = here.mark_rule(color=variable("muted"), strokeDash=[2, 3])

    def across(field: str, *, last: bool = False) -> Any:
        return alt.X(
            f"{field}:Q",
            title="jobs by node-time, least first (%)" if last else None,
            scale=alt.Scale(domain=[0, 100], nice=False),
            axis=alt.Axis(tickCount=10, labels=last),
        )

    def panel(*layers: Any, height: int, last: bool = False) -> Any:
        tail = (
            alt.Chart(alt.NamedData("tail"))
            .mark_rect(color=variable("grid"), tooltip=None)
            .encode(x=across("from", last=last), x2="to:Q")
        )
        return alt.layer(tail, *layers).properties(width=640, height=height)

    def percent(field: str, title: str) -> Any:
        axis = alt.Axis(values=[0, 50, 100], minExtent=EXTENT)
        return alt.Y(f"{field}:Q", title=title, scale=alt.Scale(domain=[0, 100]), axis=axis)

    bars = (
        alt.Chart(alt.NamedData("weights"))
        .mark_rect(color=variable("job-edge"), stroke=variable("paper"))
        .encode(
            x=across("from"),
            x2="to:Q",
            y=percent("weight", "weight (%)"),
            y2=alt.datum(0),
            tooltip=[alt.Tooltip("weight:Q", title="share of the weight (%)", format=".1f")],
        )
    )

    def deciles(y: Any, tip: Any, *, last: bool = False) -> tuple[Any, Any]:
        base = alt.Chart(alt.NamedData("deciles")).encode(
            x=across("middle", last=last), y=y, color=colour, tooltip=tips("decile:O", tip)
        )
        return base.mark_line(), base.mark_point(size=45, opacity=1).encode(shape=shape)

    scores = deciles(score("accuracy"), alt.Tooltip("score:Q", title="accuracy", format=".3f"))
    tip = alt.Tooltip("under:Q", title="UnderRate (%)", format=".1f")
    under = deciles(percent("under", "UnderRate (%)"), tip, last=True)
    return alt.vconcat(
        alt.layer(rule, curve.mark_line(), dots).properties(width=640, height=160),
        panel(bars, height=64),
        panel(*scores, height=110),
        panel(*under, height=76, last=True),
        spacing=12,
    )


CONTROLS: list[Control] = [
    Slider(
        name="exponent", label="Weight exponent", min=0, max=1, step=0.05, default=0,
    ),
    Slider(
        name="percentile", label="The tail begins at percentile", min=50, max=99, default=90,
    ),
    Choice(
        name="mean",
        label="Mean",
        options={"geometric": "geometric", "arithmetic": "arithmetic"},
        default="geometric",
    ),
    Choice(
        name="invalid",
        label="A prediction of 0 s or less",
        options={"floor": f"counts as {LEAST} s", "drop": "leaves the job out"},
        default="floor",
    ),
]  # fmt: skip


def for_predictions(predictions: Predictions) -> LiveFigure:
    """Return the figure for predictions of one's own, to be displayed in a notebook.

    Parameters
    ----------
    predictions : Predictions
        Of any predictors, as :func:`shadowtime.prediction.evaluate` returns them.

    Returns
    -------
    LiveFigure
    """
    scores = Scores(
        predictions.workload.select(predictions.row.tolist()),
        {name: column.tolist() for name, column in predictions.planned.items()},
    )
    return LiveFigure(
        name="accuracy",
        title=TITLE,
        controls=CONTROLS,
        compute=scores.compute,
        chart=partial(chart, predictions.predictors),
        caption=CAPTION,
        alt="Accuracy of each predictor against the weight exponent, and by decile of node-time.",
    )


TITLE = "Who predicts best depends on how much a large job counts"

CAPTION = (
    "Top: the mean accuracy of each predictor when a job weighs its node-time to the power of the "
    "exponent: 0 counts jobs, 1 counts node-seconds; large dots stand where the slider does. "
    "Below, the jobs in tenths from those that used least to those that used most: what share of "
    "the weight each tenth carries, how accurate each predictor is there, and its UnderRate, the "
    "share of jobs that ran longer than planned. The tail is shaded. With the arithmetic mean, 0 "
    "is A_mean; with the geometric mean, 1 is A_geo."
)

FIGURE = LiveFigure(
    name="accuracy",
    title=TITLE,
    controls=CONTROLS,
    compute=compute,
    chart=chart,
    caption=CAPTION,
    alt=(
        "Four charts of three predictors on the teaching log. Accuracy against the exponent: "
        "XGBoost leads from 0 on, the user's request passes it between 0.7 and 0.8, the last two "
        "stays lowest. By tenth of node-time: at exponent 0 every tenth weighs the same; accuracy "
        "rises with node-time for request and XGBoost; no job runs longer than requested, while "
        "XGBoost and the last two plan most large jobs too short."
    ),
)
