"""``python -m shadowtime.coursework``: hand out exercises, and check what is handed in."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shadowtime.cli import OneLine, console
from shadowtime.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from shadowtime.coursework.grade import Result

app = typer.Typer(
    cls=OneLine, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None
)


@app.callback(no_args_is_help=True)
def _coursework() -> None:
    """Hand out the exercises of the book, and check what is handed in."""


@app.command()
def check(
    handins: Annotated[list[Path], typer.Argument(metavar="NOTEBOOK...", help="The hand-ins.")],
    *,
    released: Annotated[
        Path | None, typer.Option(help="The notebook that was handed out: its checks are used.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="The seed for all; by default each hand-in has its own.")
    ] = None,
    seeds: Annotated[
        Path | None, typer.Option(help="A CSV file of seeds, with the columns student and seed.")
    ] = None,
    timeout: Annotated[int, typer.Option(min=1, help="Seconds that one cell may take.")] = 60,
    output: Annotated[
        Path | None, typer.Option("--csv", help="Write student, exercise, points, ... here.")
    ] = None,
) -> None:
    """Run hand-ins, and print which exercises hold. Their code runs with your rights."""
    grade = _grade()
    if seed is not None and seeds is not None:
        raise InputError("give --seed or --seeds, not both")
    original = grade.read(released) if released else None
    chosen = grade.seeds(seeds) if seeds else seed
    found: list[Result] = []
    rounds = grade.check_all(handins, released=original, seed=chosen, timeout=timeout)
    for number in range(len(handins)):
        with console.busy(f"running {handins[number]} ({number + 1} of {len(handins)})"):
            found += next(rounds)
    _show(found)
    if output:
        with output.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("student", "exercise", "points", "of", "holds", "message"))
            writer.writerows(
                (r.student, r.exercise, r.points if r.holds else 0, r.points, r.holds, r.message)
                for r in found
            )


def _show(found: Sequence[Result]) -> None:
    names = list(dict.fromkeys(result.exercise for result in found))
    rows: dict[str, dict[str, Result]] = {}
    for result in found:
        rows.setdefault(result.student, {})[result.exercise] = result
    table = []
    for student, row in rows.items():
        got = sum(result.points for result in row.values() if result.holds)
        most = sum(result.points for result in row.values())
        table.append((student, *(_word(row.get(name)) for name in names), f"{got} of {most}"))
    console.table("", ("student", *names, "points"), table)
    for result in found:
        if not result.holds:
            print(f"{result.student}, {result.exercise}: {result.message}")


def _word(result: Result | None) -> str:
    if result is None:
        return "-"
    if result.holds:
        return "holds"
    return "no answer" if result.message == "no answer" else "fails"


@app.command("hand-out")
def hand_out(
    notebook: Annotated[Path, typer.Argument(help="The notebook to hand out.")],
    seeds: Annotated[Path, typer.Argument(help="A CSV file: the columns student and seed.")],
    folder: Annotated[Path, typer.Argument(help="Where the variants go: FOLDER/STUDENT/NAME.")],
) -> None:
    """Write a variant of a notebook for each student, with a seed of its own."""
    import nbformat

    grade = _grade()
    original, table = grade.read(notebook), grade.seeds(seeds)
    for student, seed in table.items():
        target = folder / student / notebook.name
        if not target.resolve().is_relative_to(folder.resolve()):
            raise InputError(f"student = {student!r}; it takes a name that can be a folder's")
        if target.exists():
            raise InputError(f"{target} is there already")
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(grade.with_seed(original, seed), target)
    console.note(f"{len(table)} notebooks written to {folder}")


def _grade() -> ModuleType:
    """Import what needs nbclient."""
    try:
        from shadowtime.coursework import grade
    except ImportError as error:
        raise InputError(f"{error.name} is missing: pip install 'shadowtime[coursework]'") from None
    return grade


if __name__ == "__main__":
    app(prog_name="python -m shadowtime.coursework")
