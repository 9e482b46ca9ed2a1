"""Make the student notebooks of book/exercises from the solutions.

The solutions are the source: edit `solutions/NAME.ipynb` in Jupyter, run all its cells, save, and
run ``make exercises``. Between ``### BEGIN SOLUTION`` and ``### END SOLUTION`` an answer is cut out
and a stub put in its place; written answers go as a whole. It is nbgrader that does this, by the
metadata that it keeps in cells, so the files can be handed to nbgrader as they are.
"""

from __future__ import annotations

import copy
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    LockCells,
)

ROOT = Path(__file__).resolve().parents[1]
SOLUTIONS = ROOT / "solutions"
EXERCISES = ROOT / "book" / "exercises"
STUB = "# Your answer here\nraise NotImplementedError"


def release(solution: NotebookNode) -> NotebookNode:
    """Return the student's version of a solution notebook.

    Parameters
    ----------
    solution : nbformat.NotebookNode
        Its answer cells mark what is to be cut out. It is left as it is.

    Returns
    -------
    nbformat.NotebookNode
        Without answers and outputs; checks are locked.

    Raises
    ------
    nbgrader.preprocessors.checkcellmetadata.ValidationError
        If the metadata of a cell is incomplete.
    """
    student = copy.deepcopy(solution)
    for step in (
        CheckCellMetadata(),
        LockCells(),
        ClearSolutions(code_stub={"python": STUB}, text_stub="*Your answer here.*"),
        ClearOutput(),
        ComputeChecksums(),
    ):
        student, _ = step.preprocess(student, {})
    return student


def main() -> None:
    """Write all student notebooks."""
    EXERCISES.mkdir(exist_ok=True)
    for path in sorted(SOLUTIONS.glob("*.ipynb")):
        nbformat.write(release(nbformat.read(path, as_version=4)), EXERCISES / path.name)


if __name__ == "__main__":
    main()
