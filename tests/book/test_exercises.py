"""Students get the notebooks that the solutions make, and the solutions hold."""

import re
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from shadowtime.coursework import EXERCISES, grade
from tools.release_exercises import EXERCISES as HANDED_OUT
from tools.release_exercises import SOLUTIONS, STUB, release

NAMES = sorted(path.name for path in SOLUTIONS.glob("*.ipynb"))


def notebook(folder: Path, name: str) -> NotebookNode:
    return grade.read(folder / name)


def test_each_solution_has_a_student_notebook() -> None:
    assert sorted(path.name for path in HANDED_OUT.glob("*.ipynb")) == NAMES != []


@pytest.mark.parametrize("name", NAMES)
def test_student_notebooks_are_what_the_solutions_make(name: str) -> None:
    made = nbformat.writes(release(notebook(SOLUTIONS, name)))
    assert (HANDED_OUT / name).read_text(encoding="utf-8").rstrip() == made.rstrip(), (
        "run `make exercises`"
    )


@pytest.mark.parametrize("name", NAMES)
def test_student_notebooks_hold_no_answers_and_no_outputs(name: str) -> None:
    cells = notebook(HANDED_OUT, name).cells
    answers = [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("solution")]
    assert answers
    for cell in answers:
        stub = cell.source.replace("    ", "")
        assert stub.endswith(STUB if cell.cell_type == "code" else "*Your answer here.*")
    for cell in cells:
        assert "SOLUTION" not in cell.source
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@pytest.mark.parametrize("name", NAMES)
def test_students_may_change_answers_and_not_checks(name: str) -> None:
    for cell in notebook(HANDED_OUT, name).cells:
        mark = cell.metadata.get("nbgrader")
        if mark and not mark["solution"]:
            assert mark["locked"]
            assert cell.metadata["editable"] is cell.metadata["deletable"] is False
        else:
            assert cell.metadata.get("editable", True)


def test_each_check_stands_in_one_notebook_under_its_name() -> None:
    found: list[str] = []
    for name in NAMES:
        for cell in notebook(HANDED_OUT, name).cells:
            if grade._is_check(cell):
                called = re.fullmatch(
                    r'coursework\.check\("([\w-]+)", .+, seed=SEED\)', cell.source
                )
                assert called is not None, cell.source
                assert called[1] == cell.metadata.nbgrader.grade_id
                found.append(called[1])
    assert sorted(found) == sorted(EXERCISES)


@pytest.mark.parametrize("name", NAMES)
def test_solutions_hold_for_any_seed(name: str) -> None:
    solution = grade.with_seed(notebook(SOLUTIONS, name), 7)
    found = grade.results("solution", solution, notebook(HANDED_OUT, name))
    assert [result.message for result in found] == [""] * len(found)
    assert all(result.holds for result in found)


@pytest.mark.parametrize("name", NAMES)
def test_students_notebooks_run_up_to_the_missing_answers(name: str) -> None:
    student = notebook(HANDED_OUT, name)
    checks = grade.exercises(student)
    assert grade.run(student) == {}
    for cell in student.cells:
        error = grade._error(cell)
        mark = cell.metadata.get("nbgrader", {})
        if mark.get("grade_id") in checks or (mark.get("solution") and error):
            assert error is not None
            assert error[0] in {"NotImplementedError", "NameError"}
        else:
            assert error is None
    found = grade.results("nobody", notebook(HANDED_OUT, name))
    assert {result.exercise: result.points for result in found} == checks
    assert {result.message for result in found} == {"no answer"}


def test_the_page_of_exercises_lists_every_check() -> None:
    page = (HANDED_OUT / "index.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\| `([\w-]+)` \|", page)) == sorted(EXERCISES)
