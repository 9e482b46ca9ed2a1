"""Reservations for those who have waited long: between none and all, by a threshold."""

from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine import Overrun, simulate
from shadowtime.errors import InputError
from shadowtime.policies import Depth, Policy, Selective
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, Workload
from tests.strategies import plans, workloads

OVERRUN = st.sampled_from(("kill", "extend"))


def told(schedule: Schedule) -> tuple[list[object], ...]:
    return list(schedule.start), list(schedule.backfilled), list(schedule.first_reservation)


@pytest.mark.parametrize("threshold, twin", [(1, Depth(inf)), (inf, Depth(0))])
@given(data=st.data(), workload=workloads(), overrun=OVERRUN)
def test_the_lowest_threshold_reserves_for_all_and_an_infinite_one_for_none(
    threshold: float, twin: Policy, data: st.DataObject, workload: Workload, overrun: Overrun
) -> None:
    planned = data.draw(plans(workload))
    ours = simulate(workload, Selective(threshold), overrun=overrun, planned=planned)
    assert told(ours) == told(simulate(workload, twin, overrun=overrun, planned=planned))


@given(workload=workloads(), threshold=st.sampled_from((1, 1.5, 3, "adaptive")), overrun=OVERRUN)
def test_the_decision_log_changes_no_decision(
    workload: Workload, threshold: Any, overrun: Overrun
) -> None:
    policy = Selective(threshold)
    silent = simulate(workload, policy, overrun=overrun)
    assert told(simulate(workload, policy, overrun=overrun, decisions=True)) == told(silent)


@pytest.mark.parametrize("threshold, start", [(1, 81), (2, 81), (2.01, 151)])
def test_a_job_reserves_once_it_has_waited_long_for_its_length(
    threshold: float, start: int
) -> None:
    """Job 2 waits from 1; at 41, when job 3 comes, its expansion factor is 2."""
    jobs = [Job(1, 0, 5, 81, 81), Job(2, 1, 6, 40, 40), Job(3, 41, 3, 110, 110)]
    schedule = simulate(Workload.from_jobs(jobs, machine_nodes=8), Selective(threshold))
    assert schedule.start[1] == start


@pytest.mark.parametrize("wait, reserves", [(39, False), (40, True)])
def test_an_adaptive_threshold_is_the_mean_factor_of_those_that_have_started(
    *, wait: int, reserves: bool
) -> None:
    """Jobs 1 and 2 start with factors of 1 and 3; job 3 has come to 2 when it has waited 40."""
    asks = 21 + wait
    jobs = [
        Job(1, 0, 8, 20, 20),
        Job(2, 0, 5, 10, 60),
        Job(3, 21, 6, 40, 40),
        Job(4, asks, 3, 60, 60),
    ]
    workload = Workload.from_jobs(jobs, machine_nodes=8)
    schedule = simulate(workload, Selective("adaptive"), overrun="extend")
    assert schedule.start[1] == 20
    assert (schedule.start[3] == asks) is not reserves


@pytest.mark.parametrize("threshold", [0, 0.99, -inf, nan, "adaptiv"])
def test_a_threshold_that_everyone_is_above_is_refused(threshold: Any) -> None:
    with pytest.raises(InputError, match=f"threshold = {threshold!r}; it is 1 or more, or 'adapt"):
        Selective(threshold)


def test_names_say_the_threshold() -> None:
    names = [Selective(value).name for value in (2, 5, inf)]
    assert names == ["selective", "selective-5", "selective-inf"]
    assert Selective("adaptive").name == "selective-adaptive"
