"""Everything that the study computes, log by log."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from shadowtime import corrections as known_corrections
from shadowtime.errors import InputError
from shadowtime.partitions import partitions
from shadowtime.prediction import Predictions, evaluate, hybrid, prepare
from shadowtime.prediction.predictors import STUDY, Predictor, named
from shadowtime.replay.partitioned import PartitionReplay, replay_partitions
from shadowtime.study.report import Settings, Study
from shadowtime.workload import Workload

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class LogStudy:
    """What the study finds on one log.

    Attributes
    ----------
    name : str
    predictions : Predictions
        The offline evaluation; its ``workload`` is the prepared log.
    recall : pandas.DataFrame
        How much of the true tail the proxy finds: see
        :func:`shadowtime.prediction.hybrid.recall`.
    replay : PartitionReplay
        The online evaluation, with ``"hybrid"`` among the planned runtimes.
    notes : list of str
        What preparation left out and what is to be known about capacities.
    """

    name: str
    predictions: Predictions
    recall: pd.DataFrame
    replay: PartitionReplay
    notes: list[str]


def run(
    logs: Iterable[Workload],
    *,
    predictors: Sequence[str | Predictor] = STUDY,
    model: str = "xgboost",
    percentile: float = 90,
    window_days: float = 100,
    corrections: Sequence[str] = tuple(known_corrections.NAMES),
    by: Sequence[str] = hybrid.BY,
    min_jobs: int = 1,
    seed: int = 0,
    executor: Executor | None = None,
    folder: str | os.PathLike[str] | None = None,
    progress: bool = True,
) -> Study:
    """Do on each log what the study did on Eagle, Mira and Intrepid.

    Parameters
    ----------
    logs : iterable of Workload
        As read, not prepared; their names tell them apart.
    predictors : sequence of names and predictors
        ``"request"`` has to be among them.
    model : str
        The predictor that is compared with the request and made a hybrid of.
    percentile : float
        Jobs whose requested node-time is above it, in their queue and year, are planned with the
        request.
    window_days : float
        History of each split.
    corrections : sequence of str
        What becomes of predictions that ran out: the replay is made with each. The study names
        none, which is ``"none"``.
    by : sequence of str
        Columns that a log is cut by for routing and replay.
    min_jobs : int
        Partitions with fewer jobs are not replayed.
    seed : int
        For predictors that draw random numbers.
    executor : concurrent.futures.Executor, optional
        Where splits and replays run; the splits run here by default.
    folder : path, optional
        Keeps what is computed, split by split, so that an interrupted study goes on.
    progress : bool
        Show bars on a terminal.

    Returns
    -------
    Study

    Raises
    ------
    InputError
        If there is no log, two logs have the same name, `model` or the request is not among the
        predictors, a correction, the percentile or a column of `by` means nothing, or a log is too
        short. What can be known before predicting, which takes long, is said before it.
    """
    chosen = named(predictors, seed=seed)
    for name in (model, "request"):
        if name not in chosen:
            raise InputError(
                f"predictor {name!r} is not among {', '.join(chosen)}; a study needs the request "
                f"and the hybrid's model (model, --model), which is {model}"
            )
    if not corrections:
        raise InputError("there is no correction to replay with; 'none' is one")
    for correction in corrections:
        known_corrections.by_name(correction)
    hybrid.above((), percentile)
    state = None if folder is None else Path(folder)
    if state is not None:
        state.mkdir(parents=True, exist_ok=True)
    found: dict[str, LogStudy] = {}
    for log in logs:
        name = log.name or f"log {len(found) + 1}"
        if name in found:
            raise InputError(f"two logs are called {name!r}")
        jobs = prepare(log)
        partitions(jobs, by)
        predictions = evaluate(
            jobs,
            chosen,
            window_days=window_days,
            executor=executor,
            results=state and state / f"{name}.predictions.jsonl",
            progress=progress,
        )
        compared, planned = predictions.jobs()
        routed = hybrid.route(compared, percentile, by=by)
        mixed = hybrid.combine(planned["request"], planned[model], routed)
        replay = replay_partitions(
            compared,
            planned | {"hybrid": mixed},
            by=by,
            corrections=corrections,
            min_jobs=min_jobs,
            executor=executor,
            results=state and state / f"{name}.replay.jsonl",
            progress=progress,
        )
        found[name] = LogStudy(
            name,
            predictions,
            hybrid.recall(compared, percentile, by=by),
            replay,
            [*str(jobs.report).splitlines(), *replay.notes],
        )
    if not found:
        raise InputError("there is no log to study: give one at least")
    settings = Settings(
        predictors=tuple(chosen),
        model=model,
        percentile=percentile,
        window_days=window_days,
        corrections=tuple(corrections),
        by=tuple(by),
        min_jobs=min_jobs,
        seed=seed,
    )
    return Study(list(found.values()), settings)
