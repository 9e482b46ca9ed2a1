"""Check hand-ins: run each notebook in a kernel of its own and see which checks hold.

Exercises are the cells that nbgrader calls autograded tests. Needs nbclient and ipykernel, the
extra ``shadowtime[coursework]``.

A hand-in is a program of somebody else, and here it runs with the rights of the caller. What is
done is against accidents: endless loops, dead kernels, checks that were edited.
"""

from __future__ import annotations

import copy
import csv
import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from shadowtime.errors import InputError

SEED = "parameters"
"""The tag of the cell that holds the seed; papermill knows the same."""

TIMEOUT = 60
"""Seconds that one cell may take."""


# What goes wrong in a hand-in is told by its results, and not once more by nbclient.
_SILENT = logging.getLogger(__name__)
_SILENT.addHandler(logging.NullHandler())
_SILENT.propagate = False


class Result(NamedTuple):
    """What came of one exercise of one hand-in."""

    student: str
    exercise: str
    points: int
    holds: bool
    message: str
    """Why it does not hold; empty where it does."""


def read(path: Path) -> NotebookNode:
    """Read a notebook.

    Parameters
    ----------
    path : Path

    Raises
    ------
    InputError
        If the file is not a notebook.
    OSError
        If it cannot be read.
    """
    try:
        notebook: NotebookNode = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
    except OSError:
        raise
    except Exception as error:
        raise InputError(f"{path} is not a notebook") from error
    return notebook


def _mark(cell: NotebookNode) -> Mapping[str, Any]:
    """Return what nbgrader noted about a cell."""
    mark: Mapping[str, Any] = cell.metadata.get("nbgrader", {})
    return mark


def _is_check(cell: NotebookNode) -> bool:
    mark = _mark(cell)
    return cell.cell_type == "code" and mark.get("grade", False) and not mark.get("solution", False)


def exercises(notebook: NotebookNode) -> dict[str, int]:
    """Return the exercises of a notebook that are checked by program, each with its points.

    Exercises for which somebody has to read an answer are not among them.
    """
    checks = (_mark(cell) for cell in notebook.cells if _is_check(cell))
    return {mark["grade_id"]: mark.get("points", 0) for mark in checks}


