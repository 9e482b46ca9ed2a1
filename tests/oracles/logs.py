"""Reference logs and schedules, read in a few lines that owe nothing to the package's reader."""

import csv
import gzip
from pathlib import Path

from shadowtime.workload import Workload

SUBMIT, WAIT, RUNTIME, ALLOCATED, REQUESTED, ESTIMATE = 1, 2, 3, 4, 7, 8
"""Fields of a line of the Standard Workload Format; field 0 is the job's number."""


def read(path: Path) -> tuple[dict[str, str], list[list[int]]]:
    """Return the header's facts, and the jobs as lists of 18 whole numbers."""
    header: dict[str, str] = {}
    jobs = []
    with gzip.open(path, "rt") as lines:
        for line in lines:
            if line.startswith(";"):
                key, _, value = line[1:].partition(":")
                header[key.strip()] = value.strip()
            else:
                jobs.append([int(float(field)) for field in line.split()])
    return header, jobs


def canonical(path: Path) -> Workload:
    """Return a log in which every job is whole: nothing to clean, nothing to correct."""
    header, jobs = read(path)
    return Workload(
        id=[job[0] for job in jobs],
        submit=[job[SUBMIT] for job in jobs],
        nodes=[job[REQUESTED] for job in jobs],
        estimate=[job[ESTIMATE] for job in jobs],
        runtime=[job[RUNTIME] for job in jobs],
        machine_nodes=int(header["MaxProcs"]),
        name=path.name,
    )


def starts(path: Path) -> list[int]:
    """Return a reference schedule, in the order of its log."""
    with gzip.open(path, "rt", newline="") as table:
        return [int(row["start"]) for row in csv.DictReader(table)]


def published(path: Path, *, clairvoyant: bool) -> tuple[Workload, list[int]]:
    """Return a published simulation's input and the starts that it printed.

    The file carries both: submit, run time, size and request are the input, and the wait is the
    result. Its lines are in order of completion. A clairvoyant schedule was planned with the run
    times.
    """
    header, jobs = read(path)
    jobs = sorted(
        (job for job in jobs if job[RUNTIME] > 0 and job[ESTIMATE] > 0),
        key=lambda job: (job[SUBMIT], job[0]),
    )
    runtime = [min(job[RUNTIME], job[ESTIMATE]) for job in jobs]
    workload = Workload(
        id=[job[0] for job in jobs],
        submit=[job[SUBMIT] for job in jobs],
        nodes=[job[REQUESTED] if job[REQUESTED] > 0 else job[ALLOCATED] for job in jobs],
        estimate=runtime if clairvoyant else [job[ESTIMATE] for job in jobs],
        runtime=runtime,
        machine_nodes=int(header["MaxProcs"]),
        name=path.name,
    )
    return workload, [job[SUBMIT] + job[WAIT] for job in jobs]


def differing(workload: Workload, ours: list[int | float], theirs: list[int]) -> list[int | str]:
    """Return the jobs whose starts differ."""
    pairs = zip(workload.id, ours, theirs, strict=True)
    return [job for job, our, their in pairs if our != their]
