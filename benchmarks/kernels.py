"""How fast the compiled engine is: for a year of jobs, a deep queue, and seven million jobs.

    python benchmarks/kernels.py FOLDER_OF_LOGS [--rounds N] [--largest JOBS] [--record FILE]

Processor time is given, best of N rounds. Seconds mean little on another machine, so each line also
says what it is measured against: the time that pandas takes to parse the same log, or the time per
job of a shorter run of the same kind.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from shadowtime import Workload, simulate, traces

KTH, CTC, BLUE = (
    "KTH-SP2-1996-2.1-cln.swf.gz",
    "CTC-SP2-1996-3.1-cln.swf.gz",
    "SDSC-BLUE-2000-4.2-cln.swf.gz",
)

WHOLE = """
import resource, sys
import shadowtime
workload = shadowtime.traces.read(sys.argv[1])
schedule = shadowtime.simulate(workload, "easy")
schedule.summary()
print(schedule.engine, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


class Line(NamedTuple):
    """One thing that was measured."""

    what: str
    jobs: int
    seconds: float
    remark: str = ""

    def __str__(self) -> str:
        per_job = self.seconds / self.jobs * 1e9
        return (
            f"{self.what:<52} {self.jobs:>9,} {self.seconds:>9.3f} {per_job:>9,.0f}  {self.remark}"
        )


def best(rounds: int, work: Callable[[], object]) -> float:
    """Return the least processor time of several runs, in seconds."""
    times = []
    for _ in range(rounds):
        begun = process_time()
        work()
        times.append(process_time() - begun)
    return min(times)


def process(*arguments: str) -> tuple[float, float, str]:
    """Run Python anew; return its processor time, the time elapsed, and what it printed."""
    before, begun = os.times(), perf_counter()
    done = subprocess.run([sys.executable, *arguments], check=True, capture_output=True, text=True)
    after, ended = os.times(), perf_counter()
    used = after.children_user + after.children_system
    return used - before.children_user - before.children_system, ended - begun, done.stdout


def repeated(workload: Workload, jobs: int, load: float = 1.0) -> Workload:
    """Return the workload again and again up to so many jobs, arriving `load` times as fast."""
    times = -(-jobs // len(workload))
    submit = np.asarray(workload.submit)
    period = submit[-1] - submit[0] + max((submit[-1] - submit[0]) // len(workload), 1)
    ever = (submit + period * np.arange(times)[:, None]).ravel()[:jobs]
    columns: dict[str, Any] = {
        name: np.tile(np.asarray(getattr(workload, name)), times)[:jobs]
        for name in ("nodes", "estimate", "runtime")
    }
    return Workload(
        id=range(1, jobs + 1),
        submit=((ever - ever[0]) / load).astype(np.int64) if len(ever) else ever,
        machine_nodes=workload.machine_nodes,
        **columns,
    )


def write(workload: Workload, jobs: int, path: Path) -> None:
    """Write the workload again and again as SWF, up to so many jobs, a part at a time."""
    period = int(workload.submit[-1] - workload.submit[0]) + 1000
    with path.open("w") as file:
        file.write(f"; MaxProcs: {workload.machine_nodes}\n")
        for begin in range(0, jobs, len(workload)):
            late = begin // len(workload) * period
            file.writelines(
                f"{begin + n} {job.submit + late} -1 {job.runtime} {job.nodes} -1 -1 {job.nodes}"
                f" {job.estimate} -1 1 {n % 200} 1 -1 1 -1 -1 -1\n"
                for n, job in enumerate(islice(workload, jobs - begin), start=1)
            )


def offered_load(workload: Workload) -> float:
    """Return the work that is submitted over what the machine could do in that time."""
    work = np.dot(np.asarray(workload.nodes, float), np.asarray(workload.runtime, float))
    span = workload.submit[-1] - workload.submit[0]
    return float(work / (span * (workload.machine_nodes or 1)))


def deepest(workload: Workload, start: Iterable[float]) -> int:
    """Return how many jobs wait when most do."""
    begun = np.sort(np.asarray(start))
    came = np.searchsorted(np.asarray(workload.submit), begun, side="right")
    return int((came - np.arange(len(begun))).max())


def year(log: Workload, folder: Path, rounds: int) -> Iterable[Line]:
    """Measure EASY, and the whole process, on a log four times in a row."""
    longer = repeated(log, 4 * len(log))
    path = folder / "four.swf"
    write(log, len(longer), path)
    parse = partial(pd.read_csv, path, sep=r"\s+", comment=";", header=None)
    parsing = best(rounds, parse)
    yield Line("pandas parses the log", len(longer), parsing)
    for policy in ("fcfs", "first-fit", "easy", "easy-sjbf", "depth-3", "conservative"):
        run = partial(simulate, longer, policy, engine="compiled")
        run()
        seconds = best(rounds, run)
        remark = f"{len(longer) / seconds:,.0f} jobs/s, x {seconds / parsing:.2f} of parsing"
        yield Line(policy, len(longer), seconds, remark)
    runs = [process("-m", "shadowtime", "simulate", str(path))[:2] for _ in range(min(rounds, 3))]
    used, elapsed = min(runs)
    yield Line(
        "shadowtime simulate, the whole process", len(longer), used, f"{elapsed:.1f} s elapsed"
    )


def conservative(logs: Path, kth: Workload, rounds: int) -> Iterable[Line]:
    """Measure conservative backfilling on whole logs."""
    some = kth[:10_000]
    yield Line(
        "conservative, KTH's first jobs",
        len(some),
        best(rounds, partial(simulate, some, "conservative", engine="compiled")),
    )
    for name in (CTC, BLUE):
        if (logs / name).exists():
            log = traces.read(logs / name)
            seconds = best(1, partial(simulate, log, "conservative", engine="compiled"))
            yield Line(
                f"conservative, {name.partition('-2')[0].partition('-1')[0]}", len(log), seconds
            )


def growth(log: Workload, rounds: int, few: int, many: int) -> Iterable[Line]:
    """Measure the time per job of a short and of a long run, at equal load."""
    some = log[:few]
    ever = repeated(some, many)
    for policy in ("fcfs", "first-fit", "easy", "easy-sjbf", "conservative"):
        times = {
            jobs: best(n, partial(simulate, jobs, policy, engine="compiled"))
            for jobs, n in ((some, 5 * rounds), (ever, 1))
        }
        short, long = times[some] / len(some), times[ever] / len(ever)
        yield Line(f"{policy}, again and again", len(ever), times[ever],
                   f"x {long / short:.2f} per job of {len(some):,} jobs")  # fmt: skip


def overload(log: Workload, jobs: int) -> Iterable[Line]:
    """Measure on a machine that is asked for half as much again as it can do."""
    busy = repeated(log, jobs, load=1.5 / offered_load(log))
    for policy in ("fcfs", "first-fit", "easy", "easy-sjbf", "depth-3"):
        begun = process_time()
        schedule = simulate(busy, policy, engine="compiled")
        seconds = process_time() - begun
        waiting = deepest(busy, schedule.arrays["start"])
        yield Line(f"{policy}, load 1.5", len(busy), seconds, f"up to {waiting:,} jobs wait")
    brief = busy[: jobs // 60]
    begun = process_time()
    schedule = simulate(brief, "conservative", engine="compiled")
    seconds = process_time() - begun
    waiting = deepest(brief, schedule.arrays["start"])
    yield Line("conservative, load 1.5", len(brief), seconds, f"up to {waiting:,} jobs wait")


def largest(log: Workload, jobs: int, folder: Path) -> Iterable[Line]:
    """Measure a process that reads a long log, schedules it by EASY, and sums it up."""
    path = folder / "largest.swf"
    write(log, jobs, path)
    used, elapsed, told = process("-c", WHOLE, str(path))
    engine, peak = told.split()
    unit = 1024**3 if sys.platform == "darwin" else 1024**2
    remark = f"{engine}, {elapsed:.0f} s elapsed, {int(peak) / unit:.2f} GiB at most"
    yield Line("read, EASY, summary: the whole process", jobs, used, remark)


def machine() -> dict[str, str | int]:
    """Describe the machine by its cores and its memory."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cores": os.cpu_count() or 1,
        "memory_gib": round(memory / 1024**3),
        "python": platform.python_version(),
    }


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Measure the compiled engine.")
    parser.add_argument("logs", type=Path, help="folder with the archive's logs")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--many", type=int, default=1_000_000, help="jobs of a long run")
    parser.add_argument("--overload", type=int, default=700_000, help="jobs for a full machine")
    parser.add_argument("--largest", type=int, default=7_267_468, help="jobs to read; 0 for none")
    parser.add_argument("--record", type=Path, help="write the figures as JSON")
    options = parser.parse_args(arguments)

    print(", ".join(f"{key}: {value}" for key, value in machine().items()))
    print(f"{'':<52} {'jobs':>9} {'seconds':>9} {'ns a job':>9}")
    kth = traces.read(options.logs / KTH)
    lines: list[Line] = []
    with TemporaryDirectory() as folder:
        parts = [
            year(kth, Path(folder), options.rounds),
            conservative(options.logs, kth, options.rounds),
            growth(kth, options.rounds, min(10_000, len(kth)), options.many),
            overload(kth, options.overload),
        ]
        if options.largest:
            parts.append(largest(kth, options.largest, Path(folder)))
        for part in parts:
            for line in part:
                print(line, flush=True)
                lines.append(line)
    if options.record:
        record = {"machine": machine(), "lines": [line._asdict() for line in lines]}
        options.record.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
