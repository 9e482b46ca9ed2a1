"""Running the command line in tests, and small logs for it to read."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from shadowtime.cli import app

Run = Callable[..., Result]
Log = Callable[..., Path]


@pytest.fixture
def run() -> Run:
    """Run ``shadowtime`` with the given arguments, inside this process."""
    return lambda *arguments: CliRunner().invoke(app, [*map(str, arguments)])


def job(
    name: object = 1,
    submit: object = 0,
    runtime: object = 10,
    nodes: object = 1,
    estimate: object = 20,
) -> str:
    """One line of SWF, with everything unknown that is not given."""
    return (
        f"{name} {submit} -1 {runtime} {nodes} -1 -1 {nodes} {estimate} -1 1 -1 -1 -1 -1 -1 -1 -1"
    )


@pytest.fixture
def log(tmp_path: Path) -> Log:
    """Write a log of the given lines, for a machine of 8 processors unless said otherwise."""

    def write(*lines: str, header: str = "; MaxProcs: 8", name: str = "log.swf") -> Path:
        path = tmp_path / name
        path.write_text("\n".join([header, *lines, ""]))
        return path

    return write


@pytest.fixture
def small(log: Log) -> Path:
    """Four jobs on 8 processors: under EASY job 4 passes the waiting job 3."""
    return log(
        job(1, 0, 40, 3, 40), job(2, 0, 100, 3, 100), job(3, 1, 10, 5, 10), job(4, 2, 10, 2, 10)
    )
