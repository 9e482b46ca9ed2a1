"""What the commands print: tables and JSON on standard output, notes on standard error."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shadowtime.workload import Report

WIDE = 400
"""Columns that a table may take where the output is no terminal: it is never folded there."""


def table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, texts: int = 1
) -> None:
    """Print a table: the first columns are text, the others are figures.

    Parameters
    ----------
    title : str
        A line above the table, or nothing.
    columns : sequence of str
    rows : iterable of sequence of str
        As many cells as `columns`.
    texts : int
        How many of the columns are text.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    output = Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)
    grid = Table(box=None, pad_edge=False, header_style="bold")
    for place, column in enumerate(columns):
        grid.add_column(column, justify="right" if place >= texts else "left")
    for row in rows:
        grid.add_row(*map(Text, row))
    if title:
        output.print(Text(title))
    output.print(grid)


def figure(value: Any, digits: int = 2) -> str:
    """Write a figure for a table: thousands separated, a fraction to `digits` digits.

    Examples
    --------
    >>> figure(1234567), figure(1234.5), figure(None)
    ('1,234,567', '1,234.50', '-')
    """
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.{digits}f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def percent(share: float, digits: int = 1) -> str:
    """Write a share as a percentage.

    Examples
    --------
    >>> percent(0.79464)
    '79.5'
    """
    return figure(100 * share, digits)


def print_json(data: Mapping[str, Any]) -> None:
    """Print one JSON object; a figure that does not exist (NaN) becomes null."""
    print(json.dumps(_plain(data), indent=2, allow_nan=False))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def notes(report: Report) -> None:
    """Say on standard error what reading left out or noticed."""
    if report.dropped or report.notes:
        for line in str(report).splitlines():
            note(line)


def note(text: str) -> None:
    """Print one line on standard error."""
    print("note:", text, file=sys.stderr)


@contextmanager
def busy(doing: str) -> Iterator[None]:
    """Say on standard error what takes a while, as long as it takes, if somebody looks.

    Parameters
    ----------
    doing : str
        Such as ``"simulating easy"``.
    """
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{doing} ..."):
        yield
