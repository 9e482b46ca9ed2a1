"""The study's measures against the same measures computed one job at a time."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import InputError
from shadowtime.prediction import accuracy

positive = st.floats(1, 1e6)
tables = st.lists(st.tuples(positive, positive, positive), min_size=1, max_size=40)


def naive(table: list[tuple[float, float, float]]) -> dict[str, float]:
    """Return the measures by their definitions."""
    a = [min(p / y, y / p) for p, y, _ in table]
    total = sum(c for *_, c in table)
    product = math.prod(score ** (c / total) for score, (*_, c) in zip(a, table, strict=True))
    return {
        "jobs": len(table),
        "A_mean": sum(a) / len(a),
        "A_geo": product,
        "L_usage": -math.log(product),
        "UnderRate": sum(p < y for p, y, _ in table) / len(table),
    }


@given(tables)
def test_the_measures_are_those_of_the_study(table: list[tuple[float, float, float]]) -> None:
    planned, runtime, usage = zip(*table, strict=True)
    found = accuracy.scores(planned, runtime, usage)
    assert found == pytest.approx(naive(table), abs=1e-9)
    assert found["A_mean"] == pytest.approx(accuracy.mean_accuracy(planned, runtime))
    assert found["A_geo"] == pytest.approx(accuracy.geo_accuracy(planned, runtime, usage))
    assert found["L_usage"] == pytest.approx(accuracy.usage_log_error(planned, runtime, usage))
    assert found["UnderRate"] == accuracy.under_rate(planned, runtime)


@given(tables, st.integers(1, 5))
def test_groups_are_measured_like_logs_of_their_own(
    table: list[tuple[float, float, float]], groups: int
) -> None:
    planned, runtime, usage = zip(*table, strict=True)
    group = [1 + row % groups for row in range(len(table))]
    found = accuracy.scores_by_group(planned, runtime, usage, group, groups)
    for number, row in enumerate(found, start=1):
        own = [job for job, its in zip(table, group, strict=True) if its == number]
        if own:
            assert row == pytest.approx(naive(own), abs=1e-9)
        else:
            assert row["jobs"] == 0
            assert math.isnan(row["A_mean"])
            assert math.isnan(row["A_geo"])


def test_the_error_and_the_accuracy_of_a_job_are_one_thing() -> None:
    planned, runtime = np.array([1.0, 30, 900]), np.array([10.0, 30, 30])
    expected = np.exp(-accuracy.log_error(planned, runtime))
    assert accuracy.job_accuracy(planned, runtime) == pytest.approx(expected)


def test_an_exact_plan_is_no_underestimate() -> None:
    assert accuracy.under_rate([10, 9, 11], [10, 10, 10]) == pytest.approx(1 / 3)


def test_ties_in_usage_keep_their_order() -> None:
    assert accuracy.deciles([5] * 20).tolist() == [1 + row // 2 for row in range(20)]


def test_the_top_decile_holds_a_tenth_of_the_jobs_or_one_more() -> None:
    sizes = np.bincount(accuracy.deciles(np.arange(15_109)))[1:]
    assert sizes.tolist() == [1511, 1511, 1511, 1511, 1511, 1511, 1511, 1511, 1511, 1510]


@pytest.mark.parametrize(
    "planned, message",
    [
        ([1, 2], "planned has 2, runtime has 3, usage has 3"),
        ([1, 0, 1], "row 2: planned = 0"),
        ([1, 1, math.nan], "row 3: planned = nan"),
        ([math.inf, 1, 1], "row 1: planned = inf"),
    ],
)
def test_a_bad_column_is_named(planned: list[float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        accuracy.scores(planned, [1, 1, 1], [1, 1, 1])


def test_there_is_no_accuracy_of_no_jobs() -> None:
    with pytest.raises(InputError, match="no jobs"):
        accuracy.scores([], [], [])
    with pytest.raises(InputError, match="no jobs"):
        accuracy.mean_accuracy([], [])


def test_wrong_groups_are_refused() -> None:
    with pytest.raises(InputError, match="from 1 to 2"):
        accuracy.scores_by_group([1], [1], [1], [3], groups=2)
    with pytest.raises(InputError, match="group has 2 values for 1 jobs"):
        accuracy.scores_by_group([1], [1], [1], [1, 1], groups=2)
    with pytest.raises(InputError, match="groups = 0"):
        accuracy.deciles([1], 0)
