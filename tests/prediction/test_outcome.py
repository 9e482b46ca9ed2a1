"""What is told of an evaluation agrees with the predictions job by job."""

import math
from typing import Any

import numpy as np
import pytest

from shadowtime import InputError, Workload
from shadowtime.prediction import Predictions, evaluate
from shadowtime.prediction.intervals import bootstrap


@pytest.fixture
def found(log: Workload) -> Predictions:
    """Last2, the request, and a predictor that has nothing to say about some jobs."""
    both = evaluate(log, ["request", "last2"], window_days=3, progress=False)
    halting = both.planned["request"] * 0.7
    halting[::7] = np.nan
    halting[3::11] = -5
    halting[5::13] = np.inf
    both.planned["halting"] = halting
    return both


def table(found: Predictions, name: str) -> list[tuple[int, float, float, float]]:
    """Return (split, planned, runtime, usage) of the jobs that all predictors know."""
    log = found.workload
    rows = []
    for place, row in enumerate(found.row.tolist()):
        if all(0 < column[place] < math.inf for column in found.planned.values()):
            runtime = log.runtime[row]
            planned = float(found.planned[name][place])
            rows.append((int(found.split[place]), planned, runtime, log.nodes[row] * runtime))
    return rows


def naive(rows: list[tuple[int, float, float, float]]) -> tuple[float, float, float]:
    a = [min(p / y, y / p) for _, p, y, _ in rows]
    loss = sum(c * abs(math.log(p / y)) for _, p, y, c in rows) / sum(c for *_, c in rows)
    return sum(a) / len(a), math.exp(-loss), sum(p < y for _, p, y, _ in rows) / len(a)


def test_coverage_is_the_share_of_valid_predictions(found: Predictions) -> None:
    coverage = found.coverage()
    assert coverage["request"] == coverage["last2"] == 1
    assert coverage["halting"] == found.valid.mean() < 1


COLUMNS = ["A_mean", "A_geo", "UnderRate"]


def test_predictors_are_compared_on_the_same_jobs(found: Predictions) -> None:
    scores: Any = found.scores()
    for name in found.predictors:
        rows = table(found, name)
        assert 0 < len(rows) < len(found)
        assert scores.loc[name, "jobs"] == len(rows) == found.valid.sum()
        assert tuple(scores.loc[name, COLUMNS]) == pytest.approx(naive(rows))


def test_each_day_and_each_decile_is_measured_like_a_log_of_its_own(found: Predictions) -> None:
    days: Any = found.by_split()
    deciles: Any = found.by_decile()
    for name in found.predictors:
        rows = table(found, name)
        for day, measured in days[days["predictor"] == name].set_index("split").iterrows():
            own = [row for row in rows if row[0] == day]
            assert measured["jobs"] == len(own) > 0
            assert tuple(measured[COLUMNS]) == pytest.approx(naive(own))
            assert measured["start"] == found.start[day]
        ordered = sorted(rows, key=lambda row: row[3])
        for number, measured in (
            deciles[deciles["predictor"] == name].set_index("decile").iterrows()
        ):
            own = [
                row for place, row in enumerate(ordered) if place * 10 // len(ordered) + 1 == number
            ]
            assert measured["jobs"] == len(own)
            assert tuple(measured[COLUMNS]) == pytest.approx(naive(own))
            share = sum(row[3] for row in own) / sum(row[3] for row in rows)
            assert measured["usage_share"] == pytest.approx(share)


