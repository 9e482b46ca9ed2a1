"""FIFO blocking: one wide job at the head of the queue, and nodes that nobody may use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shadowtime.engine import simulate
from shadowtime.live import gantt
from shadowtime.live.controls import Params, Slider
from shadowtime.live.livefigure import Data, LiveFigure, readout
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, Workload

if TYPE_CHECKING:
    import altair as alt

WIDE = 3
"""The job at the head of the queue whose width the reader sets."""

SHAPES = ((5, 60), (2, 30), (None, 45), (2, 25), (1, 40), (3, 20), (2, 35), (1, 30))
"""Nodes and minutes of jobs 1 to 8, in the order of their arrival."""

POLICIES = {"fcfs": "First come, first served", "first-fit": "Whatever fits starts"}
UNTIL = 180


def workload(params: Params) -> Workload:
    """Eight jobs, one every `spread` minutes, the third of them `width` nodes wide.

    Parameters
    ----------
    params : mapping
        ``width``, ``nodes`` and ``spread``, as the figure's controls give them.

    Returns
    -------
    Workload
        Times in minutes, all estimates exact.
    """
    jobs = [
        Job(
            id=number,
            submit=(number - 1) * int(params["spread"]),
            nodes=int(params["width"]) if nodes is None else nodes,
            estimate=minutes,
            runtime=minutes,
        )
        for number, (nodes, minutes) in enumerate(SHAPES, start=1)
    ]
    return Workload.from_jobs(jobs, machine_nodes=int(params["nodes"]))


def compute(params: Params) -> Data:
    """Schedule the jobs first come, first served and with whatever fits, and measure both."""
    jobs = workload(params)
    rows: list[dict[str, Any]] = []
    numbers: list[dict[str, Any]] = []
    for policy in POLICIES:
        schedule = simulate(jobs, policy)
        rows += gantt.idle_rows(schedule, of=policy)
        rows += gantt.job_rows(schedule, of=policy, head=WIDE)
        numbers += _measure(schedule)
    keys = {
        "turn": "started in its turn",
        "head": f"J{WIDE}, the wide job",
        "first-fit": "started ahead of a waiting job",
        "idle": "idle while jobs wait",
    }
    return {"gantt": rows, "readout": numbers, "key": gantt.key(keys)}


def _measure(schedule: Schedule) -> list[dict[str, Any]]:
    summary = schedule.summary()
    of = schedule.policy
    wide = schedule.workload.row(WIDE)
    return [
        readout("Utilization", 100 * summary["utilization"], "%", digits=1, of=of),
        readout(
            "Idle while jobs wait", schedule.timeline().idle_while_waiting(), "node-min", of=of
        ),
        readout("Mean wait", summary["mean_wait"], "min", digits=1, of=of),
        readout(f"Wait of J{WIDE}", schedule.wait()[wide], "min", of=of),
        readout("All done at", max(schedule.end), "min", of=of),
    ]


def chart() -> alt.LayerChart | alt.FacetChart:
    """Draw the two schedules below one another."""
    return gantt.chart(until=UNTIL, panels=POLICIES)


FIGURE = LiveFigure(
    name="fifo-blocking",
    title="One wide job at the head of the queue, and nodes that nobody may use",
    controls=[
        Slider(name="width", label="Width of J3", min=1, max=8, default=6, unit="nodes"),
        Slider(name="nodes", label="Machine", min=8, max=16, default=8, unit="nodes"),
        Slider(name="spread", label="A job arrives every", min=0, max=15, default=2, unit="min"),
    ],
    compute=compute,
    chart=chart,
    caption=(
        "Eight jobs on one machine, twice. Above, nobody may pass the head of the queue: while J3 "
        "waits for its nodes, the hatched ones stand idle. Below, whatever fits starts at once: "
        "the idle nodes are put to use, and J3 may pay for it. A job whose nodes are not side by "
        "side is drawn in pieces."
    ),
    alt=(
        "Two Gantt charts of eight jobs on eight nodes. First come, first served: J3 needs six "
        "nodes and waits until J1 ends at minute 60; meanwhile one to three nodes stand idle and "
        "all jobs behind J3 wait. Where whatever fits may start, small jobs fill those nodes."
    ),
)
