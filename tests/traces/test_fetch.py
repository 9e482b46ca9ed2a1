"""A log is found in the reader's folder, in the cache or in the archive, in this order."""

import gzip
import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pooch
import pytest

from shadowtime import InputError, traces
from shadowtime.traces import catalog, fetch

LOG = "; MaxProcs: 100\n7 10 0 60 4 -1 -1 4 90 -1 1 3 1 -1 2 -1 -1 -1\n"
DIGEST = hashlib.sha256(LOG.encode()).hexdigest()
FILE = "KTH-SP2-1996-2.1-cln.swf.gz"

Serve = Callable[[Any], list[str]]


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the tests an empty folder, an empty cache, and a small log under a known name."""
    for name in ("mine", "cache"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv(fetch.FOLDER_VARIABLE, str(tmp_path / "mine"))
    monkeypatch.setattr(fetch, "_cache", lambda: tmp_path / "cache")
    small = replace(catalog.entry("kth-sp2"), jobs=1, sha256=DIGEST)
    monkeypatch.setitem(catalog._BY_NAME, "kth-sp2", small)


@pytest.fixture
def archive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Serve:
    """Stand in for the archive: serves bytes or raises an error, and lists what was asked for."""

    def serve(answer: Any) -> list[str]:
        asked: list[str] = []

        def retrieve(url: str, **options: Any) -> str:
            asked.append(url)
            if isinstance(answer, Exception):
                raise answer
            path = Path(options["path"]) / str(options["fname"])
            path.write_bytes(answer)
            return str(path)

        monkeypatch.setattr(pooch, "retrieve", retrieve)
        return asked

    return serve


def test_the_readers_folder_comes_first_then_the_cache_then_the_archive(
    tmp_path: Path, archive: Serve
) -> None:
    asked = archive(gzip.compress(LOG.encode()))
    assert fetch.locate("kth-sp2") == tmp_path / "cache" / FILE
    assert fetch.locate("KTH-SP2") == tmp_path / "cache" / FILE
    assert asked == [
        "https://www.cs.huji.ac.il/labs/parallel/workload/l_kth_sp2/KTH-SP2-1996-2.1-cln.swf.gz"
    ]
    plain = tmp_path / "mine" / FILE.removesuffix(".gz")
    plain.write_text(LOG)
    assert fetch.locate("kth-sp2") == plain
    assert len(asked) == 1


def test_load_reads_what_was_found(archive: Serve) -> None:
    archive(gzip.compress(LOG.encode()))
    workload = traces.load("kth-sp2", machine_nodes=50)
    assert list(workload.id) == [7]
    assert workload.machine_nodes == 50


def test_a_copy_that_differs_is_read_and_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "mine" / FILE
    path.write_text(LOG.replace("60", "61"))
    assert f"{path} differs from the archive's copy (checksum)" in str(
        traces.load("kth-sp2").report
    )
    path.write_text(LOG)
    assert "checksum" not in str(traces.load("kth-sp2").report)


@pytest.mark.parametrize("answer", [b"<html>moved</html>", gzip.compress(LOG.encode())[:30]])
def test_a_download_that_is_not_the_log_is_refused_and_not_kept(
    tmp_path: Path, archive: Serve, answer: bytes
) -> None:
    archive(answer)
    with pytest.raises(InputError, match=r"what https://.* gave is not that log: get it from"):
        fetch.locate("kth-sp2")
    assert list((tmp_path / "cache").iterdir()) == []


@pytest.mark.parametrize(
    "error", [ConnectionError("no\nroute to host"), ValueError("odd"), OSError()]
)
def test_without_a_connection_the_message_says_what_to_do_by_hand(
    archive: Serve, error: Exception
) -> None:
    archive(error)
    with pytest.raises(InputError) as raised:
        traces.load("kth-sp2")
    assert "\n" not in str(raised.value)
    assert str(raised.value).endswith(
        f"get it from {catalog.entry('kth-sp2').url} and save it as {FILE}"
        " in the folder SHADOWTIME_TRACES names"
    )


def test_a_log_outside_the_archive_is_to_be_got_by_hand(archive: Serve) -> None:
    asked = archive(b"")
    with pytest.raises(InputError, match=r"cannot be downloaded: get it from github\.com/alea"):
        traces.load("metacentrum")
    assert asked == []
