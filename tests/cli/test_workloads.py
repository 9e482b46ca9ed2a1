"""``info``, ``fetch`` and ``generate``, and how every command meets bad input."""

import gzip
import json
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from shadowtime import traces
from shadowtime.traces import entry

Run = Callable[..., Result]
Log = Callable[..., Path]

GOOD = "1 0 -1 10 4 -1 -1 4 20 -1 1 7 -1 -1 -1 -1 -1 -1"


def line(**fields: object) -> str:
    """A second job like the good one, except for the given fields."""
    values = {"id": 2, "submit": 5, "runtime": 10, "nodes": 4, "estimate": 20} | fields
    return (
        "{id} {submit} -1 {runtime} {nodes} -1 -1 {nodes} {estimate} "
        "-1 1 7 -1 -1 -1 -1 -1 -1".format(**values)
    )


FAULTS = {
    "no nodes": (line(nodes=0), "job 2: nodes = 0"),
    "negative nodes": (line(nodes=-3), "job 2: nodes = -3"),
    "unknown size": (line(nodes=-1), "job 2: nodes = -1"),
    "wider than the machine": (line(nodes=9), "job 2: nodes = 9, the machine has 8"),
    "negative run time": (line(runtime=-7), "job 2: runtime = -7"),
    "unknown run time": (line(runtime=-1), "job 2: runtime = -1"),
    "no estimate": (line(estimate=-1), "job 2: estimate = -1"),
    "estimate of 0": (line(estimate=0), "job 2: estimate = 0"),
    "unknown submit": (line(submit=-1), "job 2: submit = -1"),
    "id used twice": (line(id=1), "job 1: id = 1"),
    "not a number": (line(runtime="nan"), "job 2: runtime = "),
    "text in a number": (line(estimate="1h"), "job 2: estimate = "),
    "too few fields": ("2 5 -1 10", "4 fields"),
}
"""A second job that cannot be simulated, and what is said of it."""


