"""Schedules that other simulators made of whole logs, start by start."""

from functools import cache
from pathlib import Path

import pytest

from shadowtime.engine import simulate
from shadowtime.policies import Conservative, Policy
from shadowtime.schedule import Schedule
from shadowtime.workload import Workload
from tests.oracles import logs
from tests.oracles.conftest import Engine

LOGS = ("hpc2n3k", "kth10k", "kth10k_tf")


@cache
def log(folder: Path, name: str) -> Workload:
    return logs.canonical(folder / "logs" / f"{name}.swf.gz")


@cache
def schedule(folder: Path, name: str, policy: str, engine: Engine) -> Schedule:
    """Simulate once what several tests look at."""
    return simulate(log(folder, name), policy, engine=engine)


def differing(folder: Path, schedule: Schedule, reference: str) -> list[int | str]:
    theirs = logs.starts(folder / "starts" / f"{reference}.csv.gz")
    return logs.differing(schedule.workload, list(schedule.start), theirs)


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize(
    "policy, reference",
    [
        ("fcfs", "pyss_{}_fcfs"),
        ("easy", "ref_{}_easy"),
        ("conservative-replan", "ref_{}_cons"),
    ],
)
def test_no_start_differs(
    oracles_dir: Path, engine: Engine, name: str, policy: str, reference: str
) -> None:
    simulated = schedule(oracles_dir, name, policy, engine)
    assert differing(oracles_dir, simulated, reference.format(name)) == []


@pytest.mark.parametrize("policy, reference", [("easy", "easy"), ("conservative", "cons")])
def test_no_start_differs_where_no_two_events_share_an_instant(
    oracles_dir: Path, engine: Engine, policy: str, reference: str
) -> None:
    """A simulator that makes a pass after every single event agrees once no tie is left."""
    simulated = schedule(oracles_dir, "kth10k_tf", policy, engine)
    assert differing(oracles_dir, simulated, f"pyss_kth10k_tf_{reference}") == []


@pytest.mark.parametrize("name, departs", [("hpc2n3k", 40), ("kth10k", 167)])
def test_a_pass_after_every_event_departs_by_ties_alone(
    oracles_dir: Path, engine: Engine, name: str, departs: int
) -> None:
    simulated = schedule(oracles_dir, name, "easy", engine)
    assert len(differing(oracles_dir, simulated, f"pyss_{name}_easy")) == departs


@pytest.mark.parametrize(
    "name, departs",
    [("hpc2n3k", [968, 969, 972, 973]), ("kth10k", []), ("kth10k_tf", [])],
)
def test_conservative_departs_only_where_a_timely_end_would_compress(
    oracles_dir: Path, engine: Engine, name: str, departs: list[int]
) -> None:
    """Compress at early ends only, and four jobs of one log start otherwise.

    A round of compression can leave gaps behind itself: a job put back early was moved while the
    job after it still held its old place. The reference closes them at the next completion,
    even one that is on time. The rule here is that nothing moves unless a job ends early, and
    small case V1 demands it: what an on-time end would close there must stay open. Both cannot
    hold at once, so ``compression="every"`` is the reference's rule and the default is ours.
    """
    reference = f"ref_{name}_consc"
    assert (
        differing(oracles_dir, schedule(oracles_dir, name, "conservative", engine), reference)
        == departs
    )
    every: Policy = Conservative(compression="every")
    assert (
        differing(oracles_dir, simulate(log(oracles_dir, name), every, engine=engine), reference)
        == []
    )


# Mean wait and mean bounded slowdown (threshold 10 s) per log, and jobs backfilled by EASY. The
# kept reservations are given where ties change nothing.
SUMMARIES: dict[str, dict[str, tuple[float, float]]] = {
    "kth10k": {
        "fcfs": (391085.932, 7423.353),
        "easy": (7938.339, 113.766),
        "conservative-replan": (8992.080, 124.954),
    },
    "hpc2n3k": {
        "fcfs": (5588.634, 47.038),
        "easy": (3470.190, 16.214),
        "conservative-replan": (3596.708, 16.736),
    },
    "kth": {
        "fcfs": (353769.623, 6822.315),
        "easy": (6834.329, 92.828),
        "conservative-replan": (7938.695, 102.274),
    },
    "sdsc5k": {
        "fcfs": (15581.478, 139.595),
        "easy": (3641.380, 18.006),
        "conservative": (3810.178, 17.121),
        "conservative-replan": (3805.689, 18.906),
    },
    "lublin256": {
        "fcfs": (2388443.760, 66502.476),
        "easy": (97155.995, 590.054),
        "conservative": (131567.509, 489.201),
        "conservative-replan": (131567.509, 489.201),
    },
}
BACKFILLED = {"kth10k": 6348, "hpc2n3k": 590, "kth": 17098, "sdsc5k": 2040}


@pytest.mark.parametrize(
    "name, policy", [(name, policy) for name, row in SUMMARIES.items() for policy in row]
)
def test_means_equal_those_of_the_reference(
    oracles_dir: Path, engine: Engine, name: str, policy: str
) -> None:
    summary = schedule(oracles_dir, name, policy, engine).summary()
    wait, slowdown = SUMMARIES[name][policy]
    assert summary["mean_wait"] == pytest.approx(wait, abs=0.001)
    assert summary["mean_bounded_slowdown"] == pytest.approx(slowdown, abs=0.001)
    if policy == "easy" and name in BACKFILLED:
        assert summary["backfilled"] == BACKFILLED[name]


def test_kept_reservations_differ_by_ties_alone_on_kth(oracles_dir: Path, engine: Engine) -> None:
    """The reference makes a pass after every event: its means are near, not equal."""
    summary = schedule(oracles_dir, "kth", "conservative", engine).summary()
    assert summary["mean_wait"] == pytest.approx(7310.999, rel=0.002)
    assert summary["mean_bounded_slowdown"] == pytest.approx(89.203, rel=0.002)
