"""The figure of the index page shows the demo."""

import itertools

import pytest

import shadowtime as st
from shadowtime import live
from shadowtime.live.figures import welcome


@pytest.mark.parametrize("policy", welcome.POLICIES)
def test_at_its_defaults_it_is_the_demo(policy: str) -> None:
    fig = live.figure("welcome").set(policy=policy)
    schedule = st.simulate(st.demo.workload(), policy)
    boxes = [row for row in fig.data["gantt"] if row["kind"] == "job"]
    expected = zip(schedule.workload.id, schedule.start, strict=True)
    assert {(b["job"], b["start"]) for b in boxes} == {(f"J{job}", at) for job, at in expected}
    shown = {row["label"]: row["value"] for row in fig.data["readout"]}
    summary = schedule.summary()
    assert shown["Utilization"] == 100 * summary["utilization"]
    assert shown["All done after"] == summary["makespan"]
    assert shown["Backfilled"] == summary["backfilled"]


def test_the_controls_change_the_jobs_that_they_name() -> None:
    jobs = welcome.workload({"width": 3, "request": 150})
    assert jobs.nodes[jobs.row(4)] == 3
    assert jobs.estimate[jobs.row(1)] == 150
    assert jobs.runtime[jobs.row(1)] == 80


def test_the_key_names_the_fill_of_the_policy_that_is_shown() -> None:
    for policy in welcome.POLICIES:
        fig = live.figure("welcome").set(policy=policy)
        roles = {row["role"] for row in fig.data["gantt"] if row["kind"] == "job"}
        assert roles <= {row["role"] for row in fig.data["key"]}


def test_every_setting_stays_within_the_time_axis() -> None:
    ends = [
        row["end"]
        for policy, width, request in itertools.product(
            welcome.POLICIES, range(1, 9), range(80, 201, 10)
        )
        for row in welcome.compute({"policy": policy, "width": width, "request": request})["gantt"]
    ]
    assert max(ends) <= welcome.UNTIL
