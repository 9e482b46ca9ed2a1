"""A scikit-learn regressor, or a pipeline that ends in one, as a predictor of runtimes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from shadowtime.prediction.features import Encoder
from shadowtime.prediction.jobs import Jobs

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Regressor:
    """Adapts anything with scikit-learn's ``fit(X, y)`` and ``predict(X)``.

    Parameters
    ----------
    estimator : scikit-learn regressor
        Cloned before every fit, so that nothing is carried from one window to the next. Give it
        a ``random_state`` to be able to repeat a result.
    features : sequence of str, optional
        Columns to learn from; by default those of
        :data:`shadowtime.prediction.features.FEATURES` that the log has. Categories are numbers:
        their place among the values in the history, -1 where unknown.
    name : str, optional
        By default the class of the estimator, in lower case.
    log_target : bool
        Learn the logarithm of the runtime, so that errors count as ratios.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> columns = {"submit": np.arange(3), "nodes": np.ones(3), "estimate": np.array([60, 90, 120])}
    >>> history = Jobs(columns | {"runtime": columns["estimate"] / 2})
    >>> predictor = Regressor(LinearRegression(), features=["estimate"])
    >>> predictor.name, predictor.fit(history).predict(Jobs(columns)).round(6).tolist()
    ('linearregression', [30.0, 45.0, 60.0])
    """

    def __init__(
        self,
        estimator: Any,
        *,
        features: Sequence[str] | None = None,
        name: str = "",
        log_target: bool = False,
    ) -> None:
        self.estimator = estimator
        self.features = features
        self.name = name or type(estimator).__name__.lower()
        self.log_target = log_target
        self._encoder = Encoder(features, unknown=-1)
        self._model: Any = None

    def __repr__(self) -> str:
        return (
            f"Regressor({self.estimator!r}, features={self.features}, name={self.name!r}, "
            f"log_target={self.log_target})"
        )

    def fit(self, history: Jobs) -> Self:
        """Fit a fresh clone; without history there is no model."""
        from sklearn.base import clone

        self._model = None
        if not len(history):
            return self
        matrix = self._encoder.fit(history).transform(history)
        runtime = history["runtime"].astype(np.float64)
        self._model = clone(self.estimator)
        self._model.fit(matrix, np.log(runtime) if self.log_target else runtime)
        return self

    def predict(self, jobs: Jobs) -> NDArray[np.float64]:
        """Return the predicted runtimes in seconds, shape (jobs,)."""
        if self._model is None:
            return np.full(len(jobs), np.nan)
        predicted = np.asarray(self._model.predict(self._encoder.transform(jobs)), dtype=np.float64)
        return np.exp(predicted) if self.log_target else predicted
