"""Measure all that the book's table of speeds shows, and keep it as its record.

python -m benchmarks FOLDER_OF_LOGS [--html _build/html] [--record book/records/benchmarks.json]
"""

import argparse
from pathlib import Path

from benchmarks import kernels, redraw, sweep
from benchmarks.figures import write


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure everything.")
    parser.add_argument("logs", type=Path, help="folder with the archive's logs")
    parser.add_argument("--html", type=Path, default=Path("_build/html"), help="the built book")
    parser.add_argument("--record", type=Path, default=Path("book/records/benchmarks.json"))
    given = parser.parse_args()
    figures = [
        *kernels.main([str(given.logs)]),
        *sweep.main([]),
        *redraw.main([str(given.logs / kernels.KTH), "--html", str(given.html)]),
    ]
    write(figures, given.record)


if __name__ == "__main__":
    main()
