"""Finding a log of the catalog: in a folder of the reader's, in the cache, or in the archive."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from textwrap import shorten

from shadowtime.errors import InputError
from shadowtime.traces.catalog import Entry, entry
from shadowtime.traces.textfile import open_log

FOLDER_VARIABLE = "SHADOWTIME_TRACES"
"""Environment variable that names a folder in which to look for logs first."""


def locate(name: str) -> Path:
    """Return the path of a log, downloaded if it is not there yet.

    The folder that the environment variable ``SHADOWTIME_TRACES`` names comes first, then the
    download cache, then the Parallel Workloads Archive.

    Parameters
    ----------
    name : str
        Name in :mod:`shadowtime.traces.catalog`, such as ``"kth-sp2"``.

    Raises
    ------
    InputError
        If there is no such log, or it can neither be found nor downloaded. The message says
        how to get it by hand.
    """
    return find(name) or _download(entry(name))


def find(name: str) -> Path | None:
    """Return the path of a log if it is on this machine, and None if it is not.

    Parameters
    ----------
    name : str
        Name in :mod:`shadowtime.traces.catalog`.

    Raises
    ------
    InputError
        If there is no such log.
    """
    log = entry(name)
    for folder in _folders():
        for file in (log.file, log.file.removesuffix(".gz")):
            if (path := folder / file).is_file():
                return path
    return None


def is_genuine(log: Entry, path: Path) -> bool:
    """Tell whether the unpacked text of `path` is the one that the catalog knows."""
    digest = hashlib.sha256()
    with open_log(path) as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest() == log.sha256


def _folders() -> list[Path]:
    given = os.environ.get(FOLDER_VARIABLE)
    return [*([Path(given)] if given else []), _cache()]


def _cache() -> Path:
    """Return the folder for downloads; the same one that pooch would choose."""
    try:
        from pooch import os_cache
    except ImportError:
        return Path.home() / ".cache" / "shadowtime"
    return Path(os_cache("shadowtime"))


def _by_hand(log: Entry) -> str:
    place = log.url or log.source
    return f"get it from {place} and save it as {log.file} in the folder {FOLDER_VARIABLE} names"


def _download(log: Entry) -> Path:
    if not log.url:
        raise InputError(f"{log.name} cannot be downloaded: {_by_hand(log)}")
    try:
        import pooch
    except ImportError:
        raise InputError(
            f"without pooch {log.name} cannot be downloaded: {_by_hand(log)}"
        ) from None
    # The catalog's checksum is of the text: mirrors pack the same log in different ways.
    pooch.get_logger().setLevel("WARNING")
    try:
        path = Path(pooch.retrieve(log.url, known_hash=None, fname=log.file, path=_cache()))
    except (OSError, ValueError) as error:
        why = shorten(str(error) or type(error).__name__, 120)
        raise InputError(f"{log.name} could not be downloaded ({why}): {_by_hand(log)}") from error
    try:
        genuine = is_genuine(log, path)
    except InputError:
        genuine = False
    if not genuine:
        path.unlink(missing_ok=True)
        raise InputError(f"what {log.url} gave is not that log: {_by_hand(log)}")
    return path
