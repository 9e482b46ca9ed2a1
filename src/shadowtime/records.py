"""Results on logs that cannot be shipped.

The chapters replay real logs, which are neither part of this package nor on every reader's
machine. What a replay returned when the book was made is kept as a *record*, a small JSON file
with the checksum of the log and the versions that made it. Where the log is at hand, the replay is
computed again and has to agree with its record; where it is not, the record stands for it.
"""

from __future__ import annotations

import json
import math
import os
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

from shadowtime import __version__
from shadowtime.errors import InputError
from shadowtime.traces import catalog, fetch, load
from shadowtime.workload import Workload

RENEW = "SHADOWTIME_RENEW_RECORDS"
"""Environment variable: set, records are written anew instead of compared with."""


def replayed(
    log: str,
    compute: Callable[[Workload], Any],
    record: str | os.PathLike[str],
    *,
    tolerance: float = 1e-9,
) -> Any:
    """Compute something on a log, or recall what came of it if the log is not here.

    Parameters
    ----------
    log : str
        Name in :mod:`shadowtime.traces.catalog`.
    compute : callable
        From the workload to JSON values: numbers, texts, lists, dicts with texts as keys.
    record : path
        JSON file that holds the result.
    tolerance : float
        Relative difference up to which two numbers agree.

    Returns
    -------
    object
        What `compute` returns.

    Raises
    ------
    InputError
        If the log is not here and there is no record, or if the result differs from the record.
    """
    path = Path(record)
    if fetch.find(log) is None:
        if not path.is_file():
            raise InputError(f"neither the log {log} nor the record {path} is here")
        return json.loads(path.read_text("utf-8"))["result"]
    result = json.loads(json.dumps(compute(load(log))))
    if os.environ.get(RENEW) or not path.is_file():
        _write(path, log, result)
        return result
    place = _difference(json.loads(path.read_text("utf-8"))["result"], result, tolerance)
    if place:
        raise InputError(f"{path.name}: {place}; if the change is meant, run again with {RENEW}=1")
    return result


def _write(path: Path, log: str, result: Any) -> None:
    content = {
        "log": log,
        "sha256": catalog.entry(log).sha256,
        "shadowtime": __version__,
        "python": platform.python_version(),
        "result": result,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def _difference(old: Any, new: Any, tolerance: float, place: str = "result") -> str | None:
    """Say where two results differ first, or return None."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        pairs = [(old[key], new[key], f"{place}[{key!r}]") for key in old]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = [(a, b, f"{place}[{i}]") for i, (a, b) in enumerate(zip(old, new, strict=True))]
    elif old == new:
        return None
    elif isinstance(old, int | float) and isinstance(new, int | float):
        same = math.isclose(old, new, rel_tol=tolerance)
        return None if same else f"{place} was {old} and is {new}"
    else:
        return f"{place} was {old!r:.60} and is {new!r:.60}"
    found = (_difference(a, b, tolerance, where) for a, b, where in pairs)
    return next((text for text in found if text), None)
