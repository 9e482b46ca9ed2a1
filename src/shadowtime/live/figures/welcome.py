"""The index page's figure: ten jobs, eight nodes, and who may pass whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shadowtime import demo, palette
from shadowtime.engine import simulate
from shadowtime.live import gantt
from shadowtime.live.controls import Choice, Params, Slider
from shadowtime.live.livefigure import Data, LiveFigure, readout
from shadowtime.workload import Workload

if TYPE_CHECKING:
    import altair as alt

POLICIES = ("fcfs", "easy", "conservative")
WIDE = 4
"""The job that needs six of the eight nodes, and blocks the queue."""

FIRST = 1
"""The job that J4 waits for; it needs 80 minutes."""

UNTIL = 400


def workload(params: Params) -> Workload:
    """Return the ten jobs of the demo, two of them as the reader wants them.

    Parameters
    ----------
    params : mapping
        ``width``: nodes of J4; ``request``: minutes that J1's user asks for.

    Returns
    -------
    Workload
        Times in minutes.
    """
    jobs = demo.workload()
    first, wide = jobs.row(FIRST), jobs.row(WIDE)
    nodes, estimate = list(jobs.nodes), list(jobs.estimate)
    nodes[wide], estimate[first] = int(params["width"]), int(params["request"])
    return jobs.replace(nodes=nodes, estimate=estimate)


def compute(params: Params) -> Data:
    """Schedule the ten jobs by the policy chosen."""
    policy = str(params["policy"])
    schedule = simulate(workload(params), policy)
    summary = schedule.summary(tau=demo.TAU)
    wide = schedule.workload.row(WIDE)
    numbers = [
        readout("Utilization", 100 * summary["utilization"], "%", digits=1),
        readout("Mean wait", summary["mean_wait"], "min", digits=1),
        readout(f"J{WIDE} waits", schedule.wait()[wide], "min"),
        readout("All done after", summary["makespan"], "min"),
        readout("Backfilled", summary["backfilled"], "jobs"),
    ]
    keys = {"turn": "started in its turn", "head": f"J{WIDE}"}
    if policy != "fcfs":
        keys[policy] = "backfilled: started ahead of a waiting job"
    keys["idle"] = "idle while jobs wait"
    rows = gantt.idle_rows(schedule) + gantt.job_rows(schedule, head=WIDE)
    return {"gantt": rows, "readout": numbers, "key": gantt.key(keys)}


def chart() -> alt.LayerChart | alt.FacetChart:
    """Draw the schedule."""
    return gantt.chart(nodes=demo.NODES, until=UNTIL)


FIGURE = LiveFigure(
    name="welcome",
    title="Ten jobs, eight nodes: who may start while J4 waits?",
    controls=[
        Choice(
            name="policy",
            label="Policy",
            options={policy: palette.NAMES[policy] for policy in POLICIES},
            default="fcfs",
        ),
        Slider(name="width", label="J4 needs", min=1, max=8, default=6, unit="nodes"),
        Slider(
            name="request",
            label="J1 asks for",
            min=80,
            max=200,
            step=10,
            default=100,
            unit="min",
        ),
    ],
    compute=compute,
    chart=chart,
    caption=(
        "Time runs to the right, each row is a node, each box a job. First come, first served "
        "leaves the hatched nodes idle while jobs wait. Backfilling lets other jobs use them, as "
        "long as no promise is broken: EASY makes one to the first job of the queue, conservative "
        "backfilling one to each. Both plan with what J1 asks for; it runs for 80 minutes."
    ),
    alt=(
        "Gantt chart of ten jobs on eight nodes, first come, first served. J4 needs six nodes and "
        "waits from minute 10 to minute 80; until then one to four nodes stand idle while the jobs "
        "behind it wait too. All is done after 350 minutes."
    ),
)
