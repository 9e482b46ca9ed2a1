"""A log is found in the reader's folder, in the cache or in the archive, in this order."""

import gzip
import hashlib
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pooch
import pytest
from requests.exceptions import ProxyError, ReadTimeout, SSLError

from shadowtime import InputError, traces
from shadowtime.traces import catalog, entry, fetch

LOG = "; MaxProcs: 100\n7 10 0 60 4 -1 -1 4 90 -1 1 3 1 -1 2 -1 -1 -1\n"
DIGEST = hashlib.sha256(LOG.encode()).hexdigest()
FILE = "KTH-SP2-1996-2.1-cln.swf.gz"
GOOD = gzip.compress(LOG.encode())


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the tests an empty folder, an empty cache, and a small log under a known name."""
    for name in ("mine", "cache"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv(fetch.FOLDER_VARIABLE, str(tmp_path / "mine"))
    monkeypatch.setattr(fetch, "_cache", lambda: tmp_path / "cache")
    small = replace(catalog.entry("kth-sp2"), jobs=1, sha256=DIGEST)
    monkeypatch.setitem(catalog._BY_NAME, "kth-sp2", small)


class Archive:
    """An HTTP server: gives its answers one after the other, the last one for ever.

    An answer is a body, a status, or a body of which only that many bytes are sent.
    """

    def __init__(self) -> None:
        self.answers: list[bytes | int | tuple[bytes, int]] = [404]
        self.asked: list[str] = []
        archive = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                archive.asked.append(self.path)
                answers = archive.answers
                answer = answers.pop(0) if len(answers) > 1 else answers[0]
                if isinstance(answer, int):
                    self.send_error(answer)
                    return
                body, sent = answer if isinstance(answer, tuple) else (answer, len(answer))
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body[:sent])

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def archive(monkeypatch: pytest.MonkeyPatch) -> Iterator[Archive]:
    """Stand in for the Parallel Workloads Archive."""
    server = Archive()
    monkeypatch.setattr(entry, "ARCHIVE", f"http://{server.host}/")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    yield server
    server.close()


def test_the_archive_is_where_it_is() -> None:
    assert catalog.entry("kth-sp2").url == (
        "https://www.cs.huji.ac.il/labs/parallel/workload/l_kth_sp2/KTH-SP2-1996-2.1-cln.swf.gz"
    )


def test_the_readers_folder_comes_first_then_the_cache_then_the_archive(
    tmp_path: Path, archive: Archive
) -> None:
    archive.answers = [GOOD]
    assert fetch.find("kth-sp2") is None
    assert fetch.locate("kth-sp2") == tmp_path / "cache" / FILE
    assert fetch.locate("KTH-SP2") == tmp_path / "cache" / FILE
    assert archive.asked == [f"/l_kth_sp2/{FILE}"]
    plain = tmp_path / "mine" / FILE.removesuffix(".gz")
    plain.write_text(LOG)
    assert fetch.locate("kth-sp2") == plain
    assert len(archive.asked) == 1


def test_load_reads_what_was_found(archive: Archive) -> None:
    archive.answers = [GOOD]
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


def test_a_download_that_was_cut_short_begins_again(tmp_path: Path, archive: Archive) -> None:
    archive.answers = [(GOOD, 20), (GOOD, 0), GOOD]
    path = fetch.locate("kth-sp2")
    assert path.read_bytes() == GOOD
    assert len(archive.asked) == 3
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("watched", [True, False])
def test_a_bar_shows_how_far_a_download_is_if_somebody_looks(
    archive: Archive,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    watched: bool,  # noqa: FBT001
) -> None:
    archive.answers = [GOOD]
    monkeypatch.setattr(sys.stderr, "isatty", lambda: watched)
    fetch.locate("kth-sp2")
    assert ("100%" in capsys.readouterr().err) == watched


BROKEN: dict[str, tuple[bytes | int | tuple[bytes, int], str, int]] = {
    "a page": (b"<html>moved</html>", "gave is not that log", 1),
    "another log": (gzip.compress(LOG.replace("60", "61").encode()), "gave is not that log", 1),
    "a cut file": (GOOD[:30], "gave is not that log", 1),
    "a cut connection": ((GOOD, 20), "broke off 3 times", 3),
    "no such file": (404, "answers 404 Not Found", 1),
    "a broken server": (500, "answers 500 Internal Server Error", 1),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_not_the_log_is_not_kept_and_the_message_says_what_to_do(
    tmp_path: Path, archive: Archive, case: str
) -> None:
    answer, why, times = BROKEN[case]
    archive.answers = [answer]
    with pytest.raises(InputError) as raised:
        traces.load("kth-sp2")
    message = str(raised.value)
    assert archive.host in message
    assert why in message
    assert "\n" not in message
    assert message.endswith(
        f"get it from {catalog.entry('kth-sp2').url} and save it as {FILE} in the folder"
        f" {tmp_path / 'mine'}"
    )
    assert len(archive.asked) == times
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_log_without_a_checksum_is_kept_unless_it_is_a_web_page(
    tmp_path: Path, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"http://{archive.host}/eagle_data.parquet"
    monkeypatch.setitem(catalog._BY_NAME, "eagle", replace(catalog.entry("eagle"), address=address))
    archive.answers = [b"<!DOCTYPE html>", b"PAR1 and so on"]
    with pytest.raises(InputError, match=r"gave is not that log: get it from https://data\.openei"):
        fetch.locate("eagle")
    assert fetch.locate("eagle") == tmp_path / "cache" / "eagle_data.parquet"


def test_without_a_connection_the_message_says_where_the_file_has_to_be_put(
    tmp_path: Path, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive.server.shutdown()
    archive.server.server_close()
    monkeypatch.delenv(fetch.FOLDER_VARIABLE)
    with pytest.raises(InputError) as raised:
        fetch.locate("kth-sp2")
    message = str(raised.value)
    assert message.startswith(
        f"kth-sp2 could not be downloaded (no connection to {archive.host}): get it from http"
    )
    assert message.endswith(
        f"in the folder {tmp_path / 'cache'}, or one that SHADOWTIME_TRACES names"
    )
    assert "\n" not in message


@pytest.mark.parametrize(
    "error,why",
    [
        (SSLError(), "the certificate of www.cs.huji.ac.il is not trusted"),
        (ProxyError(), "the proxy gives no connection to www.cs.huji.ac.il"),
        (ReadTimeout(), "www.cs.huji.ac.il does not answer"),
        (PermissionError(13, "Permission denied", "cache"), "Permission denied: 'cache'"),
        (ValueError(), "ValueError"),
    ],
)
def test_what_goes_wrong_on_the_way_is_said(
    monkeypatch: pytest.MonkeyPatch, error: Exception, why: str
) -> None:
    def retrieve(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(pooch, "retrieve", retrieve)
    with pytest.raises(InputError) as raised:
        fetch.locate("kth-sp2")
    assert f"{why}): get it from" in str(raised.value)


@pytest.mark.parametrize(
    "name,steps",
    [
        ("metacentrum", "get it from github.com/aleasimulator/alea"),
        ("mira", "on https://reports.alcf.anl.gov/data/mira.html fill in the form"),
    ],
)
def test_a_log_that_no_program_may_download_is_to_be_got_by_hand(
    tmp_path: Path, name: str, steps: str
) -> None:
    with pytest.raises(InputError) as raised:
        fetch.locate(name)
    assert f"cannot be downloaded by a program: {steps}" in str(raised.value)
    assert f"as {catalog.entry(name).file} in the folder {tmp_path / 'mine'}" in str(raised.value)


def test_a_log_of_one_file_a_year_is_found_under_the_owners_name(tmp_path: Path) -> None:
    first = tmp_path / "mine" / "ANL-ALCF-DJC-MIRA_20150101_20151231.csv.gz"
    first.touch()
    assert fetch.find("mira") == first
    second = tmp_path / "mine" / "ANL-ALCF-DJC-MIRA_20160101_20161231.csv.gz"
    second.touch()
    with pytest.raises(InputError, match=r"mira is in 2 files of .*: cat ANL.* > ANL"):
        fetch.find("mira")
    whole = tmp_path / "mine" / "ANL-ALCF-DJC-MIRA.csv.gz"
    whole.touch()
    assert fetch.find("mira") == whole
    assert fetch.find("intrepid") is None
