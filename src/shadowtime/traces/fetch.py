"""Finding a log of the catalog: in a folder of the reader's, in the cache, or in the archive."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from textwrap import shorten
from typing import Any
from urllib.parse import urlsplit

from shadowtime.errors import InputError
from shadowtime.traces import catalog
from shadowtime.traces.catalog import entry
from shadowtime.traces.entry import Entry
from shadowtime.traces.textfile import first_bytes, open_log

FOLDER_VARIABLE = "SHADOWTIME_TRACES"
"""Environment variable that names a folder in which to look for logs first."""

TRIES = 3
"""How often a download is begun that stops before its end."""


def locate(name: str) -> Path:
    """Return the path of a log, downloaded if it is not there yet.

    The folder that the environment variable ``SHADOWTIME_TRACES`` names comes first, then the
    download cache, then the Parallel Workloads Archive. A log is in the cache whole and checked, or
    it is not there; a download that was cut short begins again.

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
        If there is no such log, or if several files of one folder hold a part of it each.
    """
    log = entry(name)
    for folder in _folders():
        if (path := folder / log.file).is_file():
            return path
        files = sorted(folder.iterdir()) if folder.is_dir() else []
        found = [path for path in files if _is_of(log, path)]
        if len(found) > 1:
            parts = " ".join(path.name for path in found)
            raise InputError(
                f"{log.name} is in {len(found)} files of {folder}; name one of them, or join them:"
                f" cat {parts} > {log.file}"
            )
        if found:
            return found[0]
    return None


def _is_of(log: Entry, path: Path) -> bool:
    known = catalog.find(path.name)
    return known is not None and known.name == log.name


def is_genuine(log: Entry, path: Path) -> bool:
    """Tell whether the unpacked text of `path` is the one that the catalog knows.

    Where the catalog knows no checksum, anything will do but a web page.
    """
    if not log.sha256:
        return not first_bytes(path, 64).lstrip().startswith(b"<")
    digest = hashlib.sha256()
    with open_log(path) as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest() == log.sha256


def by_hand(log: Entry) -> str:
    """Say in one sentence how to get a log without a program."""
    does = f"get it from {log.source or log.url} and save it"
    if log.steps:
        does = f"on {log.source} {log.steps} and save the result"
    also = "" if os.environ.get(FOLDER_VARIABLE) else f", or one that {FOLDER_VARIABLE} names"
    return f"{does} as {log.file} in the folder {_folders()[0]}{also}"


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


def _download(log: Entry) -> Path:
    if not log.url:
        raise InputError(f"{log.name} cannot be downloaded by a program: {by_hand(log)}")
    try:
        import pooch
    except ImportError:
        raise InputError(f"without pooch {log.name} cannot be downloaded: {by_hand(log)}") from None
    pooch.get_logger().setLevel("WARNING")
    bar = sys.stderr is not None and sys.stderr.isatty()

    def download(url: str, file: str, _: Any) -> None:
        """Download to a temporary file, which pooch moves to the cache if it is as it should be."""
        for left in reversed(range(TRIES)):
            answers: list[Any] = []
            hooks = {"response": lambda answer, answers=answers, **_: answers.append(answer)}
            try:
                pooch.HTTPDownloader(progressbar=bar, hooks=hooks)(url, file, None)
                break
            except OSError as error:
                if not left or not _is_cut(error):
                    raise
            finally:
                for answer in answers:  # pooch leaves the connection open if an answer is an error
                    answer.close()
        # The catalog's checksum is of the text: mirrors pack the same log in different ways.
        try:
            genuine = is_genuine(log, Path(file))
        except InputError:
            genuine = False
        if not genuine:
            raise InputError(f"what {url} gave is not that log: {by_hand(log)}")

    try:
        # pooch's own checksum would be that of the packed file.
        path = pooch.retrieve(
            log.url, known_hash=None, fname=log.file, path=_cache(), downloader=download
        )
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        why = _why(error, log.url)
        raise InputError(f"{log.name} could not be downloaded ({why}): {by_hand(log)}") from error
    return Path(path)


def _is_cut(error: OSError) -> bool:
    """Tell whether a download began and stopped before its end."""
    from requests.exceptions import ChunkedEncodingError

    return isinstance(error, ChunkedEncodingError)


def _why(error: Exception, url: str) -> str:
    from requests import exceptions

    host = urlsplit(url).netloc
    if isinstance(error, exceptions.HTTPError) and error.response is not None:
        return f"{host} answers {error.response.status_code} {error.response.reason}"
    # The first that fits: the others are kinds of missing connections, too.
    for kind, why in (
        (exceptions.Timeout, f"{host} does not answer"),
        (exceptions.SSLError, f"the certificate of {host} is not trusted"),
        (exceptions.ProxyError, f"the proxy gives no connection to {host}"),
        (exceptions.ConnectionError, f"no connection to {host}"),
        (exceptions.ChunkedEncodingError, f"{host} broke off {TRIES} times"),
    ):
        if isinstance(error, kind):
            return why
    return shorten(str(error) or type(error).__name__, 120)
