"""The accuracy figure shows the measures that the package has, on the same jobs."""

from typing import Any

import numpy as np
import pytest

from shadowtime import InputError, Workload, live
from shadowtime.live import scores
from shadowtime.live.figures import accuracy as figure
from shadowtime.prediction import Predictions, teaching

EXACT = 1e-12
PREDICTORS = ("request", "last2", "xgboost")


@pytest.fixture(scope="module")
def predictions() -> Predictions:
    """The predictions of the figure, as an evaluation would have returned them."""
    workload, planned = teaching.load()
    every = np.arange(len(workload))
    columns = {name: np.array(column, dtype=float) for name, column in planned.items()}
    return Predictions(workload, every, every * 0, np.array([workload.submit[0]]), columns)


def shown(**values: Any) -> live.Data:
    return live.figure("accuracy").set(**values).data


def numbers(data: live.Data) -> dict[tuple[str, str], float]:
    return {(row["label"], row["of"]): row["value"] for row in data["readout"]}


def curve(data: live.Data, predictor: str) -> dict[float, float]:
    return {r["exponent"]: r["score"] for r in data["curve"] if r["predictor"] == predictor}


def table(invalid: str) -> tuple[Any, Any, dict[str, Any]]:
    """Runtimes, usages and plans in the order of usage, made with numpy alone."""
    workload, planned = teaching.load()
    runtime, nodes = np.array(workload.runtime), np.array(workload.nodes)
    plans = {name: np.array(column, dtype=float) for name, column in planned.items()}
    valid = np.all([column > 0 for column in plans.values()], axis=0)
    chosen = valid if invalid == "drop" else np.ones_like(valid)
    usage = (nodes * runtime)[chosen]
    order = np.argsort(usage, kind="stable")
    plans = {
        name: np.where(column > 0, column, 30)[chosen][order] for name, column in plans.items()
    }
    return runtime[chosen][order], usage[order], plans


def test_the_ends_are_a_mean_and_a_geo_of_the_study(predictions: Predictions) -> None:
    measured: Any = predictions.scores().to_dict("index")
    for exponent, mean, measure in ((0, "arithmetic", "A_mean"), (1, "geometric", "A_geo")):
        found = numbers(shown(exponent=exponent, mean=mean, invalid="drop"))
        for name in PREDICTORS:
            assert found["Accuracy, all", name] == pytest.approx(measured[name][measure], rel=EXACT)
            assert found["UnderRate, all", name] == pytest.approx(
                100 * measured[name]["UnderRate"], rel=EXACT
            )


@pytest.mark.parametrize("mean", ["arithmetic", "geometric"])
@pytest.mark.parametrize("invalid", ["floor", "drop"])
@pytest.mark.parametrize("exponent", [0.35, 0.7])
def test_between_the_ends_it_is_a_mean_with_these_weights(
    exponent: float, invalid: str, mean: str
) -> None:
    runtime, usage, plans = table(invalid)
    data = shown(exponent=exponent, invalid=invalid, mean=mean)
    weight = usage.astype(float) ** exponent
    for name, plan in plans.items():
        ratio = np.minimum(plan / runtime, runtime / plan)
        if mean == "arithmetic":
            expected = np.average(ratio, weights=weight)
        else:
            expected = np.exp(np.average(np.log(ratio), weights=weight))
        assert numbers(data)["Accuracy, all", name] == pytest.approx(expected, rel=EXACT)
        points = {row["predictor"]: row["score"] for row in data["here"]}
        assert points[name] == pytest.approx(expected, rel=EXACT)
        if exponent in scores.EXPONENTS:
            assert curve(data, name)[exponent] == points[name]


def test_deciles_are_those_of_the_study(predictions: Predictions) -> None:
    data = shown(exponent=1, mean="geometric", invalid="drop")
    table = predictions.by_decile()
    measured = table.set_index(["predictor", "decile"])
    assert len(data["deciles"]) == len(measured)
    for row in data["deciles"]:
        expected = measured.loc[row["predictor"], row["decile"]]
        assert row["score"] == pytest.approx(expected["A_geo"], rel=EXACT)
        assert row["under"] == pytest.approx(100 * expected["UnderRate"], rel=EXACT, abs=1e-9)
    shares = table[table["predictor"] == "request"]["usage_share"].to_numpy()
    assert [row["weight"] for row in data["weights"]] == pytest.approx(100 * shares)


def test_the_tail_at_90_is_the_top_decile() -> None:
    data = shown(exponent=1, percentile=90)
    for row in data["deciles"]:
        if row["decile"] == 10:
            found = numbers(data)
            assert found["Accuracy, tail", row["predictor"]] == row["score"]
            assert found["UnderRate, tail", row["predictor"]] == row["under"]


