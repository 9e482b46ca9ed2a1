"""The learning predictors do what their libraries do with the same parameters."""

import os
import subprocess
import sys
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from shadowtime import InputError, Workload
from shadowtime.prediction import Jobs, QuantileXGBoost, Regressor, XGBoost
from shadowtime.prediction.features import Encoder
from shadowtime.prediction.xgb import HYPERPARAMETERS, TREES

xgboost = pytest.importorskip("xgboost")


@pytest.fixture
def halves(log: Workload) -> tuple[Jobs, Jobs]:
    jobs = Jobs.from_workload(log)
    return jobs.take(slice(0, 300)), jobs.take(slice(300, 400)).submitted()


def matrices(history: Jobs, new: Jobs) -> tuple[Any, Any, Any]:
    """Encode by hand: users and queues are numbered as they sort within the history."""
    columns = [[], []]  # type: ignore[var-annotated]
    for jobs, into in zip((history, new), columns, strict=True):
        for name in ("estimate", "nodes"):
            into.append(jobs[name].astype(float))
        for name in ("user", "queue"):
            known = sorted(set(history[name].tolist()))
            rank = {value: float(place) for place, value in enumerate(known)}
            into.append(np.array([rank.get(value, np.nan) for value in jobs[name].tolist()]))
    return np.column_stack(columns[0]), history["runtime"], np.column_stack(columns[1])


def test_xgboost_is_the_regressor_with_the_study_s_hyperparameters(
    halves: tuple[Jobs, Jobs],
) -> None:
    x, y, new = matrices(*halves)
    with xgboost.config_context(nthread=1):  # processes may be forked in other tests
        model = xgboost.XGBRegressor(
            n_estimators=TREES, **HYPERPARAMETERS, random_state=5, n_jobs=1
        ).fit(x, y)
    history, test = halves
    found = XGBoost(seed=5).fit(history).predict(test)
    assert found.tolist() == model.predict(new).astype(float).tolist()


def test_a_process_that_has_grown_trees_can_be_forked() -> None:
    """XGBoost's own fit starts threads that are missing in a forked process."""
    code = """
        import os, sys
        import numpy as np
        from shadowtime.prediction import Jobs, XGBoost
        column = np.arange(5000)
        jobs = Jobs({name: column for name in ("submit", "nodes", "estimate", "runtime")})
        model = XGBoost(trees=2)
        model.fit(jobs).predict(jobs)
        child = os.fork()
        model.fit(jobs).predict(jobs)
        if child:
            sys.exit(os.waitpid(child, 0)[1])
    """
    environment = {key: value for key, value in os.environ.items() if key != "OMP_NUM_THREADS"}
    subprocess.run([sys.executable, "-c", dedent(code)], check=True, timeout=120, env=environment)


def test_seeds_repeat_and_differ(halves: tuple[Jobs, Jobs]) -> None:
    history, test = halves
    first, again, other = (
        XGBoost(seed=seed, trees=10).fit(history).predict(test) for seed in (1, 1, 2)
    )
    assert first.tolist() == again.tolist()
    assert first.tolist() != other.tolist()


def test_a_high_quantile_is_rarely_passed(halves: tuple[Jobs, Jobs]) -> None:
    history, _ = halves
    safe = QuantileXGBoost(0.9, trees=60).fit(history).predict(history)
    assert np.mean(safe < history["runtime"]) < 0.2
    bold = QuantileXGBoost(0.1, trees=60).fit(history).predict(history)
    assert np.mean(bold < history["runtime"]) > 0.8


@pytest.mark.parametrize("log_target", [False, True])
def test_a_regressor_of_scikit_learn_fits_in(
    halves: tuple[Jobs, Jobs],
    log_target: bool,  # noqa: FBT001
) -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    history, test = halves
    forest = ensemble.RandomForestRegressor(5, random_state=0)
    found = Regressor(forest, log_target=log_target).fit(history).predict(test)
    encoder = Encoder(unknown=-1).fit(history)
    y = history["runtime"].astype(float)
    own = ensemble.RandomForestRegressor(5, random_state=0).fit(
        encoder.transform(history), np.log(y) if log_target else y
    )
    expected = own.predict(encoder.transform(test))
    assert found == pytest.approx(np.exp(expected) if log_target else expected)
    assert not hasattr(forest, "estimators_"), "the user's own object is not fitted"


def test_without_history_there_is_no_prediction(halves: tuple[Jobs, Jobs]) -> None:
    history, test = halves
    linear = pytest.importorskip("sklearn.linear_model")
    for predictor in (XGBoost(trees=2), Regressor(linear.LinearRegression())):
        predictor.fit(history)
        predictor.fit(history.take(slice(0)))
        assert np.isnan(predictor.predict(test)).all()


def test_parameters_are_told_and_checked() -> None:
    told = repr(XGBoost(seed=4, max_depth=3))
    assert "max_depth=3" in told
    assert "seed=4" in told
    assert repr(QuantileXGBoost(0.8)).startswith("QuantileXGBoost(name='quantile'")
    with pytest.raises(InputError, match="trees = 0"):
        XGBoost(trees=0)
    with pytest.raises(InputError, match="quantile = 1"):
        QuantileXGBoost(1)
