"""Partitions are replayed on their own, each on the machine that the log shows."""

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shadowtime import InputError, Workload, simulate
from shadowtime.partitions import observed_peak, partitions
from shadowtime.replay import replay_partitions

pytest.importorskip("pandas")

CORRECTIONS = ("none", "request", "increments", "doubling")


@pytest.fixture
def log() -> Workload:
    """Two queues in three years, jobs that wait, requests that are too long and too short."""
    rng = np.random.default_rng(4)
    jobs = 240
    nodes = rng.integers(1, 17, size=jobs)
    runtime = rng.integers(60, 6000, size=jobs)
    whole = Workload(
        id=range(jobs),
        submit=np.sort(rng.integers(0, 3 * 365 * 86_400, size=12)).repeat(20) + np.arange(jobs),
        nodes=nodes,
        estimate=np.maximum(60, (runtime * rng.uniform(0.9, 4, size=jobs)).astype(int)),
        runtime=runtime,
        extra={"queue": rng.choice(["long", "short"], size=jobs).tolist()},
        machine_nodes=32,
        name="made",
        header={"UnixStartTime": "1388534400"},
    )
    return whole.replace(wait=simulate(whole, "fcfs", overrun="extend").wait())


@pytest.fixture
def planned(log: Workload) -> dict[str, Any]:
    request = np.asarray(log.estimate, dtype=float)
    short = np.maximum(1, np.asarray(log.runtime) * 0.4)
    wide = np.asarray(log.nodes) > 12
    return {"request": request, "xgboost": short, "hybrid": np.where(wide, request, short)}


@pytest.fixture
def pool() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


def test_each_partition_is_simulated_as_if_it_were_alone(
    log: Workload, planned: dict[str, Any], pool: Executor
) -> None:
    found = replay_partitions(log, planned, corrections=CORRECTIONS, executor=pool)
    parts = partitions(log)
    assert len(parts) > 4
    assert len(found.table) == len(parts) * len(planned) * len(CORRECTIONS)
    rows = found.table.set_index(["queue", "year", "planned", "correction"]).to_dict("index")
    for part in parts:
        own = log.select(part.rows)
        peak = observed_peak(own)
        for label, column in planned.items():
            for correction in CORRECTIONS:
                schedule = simulate(
                    own,
                    "easy",
                    peak,
                    overrun="extend",
                    correction=correction,
                    planned=[column[row] for row in part.rows],
                    engine="readable",
                )
                row: Any = rows[*part.key, label, correction]
                assert row["nodes"] == row["peak"] == peak
                assert row["backfilled"] == sum(schedule.backfilled)
                assert row["mean_wait"] == pytest.approx(sum(schedule.wait()) / len(own))


def test_changes_are_relative_to_the_base(
    log: Workload, planned: dict[str, Any], pool: Executor
) -> None:
    found = replay_partitions(log, planned, executor=pool)
    rows: Any = found.table.set_index(["partition", "planned"]).to_dict("index")
    for change in found.changes().to_dict("records"):
        base = rows[change["partition"], "xgboost"]
        other = rows[change["partition"], "hybrid"]
        for measure in ("mean_wait", "backfilled"):
            assert change[f"{measure}_xgboost"] == base[measure]
            if base[measure]:
                expected = (other[measure] - base[measure]) / base[measure]
                assert change[f"{measure}_change"] == pytest.approx(expected)
            else:
                assert np.isnan(change[f"{measure}_change"])
    with pytest.raises(InputError, match="planned = 'last2'; there are replays of request, xgb"):
        found.changes("last2")


def test_a_queue_s_years_are_averaged(
    log: Workload, planned: dict[str, Any], pool: Executor
) -> None:
    found = replay_partitions(log, planned, corrections=["none", "request"], executor=pool)
    changes: Any = found.changes()
    for row in found.over_years().to_dict("records"):
        own = changes[
            (changes["queue"] == row["queue"]) & (changes["correction"] == row["correction"])
        ]
        assert row["years"] == len(own)
        assert row["mean_wait_change"] == pytest.approx(own["mean_wait_change"].mean())
        assert row["backfilled_change_max"] == own["backfilled_change"].max()


def test_a_capacity_other_than_the_machine_is_said(
    log: Workload, planned: dict[str, Any], pool: Executor
) -> None:
    found = replay_partitions(log, planned, executor=pool)
    smaller = found.table[found.table["peak"] < 32]["partition"].unique()
    assert len(found.notes) == len(smaller) > 0
    assert "nodes, the log's machine has 32; its jobs held" in found.notes[0]
    whole = replay_partitions(log, planned, capacity="machine", executor=pool)
    assert whole.notes == []
    assert set(whole.table["nodes"]) == {32}


def test_the_whole_log_is_one_partition_if_it_is_not_cut(
    log: Workload, planned: dict[str, Any], pool: Executor
) -> None:
    found = replay_partitions(log, planned, by=[], capacity=40, executor=pool)
    assert found.table["partition"].tolist() == ["made"] * 3
    expected = simulate(log, "easy", 40, overrun="extend", planned=planned["hybrid"])
    assert found.table["backfilled"].tolist()[2] == sum(expected.backfilled)


def test_another_capacity_is_replayed_anew(
    log: Workload, planned: dict[str, Any], pool: Executor, tmp_path: Path
) -> None:
    file = tmp_path / "rows.jsonl"
    small, large, again = (
        replay_partitions(log, planned, capacity=nodes, executor=pool, results=file).table
        for nodes in (16, 64, 16)
    )
    assert small["mean_wait"].tolist() != large["mean_wait"].tolist()
    assert small["mean_wait"].tolist() == again["mean_wait"].tolist()


def test_small_partitions_can_be_left_out(
    log: Workload, planned: dict[str, Any], pool: Executor
) -> None:
    sizes = sorted(len(part) for part in partitions(log))
    found = replay_partitions(log, planned, min_jobs=sizes[1] + 1, executor=pool)
    large = [part.name for part in partitions(log) if len(part) > sizes[1]]
    assert list(dict.fromkeys(found.table["partition"])) == large
    left = len(sizes) - len(large)
    assert found.notes[0].startswith(f"partitions left out, fewer than {sizes[1] + 1} jobs: {left}")
    with pytest.raises(InputError, match="no partition has 1000 jobs"):
        replay_partitions(log, planned, min_jobs=1000)


def test_what_cannot_be_replayed_is_named(
    log: Workload, planned: dict[str, Any], pool: Executor
) -> None:
    with pytest.raises(InputError, match="planned 'request' has 3 values for 240 jobs"):
        replay_partitions(log, {"request": [1, 2, 3]})
    with pytest.raises(InputError, match="nothing to plan with"):
        replay_partitions(log, {})
    for wrong in (0, "half", True):
        with pytest.raises(InputError, match=f"capacity = {wrong!r}"):
            replay_partitions(log, planned, capacity=wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"partition .* on 2 nodes: InputError: .*has 2"):
        replay_partitions(log, planned, capacity=2, executor=pool)
    log.machine_nodes = None
    with pytest.raises(InputError, match="the size of the machine is unknown"):
        replay_partitions(log, planned, capacity="machine")
