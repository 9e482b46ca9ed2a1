"""What holds for every schedule, on random workloads, seen from outside the policies."""

from bisect import insort
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine import Overrun, simulate
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, Seconds, Workload
from tests.oracles.naive import CORRECTIONS, Naive
from tests.strategies import POLICIES, plans, policy_named, workloads

ANY_CORRECTION = st.sampled_from(list(CORRECTIONS))
OVERRUN = st.sampled_from(("kill", "extend"))
KEPT = [name for name in POLICIES if name.startswith("conservative") and "replan" not in name]

each_policy = pytest.mark.parametrize("policy", POLICIES)


def run(workload: Workload, policy: str, overrun: Overrun = "kill", **options: Any) -> Schedule:
    return simulate(workload, policy_named(policy), overrun=overrun, engine="readable", **options)


@each_policy
@given(data=st.data(), workload=workloads(max_jobs=20), overrun=OVERRUN)
def test_a_naive_simulator_starts_every_job_at_the_same_minute(
    policy: str, data: st.DataObject, workload: Workload, overrun: Overrun
) -> None:
    planned = data.draw(plans(workload))
    correction = data.draw(ANY_CORRECTION)
    schedule = run(workload, policy, overrun, planned=planned, correction=correction)
    naive = Naive(workload, policy, overrun, planned, correction)
    assert list(schedule.start) == naive.starts
    assert list(schedule.backfilled) == naive.backfilled
    assert list(schedule.first_reservation) == naive.first_reservations


@each_policy
@given(data=st.data(), workload=workloads(), overrun=OVERRUN)
def test_each_job_runs_once_in_full_and_nodes_are_never_overbooked(
    policy: str, data: st.DataObject, workload: Workload, overrun: Overrun
) -> None:
    schedule = run(workload, policy, overrun, planned=data.draw(plans(workload)))
    assert len(schedule.start) == len(schedule.end) == len(workload)
    for job, start, end, killed in zip(
        workload, schedule.start, schedule.end, schedule.killed, strict=True
    ):
        assert start >= job.submit
        assert killed == (overrun == "kill" and job.runtime > job.estimate)
        assert end - start == (job.estimate if killed else job.runtime)
    for instant in schedule.start:
        assert busy(schedule, instant) <= schedule.nodes


def busy(schedule: Schedule, now: Seconds) -> int:
    spans = zip(schedule.start, schedule.end, schedule.workload.nodes, strict=True)
    return sum(nodes for start, end, nodes in spans if start <= now < end)


@given(data=st.data(), workload=workloads(), overrun=OVERRUN)
def test_fcfs_starts_jobs_in_queue_order(
    data: st.DataObject, workload: Workload, overrun: Overrun
) -> None:
    starts = list(run(workload, "fcfs", overrun, planned=data.draw(plans(workload))).start)
    assert starts == sorted(starts)


@pytest.mark.parametrize("policy", ["easy", "easy-sjbf", *KEPT])
@given(workload=workloads())
def test_no_job_starts_after_its_first_promise(policy: str, workload: Workload) -> None:
    schedule = run(workload, policy)
    for start, promise in zip(schedule.start, schedule.first_reservation, strict=True):
        assert promise is None or start <= promise


@pytest.mark.parametrize("policy", KEPT)
@given(workload=workloads())
def test_conservative_promises_every_job_a_start(policy: str, workload: Workload) -> None:
    assert None not in run(workload, policy).first_reservation


@given(workload=workloads())
def test_without_compression_every_job_starts_as_promised(workload: Workload) -> None:
    schedule = run(workload, "conservative-none")
    assert list(schedule.start) == list(schedule.first_reservation)


@pytest.mark.parametrize("policy", KEPT)
@given(workload=workloads())
def test_with_perfect_estimates_compression_changes_nothing(
    policy: str, workload: Workload
) -> None:
    workload = workload.replace(runtime=workload.estimate)
    schedule = run(workload, policy)
    assert list(schedule.start) == list(run(workload, "conservative-replan").start)
    assert list(schedule.start) == list(schedule.first_reservation)


