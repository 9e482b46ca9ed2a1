"""Each knob of Slurm changes the schedule where the manual says so, and nowhere else."""

import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine import simulate
from shadowtime.errors import InputError
from shadowtime.policies import Slurm, slurm, slurm_conf
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, Seconds, Workload
from tests.strategies import workloads

HOUR = 3600


def run(jobs: list[Job], extra: dict[str, list[Any]] | None = None, **knobs: Any) -> list[Seconds]:
    """Return the starts on 8 nodes."""
    workload = Workload.from_jobs(jobs, machine_nodes=8)
    return list(simulate(workload.replace(**(extra or {})), Slurm(**knobs)).start)


def exact(job: int, submit: int, nodes: int, runtime: int, user: str | None = None) -> Job:
    return Job(job, submit, nodes, runtime, runtime, user=user)


def test_defaults_are_those_of_the_manual() -> None:
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(Slurm).parameters.items()
        if name.startswith("bf_")
    }
    assert defaults == {
        "bf_window": 1440,
        "bf_resolution": 60,
        "bf_interval": 30,
        "bf_max_time": None,
        "bf_max_job_test": 500,
        "bf_max_job_user": 0,
        "bf_max_job_part": 0,
        "bf_max_job_start": 0,
        "bf_job_part_count_reserve": 0,
        "bf_min_age_reserve": 0,
        "bf_min_prio_reserve": 0,
        "bf_continue": False,
        "bf_busy_nodes": False,
        "bf_one_resv_per_job": False,
        "bf_yield_interval": 2_000_000,
        "bf_yield_sleep": 500_000,
    }
    assert Slurm().bf_max_time == 30
    assert Slurm(bf_interval=300).bf_max_time == 300


# Job 2 is blocked and reserves; job 3 fits now and would delay it.
BLOCKED = [exact(1, 0, 6, 2 * HOUR), exact(2, 10, 8, HOUR), exact(3, 40, 2, 3 * HOUR)]
PROTECTED = [0, 2 * HOUR, 3 * HOUR]
OVERTAKEN = [0, 3 * HOUR + 60, 60]
FIRST_FIT = [0, 3 * HOUR + 40, 40]


def test_by_default_every_job_reserves() -> None:
    """Job 4 would delay the third in the queue, which EASY does not protect."""
    jobs = [exact(1, 0, 5, 600), exact(2, 1, 6, 600), exact(3, 2, 8, 600), exact(4, 60, 2, 1200)]
    assert run(jobs) == [0, 600, 1200, 1800]
    workload = Workload.from_jobs(jobs, machine_nodes=8)
    assert list(simulate(workload, "easy").start) == [0, 600, 1260, 60]


@pytest.mark.parametrize(
    "minutes, starts", [(1440, PROTECTED), (120, PROTECTED), (118, OVERTAKEN), (1, OVERTAKEN)]
)
def test_a_job_that_would_start_beyond_the_window_is_not_protected(
    minutes: int, starts: list[Seconds]
) -> None:
    """Cycles begin at 0, 30 and 60; at 60, job 2 can start in 119 minutes."""
    assert run(BLOCKED, bf_window=minutes) == starts


@pytest.mark.parametrize("minutes, hours", [(60, 21.5), (120, 4), (1440, 4)])
def test_a_short_window_lets_a_stream_of_small_jobs_starve_a_wide_one(
    minutes: int, hours: float
) -> None:
    """Four of the stream run at any time, the last of them for more than an hour and a half."""
    stream = [exact(2 + i, 1800 * i, 2, 2 * HOUR) for i in range(40)]
    starts = run([*stream, exact(1, 2 * HOUR + 600, 8, HOUR)], bf_window=minutes)
    assert starts[5] == hours * HOUR


