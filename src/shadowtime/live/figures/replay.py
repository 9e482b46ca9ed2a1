"""The replay laboratory: a log, a load, two policies."""

from __future__ import annotations

from collections import OrderedDict
from copy import copy
from functools import lru_cache
from operator import mul
from typing import TYPE_CHECKING, Any

from shadowtime import palette, policies, traces
from shadowtime.engine import simulate
from shadowtime.live import courses, progress
from shadowtime.live.controls import Choice, Control, File, Params, Slider
from shadowtime.live.livefigure import Data, LiveFigure, Row, readout
from shadowtime.schedule import Schedule
from shadowtime.workload import Workload

if TYPE_CHECKING:
    import altair as alt

HOUR, DAY = 3600, 86400
POLICIES = ("fcfs", "conservative", "easy", "easy-sjbf", "first-fit")
JOBS = {"1000": "1,000", "2000": "2,000", "5000": "5,000", "20000": "20,000", "all": "all"}
BUCKETS = 150
LARGE = 20_000
"""Jobs from which on numpy is worth loading, as for the engine."""

KEPT = 8
"""Schedules that are remembered: going back to a setting costs nothing."""


class Replays:
    """A workload, and the schedules made of it so far.

    Parameters
    ----------
    workload : Workload
        Times in seconds. Where it does not state the machine's size, the widest job does.
    """

    def __init__(self, workload: Workload) -> None:
        self.notes = str(workload.report).splitlines()
        self.workload = copy(workload)
        # What does not enter a schedule need not be copied with every change of the load.
        self.workload.extra = {}
        if workload.machine_nodes is None and len(workload):
            self.workload.machine_nodes = max(workload.nodes)
            self.notes.append(
                "the log does not state the size of the machine: the widest job stands for it, "
                f"{self.workload.machine_nodes} nodes"
            )
        self._parts: dict[int, Workload] = {}
        self._offered: dict[int, float | None] = {}
        self._scaled: tuple[tuple[int, float], Workload] = ((-1, 1.0), self.workload)
        self._made: OrderedDict[tuple[int, float, str], Results] = OrderedDict()

    def part(self, jobs: str) -> Workload:
        """Return the first so many jobs."""
        count = len(self.workload) if jobs == "all" else min(int(jobs), len(self.workload))
        if count not in self._parts:
            whole = count == len(self.workload)
            self._parts[count] = self.workload if whole else self.workload[:count]
        return self._parts[count]

    def offered(self, jobs: str) -> float | None:
        """Return the work of a part over what the machine can do while its jobs arrive."""
        part = self.part(jobs)
        if len(part) not in self._offered:
            room = (part.submit[-1] - part.submit[0]) * (part.machine_nodes or 0)
            work = sum(map(mul, part.nodes, part.runtime))
            self._offered[len(part)] = work / room if room else None
        return self._offered[len(part)]

    def results(self, jobs: str, load: float, policy: str) -> Results:
        """Return what comes of a policy, simulating only what has not been simulated."""
        part = self.part(jobs)
        key = (len(part), load, policy)
        if key not in self._made:
            if self._scaled[0] != key[:2]:
                self._scaled = key[:2], scaled(part, load)
            self._made[key] = Results(self._scaled[1], policy)
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        return self._made[key]

    def compute(self, params: Params) -> Data:
        """Compare the two policies that the controls name."""
        jobs, load = str(params.get("jobs", "all")), float(params["load"])
        names = list(dict.fromkeys((str(params["first"]), str(params["second"]))))
        made = [self.results(jobs, load, name) for name in names]
        part = self.part(jobs)
        facts = [*self.notes, f"replayed: {len(part):,} jobs on {part.machine_nodes} nodes"]
        if offered := self.offered(jobs):
            facts[-1] += f", offered load {load * offered:.2f}"
        return {
            "waits": [row for each in made for row in each.waits],
            "courses": [row for each in made for row in each.courses],
            "readout": [row for each in made for row in each.numbers],
            "key": [{"role": name, "label": palette.NAMES[name]} for name in names],
            "story": [{"of": "The log", "text": fact} for fact in facts],
        }


class Results:
    """What the figure shows of one schedule.

    Parameters
    ----------
    workload : Workload
    policy : str
    """

    def __init__(self, workload: Workload, policy: str) -> None:
        schedule = _simulate(workload, policy)
        self.numbers = _measure(schedule)
        self.waits: list[Row] = [
            {
                "policy": policy, "order": high, "jobs": count, "hours": mean / HOUR,
                "nodes": f"{low}-{high}" if low < high else f"{high}",
            }
            for (low, high), (mean, count) in courses.waits_by_size(schedule).items()
        ]  # fmt: skip
        rows = courses.buckets(schedule, BUCKETS)
        self.courses: list[Row] = [
            {
                "policy": policy,
                "day": round(((row["from"] + row["to"]) / 2 - rows[0]["from"]) / DAY, 4),
                "busy": round(100 * row["busy_mean"] / schedule.nodes, 2),
                "queued": round(row["queued_mean"], 2),
                "most": row["queued_max"],
            }
            for row in rows
        ]


def scaled(workload: Workload, load: float) -> Workload:
    """Return ``workload.scale_load(load)``, for a long log without checking it again."""
    if len(workload) < LARGE or not _whole(workload):
        return workload.scale_load(load)
    try:
        import numpy as np
    except ImportError:
        return workload.scale_load(load)
    submit = np.asarray(workload.submit)
    same = copy(workload)
    same.submit = submit[0] + np.rint((submit - submit[0]) / load).astype(np.int64)
    return same


def _whole(workload: Workload) -> bool:
    return getattr(workload.submit, "typecode", "") == "q"


