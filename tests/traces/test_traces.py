"""The front door: one function for files of any format, one for logs by name."""

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import shadowtime
from shadowtime import InputError, traces

JOB = "7 10 0 60 4 -1 -1 4 90 -1 1 3 1 -1 2 -1 -1 -1\n"


def test_the_format_is_recognised_by_content_whatever_the_name(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text(JOB)
    assert len(traces.read(path)) == len(traces.read(io.StringIO(JOB))) == 1
    assert len(traces.read(path, format="swf", clean=True, limit=1)) == 1


HEADS = {
    "swf": "; MaxProcs: 8\n" + JOB,
    "cobalt": "12/01/2014 00:24:37;Q;368180;queue=default\n",
    "sacct": "JobID|User|Submit|Elapsed|NNodes|Timelimit\n",
    "alcf": "QUEUED_TIMESTAMP,START_TIMESTAMP,WALLTIME_SECONDS,RUNTIME_SECONDS\n",
    "eagle": "job_id,user,partition,wallclock_req,nodes_req,processors_req,submit_time,start_time,"
    "end_time,run_time,state\n",
    "table": "submit,nodes,estimate,runtime\n",
}


@pytest.mark.parametrize("name", traces.FORMATS)
def test_each_format_is_recognised_by_how_a_file_begins_and_by_no_other(name: str) -> None:
    file = io.BytesIO(HEADS[name].encode())
    assert traces.recognise(file) == name
    assert file.tell() == 0
    head = HEADS[name].encode()
    sniffed = [other for other in traces.FORMATS if getattr(traces, other).sniff(head)]
    assert sniffed == [name]


PIECES = st.sampled_from(
    [*'0123456789|,;:-_.=\n\t "\0é', "2024-05-01T12:00:00", "Unknown", "UNLIMITED", "\r\n",
     "1:00", "nan", "1e400", "9" * 30, "\udcff", "S;1;qtime=1 start=2 end=3"]
)  # fmt: skip


@pytest.mark.parametrize("name", traces.FORMATS)
@given(
    pieces=st.lists(PIECES, max_size=30),
    clean=st.booleans(),
    missing=st.sampled_from([None, "runtime", "drop", 60]),
)
def test_whatever_a_file_holds_it_is_a_workload_or_one_line_of_error(
    name: str,
    pieces: list[str],
    clean: bool,  # noqa: FBT001
    missing: Any,
) -> None:
    data = HEADS[name].encode() + "".join(pieces).encode("utf-8", "surrogateescape")
    try:
        workload = traces.read(io.BytesIO(data), clean=clean, missing_estimate=missing)
    except InputError as error:
        message = str(error)
        assert message.startswith("input")
        assert "\n" not in message
    else:
        report = workload.report
        assert len(workload) == report.kept
        assert report.records == report.kept + sum(report.dropped.values())


def test_an_option_that_a_format_does_not_have_is_an_error() -> None:
    with pytest.raises(InputError, match=r"^input: the format swf takes no zone$"):
        traces.read(io.StringIO(JOB), zone="UTC")


def test_columns_say_whether_a_file_is_a_table_or_a_print_of_sacct() -> None:
    mapping = {"submit": "a", "nodes": "b", "estimate": "c", "runtime": "d"}
    assert len(traces.read(io.StringIO("a,b,c,d\n0,1,2,3\n"), columns=mapping)) == 1
    names = ["JobID", "Submit", "NNodes", "Timelimit", "Elapsed"]
    line = "7|2024-05-01T12:00:00|4|1:00|0:30\n"
    assert traces.read(io.StringIO(line), columns=names)[0].runtime == 30


def test_a_broken_file_is_named_by_its_ending(tmp_path: Path) -> None:
    path = tmp_path / "log.swf.gz"
    path.write_text("1 2 3\n")
    with pytest.raises(InputError, match=r"log\.swf\.gz line 1: 3 fields, SWF has 18"):
        traces.read(path)


def test_an_unknown_format_is_an_error_that_lists_the_known_ones(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text("once upon a time\n")
    with pytest.raises(InputError, match=r"not recognised \(it begins 'once upon a time'\).*swf"):
        traces.read(path)
    with pytest.raises(InputError, match=r"there is no format 'pbs'; there are .*swf"):
        traces.read(path, format="pbs")


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.swf: there is no such file$"):
        traces.read(tmp_path / "nothing.swf")


def test_the_known_names_begin_with_the_log_that_needs_no_network() -> None:
    assert traces.names()[:2] == ["teaching", "kth-sp2"]


def test_the_teaching_log_comes_with_the_package_and_needs_neither_network_nor_cleaning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SHADOWTIME_TRACES", raising=False)
    workload = traces.load("Teaching")
    assert (workload.name, workload.report.source) == ("teaching", "teaching")
    assert (len(workload), workload.machine_nodes) == (5000, 128)
    assert workload.report.dropped == {}
    assert set(traces.header.names(workload.header, "Queue")) == set(workload.extra["queue"])
    assert len(traces.load("teaching", limit=10)) == 10


def test_the_package_has_no_other_attributes() -> None:
    name: Any = "nothing"
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        getattr(traces, name)


def test_reading_and_writing_need_nothing_but_the_standard_library(tmp_path: Path) -> None:
    source = Path(shadowtime.__file__).parents[1]
    (tmp_path / "log.swf").write_text("; MaxProcs: 8\n" + JOB)
    script = f"""
import sys
sys.path.insert(0, {str(source)!r})
from shadowtime import traces
workload = traces.read({str(tmp_path / "log.swf")!r})
traces.write(workload, {str(tmp_path / "copy.swf.gz")!r})
print(len(traces.read({str(tmp_path / "copy.swf.gz")!r})), traces.survey(workload).jobs)
"""
    # -S leaves out everything that was installed.
    run = [sys.executable, "-I", "-S", "-c", script]
    assert subprocess.run(run, check=True, capture_output=True, text=True).stdout == "1 1\n"


def test_prints_of_sacct_and_event_logs_need_nothing_but_the_standard_library(
    tmp_path: Path,
) -> None:
    source = Path(shadowtime.__file__).parents[1]
    (tmp_path / "sacct").write_text(
        "JobID|Submit|Elapsed|NNodes|Timelimit\n7|2024-05-01T12:00:00|1:00|4|2:00\n"
    )
    (tmp_path / "cobalt").write_text(
        "05/01/2024 12:00:00;E;7;qtime=1 start=2 end=3 Resource_List.nodect=4"
        " Resource_List.walltime=00:01:00\n"
    )
    script = f"""
import sys
sys.path.insert(0, {str(source)!r})
from shadowtime import traces
print([len(traces.read({str(tmp_path)!r} + "/" + name)) for name in ("sacct", "cobalt")])
"""
    run = [sys.executable, "-I", "-S", "-c", script]
    assert subprocess.run(run, check=True, capture_output=True, text=True).stdout == "[1, 1]\n"