@pytest.mark.parametrize(
    "resolution, last", [(1, 1075), (60, 1020), (600, 600)], ids=["second", "minute", "ten minutes"]
)
def test_a_reservation_begins_at_a_multiple_of_the_resolution(resolution: int, last: int) -> None:
    """Job 2 can start at 1,075. Job 3, tested at 60, must have ended by then, or before."""
    for length, start in ((last - 60, 60), (last - 59, 1075 + 555)):
        jobs = [exact(1, 0, 6, 1075), exact(2, 10, 8, 555), exact(3, 40, 2, length)]
        assert run(jobs, bf_resolution=resolution) == [0, 1075, start]


@pytest.mark.parametrize("seconds, start", [(5, 20), (20, 20), (25, 25), (30, 30), (300, 300)])
def test_only_a_cycle_lets_a_job_pass(seconds: int, start: int) -> None:
    jobs = [exact(1, 0, 5, 400), exact(2, 10, 6, 200), exact(3, 20, 3, 60)]
    assert run(jobs, bf_interval=seconds) == [0, 400, start]


def test_who_is_first_starts_at_once_whatever_the_interval() -> None:
    jobs = [exact(1, 0, 5, 400), exact(2, 10, 3, 200), exact(3, 15, 6, 60), exact(4, 20, 4, 60)]
    assert run(jobs, bf_interval=10_800) == [0, 10, 400, 460]


@given(workload=workloads())
def test_without_cycles_it_is_first_come_first_served(workload: Workload) -> None:
    ours = simulate(workload, Slurm(bf_interval=-1))
    assert list(ours.start) == list(simulate(workload, "fcfs").start)


@given(workload=workloads())
def test_if_nobody_is_old_enough_to_keep_others_waiting_it_is_first_fit(workload: Workload) -> None:
    ours = simulate(workload, Slurm(bf_min_age_reserve=2_592_000))
    theirs = simulate(workload, "first-fit")
    assert list(ours.start) == list(theirs.start)
    assert list(ours.backfilled) == list(theirs.backfilled)


@given(workload=workloads())
def test_with_one_reservation_on_busy_nodes_and_a_cycle_at_every_event_it_is_easy(
    workload: Workload,
) -> None:
    """A job of no runtime makes a second pass at its instant, for which no cycle is due."""
    workload = workload.replace(runtime=[max(runtime, 1) for runtime in workload.runtime])
    knobs: dict[str, Any] = {"bf_interval": 1, "bf_resolution": 1, "bf_window": 43_200}
    ours = simulate(workload, Slurm(bf_job_part_count_reserve=1, bf_busy_nodes=True, **knobs))
    theirs = simulate(workload, "easy", engine="readable")
    assert list(ours.start) == list(theirs.start)
    assert list(ours.backfilled) == list(theirs.backfilled)


DEEP = [
    exact(1, 0, 5, 400), exact(2, 10, 6, 200), exact(3, 10, 6, 200), exact(4, 10, 3, 60)
]  # fmt: skip


@pytest.mark.parametrize("jobs, start", [(500, 30), (3, 30), (2, 800), (1, 800)])
def test_a_cycle_tests_no_more_jobs_than_it_may(jobs: int, start: int) -> None:
    assert run(DEEP, bf_max_job_test=jobs) == [0, 400, 600, start]


@pytest.mark.parametrize("jobs, starts", [(0, (30, 30)), (2, (30, 30)), (1, (400, 30))])
def test_a_cycle_tests_no_more_jobs_of_one_user_than_it_may(
    jobs: int, starts: tuple[int, int]
) -> None:
    """Ann's first job is blocked and takes the one test that she has; Bob has his own."""
    queue = [
        exact(1, 0, 5, 400, "cy"),
        exact(2, 10, 6, 200, "ann"),
        exact(3, 10, 1, 60, "ann"),
        exact(4, 10, 2, 60, "bob"),
    ]
    assert run(queue, bf_max_job_user=jobs) == [0, 400, *starts]


