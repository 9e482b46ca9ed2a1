"""Claims that are too long or too short: the figure shows what the simulator says."""

import itertools
from typing import Any

import pytest

from shadowtime import live, simulate
from shadowtime.live.figures import estimate_error
from shadowtime.live.figures.estimate_error import CAPS, JOBS, SWEEP, UNTIL, workload

POLICIES = ("easy", "easy-sjbf", "conservative", "fcfs")


def data(**values: Any) -> live.Data:
    return live.figure("estimate-error").set(**values).data


def shown(**values: Any) -> dict[str, Any]:
    return {row["label"]: row["value"] for row in data(**values)["readout"]}


def curve(**values: Any) -> dict[float, dict[str, Any]]:
    return {row["inflation"]: row for row in data(**values)["curve"]}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("overrun", ["kill", "extend"])
def test_boxes_and_numbers_are_those_of_the_schedule(policy: str, overrun: Any) -> None:
    settings: dict[str, Any] = {"inflation": 1.5, "noise": 1, "cap": "none", "policy": policy}
    schedule = simulate(workload(1.5, 1, "none", policy), policy, overrun=overrun)
    drawn = data(**settings, overrun=overrun)
    boxes = {
        (row["job"], row["start"], row["end"]) for row in drawn["gantt"] if row["kind"] == "job"
    }
    jobs = zip(schedule.workload.id, schedule.start, schedule.end, strict=True)
    assert boxes == {(f"J{job}", start, end) for job, start, end in jobs}
    summary = schedule.summary(estimate_error.TAU)
    numbers = {row["label"]: row["value"] for row in drawn["readout"]}
    assert numbers["Mean wait"] == summary["mean_wait"]
    assert numbers["Jobs killed"] == summary["killed"] == (3 if overrun == "kill" else 0)
    assert drawn["here"][0]["wait"] == pytest.approx(summary["mean_wait"])


def test_the_curve_passes_through_every_place_of_the_slider() -> None:
    first = curve()
    assert list(first) == SWEEP
    assert SWEEP[-1] == estimate_error.INFLATION.max
    for inflation in (0.75, 1, 3.25):
        assert first[inflation] == data(inflation=inflation)["here"][0]


@pytest.mark.parametrize("policy", ["easy", "conservative"])
def test_exact_claims_are_not_the_best(policy: str) -> None:
    waits = {inflation: round(row["wait"], 1) for inflation, row in curve(policy=policy).items()}
    assert (waits[1], waits[1.25], waits[2], waits[4]) == (56.2, 46.6, 50.3, 50.3)


def test_kill_costs_jobs_and_keeps_promises_extend_the_reverse() -> None:
    for policy in POLICIES:
        for row in curve(policy=policy, noise=1).values():
            assert row["broken"] == 0
    assert curve()[0.75]["killed"] == len(JOBS)
    longer = curve(overrun="extend")
    assert {row["killed"] for row in longer.values()} == {0}
    assert longer[0.75]["broken"] == 8
    assert longer[1.25]["broken"] == 0


def test_what_is_lost_is_hatched() -> None:
    drawn = data(inflation=0.5)
    hatched = [row for row in drawn["gantt"] if row["kind"] == "trouble"]
    area = sum((row["end"] - row["start"]) * (row["top"] - row["first"]) for row in hatched)
    assert area == shown(inflation=0.5)["Work lost"] > 0
    past = [row for row in data(inflation=0.5, overrun="extend")["gantt"] if row["kind"] != "job"]
    runtime = {f"J{number}": run for number, (_, _, run, _) in enumerate(JOBS, start=1)}
    assert past
    assert all(
        row["end"] - row["start"] == run - round(run / 2)
        for row in past
        for run in [runtime[row["job"]]]
    )


def test_a_cap_cuts_claims_and_kills_what_needed_them() -> None:
    free = workload(4, 0, "none", "easy")
    limited = workload(4, 0, "limit", "easy")
    assert list(limited.estimate) == [min(60, claim) for claim in free.estimate]
    meaned = workload(4, 0, "mean", "easy")
    assert all(a <= b for a, b in zip(meaned.estimate, free.estimate, strict=True))
    assert shown(inflation=4, cap="limit")["Jobs killed"] == 0
    assert shown(inflation=4, cap="mean")["Jobs killed"] == 2


def test_noise_moves_claims_both_ways() -> None:
    exact, noisy = (workload(1, noise, "none", "easy").estimate for noise in (0, 2))
    assert min(b / a for a, b in zip(exact, noisy, strict=True)) < 0.5
    assert max(b / a for a, b in zip(exact, noisy, strict=True)) > 2


def test_every_setting_stays_within_the_axes() -> None:
    for noise, cap, overrun, policy in itertools.product(
        (0.0, 1.0, 2.0), CAPS, ("kill", "extend"), POLICIES
    ):
        drawn = data(noise=noise, cap=cap, overrun=overrun, policy=policy)
        assert max(row["wait"] for row in drawn["curve"]) <= 100
        assert max(row["end"] for row in drawn["gantt"]) <= UNTIL
