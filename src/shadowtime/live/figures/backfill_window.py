"""The backfill window: one candidate, one promise, and the rule that decides."""

from __future__ import annotations

from typing import Any

from shadowtime.engine import simulate
from shadowtime.live import gantt
from shadowtime.live.controls import Params, Slider
from shadowtime.live.livefigure import Data, LiveFigure, Row, readout
from shadowtime.schedule import Decision
from shadowtime.workload import Job, Workload

NODES = 8
RUNNING, HOLDER, HEAD, CANDIDATE = "A", "other", "H", "X"
A_NODES, A_ENDS = 4, 40
HOLDER_ENDS = 90
HEAD_LASTS = 40
UNTIL = 150

RULES = {
    "head-fits": "fits: the head has started",
    "too-wide": "too few nodes are free",
    "ends-by-shadow": "ends by the shadow time",
    "within-extra": "takes extra nodes only",
    "would-delay": "would delay the head",
    "behind-head": "would delay the head",
}
"""How the figure names the rule that decided."""


def workload(params: Params) -> Workload:
    """Return the situation at minute 0: A runs, perhaps another job, H heads the queue, X is last.

    Parameters
    ----------
    params : mapping
        ``nodes`` and ``estimate`` of the candidate, ``free`` nodes, ``need`` of the head.

    Returns
    -------
    Workload
        Times in minutes, all submitted at 0.
    """
    held = NODES - A_NODES - int(params["free"])
    jobs = [Job(RUNNING, 0, A_NODES, A_ENDS, A_ENDS)]
    if held:
        jobs.append(Job(HOLDER, 0, held, HOLDER_ENDS, HOLDER_ENDS))
    jobs.append(Job(HEAD, 0, int(params["need"]), HEAD_LASTS, HEAD_LASTS))
    minutes = int(params["estimate"])
    jobs.append(Job(CANDIDATE, 0, int(params["nodes"]), minutes, minutes))
    return Workload.from_jobs(jobs, machine_nodes=NODES)


def compute(params: Params) -> Data:
    """Ask EASY about the candidate, and draw what it looks at."""
    schedule = simulate(workload(params), "easy", decisions=True)
    head = schedule.explain(HEAD).rows[0]
    candidate = schedule.explain(CANDIDATE).rows[0]
    rows = _running(params) + _promised(params, head) + _tried(params, candidate)
    shadow, extra = (head.shadow, head.extra) if head.shadow is not None else (0, None)
    verdict = "starts now" if candidate.starts else "waits"
    numbers = [
        readout(f"{CANDIDATE}", verdict),
        readout("Why", RULES[candidate.rule]),
        readout("Shadow time", shadow, "min"),
        readout("Extra nodes", "none needed" if extra is None else extra),
        readout("Free now", candidate.free, "nodes"),
    ]
    marks = [] if head.starts else [{"at": shadow, "label": f"shadow time: minute {shadow}"}]
    keys = {"turn": "running", "head": "promised to the head of the queue"}
    keys |= {"easy": "backfilled"} if candidate.starts else {"idle": "asked for, and refused"}
    return {"gantt": rows, "marks": marks, "readout": numbers, "key": gantt.key(keys)}


def _box(job: str, role: str, start: float, end: float, first: int, nodes: int) -> Row:
    kind = "refused" if role == "refused" else "job"
    times: dict[str, Any] = {"start": start, "end": end, "submit": 0, "wait": start}
    return {
        "kind": kind, "of": "", "role": role, "job": job, **times,
        "first": first, "top": first + nodes, "nodes": nodes,
    }  # fmt: skip


def _running(params: Params) -> list[Row]:
    held = NODES - A_NODES - int(params["free"])
    rows = [_box(RUNNING, "turn", 0, A_ENDS, 0, A_NODES)]
    if held:
        rows.append(_box(HOLDER, "turn", 0, HOLDER_ENDS, NODES - held, held))
    return rows


def _promised(params: Params, head: Decision) -> list[Row]:
    start = head.shadow if head.shadow is not None else 0
    first = A_NODES if head.starts else 0
    return [_box(HEAD, "head", start, start + HEAD_LASTS, first, int(params["need"]))]


def _tried(params: Params, candidate: Decision) -> list[Row]:
    """Place the candidate on the highest free nodes, where it harms the head least."""
    nodes = int(params["nodes"])
    top = A_NODES + int(params["free"])
    role = "easy" if candidate.starts else "refused"
    return [_box(CANDIDATE, role, 0, int(params["estimate"]), top - nodes, nodes)]


def chart() -> Any:
    """Draw the window: running jobs, the promise, the candidate and the shadow time."""
    import altair as alt

    from shadowtime.palette import variable

    boxes = gantt.chart(nodes=NODES, until=UNTIL)
    time = alt.Scale(domain=[0, UNTIL])
    refused = alt.Chart(alt.NamedData("gantt")).transform_filter(alt.datum.kind == "refused")
    shape = {
        "x": alt.X("start:Q", scale=time),
        "x2": "end:Q",
        "y": alt.Y("first:Q", scale=alt.Scale(domain=[0, NODES])),
        "y2": "top:Q",
    }
    outline = refused.mark_rect(
        fill="url(#st-hatch)", stroke=variable("idle"), strokeWidth=2, strokeDash=[5, 3]
    ).encode(**shape)
    name = (
        refused.mark_text(align="left", dx=6, fontWeight=600, fontSize=12, color=variable("idle"))
        .transform_calculate(height="(datum.first + datum.top) / 2")
        .encode(
            x=alt.X("start:Q", scale=time),
            y=alt.Y("height:Q", scale=alt.Scale(domain=[0, NODES])),
            text="job:N",
        )
    )
    marks = alt.Chart(alt.NamedData("marks"))
    rule = marks.mark_rule(strokeWidth=2, strokeDash=[2, 2], color=variable("ink")).encode(
        x=alt.X("at:Q", scale=time)
    )
    label = marks.mark_text(
        align="left", baseline="bottom", dx=4, dy=-2, fontSize=12, color=variable("ink")
    ).encode(x=alt.X("at:Q", scale=time), y=alt.value(0), text="label:N")
    return alt.layer(boxes, outline, name, rule, label).properties(width=640, height=184)


FIGURE = LiveFigure(
    name="backfill-window",
    title="May X start now, or would H pay for it?",
    controls=[
        Slider(name="nodes", label="X needs", min=1, max=4, default=2, unit="nodes"),
        Slider(name="estimate", label="X asks for", min=5, max=120, step=5, default=15, unit="min"),
        Slider(name="free", label="Free now", min=1, max=4, default=2, unit="nodes"),
        Slider(name="need", label="H needs", min=5, max=8, default=6, unit="nodes"),
    ],
    compute=compute,
    chart=chart,
    caption=(
        "Minute 0 on eight nodes. A is planned to end at minute 40; what neither A nor the free "
        "nodes account for is held by another job until minute 90. H heads the queue and gets the "
        "earliest start at which its nodes are free, the shadow time. X may pass if it is gone by "
        "then, or if it needs no more than the nodes that H leaves over, the extra nodes."
    ),
    alt=(
        "Gantt chart. Job A holds four nodes until minute 40, another job two until minute 90. "
        "Head H, six nodes wide, is promised minute 40. Candidate X, two nodes for 15 minutes, "
        "fits before that and starts now."
    ),
)