def test_a_cycle_tests_no_more_jobs_of_one_partition_than_it_may() -> None:
    jobs = [exact(1, 0, 5, 400), exact(2, 10, 6, 200), exact(3, 10, 1, 60), exact(4, 10, 2, 60)]
    parts = {"partition": ["long", "long", "long", "short"]}
    both = {"long": range(8), "short": range(8)}
    assert run(jobs, parts, partitions=both) == [0, 400, 30, 30]
    assert run(jobs, parts, partitions=both, bf_max_job_part=2) == [0, 400, 30, 30]
    assert run(jobs, parts, partitions=both, bf_max_job_part=1) == [0, 400, 400, 30]


@pytest.mark.parametrize("jobs, starts", [(0, (30, 30)), (2, (30, 30)), (1, (30, 60))])
def test_a_cycle_starts_no_more_jobs_than_it_may(jobs: int, starts: tuple[int, int]) -> None:
    queue = [exact(1, 0, 5, 400), exact(2, 10, 6, 200), exact(3, 10, 1, 60), exact(4, 10, 2, 60)]
    assert run(queue, bf_max_job_start=jobs) == [0, 400, *starts]


@pytest.mark.parametrize(
    "cost, seconds, start",
    [(0, 1, 30), (4, 3600, 39), (4, 30, 39), (4, 12, 39), (4, 8, 800), (10, 20, 800)],
)
def test_a_cycle_that_takes_too_long_ends_before_its_list_does(
    cost: int, seconds: int, start: int
) -> None:
    """Each cycle begins at the top again, so what is deep in the queue is never reached.

    A test of 4 s makes a pause of half a second after each, so the third is made at 39.
    """
    assert run(DEEP, bf_max_time=seconds, test_seconds=cost) == [0, 400, 600, start]


def test_a_cycle_that_costs_nothing_has_no_time_to_exceed() -> None:
    assert run(DEEP, bf_max_time=1) == run(DEEP, bf_max_time=3600)


STREAM = [*DEEP, *(exact(5 + i, 32 + 5 * i, 8, 60) for i in range(10))]


def test_a_cycle_that_something_happened_to_goes_on_only_with_bf_continue() -> None:
    """A job comes every 5 s, in each pause of a cycle whose tests take 4 s."""
    assert run(STREAM, test_seconds=4, bf_continue=True)[3] == 39
    assert run(STREAM, test_seconds=4)[3] > 60


def test_bf_continue_changes_nothing_while_nothing_happens() -> None:
    for cost in (0, 4):
        assert run(DEEP, test_seconds=cost) == run(DEEP, test_seconds=cost, bf_continue=True)


def test_a_cycle_without_a_pause_cannot_be_disturbed() -> None:
    assert run(STREAM) == run(STREAM, bf_continue=True)
    quick: dict[str, Any] = {"test_seconds": 0.1, "bf_yield_interval": 10_000_000}
    assert run(STREAM, **quick)[3] == run(STREAM, **quick, bf_continue=True)[3] == 30


TWO = {"a": range(4), "b": range(4, 8)}


@pytest.mark.parametrize("one, start", [(False, 400), (True, 60)])
def test_a_job_of_two_partitions_reserves_in_both_unless_told_otherwise(
    *, one: bool, start: int
) -> None:
    """Job 3 waits for either; job 4 would delay it in the partition where it will not start."""
    jobs = [exact(1, 0, 4, 400), exact(2, 0, 3, 1000), exact(3, 10, 4, 600), exact(4, 35, 1, 2000)]
    parts = {"partition": ["a", "b", "a,b", "b"]}
    assert run(jobs, parts, partitions=TWO, bf_one_resv_per_job=one) == [0, 0, 400, start]


def test_a_job_of_one_partition_has_one_reservation_anyway() -> None:
    jobs = [exact(1, 0, 4, 400), exact(2, 0, 3, 1000), exact(3, 10, 4, 600), exact(4, 35, 1, 2000)]
    parts = {"partition": ["a", "b", "b", "b"]}
    without, with_it = (
        run(jobs, parts, partitions=TWO, bf_one_resv_per_job=one) for one in (False, True)
    )
    assert without == with_it == [0, 0, 1000, 1600]


