"""Promises slip within their slack, and never beyond."""

from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine import Overrun, simulate
from shadowtime.errors import InputError
from shadowtime.policies import SlackBased
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, Workload
from tests.strategies import plans, workloads

FACTOR = st.sampled_from((0, 0.5, 1, 3))


def told(schedule: Schedule) -> tuple[list[object], ...]:
    return list(schedule.start), list(schedule.backfilled), list(schedule.first_reservation)


@given(workload=workloads(), factor=FACTOR)
def test_no_job_starts_after_its_promise_and_its_slack(workload: Workload, factor: float) -> None:
    schedule = simulate(workload, SlackBased(factor))
    waits = list(zip(schedule.start, schedule.wait(), strict=True))
    for job, start, promise in zip(
        workload, schedule.start, schedule.first_reservation, strict=True
    ):
        assert promise is not None
        before = [wait for began, wait in waits if began < job.submit]
        slack = factor * sum(before) / len(before) if before else 0
        assert start <= promise + slack + 1e-9


@given(
    data=st.data(),
    workload=workloads(),
    factor=FACTOR,
    overrun=st.sampled_from(("kill", "extend")),
    correction=st.sampled_from(("none", "request", "doubling")),
)
def test_every_job_runs_and_the_decision_log_changes_no_decision(
    data: st.DataObject, workload: Workload, factor: float, overrun: Overrun, correction: str
) -> None:
    planned = data.draw(plans(workload))
    policy = SlackBased(factor)
    silent = simulate(workload, policy, overrun=overrun, planned=planned, correction=correction)
    logged = simulate(
        workload, policy, overrun=overrun, planned=planned, correction=correction, decisions=True
    )
    assert told(logged) == told(silent)


@given(workload=workloads())
def test_before_anyone_has_waited_it_promises_what_conservative_backfilling_does(
    workload: Workload,
) -> None:
    together = workload.replace(submit=[0] * len(workload))
    ours = simulate(together, SlackBased(9)).first_reservation
    theirs = simulate(together, "conservative", engine="readable").first_reservation
    assert list(ours) == list(theirs)


JOBS = [
    Job(1, 0, 8, 30, 30), Job(2, 0, 5, 40, 40), Job(3, 31, 6, 90, 90), Job(4, 32, 3, 45, 45)
]  # fmt: skip


@pytest.mark.parametrize(
    "factor, starts",
    [(0, [0, 30, 70, 160]), (0.4, [0, 30, 70, 160]), (0.5, [0, 30, 77, 32]), (1, [0, 30, 77, 32])],
)
def test_a_job_passes_if_others_are_delayed_within_their_slack(
    factor: float, starts: list[int]
) -> None:
    """The first two have waited 15 on the average; job 4 delays job 3 by 7."""
    assert (
        list(simulate(Workload.from_jobs(JOBS, machine_nodes=8), SlackBased(factor)).start)
        == starts
    )


def test_without_slack_a_reservation_may_still_move_back_to_what_was_promised() -> None:
    """Job 1 ends early, which brings job 3 from 100 to 61; job 4 may send it back to 100."""
    jobs = [
        Job(1, 0, 2, 100, 10),
        Job(2, 1, 4, 60, 60),
        Job(3, 2, 8, 20, 20),
        Job(4, 3, 4, 90, 90),
    ]
    workload = Workload.from_jobs(jobs, machine_nodes=8)
    schedule = simulate(workload, SlackBased(0))
    for start, promise in zip(schedule.start, schedule.first_reservation, strict=True):
        assert promise is not None
        assert start <= promise
    conservative = simulate(workload, "conservative", engine="readable")
    assert list(conservative.start) == [0, 1, 61, 81]
    assert list(schedule.start) == [0, 1, 100, 10]


@pytest.mark.parametrize("factor", [-1, nan])
def test_a_negative_slack_is_refused(factor: float) -> None:
    with pytest.raises(InputError, match=f"factor = {factor}; it must not be negative"):
        SlackBased(factor)


def test_names_say_the_factor() -> None:
    assert [SlackBased(value).name for value in (1, 0, 0.5)] == ["slack", "slack-0", "slack-0.5"]
