"""How sure the measures are: bootstrap intervals over days.

Jobs of one day are alike, so it is days that are drawn again, with replacement, each with all its
jobs. Every measure is a ratio of sums over jobs, so a drawn sample costs one sum over days.

References
----------
B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", Chapman & Hall, 1993.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from shadowtime.errors import InputError
from shadowtime.prediction.outcome import Predictions

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

MEASURES = ("A_mean", "A_geo", "UnderRate")


def bootstrap(
    predictions: Predictions,
    rng: np.random.Generator,
    *,
    samples: int = 1000,
    level: float = 0.95,
    versus: str | None = None,
) -> pd.DataFrame:
    """Return percentile intervals of each predictor's measures.

    Parameters
    ----------
    predictions : Predictions
    rng : numpy.random.Generator
    samples : int
        How many times the days are drawn. All predictors are measured on the same draws.
    level : float
        Between 0 and 1; 0.95 leaves 2.5 % of the samples on either side.
    versus : str, optional
        Measure the difference to this predictor instead: an interval without 0 tells a
        difference that does not hang on a few days.

    Returns
    -------
    pandas.DataFrame
        One row a predictor and measure: ``value`` over all days, ``low`` and ``high``.

    Raises
    ------
    InputError
        If `samples` is less than 1, `level` not between 0 and 1, or there is no predictor
        `versus`.

    Examples
    --------
    >>> from shadowtime import prediction, traces
    >>> jobs = prediction.prepare(traces.load("teaching"))
    >>> found = prediction.evaluate(jobs, ["request", "last2"])
    >>> table = bootstrap(found, np.random.default_rng(0), versus="request").round(2)
    >>> table.loc[("last2", "UnderRate")].tolist()
    [0.41, 0.36, 0.45]
    """
    import pandas as pd

    if samples < 1:
        raise InputError(f"samples = {samples}; it takes 1 or more")
    if not 0 < level < 1:
        raise InputError(f"level = {level}; it lies between 0 and 1")
    if versus is not None and versus not in predictions.planned:
        raise InputError(
            f"predictor = {versus!r}; there are predictions of {', '.join(predictions.planned)}"
        )
    sums = {name: _sums(predictions.aligned(), name) for name in predictions.planned}
    days = next(iter(sums.values())).shape[1]
    drawn = rng.multinomial(days, np.full(days, 1 / days), size=samples)
    value = {name: _measures(table.sum(axis=1)) for name, table in sums.items()}
    sample = {name: _measures(table @ drawn.T) for name, table in sums.items()}
    tail = 100 * (1 - level) / 2
    rows = {}
    for name in sums:
        if name == versus:
            continue
        point, spread = value[name], sample[name]
        if versus is not None:
            point, spread = point - value[versus], spread - sample[versus]
        low, high = np.percentile(spread, [tail, 100 - tail], axis=1)
        for place, measure in enumerate(MEASURES):
            rows[name, measure] = {
                "value": float(point[place]),
                "low": float(low[place]),
                "high": float(high[place]),
            }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["predictor", "measure"])


def _sums(jobs: Predictions, name: str) -> NDArray[np.float64]:
    """Return what the measures are made of, summed over each day, shape (5, days)."""
    planned, runtime, usage = jobs.planned[name], jobs.runtime, jobs.usage
    error = np.abs(np.log(planned / runtime))
    _, day = np.unique(jobs.split, return_inverse=True)
    parts = (np.ones(len(jobs)), np.exp(-error), usage, usage * error, planned < runtime)
    return np.array([np.bincount(day, weights=part) for part in parts])


def _measures(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    jobs, accuracy, usage, loss, under = sums
    return np.array([accuracy / jobs, np.exp(-loss / usage), under / jobs])
