"""Hand-ins are run to their end whatever they do, and judged by the checks that were handed out."""

import csv
import re
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from typer.testing import CliRunner

from shadowtime.coursework import grade
from shadowtime.coursework.__main__ import app
from shadowtime.errors import InputError

RIGHT = "def f(wait, run, tau):\n    return max(1, (wait + run) / max(run, tau))"
Write = Callable[..., Path]


def graded(name: str, source: str, points: int) -> NotebookNode:
    mark = {"grade": True, "solution": False, "grade_id": name, "points": points, "locked": True}
    cell: NotebookNode = new_code_cell(source, metadata={"nbgrader": mark})
    return cell


def handin(answer: str, *, second: str = "g = 1", check: str | None = None) -> NotebookNode:
    """Return a hand-in with two exercises."""
    mark = {"grade": False, "solution": True, "grade_id": "first-answer", "locked": False}
    call = "from shadowtime import coursework\ncoursework.check('slowdown', f, seed=SEED)"
    notebook: NotebookNode = new_notebook(
        cells=[
            new_markdown_cell("Two exercises."),
            new_code_cell("SEED = 0", metadata={"tags": ["parameters"]}),
            new_code_cell(answer, metadata={"nbgrader": mark}),
            graded("first", call if check is None else check, 2),
            new_code_cell(second),
            graded("second", "assert g == 1, 'g is not 1'", 3),
        ]
    )
    return notebook


def outcome(notebook: NotebookNode, *, released: bool = True, timeout: int = 60) -> dict[str, str]:
    original = handin("raise NotImplementedError") if released else None
    found = grade.results("ada", notebook, original, timeout)
    assert all(result.holds is (not result.message) for result in found)
    assert all(result.student == "ada" for result in found)
    return {result.exercise: result.message for result in found}


def test_right_answers_hold() -> None:
    assert outcome(handin(RIGHT)) == {"first": "", "second": ""}


@pytest.mark.parametrize(
    "answer, message",
    [
        ("raise NotImplementedError", "no answer"),
        ("def f(wait, run, tau):\n    raise NotImplementedError", "no answer"),
        (
            "f = lambda wait, run, tau: 1",
            r"wait \d+, runtime \d+, tau \d+: your function returns 1 instead of .*",
        ),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("def f(:", "SyntaxError: invalid syntax.*"),
        ("", "NameError: name 'f' is not defined"),
        ("raise SystemExit", "SystemExit.*|NameError.*"),
        ("f = input()", "StdinNotImplementedError: .*"),
        ("while True: pass", "takes longer than 5 s"),
        ("while True: print('more')", "takes longer than 5 s"),
        ("f = lambda *values: f(*values)", "RecursionError: .*"),
        ("import os\nos._exit(1)", "ends the kernel"),
        (
            "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
            "takes longer than 5 s",
        ),
        ("def f(wait, run, tau):\n    while True: pass", "takes longer than 5 s"),
    ],
)
def test_a_wrong_answer_is_told_and_does_not_keep_others_from_being_checked(
    answer: str, message: str
) -> None:
    found = outcome(handin(answer), timeout=5 if "longer" in message else 60)
    assert found["second"] == ""
    assert re.fullmatch(message, found["first"]), found["first"]


def test_an_edited_check_is_put_back() -> None:
    edited = handin("f = 1", check="print('slowdown: holds')")
    assert outcome(edited, released=False)["first"] == ""
    assert outcome(edited)["first"].startswith("TypeError")


def test_an_emptied_check_holds_nothing() -> None:
    assert outcome(handin("f = 1", check=""), released=False)["first"] == "the check is empty"


def test_a_removed_check_is_put_back() -> None:
    short = handin(RIGHT, second="g = 2")
    short.cells = [cell for cell in short.cells if not grade._is_check(cell)]
    assert outcome(short) == {"first": "", "second": "AssertionError: g is not 1"}


def test_a_check_that_a_student_made_counts_for_nothing() -> None:
    more = handin("raise NotImplementedError")
    more.cells.append(graded("bonus", "pass", 100))
    more.cells.append(graded("first", "pass", 2))
    assert outcome(more) == {"first": "no answer", "second": ""}


def test_outputs_that_came_with_the_hand_in_count_for_nothing() -> None:
    forged = handin("f = 1", check="")
    forged.cells[3].execution_count = 3
    assert outcome(forged, released=False)["first"] == "the check is empty"


def test_a_hand_in_is_left_as_it_is() -> None:
    notebook = handin(RIGHT, check="pass")
    before = nbformat.writes(notebook)
    outcome(notebook)
    assert nbformat.writes(notebook) == before


def test_the_seed_of_a_notebook_can_be_set() -> None:
    notebook = handin(RIGHT)
    assert grade.with_seed(notebook, 7).cells[1].source == "SEED = 7"
    assert notebook.cells[1].source == "SEED = 0"
    with pytest.raises(InputError, match="no cell tagged 'parameters'"):
        grade.with_seed(new_notebook(), 7)


