"""Two policies in step: what each has promised by now, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shadowtime import demo, palette
from shadowtime.engine import simulate
from shadowtime.live import gantt
from shadowtime.live.controls import Choice, Params, Slider, Toggle
from shadowtime.live.livefigure import Data, LiveFigure, Row, readout
from shadowtime.placement import blocks, placement
from shadowtime.schedule import Schedule
from shadowtime.workload import Seconds, Workload

PAIRS = {
    "easy,conservative": "EASY and conservative",
    "fcfs,easy": "FCFS and EASY",
    "first-fit,conservative": "First fit and conservative",
    "conservative,conservative-none": "Conservative, with and without compression",
}
PANELS = {"upper": 0, "lower": 1}
PUBLISHED = "published "
UNTIL = 400
STEP = 5
NAMED = 20
"""Minutes that a box must last to have room for its name."""


def workload(params: Params) -> Workload:
    """Return the ten jobs of the demo, all estimates multiplied by `scale`; minutes."""
    jobs = demo.workload()
    return jobs.replace(estimate=[float(params["scale"]) * asked for asked in jobs.estimate])


def schedules(params: Params) -> list[Schedule]:
    """Schedule the jobs by both policies of the pair.

    As published means by the rules of the published demo, which has no policy beyond its three:
    the others stay as in the textbook.
    """
    jobs = workload(params)
    both = []
    for policy in str(params["pair"]).split(","):
        if params["published"] and policy in ("fcfs", "easy", "conservative"):
            both.append(demo.published(policy, jobs))
        else:
            both.append(simulate(jobs, policy, decisions=True))
    return both


def compute(params: Params) -> Data:
    """Draw both schedules up to now, with the promises that stand, and tell one job's story."""
    now = int(params["time"])
    both = schedules(params)
    rows: list[Row] = []
    marks: list[Row] = []
    numbers: list[Row] = []
    waits: list[Row] = []
    stories: list[Row] = []
    for panel, schedule in zip(PANELS, both, strict=True):
        promises = promises_at(schedule, now)
        rows += _boxes(schedule, panel, now) + _promised(schedule, panel, now, promises)
        marks += _outcomes(schedule, panel, now)
        numbers += _measure(schedule, now, promises)
        waits += [
            {
                "job": f"J{job.id}",
                "order": row,
                "of": panel,
                "role": _colour(schedule),
                "wait": min(now, start) - job.submit,
            }
            for row, (job, start) in enumerate(zip(schedule.workload, schedule.start, strict=True))
            if job.submit <= now
        ]
        stories += _story(schedule, int(params["job"]), now)
    first, second = map(_name, both)
    keys = {"turn": "started in its turn"}
    keys |= {_colour(schedule): f"{_name(schedule)}: backfilled" for schedule in both}
    return {
        "gantt": rows,
        "now": [{"at": now, "of": panel} for panel in PANELS],
        "panels": [{"of": "upper", "name": first}, {"of": "lower", "name": second}],
        "marks": marks,
        "waits": waits,
        "readout": numbers,
        "key": gantt.key(keys),
        "story": stories,
    }


def promises_at(schedule: Schedule, now: Seconds) -> dict[int, Seconds]:
    """Return the start promised to each job that waits at `now`, by row, as it stands then."""
    standing: dict[int, Seconds] = {}
    rows = {job: row for row, job in enumerate(schedule.workload.id)}
    for decision in schedule.decisions or ():
        if decision.time > now:
            break
        if decision.promise is not None:
            standing[rows[decision.job]] = decision.promise
    return {row: promise for row, promise in standing.items() if schedule.start[row] > now}


def _boxes(schedule: Schedule, panel: str, now: Seconds) -> list[Row]:
    """Draw what runs or has run; what runs reaches to its planned end."""
    rows = []
    for box in gantt.job_rows(schedule, of=panel):
        if box["start"] > now:
            continue
        row = schedule.workload.row(int(box["job"][1:]))
        if box["end"] > now:
            box["end"] = schedule.start[row] + schedule.workload.estimate[row]
        box["role"] = _colour(schedule) if schedule.backfilled[row] else "turn"
        rows.append(box)
    return rows


def _promised(
    schedule: Schedule, panel: str, now: Seconds, promises: dict[int, Seconds]
) -> list[Row]:
    """Draw the standing promises on nodes that are free then, the earliest first."""
    jobs = schedule.workload
    held: list[tuple[Seconds, Seconds, set[int]]] = [
        (
            now,
            schedule.start[row] + jobs.estimate[row],
            {node for first, count in pieces for node in range(first, first + count)},
        )
        for row, pieces in enumerate(placement(schedule))
        if schedule.start[row] <= now < schedule.end[row]
    ]
    rows: list[Row] = []
    for row, begin in sorted(promises.items(), key=lambda item: (item[1], item[0])):
        end = begin + jobs.estimate[row]
        busy = {node for b, e, nodes in held if b < end and begin < e for node in nodes}
        order = sorted(range(schedule.nodes), key=lambda node: (node in busy, node))
        nodes = sorted(order[: jobs.nodes[row]])
        held.append((begin, end, set(nodes)))
        rows += [
            {
                "kind": "promise", "of": panel, "role": "promise", "job": f"J{jobs.id[row]}",
                "start": begin, "end": end, "first": first, "top": first + count,
                "nodes": jobs.nodes[row], "submit": jobs.submit[row],
                "wait": begin - jobs.submit[row],
            }
            for first, count in blocks(nodes)
        ]  # fmt: skip
    return rows


