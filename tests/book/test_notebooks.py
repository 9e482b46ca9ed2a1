"""Notebooks are committed as they come out of a fresh run, without traces of a machine."""

import re
from pathlib import Path

import pytest

from tests.book.notebooks import CHAPTERS, CHECKED, ROOT, SOLUTIONS, STUDENTS, cells, shown, tags

RUN = [*CHAPTERS, *SOLUTIONS]
MACHINE = re.compile(r"(?<![\w.])(/(home|root|work|tmp|Users|mnt|opt)/|[A-Z]:\\\\?\w)")


def each(paths: list[Path]) -> pytest.MarkDecorator:
    names = [str(path.relative_to(ROOT)) for path in paths]
    return pytest.mark.parametrize("path", paths, ids=names)


def test_there_are_notebooks() -> None:
    assert CHAPTERS
    assert [path.name for path in SOLUTIONS] == [path.name for path in STUDENTS] != []


@each(RUN)
def test_all_cells_were_run_once_and_in_order(path: Path) -> None:
    code = cells(path)
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))


@each(RUN)
def test_nothing_went_wrong(path: Path) -> None:
    for cell in cells(path):
        for output in cell.outputs:
            assert output.output_type != "error", cell.source
            assert output.get("name") != "stderr", cell.source


@each(RUN)
def test_what_is_compared_is_there(path: Path) -> None:
    for cell in cells(path):
        if CHECKED in tags(cell):
            assert cell.outputs, cell.source


@each(CHAPTERS)
def test_each_chapter_has_outputs_to_compare(path: Path) -> None:
    assert any(CHECKED in tags(cell) for cell in cells(path))


@each([*RUN, *STUDENTS])
def test_nothing_tells_of_the_machine_it_ran_on(path: Path) -> None:
    for cell in cells(path) + cells(path, "markdown"):
        for text in (cell.source, *shown(cell)):
            assert not MACHINE.search(text), text
        assert "execution" not in cell.metadata, cell.source


@each([*RUN, *STUDENTS])
def test_no_mark_of_the_writer_is_left(path: Path) -> None:
    for cell in cells(path, "markdown"):
        assert not re.search(r"\b(TODO|FIXME|TBD|XXX|PROSE_\w+|EXERCISES)\b", cell.source)
