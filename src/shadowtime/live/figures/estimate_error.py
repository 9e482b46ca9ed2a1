"""Estimate error: the same jobs, claimed too long or too short."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from shadowtime import estimates
from shadowtime.engine import Overrun, simulate
from shadowtime.live import gantt
from shadowtime.live.controls import Choice, Params, Slider
from shadowtime.live.livefigure import Data, LiveFigure, Row, readout
from shadowtime.palette import POLICIES, variable
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, Seconds, Workload

if TYPE_CHECKING:
    import altair as alt

NODES = 8
TAU = 10
JOBS = (
    (0, 5, 20, 0.1), (15, 3, 60, -1.0), (20, 6, 30, -1.8), (40, 2, 20, -0.4),
    (60, 1, 10, 0.5), (65, 1, 60, -0.7), (65, 2, 30, -0.2), (80, 5, 10, 0.3),
    (95, 6, 60, 0.4), (95, 6, 50, 1.0), (110, 4, 15, -0.2), (110, 1, 20, -0.2),
    (110, 6, 10, 0.4), (110, 5, 50, -0.5), (115, 2, 20, -0.6), (130, 6, 10, 1.3),
)  # fmt: skip
"""Submit, nodes and runtime of jobs 1 to 16 in minutes, and the error that noise multiplies.

