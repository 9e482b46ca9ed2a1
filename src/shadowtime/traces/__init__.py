"""Job logs: reading, checking, fetching and writing them.

``read`` takes a file, ``load`` a name: that of a log in the catalog, or ``"teaching"`` for the
synthetic log that is part of this package.

Examples
--------
>>> from shadowtime import traces
>>> traces.catalog.find("KTH-SP2-1996-2.1-cln.swf.gz").machine
'IBM SP2 at KTH, Stockholm'
"""

from __future__ import annotations

import os
from importlib import import_module, resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shadowtime.errors import InputError

if TYPE_CHECKING:
    from shadowtime.traces import alcf, catalog, cobalt, eagle, header, swf
    from shadowtime.traces.surveys import Survey
    from shadowtime.traces.textfile import Source
    from shadowtime.workload import Workload

FORMATS = ("alcf", "cobalt", "eagle", "swf")
"""Formats that :func:`read` knows: modules of this package that have ``read`` and ``sniff``."""

TEACHING = "teaching"
"""Name of the synthetic log in this package."""

_MODULES = ("alcf", "catalog", "cobalt", "eagle", "fetch", "header", "swf")

__all__ = [
    "FORMATS",
    "alcf",
    "catalog",
    "cobalt",
    "eagle",
    "header",
    "load",
    "names",
    "read",
    "survey",
    "swf",
    "write",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


def read(source: Source, format: str | None = None, **options: Any) -> Workload:  # noqa: A002
    """Read a job log.

    Parameters
    ----------
    source : path, or file open for reading
        Plain or gzip, whatever its name.
    format : str, optional
        One of :data:`FORMATS`; recognised by the content, then by the name, if not given.
    **options
        Passed to the reader of the format, such as :func:`shadowtime.traces.swf.read`:
        ``clean``, ``missing_estimate``, ``machine_nodes``, ``limit``.

    Returns
    -------
    Workload
        Its ``report`` says what was found and left out.

    Raises
    ------
    InputError
        If the format is unknown, or the file does not hold what it should.

    Examples
    --------
    >>> import io
    >>> read(io.StringIO("1 0 -1 60 4 -1 -1 4 90 -1 1 7 1 -1 2 -1 -1 -1"))
    <Workload input: 1 jobs>
    """
    return _module(source, format).read(source, **options)  # type: ignore[no-any-return]


def load(name: str, **options: Any) -> Workload:
    """Read a log by its name, downloading it if need be.

    Parameters
    ----------
    name : str
        ``"teaching"``, or a name of :func:`names`.
    **options
        As for :func:`shadowtime.traces.swf.read`.

    Returns
    -------
    Workload

    Raises
    ------
    InputError
        If there is no such log, or it can neither be found nor downloaded. The message says
        how to get it by hand.
    """
    from shadowtime.traces import swf

    if name.lower() == TEACHING:
        with resources.files(__name__).joinpath("data/teaching.swf.gz").open("rb") as file:
            workload = swf.read(file, **options)
        workload.name = workload.report.source = TEACHING
        return workload
    from shadowtime.traces import catalog, fetch

    path = fetch.locate(name)
    workload = read(path, **options)
    if not fetch.is_genuine(catalog.entry(name), path):
        workload.report.note(f"{path} differs from the archive's copy (checksum)")
    return workload


def names() -> list[str]:
    """Return the names that :func:`load` knows."""
    from shadowtime.traces import catalog

    return [TEACHING, *catalog.names()]


def survey(source: Source | Workload, **options: Any) -> Survey:
    """Count what a log or a workload holds.

    Parameters
    ----------
    source : path, file open for reading, or Workload
        Of an SWF log all records count, before any cleaning.
    **options
        As for :func:`shadowtime.traces.swf.survey`.

    Returns
    -------
    Survey
    """
    from shadowtime.traces.surveys import of_workload
    from shadowtime.workload import Workload

    if isinstance(source, Workload):
        return of_workload(source)
    module = _module(source, None)
    if hasattr(module, "survey"):
        return module.survey(source, **options)  # type: ignore[no-any-return]
    return of_workload(module.read(source, **options))


def write(workload: Workload, path: str | os.PathLike[str]) -> None:
    """Write a workload as SWF; see :func:`shadowtime.traces.swf.write`."""
    from shadowtime.traces import swf

    swf.write(workload, path)


def _module(source: Source, format: str | None) -> Any:  # noqa: A002
    if format is None:
        format = _recognise(source)  # noqa: A001
    if format not in FORMATS:
        raise InputError(f"there is no format {format!r}; there are {', '.join(FORMATS)}")
    return import_module(f"{__name__}.{format}")


def _recognise(source: Source) -> str:
    from shadowtime.traces.textfile import first_bytes, name_of

    head = first_bytes(source)
    for name in FORMATS:
        if import_module(f"{__name__}.{name}").sniff(head):
            return name
    file = name_of(source)
    for suffix in reversed(Path(file).suffixes):
        if suffix[1:].lower() in FORMATS:
            return suffix[1:].lower()
    line = head.splitlines()[0].decode("utf-8", "replace")[:60] if head else ""
    raise InputError(
        f"{file}: the format is not recognised (it begins {line!r}); name it, one of"
        f" {', '.join(FORMATS)}"
    )