def test_a_job_starts_in_whichever_of_its_partitions_is_free_first() -> None:
    jobs = [exact(1, 0, 4, 400), exact(2, 0, 4, 100), exact(3, 10, 4, 600)]
    assert run(jobs, {"partition": ["a", "b", "a,b"]}, partitions=TWO) == [0, 0, 100]


def test_a_full_partition_does_not_keep_the_other_waiting() -> None:
    jobs = [exact(1, 0, 4, 400), exact(2, 10, 4, 400), exact(3, 15, 4, 60)]
    parts = {"partition": ["a", "a", "b"]}
    assert run(jobs, parts, partitions=TWO, bf_interval=-1) == [0, 400, 15]


@pytest.mark.parametrize("needs, busy, start", [(6, False, 1000), (6, True, 201), (8, True, 1600)])
def test_a_reservation_leaves_idle_nodes_to_others_if_it_prefers_busy_ones(
    *, needs: int, busy: bool, start: int
) -> None:
    """Nodes 4 to 7 are busy until 1,000, nodes 0 to 3 are idle from 100 on.

    Job 3 reserves 6 nodes: all idle ones and two busy ones, or all busy ones and two idle ones.
    """
    jobs = [
        exact(1, 0, 4, 100), exact(2, 0, 4, 1000), exact(3, 150, needs, 600), exact(4, 201, 2, 5000)
    ]  # fmt: skip
    assert run(jobs, bf_busy_nodes=busy) == [0, 0, 1000, start]


@pytest.mark.parametrize(
    "age, starts", [(0, PROTECTED), (30, PROTECTED), (31, FIRST_FIT), (3600, FIRST_FIT)]
)
def test_a_job_too_young_to_reserve_keeps_nobody_waiting(age: int, starts: list[Seconds]) -> None:
    assert run(BLOCKED, bf_min_age_reserve=age) == starts


@pytest.mark.parametrize(
    "least, starts", [(0, PROTECTED), (7, PROTECTED), (8, FIRST_FIT), (2**63, FIRST_FIT)]
)
def test_a_job_of_too_low_a_priority_keeps_nobody_waiting(
    least: int, starts: list[Seconds]
) -> None:
    priority = {"priority": [9, 7, 5]}
    assert run(BLOCKED, priority, bf_min_prio_reserve=least) == starts


def test_the_queue_is_in_order_of_priority() -> None:
    jobs = [exact(1, 0, 8, 100), exact(2, 10, 8, 100), exact(3, 20, 8, 100)]
    assert run(jobs, {"priority": [1, 1, 2]}) == [0, 200, 100]
    assert run(jobs, {"priority": [1, 1, 1]}) == [0, 100, 200]


@pytest.mark.parametrize("count, start", [(0, 1800), (2, 1800), (1, 60)])
def test_only_the_first_jobs_of_a_partition_reserve_if_they_are_counted(
    count: int, start: int
) -> None:
    jobs = [exact(1, 0, 5, 600), exact(2, 1, 6, 600), exact(3, 2, 8, 600), exact(4, 60, 2, 1200)]
    assert run(jobs, bf_job_part_count_reserve=count)[3] == start


KNOBS = st.fixed_dictionaries(
    {},
    optional={
        "bf_window": st.sampled_from((1, 43_200)),
        "bf_resolution": st.sampled_from((1, 4, 3600)),
        "bf_interval": st.sampled_from((1, 3, 10)),
        "bf_max_job_test": st.sampled_from((1, 2, 5)),
        "bf_max_job_start": st.sampled_from((0, 1)),
        "bf_max_time": st.sampled_from((1, 10)),
        "bf_min_age_reserve": st.sampled_from((0, 5)),
        "bf_job_part_count_reserve": st.sampled_from((0, 1)),
        "bf_continue": st.booleans(),
        "bf_busy_nodes": st.booleans(),
        "bf_one_resv_per_job": st.booleans(),
        "test_seconds": st.sampled_from((0, 0.5, 3)),
    },
)