def with_seed(notebook: NotebookNode, seed: int) -> NotebookNode:
    """Return the notebook with another seed: other workloads, the same exercises.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        One cell of it is tagged ``parameters`` and reads ``SEED = 0``.
    seed : int

    Raises
    ------
    InputError
        If there is no such cell.
    """
    notebook = copy.deepcopy(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code" and SEED in cell.metadata.get("tags", []):
            cell.source = f"SEED = {seed}"
            return notebook
    raise InputError(f"the notebook has no cell tagged {SEED!r} for the seed")


def restored(handin: NotebookNode, released: NotebookNode) -> NotebookNode:
    """Return a hand-in with its checks as they were handed out, whatever has become of them.

    Parameters
    ----------
    handin, released : nbformat.NotebookNode

    Returns
    -------
    nbformat.NotebookNode
        The cells of the hand-in. Checks have their original text; those that were removed are put
        at the end, where they find the answers.
    """
    handin = copy.deepcopy(handin)
    checks = {_mark(cell)["grade_id"]: cell for cell in released.cells if _is_check(cell)}
    cells, seen = [], set()
    for cell in handin.cells:
        name = _mark(cell).get("grade_id")
        if name in checks and name not in seen:
            seen.add(name)
            cells.append(copy.deepcopy(checks[name]))
        elif not _is_check(cell):
            cells.append(cell)
    cells += [copy.deepcopy(cell) for name, cell in checks.items() if name not in seen]
    handin.cells = cells
    return handin


def run(notebook: NotebookNode, timeout: int = TIMEOUT) -> dict[int, str]:
    """Run a notebook in place, to its end, whatever its cells do.

    After an error the run goes on. A cell that hangs or ends the kernel is emptied, and all is run
    again without it.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        Gets the outputs.
    timeout : int
        Seconds that one cell may take.

    Returns
    -------
    dict of int to str
        What happened to each cell that did not come to an end, by its place.
    """
    stuck: dict[int, str] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            cell.metadata.pop("execution", None)
    while True:
        place = 0

        def follow(*, cell_index: int, **_: Any) -> None:
            nonlocal place
            place = cell_index

        with TemporaryDirectory() as folder:
            client = NotebookClient(
                notebook,
                timeout=timeout,
                allow_errors=True,
                coalesce_streams=True,
                kernel_name="python3",
                extra_arguments=["--log-level=ERROR"],
                log=_SILENT,
                on_cell_start=follow,
                shutdown_kernel="immediate",
                resources={"metadata": {"path": folder}},
            )
            try:
                client.execute()
            except CellTimeoutError:
                stuck[place] = f"takes longer than {timeout} s"
            except DeadKernelError:
                stuck[place] = "ends the kernel"
            else:
                return stuck
        notebook.cells[place].source = ""


def _error(cell: NotebookNode) -> tuple[str, str] | None:
    """Return name and first line of the error that a cell raised."""
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            return output.ename, (output.evalue.splitlines() or [""])[0]
    return None


def results(
    student: str, handin: NotebookNode, released: NotebookNode | None = None, timeout: int = TIMEOUT
) -> list[Result]:
    """Run a hand-in and tell exercise by exercise what came of it.

    Parameters
    ----------
    student : str
    handin : nbformat.NotebookNode
        It is left as it is.
    released : nbformat.NotebookNode, optional
        The notebook that was handed out: its checks are used then.
    timeout : int
        Seconds that one cell may take.
    """
    notebook = restored(handin, released) if released else copy.deepcopy(handin)
    stuck = run(notebook, timeout)
    found, before = [], ""
    for place, cell in enumerate(notebook.cells):
        trouble = stuck.get(place, "")
        if not trouble and (error := _error(cell)):
            name, text = error
            if name == "NotImplementedError":
                trouble = "no answer"
            elif name == "CheckFailed":
                trouble = text
            elif name == "NameError" and before:
                trouble = before
            else:
                trouble = f"{name}: {text}".removesuffix(": ")
        if not _is_check(cell):
            # An answer that failed to run is why its check finds nothing.
            before = trouble if cell.cell_type == "code" else before
            continue
        ran = cell.execution_count is not None
        if not ran and not trouble:
            trouble = "the check is empty"
        mark = _mark(cell)
        found.append(Result(student, mark["grade_id"], mark.get("points", 0), not trouble, trouble))
        before = ""
    return found


def students(paths: Sequence[Path]) -> list[str]:
    """Name hand-ins by what tells their paths apart.

    Parameters
    ----------
    paths : sequence of Path

    Returns
    -------
    list of str
        As many names as paths.

    Examples
    --------
    >>> students([Path("in/ada/01/fifo.ipynb"), Path("in/bob/01/fifo.ipynb")])
    ['ada', 'bob']
    >>> students([Path("in/ada.ipynb"), Path("in/bob.ipynb")])
    ['ada', 'bob']
    """
    parts = [path.with_suffix("").parts for path in paths]
    if len(set(parts)) < 2:
        return [path.stem for path in paths]
    front = back = 0
    while len({one[: front + 1] for one in parts}) == 1:
        front += 1
    while len({one[len(one) - back - 1 :] for one in parts}) == 1:
        back += 1
    return ["/".join(one[front : len(one) - back]) for one in parts]


def seeds(path: Path) -> dict[str, int]:
    """Read a table of seeds: a CSV file with the columns ``student`` and ``seed``.

    Raises
    ------
    InputError
        If a column is missing, a seed is no whole number or a student comes twice.
    """
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    table: dict[str, int] = {}
    for line, row in enumerate(rows, 2):
        student, seed = row.get("student"), row.get("seed")
        if student is None or seed is None:
            raise InputError(f"{path} line {line}: it takes the columns student and seed")
        if student in table:
            raise InputError(f"{path} line {line}: {student} comes twice")
        try:
            table[student] = int(seed)
        except ValueError:
            raise InputError(f"{path} line {line}: seed = {seed!r}") from None
    return table


def check_all(
    paths: Sequence[Path],
    *,
    released: NotebookNode | None = None,
    seed: int | Mapping[str, int] | None = None,
    timeout: int = TIMEOUT,
) -> Iterator[list[Result]]:
    """Check hand-ins, one after the other.

    Parameters
    ----------
    paths : sequence of Path
    released : nbformat.NotebookNode, optional
        The notebook that was handed out.
    seed : int or mapping of str to int, optional
        One for all, or one for each student; by default the one that stands in the hand-in.
    timeout : int
        Seconds that one cell may take.

    Yields
    ------
    list of Result
        Of one hand-in. One that cannot be run has one result for each exercise of `released`, or
        one alone.
    """
    for student, path in zip(students(paths), paths, strict=True):
        try:
            handin = read(path)
            if seed is not None:
                handin = with_seed(handin, seed if isinstance(seed, int) else _of(student, seed))
        except InputError as error:
            yield _refused(student, released, str(error))
            continue
        yield results(student, handin, released, timeout) or _refused(
            student, released, "there are no exercises in it"
        )


def _of(student: str, table: Mapping[str, int]) -> int:
    if student not in table:
        raise InputError(f"there is no seed for {student}")
    return table[student]


def _refused(student: str, released: NotebookNode | None, why: str) -> list[Result]:
    """Return the results of a hand-in that cannot be run."""
    names = exercises(released) if released else {"-": 0}
    return [Result(student, name, points, False, why) for name, points in names.items()]
