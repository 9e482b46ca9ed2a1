"""Preparation leaves out what the study leaves out, and counts it."""

import pytest

from shadowtime import InputError, Workload, simulate
from shadowtime.prediction import prepare


def workload(runtime: list[int], **extra: object) -> Workload:
    jobs = len(runtime)
    return Workload(
        id=range(1, jobs + 1),
        submit=range(jobs),
        nodes=[1] * jobs,
        estimate=[90] * jobs,
        runtime=runtime,
        extra=extra,  # type: ignore[arg-type]
        name="log",
    )


def test_jobs_of_half_a_minute_are_out() -> None:
    prepared = prepare(workload([29, 30, 31], wait=[0, 0, 0]))
    assert list(prepared.id) == [3]
    assert prepared.report.dropped == {"run time of 30 s or less": 2}
    assert prepared.report.first == {"run time of 30 s or less": "job 1: runtime = 29"}
    assert (prepared.report.records, prepared.report.kept) == (3, 1)


def test_each_job_is_counted_under_one_reason() -> None:
    jobs = workload([5, 60, 60, 60], wait=[None, None, -1, 4], status=[3, 3, 3, 1])
    prepared = prepare(jobs)
    assert list(prepared.id) == [4]
    assert prepared.report.dropped == {"run time of 30 s or less": 1, "wait unknown": 2}


@pytest.mark.parametrize(
    "status, stays",
    [
        (0, True), (1, True), (5, True), (2, False), (3, False), (4, False), (None, False),
        ("COMPLETED", True), ("TIMEOUT", True), ("CANCELLED by 1234", True), ("CANCELLED+", True),
        ("RUNNING", False), ("PENDING", False), ("", False),
        ("done", True), ("exiting", False), ("killing", False), ("queued", False),
    ],
)  # fmt: skip
def test_terminal_states_stay(status: object, stays: bool) -> None:  # noqa: FBT001
    jobs = workload([60, 60], wait=[0, 0], status=[1, status])
    assert len(prepare(jobs)) == 1 + stays
    assert len(prepare(jobs, states=None)) == 2


def test_a_log_without_waits_is_given_those_of_easy() -> None:
    jobs = workload([60, 60, 60])
    with pytest.raises(InputError, match="give machine_nodes"):
        prepare(jobs)
    jobs.machine_nodes = 1
    prepared = prepare(jobs)
    assert list(prepared.extra["wait"]) == simulate(jobs, "easy").wait() == [0, 59, 118]
    assert prepared.report.notes[0] == (
        "the log does not say how long its jobs waited: EASY was simulated to know it"
    )


def test_jobs_whose_user_is_unknown_stay_and_are_counted() -> None:
    def notes(**extra: object) -> list[str]:
        prepared = prepare(workload([60, 60, 60], wait=[0, 0, 0], **extra))
        assert len(prepared) == 3
        return prepared.report.notes

    assert notes(user=["ann", "bob", "ann"]) == []
    assert notes(user=["ann", None, None]) == ["jobs of unknown users, which have no history: 2"]
    nobody = ["the log names no users: no job has a history of its user"]
    assert notes() == notes(user=[None, None, None]) == nobody


def test_the_log_itself_stays_as_it_is() -> None:
    jobs = workload([5, 60], wait=[0, 0])
    before = str(jobs.report)
    prepare(jobs)
    assert len(jobs) == 2
    assert str(jobs.report) == before


def test_nothing_left_is_an_error_that_says_why() -> None:
    with pytest.raises(InputError, match=r"log: no job is left \(run time of 30 s or less: 2\)"):
        prepare(workload([1, 2], wait=[0, 0]))