@pytest.mark.parametrize(
    "paths, names",
    [
        (["ada.ipynb"], ["ada"]),
        (["in/ada/nb.ipynb"], ["nb"]),
        (["in/ada/nb.ipynb", "in/bob/nb.ipynb"], ["ada", "bob"]),
        (["in/ada.ipynb", "in/bob.ipynb", "late/eve.ipynb"], ["in/ada", "in/bob", "late/eve"]),
        (["a/1.ipynb", "a/b/1.ipynb"], ["", "b"]),
    ],
)
def test_students_are_named_by_what_tells_paths_apart(paths: list[str], names: list[str]) -> None:
    assert grade.students([Path(path) for path in paths]) == names


@pytest.mark.parametrize(
    "text, message",
    [
        ("name,seed\nada,1\n", "line 2: it takes the columns student and seed"),
        ("student,seed\nada,one\n", "line 2: seed = 'one'"),
        ("student,seed\nada,1\nada,2\n", "line 3: ada comes twice"),
    ],
)
def test_a_bad_table_of_seeds_is_refused(tmp_path: Path, text: str, message: str) -> None:
    table = tmp_path / "seeds.csv"
    table.write_text(text)
    with pytest.raises(InputError, match=message):
        grade.seeds(table)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with hand-ins of three students, one of them no notebook, and what was released."""
    for student, answer in (("ada", RIGHT), ("bob", "raise NotImplementedError")):
        (tmp_path / student).mkdir()
        nbformat.write(handin(answer), tmp_path / student / "nb.ipynb")
    (tmp_path / "eve").mkdir()
    (tmp_path / "eve" / "nb.ipynb").write_text("{")
    nbformat.write(handin("raise NotImplementedError"), tmp_path / "released.ipynb")
    (tmp_path / "seeds.csv").write_text("student,seed\nada,1\nbob,2\neve,3\n")
    return tmp_path


def test_the_command_prints_a_table_and_writes_csv(folder: Path) -> None:
    handins = [str(folder / name / "nb.ipynb") for name in ("ada", "bob", "eve")]
    options = {"released": "released.ipynb", "seeds": "seeds.csv", "csv": "out.csv"}
    asked = [f"--{option}={folder / name}" for option, name in options.items()]
    result = CliRunner().invoke(app, ["check", *handins, *asked])
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[:4] == [
        ["student", "first", "second", "points"],
        ["ada", "holds", "holds", "5", "of", "5"],
        ["bob", "no", "answer", "holds", "3", "of", "5"],
        ["eve", "fails", "fails", "0", "of", "5"],
    ]
    assert "bob, first: no answer" in result.stdout
    assert f"eve, second: {folder}/eve/nb.ipynb is not a notebook" in result.stdout
    with (folder / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["student"], row["exercise"], row["points"], row["holds"]) for row in rows] == [
        ("ada", "first", "2", "True"),
        ("ada", "second", "3", "True"),
        ("bob", "first", "0", "False"),
        ("bob", "second", "3", "True"),
        ("eve", "first", "0", "False"),
        ("eve", "second", "0", "False"),
    ]


def test_variants_are_handed_out_and_checked_with_their_own_seeds(folder: Path) -> None:
    asked = ["hand-out", "released.ipynb", "seeds.csv", "out"]
    paths = [asked[0], *(str(folder / name) for name in asked[1:])]
    assert CliRunner().invoke(app, paths).exit_code == 0
    for student, seed in (("ada", 1), ("bob", 2), ("eve", 3)):
        variant = grade.read(folder / "out" / student / "released.ipynb")
        assert variant.cells[1].source == f"SEED = {seed}"
    again = CliRunner().invoke(app, paths)
    assert again.exit_code == 2
    assert "is there already" in again.stderr


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["check", "ada/nb.ipynb", "--seed", "1", "--seeds", "seeds.csv"], "--seed or --seeds"),
        (["check", "ada/nb.ipynb", "--released", "none.ipynb"], "No such file"),
        (["check", "ada/nb.ipynb", "--released", "eve/nb.ipynb"], "is not a notebook"),
        (["hand-out", "released.ipynb", "up.csv", "out"], "name that can be a folder's"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(folder)
    (folder / "up.csv").write_text("student,seed\n../ada,1\n")
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_without_nbclient_the_command_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "nbclient", None)
    monkeypatch.delitem(sys.modules, "shadowtime.coursework.grade")
    monkeypatch.delattr("shadowtime.coursework.grade")
    result = CliRunner().invoke(app, ["check", str(folder / "ada" / "nb.ipynb")])
    assert result.exit_code == 2
    assert "pip install 'shadowtime[coursework]'" in result.stderr
