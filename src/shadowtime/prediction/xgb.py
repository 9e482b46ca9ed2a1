"""Gradient boosted trees: the study's learning predictor, and one that is asked for safety.

References
----------
T. Chen and C. Guestrin, "XGBoost: A Scalable Tree Boosting System", KDD 2016,
doi:10.1145/2939672.2939785.

K. Menear et al., "Mastering HPC Runtime Prediction: From Observing Patterns to a Methodological
Approach", PEARC 2023, doi:10.1145/3569951.3593598 (the workflow and its hyperparameters).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from shadowtime.errors import InputError
from shadowtime.prediction.features import Encoder
from shadowtime.prediction.jobs import Jobs

if TYPE_CHECKING:
    from numpy.typing import NDArray

TREES = 168

HYPERPARAMETERS: Mapping[str, float] = {
    "max_depth": 7,
    "learning_rate": 0.3968571957,
    "gamma": 0.6402327684,
    "subsample": 0.7477474074,
    "colsample_bytree": 0.6280085182,
}
"""Those of the workflow for Eagle, with :data:`TREES` trees."""


class XGBoost:
    """Boosted regression trees on what is known at submission; the target is the runtime.

    Parameters
    ----------
    features : sequence of str, optional
        Columns to learn from; by default those of
        :data:`shadowtime.prediction.features.FEATURES` that the log has.
    trees : int
    seed : int
        For the sampling of rows and columns.
    threads : int
        Threads that one fit uses. One is best where splits run side by side.
    name : str
    **parameters
        Parameters of XGBoost in place of :data:`HYPERPARAMETERS`, or in addition to them.

    Notes
    -----
    The model is that of ``xgboost.XGBRegressor`` with the same parameters, prediction for
    prediction. It may predict runtimes of zero and less: those count as no prediction.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> estimate = rng.integers(1, 100, size=500) * 60
    >>> columns = {"submit": estimate, "nodes": estimate % 7 + 1, "estimate": estimate}
    >>> history = Jobs(columns | {"runtime": estimate // 2, "end": estimate})
    >>> XGBoost().fit(history).predict(Jobs(columns).take(slice(1))) / (estimate[:1] / 2) > 0.8
    array([ True])
    """

    def __init__(
        self,
        *,
        features: Sequence[str] | None = None,
        trees: int = TREES,
        seed: int = 0,
        threads: int = 1,
        name: str = "xgboost",
        **parameters: Any,
    ) -> None:
        if trees < 1:
            raise InputError(f"trees = {trees}; it takes 1 or more")
        self.name = name
        self.features = features
        self.trees = trees
        self.parameters = {**HYPERPARAMETERS, **parameters, "seed": seed, "nthread": threads}
        self._encoder = Encoder(features)
        self._model: Any = None

    def __repr__(self) -> str:
        told = "".join(f", {key}={value!r}" for key, value in self.parameters.items())
        kind = type(self).__name__
        return f"{kind}(name={self.name!r}, features={self.features}, trees={self.trees}{told})"

    def fit(self, history: Jobs) -> Self:
        """Grow the trees; without history there is no model."""
        import xgboost

        self._model = None
        if not len(history):
            return self
        matrix = self._encoder.fit(history).transform(history)
        threads = self.parameters["nthread"]
        # Some steps heed the global number of threads alone. A process in which they ran on
        # several cannot be forked: XGBoost would wait for them for ever in the child.
        with xgboost.config_context(nthread=threads):
            data = xgboost.DMatrix(matrix, history["runtime"], nthread=threads)
            # As xgboost.train does, without its callbacks, which cost a tenth of the time.
            self._model = xgboost.Booster(self.parameters, [data])
            for tree in range(self.trees):
                self._model.update(data, tree)
        return self

    def predict(self, jobs: Jobs) -> NDArray[np.float64]:
        """Return the predicted runtimes in seconds, shape (jobs,)."""
        import xgboost

        if self._model is None:
            return np.full(len(jobs), np.nan)
        with xgboost.config_context(nthread=self.parameters["nthread"]):
            predicted = self._model.inplace_predict(self._encoder.transform(jobs))
        return np.asarray(predicted, dtype=np.float64)


class QuantileXGBoost(XGBoost):
    """Trees that predict a runtime which is rarely exceeded.

    A predictor of the mean underestimates most long jobs. This one is asked for a quantile: 0.9
    is a runtime that nine of ten such jobs do not pass.

    Parameters
    ----------
    quantile : float
        Between 0 and 1.
    **parameters
        As for :class:`XGBoost`.
    """

    def __init__(self, quantile: float = 0.9, *, name: str = "quantile", **parameters: Any) -> None:
        if not 0 < quantile < 1:
            raise InputError(f"quantile = {quantile}; it lies between 0 and 1")
        super().__init__(
            name=name,
            objective="reg:quantileerror",
            quantile_alpha=quantile,
            **parameters,
        )
