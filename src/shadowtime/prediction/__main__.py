"""Write the teaching log's predictions: ``python -m shadowtime.prediction FILE``."""

from __future__ import annotations

import argparse
from pathlib import Path

from shadowtime.prediction import teaching


def main() -> None:
    """Write the predictions to the file named on the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m shadowtime.prediction",
        description="Write the predictions of the teaching log, as they were made for the package.",
    )
    parser.add_argument("out", nargs="?", default="teaching-predictions.csv.gz", type=Path)
    teaching.write(teaching.make(), parser.parse_args().out)


if __name__ == "__main__":
    main()
