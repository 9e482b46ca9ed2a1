"""EASY that looks again when a planned end goes by."""

from typing import Any, Literal

import pytest
from hypothesis import given

from shadowtime.engine import simulate
from shadowtime.policies import Easy, Watchful
from shadowtime.workload import Job, Workload
from tests.strategies import workloads

ORDERS: tuple[Literal["queue", "shortest"], ...] = ("queue", "shortest")


@pytest.mark.parametrize("order", ORDERS)
@given(workload=workloads())
def test_where_no_plan_runs_out_it_is_easy(order: Any, workload: Workload) -> None:
    """Jobs are killed at their estimate, so each ends by its planned end."""
    mine, easy = simulate(workload, Watchful(order)), simulate(workload, Easy(order))
    assert list(mine.start) == list(easy.start)
    assert list(mine.first_reservation) == list(easy.first_reservation)


def test_a_job_starts_when_a_plan_is_corrected_and_not_at_the_next_event() -> None:
    jobs = Workload.from_jobs(
        [Job(1, 0, 6, 500, 400), Job(2, 1, 8, 100, 50), Job(3, 2, 2, 150, 30)], machine_nodes=8
    )
    options: dict[str, Any] = {"planned": [100, 100, 150], "correction": "request"}
    assert list(simulate(jobs, Easy(), **options).start) == [0, 400, 450]
    assert list(simulate(jobs, Watchful(), **options).start) == [0, 400, 100]
