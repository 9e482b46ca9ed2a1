"""The notebooks of the book, for the tests in this folder."""

from pathlib import Path

from nbformat import NotebookNode

from shadowtime.coursework import grade

ROOT = Path(__file__).parents[2]
CHAPTERS = sorted((ROOT / "book").glob("*.ipynb"))
SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))
STUDENTS = sorted((ROOT / "book" / "exercises").glob("*.ipynb"))
CHECKED = "nbval-check-output"
"""The tag of cells whose output `make test` compares."""


def cells(path: Path, kind: str = "code") -> list[NotebookNode]:
    """Return the cells of one kind."""
    return [cell for cell in grade.read(path).cells if cell.cell_type == kind]


def tags(cell: NotebookNode) -> list[str]:
    """Return the tags of a cell."""
    found: list[str] = cell.metadata.get("tags", [])
    return found


def shown(cell: NotebookNode) -> list[str]:
    """Return the texts that a cell printed or displayed; images are left out."""
    texts = []
    for output in cell.get("outputs", []):
        texts.append(output.get("text", ""))
        data = output.get("data", {})
        texts += [data[kind] for kind in data if kind.startswith("text/")]
    return texts
