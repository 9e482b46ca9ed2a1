"""The same seven jobs in every format: the same three are left to learn from, the rest counted."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from shadowtime import traces
from shadowtime.prediction import Jobs, LastN, prepare
from tests import alcf

pytest.importorskip("pandas")

BEGIN = 1_546_332_000


class Story(NamedTuple):
    """What happened to a job: seconds since the beginning, None where it did not come to that."""

    id: int
    start: int | None
    end: int | None
    estimate: int | None
    state: str
    user: str = "ann"


STORIES = (
    Story(1, 10, 110, 3600, "COMPLETED"),
    Story(2, 20, 80, 3600, "FAILED"),
    Story(3, 30, 60, 3600, "COMPLETED"),  # ran for half a minute
    Story(4, 40, None, 3600, "RUNNING"),
    Story(5, 50, 150, None, "COMPLETED"),  # asked for nothing
    Story(6, None, None, 3600, "PENDING"),
    Story(7, 70, 4070, 3600, "TIMEOUT"),
)
KEPT = (1, 2, 7)


def clock(seconds: int | None, form: str = "%Y-%m-%d %H:%M:%S") -> str:
    return "" if seconds is None else datetime.fromtimestamp(BEGIN + seconds, UTC).strftime(form)


def lasted(job: Story) -> int | None:
    return None if job.start is None or job.end is None else job.end - job.start


def swf() -> list[str]:
    def line(job: Story) -> str:
        wait = -1 if job.start is None else job.start - job.id
        runtime = -1 if lasted(job) is None else lasted(job)
        status = {"COMPLETED": 1, "FAILED": 0, "TIMEOUT": 0}.get(job.state, -1)
        return (
            f"{job.id} {BEGIN + job.id} {wait} {runtime} 4 -1 -1 4 {job.estimate or -1} -1"
            f" {status} 1 -1 -1 1 -1 -1 -1"
        )

    return ["; MaxProcs: 8", *map(line, STORIES)]


def cobalt() -> list[str]:
    events = []
    for job in STORIES:
        values = f"user={job.user} qtime={BEGIN + job.id} Resource_List.nodect=4"
        if job.estimate:
            values += " Resource_List.walltime=01:00:00"
        events.append((job.id, "Q", job.id, values))
        if job.start is not None:
            values += f" start={BEGIN + job.start}"
            events.append((job.start, "S", job.id, values))
        if job.end is not None:
            status = 0 if job.state == "COMPLETED" else 143
            values += f" end={BEGIN + job.end} Exit_status={status}"
            events.append((job.end, "E", job.id, values))
    events.sort(key=lambda event: event[0])
    return [f"{clock(time, '%m/%d/%Y %H:%M:%S')};{k};{job};{v}" for time, k, job, v in events]


def sacct() -> list[str]:
    iso = "%Y-%m-%dT%H:%M:%S"
    lines = ["JobID|User|Submit|Start|End|NNodes|Timelimit|State"]
    for job in STORIES:
        limit = "01:00:00" if job.estimate else ""
        times = [clock(each, iso) or "Unknown" for each in (job.id, job.start, job.end)]
        lines.append("|".join([str(job.id), job.user, *times, "4", limit, job.state]))
    return lines


def eagle() -> list[str]:
    lines = [
        "job_id,user,partition,wallclock_req,nodes_req,submit_time,start_time,end_time,run_time,state"
    ]
    for job in STORIES:
        limit = "" if job.estimate is None else f"{job.estimate}.0"
        runtime = "" if lasted(job) is None else f"{lasted(job)}.0"
        times = [clock(each) for each in (job.id, job.start, job.end)]
        lines.append(
            ",".join([str(job.id), job.user, "p1", limit, "4", *times, runtime, job.state])
        )
    return lines


def alcf_csv() -> list[str]:
    lines = [",".join(alcf.COLUMNS)]
    for job in STORIES:
        record = dict.fromkeys(alcf.COLUMNS, "") | {
            "COBALT_JOBID": str(job.id),
            "MACHINE_NAME": "mira",
            "QUEUED_TIMESTAMP": clock(job.id),
            "START_TIMESTAMP": clock(job.start),
            "END_TIMESTAMP": clock(job.end),
            "USERNAME_GENID": job.user,
            "QUEUE_NAME": "prod-short",
            "WALLTIME_SECONDS": "" if job.estimate is None else f"{job.estimate}.0",
            "RUNTIME_SECONDS": "" if lasted(job) is None else f"{lasted(job)}.0",
            "NODES_REQUESTED": "4.0",
            "EXIT_STATUS": "0" if job.state == "COMPLETED" else "143",
        }
        lines.append(",".join(record.values()))
    return lines


FORMATS: dict[str, Callable[[], list[str]]] = {
    "swf": swf,
    "cobalt": cobalt,
    "sacct": sacct,
    "eagle": eagle,
    "alcf": alcf_csv,
}


@pytest.fixture(params=list(FORMATS))
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"{request.param}.log"
    path.write_text("\n".join([*FORMATS[request.param](), ""]))
    return path


def read(path: Path) -> Any:
    return traces.read(path, format=path.stem, clean=True, machine_nodes=8)


def test_the_jobs_that_ended_ran_and_asked_are_left(log: Path) -> None:
    assert traces.read(log, clean=True).report.source == log.name
    prepared = prepare(read(log))
    assert tuple(prepared.id) == KEPT
    assert list(prepared.runtime) == [100, 60, 4000]
    assert list(prepared.estimate) == [3600] * 3
    assert list(prepared.extra["wait"]) == [9, 18, 63]


def test_every_job_that_is_left_out_is_counted(log: Path) -> None:
    whole = read(log)
    prepared = prepare(whole)
    assert whole.report.records == len(STORIES)
    assert prepared.report.records == whole.report.kept == len(whole)
    dropped = [*whole.report.dropped.values(), *prepared.report.dropped.values()]
    assert sum(dropped) == len(STORIES) - len(KEPT)
    assert prepared.report.dropped["run time of 30 s or less"] == 1


def test_a_user_has_a_history_whatever_the_format(log: Path) -> None:
    jobs = Jobs.from_workload(prepare(read(log)))
    history = jobs.take(slice(2))
    assert LastN(2).fit(history).predict(jobs.submitted().take(slice(2, 3))).tolist() == [80]