def _outcomes(schedule: Schedule, panel: str, now: Seconds) -> Iterator[Row]:
    """Mark the first promise to each job that has started, and whether it was kept or moved."""
    for row, pieces in enumerate(placement(schedule)):
        promise, start = schedule.first_reservation[row], schedule.start[row]
        if promise is None or promise == schedule.workload.submit[row] or start > now:
            continue
        late = _late(schedule, row)
        outcome = "kept to the minute" if not late else "kept, earlier" if late < 0 else "broken"
        first, count = pieces[0]
        yield {
            "of": panel, "job": f"J{schedule.workload.id[row]}", "at": promise, "start": start,
            "height": first + min(count / 2, 0.6), "outcome": outcome,
        }  # fmt: skip


def _measure(schedule: Schedule, now: Seconds, promises: dict[int, Seconds]) -> list[Row]:
    of = _name(schedule)
    started = [row for row, start in enumerate(schedule.start) if start <= now]
    first = schedule.first_reservation
    kept = [row for row in started if first[row] is not None and _late(schedule, row) <= 0]
    late = [row for row in started if first[row] is not None and _late(schedule, row) > 0]
    return [
        readout("Started by now", len(started), "jobs", of=of),
        readout("Backfilled by now", sum(schedule.backfilled[row] for row in started), of=of),
        readout("Promises standing", len(promises), of=of),
        readout("Promises kept", len(kept), of=of),
        readout("Promises broken", len(late), of=of),
        readout("Mean wait in the end", schedule.summary(demo.TAU)["mean_wait"], "min",
                digits=1, of=of),
        readout("All done after", schedule.summary(demo.TAU)["makespan"], "min", of=of),
    ]  # fmt: skip


def _colour(schedule: Schedule) -> str:
    """Return the policy that lends its colour: a variant looks like its base."""
    return schedule.policy.removeprefix(PUBLISHED).removesuffix("-none")


def _name(schedule: Schedule) -> str:
    policy = schedule.policy.removeprefix(PUBLISHED)
    return palette.NAMES[policy] + (", as published" if policy != schedule.policy else "")


def _late(schedule: Schedule, row: int) -> Seconds:
    promise = schedule.first_reservation[row]
    return 0 if promise is None else schedule.start[row] - promise


def _story(schedule: Schedule, job: int, now: Seconds) -> Iterator[Row]:
    """Tell what became of one job so far, a line a row."""
    of = _name(schedule)
    row = schedule.workload.row(job)
    if schedule.decisions is None:
        yield {"of": of, "text": f"t={schedule.workload.submit[row]}: job {job} is submitted."}
        if schedule.start[row] <= now:
            yield {"of": of, "text": f"t={schedule.start[row]}: job {job} starts. The published "
                   "rules keep no log of their reasons."}  # fmt: skip
        return
    for line in schedule.explain(job).lines:
        if float(line[2 : line.index(":")]) <= now:
            yield {"of": of, "text": line}


