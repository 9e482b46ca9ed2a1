"""From a log as it was read to the jobs that predictors are trained and judged on."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from itertools import zip_longest
from typing import Any

from shadowtime.engine import simulate
from shadowtime.errors import InputError
from shadowtime.workload import Report, Seconds, Workload

TERMINAL: frozenset[int | str] = frozenset(
    {0, 1, 5}  # SWF: failed, completed, cancelled; 2 to 4 are parts of a job
    | {
        "BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL",
        "OUT_OF_MEMORY", "PREEMPTED", "TIMEOUT",
    }
    | {"DONE"}
)  # fmt: skip
"""States in which a job has ended for good, in SWF's numbers and in Slurm's and Cobalt's words."""


def prepare(
    workload: Workload,
    *,
    min_runtime: Seconds = 30,
    states: Collection[int | str] | None = TERMINAL,
) -> Workload:
    """Keep the jobs that the study keeps, and count the others.

    A job stays if it ran for more than `min_runtime`, its wait is known and it ended for good. A
    log that has no waits at all, such as a synthetic one, is given those of an EASY schedule, so
    that it is known when its jobs ended. Jobs whose user is unknown stay, without a history; the
    report counts them.

    Parameters
    ----------
    workload : Workload
        With times in seconds.
    min_runtime : int or float
        Jobs that ran this long or shorter are left out.
    states : collection of int or str, optional
        Values of the column ``"status"`` to keep; None keeps all. A log without the column keeps
        all its jobs. Of a text such as ``"CANCELLED by 1234"`` the first word counts, in upper or
        lower case.

    Returns
    -------
    Workload
        With a column ``"wait"``, and a report of its own.

    Raises
    ------
    InputError
        If no job is left, or the log has neither waits nor a machine size to simulate with.

    Examples
    --------
    >>> w = Workload(
    ...     id=[1, 2, 3],
    ...     submit=[0, 1, 2],
    ...     nodes=[1, 1, 1],
    ...     estimate=[90, 90, 90],
    ...     runtime=[60, 5, 60],
    ...     extra={"wait": [0, 0, None]},
    ...     name="log",
    ... )
    >>> print(prepare(w).report)
    log: 3 jobs found, 1 kept
    left out, run time of 30 s or less: 1 (first: job 2: runtime = 5)
    left out, wait unknown: 1 (first: job 3: wait = None)
    the log names no users: no job has a history of its user
    """
    report = Report(source=workload.name, records=len(workload))
    if "wait" not in workload.extra:
        workload = _with_waits(workload, report)
    checks: list[tuple[str, str, Any, Callable[[Any], bool]]] = [
        (
            f"run time of {min_runtime} s or less",
            "runtime",
            workload.runtime,
            lambda value: value > min_runtime,
        ),
        (
            "wait unknown",
            "wait",
            workload.extra["wait"],
            lambda value: value is not None and value >= 0,
        ),
    ]
    if states is not None and "status" in workload.extra:
        wanted = frozenset(states)
        checks.append(
            ("not in a terminal state", "status", workload.extra["status"], _among(wanted))
        )
    left: Sequence[int] = range(len(workload))
    for reason, name, column, is_good in checks:
        kept = array("q", (row for row in left if is_good(column[row])))
        if len(kept) < len(left):
            report.dropped[reason] = len(left) - len(kept)
            row = next(row for row, good in zip_longest(left, kept) if row != good)
            report.first[reason] = f"job {workload.id[row]}: {name} = {column[row]}"
        left = kept
    if not left:
        reasons = ", ".join(f"{reason}: {count:,}" for reason, count in report.dropped.items())
        raise InputError(f"{workload.name or 'the workload'}: no job is left ({reasons})")
    prepared = workload.select(left)
    report.kept = len(prepared)
    prepared.report = report
    _note_users(prepared)
    return prepared


def _note_users(workload: Workload) -> None:
    users = workload.extra.get("user")
    unknown = len(workload) if users is None else sum(user is None for user in users)
    if unknown == len(workload):
        workload.report.note("the log names no users: no job has a history of its user")
    elif unknown:
        workload.report.note(f"jobs of unknown users, which have no history: {unknown:,}")


def _among(wanted: frozenset[int | str]) -> Callable[[Any], bool]:
    def is_good(state: Any) -> bool:
        if isinstance(state, str):
            word = state.split()[:1]
            return bool(word) and word[0].rstrip("+").upper() in wanted
        return state in wanted

    return is_good


def _with_waits(workload: Workload, report: Report) -> Workload:
    if workload.machine_nodes is None:
        raise InputError(
            f"{workload.name or 'the workload'} has no column 'wait', so it is unknown when its "
            "jobs ended, and no size of the machine to simulate that with: give machine_nodes"
        )
    report.note("the log does not say how long its jobs waited: EASY was simulated to know it")
    return workload.replace(wait=simulate(workload, "easy", overrun="extend").wait())
