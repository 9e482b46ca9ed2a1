"""Whatever is wrong with a file, reading it gives one clear line."""

import bz2
import gzip
import io
from pathlib import Path
from typing import IO

import pytest

from shadowtime import InputError
from shadowtime.traces.textfile import first_bytes, name_of, open_log, stem

TEXT = b"one\ntwo\n"


def content(source: str | Path | IO[bytes] | IO[str]) -> bytes:
    with open_log(source) as stream:
        return stream.read()


by_packing = pytest.mark.parametrize(
    "data",
    [TEXT, gzip.compress(TEXT), bz2.compress(TEXT)],
    ids=["plain", "gzip", "bzip2"],
)


@pytest.mark.parametrize("name", ["log.swf", "log.swf.gz", "log"])
@by_packing
def test_packing_is_recognised_by_content_whatever_the_name(
    tmp_path: Path, name: str, data: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert content(path) == content(str(path)) == TEXT


@by_packing
def test_an_open_file_is_read_from_where_it_stands_and_stays_open(data: bytes) -> None:
    file = io.BytesIO(b"skipped" + data)
    file.seek(7)
    assert first_bytes(file, 3) == TEXT[:3]
    assert content(file) == TEXT
    assert not file.closed


def test_text_files_are_read_too() -> None:
    assert content(io.StringIO("one\ntwo\n")) == TEXT


def test_several_gzip_members_in_a_row_are_one_text(tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    path.write_bytes(gzip.compress(b"one\n") + gzip.compress(b"two\n"))
    assert content(path) == TEXT


def test_a_byte_order_mark_is_no_content() -> None:
    assert content(io.BytesIO(b"\xef\xbb\xbf" + TEXT)) == TEXT


def test_a_stream_that_cannot_be_wound_back_can_be_read() -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    assert first_bytes(Pipe(TEXT)) == b""
    assert content(Pipe(TEXT)) == TEXT


def test_the_name_of_a_source_is_its_file_name(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_bytes(TEXT)
    with path.open("rb") as file:
        assert name_of(file) == name_of(path) == name_of(str(path)) == "log.swf"
    assert name_of(io.BytesIO()) == "input"


PACKED = gzip.compress(TEXT * 1000)


@pytest.mark.parametrize(
    "data, message",
    [
        (b"", "log.swf: the file is empty"),
        (gzip.compress(b""), "log.swf: the file is empty"),
        (PACKED[:-12], "log.swf: the gzip data stop before their end; get the file again"),
        (PACKED[:5], "log.swf: the gzip data stop before their end; get the file again"),
        (PACKED[:-8] + b"\0" * 8, r"log.swf: the gzip data are broken \(CRC check failed .*"),
        (PACKED[:12] + b"\xff" * 20, r"log.swf: the gzip data are broken \(Error -3 .*"),
        (PACKED + b"rubbish", r"log.swf: the gzip data are broken \(Not a gzipped file .*"),
        (bz2.compress(TEXT)[:-4], "log.swf: the bzip2 data stop before their end; get .* again"),
        (b"BZh" + TEXT, r".*/log.swf: cannot be read \(Invalid data stream\)"),
        (b"PK\x03\x04...", "log.swf: packed with zip; unpack it, or pack it with gzip"),
        ("one\n".encode("utf-16"), r"log.swf: holds binary data \(or UTF-16 text\), .*"),
    ],
)
def test_what_cannot_be_a_log_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "log.swf"
    path.write_bytes(data)
    with pytest.raises(InputError, match=f"^{message}$"):
        content(path)


def test_a_missing_file_and_a_folder_are_named_in_full(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r".*/nothing\.swf: there is no such file$"):
        content(tmp_path / "nothing.swf")
    with pytest.raises(InputError, match=rf"{tmp_path}: cannot be read \(Is a directory\)"):
        content(tmp_path)


def test_the_name_of_a_log_is_its_file_name_without_what_says_how_it_is_written() -> None:
    assert stem("KTH-SP2.swf.gz") == "KTH-SP2"
    assert stem("2016.12.log") == "2016.12"
    assert stem("cluster.sacct.txt.bz2") == "cluster"
    assert stem(".gz") == ".gz"
