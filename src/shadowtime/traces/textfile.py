"""Opening a log: a path or an open file, plain or packed, with one clear error for what breaks."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeAlias

from shadowtime.errors import InputError

Source: TypeAlias = "str | os.PathLike[str] | IO[bytes] | IO[str]"

_GZIP = b"\x1f\x8b"
_BZIP2 = b"BZh"
_OTHER_PACKING = {
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"PK\x03\x04": "zip",
}
PARQUET = b"PAR1"
"""How a Parquet file begins: the only binary data that a reader takes."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BUFFER = 1 << 18


def name_of(source: Source) -> str:
    """Return the file name that messages and tables use for `source`.

    Examples
    --------
    >>> name_of("/data/logs/KTH-SP2-1996-2.1-cln.swf.gz")
    'KTH-SP2-1996-2.1-cln.swf.gz'
    """
    if isinstance(source, str | os.PathLike):
        return Path(source).name or str(source)
    name = getattr(source, "name", None)
    return Path(name).name if isinstance(name, str) else "input"


def stem(name: str) -> str:
    """Return a file name without the ending that says how it is packed and written.

    Examples
    --------
    >>> stem("cluster.sacct.log.gz")
    'cluster'
    """
    known = {"gz", "bz2", "swf", "log", "txt", "csv", "parquet", "sacct", "cobalt"}
    while name.rpartition(".")[0] and name.rpartition(".")[2].lower() in known:
        name = name.rpartition(".")[0]
    return name


@contextmanager
def open_log(source: Source) -> Iterator[io.BufferedReader]:
    """Open a log for reading as bytes, unpacked if its content (not its name) is gzip or bzip2.

    A file that the caller opened is read from where it stands and stays open.

    Parameters
    ----------
    source : path, or file open for reading bytes or text

    Raises
    ------
    InputError
        If there is no such file, it cannot be read, it is empty, it is packed in another way, it
        holds binary data, or, while it is read, its packed data turn out to be broken.
    """
    name = name_of(source)
    opened: list[Any] = []
    packing = "gzip"
    try:
        raw = _raw(source, opened)
        stream = _buffered(raw, opened)
        head = stream.peek(len(_BZIP2))
        if head.startswith(_GZIP):
            stream = _buffered(gzip.GzipFile(fileobj=stream, mode="rb"), opened)
        elif head.startswith(_BZIP2):
            import bz2

            packing = "bzip2"
            stream = _buffered(bz2.BZ2File(stream), opened)
        _check_head(stream, name)
        yield stream
    except FileNotFoundError:
        raise InputError(f"{source}: there is no such file") from None
    except EOFError:
        raise InputError(
            f"{name}: the {packing} data stop before their end; get the file again"
        ) from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise InputError(
            f"{name}: the gzip data are broken ({error}); get the file again"
        ) from None
    except OSError as error:
        raise InputError(f"{source}: cannot be read ({error.strerror or error})") from None
    finally:
        for item in reversed(opened):
            item.close()


def first_bytes(source: Source, size: int = 1 << 16) -> bytes:
    """Return how the unpacked content of `source` begins, leaving an open file where it stood.

    Of a file that cannot be wound back nothing is read.
    """
    if isinstance(source, str | os.PathLike):
        with open_log(source) as stream:
            return stream.read(size)
    if not source.seekable():
        return b""
    place = source.tell()
    try:
        with open_log(source) as stream:
            return stream.read(size)
    finally:
        source.seek(place)


def _raw(source: Source, opened: list[Any]) -> Any:
    if isinstance(source, str | os.PathLike):
        raw = Path(source).open("rb")  # noqa: SIM115 - open_log closes it
        opened.append(raw)
        return raw
    if isinstance(source.read(0), str):
        return io.BytesIO(str(source.read()).encode("utf-8", "surrogatepass"))
    return source


class _Borrowed(io.RawIOBase):
    """Reads from a file that belongs to someone else, so that closing this leaves it open."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _buffered(raw: Any, opened: list[Any]) -> io.BufferedReader:
    # Reading lines from a GzipFile itself goes through Python code line by line.
    stream: io.BufferedReader = io.BufferedReader(_Borrowed(raw), _BUFFER)
    opened.append(stream)
    return stream


def _check_head(stream: io.BufferedReader, name: str) -> None:
    head = stream.peek(1 << 12)
    if not head:
        raise InputError(f"{name}: the file is empty")
    for magic, packing in _OTHER_PACKING.items():
        if head.startswith(magic):
            raise InputError(f"{name}: packed with {packing}; unpack it, or pack it with gzip")
    if b"\0" in head and not head.startswith(PARQUET):
        raise InputError(f"{name}: holds binary data (or UTF-16 text), not a text log")
    if head.startswith(_BYTE_ORDER_MARK):
        stream.read(len(_BYTE_ORDER_MARK))
