"""First come, first served."""

from hypothesis import given

from shadowtime.engine import simulate
from shadowtime.workload import Job, Workload
from tests.strategies import workloads


def test_nobody_passes_the_head_even_if_nodes_stand_idle() -> None:
    jobs = [Job(1, 0, 5, 40, 40), Job(2, 1, 6, 20, 20), Job(3, 2, 1, 1, 1)]
    schedule = simulate(Workload.from_jobs(jobs), "fcfs", nodes=8)
    assert list(schedule.start) == [0, 40, 40]


@given(workload=workloads())
def test_nobody_is_backfilled_nor_promised_anything(workload: Workload) -> None:
    schedule = simulate(workload, "fcfs")
    assert not any(schedule.backfilled)
    assert set(schedule.first_reservation) == {None}


@given(workload=workloads())
def test_estimates_do_not_matter_unless_they_kill(workload: Workload) -> None:
    """A scheduler that looks at no estimate cannot be misled by one."""
    loose = workload.replace(estimate=[10 * estimate for estimate in workload.estimate])
    here, there = (simulate(jobs, "fcfs", overrun="extend") for jobs in (workload, loose))
    assert list(here.start) == list(there.start)
