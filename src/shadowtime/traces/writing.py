"""A workload of any origin as a log in the Standard Workload Format."""

from __future__ import annotations

import gzip
import math
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any

from shadowtime.errors import InputError
from shadowtime.traces import header as headers
from shadowtime.traces.records import EXTRA, FIELDS
from shadowtime.traces.surveys import UNIX_SECONDS
from shadowtime.workload import NUMERIC, Workload

STATUS = {
    "COMPLETED": 1,
    "REQUEUED": 2,  # a part of a job that goes on later
    "CANCELLED": 5, "PREEMPTED": 5,
    "FAILED": 0, "TIMEOUT": 0, "NODE_FAIL": 0, "OUT_OF_MEMORY": 0, "BOOT_FAIL": 0, "DEADLINE": 0,
}  # fmt: skip
"""SWF's numbers for states in Slurm's words."""


def write(workload: Workload, path: str | os.PathLike[str]) -> list[str]:
    """Write a workload as SWF, packed if the name ends in ``.gz``.

    What :func:`shadowtime.traces.swf.read` gives back is equal: jobs, extra columns that SWF has,
    machine size, header. ``MaxJobs``, ``MaxRecords`` and ``MaxProcs`` are set to what is written.
    Where the log's own allocation is unknown the size stands for it.

    SWF has numbers only. States in words become SWF's numbers, and other texts are numbered in the
    order in which they first come: entries ``User``, ``Queue`` and so on of the header say which
    number is which. A ``Note`` there says what was numbered, and what was left out because SWF has
    no field for it. The same workload always gives the same bytes.

    Parameters
    ----------
    workload : Workload
    path : path
        An existing file is replaced.

    Returns
    -------
    list of str
        What the log cannot say as the workload does, one sentence each, as in the ``Note``.

    Raises
    ------
    InputError
        If a submit time is negative, which SWF takes for unknown; if the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from shadowtime.workload import Job
    >>> jobs = [Job(id=1, submit=0, nodes=4, estimate=90, runtime=60, user="ann")]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     notes = write(Workload.from_jobs(jobs, machine_nodes=8), f"{folder}/log.swf")
    ...     print(Path(folder, "log.swf").read_text())
    ; Version: 2.2
    ; MaxJobs: 1
    ; MaxRecords: 1
    ; MaxProcs: 8
    ; User: 1 ann
    ; Note: user: 1 texts are numbered, see User
    1 0 -1 60 4 -1 -1 4 90 -1 -1 1 -1 -1 -1 -1 -1 -1
    <BLANKLINE>
    """
    if len(workload) and (first := min(workload.submit)) < 0:
        raise InputError(f"SWF has no submit times before 0; the first is {first}")
    header = {"Version": "2.2"} | workload.header
    header |= {"MaxJobs": str(len(workload)), "MaxRecords": str(len(workload))}
    size = workload.machine_nodes
    if size is not None and headers.machine_size(header)[0] != size:
        header["MaxProcs"] = str(size)
    if len(workload) and first >= UNIX_SECONDS:
        header.setdefault("UnixStartTime", "0")
    written, notes = _written(workload, header)
    if notes:
        header["Note"] = "\n".join([*header.get("Note", "").splitlines(), *notes])
    columns = dict.fromkeys(FIELDS, repeat(-1)) | written
    lines = zip(*(columns[field] for field in FIELDS), strict=False)
    text = "".join(f"{line}\n" for line in headers.comments(header))
    text += "".join(" ".join(map(str, line)) + "\n" for line in lines)
    data = text.encode("utf-8", "backslashreplace")
    try:
        # Without a time stamp the same workload gives the same file.
        packed = str(path).endswith(".gz")
        Path(path).write_bytes(gzip.compress(data, mtime=0) if packed else data)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from None
    return notes


def _written(
    workload: Workload, header: dict[str, str]
) -> tuple[dict[str, Iterable[Any]], list[str]]:
    """Return the columns of a workload as SWF writes them, and what is to be said of that.

    The names that texts stand for go to `header`.
    """
    notes: list[str] = []
    columns: dict[str, Iterable[Any]] = {
        key: map(_plain, getattr(workload, key)) for key in NUMERIC
    }
    columns["allocated"] = map(_plain, workload.nodes)
    for key in EXTRA:
        if key not in workload.extra:
            continue
        values = workload.extra[key]
        if key == "status":
            values = _states(values, notes)
        columns[key], texts = _as_numbers(values)
        if texts:
            title = key.capitalize()
            header[title] = "\n".join(
                f"{number} {_one_line(text)}" for text, number in texts.items()
            )
            notes.append(f"{key}: {len(texts):,} texts are numbered, see {title}")
    ids, texts = _as_numbers(workload.id)
    if texts or min(ids, default=0) < 0:
        ids = list(range(1, len(workload) + 1))
        notes.append(f"job numbers: {len(ids):,} that are not all numbers are counted from 1")
    columns["id"] = ids
    if lost := [key for key in workload.extra if key not in EXTRA]:
        notes.append(f"columns that SWF does not have are left out: {', '.join(lost)}")
    return columns, notes


def _states(values: Sequence[Any], notes: list[str]) -> Sequence[Any]:
    """Return states as SWF numbers them."""
    words = Counter(value for value in values if isinstance(value, str))
    if not words:
        return values
    codes = {word: STATUS.get(word.split(" ")[0].rstrip("+"), -1) for word in words}
    told = ", ".join(f"{word} {codes[word]} ({jobs:,})" for word, jobs in words.most_common())
    notes.append(f"status: words are SWF's numbers: {told}")
    return [codes.get(value, value) for value in values]


def _as_numbers(values: Sequence[Any]) -> tuple[list[Any], dict[str, int]]:
    """Return `values` as numbers, -1 where unknown, and the number given to each text."""
    if not any(isinstance(value, str) for value in values):
        return [-1 if value is None else _plain(value) for value in values], {}
    texts: dict[str, int] = {}
    for value in values:
        if value is not None:
            texts.setdefault(str(value), len(texts) + 1)
    return [-1 if value is None else texts[str(value)] for value in values], texts


def _one_line(text: str) -> str:
    """Return a name as it can stand behind its number."""
    name = " ".join(text.split())
    return f"- {name}" if name.startswith("-") else name  # a dash belongs to the number


def _plain(value: Any) -> int | float:
    """Return a number, of numpy too, as one of Python that is whole if it can be."""
    number = float(value)
    if math.isnan(number):  # NaN is how tables say unknown
        return -1
    return int(value) if number.is_integer() else number
