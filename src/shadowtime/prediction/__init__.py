"""Runtime prediction as in the study: predictors, rolling splits, measures, hybrid routing.

Examples
--------
>>> from shadowtime import prediction, traces
>>> jobs = prediction.prepare(traces.load("teaching"))
>>> found = prediction.evaluate(jobs, ["request", "last2"])
>>> found.predictors
['request', 'last2']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shadowtime.prediction import (
        accuracy,
        concentration,
        hybrid,
        intervals,
        teaching,
        weights,
    )
    from shadowtime.prediction.adapter import Regressor
    from shadowtime.prediction.jobs import Jobs
    from shadowtime.prediction.outcome import Predictions
    from shadowtime.prediction.predictors import LastN, Predictor, UserReq, by_name
    from shadowtime.prediction.preparation import prepare
    from shadowtime.prediction.rolling import evaluate
    from shadowtime.prediction.xgb import QuantileXGBoost, XGBoost

# Loaded when first used: the live figures take some modules, without numpy.
_HOME = {
    "Jobs": "jobs",
    "LastN": "predictors",
    "Predictions": "outcome",
    "Predictor": "predictors",
    "QuantileXGBoost": "xgb",
    "Regressor": "adapter",
    "UserReq": "predictors",
    "XGBoost": "xgb",
    "by_name": "predictors",
    "evaluate": "rolling",
    "prepare": "preparation",
}
_MODULES = ("accuracy", "concentration", "hybrid", "intervals", "teaching", "weights")

__all__ = [
    "Jobs",
    "LastN",
    "Predictions",
    "Predictor",
    "QuantileXGBoost",
    "Regressor",
    "UserReq",
    "XGBoost",
    "accuracy",
    "by_name",
    "concentration",
    "evaluate",
    "hybrid",
    "intervals",
    "prepare",
    "teaching",
    "weights",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
