"""A log of any format, written as SWF, is the same jobs, with its names told in the header."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime import Workload, partitions, prediction, traces
from shadowtime.traces.records import EXTRA
from shadowtime.traces.writing import STATUS

CORE = ("submit", "nodes", "estimate", "runtime")
NAMES = st.none() | st.sampled_from(["ann", "bob", "7", "a b", "änne", "-", "x;y", "5 ann"])
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.integers(1, 10**9) | st.from_regex(r"[1-9][0-9]{0,3}_[1-9]", fullmatch=True),
            "submit": st.integers(0, 2 * 10**9),
            "start": st.none() | st.integers(0, 2 * 10**9),
            "nodes": st.integers(1, 10**6),
            "estimate": st.integers(1, 10**7),
            "runtime": st.integers(0, 10**7),
            "user": NAMES,
            "queue": NAMES,
            "status": st.none() | st.sampled_from([*STATUS, "OTHER"]),
        }
    ),
    min_size=1,
    max_size=8,
    unique_by=lambda row: str(row["id"]),
)


def named(workload: Workload, key: str) -> list[Any]:
    """Return a column in the words of the header."""
    return partitions.column(workload, key)  # type: ignore[return-value]


def check_same(workload: Workload, again: Workload) -> None:
    """Check that both hold the same jobs, with the same names for what is numbered."""
    for key in CORE:
        assert list(getattr(again, key)) == list(getattr(workload, key))
    if all(isinstance(name, int) for name in workload.id):
        assert list(again.id) == list(workload.id)
    else:
        assert list(again.id) == list(range(1, len(workload) + 1))
    assert list(again.extra.get("wait", [])) == list(workload.extra.get("wait", []))
    for key in ("user", "group", "queue"):
        if key in workload.extra:
            texts = [" ".join(str(value).split()) for value in named(workload, key)]
            assert [str(value) for value in named(again, key)] == texts
    assert again.machine_nodes == workload.machine_nodes


@settings(max_examples=60)
@given(ROWS)
def test_a_table_of_names_survives_being_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]
) -> None:
    workload = traces.read(pd.DataFrame(rows, dtype=object), machine_nodes=10**6)
    path = tmp_path_factory.mktemp("logs") / "log.swf"
    notes = workload.to_swf(path)
    again = traces.read(path)
    check_same(workload, again)
    assert set(notes) <= set(again.header.get("Note", "").splitlines())
    first = path.read_bytes()
    assert again.to_swf(path) == []
    assert path.read_bytes() == first


def test_what_is_numbered_or_left_out_is_said_in_the_header_too(tmp_path: Path) -> None:
    workload = Workload(
        id=["7_1", 8],
        submit=[0, 1],
        nodes=[1, 1],
        estimate=[9, 9],
        runtime=[5, 5],
        extra={"user": ["ann", "bob"], "queue": ["long", None], "qos": ["a", "b"],
               "status": ["COMPLETED", "CANCELLED by 12"]},
        header={"Note": "cut at midnight"},
    )  # fmt: skip
    notes = traces.write(workload, tmp_path / "log.swf")
    assert notes == [
        "status: words are SWF's numbers: COMPLETED 1 (1), CANCELLED by 12 5 (1)",
        "user: 2 texts are numbered, see User",
        "queue: 1 texts are numbered, see Queue",
        "job numbers: 2 that are not all numbers are counted from 1",
        "columns that SWF does not have are left out: qos",
    ]
    again = traces.read(tmp_path / "log.swf")
    assert again.header["Note"].splitlines() == ["cut at midnight", *notes]
    assert again.header["User"] == "1 ann\n2 bob"
    assert list(again.extra["status"]) == [1, 5]
    assert partitions.column(again, "user") == ["ann", "bob"]


@pytest.mark.parametrize("word", [*STATUS, "RUNNING"])
def test_a_state_in_words_counts_like_its_number_in_prediction(tmp_path: Path, word: str) -> None:
    workload = Workload(
        id=[1, 2], submit=[0, 0], nodes=[1, 1], estimate=[99, 99], runtime=[60, 60],
        extra={"status": [word, "COMPLETED"], "wait": [0, 0]},
    )  # fmt: skip
    workload.to_swf(tmp_path / "log.swf")
    again = traces.read(tmp_path / "log.swf", machine_nodes=1)
    assert list(prediction.prepare(again).id) == list(prediction.prepare(workload).id)


def test_an_unknown_word_for_a_state_is_unknown_and_said(tmp_path: Path) -> None:
    workload = Workload(
        id=[1], submit=[0], nodes=[1], estimate=[9], runtime=[5], extra={"status": ["ODD"]}
    )
    assert workload.to_swf(tmp_path / "log.swf") == ["status: words are SWF's numbers: ODD -1 (1)"]
    assert "status" not in traces.read(tmp_path / "log.swf").extra


@pytest.mark.parametrize("first", [0, 1_714_564_800])
def test_unix_seconds_count_from_a_start_that_the_header_gives(tmp_path: Path, first: int) -> None:
    workload = Workload(id=[1], submit=[first], nodes=[1], estimate=[9], runtime=[5])
    workload.to_swf(tmp_path / "log.swf")
    again = traces.read(tmp_path / "log.swf")
    assert again.header.get("UnixStartTime") == ("0" if first else None)
    assert partitions.years(again) == [2024 if first else 1]


POZIDRIV = (
    "jobid,jobidraw,cluster,partition,qos,account,group,gid,user,uid,submit,eligible,start,end,"
    "elapsed,exitcode,state,nnodes,ncpus,reqcpus,reqmem,reqtres,alloctres,timelimit,nodelist,"
    "jobname"
)
REAL: dict[str, dict[str, Any]] = {
    "xdmod-pozidriv.sacct.log.gz": {"columns": POZIDRIV.split(","), "clean": True},
    "NREL-Eagle-2019-sample-1000.csv.gz": {},
    "ALCF-Mira-2018-window1.cobalt.log.gz": {},
    "KTH-SP2-1996-2.1-cln.swf.gz": {},
}


@pytest.mark.traces
@pytest.mark.parametrize("name", REAL)
def test_a_real_log_of_each_format_survives_being_written(
    traces_dir: Path, tmp_path: Path, name: str
) -> None:
    workload = traces.read(traces_dir / name, **REAL[name])
    workload.to_swf(tmp_path / "log.swf.gz")
    again = traces.read(tmp_path / "log.swf.gz")
    check_same(workload, again)
    assert set(again.extra) >= set(workload.extra) & set(EXTRA) - {"allocated"}
    assert partitions.years(again) == partitions.years(workload)
    parts = [(part.key, part.rows) for part in partitions.partitions(workload)]
    assert [(part.key, part.rows) for part in partitions.partitions(again)] == parts


def test_a_print_of_sacct_survives_being_written(tmp_path: Path) -> None:
    log = io.StringIO(
        "JobID|User|Partition|Submit|Start|Elapsed|NNodes|Timelimit|State\n"
        "7|ann|long|2024-05-01T12:00:00|2024-05-01T12:00:05|00:01:00|4|01:00:00|COMPLETED\n"
        "7|ann|long|2024-05-02T12:00:00|2024-05-02T12:00:05|00:01:00|4|01:00:00|NODE_FAIL\n"
    )
    workload = traces.read(log)
    workload.to_swf(tmp_path / "log.swf")
    check_same(workload, traces.read(tmp_path / "log.swf"))
