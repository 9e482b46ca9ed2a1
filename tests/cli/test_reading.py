"""Every command reads every format, and says in one line why it cannot."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from shadowtime import traces

Run = Callable[..., Result]

SACCT = """JobID|User|Partition|Submit|Start|End|Elapsed|NNodes|ReqCPUS|Timelimit|State
7|ann|short|2024-05-01T12:00:00|2024-05-01T12:00:05|2024-05-01T12:01:05|00:01:00|4|8|01:00:00|COMPLETED
7.batch|||2024-05-01T12:00:05|2024-05-01T12:00:05|2024-05-01T12:01:05|00:01:00|1|2||COMPLETED
8|bob|long|2024-05-01T12:00:10|Unknown|2024-05-01T12:01:05|00:00:00|4|8|01:00:00|CANCELLED by 5
"""
TABLE = "queued_at,n,limit,seconds\n2024-05-01 12:00:00,4,01:00:00,60\n"
OURS = "submit=queued_at,nodes=n,estimate=limit,runtime=seconds"


@pytest.fixture
def sacct(tmp_path: Path) -> Path:
    path = tmp_path / "jobs.txt"
    path.write_text(SACCT)
    return path


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    path = tmp_path / "jobs.csv"
    path.write_text(TABLE)
    return path


@pytest.mark.parametrize("command", ["info", "simulate", "compare"])
def test_every_command_reads_a_print_of_sacct(run: Run, sacct: Path, command: str) -> None:
    result = run(command, sacct, "--clean", "--nodes", 8, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["jobs"] == 1
    strict = run(command, sacct, "--nodes", 8)
    assert strict.exit_code == 2
    assert strict.stderr == (
        "shadowtime: jobs.txt line 4, job 8: Start = Unknown; pass clean=True (--clean) to drop"
        " such jobs\n"
    )


@pytest.mark.parametrize("command", ["info", "simulate", "compare"])
def test_every_command_reads_a_table_by_its_columns(run: Run, csv: Path, command: str) -> None:
    result = run(command, csv, "--columns", OURS, "--nodes", 8, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["jobs"] == 1


def test_zone_unit_and_columns_reach_the_reader(run: Run, sacct: Path) -> None:
    lines = SACCT.splitlines(keepends=True)
    sacct.write_text("".join(lines[1:]))
    names = lines[0].strip().replace("|", ",")
    options = ["--columns", names, "--clean", "--unit", "processors", "--zone", "Asia/Tokyo"]
    facts = json.loads(run("info", sacct, *options, "--json").stdout)
    assert facts["largest_job"] == 8
    assert facts["first_submit"] == "2024-05-01T03:00:00+00:00"


def test_convert_writes_what_info_tells_and_says_what_was_numbered(
    run: Run, sacct: Path, tmp_path: Path
) -> None:
    out = tmp_path / "jobs.swf.gz"
    result = run("convert", sacct, out, "--clean", "--nodes", 8)
    assert result.exit_code == 0
    assert result.stdout == f"{out}: 1 jobs\n"
    assert "note: user: 1 texts are numbered, see User\n" in result.stderr
    assert "note: columns that SWF does not have are left out: processors\n" in result.stderr
    (job,) = traces.read(out)
    assert (job.id, job.nodes, job.runtime) == (7, 4, 60)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "jobs.csv: the format is not recognised"),
        (["--columns", "submit=when"], "there is no column 'when' for submit; there are queued_at"),
        (["--columns", "submit=queued_at"], "no column is known to be nodes; there are queued_at"),
        (["--columns", "submit=queued_at,n"], "give ours=theirs for each, or names alone"),
        (["--columns", OURS, "--zone", "Mars"], "zone = 'Mars'; there is no such time zone"),
        (["--columns", OURS, "--unit", "processors"], "the format table takes no unit"),
        (["--columns", "a,b"], "jobs.csv: there is no column JobID; there are a, b"),
    ],
)
def test_what_is_wrong_with_a_table_is_one_line(
    run: Run, csv: Path, arguments: list[str], message: str
) -> None:
    for command in ("info", "simulate", "compare", "predict"):
        result = run(command, csv, *arguments)
        assert result.exit_code == 2
        assert result.stderr.startswith("shadowtime: ")
        assert message in result.stderr
        assert result.stderr.count("\n") == 1


def test_a_known_log_takes_no_options_of_other_formats(run: Run) -> None:
    result = run("info", "teaching", "--zone", "UTC")
    assert result.exit_code == 2
    assert result.stderr == "shadowtime: teaching.swf.gz: the format swf takes no zone\n"
