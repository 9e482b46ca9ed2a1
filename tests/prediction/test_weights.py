"""The browser's measures: between A_mean and A_geo, on the standard library alone."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import InputError
from shadowtime.prediction import accuracy
from shadowtime.prediction.weights import groups_by_usage, job_accuracy, weighted_accuracy

positive = st.floats(1e-3, 1e7)
jobs = st.lists(st.tuples(positive, positive, positive), min_size=1, max_size=30)


@given(jobs)
def test_exponent_0_of_the_arithmetic_mean_is_a_mean(table: list[tuple[float, ...]]) -> None:
    planned, runtime, usage = (list(column) for column in zip(*table, strict=True))
    ours = weighted_accuracy(planned, runtime, usage, 0, mean="arithmetic")
    assert ours == pytest.approx(accuracy.mean_accuracy(planned, runtime))


@given(jobs)
def test_exponent_1_of_the_geometric_mean_is_a_geo(table: list[tuple[float, ...]]) -> None:
    planned, runtime, usage = (list(column) for column in zip(*table, strict=True))
    ours = weighted_accuracy(planned, runtime, usage, 1)
    assert ours == pytest.approx(accuracy.geo_accuracy(planned, runtime, usage))


@given(jobs, st.floats(0, 1), st.sampled_from(["arithmetic", "geometric"]))
def test_a_mean_lies_between_the_worst_and_the_best_job(
    table: list[tuple[float, ...]], exponent: float, mean: str
) -> None:
    planned, runtime, usage = (list(column) for column in zip(*table, strict=True))
    each = list(map(job_accuracy, planned, runtime))
    found = weighted_accuracy(planned, runtime, usage, exponent, mean=mean)  # type: ignore[arg-type]
    assert min(each) * (1 - 1e-9) <= found <= max(each) * (1 + 1e-9)


@given(jobs, st.floats(0, 1), st.sampled_from(["arithmetic", "geometric"]))
def test_for_many_jobs_the_same_is_computed_with_arrays(
    table: list[tuple[float, ...]], exponent: float, mean: Any
) -> None:
    planned, runtime, usage = (list(column) for column in zip(*table, strict=True))
    ours = weighted_accuracy(planned, runtime, usage, exponent, mean=mean)
    theirs = accuracy.weighted_accuracy(planned, runtime, usage, exponent, mean=mean)
    assert ours == pytest.approx(theirs, rel=1e-12)


@given(positive, positive)
def test_twice_as_long_is_as_wrong_as_half(planned: float, runtime: float) -> None:
    score = job_accuracy(planned, runtime)
    assert 0 < score <= 1
    assert score == pytest.approx(job_accuracy(runtime, planned))
    assert score == pytest.approx(math.exp(-abs(math.log(planned / runtime))))


def test_a_higher_exponent_moves_the_mean_to_the_large_job() -> None:
    found = [weighted_accuracy([10, 80], [100, 100], [1, 100], x / 4) for x in range(5)]
    assert found == sorted(found)
    assert found[0] == pytest.approx(math.sqrt(0.1 * 0.8))


@given(st.lists(st.integers(0, 5), max_size=60), st.integers(1, 12))
def test_groups_are_equal_ordered_and_stable(usage: list[int], groups: int) -> None:
    group = groups_by_usage(usage, groups)
    sizes = [group.count(number) for number in range(1, groups + 1)]
    assert sum(sizes) == len(usage)
    assert max(sizes) - min(sizes) <= 1
    in_order = sorted(range(len(usage)), key=lambda row: (usage[row], row))
    assert [group[row] for row in in_order] == sorted(group)
    assert group == accuracy.deciles(usage, groups).tolist()


@pytest.mark.parametrize(
    "arguments, message",
    [
        (([1], [1], [1], 1.5), "exponent = 1.5"),
        (([1], [1], [1], math.nan), "exponent = nan"),
        (([], [], []), "one job at least"),
        (([1, 2], [1], [1]), "2 planned run times, 1 run times"),
        (([1, 0], [1, 1], [1, 1]), "row 2: planned = 0"),
        (([1, 1], [1, 1], [1, -3]), "row 2: usage = -3"),
    ],
)
def test_what_cannot_be_averaged_is_named(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        weighted_accuracy(*arguments)  # type: ignore[arg-type]


def test_a_wrong_mean_and_no_groups_are_refused() -> None:
    with pytest.raises(InputError, match="mean = 'median'"):
        weighted_accuracy([1], [1], [1], mean="median")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="groups = 0"):
        groups_by_usage([1], 0)


def test_the_browser_needs_no_numpy() -> None:
    code = (
        "import json; from shadowtime.prediction import weights;"
        "print(json.dumps(weights.weighted_accuracy([2], [1], [1])))"
    )
    ran = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == 0.5