def _simulate(workload: Workload, policy: str) -> Schedule:
    if not progress.heard():
        return simulate(workload, policy)
    name = palette.NAMES[policy]
    return simulate(workload, progress.Told(policies.by_name(policy), name, len(workload)))


def _measure(schedule: Schedule) -> list[Row]:
    summary, of = schedule.summary(), schedule.policy
    return [
        readout("Mean wait", summary["mean_wait"] / HOUR, "h", digits=1, of=of),
        readout("Median wait", summary["median_wait"] / HOUR, "h", digits=1, of=of),
        readout("Longest wait", summary["max_wait"] / HOUR, "h", digits=1, of=of),
        readout("Mean bounded slowdown", summary["mean_bounded_slowdown"], digits=1, of=of),
        readout("Utilization", 100 * summary["utilization"], "%", digits=1, of=of),
        readout("Backfilled", summary["backfilled"], "jobs", of=of),
    ]


@lru_cache(maxsize=2)
def _log(path: str) -> Replays:
    """Read the reader's log, or the teaching log where there is none."""
    if not path:
        return Replays(traces.load("teaching"))
    return Replays(traces.read(path, clean=True, missing_estimate="runtime"))


def compute(params: Params) -> Data:
    """Replay the log that is chosen; this is what a browser calls."""
    return _log(str(params["log"])).compute(params)


def chart() -> alt.VConcatChart:
    """Draw waits by size class, utilization and queue over time."""
    import altair as alt

    colour = alt.Color(
        "policy:N",
        scale=alt.Scale(
            domain=list(POLICIES), range=[palette.variable(policy) for policy in POLICIES]
        ),
        legend=None,
    )
    waits = (
        alt.Chart(alt.NamedData("waits"))
        .mark_bar()
        .encode(
            x=alt.X(
                "nodes:N",
                sort=alt.SortField("order"),
                title="nodes of the job",
                # Eight classes stand side by side on a phone.
                axis=alt.Axis(labelAngle=0, labelFontSize=10),
            ),
            xOffset=alt.XOffset("policy:N", sort=list(POLICIES)),
            y=alt.Y("hours:Q", title="mean wait (h)", axis=alt.Axis(tickCount=4, minExtent=38)),
            color=colour,
            tooltip=[
                alt.Tooltip("policy:N"),
                alt.Tooltip("nodes:N"),
                alt.Tooltip("jobs:Q", format=","),
                alt.Tooltip("hours:Q", format=",.1f", title="mean wait (h)"),
            ],
        )
        .properties(width=640, height=130)
    )
    time = alt.Chart(alt.NamedData("courses")).encode(
        x=alt.X("day:Q", title="days", axis=alt.Axis(tickCount=8), scale=alt.Scale(nice=False)),
        color=colour,
    )

    def course(field: str, title: str) -> Any:
        axis = alt.Axis(tickCount=4, minExtent=38)
        return time.mark_line(strokeWidth=1.5, interpolate="step").encode(
            y=alt.Y(f"{field}:Q", title=title, axis=axis)
        )

    most = time.mark_area(opacity=0.18, interpolate="step").encode(
        y=alt.Y("most:Q", stack=None), y2="queued:Q", fill=colour
    )
    return alt.vconcat(
        waits,
        course("busy", "busy nodes (%)").properties(width=640, height=90),
        alt.layer(most, course("queued", "jobs waiting")).properties(width=640, height=110),
        spacing=14,
    )


OPTIONS = {policy: palette.NAMES[policy] for policy in POLICIES}
CONTROLS: list[Control] = [
    File(name="log", label="A log of your own (SWF)", accept=".swf,.gz,.txt"),
    Choice(name="jobs", label="Jobs, at most", options=JOBS, default="2000"),
    Slider(name="load", label="Load", min=0.5, max=1.5, step=0.05, default=1, unit="× the log's"),
    Choice(name="first", label="Policy", options=OPTIONS, default="fcfs"),
    Choice(name="second", label="against", options=OPTIONS, default="easy"),
]


def for_workload(workload: Workload) -> LiveFigure:
    """Return the figure for a workload of one's own, to be displayed in a notebook.

    Parameters
    ----------
    workload : Workload
        Times in seconds.

    Returns
    -------
    LiveFigure
        Without the choice of a file; all jobs are replayed unless another number is chosen.
    """
    replays = Replays(workload)
    controls = [
        Choice(name="jobs", label="Jobs, at most", options=JOBS, default="all")
        if control.name == "jobs"
        else control
        for control in CONTROLS
        if control.name != "log"
    ]
    return LiveFigure(
        name="replay",
        title=f"{workload.name or 'Your workload'} under two policies",
        controls=controls,
        compute=replays.compute,
        chart=chart,
        caption=CAPTION,
        alt="Mean waits by width of the job, busy nodes and jobs waiting over time.",
    )


CAPTION = (
    "From top to bottom: the mean wait by width of the job, the share of nodes that are busy, and "
    "the number of jobs that wait. Lines are means over a stretch of time; the shade behind the "
    "queue reaches to its greatest length. Load divides the time between submissions and leaves "
    "the jobs as they are. A log that you open stays in your browser; in a notebook it goes to the "
    "kernel."
)

FIGURE = LiveFigure(
    name="replay",
    title="A log, replayed under two policies",
    controls=CONTROLS,
    compute=compute,
    chart=chart,
    caption=CAPTION,
    alt=(
        "Three charts of 2,000 jobs of the teaching log, FCFS against EASY. Bars: under FCFS jobs "
        "of every width wait far longer than under EASY. Lines over the days of the log: busy "
        "nodes are alike, the queue under FCFS grows much longer."
    ),
)
