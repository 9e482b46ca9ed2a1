"""The header of an SWF log: comment lines such as ``; MaxProcs: 100``, and what they say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

_ENTRY = re.compile(r"([A-Z]\w*)\s*:(?!//)\s*(.*)")
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+|\d{1,15}")
_NUMBERED = re.compile(r"(\d{1,15})\s*-?\s*(.*)")
_GAP = re.compile(r"\s{2,}")


def understand(comments: Iterable[str]) -> dict[str, str]:
    r"""Turn header comments into entries.

    Parameters
    ----------
    comments : iterable of str
        Lines that begin with ``;``.

    Returns
    -------
    dict of str to str
        One value a key, in the order of the log. A key that comes several times, such as
        ``Queue`` and ``Note``, and a text that runs over several lines have one line for each.
        Text that belongs to no key is kept under ``""``.

    Examples
    --------
    >>> understand(["; MaxProcs: 100", "; Note: cleaned,", ";       two flurries left out"])
    {'MaxProcs': '100', 'Note': 'cleaned,\ntwo flurries left out'}
    """
    entries: dict[str, list[str]] = {}
    key = ""
    for comment in comments:
        text = comment.strip().lstrip(";").strip()
        if not text:
            key = ""  # an empty comment ends an entry: what follows is not its continuation
            continue
        if entry := _ENTRY.fullmatch(text):
            key, text = entry.groups()
        entries.setdefault(key, []).append(text)
    return {key: "\n".join(lines) for key, lines in entries.items()}


def comments(header: Mapping[str, str]) -> Iterator[str]:
    r"""Yield the comment lines that :func:`understand` turns into `header`.

    Examples
    --------
    >>> list(comments({"MaxProcs": "100", "Queue": "0 interactive\n1 batch"}))
    ['; MaxProcs: 100', '; Queue: 0 interactive', '; Queue: 1 batch']
    """
    for text in header.get("", "").splitlines():
        yield f"; {text}"
    for key, value in header.items():
        if key:
            for text in value.split("\n"):
                yield f"; {key}: {text}".rstrip()


def number(header: Mapping[str, str], key: str) -> int | None:
    """Return the number that an entry begins with, or None if it has none.

    Examples
    --------
    >>> number({"MaxProcs": "1664 (72, 1368, 224)"}, "MaxProcs")
    1664
    >>> number({"MaxNodes": "-1"}, "MaxNodes") is None
    True
    """
    found = _NUMBER.match(header.get(key, ""))
    return int(found.group().replace(",", "")) if found else None


def names(header: Mapping[str, str], key: str) -> dict[int, str]:
    r"""Return the names that a header gives to the numbers of queues or partitions.

    What stands two spaces or more behind a name describes it, and is left out.

    Parameters
    ----------
    header : mapping of str to str
    key : {"Queue", "Partition"}

    Examples
    --------
    >>> names({"Queue": "0  interactive\n1  express  (p655 / 2hr)"}, "Queue")
    {0: 'interactive', 1: 'express'}
    """
    entries = map(_NUMBERED.match, header.get(key, "").splitlines())
    return {int(entry[1]): _GAP.split(entry[2].strip())[0] for entry in entries if entry}


def machine_size(header: Mapping[str, str]) -> tuple[int | None, str]:
    """Return the processors of the machine and a sentence if that needs one.

    ``MaxProcs`` counts, since SWF gives the size of jobs in processors; ``MaxNodes`` stands in
    for it. A size that is 0 or not a number is as good as missing.
    """
    processors = number(header, "MaxProcs") or None
    nodes = number(header, "MaxNodes") or None
    if processors is None and nodes is None:
        return None, "the header gives no machine size (MaxProcs or MaxNodes)"
    if processors is None:
        return nodes, f"the header has no MaxProcs: the machine size is MaxNodes = {nodes}"
    if nodes is not None and nodes != processors:
        return processors, (
            f"MaxProcs = {processors}, MaxNodes = {nodes}: jobs and machine are counted in"
            " processors"
        )
    return processors, ""
