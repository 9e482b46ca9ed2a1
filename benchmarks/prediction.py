"""What rolling evaluation costs beside the trees themselves, in time and in memory.

    python benchmarks/prediction.py KTH-SP2-1996-2.1-cln.swf.gz [--jobs N] [--every N]
    python benchmarks/prediction.py --memory 7000000

The first measures processor time on every N-th split: the evaluation against ``fit`` and
``predict`` of XGBRegressor alone, on matrices that are ready; then wall time of all splits in N
processes. The second makes a log of that many jobs in 1,500 days and prints the peak of memory.
"""

import argparse
import resource
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import xgboost

from shadowtime import Workload, traces
from shadowtime.prediction import Jobs, XGBoost, evaluate, prepare
from shadowtime.prediction.features import Encoder
from shadowtime.prediction.rolling import Task, run
from shadowtime.prediction.splits import DAY, splits
from shadowtime.prediction.xgb import HYPERPARAMETERS, TREES


def overhead(
    workload: Workload, every: int, window_days: float, rounds: int
) -> tuple[float, float]:
    """Return the processor time of XGBoost alone and of the evaluation, in seconds, the best."""
    jobs = Jobs.from_workload(workload)
    days, by_end = splits(jobs, window_days=window_days)
    days, ended, submitted = days[::every], jobs.take(by_end), jobs.submitted()
    ready = []
    for day in days:
        history = ended.take(day.history)
        encoder = Encoder().fit(history)
        matrix, test = encoder.transform(history), encoder.transform(submitted.take(day.test))
        ready.append((matrix, history["runtime"], test))
    task = Task(range(len(days)), days, ended, submitted, {"xgboost": XGBoost()})
    alone, whole = [], []
    for _ in range(rounds):
        begun = process_time()
        for matrix, runtime, test in ready:
            model = xgboost.XGBRegressor(n_estimators=TREES, **HYPERPARAMETERS, n_jobs=1)
            model.fit(matrix, runtime).predict(test)
        between = process_time()
        run(task)
        alone.append(between - begun)
        whole.append(process_time() - between)
    return min(alone), min(whole)


def made(jobs: int) -> Workload:
    """Return a log of many jobs, of the size of Eagle's if there are seven million."""
    rng = np.random.default_rng(0)
    runtime = rng.integers(31, 86_400, size=jobs)
    return Workload(
        id=range(jobs),
        submit=np.sort(rng.integers(0, 1500 * DAY, size=jobs)),
        nodes=rng.integers(1, 100, size=jobs),
        estimate=2 * runtime,
        runtime=runtime,
        extra={
            "wait": [0] * jobs,
            "user": [f"user{number}" for number in rng.integers(0, 900, size=jobs).tolist()],
        },
    )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Measure rolling evaluation.")
    parser.add_argument("log", type=Path, nargs="?")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--window-days", type=float, default=100)
    parser.add_argument("--memory", type=int, metavar="JOBS")
    options = parser.parse_args(arguments)
    if options.memory:
        found = evaluate(prepare(made(options.memory)), ["request", "last2"])
        found.scores(), found.by_decile(), found.win_rates("last2", "request")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(f"{options.memory:,} jobs: {peak:.2f} GiB at most")
    if options.log is None:
        return
    workload = prepare(traces.read(options.log))
    alone, whole = overhead(workload, options.every, options.window_days, options.rounds)
    print(f"XGBRegressor alone {alone:.2f} s, evaluation {whole:.2f} s: x {whole / alone:.2f}")
    begun = perf_counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        found = evaluate(workload, window_days=options.window_days, executor=pool)
    seconds = perf_counter() - begun
    print(f"{len(found.start)} splits in {options.jobs} processes: {seconds:.1f} s of wall time")


if __name__ == "__main__":
    main()
