"""Opening a table: CSV, Parquet or a pandas DataFrame, read a part at a time."""

from __future__ import annotations

import csv
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import compress
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from shadowtime.errors import InputError
from shadowtime.traces.rows import Rows
from shadowtime.traces.textfile import PARQUET, Source, first_bytes, name_of, open_log

if TYPE_CHECKING:
    import pandas as pd

Table: TypeAlias = "Source | pd.DataFrame"

Parts: TypeAlias = "Callable[[list[str]], Iterator[tuple[Sequence[int], pd.DataFrame]]]"


_PART = 200_000
_TOO_WIDE = re.compile(r"line (\d+): expected (\d+) fields, saw (\d+)")


def is_frame(source: Any) -> bool:
    """Tell whether `source` is a pandas table, without importing pandas."""
    return not isinstance(source, str | os.PathLike) and hasattr(source, "iloc")


def title(source: Table) -> str:
    """Return what messages call a table: the name of its file, or ``"table"``."""
    return "table" if is_frame(source) else name_of(cast("Source", source))


def header_of(head: bytes) -> list[str]:
    r"""Return the names in the first line of a CSV.

    Examples
    --------
    >>> header_of(b'job;"nodes"\r\n1;4\r\n')
    ['job', 'nodes']
    """
    lines = head.splitlines()
    text = lines[0].decode("utf-8", "backslashreplace") if lines else ""
    return [name.strip() for name in next(csv.reader([text], delimiter=_separator(text)), [])]


def first_line(source: Any) -> bytes:
    """Return the names of the columns as a line of CSV, leaving an open file where it stood."""
    place = source.tell() if hasattr(source, "tell") else None
    with ExitStack() as stack:
        names, _ = open_table(source, stack, None, Rows("table"))
    if place is not None:
        source.seek(place)
    return ",".join(f'"{name}"' for name in names).encode()


def _separator(line: str) -> str:
    return max(",;\t|", key=line.count)


def open_table(
    source: Any, stack: ExitStack, limit: int | None, rows: Rows
) -> tuple[list[str], Parts]:
    """Return the names of the columns, and what reads some of them a part at a time.

    Parameters
    ----------
    source : path, file open for reading, or pandas.DataFrame
    stack : ExitStack
        Closes what is opened here.
    limit : int or None
        Read this many rows at most.
    rows : Rows
        Where rows are refused that have more fields than there are columns.

    Returns
    -------
    names : list of str
    parts : callable
        Takes the names of the columns that are wanted, and yields the numbers of some rows, from
        1, and a pandas.DataFrame of them; all values of a CSV are texts.
    """
    if is_frame(source):
        return _open_frame(source, limit)
    if first_bytes(source, len(PARQUET)) == PARQUET:
        return _open_parquet(source, limit)
    return _open_csv(stack.enter_context(open_log(source)), limit, rows)


def _open_frame(frame: pd.DataFrame, limit: int | None) -> tuple[list[str], Parts]:
    whole = frame.set_axis(list(map(str, frame.columns)), axis=1).iloc[:limit]

    def parts(wanted: list[str]) -> Iterator[tuple[Sequence[int], pd.DataFrame]]:
        for begin in range(0, len(whole), _PART):
            part = whole[wanted].iloc[begin : begin + _PART]
            yield range(begin + 1, begin + 1 + len(part)), part

    return list(whole.columns), parts


def _open_parquet(source: Any, limit: int | None) -> tuple[list[str], Parts]:
    import pyarrow as pa
    from pyarrow import parquet

    def broken(error: Exception) -> InputError:
        reason = " ".join(str(error).split())
        return InputError(f"{name_of(source)}: the Parquet file is broken ({reason})")

    try:
        file = parquet.ParquetFile(source)
    except (pa.ArrowException, OSError) as error:
        raise broken(error) from None

    def parts(wanted: list[str]) -> Iterator[tuple[Sequence[int], pd.DataFrame]]:
        seen = 0
        try:
            for batch in file.iter_batches(_PART, columns=wanted):
                taken = batch if limit is None else batch.slice(0, limit - seen)
                yield range(seen + 1, seen + 1 + len(taken)), taken.to_pandas()
                seen += len(taken)
                if seen == limit:
                    return
        except (pa.ArrowException, OSError) as error:
            raise broken(error) from None

    return file.schema_arrow.names, parts


def _open_csv(stream: Any, limit: int | None, rows: Rows) -> tuple[list[str], Parts]:
    import pandas as pd

    head = stream.peek(1 << 16)
    names = header_of(head)

    def parts(wanted: list[str]) -> Iterator[tuple[Sequence[int], pd.DataFrame]]:
        # All columns are parsed: with some only, pandas passes over fields too many.
        table = pd.read_csv(
            stream,
            sep=_separator(head.splitlines()[0].decode("utf-8", "backslashreplace")),
            dtype=str,
            keep_default_na=False,
            na_values=[""],
            index_col=False,
            nrows=limit,
            chunksize=_PART,
            on_bad_lines="warn",
        )
        number = 1
        while True:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                part = next(table, None)
            skipped = _skipped(caught, rows)
            if part is None:
                return
            numbers: list[int] = []
            while len(numbers) < len(part):
                if number not in skipped:
                    numbers.append(number)
                number += 1
            numbers, part = _without_names(numbers, part, rows)
            yield numbers, part.set_axis(names, axis=1)[wanted]

    def guarded(wanted: list[str]) -> Iterator[tuple[Sequence[int], pd.DataFrame]]:
        try:
            yield from parts(wanted)
        except UnicodeDecodeError as error:
            raise InputError(
                f"{rows.name}: byte 0x{error.object[error.start]:02x} is not UTF-8; save the table"
                " as UTF-8, or give the DataFrame that pandas.read_csv(encoding=...) returns"
            ) from None
        except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
            reason = " ".join(str(error).split())
            raise InputError(f"{rows.name}: not a table that can be read ({reason})") from None

    return names, guarded


def _without_names(
    numbers: list[int], part: pd.DataFrame, rows: Rows
) -> tuple[list[int], pd.DataFrame]:
    """Pass over lines that repeat the names of the columns, as in files that were joined."""
    names = list(part.columns)
    again = part.iloc[:, 0] == names[0]
    if again.any():
        again &= (part == names).all(axis=1)
        for number in compress(numbers, again):
            rows.notice("lines that repeat the names of the columns", rows.where(number))
        return list(compress(numbers, ~again)), part[~again]
    return numbers, part


def _skipped(caught: Iterable[warnings.WarningMessage], rows: Rows) -> set[int]:
    """Refuse the rows that pandas warns of, and return their numbers."""
    skipped = set()
    for warning in caught:
        text = str(warning.message)
        found = _TOO_WIDE.findall(text)
        if not found:
            raise InputError(f"{rows.name}: not a table that can be read ({text.strip()})")
        for line, expected, saw in found:
            skipped.add(int(line) - 1)
            rows.refuse(
                int(line) - 1,
                None,
                "more fields than columns",
                f"{saw} fields for {expected} columns",
            )
    return skipped
