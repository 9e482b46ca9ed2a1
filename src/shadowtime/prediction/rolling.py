"""Rolling splits: every day predictors learn from the past and predict the jobs of that day.

Split t trains on the jobs that ended in the window before it, [t - 100 days, t), and predicts the
jobs submitted in [t, t + 1 day). A job that was submitted before t and still runs is in neither:
nobody knows its runtime yet.
"""

from __future__ import annotations

import copy
import hashlib
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from shadowtime.errors import InputError
from shadowtime.prediction.checkpoint import Checkpoint
from shadowtime.prediction.jobs import Jobs
from shadowtime.prediction.outcome import Predictions
from shadowtime.prediction.predictors import STUDY, Predictor, named
from shadowtime.prediction.splits import Split, splits
from shadowtime.workload import Workload

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Planned = dict[str, NDArray[np.float64]]

CHUNK = 4
"""Splits that go to an executor together, at most: neighbours share most of their history."""


@dataclass(frozen=True)
class Task:
    """Consecutive splits, with the jobs that they need and no others.

    Attributes
    ----------
    numbers : range
        Which splits they are.
    days : sequence of Split
        Their slices count from the first job of `history` and `test`.
    history : Jobs
        In the order of their ends.
    test : Jobs
        Without their outcome.
    predictors : mapping of str to predictor
    """

    numbers: range
    days: Sequence[Split]
    history: Jobs
    test: Jobs
    predictors: Mapping[str, Predictor]


def evaluate(
    workload: Workload,
    predictors: Mapping[str, Predictor] | Sequence[str | Predictor] = STUDY,
    *,
    window_days: float = 100,
    every_days: float = 1,
    seed: int = 0,
    executor: Executor | None = None,
    results: str | os.PathLike[str] | None = None,
    progress: bool = True,
) -> Predictions:
    """Predict every job from what was known on the day of its submission.

    Parameters
    ----------
    workload : Workload
        As :func:`shadowtime.prediction.prepare` returns it, times in seconds.
    predictors : mapping of str to predictor, or sequence of names and predictors
        Names of :data:`shadowtime.prediction.predictors.NAMES`, or objects.
    window_days, every_days : float
        Length of the history, and days between splits: the study has 100 and 1.
    seed : int
        For predictors that are given by name and draw random numbers. Results depend neither on
        the executor nor on interruptions.
    executor : concurrent.futures.Executor, optional
        Where the splits run: threads, processes, or a Dask cluster through
        ``Client.get_executor()``. By default they run here, one after the other. Processes have
        to be started with ``"spawn"`` or ``"forkserver"`` where a library on OpenMP, such as
        XGBoost used directly, has run threads in this one: forked, they would wait for ever.
    results : path, optional
        File that takes each split's predictions as soon as they are there. Splits that it already
        holds, of the same jobs and predictors, are not computed again.
    progress : bool
        Show a bar on a terminal.

    Returns
    -------
    Predictions

    Raises
    ------
    InputError
        If there is no split or no predictor, a predictor does not return one number for each job,
        or `results` was written for something else.

    Examples
    --------
    >>> from shadowtime import prediction, traces
    >>> jobs = prediction.prepare(traces.load("teaching"))
    >>> found = evaluate(jobs, ["request", "last2"])
    >>> found.scores()["UnderRate"].round(2).to_dict()
    {'request': 0.0, 'last2': 0.41}
    """
    from tqdm import tqdm

    chosen = named(predictors, seed=seed)
    jobs = Jobs.from_workload(workload)
    try:
        days, by_end = splits(jobs, window_days=window_days, every_days=every_days)
    except InputError as error:
        raise InputError(f"{workload.name or 'the workload'}: {error}") from None
    found = Predictions.empty(workload, days, list(chosen))
    workers = 1 if executor is None else _workers(executor)
    size = 1 if executor is None else max(1, min(CHUNK, len(days) // (4 * workers)))
    checkpoint = Checkpoint(results, _fingerprint(jobs, chosen, days))
    with tqdm(total=len(days), desc="splits", disable=not progress or None) as bar:
        for number, planned in checkpoint.read():
            found.store(number, planned)
            bar.update()
        tasks = _tasks(jobs, by_end, days, chosen, size, done=checkpoint.done)
        for numbers, batch in _finished(tasks, executor, limit=2 * workers):
            for number, planned in zip(numbers, batch, strict=True):
                found.store(number, planned)
                checkpoint.append(number, planned)
            bar.update(len(numbers))
    return found


def _tasks(
    jobs: Jobs,
    by_end: NDArray[np.intp],
    days: Sequence[Split],
    predictors: Mapping[str, Predictor],
    size: int,
    *,
    done: Collection[int],
) -> Iterator[Task]:
    """Yield the splits that are not done yet, `size` consecutive ones together."""
    ended, submitted = jobs.take(by_end), jobs.submitted()
    number = 0
    while number < len(days):
        if number in done:
            number += 1
            continue
        stop = number + 1
        while stop < min(number + size, len(days)) and stop not in done:
            stop += 1
        chunk = days[number:stop]
        history = slice(chunk[0].history.start, chunk[-1].history.stop)
        test = slice(chunk[0].test.start, chunk[-1].test.stop)
        yield Task(
            range(number, stop),
            [
                Split(
                    day.start,
                    _shifted(day.history, history.start),
                    _shifted(day.test, test.start),
                )
                for day in chunk
            ],
            ended.take(history),
            submitted.take(test),
            predictors,
        )
        number = stop


def _shifted(rows: slice, by: int) -> slice:
    return slice(rows.start - by, rows.stop - by)


def run(task: Task) -> list[Planned]:
    """Fit every predictor on every split of a task and predict; this is what a worker does.

    Returns
    -------
    list of dict of str to numpy.ndarray
        For each split the planned runtimes by predictor, each of shape (jobs of the day,).
    """
    # Threads share what they are given; a predictor remembers what it was fitted on.
    predictors = copy.deepcopy(dict(task.predictors))
    batch = []
    for day in task.days:
        history, test = task.history.take(day.history), task.test.take(day.test)
        planned = {}
        for name, predictor in predictors.items():
            predictor.fit(history)
            column = np.asarray(predictor.predict(test), dtype=np.float64)
            if column.shape != (len(test),):
                raise InputError(
                    f"predictor {name!r} returned an array of shape {column.shape} for "
                    f"{len(test)} jobs; one number for each is needed"
                )
            planned[name] = column
        batch.append(planned)
    return batch


def _finished(
    tasks: Iterator[Task], executor: Executor | None, *, limit: int
) -> Iterator[tuple[range, list[Planned]]]:
    """Yield what comes of the tasks, as soon as it does; never more than `limit` are under way."""
    if executor is None:
        for task in tasks:
            yield task.numbers, run(task)
        return
    running: dict[Future[list[Planned]], range] = {}
    try:
        for task in tasks:
            running[executor.submit(run, task)] = task.numbers
            if len(running) >= limit:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        while running:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:
        for future in running:
            future.cancel()


def _workers(executor: Executor) -> int:
    """Return how many tasks an executor runs at once."""
    client = getattr(executor, "_client", None)
    if client is not None and hasattr(client, "nthreads"):
        return sum(client.nthreads().values()) or 1
    return getattr(executor, "_max_workers", None) or os.cpu_count() or 1


def _fingerprint(jobs: Jobs, predictors: Mapping[str, Predictor], days: Sequence[Split]) -> str:
    digest = hashlib.sha256()
    for name, column in jobs.columns.items():
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(column).data)
    digest.update(repr([dict(predictors), days]).encode())
    return digest.hexdigest()[:16]
