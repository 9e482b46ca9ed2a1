"""Schedules printed by the simulator behind a published study, job by job.

References
----------
E. Gaussier, D. Glesser, V. Reis and D. Trystram, "Improving Backfilling by using Machine Learning
to predict Running Times", SC'15, doi:10.1145/2807591.2807646.
"""

from pathlib import Path

import pytest

from shadowtime.engine import simulate
from tests.oracles import logs
from tests.oracles.conftest import Engine

pytestmark = pytest.mark.traces


@pytest.mark.parametrize(
    "system, jobs, slowdown", [("KTH", 28481, 71.7224), ("SDSC", 54006, 70.4779)]
)
def test_clairvoyant_easy_starts_every_job_when_the_published_one_does(
    traces_dir: Path, engine: Engine, system: str, jobs: int, slowdown: float
) -> None:
    path = traces_dir / "reference" / f"sc15-{system}-SP2-EASY-clairvoyant.swf.gz"
    workload, theirs = logs.published(path, clairvoyant=True)
    schedule = simulate(workload, "easy", engine=engine)
    assert len(workload) == jobs
    assert logs.differing(workload, list(schedule.start), theirs) == []
    assert schedule.summary()["mean_bounded_slowdown"] == pytest.approx(slowdown, abs=0.00005)


@pytest.mark.parametrize("system, slowdown", [("KTH", 49.8477), ("SDSC", 56.8362)])
def test_shortest_first_starts_all_but_one_job_in_a_thousand_alike(
    traces_dir: Path, engine: Engine, system: str, slowdown: float
) -> None:
    path = traces_dir / "reference" / f"sc15-{system}-SP2-EASYSJBF-clairvoyant.swf.gz"
    workload, theirs = logs.published(path, clairvoyant=True)
    schedule = simulate(workload, "easy-sjbf", engine=engine)
    differing = logs.differing(workload, list(schedule.start), theirs)
    assert len(differing) <= 0.001 * len(workload)
    assert schedule.summary()["mean_bounded_slowdown"] == pytest.approx(slowdown, rel=0.0005)


@pytest.mark.parametrize(
    "system, slowdown, alike", [("KTH", 92.5765, 0.984), ("SDSC", 87.8703, 0.956)]
)
def test_user_requests_come_close_although_ties_are_settled_otherwise(
    traces_dir: Path, engine: Engine, system: str, slowdown: float, alike: float
) -> None:
    """The published program makes a pass after every event, this one a pass an instant."""
    path = traces_dir / "reference" / f"sc15-{system}-SP2-EASY.swf.gz"
    workload, theirs = logs.published(path, clairvoyant=False)
    schedule = simulate(workload, "easy", engine=engine)
    differing = logs.differing(workload, list(schedule.start), theirs)
    assert 1 - len(differing) / len(workload) == pytest.approx(alike, abs=0.0006)
    assert schedule.summary()["mean_bounded_slowdown"] == pytest.approx(slowdown, rel=0.02)


@pytest.mark.parametrize(
    "policy, mean_wait, slowdown",
    [
        ("fcfs", 353_776, None),
        ("easy", 6_835, 92.7),
        ("conservative", 7_316, 88.97),
        ("conservative-none", 162_845, None),
    ],
)
def test_means_are_those_that_another_program_found_on_the_published_log(
    traces_dir: Path, engine: Engine, policy: str, mean_wait: int, slowdown: float | None
) -> None:
    path = traces_dir / "reference" / "sc15-KTH-SP2-EASY.swf.gz"
    workload, _ = logs.published(path, clairvoyant=False)
    summary = simulate(workload, policy, engine=engine).summary()
    assert round(summary["mean_wait"]) == mean_wait
    if slowdown is not None:
        assert summary["mean_bounded_slowdown"] == pytest.approx(slowdown, abs=0.05)
