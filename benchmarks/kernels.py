"""How fast the compiled engine is: for a year of jobs, a deep queue, and seven million jobs.

    python -m benchmarks.kernels FOLDER_OF_LOGS [--rounds N] [--largest JOBS]

Processor time is given, best of N rounds; of whole processes, time elapsed. Seconds mean little on
another machine, so ratios within one run stand beside them: to the time that pandas takes to parse
the same log, or to the time per job of a shorter run of the same kind.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.figures import Figure, best, process, show
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
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


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


def year(log: Workload, folder: Path, rounds: int) -> Iterator[Figure]:
    """Measure each policy, and the whole process, on a log four times in a row."""
    longer = repeated(log, 4 * len(log))
    path = folder / "four.swf"
    write(log, len(longer), path)
    four = f"KTH-SP2 x 4, {len(longer):,} jobs"
    parse = partial(pd.read_csv, path, sep=r"\s+", comment=";", header=None)
    parsing = best(rounds, parse)
    yield Figure(f"pandas parses {four}", parsing, "s")
    for policy in ("easy", "easy-sjbf", "fcfs", "first-fit", "depth-3", "conservative"):
        run = partial(simulate, longer, policy, engine="compiled")
        run()
        seconds = best(rounds, run)
        remark = f"x {seconds / parsing:.2f} of pandas' parsing"
        easy = policy == "easy"
        target = ">= 3000000" if easy else ""
        yield Figure(f"{policy}, {four}", len(longer) / seconds, "jobs/s", target, remark)
        if easy:
            yield Figure("easy over pandas' parsing", seconds / parsing, "x", "<= 0.5")
    simulated = [process("-m", "shadowtime", "simulate", str(path)) for _ in range(max(rounds, 3))]
    used = min(used for used, _, _ in simulated)
    elapsed = min(elapsed for _, elapsed, _ in simulated)
    remark = f"processor time {used:.2f} s"
    yield Figure("shadowtime simulate, the whole process", elapsed, "s", "<= 2", remark)


def conservative(logs: Path, kth: Workload, rounds: int) -> Iterator[Figure]:
    """Measure conservative backfilling on whole logs."""
    run = partial(simulate, kth[:10_000], "conservative", engine="compiled")
    few = f"{min(len(kth), 10_000):,}"
    yield Figure(f"conservative, KTH-SP2's first {few} jobs", best(rounds, run), "s", "<= 0.05")
    for name, file in (("CTC-SP2", CTC), ("SDSC-BLUE", BLUE)):
        if (logs / file).exists():
            log = traces.read(logs / file)
            seconds = best(rounds, partial(simulate, log, "conservative", engine="compiled"))
            yield Figure(f"conservative, {name}, {len(log):,} jobs", seconds, "s", "<= 5")


def growth(log: Workload, rounds: int, few: int, many: int) -> Iterator[Figure]:
    """Measure the time per job of a short and of a long run, at equal load."""
    some = log[:few]
    ever = repeated(some, many)
    for policy in ("fcfs", "first-fit", "easy", "easy-sjbf", "conservative"):
        times = {
            jobs: best(n, partial(simulate, jobs, policy, engine="compiled"))
            for jobs, n in ((some, 5 * rounds), (ever, 2))
        }
        ratio = times[ever] / len(ever) / (times[some] / len(some))
        what = f"{policy}, a job of {len(ever):,} over one of {len(some):,}"
        yield Figure(what, ratio, "x", "<= 1.5", f"{times[ever]:.2f} s")


def overload(log: Workload, jobs: int) -> Iterator[Figure]:
    """Measure on a machine that is asked for half as much again as it can do."""
    busy = repeated(log, jobs, load=1.5 / offered_load(log))
    for policy in ("fcfs", "first-fit", "easy", "easy-sjbf", "depth-3"):
        yield _overloaded(busy, policy, "<= 10")
    # How the time grows once every waiting job holds a promise that can move.
    for share in (120, 60):
        yield _overloaded(busy[: jobs // share], "conservative")


def _overloaded(busy: Workload, policy: str, target: str = "") -> Figure:
    made = []

    def run() -> None:
        made.append(simulate(busy, policy, engine="compiled"))

    seconds = best(1, run)
    waiting = deepest(busy, made[0].arrays["start"])
    what = f"{policy}, load 1.5, {len(busy):,} jobs"
    return Figure(what, seconds, "s", target, f"up to {waiting:,} jobs wait")


def largest(log: Workload, jobs: int, folder: Path) -> Iterator[Figure]:
    """Measure a process that reads a long log, schedules it by EASY, and sums it up."""
    path = folder / "largest.swf"
    write(log, jobs, path)
    _, elapsed, told = process("-c", WHOLE, str(path))
    path.unlink()
    unit = 1024**3 if sys.platform == "darwin" else 1024**2
    what = f"read, easy, summary of {jobs:,} jobs"
    yield Figure(f"{what}: time", elapsed, "s", "<= 60")
    yield Figure(f"{what}: memory", int(told) / unit, "GiB", "<= 3")


def measure(
    logs: Path, rounds: int, many: int, overloaded: int, most: int, folder: Path
) -> Iterator[Figure]:
    """Measure everything."""
    kth = traces.read(logs / KTH)
    yield from year(kth, folder, rounds)
    yield from conservative(logs, kth, rounds)
    yield from growth(kth, rounds, min(10_000, len(kth)), many)
    yield from overload(kth, overloaded)
    if most:
        yield from largest(kth, most, folder)


def options(parser: argparse.ArgumentParser) -> None:
    """Add what the command line may say."""
    parser.add_argument("logs", type=Path, help="folder with the archive's logs")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--many", type=int, default=1_000_000, help="jobs of a long run")
    parser.add_argument("--overload", type=int, default=700_000, help="jobs for a full machine")
    parser.add_argument("--largest", type=int, default=7_267_468, help="jobs to read; 0 for none")


def main(arguments: list[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description="Measure the compiled engine.")
    options(parser)
    given = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        return show(
            measure(
                given.logs, given.rounds, given.many, given.overload, given.largest, Path(folder)
            )
        )


if __name__ == "__main__":
    main()
