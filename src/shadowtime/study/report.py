"""The study's tables as pandas tables, and its figures, written to a folder if wanted."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shadowtime import __version__
from shadowtime.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from shadowtime.study.whole import LogStudy

FACTS = "study.json"
"""The file that says what a saved study was made of."""

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
    by: tuple[str, ...]
    min_jobs: int
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
        - ``over_years``: its mean over the years of each queue, the diamonds in Figure 7.

        Figure 2b is drawn from the jobs themselves, and Figure 4 from ``table1``. Four tables
        answer what the study leaves open:

        - ``table2_requested``: as ``table2``, over the top decile of requested node-time, which is
          known at submission.
        - ``concentration``: how heavy the tail is, see
          :class:`shadowtime.prediction.concentration.MassCount`.
        - ``intervals``: 95 % bootstrap intervals over days of each measure, and of its difference
          to the request's.
        - ``replay``: measures over all jobs replayed, for each source of planned runtimes and
          correction.
        """
        from shadowtime.study import tables

        scores = self._each(tables.scores)
        deciles = self._each(lambda log: log.predictions.by_decile())
        asked = self._each(lambda log: log.predictions.by_decile(of="requested"))
        shares = deciles.drop_duplicates(["log", "decile"])
        model = self.settings.model
        return {
            "table1": scores.drop(columns="L_usage"),
            "table2": tables.top(deciles),
            "table2_requested": tables.top(asked),
            "table3": self._each(
                lambda log: log.predictions.win_rates(model, "request").reset_index()
            ),
            "table4": self._each(lambda log: log.recall.reset_index(names="queue")),
            "figure1": tables.gaps(scores),
            "figure2a": shares[["log", "decile", "usage_share"]].reset_index(drop=True),
            "figure5": deciles,
            "figure7": self._each(lambda log: log.replay.changes(model, "hybrid")),
            "over_years": self._each(lambda log: log.replay.over_years(model, "hybrid")),
            "concentration": self._each(tables.concentration),
            "intervals": self._each(lambda log: tables.intervals(log, self.settings.seed)),
            "replay": self._each(tables.replayed),
        }

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
            "versions": {"shadowtime": __version__, "python": platform.python_version()}
            | _versions(LIBRARIES),
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
        for name, table in self.tables.items():
            files.append(target / f"{name}.csv")
            table.to_csv(files[-1], index=False, float_format="%.6g", lineterminator="\n")
        files.append(target / FACTS)
        files[-1].write_text(json.dumps(self.facts(), indent=2) + "\n", encoding="utf-8")
        if figures:
            from matplotlib import pyplot as plt

            for name, figure in self.figures().items():
                files.append(target / f"{name}.svg")
                figure.savefig(files[-1])
                plt.close(figure)
        return files


def load(
    folder: str | os.PathLike[str],
) -> tuple[dict[str, pd.DataFrame], dict[str, dict[str, Any]]]:
    """Read the tables that :meth:`Study.save` wrote.

    Parameters
    ----------
    folder : path
        One that :meth:`Study.save` filled, or one that holds such folders: of these the tables
        are put one below the other, in the order of the folders' names.

    Returns
    -------
    tables : dict of str to pandas.DataFrame
        As :attr:`Study.tables`.
    facts : dict of str to dict
        For each log what :meth:`Study.facts` says: its jobs, the settings and the versions.

    Raises
    ------
    InputError
        If no study was saved there.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from shadowtime import study, traces
    >>> found = study.run([traces.load("teaching")], predictors=["request", "last2"], model="last2")
    >>> with TemporaryDirectory() as folder:
    ...     _ = found.save(folder, figures=False)
    ...     tables, facts = study.load(folder)
    >>> tables["table1"]["A_geo"].round(2).tolist(), facts["teaching"]["settings"]["percentile"]
    ([0.43, 0.12], 90)
    """
    import pandas as pd

    saved = sorted(Path(folder).glob(FACTS)) or sorted(Path(folder).glob(f"*/{FACTS}"))
    if not saved:
        raise InputError(f"{folder}: there is no {FACTS} of a study, here or one folder below")
    tables: dict[str, list[pd.DataFrame]] = {}
    facts: dict[str, dict[str, Any]] = {}
    for file in saved:
        told = json.loads(file.read_text(encoding="utf-8"))
        for log, own in told.pop("logs").items():
            if log in facts:
                raise InputError(f"{folder}: there are two studies of {log}")
            facts[log] = own | told
        for table in sorted(file.parent.glob("*.csv")):
            tables.setdefault(table.stem, []).append(pd.read_csv(table))
    return {name: pd.concat(own, ignore_index=True) for name, own in tables.items()}, facts


def _versions(libraries: Sequence[str]) -> dict[str, str]:
    found = {}
    for library in libraries:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found
