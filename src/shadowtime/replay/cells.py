"""Simulate the product of workloads, policies and planned runtimes, in parallel.

Each combination is a *cell*. Cells run on any :class:`concurrent.futures.Executor`: a process pool
of this machine by default, or a Dask cluster through ``Client.get_executor()``.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shadowtime.engine import simulate
from shadowtime.errors import InputError
from shadowtime.policies import Policy
from shadowtime.workload import Seconds, Workload

if TYPE_CHECKING:
    import os

    import pandas as pd

Planner = Callable[[Workload], Sequence[Seconds]]

KEYS = ("workload", "policy", "planned", "overrun", "correction")
"""The parameters of a cell: the first columns of the result."""


@dataclass(frozen=True)
class Cell:
    """One combination of parameters."""

    workload: str
    policy: str
    planned: str
    overrun: str
    correction: str

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters by name."""
        return {key: getattr(self, key) for key in KEYS}


@dataclass(frozen=True)
class Parcel:
    """What a worker needs of a workload: the jobs, and every planned column."""

    workload: Workload
    planned: dict[str, Sequence[Seconds] | None]
    fingerprint: str


def sweep(
    workloads: Mapping[str, Workload] | Iterable[Workload],
    policies: Mapping[str, str | Policy] | Iterable[str | Policy],
    *,
    planned: Mapping[str, Planner | None] | None = None,
    overruns: Sequence[str] = ("kill",),
    corrections: Sequence[str] = ("none",),
    nodes: int | None = None,
    tau: Seconds = 10,
    executor: Executor | None = None,
    results: str | os.PathLike[str] | None = None,
    progress: bool = True,
) -> pd.DataFrame:
    """Simulate every combination and return a row of measures for each.

    Parameters
    ----------
    workloads : mapping of str to Workload, or iterable of Workload
        Iterables go by the workloads' own names.
    policies : mapping of str to policy, or iterable of policies
        Names or policy objects. Objects have to be picklable for other processes.
    planned : mapping of str to callable, optional
        For each label a function from a workload to its planned runtimes, shape (jobs,), or None
        for the estimates. By default the estimates alone, as ``"estimate"``.
    overruns, corrections : sequence of str
        Rules of :func:`shadowtime.simulate` to combine with.
    nodes : int, optional
        Size of the machine; by default what each workload says.
    tau : int or float
        Threshold of the bounded slowdown, in the workloads' unit.
    executor : concurrent.futures.Executor, optional
        Where the cells run. By default a process pool with a process for each core.
    results : path, optional
        File of JSON lines, to which each row is appended when it is there. Cells that it already
        holds, of the same jobs and without an error, are not computed again: an interrupted sweep
        goes on.
    progress : bool
        Show a bar on a terminal.

    Returns
    -------
    pandas.DataFrame
        One row a cell, in the order of the product: the parameters, the measures of
        :func:`shadowtime.metrics.summary`, and ``error``, the message of a cell that failed, or
        None. A failed cell costs no other.

    Raises
    ------
    InputError
        If two workloads or policies have one name, there is no cell, or `results` is not a file
        that a sweep wrote.

    Notes
    -----
    A workload travels once to each worker: through a file on this machine, or scattered to all
    workers of a Dask cluster.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from shadowtime import demo
    >>> with ThreadPoolExecutor(1) as pool:
    ...     table = sweep([demo.workload()], ["fcfs", "easy"], tau=10, executor=pool)
    >>> table[["policy", "makespan", "mean_wait"]].values.tolist()
    [['fcfs', 350, 104.0], ['easy', 355, 61.5]]
    """
    import pandas as pd
    from tqdm import tqdm

    jobs = _named(workloads, "workload")
    rules = _named(policies, "policy")
    plans = dict(planned or {"estimate": None})
    cells = [Cell(*key) for key in product(jobs, rules, plans, overruns, corrections)]
    if not cells:
        raise InputError("nothing to simulate: give at least one workload and one policy")
    parcels = {name: _parcel(workload, plans) for name, workload in jobs.items()}
    rows = _known(results, cells, parcels)
    todo = [cell for cell in cells if cell not in rows]
    own = ProcessPoolExecutor() if executor is None and todo else None
    pool = executor or own
    futures: dict[Future[dict[str, Any]], Cell] = {}
    with tempfile.TemporaryDirectory(prefix="sweep-") as folder:
        try:
            if pool is not None:
                needed = {cell.workload for cell in todo}
                sent = _send({name: parcels[name] for name in needed}, pool, Path(folder))
                for cell in todo:
                    rule = rules[cell.policy]
                    task = pool.submit(_run, sent[cell.workload], cell, rule, nodes, tau)
                    futures[task] = cell
            for task in tqdm(
                as_completed(futures),
                total=len(futures),
                desc="sweep",
                disable=not progress or None,
            ):
                cell = futures[task]
                row = rows[cell] = _row(cell, task)
                _append(results, row | {"fingerprint": parcels[cell.workload].fingerprint})
        finally:
            for task in futures:
                task.cancel()
            if own is not None:
                own.shutdown(cancel_futures=True)
    table = pd.DataFrame([rows[cell] for cell in cells])
    return table[[*KEYS, *(name for name in table if name not in {*KEYS, "error"}), "error"]]


