"""Jobs as predictors see them: columns of numbers, without an outcome that nobody knows yet."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.errors import InputError
from shadowtime.workload import Workload

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

OUTCOME = ("runtime", "end")
"""Columns that nobody knows when a job is submitted."""

CATEGORIES = ("user", "group", "account", "application", "queue", "partition", "qos")
"""Extra columns whose values are names, also where a log writes them as numbers."""

NUMBERS = ("requested_memory", "memory", "processors", "gpus")
"""Extra columns that say what a job requested."""

UNKNOWN = -1
"""Code of a category that is unknown."""


@dataclass(frozen=True)
class Jobs:
    """A table of jobs.

    Attributes
    ----------
    columns : dict of str to numpy.ndarray, each of shape (jobs,)
        ``submit``, ``nodes``, ``estimate``; what the log has of :data:`NUMBERS` (NaN where
        unknown) and of :data:`CATEGORIES` (codes, -1 where unknown; codes keep the order of the
        values); and, of jobs that have ended, ``runtime`` and ``end``. Times in seconds.
    """

    columns: Mapping[str, NDArray[Any]]

    @classmethod
    def from_workload(cls, workload: Workload) -> Jobs:
        """Make the table of a prepared workload, in its order.

        Raises
        ------
        InputError
            If the workload does not say how long its jobs waited.

        Examples
        --------
        >>> w = Workload(
        ...     id=[1, 2],
        ...     submit=[0, 10],
        ...     nodes=[1, 1],
        ...     estimate=[90, 90],
        ...     runtime=[60, 60],
        ...     extra={"wait": [0, 50], "user": ["uma", "ann"]},
        ... )
        >>> jobs = Jobs.from_workload(w)
        >>> jobs["end"].tolist(), jobs["user"].tolist()
        ([60, 120], [1, 0])
        """
        if "wait" not in workload.extra:
            raise InputError("the workload has no column 'wait': use prediction.prepare first")
        columns = {
            name: np.asarray(getattr(workload, name))
            for name in ("submit", "nodes", "estimate", "runtime")
        }
        columns["end"] = columns["submit"] + np.asarray(workload.extra["wait"]) + columns["runtime"]
        for name in NUMBERS:
            if name in workload.extra:
                columns[name] = np.asarray(workload.extra[name], dtype=np.float64)
        for name in CATEGORIES:
            if name in workload.extra:
                columns[name] = codes(workload.extra[name])
        for column in columns.values():
            column.flags.writeable = False  # views of the workload: a predictor only looks
        return cls(columns)

    def __len__(self) -> int:
        return len(self.columns["submit"])

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    def __getitem__(self, name: str) -> NDArray[Any]:
        try:
            return self.columns[name]
        except KeyError:
            if name in OUTCOME:
                raise InputError(f"{name} is not known when a job is submitted") from None
            raise InputError(
                f"the jobs have no column {name!r}; they have {', '.join(self.columns)}"
            ) from None

    def take(self, rows: NDArray[np.intp] | slice) -> Jobs:
        """Return the jobs at `rows`."""
        return Jobs({name: column[rows] for name, column in self.columns.items()})

    def submitted(self) -> Jobs:
        """Return the same jobs without their outcome."""
        return Jobs({key: column for key, column in self.columns.items() if key not in OUTCOME})

    def to_frame(self) -> pd.DataFrame:
        """Return the jobs as a pandas table, one row a job."""
        import pandas as pd

        return pd.DataFrame(dict(self.columns))


def codes(values: Sequence[Any]) -> NDArray[np.int32]:
    """Turn the values of a category into numbers in their own order, shape (jobs,).

    Parameters
    ----------
    values : sequence
        Numbers or texts; None where unknown.

    Returns
    -------
    numpy.ndarray of int
        0 for the least value, :data:`UNKNOWN` for None. Numbers come before texts.

    Examples
    --------
    >>> codes(["b", None, "a", "b"]).tolist()
    [1, -1, 0, 1]
    """
    if isinstance(values, array) and values.typecode == "q":
        return np.unique(np.asarray(values), return_inverse=True)[1].astype(np.int32)
    order = sorted(set(values) - {None}, key=lambda value: (isinstance(value, str), value))
    code: dict[Any, int] = {value: place for place, value in enumerate(order)}
    code[None] = UNKNOWN
    return np.fromiter(map(code.__getitem__, values), dtype=np.int32, count=len(values))
