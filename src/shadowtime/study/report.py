"""The study's tables as pandas tables, and its figures, written to a folder if wanted."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shadowtime import __version__

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from shadowtime.study.whole import LogStudy

LIBRARIES = ("numpy", "pandas", "scikit-learn", "xgboost-cpu", "xgboost")
"""Libraries whose versions are written beside the results."""


@dataclass(frozen=True)
class Settings:
    """What was asked of a study."""

    predictors: tuple[str, ...]
    model: str
    percentile: float
    window_days: float
    corrections: tuple[str, ...]
    seed: int


@dataclass(frozen=True)
class Study:
    """Every table and figure of the study.

    Attributes
    ----------
    logs : list of LogStudy
    settings : Settings
    """

    logs: list[LogStudy]
    settings: Settings

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The study's tables, and the numbers behind its figures.

        - ``table1``: measures of each predictor over the jobs that all of them predict, and the
          share of jobs that it predicts itself (``coverage``).
        - ``table2``: the same over the top decile of usage.
        - ``table3``: share of days on which the model or the request is better.
        - ``table4``: how much of the true tail requested node-time finds, by queue.
        - ``figure1``: gap between the best and the worst predictor, by A_mean and by A_geo.
        - ``figure2a``: share of usage in each decile.
        - ``figure5``: measures of each predictor by decile.
        - ``figure7``: what the hybrid changes against the model, by queue, year and correction.

        Figure 2b is drawn from the jobs themselves, and Figure 4 from ``table1``.
        """
        scores = self._each(_scores)
        deciles = self._each(lambda log: log.predictions.by_decile())
        last = deciles["decile"] == deciles["decile"].max()
        kept = ["log", "predictor", "jobs", "usage_share", "A_mean", "A_geo", "UnderRate"]
        shares = deciles.drop_duplicates(["log", "decile"])
        model = self.settings.model
        return {
            "table1": scores.drop(columns="L_usage"),
            "table2": deciles.loc[last, kept].reset_index(drop=True),
            "table3": self._each(
                lambda log: log.predictions.win_rates(model, "request").reset_index()
            ),
            "table4": self._each(lambda log: log.recall.reset_index(names="queue")),
            "figure1": _gaps(scores),
            "figure2a": shares[["log", "decile", "usage_share"]].reset_index(drop=True),
            "figure5": deciles,
            "figure7": self._each(lambda log: log.replay.changes(model, "hybrid")),
        }

    @cached_property
    def over_years(self) -> pd.DataFrame:
        """What the hybrid changes on average over the years of each queue: Figure 7's diamonds."""
        return self._each(lambda log: log.replay.over_years(self.settings.model, "hybrid"))

    def _each(self, table: Callable[[LogStudy], pd.DataFrame]) -> pd.DataFrame:
        import pandas as pd

        tables = []
        for log in self.logs:
            own = table(log)
            own.insert(0, "log", log.name)
            tables.append(own)
        return pd.concat(tables, ignore_index=True)

    def figures(self) -> dict[str, Figure]:
        """Return the study's Figures 1, 2, 4, 5 and 7, drawn with matplotlib."""
        from shadowtime.study import figures

        return {
            "figure1": figures.gaps(self),
            "figure2": figures.concentration(self),
            "figure4": figures.scores(self),
            "figure5": figures.deciles(self),
            "figure7": figures.changes(self),
        }

    def facts(self) -> dict[str, Any]:
        """Return what is needed to repeat the study: settings, versions, jobs, notes."""
        return {
            "settings": asdict(self.settings),
            "versions": {"shadowtime": __version__} | _versions(LIBRARIES),
            "logs": {
                log.name: {
                    "jobs": len(log.predictions),
                    "compared": int(log.predictions.valid.sum()),
                    "splits": len(log.predictions.start),
                    "notes": log.notes,
                }
                for log in self.logs
            },
        }

    def save(self, folder: str | os.PathLike[str], *, figures: bool = True) -> list[Path]:
        """Write tables as CSV, figures as SVG, and the facts beside them as ``study.json``.

        Parameters
        ----------
        folder : path
            Made if it is not there.
        figures : bool
            Whether to draw; tables need no matplotlib.

        Returns
        -------
        list of Path
            The files.
        """
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        files = []
        for name, table in {**self.tables, "over_years": self.over_years}.items():
            files.append(target / f"{name}.csv")
            table.to_csv(files[-1], index=False, float_format="%.6g", lineterminator="\n")
        files.append(target / "study.json")
        files[-1].write_text(json.dumps(self.facts(), indent=2) + "\n", encoding="utf-8")
        if figures:
            from matplotlib import pyplot as plt

            for name, figure in self.figures().items():
                files.append(target / f"{name}.svg")
                figure.savefig(files[-1])
                plt.close(figure)
        return files


def _scores(log: LogStudy) -> pd.DataFrame:
    table = log.predictions.scores().reset_index()
    coverage = log.predictions.coverage()
    table.insert(2, "coverage", [coverage[name] for name in table["predictor"]])
    return table


def _gaps(scores: pd.DataFrame) -> pd.DataFrame:
    groups = scores.groupby("log", sort=False)
    table: pd.DataFrame = (
        groups[["A_mean", "A_geo"]].max() - groups[["A_mean", "A_geo"]].min()
    ).add_suffix("_gap")
    return table.reset_index()


def _versions(libraries: Sequence[str]) -> dict[str, str]:
    found = {}
    for library in libraries:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found