@pytest.mark.parametrize("command", ["info", "simulate", "compare"])
@pytest.mark.parametrize("fault", FAULTS)
def test_the_first_bad_job_is_an_error(run: Run, log: Log, command: str, fault: str) -> None:
    bad, message = FAULTS[fault]
    result = run(command, log(GOOD, bad))
    assert result.exit_code == 2
    assert result.stderr.startswith("shadowtime: log.swf line 3")
    assert message in result.stderr
    assert "--clean" in result.stderr
    assert result.stderr.count("\n") == 1
    assert not result.stdout


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_job_is_counted_where_cleaning_is_asked_for(run: Run, log: Log, fault: str) -> None:
    bad, message = FAULTS[fault]
    path = log(GOOD, bad)
    result = run("info", path, "--clean", "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert data["kept"] == 1
    assert list(data["dropped"].values()) == [1]
    told = run("simulate", path, "--clean").stderr
    assert message in told
    assert "log.swf line 3" in told


@pytest.mark.parametrize(
    "content,message",
    [
        pytest.param(b"", "log.swf: the file is empty", id="empty"),
        pytest.param(b"; MaxProcs: 8\n\n", "no job", id="header only"),
        pytest.param(gzip.compress(GOOD.encode() * 99)[:-12], "gzip", id="cut gzip"),
        pytest.param(b"\x1f\x8b\x08\0 is no gzip at all", "gzip", id="broken gzip"),
        pytest.param(GOOD.encode("utf-16"), "UTF-16", id="UTF-16"),
        pytest.param(GOOD.replace("7", "é").encode("latin-1"), "not a number", id="Latin-1"),
    ],
)
def test_a_file_that_is_no_log_is_an_error(
    run: Run, tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "log.swf"
    path.write_bytes(content)
    for command in ("info", "simulate", "compare"):
        result = run(command, path)
        assert result.exit_code == 2
        assert result.stderr.startswith("shadowtime: ")
        assert message in result.stderr
        assert result.stderr.count("\n") == 1
        assert not result.stdout


def test_a_log_without_machine_size_asks_for_it(run: Run, log: Log) -> None:
    path = log(GOOD, header="; Computer: unknown")
    result = run("simulate", path)
    assert result.exit_code == 2
    assert "--nodes" in result.stderr
    assert result.stderr.count("\n") == 1
    assert run("simulate", path, "--nodes", 4).exit_code == 0


@pytest.mark.parametrize(
    "lines,header,message",
    [
        pytest.param([line(runtime=30)], "; MaxProcs: 8", "longer than", id="overrun"),
        pytest.param([line(runtime=0)], "; MaxProcs: 8", "run time of 0", id="zero run time"),
        pytest.param([line(submit=50), line(id=3)], "; MaxProcs: 8", "sorted", id="unsorted"),
        pytest.param([], "; MaxProcs: 8\n; MaxNodes: 4", "MaxNodes = 4", id="two sizes"),
        pytest.param([], "; MaxNodes: 8", "no MaxProcs", id="no MaxProcs"),
        pytest.param([], "; MaxProcs: 8\n; Note: \xe9", "", id="UTF-8 comment"),
    ],
)
def test_what_is_odd_but_legal_is_said(
    run: Run, log: Log, lines: list[str], header: str, message: str
) -> None:
    path = log(GOOD, *lines, header=header)
    result = run("simulate", path, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["jobs"] == 1 + len(lines)
    assert message in result.stderr
    assert message in run("info", path).stdout


def test_submits_in_unix_seconds_are_said(run: Run, log: Log) -> None:
    path = log(line(submit=1_400_000_000))
    assert "Unix seconds" in run("simulate", path).stderr


def test_run_times_may_stand_for_missing_estimates(run: Run, log: Log) -> None:
    path = log(GOOD, line(estimate=-1))
    result = run("simulate", path, "--missing-estimate", "runtime", "--json")
    assert json.loads(result.stdout)["jobs"] == 2
    assert "the run time stands for it" in result.stderr


def test_jobs_without_estimates_may_be_left_out(run: Run, log: Log) -> None:
    path = log(GOOD, line(estimate=-1))
    result = run("simulate", path, "--missing-estimate", "drop", "--json")
    assert json.loads(result.stdout)["jobs"] == 1
    assert "no requested time: 1" in result.stderr


def test_info_says_what_is_in_a_log(run: Run, log: Log) -> None:
    path = log(GOOD, line())
    result = run("info", path)
    assert result.exit_code == 0
    assert str(traces.survey(path)) in result.stdout
    assert "log.swf: 2 jobs found, 2 kept" in result.stdout
    data = json.loads(run("info", path, "--json").stdout)
    assert (data["jobs"], data["processors"], data["kept"]) == (2, 8, 2)


def test_info_counts_all_records_before_cleaning(run: Run, log: Log) -> None:
    data = json.loads(run("info", log(GOOD, line(runtime=-1)), "--clean", "--json").stdout)
    assert (data["jobs"], data["ran"], data["kept"]) == (2, 1, 1)


def test_info_knows_logs_by_name(run: Run) -> None:
    data = json.loads(run("info", "teaching", "--json").stdout)
    assert (data["jobs"], data["kept"], data["machine_nodes"]) == (5000, 5000, 128)


def test_info_of_a_log_of_the_archive(run: Run, traces_dir: Path) -> None:
    assert (traces_dir / "KTH-SP2-1996-2.1-cln.swf.gz").exists()
    data = json.loads(run("info", "kth-sp2", "--json").stdout)
    assert (data["jobs"], data["ran"], data["kept"], data["users"]) == (28476, 28468, 28475, 214)


def test_info_says_whom_to_thank(run: Run, log: Log) -> None:
    path = log(GOOD, name="KTH-SP2-1996-2.1-cln.swf")
    known = traces.catalog.entry("kth-sp2")
    result = run("info", path)
    assert known.acknowledgement in result.stdout
    assert known.terms in result.stdout
    assert json.loads(run("info", path, "--json").stdout)["terms"] == known.terms
    assert "terms" not in json.loads(run("info", log(GOOD), "--json").stdout)


def test_info_says_whom_a_log_itself_asks_to_thank(run: Run, log: Log) -> None:
    path = log(GOOD, header="; MaxProcs: 8\n; Acknowledge: Ann and Bob")
    assert run("info", path).stdout.endswith("\n\nAnn and Bob\n")
    assert json.loads(run("info", path, "--json").stdout)["acknowledgement"] == "Ann and Bob"


def test_fetch_says_where_a_log_is_and_whom_to_thank(run: Run, traces_dir: Path) -> None:
    known = traces.catalog.entry("kth-sp2")
    result = run("fetch", "kth-sp2")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{traces_dir / known.file}\n")
    assert known.acknowledgement in result.stdout
    data = json.loads(run("fetch", "kth-sp2", "--json").stdout)
    assert data["path"] == str(traces_dir / known.file)
    assert data["terms"] == known.terms
    assert "checksum" not in result.stderr


def test_fetch_says_what_differs_and_what_is_not_checked(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(traces.fetch.FOLDER_VARIABLE, str(tmp_path))
    (tmp_path / "KTH-SP2-1996-2.1-cln.swf").write_text(GOOD)
    result = run("fetch", "kth-sp2")
    assert result.exit_code == 0
    assert "differs from the archive's copy (checksum)" in result.stderr
    (tmp_path / "eagle_data.csv").touch()
    assert "eagle_data.csv is not checked" in run("fetch", "eagle").stderr


def test_fetch_without_a_connection_says_what_to_do_in_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        host = f"127.0.0.1:{taken.getsockname()[1]}"
        monkeypatch.setattr(entry, "ARCHIVE", f"http://{host}/")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setenv(traces.fetch.FOLDER_VARIABLE, str(tmp_path))
        monkeypatch.setattr(traces.fetch, "_cache", lambda: tmp_path / "cache")
        result = run("fetch", "kth-sp2")
    assert result.exit_code == 2
    assert not result.stdout
    assert result.stderr == (
        f"shadowtime: kth-sp2 could not be downloaded (no connection to {host}): get it from"
        f" http://{host}/l_kth_sp2/KTH-SP2-1996-2.1-cln.swf.gz and save it as"
        f" KTH-SP2-1996-2.1-cln.swf.gz in the folder {tmp_path}\n"
    )


def test_fetch_without_a_name_lists_what_there_is(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(traces.fetch.FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.setattr(traces.fetch, "_cache", lambda: tmp_path / "none")
    (tmp_path / "KTH-SP2-1996-2.1-cln.swf").touch()
    for year in (2015, 2016):
        (tmp_path / f"ANL-ALCF-DJC-MIRA_{year}0101_{year}1231.csv").touch()
    data = json.loads(run("fetch", "--json").stdout)["logs"]
    places = {log["name"]: log["place"] for log in data}
    assert list(places) == traces.catalog.names()
    assert places["kth-sp2"] == "here"
    assert places["mira"] == "here, in parts"
    assert (places["ctc-sp2"], places["intrepid"]) == ("download", "by hand")
    table = run("fetch").stdout
    for log in traces.catalog.ENTRIES:
        assert log.machine in table
        assert log.period in table


@pytest.mark.parametrize(
    "name,message",
    [
        ("nothing", "no log called 'nothing'"),
        ("teaching", "teaching is part of shadowtime"),
        ("intrepid", "fill in the form"),
    ],
)
def test_fetch_of_what_cannot_be_fetched_is_one_line(run: Run, name: str, message: str) -> None:
    result = run("fetch", name)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert not result.stdout


def test_generate_writes_the_same_log_for_the_same_seed(run: Run, tmp_path: Path) -> None:
    options = ["--jobs", 300, "--nodes", 64, "--load", 0.7]
    contents = []
    for name, seed in {"a.swf": 1, "b.swf": 1, "c.swf": 2}.items():
        result = run("generate", tmp_path / name, *options, "--seed", seed)
        assert result.exit_code == 0
        assert "300 jobs for 64 nodes, offered load 0.70" in result.stdout
        contents.append((tmp_path / name).read_text())
    assert contents[0] == contents[1] != contents[2]
    jobs = traces.read(tmp_path / "a.swf")
    assert (len(jobs), jobs.machine_nodes) == (300, 64)


def test_generate_packs_by_the_ending(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "log.swf.gz"
    options = ["--jobs", 5, "--nodes", 8, "--seed", 1, "--variant", "one-type"]
    assert run("generate", path, *options).exit_code == 0
    assert path.read_bytes()[:2] == b"\x1f\x8b"
    assert len(traces.read(path)) == 5