# A pass leaves no startable job behind. The rules are applied again from outside, at every instant
# of a schedule, to what then ran and waited.


def instants(
    schedule: Schedule, planned: list[int] | None
) -> Iterator[tuple[Seconds, list[tuple[Seconds, int]], list[tuple[Seconds, int]]]]:
    """Yield every instant of a pass, who runs (planned end, nodes) and who waits after it.

    Those who wait are told as (planned runtime, nodes), in queue order. Under ``correction="none"``
    a running job past its planned end counts as ending now.
    """
    workload = schedule.workload
    plan = planned or workload.estimate
    jobs = list(
        zip(workload.submit, schedule.start, schedule.end, plan, workload.nodes, strict=True)
    )
    for now in sorted({*workload.submit, *schedule.end}):
        running: list[tuple[Seconds, int]] = []
        for _, start, end, length, nodes in jobs:
            if start <= now < end:
                insort(running, (max(start + length, now), nodes))
        waiting = [(job[3], job[4]) for job in jobs if job[0] <= now < job[1]]
        yield now, running, waiting


def free_nodes(schedule: Schedule, running: list[tuple[Seconds, int]]) -> int:
    return schedule.nodes - sum(nodes for _, nodes in running)


@given(data=st.data(), workload=workloads(), overrun=OVERRUN)
def test_fcfs_leaves_no_head_that_fits(
    data: st.DataObject, workload: Workload, overrun: Overrun
) -> None:
    planned = data.draw(plans(workload))
    schedule = run(workload, "fcfs", overrun, planned=planned)
    for _, running, waiting in instants(schedule, planned):
        assert all(nodes > free_nodes(schedule, running) for _, nodes in waiting[:1])


@given(data=st.data(), workload=workloads(), overrun=OVERRUN)
def test_first_fit_leaves_no_job_that_fits(
    data: st.DataObject, workload: Workload, overrun: Overrun
) -> None:
    planned = data.draw(plans(workload))
    schedule = run(workload, "first-fit", overrun, planned=planned)
    for _, running, waiting in instants(schedule, planned):
        assert all(nodes > free_nodes(schedule, running) for _, nodes in waiting)


@pytest.mark.parametrize("policy", ["easy", "easy-sjbf"])
@given(data=st.data(), workload=workloads(), overrun=OVERRUN)
def test_easy_leaves_no_job_that_would_keep_the_promise_to_the_head(
    policy: str, data: st.DataObject, workload: Workload, overrun: Overrun
) -> None:
    planned = data.draw(plans(workload))
    schedule = run(workload, policy, overrun, planned=planned)
    for now, running, waiting in instants(schedule, planned):
        if not waiting:
            continue
        free = free_nodes(schedule, running)
        (_, need), *others = waiting
        assert need > free
        releases = sorted({end for end, _ in running})
        left = {end: free + sum(n for e, n in running if e <= end) for end in releases}
        shadow = next(end for end in releases if left[end] >= need)
        extra = left[shadow] - need
        for length, nodes in others:
            assert nodes > free or (now + length > shadow and nodes > extra)


@given(workload=workloads(max_jobs=20))
def test_a_plan_made_anew_would_start_nothing_that_replanning_left_waiting(
    workload: Workload,
) -> None:
    schedule = run(workload, "conservative-replan")
    for now, running, waiting in instants(schedule, None):
        holds = [(now, end, nodes) for end, nodes in running]
        for length, nodes in waiting:
            begin = min(
                at
                for at in {now, *(end for _, end, _ in holds)}
                if stays_free(holds, at, at + length, schedule.nodes - nodes)
            )
            assert begin > now
            holds.append((begin, begin + length, nodes))