def _named(given: Any, what: str) -> dict[str, Any]:
    if isinstance(given, Mapping):
        return dict(given)
    named: dict[str, Any] = {}
    for number, each in enumerate(given, start=1):
        name = each if isinstance(each, str) else each.name or f"{what} {number}"
        if name in named:
            raise InputError(f"two of the {what} arguments are called {name!r}: pass a mapping")
        named[name] = each
    return named


def _parcel(workload: Workload, plans: Mapping[str, Planner | None]) -> Parcel:
    columns: dict[str, Sequence[Seconds] | None] = {
        label: list(plan(workload)) if plan else None for label, plan in plans.items()
    }
    digest = hashlib.sha256()
    for column in (workload.submit, workload.nodes, workload.estimate, workload.runtime):
        digest.update(bytes(column))  # type: ignore[arg-type]
    digest.update(json.dumps(columns).encode())
    return Parcel(workload, columns, digest.hexdigest()[:16])


def _send(parcels: Mapping[str, Parcel], pool: Executor, folder: Path) -> dict[str, Any]:
    """Return, for each workload, what a task is given in its place."""
    client: Any = getattr(pool, "_client", None)
    if hasattr(client, "scatter"):
        return {name: client.scatter(parcel, broadcast=True) for name, parcel in parcels.items()}
    paths: dict[str, Any] = {}
    for number, (name, parcel) in enumerate(parcels.items()):
        paths[name] = folder / f"{number}.pickle"
        paths[name].write_bytes(pickle.dumps(parcel))
    return paths


@lru_cache(maxsize=8)
def _open(path: Path) -> Parcel:
    parcel: Parcel = pickle.loads(path.read_bytes())  # noqa: S301 - written by _send above
    return parcel


def _run(
    where: Path | Parcel, cell: Cell, policy: str | Policy, nodes: int | None, tau: Seconds
) -> dict[str, Any]:
    """Simulate one cell; this is what a worker does."""
    parcel = _open(where) if isinstance(where, Path) else where
    schedule = simulate(
        parcel.workload,
        policy,
        nodes,
        overrun=cell.overrun,  # type: ignore[arg-type]
        correction=cell.correction,
        planned=parcel.planned[cell.planned],
    )
    return schedule.summary(tau)


def _row(cell: Cell, task: Future[dict[str, Any]]) -> dict[str, Any]:
    try:
        return task.result() | cell.parameters | {"error": None}
    except Exception as error:  # noqa: BLE001 - whatever it is, it is reported with its cell
        return cell.parameters | {"error": f"{type(error).__name__}: {error}"}


def _known(
    results: str | os.PathLike[str] | None,
    cells: Sequence[Cell],
    parcels: Mapping[str, Parcel],
) -> dict[Cell, dict[str, Any]]:
    """Return the rows that a results file already holds."""
    if results is None or not Path(results).is_file():
        return {}
    wanted = set(cells)
    rows = {}
    for row in _read(Path(results)):
        cell = Cell(*(str(row[key]) for key in KEYS))
        mark = row.pop("fingerprint")
        if cell in wanted and row["error"] is None and mark == parcels[cell.workload].fingerprint:
            rows[cell] = row
    return rows


def _read(path: Path) -> Iterator[dict[str, Any]]:
    lines = path.read_text("utf-8").split("\n")
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line or "null")
        except json.JSONDecodeError:
            if number == len(lines):
                return  # cut short by an interruption: its cell runs again
            row = line
        if row is None:
            continue
        if not (isinstance(row, dict) and {*KEYS, "fingerprint", "error"} <= row.keys()):
            raise InputError(f"{path} line {number}: this is not a row of a sweep: {line[:40]!r}")
        yield row


def _append(results: str | os.PathLike[str] | None, row: dict[str, Any]) -> None:
    """Write a row at once, so that an interruption loses no more than what was under way."""
    if results is None:
        return
    with Path(results).open("ab+") as file:
        file.seek(0)
        content = file.read()
        if content and not content.endswith(b"\n"):
            file.truncate(content.rfind(b"\n") + 1)
        file.write(json.dumps(row).encode() + b"\n")