@given(workload=workloads(), knobs=KNOBS, overrun=st.sampled_from(("kill", "extend")))
def test_every_job_starts_under_any_settings_and_the_log_changes_nothing(
    workload: Workload, knobs: dict[str, Any], overrun: Any
) -> None:
    silent = simulate(workload, Slurm(**knobs), overrun=overrun)
    told = simulate(workload, Slurm(**knobs), overrun=overrun, decisions=True)
    assert list(told.start) == list(silent.start)
    assert list(told.first_reservation) == list(silent.first_reservation)
    assert all(busy(silent, now) <= silent.nodes for now in silent.start)


def busy(schedule: Schedule, now: Seconds) -> int:
    spans = zip(schedule.start, schedule.end, schedule.workload.nodes, strict=True)
    return sum(nodes for start, end, nodes in spans if start <= now < end)


@given(data=st.data(), workload=workloads(), knobs=KNOBS)
def test_no_partition_holds_more_than_its_nodes(
    data: st.DataObject, workload: Workload, knobs: dict[str, Any]
) -> None:
    machine = workload.machine_nodes or 1
    workload = workload.replace(nodes=[1] * len(workload))
    split = data.draw(st.integers(1, machine))
    partitions = {"a": range(split), "b": range(machine)}
    names = data.draw(
        st.lists(
            st.sampled_from(("a", "b", "a,b", "b,a")),
            min_size=len(workload),
            max_size=len(workload),
        )
    )
    schedule = simulate(workload.replace(partition=names), Slurm(partitions=partitions, **knobs))
    for now in schedule.start:
        spans = zip(schedule.start, schedule.end, names, strict=True)
        assert sum(start <= now < end for start, end, part in spans if part == "a") <= split


@pytest.mark.parametrize("knob", slurm_conf.LIMITS)
def test_a_value_outside_the_limits_of_the_manual_is_refused(knob: str) -> None:
    def made(value: int) -> Slurm:
        knobs: dict[str, Any] = {knob: value}
        return Slurm(**knobs)

    least, greatest = slurm_conf.LIMITS[knob]
    assert all(getattr(made(value), knob) == value for value in (least, greatest))
    for value in (least - 3, greatest + 1):
        with pytest.raises(InputError, match=f"{knob} = {value}; it must be from {least} to"):
            made(value)


def test_what_a_knob_needs_to_know_must_be_in_the_workload() -> None:
    jobs = [exact(1, 0, 2, 9)]
    with pytest.raises(InputError, match="bf_max_job_user: this workload does not say whose"):
        run(jobs, bf_max_job_user=1)
    with pytest.raises(InputError, match=r"bf_min_prio_reserve: .* no column 'priority'"):
        run(jobs, bf_min_prio_reserve=1)
    with pytest.raises(InputError, match=r"partitions: .* no column 'partition'"):
        run(jobs, partitions=TWO)
    with pytest.raises(InputError, match=r"job 1: partition = 'c' cannot hold it; .* a \(4\), b"):
        run(jobs, {"partition": ["c"]}, partitions=TWO)
    with pytest.raises(InputError, match="a partition has a node that the machine has not"):
        run(jobs, {"partition": ["a"]}, partitions={"a": range(9)})
    with pytest.raises(InputError, match="test_seconds = -1"):
        Slurm(test_seconds=-1)


def test_a_policy_that_was_used_begins_anew() -> None:
    policy = Slurm(bf_interval=7)
    workload = Workload.from_jobs(BLOCKED, machine_nodes=8)
    assert list(simulate(workload, policy).start) == list(simulate(workload, policy).start)


def test_the_log_says_which_scheduler_decided_and_why() -> None:
    workload = Workload.from_jobs(BLOCKED, machine_nodes=8)
    told = simulate(workload, Slurm(bf_window=60), decisions=True)
    assert [row.rule for row in told.explain(2).rows[:3]] == [slurm.BLOCKED] * 2 + [slurm.BEYOND]
    assert [row.rule for row in told.explain(3).rows] == [slurm.BLOCKED] * 2 + [slurm.FILLS]
    assert told.explain(1).rows[0].rule == slurm.MAIN
