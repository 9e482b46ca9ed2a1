"""The study's replay: each queue and year on its own, once for each source of planned runtimes.

The jobs of a partition keep their submits, sizes and runtimes; only what the scheduler plans with
changes. The machine of a partition is as large as its jobs were wide together, at most, in the log.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from shadowtime.errors import InputError
from shadowtime.partitions import Partition, observed_peak, partitions
from shadowtime.policies import Policy
from shadowtime.replay.cells import sweep
from shadowtime.workload import Seconds, Workload

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

COMPARED = ("mean_wait", "backfilled")
"""What the study compares."""


@dataclass(frozen=True)
class PartitionReplay:
    """What came of the replays.

    Attributes
    ----------
    table : pandas.DataFrame
        One row a partition, planned runtime and correction: the columns of `by`, ``partition``,
        ``planned``, ``correction``, ``nodes`` (the capacity), ``peak`` (what the log's jobs held
        at once), and the measures of :func:`shadowtime.metrics.summary`.
    by : tuple of str
        The columns that the log was cut by.
    notes : list of str
        What to know about the capacities.
    """

    table: pd.DataFrame
    by: tuple[str, ...]
    notes: list[str]

    def changes(self, base: str = "xgboost", other: str = "hybrid") -> pd.DataFrame:
        """Return what changes from one source of planned runtimes to another.

        Parameters
        ----------
        base, other : str
            Names among the planned runtimes.

        Returns
        -------
        pandas.DataFrame
            One row a partition and correction: ``mean_wait`` and ``backfilled`` of both, and
            ``mean_wait_change`` and ``backfilled_change``, (other - base) / base; NaN where the
            base is 0.

        Raises
        ------
        InputError
            If there is no source of that name.
        """
        known = list(dict.fromkeys(self.table["planned"]))
        for name in (base, other):
            if name not in known:
                raise InputError(f"planned = {name!r}; there are replays of {', '.join(known)}")
        keys = list(dict.fromkeys([*self.by, "partition", "correction"]))
        before, after = (
            self.table[self.table["planned"] == name].set_index(keys) for name in (base, other)
        )
        found = before[["jobs", "nodes"]].copy()
        for measure in COMPARED:
            found[f"{measure}_{base}"] = before[measure]
            found[f"{measure}_{other}"] = after[measure]
        for measure in COMPARED:
            change = after[measure] - before[measure]
            found[f"{measure}_change"] = change / before[measure].where(before[measure] != 0)
        return found.reset_index()

    def over_years(self, base: str = "xgboost", other: str = "hybrid") -> pd.DataFrame:
        """Return the mean, the least and the greatest change over the years of each queue.

        Parameters
        ----------
        base, other : str
            As for :meth:`changes`.

        Returns
        -------
        pandas.DataFrame
            One row for each value of the columns other than ``year``, and correction: ``years``,
            and ``mean_wait_change`` and ``backfilled_change``, each with ``_min`` and ``_max``.
        """
        keys = [*(name for name in self.by if name != "year"), "correction"]
        groups = self.changes(base, other).groupby(keys, sort=False)
        columns: dict[str, Any] = {"years": ("jobs", "size"), "jobs": ("jobs", "sum")}
        for measure in COMPARED:
            name = f"{measure}_change"
            columns |= {name: (name, "mean"), f"{name}_min": (name, "min")}
            columns |= {f"{name}_max": (name, "max")}
        table: pd.DataFrame = groups.agg(**columns).reset_index()
        return table


def replay_partitions(
    workload: Workload,
    planned: Mapping[str, Sequence[Seconds] | NDArray[Any]],
    *,
    by: Sequence[str] = ("queue", "year"),
    policy: str | Policy = "easy",
    corrections: Sequence[str] = ("none",),
    overrun: Literal["kill", "extend"] = "extend",
    capacity: Literal["peak", "machine"] | int = "peak",
    min_jobs: int = 1,
    tau: Seconds = 10,
    executor: Executor | None = None,
    results: str | os.PathLike[str] | None = None,
    progress: bool = True,
) -> PartitionReplay:
    """Replay every partition of a log with every source of planned runtimes.

    Parameters
    ----------
    workload : Workload
        The jobs for which every source has a planned runtime, such as
        :meth:`shadowtime.prediction.Predictions.jobs` returns.
    planned : mapping of str to sequence of numbers, each of shape (jobs,)
        Planned runtimes by the name of their source.
    by : sequence of str
        Columns to cut the log by: see :func:`shadowtime.partitions.partitions`.
    policy : str or Policy
        The study has EASY.
    corrections : sequence of str
        What becomes of a planned runtime that has passed: names of
        :mod:`shadowtime.corrections`. The study names none.
    overrun : {"extend", "kill"}
        Whether a job runs as long as in the log, or is ended at its request.
    capacity : "peak", "machine" or int
        Nodes of each partition: the most that its jobs held at once in the log, the size of the
        machine, or a number. A job that is wider than that is an error.
    min_jobs : int
        Partitions with fewer jobs are left out, and noted.
    tau : int or float
        Threshold of the bounded slowdown.
    executor : concurrent.futures.Executor, optional
        Where the replays run, as for :func:`shadowtime.replay.sweep`.
    results : path, optional
        File from which an interrupted replay goes on, as there.
    progress : bool
        Show a bar on a terminal.

    Returns
    -------
    PartitionReplay

    Raises
    ------
    InputError
        If a column of planned runtimes does not fit the jobs, the machine's size is unknown, or a
        replay fails.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> jobs = Workload(
    ...     id=range(4),
    ...     submit=[0, 1, 2, 3],
    ...     nodes=[5, 6, 3, 1],
    ...     estimate=[60, 60, 60, 60],
    ...     runtime=[40, 20, 30, 9],
    ...     extra={"wait": [0, 39, 0, 0]},
    ... )
    >>> plans = {"request": [60] * 4, "exact": [40, 20, 30, 9]}
    >>> with ThreadPoolExecutor(1) as pool:
    ...     found = replay_partitions(jobs, plans, executor=pool)
    >>> found.table[["partition", "nodes", "planned", "mean_wait", "backfilled"]].values.tolist()
    [['all/1', 9, 'request', 17.0, 2], ['all/1', 9, 'exact', 9.75, 2]]
    """
    columns = {name: _column(workload, name, values) for name, values in planned.items()}
    if not columns:
        raise InputError("there is nothing to plan with: give planned runtimes by a name")
    every = partitions(workload, by)
    parts = [part for part in every if len(part) >= min_jobs]
    if not parts:
        raise InputError(f"no partition has {min_jobs} jobs (min_jobs)")
    jobs: dict[str, Workload] = {}
    keys: dict[str, dict[str, Any]] = {}
    notes = _left_out(every, min_jobs)
    rows: dict[str, list[int]] = {}
    for part in parts:
        name = part.name or workload.name or "log"
        own = workload.select(part.rows)
        peak = observed_peak(own) if capacity == "peak" or "wait" in own.extra else None
        own.machine_nodes = _capacity(workload, peak, capacity)
        notes += _notes(workload, name, peak, own.machine_nodes)
        # With its size in its name, a resumed replay never takes up that of another machine.
        own.name = f"{name} on {own.machine_nodes} nodes"
        jobs[own.name], rows[own.name] = own, part.rows
        keys[own.name] = dict(zip(by, part.key, strict=True)) | {"partition": name, "peak": peak}
    if len(jobs) < len(parts):
        raise InputError(f"by = {list(by)}: two partitions have the same name")
    table = sweep(
        jobs,
        [policy],
        planned={label: partial(_planner, column, rows) for label, column in columns.items()},
        overruns=[overrun],
        corrections=corrections,
        tau=tau,
        executor=executor,
        results=results,
        progress=progress,
    )
    failed = table[table["error"].notna()]
    if len(failed):
        raise InputError(f"partition {failed.iloc[0]['workload']}: {failed.iloc[0]['error']}")
    told = {
        name: [keys[part][name] for part in table["workload"]]
        for name in dict.fromkeys([*by, "partition"])
    }
    peaks = [keys[part]["peak"] for part in table["workload"]]
    table = table.drop(columns=["workload", "error"]).assign(peak=peaks)
    ahead = ["planned", "correction", "jobs", "nodes", "peak", *COMPARED]
    rest = [name for name in table if name not in ahead]
    for place, (name, values) in enumerate(told.items()):
        table.insert(place, name, values)
    return PartitionReplay(table[[*told, *ahead, *rest]], tuple(by), notes)


def _left_out(every: Sequence[Partition], min_jobs: int) -> list[str]:
    small = [part for part in every if len(part) < min_jobs]
    if not small:
        return []
    jobs = sum(map(len, small))
    return [f"partitions left out, fewer than {min_jobs:,} jobs: {len(small)}, {jobs:,} jobs"]


def _planner(
    column: Sequence[Seconds], rows: Mapping[str, Sequence[int]], own: Workload
) -> list[Seconds]:
    return [column[row] for row in rows[own.name]]


def _column(
    workload: Workload, name: str, values: Sequence[Seconds] | NDArray[Any]
) -> list[Seconds]:
    column: list[Seconds] = values.tolist() if hasattr(values, "tolist") else list(values)
    if len(column) != len(workload):
        raise InputError(f"planned {name!r} has {len(column)} values for {len(workload)} jobs")
    return column


def _capacity(workload: Workload, peak: int | None, capacity: str | int) -> int:
    if capacity == "peak" and peak is not None:
        return peak
    if capacity == "machine":
        if workload.machine_nodes is None:
            raise InputError("capacity = 'machine': the size of the machine is unknown")
        return workload.machine_nodes
    if isinstance(capacity, int) and not isinstance(capacity, bool) and capacity > 0:
        return capacity
    raise InputError(f"capacity = {capacity!r}; it is 'peak', 'machine' or a number of nodes")


def _notes(workload: Workload, name: str, peak: int | None, nodes: int) -> list[str]:
    size = workload.machine_nodes
    if size is None or size == nodes:
        return []
    held = "" if peak is None else f"; its jobs held {peak:,} at once in the log"
    return [f"{name}: replayed on {nodes:,} nodes, the log's machine has {size:,}{held}"]