def test_jobs_can_be_sorted_by_what_they_requested(found: Predictions) -> None:
    deciles: Any = found.by_decile(of="requested")
    frame: Any = found.to_frame()
    jobs = frame[frame["valid"]].reset_index(drop=True)
    asked = (jobs["nodes"] * jobs["estimate"]).sort_values(kind="stable").index
    top = jobs.loc[asked[len(jobs) * 9 // 10 + (len(jobs) * 9 % 10 > 0) :]]
    used = jobs["nodes"] * jobs["runtime"]
    for name in found.predictors:
        row = deciles[(deciles["predictor"] == name) & (deciles["decile"] == 10)].iloc[0]
        assert row["jobs"] == len(top)
        assert row["UnderRate"] == pytest.approx((top[f"planned_{name}"] < top["runtime"]).mean())
        assert row["usage_share"] == pytest.approx(used[top.index].sum() / used.sum())


def test_a_day_is_won_by_the_better_predictor(found: Predictions) -> None:
    rates: Any = found.win_rates("last2", "request")
    days = sorted({row[0] for row in table(found, "last2")})
    wins = {"A_mean": 0, "A_geo": 0, "UnderRate": 0}
    for day in days:
        one, other = (
            naive([row for row in table(found, name) if row[0] == day])
            for name in ("last2", "request")
        )
        wins["A_mean"] += one[0] > other[0]
        wins["A_geo"] += one[1] > other[1]
        wins["UnderRate"] += one[2] < other[2]
    for measure, count in wins.items():
        assert rates.loc[measure, "days"] == len(days)
        assert rates.loc[measure, "last2"] == pytest.approx(count / len(days))
    assert rates[["last2", "request", "equal"]].sum(axis=1).tolist() == pytest.approx([1] * 4)


def test_a_predictor_neither_wins_nor_loses_against_itself(found: Predictions) -> None:
    assert found.win_rates("last2", "last2")["equal"].tolist() == [1] * 4


def test_the_table_has_a_row_for_each_job(found: Predictions) -> None:
    frame: Any = found.to_frame()
    assert len(frame) == len(found)
    assert frame["valid"].sum() == found.valid.sum()
    row = frame.iloc[20]
    job = found.workload[int(found.row[20])]
    assert (row["job"], row["submit"], row["runtime"]) == (job.id, job.submit, job.runtime)
    assert row["planned_request"] == job.estimate


def test_unknown_predictors_and_no_valid_job_are_refused(found: Predictions) -> None:
    with pytest.raises(InputError, match="predictor = 'lasst2'; there are predictions of request"):
        found.win_rates("lasst2")
    found.planned["halting"][:] = np.nan
    with pytest.raises(InputError, match="no job for which every predictor"):
        found.scores()


def test_intervals_hold_the_value_and_shrink_with_the_level(found: Predictions) -> None:
    wide: Any = bootstrap(found, np.random.default_rng(1), samples=400)
    narrow: Any = bootstrap(found, np.random.default_rng(1), samples=400, level=0.5)
    assert (wide["low"] <= wide["value"]).all()
    assert (wide["value"] <= wide["high"]).all()
    assert (wide["low"] <= narrow["low"]).all()
    assert (narrow["high"] <= wide["high"]).all()
    scores: Any = found.scores()
    for name in found.predictors:
        for measure in COLUMNS:
            assert wide.loc[(name, measure), "value"] == pytest.approx(scores.loc[name, measure])


def test_days_are_drawn_with_all_their_jobs(found: Predictions) -> None:
    """One sample, drawn by hand with the same counts."""
    rows = table(found, "last2")
    days = sorted({row[0] for row in rows})
    counts = np.random.default_rng(3).multinomial(len(days), [1 / len(days)] * len(days), size=1)
    drawn = [
        row
        for day, count in zip(days, counts[0], strict=True)
        for row in rows * int(count)
        if row[0] == day
    ]
    sample: Any = bootstrap(found, np.random.default_rng(3), samples=1)
    for measure, expected in zip(COLUMNS, naive(drawn), strict=True):
        low, high = sample.loc[("last2", measure), ["low", "high"]]
        assert low == high == pytest.approx(expected)


def test_differences_are_taken_on_the_same_days(found: Predictions) -> None:
    gap: Any = bootstrap(found, np.random.default_rng(2), samples=300, versus="request")
    assert "request" not in gap.index.get_level_values("predictor")
    scores: Any = found.scores()
    expected = scores.loc["last2", "A_geo"] - scores.loc["request", "A_geo"]
    assert gap.loc[("last2", "A_geo"), "value"] == pytest.approx(expected)
    same = found.select(np.ones(len(found), dtype=bool))
    same.planned["halting"] = same.planned["request"].copy()
    gap = bootstrap(same, np.random.default_rng(2), samples=50, versus="request")
    assert (gap.loc["halting"][["value", "low", "high"]] == 0).all(axis=None)


def test_intervals_need_samples_and_a_level(found: Predictions) -> None:
    rng = np.random.default_rng(0)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"samples": 0}, "samples = 0"),
        ({"level": 1}, "level = 1"),
        ({"versus": "oracle"}, "predictor = 'oracle'"),
    ]
    for arguments, message in wrong:
        with pytest.raises(InputError, match=message):
            bootstrap(found, rng, **arguments)
