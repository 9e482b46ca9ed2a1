"""Schedules as Gantt charts: time across, nodes upwards, a box for each job."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from shadowtime.live.livefigure import Row
from shadowtime.palette import POLICIES, variable
from shadowtime.placement import Block, blocks, placement
from shadowtime.schedule import Schedule

if TYPE_CHECKING:
    import altair as alt


def job_rows(schedule: Schedule, *, of: str = "", head: int | str | None = None) -> list[Row]:
    """Boxes of a schedule's jobs, as rows for :func:`chart`.

    Parameters
    ----------
    schedule : Schedule
    of : str
        Panel that the rows belong to.
    head : int or str, optional
        Id of the job that the figure is about; it is drawn darkest.

    Returns
    -------
    list of dict
        One a block. ``role`` says how it is filled: ``"head"``, ``"turn"`` for a job that started
        in its turn, or the policy's name for one that started ahead of a waiting job.
    """
    workload = schedule.workload
    rows: list[Row] = []
    for row, pieces in enumerate(placement(schedule)):
        job = workload.id[row]
        passed = schedule.policy if schedule.backfilled[row] else "turn"
        rows.extend(
            {
                "kind": "job",
                "of": of,
                "role": "head" if job == head else passed,
                "job": f"J{job}" if isinstance(job, int) else job,
                "start": schedule.start[row],
                "end": schedule.end[row],
                "first": first,
                "top": first + count,
                "nodes": workload.nodes[row],
                "submit": workload.submit[row],
                "wait": schedule.start[row] - workload.submit[row],
            }
            for first, count in pieces
        )
    return rows


def _idle(schedule: Schedule) -> Iterator[tuple[float, float, Block]]:
    """Yield the blocks of nodes that are free while a job waits, and from when to when."""
    jobs = range(len(schedule.workload))
    submit, start, end = schedule.workload.submit, schedule.start, schedule.end
    placed = placement(schedule)
    for begin, stop in pairwise(sorted({*submit, *start, *end})):
        if not any(submit[row] <= begin < start[row] for row in jobs):
            continue
        busy = {
            node
            for row in jobs
            if start[row] <= begin < end[row]
            for first, count in placed[row]
            for node in range(first, first + count)
        }
        for block in blocks([node for node in range(schedule.nodes) if node not in busy]):
            yield begin, stop, block


def idle_rows(schedule: Schedule, *, of: str = "") -> list[Row]:
    """Areas of nodes that stand idle while at least one job waits, as rows for :func:`chart`.

    Examples
    --------
    >>> import shadowtime as st
    >>> schedule = st.simulate(st.demo.workload(), "fcfs")
    >>> area = [(r["end"] - r["start"]) * (r["top"] - r["first"]) for r in idle_rows(schedule)]
    >>> sum(area) == schedule.timeline().idle_while_waiting()
    True
    """
    rows: list[Row] = []
    for begin, stop, (first, count) in _idle(schedule):
        place = {"first": first, "top": first + count}
        before = next((r for r in rows if r["end"] == begin and place.items() <= r.items()), None)
        if before:
            before["end"] = stop
        else:
            rows.append({"kind": "idle", "of": of, "start": begin, "end": stop, **place})
    return rows


def key(roles: Mapping[str, str]) -> list[Row]:
    """Dataset ``key`` of a Gantt chart: what each fill means.

    Examples
    --------
    >>> key({"turn": "started in its turn"})
    [{'role': 'turn', 'label': 'started in its turn'}]
    """
    return [{"role": role, "label": label} for role, label in roles.items()]


def chart(
    *,
    nodes: int | None = None,
    until: float | None = None,
    unit: str = "min",
    panels: Mapping[str, str] | None = None,
    scale: str = "x",
) -> alt.LayerChart | alt.FacetChart:
    """Draw the dataset ``gantt``, rows of :func:`job_rows` and :func:`idle_rows`.

    Parameters
    ----------
    nodes : int, optional
        Nodes of the machine: the top of the picture. By default the highest node in the rows.
    until : int or float, optional
        Right end of the time axis. A fixed one lets the eye follow a job from step to step.
    unit : str
        Of the times.
    panels : mapping of str to str, optional
        One panel for each value of ``of``, below one another, and its heading.
    scale : str
        What Vega calls the time scale; ``"concat_0_x"`` if this becomes the first of several
        charts below one another.

    Returns
    -------
    altair.LayerChart or altair.FacetChart
    """
    import altair as alt

    time = alt.Scale(domainMin=0, nice=False) if until is None else alt.Scale(domain=[0, until])
    machine = alt.Scale(domainMin=0, nice=False) if nodes is None else alt.Scale(domain=[0, nodes])
    x = alt.X("start:Q", title=f"time ({unit})", scale=time)
    y = alt.Y(
        "first:Q",
        title="nodes",
        scale=machine,
        axis=alt.Axis(format="d", tickMinStep=1, grid=True, minExtent=24, maxExtent=24),
    )
    x2, y2 = alt.X2("end:Q"), alt.Y2("top:Q")
    base = alt.Chart(alt.NamedData("gantt")) if panels is None else alt.Chart()
    jobs = base.transform_filter(alt.datum.kind == "job")
    roles = ["turn", "head", *POLICIES["light"]]
    fills = [variable("job"), variable("head"), *map(variable, POLICIES["light"])]
    fill = alt.Color("role:N", scale=alt.Scale(domain=roles, range=fills), legend=None)
    ink = alt.condition(
        alt.datum.role == "turn", alt.value(variable("job-ink")), alt.value(variable("on-colour"))
    )
    shape = {"x": x, "x2": x2, "y": y, "y2": y2}
    idle = (
        base.transform_filter(alt.datum.kind == "idle")
        .mark_rect(fill="url(#st-hatch)", tooltip=None)
        .encode(**shape)
    )
    tips = [
        alt.Tooltip("job:N", title="job"),
        alt.Tooltip("nodes:Q", title="nodes"),
        alt.Tooltip("submit:Q", title=f"submitted ({unit})"),
        alt.Tooltip("start:Q", title=f"started ({unit})"),
        alt.Tooltip("end:Q", title=f"ended ({unit})"),
        alt.Tooltip("wait:Q", title=f"waited ({unit})"),
    ]
    edge = alt.condition(
        alt.datum.role == "turn", alt.value(variable("job-edge")), alt.value(variable("paper"))
    )
    boxes = jobs.mark_rect(cornerRadius=2, strokeWidth=1).encode(
        **shape, color=fill, stroke=edge, tooltip=tips
    )
    # A name that is wider than its box is left out: on a phone the boxes are narrow.
    room = (
        f"scale('{scale}', datum.end) - scale('{scale}', datum.start) > 4 + 7 * length(datum.job)"
    )
    names = (
        jobs.transform_calculate(
            middle="(datum.start + datum.end) / 2", height="(datum.first + datum.top) / 2"
        )
        .mark_text(
            fontWeight=600,
            fontSize=alt.ExprRef(f"{room} ? 12 : 0"),
            tooltip=None,
            baseline="middle",
        )
        .encode(
            x=alt.X("middle:Q", scale=time),
            y=alt.Y("height:Q", scale=machine),
            text="job:N",
            color=ink,
        )
    )
    height = 168 if panels is None else 136
    layers = alt.layer(idle, boxes, names).properties(width=640, height=height)
    if panels is None:
        return layers
    heading = " : ".join(f"datum.value == '{of}' ? '{text}'" for of, text in panels.items())
    return layers.facet(
        data=alt.NamedData("gantt"),
        row=alt.Row(
            "of:N",
            title=None,
            sort=list(panels),
            header=alt.Header(labelExpr=f"{heading} : datum.value"),
        ),
        spacing=14,
    )
