"""What a learning predictor is told about a job: a matrix of numbers, encoded inside the window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from shadowtime.errors import InputError
from shadowtime.prediction.jobs import CATEGORIES, NUMBERS, OUTCOME, Jobs

if TYPE_CHECKING:
    from numpy.typing import NDArray

ALWAYS = ("estimate", "nodes", "user", "queue")
"""Features of every log: one that a log lacks is a column of zeros.

It cannot teach anything, but it keeps the model what it is: each tree sees a sample of the columns,
62.8 % in the study, and of three columns that would be one.
"""

FEATURES = (*ALWAYS, "partition", *NUMBERS)
"""The study's features: what was requested, who asked, and where."""


class Encoder:
    """Turns jobs into a matrix; what the categories mean is learnt from the history alone.

    A category becomes its place among the values that occur in the history, in their own order.
    A value that does not occur there is unknown, whatever happens to it later in the log.

    Parameters
    ----------
    features : sequence of str, optional
        Columns to use; by default :data:`ALWAYS`, and those of :data:`FEATURES` that the log has.
    unknown : float
        What stands for an unknown category: NaN for models that know missing values.

    Attributes
    ----------
    columns : tuple of str
        The features in use, in the order of the matrix; known after :meth:`fit`.

    Examples
    --------
    >>> def table(user):
    ...     columns = {"submit": [0, 1], "nodes": [4, 8], "estimate": [60, 90], "user": user}
    ...     return Jobs({name: np.array(column) for name, column in columns.items()})
    >>> encoder = Encoder(unknown=-1).fit(table(user=[3, 7]))
    >>> encoder.columns
    ('estimate', 'nodes', 'user', 'queue')
    >>> encoder.transform(table(user=[7, 5])).tolist()
    [[60.0, 4.0, 1.0, 0.0], [90.0, 8.0, -1.0, 0.0]]
    """

    def __init__(self, features: Sequence[str] | None = None, *, unknown: float = np.nan) -> None:
        if features is not None and (wrong := sorted({*features} & {*OUTCOME})):
            raise InputError(f"{wrong[0]} is not known when a job is submitted: no feature")
        self.features = features
        self.unknown = unknown
        self.columns: tuple[str, ...] = ()
        self._seen: dict[str, NDArray[Any]] = {}

    def fit(self, history: Jobs) -> Self:
        """Learn which categories occur in the history."""
        if self.features is None:
            self.columns = tuple(name for name in FEATURES if name in ALWAYS or name in history)
        else:
            self.columns = tuple(self.features)
        self._seen = {
            name: _distinct(history[name])
            for name in self.columns
            if name in CATEGORIES and not self._is_lacking(name, history)
        }
        return self

    def _is_lacking(self, name: str, jobs: Jobs) -> bool:
        return self.features is None and name in ALWAYS and name not in jobs

    def transform(self, jobs: Jobs) -> NDArray[np.float32]:
        """Return the matrix of the jobs, shape (jobs, features)."""
        matrix = np.empty((len(jobs), len(self.columns)), dtype=np.float32)
        for place, name in enumerate(self.columns):
            if self._is_lacking(name, jobs):
                matrix[:, place] = 0
                continue
            column = jobs[name]
            if name in self._seen:
                seen = self._seen[name]
                rank = np.searchsorted(seen, column)
                known = np.zeros(len(column), dtype=bool)
                inside = rank < len(seen)
                known[inside] = seen[rank[inside]] == column[inside]
                matrix[:, place] = np.where(known, rank, self.unknown)
            else:
                matrix[:, place] = column
        return matrix


def _distinct(column: NDArray[Any]) -> NDArray[Any]:
    """Return the codes that occur, in order, the unknown one left out."""
    known = column[column >= 0]
    if not len(known):
        return known
    return np.flatnonzero(np.bincount(known))
