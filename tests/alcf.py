"""Job data in the format of ALCF, made up: four years of a machine with two production queues."""

import csv
import gzip
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from shadowtime import Workload, simulate

COLUMNS = (
    "JOB_NAME", "COBALT_JOBID", "MACHINE_NAME", "QUEUED_TIMESTAMP", "QUEUED_DATE_ID",
    "START_TIMESTAMP", "START_DATE_ID", "END_TIMESTAMP", "END_DATE_ID", "USERNAME_GENID",
    "PROJECT_NAME_GENID", "QUEUE_NAME", "WALLTIME_SECONDS", "RUNTIME_SECONDS", "NODES_USED",
    "NODES_REQUESTED", "CORES_USED", "CORES_REQUESTED", "LOCATION", "EXIT_STATUS",
    "ELIGIBLE_WAIT_SECONDS", "ELIGIBLE_WAIT_FACTOR", "QUEUED_WAIT_SECONDS", "QUEUED_WAIT_FACTOR",
    "REQUESTED_CORE_HOURS", "USED_CORE_HOURS", "MACHINE_PARTITION", "EXIT_CODE", "MODE", "RESID",
)  # fmt: skip
"""The facility's, without the buckets of usage and the flags of tasks."""

QUEUES = ("prod-short", "prod-long")
MACHINES = {"mira": (49_152, range(2015, 2019)), "intrepid": (40_960, range(2010, 2014))}
"""Nodes, and the years of the study's replay."""

HOUR, DAY = 3600, 86_400


def jobs(machine: str = "mira", *, a_year: int = 300, days: int = 20, seed: int = 1) -> Workload:
    """Return jobs that waited and ran as EASY lets them on the whole machine.

    Each year has `a_year` jobs, submitted within an hour on `days` days that are spread over it:
    there are few days to predict, and queues on each of them. Runtimes hang on user and request.
    """
    nodes, years = MACHINES[machine]
    rng = np.random.default_rng(seed)
    begins = [int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) for year in years]
    size = (len(begins), a_year)
    day = np.sort(rng.integers(0, days, size=size)) * (364 // days)
    submit = np.sort((np.array(begins)[:, None] + day * DAY + rng.integers(0, HOUR, size)).ravel())
    total = submit.size
    queue = rng.integers(0, 2, size=total)
    user = rng.integers(0, 12, size=total)
    hours = np.where(queue == 0, rng.integers(1, 7, size=total), rng.integers(7, 13, size=total))
    estimate = hours * HOUR
    share = rng.beta(1 + user % 3, 2, size=total)
    log = Workload(
        id=range(1001, 1001 + total),
        submit=submit,
        nodes=512 * 2 ** rng.integers(0, 6, size=total),
        estimate=estimate,
        runtime=np.maximum(1, (estimate * share).astype(int)),
        extra={
            "user": [int(10_000 + each) for each in user],
            "account": [int(20_000 + each % 4) for each in user],
            "queue": [QUEUES[each] for each in queue],
            "status": [int(each) for each in rng.random(total) < 0.9],
        },
        machine_nodes=nodes,
        name=machine,
    )
    return log.replace(wait=simulate(log, "easy").wait())


def records(log: Workload) -> list[dict[str, Any]]:
    """Return the jobs as ALCF writes them, one record a job."""
    table = []
    for row in range(len(log)):
        job, wait = log[row], log.extra["wait"][row]
        start = job.submit + wait
        end = start + job.runtime
        table.append(
            dict.fromkeys(COLUMNS, "")
            | {
                "JOB_NAME": f'"{job.id}",\nof {log.name}',
                "COBALT_JOBID": job.id,
                "MACHINE_NAME": log.name,
                **_time("QUEUED", job.submit),
                **_time("START", start),
                **_time("END", end),
                "USERNAME_GENID": log.extra["user"][row],
                "PROJECT_NAME_GENID": log.extra["account"][row],
                "QUEUE_NAME": job.queue,
                "WALLTIME_SECONDS": f"{job.estimate}.0",
                "RUNTIME_SECONDS": f"{job.runtime}.0",
                "NODES_USED": f"{job.nodes}.0",
                "NODES_REQUESTED": f"{job.nodes}.0",
                "EXIT_STATUS": 0 if log.extra["status"][row] else 143,
                "QUEUED_WAIT_SECONDS": wait,
            }
        )
    return table


def _time(name: str, seconds: float) -> dict[str, str]:
    time = datetime.fromtimestamp(seconds, UTC)
    return {f"{name}_TIMESTAMP": f"{time:%Y-%m-%d %H:%M:%S}", f"{name}_DATE_ID": f"{time:%Y%m%d}"}


def write(path: Path, table: Iterable[dict[str, Any]], columns: Sequence[str] = COLUMNS) -> Path:
    """Write records as CSV, packed if the name ends in ``.gz``, and return the path."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "wt", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(table)
    return path
