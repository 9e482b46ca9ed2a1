"""Decisions read as sentences, and a job's story runs from its submit to its start."""

import re
from itertools import pairwise
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine import simulate
from shadowtime.errors import InputError
from shadowtime.schedule import SENTENCES, Decision, Schedule
from shadowtime.workload import Job, Workload
from tests.strategies import POLICIES, policy_named, workloads

# On 8 nodes. The head is blocked until 40; one node is extra then.
WINDOW = Workload.from_jobs(
    [
        Job("A", 0, 6, 40, 40),
        Job("head", 1, 7, 20, 20),
        Job("greedy", 1, 2, 50, 50),
        Job("short", 2, 2, 38, 38),
        Job("wide", 3, 5, 5, 5),
        Job("narrow", 41, 1, 100, 100),
    ],
    machine_nodes=8,
)


# The rule, and the figures that a reader needs to check it.
@pytest.mark.parametrize(
    "policy, job, rule, figures",
    [
        ("fcfs", "A", "head-fits", {"nodes": 6, "free": 8}),
        ("fcfs", "head", "head-blocked", {"nodes": 7, "free": 2}),
        ("fcfs", "short", "behind-head", {"protects": "head"}),
        ("first-fit", "greedy", "fits", {"nodes": 2, "free": 2}),
        ("first-fit", "wide", "too-wide", {"nodes": 5, "free": 0}),
        ("easy", "head", "head-reserved", {"nodes": 7, "free": 2, "shadow": 40, "extra": 1}),
        ("easy", "short", "ends-by-shadow", {"nodes": 2, "shadow": 40, "protects": "head"}),
        ("easy", "wide", "too-wide", {"nodes": 5, "free": 0}),
        ("easy", "narrow", "within-extra", {"shadow": 60, "extra": 6, "protects": "greedy"}),
        (
            "easy",
            "greedy",
            "would-delay",
            {"nodes": 2, "shadow": 40, "extra": 1, "protects": "head"},
        ),
        ("conservative", "head", "reserved", {"nodes": 7, "promise": 40}),
        ("conservative", "head", "reservation-due", {"nodes": 7}),
    ],
)
def test_each_rule_is_logged_and_told_with_its_figures(
    policy: str, job: str, rule: str, figures: dict[str, Any]
) -> None:
    schedule = simulate(WINDOW, policy, decisions=True)
    decision = next(row for row in schedule.explain(job).rows if row.rule == rule)
    for field, value in figures.items():
        assert getattr(decision, field) == value
        if value:  # nought is told in a word
            assert re.search(rf"\b{value}\b", decision.sentence), field
    assert decision.sentence.startswith("starts: " if decision.starts else "waits: ")


def test_a_reservation_that_cannot_be_kept_is_told_so() -> None:
    jobs = [Job(1, 0, 4, 10, 30), Job(2, 1, 4, 5, 5)]
    schedule = simulate(
        Workload.from_jobs(jobs), "conservative", nodes=4, overrun="extend", decisions=True
    )
    told = schedule.explain(2).rows
    assert [(row.time, row.rule) for row in told] == [
        (1, "reserved"),
        (10, "reservation-late"),
        (30, "reservation-due"),
    ]
    assert "past their planned ends" in told[1].sentence


def test_every_sentence_of_the_built_in_rules_can_be_told() -> None:
    for rule in SENTENCES:
        decision = Decision(5, "J", True, rule, 2, 3, 10, 9, 1, 9, "head")
        assert str(decision).startswith("t=5: job J ")
        assert "None" not in str(decision)


def test_a_rule_of_ones_own_speaks_for_itself() -> None:
    decision = Decision(5, 1, starts=False, rule="it is {Sunday}", nodes=2, free=3, planned=10)
    assert str(decision) == "t=5: job 1 waits: it is {Sunday}."


def test_a_story_tells_what_changed() -> None:
    told = simulate(WINDOW, "easy", decisions=True).explain("head")
    lines = told.lines
    assert lines[0] == "t=1: job head is submitted."
    assert lines[-1].startswith("t=40: job head starts: ")
    assert len(lines) - 1 < len(told.rows)
    assert all(a.partition(": ")[2] != b.partition(": ")[2] for a, b in pairwise(lines))


def test_a_printed_story_fits_a_page() -> None:
    told = simulate(WINDOW, "easy", decisions=True).explain("head")
    printed = str(told)
    assert max(map(len, printed.splitlines())) <= 84
    assert printed.replace("\n    ", " ").splitlines() == told.lines


@pytest.mark.parametrize("policy", POLICIES)
@given(workload=workloads(max_jobs=15), overrun=st.sampled_from(("kill", "extend")))
def test_every_job_has_a_story_from_submit_to_start(
    policy: str, workload: Workload, overrun: Any
) -> None:
    schedule = simulate(workload, policy_named(policy), overrun=overrun, decisions=True)
    for row, job in enumerate(workload):
        story = schedule.explain(job.id)
        assert (story.submit, story.start) == (job.submit, schedule.start[row])
        times = [decision.time for decision in story.rows]
        assert times == sorted(times)
        assert times[0] >= job.submit
        assert [decision.starts for decision in story.rows] == [False] * (len(times) - 1) + [True]
        assert story.rows[-1].time == schedule.start[row]
        assert all(decision.nodes <= decision.free for decision in story.rows if decision.starts)
        assert str(story).startswith(f"t={job.submit}: job {job.id} is submitted.")
        promises = [d.promise for d in story.rows if d.promise is not None]
        assert schedule.first_reservation[row] == (promises[0] if promises else None)


def test_no_log_is_kept_unless_it_is_asked_for() -> None:
    schedule = simulate(WINDOW, "easy")
    assert schedule.decisions is None
    with pytest.raises(InputError, match="no decision was logged: simulate with decisions=True"):
        schedule.explain("head")


def test_there_is_no_story_of_an_unknown_job() -> None:
    with pytest.raises(InputError, match="there is no job 'J99' in this workload"):
        simulate(WINDOW, "easy", decisions=True).explain("J99")


def test_a_schedule_becomes_a_table_with_one_row_a_job() -> None:
    schedule = simulate(WINDOW, "easy")
    frame = schedule.to_frame()
    assert list(frame["id"]) == list(WINDOW.id)
    for column in ("start", "end", "backfilled", "killed"):
        assert list(frame[column]) == list(getattr(schedule, column))
    assert list(frame["wait"]) == schedule.wait()
    promised = [None if pd.isna(value) else value for value in frame["first_reservation"]]
    assert promised == list(schedule.first_reservation)


def test_the_repr_does_not_print_the_log() -> None:
    schedule: Schedule = simulate(WINDOW, "easy", decisions=True)
    assert "Decision(" not in repr(schedule)
