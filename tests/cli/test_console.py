"""Figures, tables, notes and JSON as they are printed."""

import json

import pytest

from shadowtime.cli import console
from shadowtime.workload import Report


def test_json_has_null_where_there_is_no_figure(capsys: pytest.CaptureFixture[str]) -> None:
    data = {"a": float("nan"), "b": [float("inf"), 1.5], "c": {1: None}, "d": (1, "x")}
    console.print_json(data)
    assert json.loads(capsys.readouterr().out) == {
        "a": None,
        "b": [None, 1.5],
        "c": {"1": None},
        "d": [1, "x"],
    }


def test_a_table_is_not_folded_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"column {number}" for number in range(30)]
    console.table("wide", names, [["[bold]cell", *names[1:]]])
    title, heading, row = capsys.readouterr().out.splitlines()
    assert title == "wide"
    assert heading.split() == " ".join(names).split()
    assert row.startswith("[bold]cell  ")


def test_notes_say_what_was_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report(source="log.swf", records=3, kept=2)
    console.notes(report)
    assert capsys.readouterr() == ("", "")
    report.drop("run time unknown (-1)", "log.swf line 2, job 1: runtime = -1")
    console.notes(report)
    out, err = capsys.readouterr()
    assert not out
    assert err.splitlines() == [
        "note: log.swf: 3 jobs found, 2 kept",
        "note: left out, run time unknown (-1): 1 (first: log.swf line 2, job 1: runtime = -1)",
    ]


def test_progress_is_silent_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    with console.busy("simulating easy"):
        pass
    assert capsys.readouterr() == ("", "")