@pytest.mark.parametrize("percentile", [50, 73, 99])
def test_the_tail_is_what_lies_above_the_percentile(percentile: int) -> None:
    runtime, usage, plans = table("floor")
    data = shown(percentile=percentile, exponent=0)
    jobs = slice(int(np.ceil(len(usage) * percentile / 100)), None)
    for name, plan in plans.items():
        late = 100 * np.mean(plan[jobs] < runtime[jobs])
        assert numbers(data)["UnderRate, tail", name] == pytest.approx(late, rel=EXACT)
    assert data["tail"] == [{"from": percentile, "to": 100}]
    share = 100 * usage[jobs].sum() / usage.sum()
    assert f"{share:.1f} % of the node-time" in data["story"][2]["text"]


def test_at_exponent_0_every_tenth_weighs_the_same_and_weight_then_moves_to_the_top() -> None:
    top = []
    for exponent in (0, 0.25, 0.5, 1):
        weights = [row["weight"] for row in shown(exponent=exponent)["weights"]]
        assert sum(weights) == pytest.approx(100)
        top.append(weights[-1])
    assert top == sorted(top)
    assert top[0] == pytest.approx(10, abs=0.1)


def test_the_lead_turns_where_the_curves_cross() -> None:
    data = shown()
    ahead = [
        exponent
        for exponent, score in curve(data, "xgboost").items()
        if score < curve(data, "request")[exponent]
    ]
    assert ahead == [exponent for exponent in scores.EXPONENTS if exponent >= min(ahead)]
    said = data["story"][1]["text"]
    assert said.startswith("XGBoost is the most accurate where every job counts once")
    assert (
        f"User's request from an exponent between {min(ahead) - 0.1:g} and {min(ahead):g}" in said
    )
    assert f"between {min(ahead) - 0.1:g} and {min(ahead):g}" in live.figure("accuracy").alt
    without = shown(invalid="drop")["story"][1]["text"]
    assert without == "XGBoost is the most accurate at every exponent"


def test_ranks_follow_the_scores_and_turn_with_the_exponent() -> None:
    def ranks(exponent: float) -> list[str]:
        found = numbers(shown(exponent=exponent))
        by_rank = sorted(PREDICTORS, key=lambda name: found["Rank", name])
        assert by_rank == sorted(PREDICTORS, key=lambda name: -found["Accuracy, all", name])
        return by_rank

    assert ranks(0) == ["xgboost", "request", "last2"]
    assert ranks(1) == ["request", "xgboost", "last2"]


def test_jobs_without_a_valid_prediction_are_counted() -> None:
    _, planned = teaching.load()
    count = sum(value <= 0 for value in planned["xgboost"])
    for invalid, jobs in (("floor", 1981), ("drop", 1981 - count)):
        said = shown(invalid=invalid)["story"][0]["text"]
        assert f"{jobs:,} jobs" in said
        assert f"XGBoost predicts 0 s or less {count} times" in said


def test_in_a_notebook_it_takes_any_predictors(predictions: Predictions) -> None:
    planned = {"mine": predictions.runtime * 2, "request": predictions.planned["request"]}
    own = Predictions(
        predictions.workload, predictions.row, predictions.split, predictions.start, planned
    )
    fig = live.figure("accuracy", predictions=own).set(exponent=0.5)
    assert numbers(fig.data)["Accuracy, all", "mine"] == pytest.approx(0.5)
    assert [row["label"] for row in fig.data["key"]] == ["mine", "User's request"]
    assert "mine" in str(fig.chart().to_dict())
    with pytest.raises(ValueError, match="takes no predictions"):
        live.figure("welcome", predictions=own)


def test_many_jobs_are_scored_with_numpy_and_as_few(
    predictions: Predictions, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting: dict[str, Any] = {"exponent": 0.35, "percentile": 80}
    slow = live.figure("accuracy", predictions=predictions).set(**setting).data
    monkeypatch.setattr(scores, "LARGE", 1)
    fast = live.figure("accuracy", predictions=predictions).set(**setting).data
    for dataset, field in (("curve", "score"), ("deciles", "score"), ("weights", "weight")):
        pairs = zip(slow[dataset], fast[dataset], strict=True)
        for one, other in pairs:
            assert one[field] == pytest.approx(other[field], rel=EXACT)
    assert numbers(slow) == pytest.approx(numbers(fast), rel=EXACT)
    assert slow["story"] == fast["story"]


def test_a_log_without_a_common_job_is_refused() -> None:
    jobs = Workload(id=[1], submit=[0], nodes=[1], estimate=[60], runtime=[60])
    made = scores.Scores(jobs, {"mine": [-1]})
    params: dict[str, Any] = {"exponent": 0, "percentile": 90, "mean": "geometric"}
    with pytest.raises(InputError, match="no job for which every predictor"):
        made.compute({**params, "invalid": "drop"})
    assert made.compute({**params, "invalid": "floor"})["here"][0]["score"] == 0.5


def test_predictors_have_colours_of_their_own() -> None:
    found = scores.colours(["request", "mine", "last2", "yours"])
    assert found["request"] == "request"
    assert found["last2"] == "last2"
    assert len(set(found.values())) == 4
    assert figure.chart(["mine"]).to_dict()
