"""The logs that this package knows: where they are, what they lack, whom to thank.

Those of the Parallel Workloads Archive are in :mod:`shadowtime.traces.archive`, the others in
:mod:`shadowtime.traces.elsewhere`. No log is part of this package. Whoever uses one thanks its
provider (:attr:`shadowtime.traces.entry.Entry.acknowledgement`).
"""

from __future__ import annotations

import re
from pathlib import PurePath

from shadowtime.errors import InputError
from shadowtime.traces import archive, elsewhere
from shadowtime.traces.entry import Entry

ENTRIES: tuple[Entry, ...] = (*archive.LOGS, *elsewhere.LOGS)

_BY_NAME = {entry.name: entry for entry in ENTRIES}
_PACKED = (".gz", ".bz2")
_PERIOD = re.compile(r"_\d{8}_\d{8}(?=\.|$)")
"""What follows the name where the owner offers one file for each period."""


def _key(filename: str) -> str:
    """Return what all names of a log have in common."""
    name = PurePath(filename).name.lower()
    for ending in _PACKED:
        name = name.removesuffix(ending)
    return _PERIOD.sub("", name).removesuffix(".swf")


_BY_FILE = {_key(file): entry for entry in ENTRIES for file in (entry.file, *entry.also)}


def names() -> list[str]:
    """Return the names of all logs in the catalog.

    Examples
    --------
    >>> names()[:3]
    ['kth-sp2', 'ctc-sp2', 'sdsc-sp2']
    """
    return list(_BY_NAME)


def entry(name: str) -> Entry:
    """Return the entry called `name`.

    Raises
    ------
    InputError
        If there is none.

    Examples
    --------
    >>> entry("kth-sp2").processors
    100
    """
    if found := _BY_NAME.get(name.lower()) or find(name):
        return found
    raise InputError(f"there is no log called {name!r}; there are teaching, {', '.join(names())}")


def find(filename: str) -> Entry | None:
    """Recognise a log by its file name, packed or not, whatever its folder and period.

    Examples
    --------
    >>> find("logs/KTH-SP2-1996-2.1-cln.swf").name
    'kth-sp2'
    >>> find("ANL-ALCF-DJC-MIRA_20180101_20180731.csv.gz").name
    'mira'
    >>> find("my.swf") is None
    True
    """
    return _BY_FILE.get(_key(filename))
