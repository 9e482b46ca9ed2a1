"""Two policies in step: what is drawn at a moment is what is known at that moment."""

from typing import Any

import pytest

from shadowtime import demo, live, simulate
from shadowtime.live.figures.easy_vs_conservative import PAIRS, promises_at


def figure(**values: Any) -> live.LiveFigure:
    return live.figure("easy-vs-conservative").set(**values)


def shown(data: live.Data, label: str) -> dict[str, Any]:
    return {row["of"]: row["value"] for row in data["readout"] if row["label"] == label}


def test_at_minute_45_easy_has_one_promise_and_conservative_one_for_each_waiting_job() -> None:
    data = figure(time=45).data
    assert shown(data, "Promises standing") == {"EASY": 1, "Conservative": 4}
    promised = {
        of: {
            row["job"]: row["start"]
            for row in data["gantt"]
            if row["kind"] == "promise" and row["of"] == of
        }
        for of in ("upper", "lower")
    }
    assert promised["upper"] == {"J4": 100}
    assert promised["lower"] == {"J4": 100, "J6": 65, "J7": 250, "J8": 280}


@pytest.mark.parametrize("pair", PAIRS)
def test_promises_never_move_later_when_stepping_through_time(pair: str) -> None:
    for policy in pair.split(","):
        schedule = simulate(demo.workload(), policy, decisions=True)
        before: dict[int, Any] = {}
        for now in range(0, 400, 5):
            standing = promises_at(schedule, now)
            assert all(standing[row] <= before.get(row, standing[row]) for row in standing)
            assert all(
                promise > now or schedule.start[row] > now for row, promise in standing.items()
            )
            before = standing


def test_in_the_end_both_schedules_are_drawn_as_simulated() -> None:
    data = figure(time=400).data
    for of, policy in (("upper", "easy"), ("lower", "conservative")):
        schedule = simulate(demo.workload(), policy)
        drawn = {row["job"]: (row["start"], row["end"]) for row in data["gantt"] if row["of"] == of}
        assert drawn == {
            f"J{job.id}": (start, end)
            for job, start, end in zip(schedule.workload, schedule.start, schedule.end, strict=True)
        }
        waits = [row["wait"] for row in data["waits"] if row["of"] == of]
        assert waits == schedule.wait()
    assert shown(data, "Promises broken") == {"EASY": 0, "Conservative": 0}


def test_what_runs_is_drawn_to_its_planned_end() -> None:
    data = figure(time=45).data
    ends = {
        row["job"]: row["end"]
        for row in data["gantt"]
        if row["kind"] == "job" and row["of"] == "upper"
    }
    assert ends["J1"] == 100
    assert ends["J2"] == 25


def test_longer_estimates_help_conservative_here() -> None:
    waits = [shown(figure(scale=scale, time=400).data, "Mean wait in the end") for scale in (1, 2)]
    assert waits[0] == {"EASY": 61.5, "Conservative": 61.5}
    assert waits[1] == {"EASY": 61.5, "Conservative": 47.0}


def test_by_the_published_rules_conservative_promises_nothing() -> None:
    data = figure(published=True, time=400).data
    assert shown(data, "All done after") == {
        "EASY, as published": 350,
        "Conservative, as published": 365,
    }
    assert set(shown(data, "Promises kept").values()) == {0}
    assert not [row for row in data["gantt"] if row["kind"] == "promise"]


def test_a_story_ends_now() -> None:
    lines = [
        row["text"] for row in figure(job="4", time=80).data["story"] if row["of"] == "Conservative"
    ]
    assert lines == [
        "t=10: job 4 is submitted.",
        "t=10: job 4 waits: 6 nodes promised to it from 100.",
        "t=80: job 4 waits: 6 nodes promised to it from 85.",
    ]
    data = figure(job="4", time=60, published=True).data
    assert [row["text"] for row in data["story"]] == ["t=10: job 4 is submitted."] * 2


def test_a_promise_moved_forward_is_marked() -> None:
    marks = {
        (row["of"], row["job"]): (row["at"], row["start"], row["outcome"])
        for row in figure(pair="conservative,conservative-none", time=400).data["marks"]
    }
    assert marks["upper", "J4"] == (100, 85, "kept, earlier")
    assert marks["lower", "J4"] == (100, 100, "kept to the minute")
