"""What a log holds, counted over all its records as they stand, before any cleaning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from statistics import median
from typing import Any

from shadowtime.traces.header import number
from shadowtime.workload import Seconds, Workload

UNIX_SECONDS = 500_000_000
"""Submit times from here on (1985) are dates in Unix seconds, not seconds since a log's start."""


@dataclass(frozen=True)
class Survey:
    """Figures of a log over all of its records.

    Parameters
    ----------
    name : str
        File name.
    processors : int or None
        Size of the machine, in the unit of the jobs' sizes.
    largest_job : int
        The most that one job requested or was allocated.
    jobs, ran : int
        Records, and those with a run time > 0.
    first_submit, last_submit : datetime or None
        In UTC; None if the log does not say when it begins.
    in_order : bool
        Whether the records are sorted by submit time.
    requested : float
        Share of the records with a requested time, 0 to 1.
    median_ratio : float or None
        Median of run time / requested time over the jobs that have both (> 0).
    over_request : float or None
        Share of those jobs whose run time exceeds the request, 0 to 1.
    utilization : float or None
        Processor-time used / (processors x time from the first submission to the last end).
    users : int
        Distinct users.
    status : dict of int or str to int
        Records by status code (1 completed, 0 failed, 5 cancelled, -1 unknown), or by the word
        that the log has for it.
    """

    name: str
    processors: int | None
    largest_job: int
    jobs: int
    ran: int
    first_submit: datetime | None
    last_submit: datetime | None
    in_order: bool
    requested: float
    median_ratio: float | None
    over_request: float | None
    utilization: float | None
    users: int
    status: dict[int | str, int]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values that JSON can hold (dates in ISO format)."""
        values = asdict(self)
        for key in ("first_submit", "last_submit"):
            values[key] = values[key].isoformat() if values[key] else None
        values["status"] = {str(code): count for code, count in self.status.items()}
        return values

    def __str__(self) -> str:
        def share(value: float | None) -> str:
            return "unknown" if value is None else f"{value:.1%}"

        dates = "unknown"
        if self.first_submit and self.last_submit:
            dates = f"{self.first_submit:%Y-%m-%d} .. {self.last_submit:%Y-%m-%d} (UTC)"
        # In the unit of the jobs' sizes: processors or nodes.
        size = "unknown" if self.processors is None else f"{self.processors:,}"
        ratio = "unknown" if self.median_ratio is None else f"{self.median_ratio:.2f}"
        codes = ", ".join(f"{code}: {count:,}" for code, count in self.status.items())
        lines = {
            "machine size": size,
            "largest job": f"{self.largest_job:,}",
            "jobs": f"{self.jobs:,}, {self.ran:,} of them ran",
            "submitted": dates + ("" if self.in_order else ", not in order"),
            "requested time": f"{share(self.requested)} of the jobs",
            "run time / request": f"{ratio} (median), {share(self.over_request)} run over it",
            "utilization": share(self.utilization),
            "users": f"{self.users:,}",
            "status codes": codes or "none",
        }
        return "\n".join([self.name, *(f"  {key:<20}{text}" for key, text in lines.items())])


def count(
    columns: Mapping[str, Sequence[Any]],
    *,
    name: str = "",
    processors: int | None = None,
    epoch: int | None = None,
) -> Survey:
    """Count what a log holds.

    Parameters
    ----------
    columns : mapping of str to sequence, each of shape (jobs,)
        ``submit``, ``runtime``, ``estimate``, ``nodes`` and ``allocated``, all -1 where
        unknown; ``wait``, ``user`` and ``status`` if there are any.
    name : str
    processors : int, optional
    epoch : int, optional
        Unix time of the log's second 0. Not needed where submits are Unix seconds themselves.

    Returns
    -------
    Survey
    """
    submit, runtime, estimate = columns["submit"], columns["runtime"], columns["estimate"]
    allocated = columns["allocated"]
    jobs = len(submit)
    wait = columns.get("wait") or (0,) * jobs
    ratios = [r / e for r, e in zip(runtime, estimate, strict=True) if r > 0 and e > 0]
    known = [s for s in submit if s >= 0]
    first, last = (min(known), max(known)) if known else (None, None)
    work = sum(r * a for r, a in zip(runtime, allocated, strict=True) if r > 0 and a > 0)
    ends = [s + max(w, 0) + max(r, 0) for s, w, r in zip(submit, wait, runtime, strict=True)]
    span = max(ends) - first if first is not None else 0
    if first is not None and first >= UNIX_SECONDS:
        epoch = 0
    elif epoch == 0:
        epoch = None  # a log that begins in 1970 only says that it does not know
    return Survey(
        name=name,
        processors=processors,
        largest_job=max(max(columns["nodes"], default=0), max(allocated, default=0)),
        jobs=jobs,
        ran=sum(r > 0 for r in runtime),
        first_submit=_date(first, epoch),
        last_submit=_date(last, epoch),
        in_order=all(a <= b for a, b in pairwise(submit)),
        requested=sum(e > 0 for e in estimate) / max(jobs, 1),
        median_ratio=median(ratios) if ratios else None,
        over_request=sum(ratio > 1 for ratio in ratios) / len(ratios) if ratios else None,
        utilization=work / (processors * span) if processors and span > 0 else None,
        users=len(set(columns.get("user", ())) - {-1, None}),
        status=dict(Counter(columns.get("status", ())).most_common()),
    )


def of_workload(workload: Workload) -> Survey:
    """Survey the jobs of a workload, however it was made."""

    def known(key: str) -> list[Any]:
        return [-1 if value is None else value for value in workload.extra[key]]

    columns: dict[str, Sequence[Any]] = {
        key: getattr(workload, key) for key in ("submit", "nodes", "estimate", "runtime")
    }
    columns |= {key: known(key) for key in ("wait", "user", "status") if key in workload.extra}
    columns["allocated"] = known("allocated") if "allocated" in workload.extra else workload.nodes
    return count(
        columns,
        name=workload.name,
        processors=workload.machine_nodes,
        epoch=number(workload.header, "UnixStartTime"),
    )


def _date(seconds: Seconds | None, epoch: int | None) -> datetime | None:
    if seconds is None or epoch is None:
        return None
    try:
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=epoch + seconds)
    except OverflowError:
        return None
