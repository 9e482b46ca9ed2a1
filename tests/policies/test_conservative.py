"""Conservative backfilling promises every job a start."""

from typing import Any

import pytest
from hypothesis import given

from shadowtime.engine import simulate
from shadowtime.errors import InputError
from shadowtime.policies import Conservative
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, Workload
from tests.strategies import workloads


def run(*jobs: tuple[int, int, int, int], nodes: int = 8, **options: Any) -> Schedule:
    """Simulate jobs of (submit, nodes, estimate, runtime)."""
    table = [
        Job(n, submit, need, estimate, runtime)
        for n, (submit, need, estimate, runtime) in enumerate(jobs, 1)
    ]
    policy = options.pop("policy", "conservative")
    return simulate(Workload.from_jobs(table), policy, nodes, engine="readable", **options)


def test_every_job_is_promised_the_earliest_place_that_disturbs_nobody() -> None:
    schedule = run((0, 6, 40, 40), (1, 6, 20, 20), (2, 2, 58, 58), (3, 2, 58, 58), (4, 2, 1, 1))
    assert list(schedule.first_reservation) == [0, 40, 2, 60, 60]
    assert list(schedule.start) == [0, 40, 2, 60, 60]
    assert list(schedule.backfilled) == [False, False, True, False, False]


@pytest.mark.parametrize(
    "compression, third",
    [("queue", 10), ("every", 10), ("replan", 10), ("none", 60)],
)
def test_an_early_end_moves_the_plan_if_it_may(compression: str, third: int) -> None:
    """Job 1 ends 30 before its time. Job 2 could start then, and job 3 after it."""
    policy = Conservative(compression)  # type: ignore[arg-type]
    schedule = run((0, 6, 40, 10), (1, 6, 20, 20), (2, 8, 5, 5), policy=policy)
    assert list(schedule.first_reservation) == [0, 40, 60]
    assert list(schedule.start) == ([0, 10, 30] if third == 10 else [0, 40, 60])


def test_replanning_breaks_a_promise_that_compression_keeps() -> None:
    """Job 1 ends at 10 instead of 50. A plan made anew has job 2 at 12, in the place of job 4."""
    jobs = [(0, 3, 50, 10), (0, 6, 30, 20), (2, 4, 10, 10), (4, 3, 5, 5)]
    kept, anew = (run(*jobs, policy=policy) for policy in ("conservative", "conservative-replan"))
    assert late(kept) == []
    assert late(anew) == [4]


def late(schedule: Schedule) -> list[int | str]:
    """Return the jobs that started after their first promise."""
    rows = zip(schedule.workload.id, schedule.start, schedule.first_reservation, strict=True)
    return [job for job, start, promise in rows if promise is None or start > promise]


def test_a_late_job_breaks_a_promise_and_it_is_made_anew_around_those_that_stand() -> None:
    """With extend, job 1 outlives its plan by 15. Whoever is due then waits for it to end.

    Job 2 is due at 10. When job 3 is due, at 15, job 2 is put back after it; at 20 it is the
    other way round; at 25 job 1 ends, and the machine is job 3's.
    """
    schedule = run((0, 8, 10, 25), (1, 8, 5, 5), (2, 8, 5, 5), overrun="extend")
    assert list(schedule.first_reservation) == [0, 10, 15]
    assert list(schedule.start) == [0, 30, 25]


def test_a_job_whose_nodes_are_free_keeps_its_date_though_another_is_late() -> None:
    schedule = run((0, 4, 10, 25), (1, 8, 5, 5), (2, 4, 8, 8), overrun="extend")
    assert list(schedule.start) == [0, 25, 2]


def test_a_pass_is_made_when_a_reservation_comes_due() -> None:
    """Nothing else happens at 40: job 1 has ended at 10, and nothing was compressed."""
    schedule = run((0, 6, 40, 10), (1, 6, 20, 20), policy="conservative-none")
    assert list(schedule.start) == [0, 40]


@given(workload=workloads())
def test_the_first_in_the_queue_is_promised_no_later_than_by_fcfs_alone(
    workload: Workload,
) -> None:
    """With perfect estimates conservative backfilling delays nobody beyond FCFS."""
    workload = workload.replace(runtime=workload.estimate)
    pairs = zip(
        simulate(workload, "conservative").start, simulate(workload, "fcfs").start, strict=True
    )
    assert all(conservative <= fcfs for conservative, fcfs in pairs)


@pytest.mark.parametrize("compression", ["queue", "every", "none", "replan"])
def test_the_compression_has_a_name(compression: str) -> None:
    name = Conservative(compression).name  # type: ignore[arg-type]
    assert name == ("conservative" if compression == "queue" else f"conservative-{compression}")


def test_another_compression_is_an_error() -> None:
    with pytest.raises(InputError, match="compression = 'all'; it is 'queue', 'every', "):
        Conservative(compression="all")  # type: ignore[arg-type]
