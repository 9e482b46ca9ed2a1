"""Many lines of whole numbers at once, with numpy: for logs of millions of jobs."""

from __future__ import annotations

from array import array
from functools import cache
from types import ModuleType
from typing import Any

BLANK, DIGIT, MINUS, OTHER = range(4)


@cache
def numpy() -> ModuleType | None:
    """Return numpy, or None where it is not installed."""
    try:
        import numpy as np
    except ImportError:
        return None
    return np


@cache
def _kinds() -> Any:
    """Return what each byte is, shape (256,)."""
    import numpy as np

    kinds = np.full(256, OTHER, np.uint8)
    kinds[list(b" \t\r\n")] = BLANK
    kinds[list(b"0123456789")] = DIGIT
    kinds[ord("-")] = MINUS
    return kinds


def columns(text: bytes, lines: int, fields: int, limit: int) -> list[array[int]] | None:
    r"""Read lines that hold nothing but whole numbers, the same many in each.

    Parameters
    ----------
    text : bytes
        Lines, the last one ended too.
    lines, fields : int
        How many there are, and how many numbers in each.
    limit : int
        Numbers must be nearer to 0.

    Returns
    -------
    list of array of int, each of shape (lines,), or None
        None if the text is anything else, or numpy is not installed: a case for a closer look.

    Examples
    --------
    >>> columns(b"1 -1\n 25\t0\n", lines=2, fields=2, limit=100)
    [array('q', [1, 25]), array('q', [-1, 0])]
    >>> columns(b"1 -1\n 25\n", lines=2, fields=2, limit=100) is None
    True
    """
    np = numpy()
    if np is None:
        return None
    byte = np.frombuffer(text, np.uint8)
    kind = _kinds().take(byte)
    inside = kind > BLANK
    first = np.flatnonzero(inside[1:] > inside[:-1]) + 1
    if inside[0]:
        first = np.append(0, first)
    ends = np.flatnonzero(byte == ord("\n"))
    if kind.max() == OTHER or first.size != lines * fields or ends.size != lines:
        return None
    leading, closing = first[::fields], first[fields - 1 :: fields]
    if (closing > ends).any() or (leading[1:] < ends[:-1]).any():
        return None
    negative = first[kind[first] == MINUS]
    if negative.size != np.count_nonzero(kind == MINUS) or (kind[negative + 1] != DIGIT).any():
        return None
    numbers = np.fromstring(text, np.int64, sep=" ")
    if numbers.min() <= -limit or numbers.max() >= limit:
        return None
    table = numbers.reshape(lines, fields).T
    return [array("q", column.tobytes()) for column in table]
