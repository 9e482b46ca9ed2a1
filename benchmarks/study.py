"""Do the study of runtime prediction on public logs, and write its tables for the book.

    python benchmarks/study.py [LOG ...] [--out book/records/study] [--jobs N]

LOG is a name of the catalog; by default the eight logs that have users, requests and a year's
length or nearly, small ones first. Each log's tables go to a folder of its name as soon as they are
there, with versions, seed and what was left out in study.json beside them; shadowtime.study.load
reads them together. It takes an hour and goes on where it was interrupted: what is done is kept in
--state. Windows of Mira are weeks long: --window-days 5 leaves some days to predict.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from shadowtime import study, traces

LOGS = (
    "kth-sp2", "sdsc-sp2", "ctc-sp2", "lanl-cm5", "sdsc-ds", "hpc2n", "sdsc-blue", "cea-curie",
)  # fmt: skip

MIN_JOBS = 500
"""Partitions with fewer jobs say little about a policy."""


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Do the study on public logs.")
    parser.add_argument("logs", nargs="*", default=LOGS)
    parser.add_argument("--out", type=Path, default=Path("book/records/study"))
    parser.add_argument("--state", type=Path, default=Path("_build/study"))
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--window-days", type=float, default=100)
    parser.add_argument("--min-jobs", type=int, default=MIN_JOBS)
    options = parser.parse_args(arguments)
    with ProcessPoolExecutor(options.jobs) as pool:
        for name in options.logs:
            found = study.run(
                [traces.load(name)],
                window_days=options.window_days,
                min_jobs=options.min_jobs,
                executor=pool,
                folder=options.state,
            )
            for file in found.save(options.out / name, figures=False):
                print(file, flush=True)


if __name__ == "__main__":
    main()