The jobs were chosen, among random ones, to show on one screen what logs show on average."""

INFLATION = Slider(
    name="inflation", label="Claims, times the runtime", min=0.5, max=4, step=0.25, default=1,
    unit="x",
)  # fmt: skip
SWEEP = [INFLATION.min + INFLATION.step * step for step in range(15)]
"""All places of the slider: the curves show each of them."""

CAPS = {
    "none": "none",
    "limit": "at 60 min",
    "mean": "at 2 x mean",
}
LIMIT, TIMES_MEAN = 60, 2
UNTIL = 480


def workload(inflation: float, noise: float, cap: str, policy: str) -> Workload:
    """Return the jobs with their claims.

    Parameters
    ----------
    inflation : float
        Claim over runtime, without noise.
    noise : float
        With 1, a claim that is off by one standard deviation is off by a factor of 2.
    cap : str
        A key of `CAPS`. The observed mean is that of the jobs which, in the schedule without a
        cap, have ended when a job is submitted.
    policy : str
        Makes that schedule.

    Returns
    -------
    Workload
        Times in minutes; claims in whole minutes, at least 1.
    """
    jobs = Workload.from_jobs(
        [
            Job(number, submit, nodes, max(1, round(run * inflation * 2 ** (noise * error))), run)
            for number, (submit, nodes, run, error) in enumerate(JOBS, start=1)
        ],
        machine_nodes=NODES,
    )
    if cap == "limit":
        return estimates.cap(jobs, limit=LIMIT)
    if cap == "mean":
        ends = list(simulate(jobs, policy).end)
        return estimates.cap(jobs, multiple_of_mean=TIMES_MEAN, of="all", ends=ends)
    return jobs


@lru_cache(maxsize=400)
def schedule(inflation: float, noise: float, cap: str, overrun: Overrun, policy: str) -> Schedule:
    """Schedule the jobs; a reader who moves one slider back and forth asks for the same again."""
    return simulate(workload(inflation, noise, cap, policy), policy, overrun=overrun)


def compute(params: Params) -> Data:
    """Schedule the jobs as they are claimed, and measure at every inflation."""
    policy, overrun = str(params["policy"]), str(params["overrun"])
    here = float(params["inflation"])
    rest: Any = (float(params["noise"]), str(params["cap"]), overrun, policy)
    shown = schedule(here, *rest)
    curve = [_point(inflation, schedule(inflation, *rest)) for inflation in SWEEP]
    keys = {"turn": "started in its turn"}
    if policy != "fcfs":
        keys[policy] = "backfilled"
    keys["idle"] = "lost: the job is killed" if overrun == "kill" else "past its claim"
    return {
        "gantt": gantt.job_rows(shown) + _trouble(shown),
        "curve": curve,
        "here": [_point(here, shown)],
        "readout": _measure(shown),
        "key": gantt.key(keys),
    }


def _trouble(shown: Schedule) -> list[Row]:
    """Hatch the whole box of a job that is killed, and what lies past its claim otherwise."""
    rows = []
    for box in gantt.job_rows(shown):
        row = shown.workload.row(int(box["job"][1:]))
        claimed = shown.start[row] + shown.workload.estimate[row]
        if shown.killed[row] or claimed < box["end"]:
            begin = box["start"] if shown.killed[row] else claimed
            rows.append(box | {"kind": "trouble", "start": begin})
    return rows


def lateness(shown: Schedule) -> list[Seconds]:
    """Return how much later each job started than it was first promised, if it was promised."""
    return [
        max(0, start - promise)
        for start, promise in zip(shown.start, shown.first_reservation, strict=True)
        if promise is not None
    ]


def _lost(shown: Schedule) -> Seconds:
    rows = range(len(shown.workload))
    return sum(
        shown.workload.nodes[row] * (shown.end[row] - shown.start[row])
        for row in rows
        if shown.killed[row]
    )


def _point(inflation: float, shown: Schedule) -> Row:
    return {
        "inflation": inflation,
        "wait": sum(shown.wait()) / len(shown.workload),
        "policy": shown.policy,
        "killed": sum(shown.killed),
        "broken": sum(late > 0 for late in lateness(shown)),
    }


def _measure(shown: Schedule) -> list[Row]:
    summary = shown.summary(TAU)
    late = lateness(shown)
    return [
        readout("Mean wait", summary["mean_wait"], "min", digits=1),
        readout("Mean bounded slowdown", summary["mean_bounded_slowdown"], digits=2),
        readout("Jobs killed", summary["killed"]),
        readout("Work lost", _lost(shown), "node-min"),
        readout("Promises broken", sum(each > 0 for each in late)),
        readout("Latest by", max(late, default=0), "min"),
    ]


def chart() -> alt.VConcatChart:
    """Draw the schedule, and below it mean wait and trouble against inflation."""
    import altair as alt

    boxes = gantt.chart(nodes=NODES, until=UNTIL, scale="concat_0_x")
    hatched = (
        alt.Chart(alt.NamedData("gantt"))
        .transform_filter(alt.datum.kind == "trouble")
        .mark_rect(fill="url(#st-hatch)", tooltip=None)
        .encode(
            x=alt.X("start:Q", scale=alt.Scale(domain=[0, UNTIL])),
            x2="end:Q",
            y=alt.Y("first:Q", scale=alt.Scale(domain=[0, NODES])),
            y2="top:Q",
        )
    )
    return alt.vconcat(
        alt.layer(boxes, hatched).properties(width=640, height=176), _wait(), _trouble_curves(),
        spacing=18,
    )  # fmt: skip


def _across(*, title: bool = False) -> Any:
    import altair as alt

    return alt.X(
        "inflation:Q",
        title="claim, times the runtime" if title else None,
        scale=alt.Scale(domain=[SWEEP[0], SWEEP[-1]], nice=False),
        axis=alt.Axis(values=[0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4], format="~r"),
    )


def _here(*, title: bool = False) -> Any:
    """Mark where the slider stands."""
    import altair as alt

    return (
        alt.Chart(alt.NamedData("here"))
        .mark_rule(color=variable("muted"), strokeDash=[2, 3])
        .encode(x=_across(title=title))
    )


def _wait() -> Any:
    import altair as alt

    colour = alt.Color(
        "policy:N",
        scale=alt.Scale(
            domain=list(POLICIES["light"]), range=list(map(variable, POLICIES["light"]))
        ),
        legend=None,
    )
    y = alt.Y(
        "wait:Q",
        title="mean wait (min)",
        scale=alt.Scale(domain=[0, 100]),
        axis=alt.Axis(minExtent=24, values=[0, 50, 100]),
    )
    tips = [
        alt.Tooltip("inflation:Q", title="claim, times the runtime"),
        alt.Tooltip("wait:Q", title="mean wait (min)", format=".1f"),
    ]
    line = alt.Chart(alt.NamedData("curve")).encode(x=_across(), y=y, color=colour, tooltip=tips)
    dot = alt.Chart(alt.NamedData("here")).encode(x=_across(), y=y, color=colour)
    layers = (_here(), line.mark_line(), line.mark_point(size=24), dot.mark_point(size=120))
    return alt.layer(*layers).properties(width=640, height=96)


def _trouble_curves() -> Any:
    import altair as alt

    curves: list[Any] = []
    for place, (field, colour, dash, title) in enumerate(
        (
            ("killed", "idle", [1, 0], "killed"),
            ("broken", "ink", [5, 3], "promise broken (dashed)"),
        )
    ):
        data = alt.Chart(alt.NamedData("curve"))
        y = alt.Y(
            f"{field}:Q",
            title="jobs",
            scale=alt.Scale(domain=[0, len(JOBS)]),
            axis=alt.Axis(minExtent=24, values=[0, 8, 16]),
        )
        curves += [
            data.mark_line(color=variable(colour), strokeDash=dash, interpolate="step").encode(
                x=_across(title=True), y=y
            ),
            alt.Chart(alt.NamedData("here"))
            .mark_point(size=90, color=variable(colour))
            .encode(
                x=_across(title=True),
                y=y,
                tooltip=[alt.Tooltip(f"{field}:Q", title=f"jobs: {title}")],
            ),
            alt.Chart(alt.NamedData("here"))
            .mark_text(align="right", fontSize=12, fontWeight=600, color=variable(colour))
            .encode(x=alt.value("width"), y=alt.value(10 + 16 * place), text=alt.value(title)),
        ]
    return alt.layer(_here(title=True), *curves).properties(width=640, height=72)


FIGURE = LiveFigure(
    name="estimate-error",
    title="What a claim does: to the wait, to the job, to the promises",
    controls=[
        INFLATION,
        Slider(name="noise", label="Noise", min=0, max=2, step=0.25, default=0, unit="doublings"),
        Choice(name="cap", label="Cap", options=CAPS, default="none"),
        Choice(
            name="overrun",
            label="Past its claim a job",
            options={"kill": "is killed", "extend": "runs on"},
            default="kill",
        ),
        Choice(
            name="policy",
            label="Policy",
            options={
                "easy": "EASY",
                "easy-sjbf": "Shortest first",
                "conservative": "Conservative",
                "fcfs": "FCFS",
            },
            default="easy",
        ),
    ],
    compute=compute,
    chart=chart,
    caption=(
        "Sixteen jobs on eight nodes. Every job claims its runtime times the same factor; noise "
        "moves each claim up or down by a factor of its own. Below the schedule: the mean wait at "
        "every factor, and how many jobs are killed (red) or start later than they were first "
        "promised (dashed). The large dots are where the slider stands."
    ),
    alt=(
        "Gantt chart of sixteen jobs on eight nodes under EASY with exact claims. Below it the "
        "mean wait against the claim: low where jobs are killed, 56 minutes at exact claims, 47 "
        "at 1.25 and 1.5 times the runtime, 50 beyond. All sixteen jobs are killed below 1, none "
        "above."
    ),
)
