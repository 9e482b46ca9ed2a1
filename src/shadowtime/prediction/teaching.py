"""Predictions for the teaching log, as they ship with the package.

They save a reader's browser, and a course, the training. The file is made by
``python -m shadowtime.prediction``.
"""

from __future__ import annotations

import csv
import gzip
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from shadowtime import traces
from shadowtime.prediction.preparation import prepare
from shadowtime.workload import Workload

if TYPE_CHECKING:
    from shadowtime.prediction.outcome import Predictions

FILE = "data/teaching-predictions.csv.gz"
STORED = ("last2", "xgboost")
"""The predictors in the file; what was requested stands in the log."""


def load() -> tuple[Workload, dict[str, list[int]]]:
    """Read the predictions that ship with the package, on the standard library alone.

    Returns
    -------
    workload : Workload
        The jobs that were submitted on split days, prepared: see
        :func:`shadowtime.prediction.prepare`.
    planned : dict of str to list of int, each of shape (jobs,)
        Planned runtimes of ``"request"``, ``"last2"`` and ``"xgboost"`` in whole seconds. A
        regression may say 0 or less: that is no valid prediction, and it is left in.

    Examples
    --------
    >>> workload, planned = load()
    >>> len(workload), {name: len(column) for name, column in planned.items()}
    (1981, {'request': 1981, 'last2': 1981, 'xgboost': 1981})
    """
    packed = resources.files("shadowtime.traces").joinpath(FILE).read_bytes()
    rows = list(csv.DictReader(gzip.decompress(packed).decode().splitlines()))
    jobs = prepare(traces.load("teaching"))
    place = {job: row for row, job in enumerate(jobs.id)}
    workload = jobs.select([place[int(row["job"])] for row in rows])
    planned = {name: [int(row[name]) for row in rows] for name in STORED}
    return workload, {"request": [int(each) for each in workload.estimate], **planned}


def make() -> Predictions:
    """Predict the teaching log anew, day by day from the 100 days before.

    Returns
    -------
    Predictions
        Not rounded. What XGBoost says depends, in the last digits and now and then in a tree, on
        its version and the processor.
    """
    from shadowtime.prediction.rolling import evaluate

    return evaluate(prepare(traces.load("teaching")), ["request", *STORED])


def write(predictions: Predictions, path: Path) -> None:
    """Write predictions of the teaching log as :func:`load` reads them.

    Parameters
    ----------
    predictions : Predictions
        Of :data:`STORED`.
    path : Path
        A file that ends in ``.csv.gz``. The same predictions give the same bytes.
    """
    columns = [predictions.planned[name].round().astype(int).tolist() for name in STORED]
    job = [predictions.workload.id[row] for row in predictions.row.tolist()]
    lines = [("job", *STORED), *zip(job, *columns, strict=True)]
    text = "".join(",".join(map(str, line)) + "\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
