"""Where long commands compute: here, in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shadowtime.cli import console
from shadowtime.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it."""

Processes = Annotated[
    int | None,
    typer.Option("--jobs", min=1, show_default=False, help="Processes; by default one a core."),
]
Dask = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Compute on the Dask cluster of this scheduler."),
]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same predictions.")]
WindowDays = Annotated[float, typer.Option(help="Days of history before each day.")]
TableFile = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Write a table: CSV, or Parquet by its ending."),
]

_IGNORED = (signal.SIGINT, signal.SIG_IGN)

ENDINGS = (".csv", ".csv.gz", ".parquet")


@contextmanager
def workers(jobs: int | None, dask: str | None) -> Iterator[Executor]:
    """Give an executor: processes, this one alone if it is to be one, or a Dask cluster.

    Parameters
    ----------
    jobs : int, optional
        Processes; by default one a core.
    dask : str, optional
        Address of a Dask scheduler, which wins.

    Raises
    ------
    InputError
        If Dask is not installed or nobody answers at the address; if another package is missing.
    """
    try:
        if dask is not None:
            with _cluster(dask) as cluster:
                yield cluster
        else:
            executor = _local(jobs or os.cpu_count() or 1)
            try:
                yield executor
            finally:
                executor.shutdown(cancel_futures=True)
    except ModuleNotFoundError as error:
        raise InputError(
            f"this command needs the package {error.name}: pip install 'shadowtime[all]'"
        ) from error


def _local(processes: int) -> Executor:
    if processes == 1:
        return ThreadPoolExecutor(1)
    # Ctrl-C is for this process, which then lets the others end what they are at.
    return ProcessPoolExecutor(processes, None, signal.signal, _IGNORED)


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    from distributed import Client

    try:
        client = Client(address, timeout=10)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise InputError(f"--dask {address}: {error}") from error
    with client:
        try:
            yield client.get_executor()  # type: ignore[no-untyped-call]
        finally:
            # After Ctrl-C results may be on their way; that nobody takes them is no news.
            logging.getLogger("tornado.application").setLevel(logging.CRITICAL)


@contextmanager
def resumable(state: Path | None) -> Iterator[None]:
    """Say after Ctrl-C that the same command goes on, where what it did so far is kept.

    Parameters
    ----------
    state : path, optional
        File or folder that keeps it.
    """
    try:
        yield
    except KeyboardInterrupt:
        kept = "" if state is None else f"; {state} keeps what is done: run the same command again"
        console.note(f"interrupted{kept}")
        raise typer.Exit(INTERRUPTED) from None


def check_ending(path: Path | None) -> None:
    """Refuse a file that no table can be written to, before anything is computed.

    Raises
    ------
    InputError
        If the ending is none of :data:`ENDINGS`, the folder is not there, or it is a folder.
    """
    if path is None:
        return
    if not path.name.endswith(ENDINGS):
        raise InputError(f"{path}: a table is written to a file that ends in {', '.join(ENDINGS)}")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}")
    if path.is_dir():
        raise InputError(f"{path}: this is a folder, no file to write a table to")


def write(table: pd.DataFrame, path: Path) -> None:
    """Write a table as its file's ending says."""
    if path.suffix == ".parquet":
        table.to_parquet(path, index=False)
    else:
        table.to_csv(path, index=False, lineterminator="\n")


def names(text: str) -> list[str]:
    """Split names at commas.

    Examples
    --------
    >>> names("request, last2,xgboost")
    ['request', 'last2', 'xgboost']
    """
    return [name.strip() for name in text.split(",") if name.strip()]
