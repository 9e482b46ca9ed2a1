"""The boxes of a Gantt chart are the schedule, no more and no less."""

import pytest

import shadowtime as st
from shadowtime.live import gantt

POLICIES = ["fcfs", "first-fit", "easy", "conservative"]


@pytest.mark.parametrize("policy", POLICIES)
def test_the_boxes_of_a_job_cover_its_nodes_for_its_whole_run(policy: str) -> None:
    schedule = st.simulate(st.demo.workload(), policy)
    rows = gantt.job_rows(schedule)
    for row, job in enumerate(schedule.workload):
        boxes = [box for box in rows if box["job"] == f"J{job.id}"]
        assert sum(box["top"] - box["first"] for box in boxes) == job.nodes
        for box in boxes:
            assert (box["start"], box["end"]) == (schedule.start[row], schedule.end[row])


@pytest.mark.parametrize("policy", POLICIES)
def test_no_two_boxes_overlap_and_idle_areas_lie_between_them(policy: str) -> None:
    schedule = st.simulate(st.demo.workload(), policy)
    rows = gantt.job_rows(schedule) + gantt.idle_rows(schedule)
    covered: set[tuple[int, int]] = set()
    for row in rows:
        cells = {
            (minute, node)
            for minute in range(int(row["start"]), int(row["end"]))
            for node in range(row["first"], row["top"])
        }
        assert not cells & covered
        covered |= cells
        assert 0 <= row["first"] < row["top"] <= 8


@pytest.mark.parametrize("policy", POLICIES)
def test_the_hatched_area_is_the_node_time_that_is_idle_while_jobs_wait(policy: str) -> None:
    schedule = st.simulate(st.demo.workload(), policy)
    rows = gantt.idle_rows(schedule)
    area = sum((row["end"] - row["start"]) * (row["top"] - row["first"]) for row in rows)
    assert area == schedule.timeline().idle_while_waiting()


def test_fills_tell_who_passed_whom() -> None:
    schedule = st.simulate(st.demo.workload(), "easy")
    rows = gantt.job_rows(schedule, head=4)
    passed = {row["job"] for row in rows if row["role"] == "easy"}
    backfilled = zip(schedule.workload.id, schedule.backfilled, strict=True)
    assert passed == {f"J{job}" for job, flag in backfilled if flag}
    assert {row["job"] for row in rows if row["role"] == "head"} == {"J4"}
