"""Job logs: reading, checking, fetching and writing them.

``read`` takes a file, ``load`` a name: that of a log in the catalog, or ``"teaching"`` for the
synthetic log that is part of this package. ``write`` makes SWF of any of them. The formats, each
in the module of its name, are recognised by their content:

- ``swf``: the Standard Workload Format of the Parallel Workloads Archive;
- ``cobalt``: event logs of the Cobalt scheduler;
- ``sacct``: what Slurm's ``sacct --parsable2`` prints;
- ``alcf``: job data of the Argonne Leadership Computing Facility (CSV);
- ``eagle``: job data of NREL's machine Eagle (CSV, Parquet);
- ``table``: any other CSV, Parquet or pandas DataFrame, whose columns are named by a mapping.

Examples
--------
>>> from shadowtime import traces
>>> traces.catalog.find("KTH-SP2-1996-2.1-cln.swf.gz").machine
'IBM SP2 at KTH, Stockholm'
"""

from __future__ import annotations

import os
from importlib import import_module, resources
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shadowtime.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from shadowtime.traces import alcf, catalog, cobalt, eagle, header, sacct, swf, table
    from shadowtime.traces.surveys import Survey
    from shadowtime.traces.tablefile import Table
    from shadowtime.workload import Workload

FORMATS = ("swf", "cobalt", "sacct", "alcf", "eagle", "table")
"""Formats that :func:`read` knows, in the order in which they are tried: modules of this package
that have ``read`` and ``sniff``."""

TEACHING = "teaching"
"""Name of the synthetic log in this package."""

_MODULES = (*FORMATS, "catalog", "fetch", "header")

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
    "recognise",
    "sacct",
    "survey",
    "swf",
    "table",
    "write",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


def read(
    source: Table,
    format: str | None = None,  # noqa: A002
    *,
    columns: Mapping[str, str] | Sequence[str] | None = None,
    **options: Any,
) -> Workload:
    """Read a job log.

    Parameters
    ----------
    source : path, file open for reading, or pandas.DataFrame
        Plain or packed, whatever its name.
    format : str, optional
        One of :data:`FORMATS`; recognised by the content, then by the name, if not given.
    columns : mapping of str to str, or sequence of str, optional
        A mapping says how a table calls its columns, such as ``{"submit": "queued_at"}``: see
        :func:`shadowtime.traces.table.read`. A sequence names those of a print of sacct that has
        no line of names: see :func:`shadowtime.traces.sacct.read`.
    **options
        Passed to the reader of the format: ``clean``, ``missing_estimate``, ``machine_nodes`` and
        ``limit`` to each, ``zone`` to those that read local times, and what else is its own.

    Returns
    -------
    Workload
        Its ``report`` says what was found and left out.

    Raises
    ------
    InputError
        If the format is unknown, has no such option, or the file does not hold what it should.

    Examples
    --------
    >>> import io
    >>> read(io.StringIO("1 0 -1 60 4 -1 -1 4 90 -1 1 7 1 -1 2 -1 -1 -1"))
    <Workload input: 1 jobs>
    """
    if columns is not None:
        options["columns"] = columns
        if format is None:
            format = "table" if hasattr(columns, "keys") else "sacct"  # noqa: A001
    if format is None:
        format = recognise(source)  # noqa: A001
    module = _module(format)
    known = signature(module.read).parameters
    for name in options:
        if name not in known:
            raise InputError(f"{_title(source)}: the format {format} takes no {name}")
    return module.read(source, **options)  # type: ignore[no-any-return]


def recognise(source: Table) -> str:
    """Tell which format a log has, by its content, then by its name.

    Parameters
    ----------
    source : path, file open for reading, or pandas.DataFrame
        A file is left where it stands.

    Returns
    -------
    str
        One of :data:`FORMATS`.

    Raises
    ------
    InputError
        If it is none of them.

    Examples
    --------
    >>> import io
    >>> recognise(io.StringIO("JobID|Submit|Start|End|NNodes|Timelimit"))
    'sacct'
    """
    from shadowtime.traces.textfile import PARQUET, first_bytes

    is_table = hasattr(source, "iloc")
    head = b"" if is_table else first_bytes(source)  # type: ignore[arg-type]
    if is_table or head.startswith(PARQUET):
        from shadowtime.traces.tablefile import first_line

        # By the names of its columns, as if it were a CSV.
        is_table, head = True, first_line(source)
    for name in FORMATS:
        if import_module(f"{__name__}.{name}").sniff(head):
            return name
    if is_table:
        return "table"
    file = _title(source)
    for suffix in reversed(Path(file).suffixes):
        if suffix[1:].lower() in FORMATS:
            return suffix[1:].lower()
    line = head.splitlines()[0].decode("utf-8", "replace")[:60] if head else ""
    raise InputError(
        f"{file}: the format is not recognised (it begins {line!r}); there are"
        f" {', '.join(FORMATS)}: name it, or the columns of a table (columns, --columns)"
    )


def load(name: str, **options: Any) -> Workload:
    """Read a log by its name, downloading it if need be.

    Parameters
    ----------
    name : str
        ``"teaching"``, or a name of :func:`names`.
    **options
        As for :func:`read`.

    Returns
    -------
    Workload

    Raises
    ------
    InputError
        If there is no such log, or it can neither be found nor downloaded. The message says
        how to get it by hand.
    """
    if name.lower() == TEACHING:
        with resources.files(__name__).joinpath("data/teaching.swf.gz").open("rb") as file:
            workload = read(file, "swf", **options)
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


def survey(source: Table | Workload, **options: Any) -> Survey:
    """Count what a log or a workload holds.

    Parameters
    ----------
    source : path, file open for reading, pandas.DataFrame, or Workload
        Of an SWF log all records count, before any cleaning.
    **options
        As for :func:`shadowtime.traces.swf.survey`, or for :func:`read`.

    Returns
    -------
    Survey
    """
    from shadowtime.traces.surveys import of_workload
    from shadowtime.workload import Workload

    if isinstance(source, Workload):
        return of_workload(source)
    if "columns" not in options and recognise(source) == "swf":
        return _module("swf").survey(source, **options)  # type: ignore[no-any-return]
    return of_workload(read(source, **options))


def write(workload: Workload, path: str | os.PathLike[str]) -> list[str]:
    """Write a workload as SWF; see :func:`shadowtime.traces.writing.write`."""
    from shadowtime.traces import writing

    return writing.write(workload, path)


def _module(format: str) -> Any:  # noqa: A002
    if format not in FORMATS:
        raise InputError(f"there is no format {format!r}; there are {', '.join(FORMATS)}")
    return import_module(f"{__name__}.{format}")


def _title(source: Any) -> str:
    from shadowtime.traces.tablefile import title

    return title(source)