def stays_free(
    holds: list[tuple[Seconds, Seconds, int]], begin: Seconds, end: Seconds, allowed: int
) -> bool:
    """Whether `holds` take no more than `allowed` nodes at any time from `begin` to `end`."""
    steps = {begin, *(start for start, _, _ in holds if begin < start < end)}
    return all(sum(n for s, e, n in holds if s <= at < e) <= allowed for at in steps)


@each_policy
@given(
    data=st.data(), workload=workloads(), overrun=OVERRUN, shift=st.sampled_from((-100, -1, 7, 0.5))
)
def test_shifting_all_submits_shifts_all_starts(
    policy: str, data: st.DataObject, workload: Workload, overrun: Overrun, shift: float
) -> None:
    options = {"planned": data.draw(plans(workload)), "correction": data.draw(ANY_CORRECTION)}
    moved = workload.replace(submit=[submit + shift for submit in workload.submit])
    here, there = (run(jobs, policy, overrun, **options) for jobs in (workload, moved))
    assert [start + shift for start in here.start] == list(there.start)
    assert list(here.backfilled) == list(there.backfilled)


@each_policy
@given(data=st.data(), workload=workloads(), overrun=OVERRUN, factor=st.sampled_from((3, 60, 0.25)))
def test_scaling_all_times_scales_all_starts(
    policy: str, data: st.DataObject, workload: Workload, overrun: Overrun, factor: float
) -> None:
    planned = data.draw(plans(workload))
    correction = data.draw(st.sampled_from(("none", "request", "doubling")))
    scaled = workload.replace(
        **{
            column: [factor * value for value in getattr(workload, column)]
            for column in ("submit", "estimate", "runtime")
        }
    )
    here = run(workload, policy, overrun, planned=planned, correction=correction)
    plan: Any = planned and [factor * value for value in planned]
    there = run(scaled, policy, overrun, planned=plan, correction=correction)
    assert [factor * start for start in here.start] == list(there.start)
    assert list(here.backfilled) == list(there.backfilled)


@each_policy
@given(first=workloads(max_jobs=12), second=workloads(max_jobs=12), overrun=OVERRUN)
def test_jobs_that_no_one_waits_for_change_nothing(
    policy: str, first: Workload, second: Workload, overrun: Overrun
) -> None:
    """Two workloads on one machine, the second submitted when the first is over."""
    nodes = max(first.machine_nodes or 0, second.machine_nodes or 0)
    alone = run(first, policy, overrun, nodes=nodes)
    later = max(alone.end) + 1
    jobs = [*first]
    for job in second:
        jobs.append(Job(len(jobs) + 1, job.submit + later, job.nodes, job.estimate, job.runtime))
    both = run(Workload.from_jobs(jobs), policy, overrun, nodes=nodes)
    after = run(second, policy, overrun, nodes=nodes)
    assert list(both.start) == [*alone.start, *(start + later for start in after.start)]


@each_policy
@given(workload=workloads(), overrun=OVERRUN)
def test_on_a_machine_for_all_nobody_waits(
    policy: str, workload: Workload, overrun: Overrun
) -> None:
    schedule = run(workload, policy, overrun, nodes=sum(workload.nodes))
    assert list(schedule.start) == list(workload.submit)
    assert not any(schedule.backfilled)


@each_policy
@given(data=st.data(), workload=workloads(), overrun=OVERRUN)
def test_the_decision_log_changes_no_decision(
    policy: str, data: st.DataObject, workload: Workload, overrun: Overrun
) -> None:
    options = {"planned": data.draw(plans(workload)), "correction": data.draw(ANY_CORRECTION)}
    silent = run(workload, policy, overrun, **options)
    told = run(workload, policy, overrun, decisions=True, **options)
    assert silent.decisions is None
    assert told.decisions is not None
    assert list(told.start) == list(silent.start)
    assert list(told.backfilled) == list(silent.backfilled)
    assert list(told.first_reservation) == list(silent.first_reservation)
    assert Counter(d.job for d in told.decisions if d.starts) == Counter(workload.id)
    for decision in told.decisions:
        assert str(decision).startswith(f"t={decision.time}: job {decision.job} ")
