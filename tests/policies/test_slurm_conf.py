"""A real line is read, and nothing in it passes in silence."""

import inspect

import pytest

from shadowtime.engine import simulate
from shadowtime.errors import InputError
from shadowtime.policies import Slurm, slurm, slurm_conf
from shadowtime.workload import Job, Workload

LINE = (
    "SchedulerParameters=batch_sched_delay=20,bf_continue,bf_interval=300,bf_min_age_reserve=10800,"
    "bf_resolution=600,bf_yield_interval=1000000,partition_job_depth=500,sched_max_job_start=200"
)


def test_a_site_s_line_is_read_knob_by_knob() -> None:
    policy = slurm.from_conf(LINE)
    assert policy.bf_continue
    assert (policy.bf_interval, policy.bf_max_time) == (300, 300)
    assert (policy.bf_min_age_reserve, policy.bf_resolution) == (10_800, 600)
    assert policy.bf_yield_interval == 1_000_000
    assert policy.unmodelled == (
        "batch_sched_delay=20 is not modelled",
        "partition_job_depth=500 is not modelled",
        "sched_max_job_start=200 is not modelled",
    )


def test_what_the_line_does_not_set_keeps_its_default() -> None:
    policy, default = slurm.from_conf("SchedulerParameters=bf_window=2880"), Slurm()
    assert policy.bf_window == 2880
    names = {name for name in vars(default) if name.startswith("bf_")} - {"bf_window"}
    assert len(names) == 15
    assert all(getattr(policy, name) == getattr(default, name) for name in names)


def test_every_knob_of_the_policy_can_be_read() -> None:
    knobs = {name for name in inspect.signature(Slurm).parameters if name.startswith("bf_")}
    assert knobs == {*slurm_conf.LIMITS, *slurm_conf.FLAGS}
    assert not knobs & slurm_conf.OTHERS
    text = ",".join([f"{name}={low}" for name, (low, _) in slurm_conf.LIMITS.items()])
    policy = slurm.from_conf(f"schedulerparameters={text},{','.join(slurm_conf.FLAGS)}")
    assert all(getattr(policy, name) == low for name, (low, _) in slurm_conf.LIMITS.items())
    assert all(getattr(policy, name) is True for name in slurm_conf.FLAGS)
    assert policy.unmodelled == ()


def test_a_whole_file_is_read_and_lines_that_add_are_added() -> None:
    text = """
        # SchedulerParameters=bf_window=1
        ClusterName=teaching
        SchedulerType=sched/backfill
        SchedulerParameters=bf_window=2880,bf_max_job_test=50   # two days
        SchedulerParameters+=bf_busy_nodes,
        """
    policy = slurm.from_conf(text)
    assert (policy.bf_window, policy.bf_max_job_test, policy.bf_busy_nodes) == (2880, 50, True)


def test_the_builtin_scheduler_does_not_backfill() -> None:
    text = "SchedulerType=sched/builtin\nSchedulerParameters=bf_window=2880,defer"
    policy = slurm.from_conf(text)
    assert policy.bf_interval == -1
    assert policy.unmodelled == (
        "bf_window=2880 has no effect: there is no backfilling",
        "defer is not modelled",
    )


def test_a_misspelt_parameter_is_named() -> None:
    assert slurm.from_conf("SchedulerParameters=bf_windw=9").unmodelled == (
        "bf_windw=9 is not known to Slurm's manual",
    )


@pytest.mark.parametrize(
    "text, message",
    [
        ("ClusterName=x", "there is no SchedulerParameters= in this text"),
        ("SchedulerParameters=bf_window=two", "bf_window = 'two' is not a whole number"),
        ("SchedulerParameters=bf_window", "bf_window = '' is not a whole number"),
        ("SchedulerParameters=bf_window=0", "bf_window = 0; it must be from 1 to 43200"),
        ("SchedulerParameters=bf_continue=0", "bf_continue takes no value"),
    ],
)
def test_a_line_that_says_nothing_sensible_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        slurm.from_conf(text)


def test_the_policy_schedules_with_what_was_read() -> None:
    jobs = [Job(1, 0, 5, 400, 400), Job(2, 10, 6, 200, 200), Job(3, 20, 3, 60, 60)]
    workload = Workload.from_jobs(jobs, machine_nodes=8)
    policy = slurm.from_conf("SchedulerParameters=bf_interval=300")
    assert list(simulate(workload, policy).start) == [0, 400, 300]


def test_partitions_and_costs_are_given_beside_the_text() -> None:
    jobs = [Job(1, 0, 2, 400, 400), Job(2, 10, 2, 200, 200)]
    workload = Workload.from_jobs(jobs, machine_nodes=4).replace(partition=["a", "b"])
    parts = {"a": range(2), "b": range(2)}
    policy = slurm.from_conf("SchedulerParameters=", partitions=parts, test_seconds=1)
    assert policy.test_seconds == 1
    assert list(simulate(workload, policy).start) == [0, 400]
