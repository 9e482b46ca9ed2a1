"""What came of an evaluation: predictions of every job, and the study's measures of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from shadowtime.errors import InputError
from shadowtime.prediction import accuracy, hybrid
from shadowtime.prediction.accuracy import MEASURES
from shadowtime.prediction.splits import Split
from shadowtime.workload import Workload

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Predictions:
    """Planned runtimes of the jobs that were submitted on split days.

    All measures are over the jobs for which every predictor has a valid prediction, a number
    greater than 0: the predictors are compared on the same jobs.

    Attributes
    ----------
    workload : Workload
        All jobs, those of the first window too.
    row : numpy.ndarray of int, shape (predicted,)
        Position of each predicted job in the workload.
    split : numpy.ndarray of int, shape (predicted,)
        Number of its day, from 0.
    start : numpy.ndarray, shape (splits,)
        When each day begins.
    planned : dict of str to numpy.ndarray, each of shape (predicted,)
        What each predictor said, in seconds; NaN where it said nothing.
    """

    workload: Workload
    row: NDArray[np.intp]
    split: NDArray[np.intp]
    start: NDArray[Any]
    planned: dict[str, NDArray[np.float64]]

    @classmethod
    def empty(
        cls, workload: Workload, days: Sequence[Split], predictors: Sequence[str]
    ) -> Predictions:
        """Return a table for the jobs of these days, without predictions yet."""
        sizes = [day.test.stop - day.test.start for day in days]
        row = np.concatenate([np.arange(day.test.start, day.test.stop) for day in days])
        return cls(
            workload,
            row,
            np.repeat(np.arange(len(days)), sizes),
            np.array([day.start for day in days]),
            {name: np.full(len(row), np.nan) for name in predictors},
        )

    def store(self, split: int, planned: Mapping[str, NDArray[np.float64]]) -> None:
        """Take in the predictions of one day, by predictor."""
        first, stop = np.searchsorted(self.split, [split, split + 1])
        for name, column in planned.items():
            self.planned[name][first:stop] = column

    def __len__(self) -> int:
        return len(self.row)

    @property
    def predictors(self) -> list[str]:
        """Names of the predictors."""
        return list(self.planned)

    @property
    def valid(self) -> NDArray[np.bool_]:
        """Whether every predictor has a valid prediction of each job, shape (predicted,)."""
        valid = np.ones(len(self), dtype=bool)
        for column in self.planned.values():
            valid &= np.isfinite(column) & (column > 0)
        return valid

    def coverage(self) -> dict[str, float]:
        """Return the share of jobs that each predictor has a valid prediction for.

        A regression on runtimes may say that a job runs for less than no time; such jobs are
        mostly short ones, and leaving them out makes the others look better than all would.
        """
        return {
            name: float(np.mean(np.isfinite(column) & (column > 0)))
            for name, column in self.planned.items()
        }

    @property
    def runtime(self) -> NDArray[np.float64]:
        """What the jobs ran in the end, in seconds, shape (predicted,)."""
        return np.asarray(self.workload.runtime, dtype=np.float64)[self.row]

    @property
    def usage(self) -> NDArray[np.float64]:
        """Nodes times runtime of the jobs, shape (predicted,)."""
        return np.asarray(self.workload.nodes, dtype=np.float64)[self.row] * self.runtime

    @property
    def requested(self) -> NDArray[np.float64]:
        """Nodes times requested time of the jobs, shape (predicted,): known at submission."""
        return hybrid.proxy_cost(self.workload)[self.row]

    def select(self, chosen: NDArray[np.bool_]) -> Predictions:
        """Return the predictions of some of the jobs, shape of `chosen` (predicted,)."""
        planned = {name: column[chosen] for name, column in self.planned.items()}
        return Predictions(self.workload, self.row[chosen], self.split[chosen], self.start, planned)

    def aligned(self) -> Predictions:
        """Return the predictions of the jobs that every predictor has a valid one for.

        Raises
        ------
        InputError
            If there is no such job.
        """
        valid = self.valid
        if not valid.any():
            raise InputError("there is no job for which every predictor has a prediction")
        return self if valid.all() else self.select(valid)

    def jobs(self) -> tuple[Workload, dict[str, NDArray[np.float64]]]:
        """Return the jobs that every predictor has a valid prediction for, to be replayed.

        Returns
        -------
        workload : Workload
        planned : dict of str to numpy.ndarray, each of shape (jobs,)
            By predictor, in the order of the workload.
        """
        valid = self.aligned()
        return valid.workload.select(valid.row.tolist()), valid.planned

    def scores(self) -> pd.DataFrame:
        """Return the measures of each predictor over all jobs, one row a predictor."""
        import pandas as pd

        jobs = self.aligned()
        runtime, usage = jobs.runtime, jobs.usage
        table = {
            name: accuracy.scores(planned, runtime, usage) for name, planned in jobs.planned.items()
        }
        return pd.DataFrame.from_dict(table, orient="index").rename_axis("predictor")

    def by_decile(
        self, groups: int = 10, *, of: Literal["usage", "requested"] = "usage"
    ) -> pd.DataFrame:
        """Return the measures of each predictor by decile of usage.

        Parameters
        ----------
        groups : int
            10 for deciles.
        of : {"usage", "requested"}
            What the jobs are sorted by. The study sorts by usage, which is known in the end: among
            the jobs that used most are those that ran longer than anyone could expect, so every
            expectation is too short there. Requested node-time is known at submission.

        Returns
        -------
        pandas.DataFrame
            One row a predictor and decile, 1 the jobs that use or request least, with
            ``usage_share``: what part of all node-time its jobs used.
        """
        jobs = self.aligned()
        usage = jobs.usage
        decile = accuracy.deciles(usage if of == "usage" else jobs.requested, groups)
        table = jobs.grouped(decile, groups, "decile")
        share = np.bincount(decile - 1, weights=usage, minlength=groups) / usage.sum()
        table.insert(2, "usage_share", share[table["decile"] - 1])
        return table

    def by_split(self) -> pd.DataFrame:
        """Return the measures of each predictor on each day.

        Returns
        -------
        pandas.DataFrame
            One row a predictor and day, with ``start``, the beginning of the day; days without a
            valid job are left out.
        """
        jobs = self.aligned()
        table = jobs.grouped(jobs.split + 1, len(jobs.start), "split")
        table = table[table["jobs"] > 0].reset_index(drop=True)
        table["split"] -= 1
        table.insert(2, "start", jobs.start[table["split"]])
        return table

    def grouped(self, group: NDArray[np.intp], groups: int, name: str) -> pd.DataFrame:
        """Return the measures of each predictor for each group of jobs.

        Parameters
        ----------
        group : numpy.ndarray of int, shape (predicted,)
            From 1 to `groups`.
        groups : int
        name : str
            What the column of groups is called.
        """
        import pandas as pd

        runtime, usage = self.runtime, self.usage
        return pd.DataFrame(
            [
                {"predictor": predictor, name: number} | row
                for predictor, planned in self.planned.items()
                for number, row in enumerate(
                    accuracy.scores_by_group(planned, runtime, usage, group, groups), start=1
                )
            ]
        )

    def win_rates(self, one: str = "xgboost", other: str = "request") -> pd.DataFrame:
        """Return on what share of days each of two predictors is better than the other.

        Parameters
        ----------
        one, other : str
            Names of predictors.

        Returns
        -------
        pandas.DataFrame
            One row a measure: ``days``, the share of them on which ``one`` and on which ``other``
            is better, and on which they are ``equal``. Lower is better for L_usage and UnderRate.

        Raises
        ------
        InputError
            If there is no predictor of that name.
        """
        import pandas as pd

        for name in (one, other):
            if name not in self.planned:
                raise InputError(
                    f"predictor = {name!r}; there are predictions of {', '.join(self.planned)}"
                )
        days = self.by_split()
        rows = {}
        for measure, more_is_better in MEASURES.items():
            table = days.pivot_table(measure, "split", "predictor")
            gap = table[one] - table[other]
            better, worse = (gap > 0).mean(), (gap < 0).mean()
            if not more_is_better:
                better, worse = worse, better
            rows[measure] = {
                "days": len(table),
                one: better,
                other: worse,
                "equal": (gap == 0).mean(),
            }
        return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")

    def to_frame(self) -> pd.DataFrame:
        """Return one row a predicted job: what is known of it, and what each predictor said."""
        import pandas as pd

        jobs = self.workload
        columns: dict[str, Any] = {
            "job": np.asarray(jobs.id)[self.row],
            "split": self.split,
            **{
                name: np.asarray(getattr(jobs, name))[self.row]
                for name in ("submit", "nodes", "estimate", "runtime")
            },
            "valid": self.valid,
        }
        planned = {f"planned_{name}": column for name, column in self.planned.items()}
        return pd.DataFrame(columns | planned)
