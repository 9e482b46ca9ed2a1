"""What holds for every command: help, one-line errors, exit status, closed pipes, interrupts."""

import importlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

COMMAND = [sys.executable, "-m", "shadowtime"]
COMMANDS = ("demo", "info", "simulate", "compare", "generate")
Run = Callable[..., Result]
Log = Callable[..., Path]


def test_help_names_every_command(run: Run) -> None:
    for arguments in ((), ("--help",)):
        result = run(*arguments)
        assert result.exit_code == 0
        assert all(f"  {command} " in result.stdout for command in COMMANDS)
        assert not result.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run: Run, command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"Usage: root {command}" in result.stdout


def test_version(run: Run) -> None:
    from shadowtime import __version__

    assert run("--version").stdout == f"shadowtime {__version__}\n"


@pytest.mark.parametrize(
    "arguments,message",
    [
        pytest.param("drive", "No such command 'drive'.", id="unknown command"),
        pytest.param("demo --slow", "No such option: --slow", id="unknown option"),
        pytest.param("simulate", "Missing argument 'TRACE'.", id="no trace"),
        pytest.param("simulate a b", "unexpected extra argument", id="two traces"),
        pytest.param("simulate LOG --policy lottery", "no policy 'lottery'; there", id="policy"),
        pytest.param("compare LOG --policies easy,", "no policy ''; there", id="empty policy"),
        pytest.param("simulate LOG --nodes 0", "'--nodes'", id="no nodes"),
        pytest.param("simulate LOG --nodes many", "'--nodes'", id="nodes in words"),
        pytest.param("simulate LOG --nodes 4", "job 3: nodes = 5", id="machine too small"),
        pytest.param("simulate LOG --overrun pause", "'--overrun'", id="overrun"),
        pytest.param("simulate LOG --engine steam", "'--engine'", id="engine"),
        pytest.param("simulate LOG --tau 0", "tau = 0", id="tau"),
        pytest.param("simulate LOG --tau nan", "tau = nan", id="tau not a number"),
        pytest.param("simulate LOG --limit 0", "'--limit'", id="limit"),
        pytest.param("simulate LOG --missing-estimate guess", "'--missing-estimate'", id="guess"),
        pytest.param("simulate LOG --explain 9", "no job 9", id="unknown job"),
        pytest.param(
            "simulate LOG --out no/such/a.csv", "no/such/a.csv: cannot be written", id="out"
        ),
        pytest.param("simulate LOG --out .", ".: cannot be written", id="out is a folder"),
        pytest.param("generate a.swf --jobs 5 --seed 1", "Missing option '--nodes'.", id="nodes"),
        pytest.param("generate a.swf --jobs 5 --seed 1 --nodes 0", "'--nodes'", id="zero nodes"),
        pytest.param("generate a.swf --jobs -5 --seed 1 --nodes 8", "'--jobs'", id="jobs"),
        pytest.param("generate a.swf --jobs 5 --seed -1 --nodes 8", "'--seed'", id="seed"),
        pytest.param("generate a.swf --jobs 5 --seed 1 --nodes 8 --load 0", "load", id="load"),
        pytest.param(
            "generate a.swf --jobs 5 --seed 1 --nodes 8 --variant x", "variant = 'x'", id="variant"
        ),
        pytest.param(
            "generate no/such/a.swf --jobs 5 --seed 1 --nodes 8", "no/such/a.swf", id="generate to"
        ),
        *(
            pytest.param(f"{command} nowhere.swf", "nowhere.swf: no such file", id=command)
            for command in ("info", "simulate", "compare")
        ),
        *(
            pytest.param(f"{command} .", ".: ", id=f"{command} a folder")
            for command in ("info", "simulate", "compare")
        ),
    ],
)
def test_a_problem_is_one_line_and_status_2(
    run: Run, small: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, message: str
) -> None:
    monkeypatch.chdir(small.parent)
    result = run(*arguments.replace("LOG", small.name).split())
    assert result.exit_code == 2
    assert result.stderr.startswith("shadowtime: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert not result.stdout


def test_a_problem_in_a_process_of_its_own() -> None:
    done = subprocess.run(
        [*COMMAND, "info", "nowhere"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("shadowtime: nowhere: no such file")
    assert done.stderr.count("\n") == 1
    assert not done.stdout


@pytest.mark.parametrize("arguments", ["demo", "demo --json", "--help"])
def test_a_closed_pipe_is_no_news(arguments: str) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        [*COMMAND, *arguments.split()],
        stdout=write_end,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write_end)
    assert done.returncode == 1
    assert not [line for line in done.stderr.splitlines() if not line.startswith("note: ")]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line_and_status_2(run: Run, small: Path) -> None:
    result = run("simulate", small, "--out", "/dev/full")
    assert result.exit_code == 2
    assert result.stderr == "shadowtime: /dev/full: cannot be written (No space left on device)\n"
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device, not a file
        done = subprocess.run(
            [*COMMAND, "demo", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "shadowtime: output: No space left on device\n"


def test_an_interrupt_exits_with_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(**_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("shadowtime.demo.table", interrupted)
    result = run("demo")
    assert result.exit_code == 130
    assert not result.stdout
    assert not result.stderr


def test_errors_of_the_program_itself_are_not_hidden(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_: object) -> None:
        raise KeyError("broken")

    monkeypatch.setattr("shadowtime.demo.table", broken)
    assert isinstance(run("demo").exception, KeyError)


def test_the_command_line_starts_light() -> None:
    """Help and the published table need neither numpy nor pandas, nor the engines around them."""
    code = (
        "import sys; from shadowtime.cli import app\n"
        "try: app(['demo', '--json'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'pandas', 'numba', 'matplotlib', 'altair', 'rich'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_entry_point_exists() -> None:
    assert callable(importlib.import_module("shadowtime.cli").main)
