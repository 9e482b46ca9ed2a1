"""Hand-made workloads, one for each thing that an implementation can get wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from shadowtime.engine import simulate
from shadowtime.policies import Conservative
from shadowtime.workload import Job, Workload
from tests.oracles.conftest import Engine

POLICIES = {
    "fcfs": "fcfs",
    "first_fit": "first-fit",
    "easy": "easy",
    "conservative": "conservative",
    "conservative, no compression": "conservative-none",
    "conservative, replanned at each early end": "conservative-replan",
}


@pytest.fixture(scope="module")
def cases(oracles_dir: Path) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads((oracles_dir / "small_cases.json").read_text())
    return loaded


def workload(case: dict[str, Any]) -> Workload:
    return Workload.from_jobs([Job(**job) for job in case["jobs"]], machine_nodes=case["nodes"])


def test_every_expectation_of_the_small_cases_holds(
    cases: list[dict[str, Any]], engine: Engine
) -> None:
    checked = 0
    for case in cases:
        for rule, expected in case["expected"].items():
            name, _, overrun = rule.partition(" [")
            told = f"{case['name']} ({case['why']}) under {rule}"
            schedule = simulate(
                workload(case),
                POLICIES[name],
                overrun="extend" if overrun else "kill",
                engine=engine,
            )
            assert list(schedule.start) == expected["starts"], told
            assert sum(schedule.backfilled) == expected["backfilled"], told
            if "first_reservations" in expected:
                assert list(schedule.first_reservation) == expected["first_reservations"], told
            checked += 1
    assert len(cases) == 34
    assert checked == 34 * 6 + 6, "six rules for each case, and three more twice with extend"


def test_compressing_at_every_completion_departs_from_small_case_v1(
    cases: list[dict[str, Any]], engine: Engine
) -> None:
    """Only an early end may compress, or case V1 comes out otherwise: see test_starts.py."""
    case = next(case for case in cases if case["name"] == "V1")
    schedule = simulate(workload(case), Conservative(compression="every"), engine=engine)
    assert list(schedule.start) != case["expected"]["conservative"]["starts"]
