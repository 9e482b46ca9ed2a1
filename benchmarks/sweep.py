"""How much faster two workers sweep than one, and how much faster two could be.

    python -m benchmarks.sweep [--jobs N] [--rounds N]

The same cells run in a pool of one process and in a pool of two, started and warmed up before. The
ceiling is what the machine gives two processes that share nothing: the same work done twice, one
after the other and at once.
"""

import argparse
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from time import perf_counter

import numpy as np

from benchmarks.figures import Figure, show
from shadowtime import Workload, simulate
from shadowtime.replay import sweep
from shadowtime.synthesis import generate

POLICY = "selective"
"""It has no compiled twin: a cell takes long enough for what is around it not to count."""


def alone(jobs: int, seed: int) -> float:
    """Simulate readably in this process, with nothing from outside; return how long it took."""
    workload = made(jobs, seed)
    begun = perf_counter()
    simulate(workload, "easy", engine="readable")
    return perf_counter() - begun


def made(jobs: int, seed: int) -> Workload:
    """Return a made workload."""
    return generate(jobs, 128, np.random.default_rng(seed), load=0.9)


def elapsed(pool: ProcessPoolExecutor, workloads: dict[str, Workload]) -> float:
    """Return how long a sweep takes."""
    begun = perf_counter()
    sweep(workloads, [POLICY], executor=pool, progress=False)
    return perf_counter() - begun


def ceiling(pool: ProcessPoolExecutor, jobs: int) -> float:
    """Return how much two processes do at once of what one does in the same time."""
    one = pool.submit(alone, jobs, 1).result()
    two = [pool.submit(alone, jobs, 1) for _ in range(2)]
    return 2 * one / max(task.result() for task in two)


def measure(jobs: int, rounds: int) -> Iterator[Figure]:
    """Compare one worker with two."""
    workloads = {str(seed): made(jobs, seed) for seed in range(16)}
    few = {"few": made(100, 0)}
    with ProcessPoolExecutor(1) as single, ProcessPoolExecutor(2) as double:
        for pool in (single, double, double):
            elapsed(pool, few)
        alternating = [
            (elapsed(single, workloads), elapsed(double, workloads), ceiling(double, 60 * jobs))
            for _ in range(rounds)
        ]
    one, two = (min(times) for times in list(zip(*alternating, strict=True))[:2])
    could = max(each[2] for each in alternating)
    remark = f"{len(workloads)} cells of {jobs:,} jobs: {one:.1f} s and {two:.1f} s"
    yield Figure("sweep, two workers over one", one / two, "x", ">= 1.8", remark)
    yield Figure("two independent processes over one", could, "x", remark="the ceiling")


def main(arguments: list[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description="Measure a sweep on two workers.")
    parser.add_argument("--jobs", type=int, default=2_500, help="jobs of each workload")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args(arguments)
    return show(measure(given.jobs, given.rounds))


if __name__ == "__main__":
    main()
