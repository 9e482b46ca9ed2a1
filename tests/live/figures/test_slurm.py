"""The figure of Slurm's knobs shows what a simulation with those knobs gives."""

from typing import Any

import pytest

from shadowtime import live, metrics, simulate, traces
from shadowtime.live.figures.slurm import DEFAULTS, JOBS
from shadowtime.policies.slurm import Slurm


def shown(**values: Any) -> live.Data:
    return live.figure("slurm").set(**values).data


@pytest.mark.parametrize(
    "knob",
    [
        {"bf_window": 60},
        {"bf_resolution": 3600},
        {"bf_interval": 3630},
        {"bf_max_job_test": 5},
        {"bf_max_job_user": 1},
    ],
    ids=lambda knob: next(iter(knob)),
)
def test_every_knob_acts_and_shows_what_a_simulation_gives(knob: dict[str, Any]) -> None:
    summary = simulate(traces.load("teaching")[:JOBS], Slurm(**knob)).summary()
    data = shown(**knob)
    values = {(r["label"], r["of"]): r["value"] for r in data["readout"]}
    assert values["Mean wait", "your settings"] == summary["mean_wait"] / 3600
    assert values["Longest wait", "your settings"] == summary["max_wait"] / 3600
    assert values["Backfilled", "your settings"] == summary["backfilled"]
    default = [r["value"] for r in data["readout"] if r["of"] == "Slurm's defaults"]
    mine = [r["value"] for r in data["readout"] if r["of"] == "your settings"]
    assert default != mine or knob == {"bf_resolution": 3600}


def test_the_defaults_are_those_of_the_policy() -> None:
    figure = live.figure("slurm")
    assert dict(figure.values) == DEFAULTS
    policy = Slurm()
    assert {name: getattr(policy, name) for name in DEFAULTS} == DEFAULTS
    rows = figure.data["waits"]
    sides = [[r["hours"] for r in rows if r["side"] == side] for side in ("default", "yours")]
    assert sides[0] == sides[1]


def test_bars_are_those_of_the_size_classes() -> None:
    made = simulate(traces.load("teaching")[:JOBS], Slurm(bf_window=60))
    bars = {
        (r["nodes"], r["what"]): r["hours"]
        for r in shown(bf_window=60)["waits"]
        if r["side"] == "yours"
    }
    for row in metrics.by_size(made):
        assert bars[row["nodes"], "mean"] == row["mean_wait"] / 3600
        assert bars[row["nodes"], "max"] == row["max_wait"] / 3600