def chart() -> Any:
    """Draw the two schedules in step, and below them the wait of every job under both."""
    import altair as alt

    roles = ["turn", *palette.POLICIES["light"]]
    colours = alt.Scale(
        domain=roles, range=[palette.variable(role.replace("turn", "job")) for role in roles]
    )
    bars = (
        alt.Chart(alt.NamedData("waits"))
        .mark_bar()
        .encode(
            x=alt.X("job:N", sort=alt.SortField("order"), title=None, axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("of:N", sort=list(PANELS)),
            y=alt.Y("wait:Q", title="waited (min)", axis=alt.Axis(minExtent=24, tickCount=4)),
            color=alt.Color("role:N", scale=colours, legend=None),
            tooltip=[alt.Tooltip("job:N"), alt.Tooltip("wait:Q", title="waited so far (min)")],
        )
        .properties(width=640, height=84)
    )
    return alt.vconcat(*(_panel(of, colours) for of in PANELS), bars, spacing=26)


def _panel(of: str, colours: Any) -> Any:
    """Draw one schedule: boxes, promises, names, the clock and a title."""
    import altair as alt

    variable = palette.variable
    time, machine = alt.Scale(domain=[0, UNTIL]), alt.Scale(domain=[0, demo.NODES])
    nodes = alt.Axis(format="d", tickMinStep=1, minExtent=24, maxExtent=24)
    boxes = {
        "x": alt.X("start:Q", title=None, scale=time),
        "x2": "end:Q",
        "y": alt.Y("first:Q", title="nodes", scale=machine, axis=nodes),
        "y2": "top:Q",
        "tooltip": [
            alt.Tooltip("job:N", title="job"),
            alt.Tooltip("nodes:Q", title="nodes"),
            alt.Tooltip("submit:Q", title="submitted (min)"),
            alt.Tooltip("start:Q", title="start (min)"),
            alt.Tooltip("end:Q", title="end, as planned (min)"),
        ],
    }

    def data(name: str) -> Any:
        return alt.Chart(alt.NamedData(name)).transform_filter(alt.datum.of == of)

    ran = (
        data("gantt")
        .transform_filter(alt.datum.kind == "job")
        .mark_rect(cornerRadius=2, stroke=variable("job-edge"), strokeWidth=1, cursor="pointer")
        .encode(**boxes, color=alt.Color("role:N", scale=colours, legend=None))
    )
    promised = (
        data("gantt")
        .transform_filter(alt.datum.kind == "promise")
        .mark_rect(
            cornerRadius=2,
            fill="transparent",
            stroke=variable("accent"),
            strokeWidth=1.5,
            strokeDash=[4, 3],
            cursor="pointer",
        )
        .encode(**boxes)
    )
    on_box = (alt.datum.role == "turn") | (alt.datum.role == "promise")
    names = (
        data("gantt")
        .transform_filter(f"datum.end - datum.start >= {NAMED}")
        .transform_calculate(
            middle="(datum.start + datum.end) / 2", height="(datum.first + datum.top) / 2"
        )
        .mark_text(fontWeight=600, fontSize=12, tooltip=None)
        .encode(
            x=alt.X("middle:Q", scale=time),
            y=alt.Y("height:Q", scale=machine),
            text="job:N",
            color=alt.condition(
                on_box, alt.value(variable("job-ink")), alt.value(variable("on-colour"))
            ),
        )
    )
    clock = (
        data("now")
        .mark_rule(strokeWidth=2, color=variable("idle"))
        .encode(x=alt.X("at:Q", scale=time))
    )
    title = (
        data("panels")
        .mark_text(align="left", baseline="bottom", dy=-4, fontSize=13, fontWeight=600)
        .encode(x=alt.value(0), y=alt.value(0), text="name:N")
    )
    outcome = {
        "y": alt.Y("height:Q", scale=machine),
        "tooltip": [
            alt.Tooltip("job:N", title="job"),
            alt.Tooltip("at:Q", title="first promised (min)"),
            alt.Tooltip("outcome:N", title="promise"),
        ],
    }
    moved = (
        data("marks")
        .mark_rule(color=variable("ink"))
        .encode(x=alt.X("start:Q", scale=time), x2="at:Q", **outcome)
    )
    diamonds = (
        data("marks")
        .mark_point(shape="diamond", size=64, filled=True, stroke=variable("ink"), opacity=1)
        .encode(
            x=alt.X("at:Q", scale=time),
            fill=alt.condition(
                alt.datum.outcome == "broken",
                alt.value(variable("idle")),
                alt.value(variable("paper")),
            ),
            **outcome,
        )
    )
    layers = (ran, promised, names, moved, diamonds, clock, title)
    return alt.layer(*layers).properties(width=640, height=124)


FIGURE = LiveFigure(
    name="easy-vs-conservative",
    title="What has been promised by now, and to whom",
    controls=[
        Choice(name="pair", label="Policies", options=PAIRS, default="easy,conservative"),
        Slider(name="time", label="Now", min=0, max=UNTIL, step=STEP, default=45, unit="min"),
        Slider(name="scale", label="Estimates times", min=1, max=4, step=0.5, default=1, unit="x"),
        Toggle(name="published", label="By the published rules"),
        Choice(
            name="job",
            label="Story of",
            options={str(job.id): f"J{job.id}" for job in demo.JOBS},
            default="4",
        ),
    ],
    compute=compute,
    chart=chart,
    caption=(
        "The ten jobs at one moment, under two policies. What runs is drawn to its planned end. "
        "Dashed boxes are promises as they stand: EASY has one for the head of the queue, "
        "conservative one for each job that waits. A diamond is the first promise to a job that "
        "has started since, and a line leads from it to the start. The bars compare how long each "
        "job has waited so far, left under the upper policy, right under the lower. A job whose "
        "nodes are not side by side is drawn in pieces. Click a job for its story."
    ),
    alt=(
        "Two Gantt charts of ten jobs on eight nodes at minute 45. Under EASY one promise stands, "
        "for J4 at minute 100. Under conservative backfilling J4, J6, J7 and J8 all hold one. A "
        "bar chart shows how long each job has waited so far."
    ),
)
