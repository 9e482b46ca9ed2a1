"""Write the teaching log: ``python -m shadowtime.synthesis teaching.swf.gz``."""

from __future__ import annotations

import argparse

from shadowtime import traces
from shadowtime.synthesis import teaching


def main() -> None:
    """Write the log to the file named on the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m shadowtime.synthesis",
        description="Write the teaching log, as it was made for the package.",
    )
    parser.add_argument("out", nargs="?", default="teaching.swf.gz", help="an SWF file")
    traces.write(teaching.make(), parser.parse_args().out)


if __name__ == "__main__":
    main()
