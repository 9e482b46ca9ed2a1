"""The figure of chapter 1 shows what the simulator says."""

import itertools

import pytest

import shadowtime as st
from shadowtime import live
from shadowtime.live.figures import fifo_blocking


def numbers(**values: int) -> dict[tuple[str, str], float]:
    fig = live.figure("fifo-blocking").set(**values)
    return {(row["label"], row["of"]): row["value"] for row in fig.data["readout"]}


@pytest.mark.parametrize("policy", ["fcfs", "first-fit"])
def test_boxes_and_numbers_are_those_of_the_schedule(policy: str) -> None:
    fig = live.figure("fifo-blocking").set(width=7, spread=5)
    schedule = st.simulate(fifo_blocking.workload(fig.values), policy)
    boxes = [row for row in fig.data["gantt"] if row["of"] == policy and row["kind"] == "job"]
    expected = zip(schedule.workload.id, schedule.start, schedule.end, strict=True)
    assert {(b["job"], b["start"], b["end"]) for b in boxes} == {
        (f"J{job}", start, end) for job, start, end in expected
    }
    summary = schedule.summary()
    shown = numbers(width=7, spread=5)
    assert shown["Utilization", policy] == 100 * summary["utilization"]
    assert shown["Mean wait", policy] == summary["mean_wait"]


def test_the_first_picture_shows_the_blocking() -> None:
    shown = numbers()
    assert shown["Wait of J3", "fcfs"] == 56
    assert shown["Mean wait", "first-fit"] < shown["Mean wait", "fcfs"] / 2 + 1
    assert shown["Wait of J3", "first-fit"] > shown["Wait of J3", "fcfs"]


def test_whatever_fits_never_runs_with_nodes_idle_that_a_waiting_job_fits_into() -> None:
    for width in range(1, 9):
        fig = live.figure("fifo-blocking").set(width=width)
        rows = [row for row in fig.data["gantt"] if row["of"] == "first-fit"]
        jobs = {row["job"]: row for row in rows if row["kind"] == "job"}
        idle = [row for row in rows if row["kind"] == "idle"]
        for start in {row["start"] for row in idle}:
            free = sum(
                row["top"] - row["first"] for row in idle if row["start"] <= start < row["end"]
            )
            waiting = [j for j in jobs.values() if j["submit"] <= start < j["start"]]
            assert all(job["nodes"] > free for job in waiting)


def test_every_setting_stays_within_the_time_axis() -> None:
    ends = [
        row["end"]
        for width, nodes, spread in itertools.product(range(1, 9), (8, 12, 16), (0, 7, 15))
        for row in fifo_blocking.compute({"width": width, "nodes": nodes, "spread": spread})[
            "gantt"
        ]
    ]
    assert max(ends) <= fifo_blocking.UNTIL
