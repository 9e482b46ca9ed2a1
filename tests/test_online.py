"""Predictors that learn while the schedule is made."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import estimates, traces
from shadowtime.engine import simulate
from shadowtime.errors import InputError
from shadowtime.online import Last2, Predictor
from shadowtime.policies import Watchful
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, Seconds, Workload
from tests.oracles.naive import CORRECTIONS
from tests.strategies import POLICIES, policy_named, workloads

each_policy = pytest.mark.parametrize("policy", POLICIES)
ANY_CORRECTION = st.sampled_from(list(CORRECTIONS))


class Witness(Last2):
    """Keeps what it was asked, what it said and what it knew."""

    def reset(self, workload: Workload) -> None:
        super().reset(workload)
        self.learned: dict[int, Seconds] = {}
        self.knew: dict[int, dict[int, Seconds]] = {}
        self.said: dict[int, Seconds] = {}

    def predict(self, row: int) -> Seconds:
        self.knew.setdefault(row, dict(self.learned))
        self.said[row] = super().predict(row)
        return self.said[row]

    def learn(self, row: int, ran: Seconds) -> None:
        super().learn(row, ran)
        self.learned[row] = ran


def of_users(workload: Workload, users: list[str]) -> Workload:
    return workload.replace(user=[users[row % len(users)] for row in range(len(workload))])


def ended_by(schedule: Schedule, now: Seconds, but: int) -> dict[int, Seconds]:
    spans = enumerate(zip(schedule.start, schedule.end, strict=True))
    return {row: end - start for row, (start, end) in spans if end <= now and row < but}


@each_policy
@given(workload=workloads(max_jobs=25), correction=ANY_CORRECTION)
def test_it_knows_the_jobs_that_have_ended_at_submission_and_no_others(
    policy: str, workload: Workload, correction: str
) -> None:
    witness = Witness()
    jobs = of_users(workload, ["ann", "bob", "bob"])
    schedule = simulate(jobs, policy_named(policy), planned=witness, correction=correction)
    for row, submit in enumerate(jobs.submit):
        # A job of no run time submitted at the same instant ends only after the submissions.
        known = {r: ran for r, ran in witness.knew[row].items() if jobs.submit[r] < submit}
        assert known == witness.knew[row]
        later = {r: ran for r, ran in ended_by(schedule, submit, row).items() if r not in known}
        assert all(schedule.end[r] == submit for r in later)
        assert all(schedule.end[r] <= submit for r in known)


@each_policy
@given(workload=workloads(max_jobs=25), correction=ANY_CORRECTION)
def test_the_same_plans_from_a_table_make_the_same_schedule(
    policy: str, workload: Workload, correction: str
) -> None:
    witness = Witness()
    jobs = of_users(workload, ["ann", "bob", "bob"])
    learned = simulate(jobs, policy_named(policy), planned=witness, correction=correction)
    table = [witness.said[row] for row in range(len(jobs))]
    told = simulate(jobs, policy_named(policy), planned=table, correction=correction)
    assert list(learned.start) == list(told.start)
    assert list(learned.backfilled) == list(told.backfilled)


@given(workload=workloads(max_jobs=25))
def test_the_plan_is_the_mean_of_the_last_submitted_runs_that_ended(workload: Workload) -> None:
    witness = Witness()
    users = ["ann", "bob", "bob"]
    jobs = of_users(workload, users)
    simulate(jobs, "easy", planned=witness, correction="request")
    for row, said in witness.said.items():
        mine = [
            ran
            for r, ran in sorted(witness.knew[row].items())
            if jobs.extra["user"][r] == jobs.extra["user"][row]
        ][-2:]
        mean = sum(mine) / len(mine) or 1 if mine else jobs.estimate[row]
        assert said == min(mean, jobs.estimate[row])


@each_policy
@given(workload=workloads(), renews=st.booleans())
def test_a_predictor_that_trusts_the_request_changes_nothing(
    policy: str,
    workload: Workload,
    renews: bool,  # noqa: FBT001 - hypothesis gives it by name
) -> None:
    class Trusting:
        def __init__(self) -> None:
            self.renews = renews

        def reset(self, workload: Workload) -> None:
            self.estimate = workload.estimate

        def predict(self, row: int) -> Seconds:
            return self.estimate[row]

        def learn(self, row: int, ran: Seconds) -> None:
            pass

    trusting = Trusting()
    assert isinstance(trusting, Predictor)
    plain = simulate(workload, policy_named(policy))
    assert list(simulate(workload, policy_named(policy), planned=trusting).start) == list(
        plain.start
    )


@each_policy
@given(workload=workloads(max_jobs=25), correction=ANY_CORRECTION)
def test_a_job_starts_with_the_plan_that_was_renewed_last(
    policy: str, workload: Workload, correction: str
) -> None:
    jobs = of_users(workload, ["ann", "bob", "bob"])
    witness = Witness(renews=True)
    options: dict[str, Any] = {"correction": correction, "decisions": True}
    schedule = simulate(jobs, policy_named(policy), planned=witness, **options)
    started = {d.job: d.planned for d in schedule.decisions or () if d.starts}
    assert len(started) == len(jobs)
    for row, submit in enumerate(jobs.submit):
        if schedule.start[row] > submit:
            continue
        assert started[jobs.id[row]] == witness.said[row]


def queue_of_four(*, renews: bool) -> list[Seconds]:
    """Ann's second job comes while her first runs, and waits for Bob's."""
    jobs = Workload.from_jobs(
        [
            Job(1, 0, 4, 100, 10, user="ann"),
            Job(2, 0, 4, 100, 60, user="bob"),
            Job(3, 1, 8, 100, 10, user="bob"),
            Job(4, 5, 2, 100, 10, user="ann"),
        ],
        machine_nodes=8,
    )
    return list(simulate(jobs, "easy", planned=Last2(renews=renews)).start)


def test_a_waiting_job_can_gain_from_a_renewed_plan() -> None:
    assert queue_of_four(renews=False) == [0, 0, 60, 70]
    assert queue_of_four(renews=True) == [0, 0, 60, 10]


def test_it_can_be_used_again() -> None:
    jobs = of_users(traces.load("teaching")[:300], ["ann", "bob"])
    predictor = Last2()
    first = simulate(jobs, "easy", planned=predictor)
    assert list(simulate(jobs, "easy", planned=predictor).start) == list(first.start)


def test_what_cannot_be_is_an_error() -> None:
    jobs = Workload.from_jobs([Job("j7", 0, 1, 9, 9, user="ann")], machine_nodes=1)

    class Broken(Last2):
        def predict(self, row: int) -> Seconds:  # noqa: ARG002
            return 0

    with pytest.raises(InputError, match="job j7: planned = 0; it must be a number greater"):
        simulate(jobs, planned=Broken())
    with pytest.raises(InputError, match="asks no predictor while it runs"):
        simulate(jobs, planned=Last2(), engine="compiled")
    with pytest.raises(InputError, match="no column 'user'"):
        simulate(Workload.from_jobs([Job(1, 0, 1, 9, 9)], machine_nodes=1), planned=Last2())
    with pytest.raises(InputError, match="count = 0"):
        Last2(0)


def within(value: float) -> Any:
    return pytest.approx(value, rel=0.1)


@pytest.mark.traces
@pytest.mark.usefixtures("traces_dir")
def test_easy_plus_plus_comes_close_to_its_report() -> None:
    """Minutes of mean wait and mean bounded slowdown that the authors report for this log."""
    log = estimates.kill_overruns(traces.load("kth-sp2"))
    parts: dict[str, Any] = {"planned": Last2(renews=True), "correction": "increments"}
    for schedule, wait, slowdown in (
        (simulate(log, "easy"), 114.2, 89.9),
        (simulate(log, "easy-sjbf"), 102, 73),
        (simulate(log, Watchful("shortest"), **parts), 94, 57),
    ):
        summary = schedule.summary()
        assert summary["mean_wait"] / 60 == within(wait)
        assert summary["mean_bounded_slowdown"] == within(slowdown)
