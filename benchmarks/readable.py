"""How fast the readable engine is, and that its time grows with jobs x log(jobs).

    python benchmarks/readable.py KTH-SP2-1996-2.1-cln.swf.gz [--rounds N]

Processor time is measured, best of N rounds. Seconds mean little on another machine, so the time
that pandas takes to parse the same file is given as a unit, and growth as ratios within one run:
the log once, twice and four times in a row, at equal load. Squared growth would double the time
per job with each doubling.
"""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

import pandas as pd

from shadowtime import Workload, simulate, traces


def best(rounds: int, work: Callable[[], object]) -> float:
    """Return the least processor time of several runs, in seconds."""
    times = []
    for _ in range(rounds):
        begun = process_time()
        work()
        times.append(process_time() - begun)
    return min(times)


def repeated(workload: Workload, times: int) -> Workload:
    """Return the workload several times in a row, each as long after the last as jobs come."""
    jobs = len(workload)
    span = workload.submit[-1] - workload.submit[0]
    period = span + max(span // jobs, 1)
    return Workload(
        id=range(1, times * jobs + 1),
        submit=[submit + n * period for n in range(times) for submit in workload.submit],
        nodes=list(workload.nodes) * times,
        estimate=list(workload.estimate) * times,
        runtime=list(workload.runtime) * times,
        machine_nodes=workload.machine_nodes,
    )


def parse(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, sep=r"\s+", comment=";", header=None)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Measure the readable engine.")
    parser.add_argument("log", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)

    parsing = best(options.rounds, lambda: parse(options.log))
    print(f"pandas parses {options.log.name} in {parsing:.3f} s")
    workload = traces.read(options.log)
    once = 0.0
    for times in (1, 2, 4):
        longer = repeated(workload, times)
        seconds = best(options.rounds, partial(simulate, longer, "easy", engine="readable"))
        once = once or seconds
        print(
            f"EASY on the log x {times}: {len(longer) / seconds:,.0f} jobs/s, "
            f"{seconds:.3f} s, x {seconds / parsing:.1f} of parsing it once, "
            f"time per job x {seconds / times / once:.2f}"
        )


if __name__ == "__main__":
    main()
