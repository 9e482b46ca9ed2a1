"""First fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine import simulate
from shadowtime.workload import Job, Workload
from tests.strategies import workloads


@pytest.mark.parametrize("narrow", [5, 50])
def test_a_stream_of_narrow_jobs_starves_a_wide_one(narrow: int) -> None:
    """Each narrow job comes before the last one ends; the wide one waits for all of them."""
    jobs = [Job(1, 0, 2, 10, 10), Job(2, 1, 4, 10, 10)]
    jobs += [Job(3 + n, 6 * (n + 1), 2, 10, 10) for n in range(narrow)]
    workload = Workload.from_jobs(jobs, machine_nodes=4)
    starved = simulate(workload, "first-fit")
    assert starved.start[1] == max(starved.start) == 6 * narrow + 10
    assert simulate(workload, "easy").start[1] == 10


@given(workload=workloads())
def test_no_job_is_promised_anything(workload: Workload) -> None:
    assert set(simulate(workload, "first-fit").first_reservation) == {None}


@given(workload=workloads(), factor=st.integers(2, 9))
def test_estimates_do_not_matter_unless_they_kill(workload: Workload, factor: int) -> None:
    loose = workload.replace(estimate=[factor * estimate for estimate in workload.estimate])
    here, there = (simulate(jobs, "first-fit", overrun="extend") for jobs in (workload, loose))
    assert list(here.start) == list(there.start)


@given(workload=workloads())
def test_with_one_node_a_job_it_is_fcfs(workload: Workload) -> None:
    narrow = workload.replace(nodes=[1] * len(workload))
    assert list(simulate(narrow, "first-fit").start) == list(simulate(narrow, "fcfs").start)
