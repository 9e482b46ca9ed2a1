"""A table of jobs is read by a mapping of its columns, whatever it is made of."""

from __future__ import annotations

import gzip
import io
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime import InputError, Workload, partitions, simulate, traces
from shadowtime.traces import table, tablefile
from shadowtime.traces.clock import TWICE

NOON = 1_714_564_800  # 2024-05-01 12:00 UTC
MAPPING = {"submit": "queued_at", "nodes": "n", "estimate": "limit"}
ROW: dict[str, Any] = {
    "queued_at": "2024-05-01 12:00:00", "n": 4, "limit": 3600, "runtime": 60, "user": "ann",
}  # fmt: skip


def frame(*rows: dict[str, Any]) -> pd.DataFrame:
    """Return a table of rows given by what differs from a good one."""
    return pd.DataFrame([ROW | row for row in rows])


def as_csv(data: pd.DataFrame) -> io.BytesIO:
    file = io.BytesIO(data.to_csv(index=False).encode())
    file.name = "log.csv"
    return file


def as_parquet(data: pd.DataFrame) -> io.BytesIO:
    file = io.BytesIO()
    data.to_parquet(file)
    file.seek(0)
    file.name = "log.parquet"
    return file


def read(*rows: dict[str, Any], **options: Any) -> Workload:
    return table.read(as_csv(frame(*rows)), MAPPING, **options)


def notes(workload: Workload) -> list[str]:
    usual = ("machine", "read as UTC", "longer than requested", "run time of 0")
    return [note for note in workload.report.notes if not any(text in note for text in usual)]


def content(workload: Workload) -> list[Any]:
    own = [workload.id, workload.submit, workload.nodes, workload.estimate, workload.runtime]
    return [*map(list, own), {key: list(column) for key, column in workload.extra.items()}]


# Files


def test_a_table_is_read_by_a_mapping_of_its_columns() -> None:
    workload = read({}, {"n": 8, "user": None})
    assert content(workload) == [
        [1, 2], [NOON, NOON], [4, 8], [3600, 3600], [60, 60], {"user": ["ann", None]},
    ]  # fmt: skip
    assert (workload.name, workload.report.records) == ("log", 2)
    assert notes(workload) == []


def test_columns_by_our_names_need_no_mapping() -> None:
    names = {theirs: ours for ours, theirs in MAPPING.items()}
    data = frame({}).rename(columns=names)
    for source in (data, as_csv(data), as_parquet(data)):
        assert traces.recognise(source) == "table"
        assert traces.read(source)[0].nodes == 4


WHOLE = st.integers(0, 10**9)
VALUES = st.fixed_dictionaries(
    {
        "id": st.integers(0, 10**15),
        "submit": WHOLE,
        "nodes": st.integers(1, 10**6),
        "estimate": st.integers(1, 10**6) | st.floats(0.5, 1e6),
        "runtime": WHOLE | st.floats(0, 1e6),
        "wait": st.none() | WHOLE,
        "user": st.none() | st.text(st.characters(categories=["L"], codec="utf-8"), min_size=1),
        "queue": st.none() | st.integers(0, 50),
    }
)


@settings(max_examples=30)  # writing Parquet takes its time
@given(st.lists(VALUES, min_size=1, max_size=8, unique_by=lambda row: row["id"]))
def test_csv_parquet_and_frame_say_the_same_and_a_workload_survives_each(
    rows: list[dict[str, Any]],
) -> None:
    columns = {key: [row[key] for row in rows] for key in rows[0]}
    own: dict[str, Any] = {
        key: columns.pop(key) for key in ("id", "submit", "nodes", "estimate", "runtime")
    }
    extra = {key: column for key, column in columns.items() if set(column) != {None}}
    workload = Workload(**own, extra=extra)
    data = workload.to_frame()
    for source in (data, as_csv(data), as_parquet(data)):
        assert content(traces.read(source, "table")) == content(workload)


def test_a_file_may_be_packed_and_separated_otherwise(tmp_path: Path) -> None:
    for separator in ",;\t|":
        path = tmp_path / "log.csv.gz"
        path.write_bytes(gzip.compress(frame({}).to_csv(index=False, sep=separator).encode()))
        assert traces.read(path, columns=MAPPING)[0].nodes == 4


def test_a_big_file_is_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tablefile, "_PART", 3)
    rows: list[dict[str, Any]] = [{"n": n, "limit": None if n == 8 else 60} for n in range(1, 11)]
    data = frame(*rows)
    for source in (data, as_csv(data), as_parquet(data)):
        workload = table.read(source, MAPPING, clean=True)
        assert list(workload.id) == [1, 2, 3, 4, 5, 6, 7, 9, 10]
        place = workload.report.first["no requested time"]
        assert place.endswith("row 8, job 8: estimate is unknown")
    for source in (data, as_csv(data), as_parquet(data)):
        assert len(table.read(source, MAPPING, limit=7)) == 7
    with pytest.raises(InputError, match="limit = 0; it must be 1 or more"):
        table.read(data, MAPPING, limit=0)


def test_a_file_that_the_caller_opened_stays_open_and_is_recognised_first(tmp_path: Path) -> None:
    data = frame({}).rename(columns={theirs: ours for ours, theirs in MAPPING.items()})
    for file in (as_csv(data), as_parquet(data)):
        assert len(traces.read(file)) == 1
        assert not file.closed


@pytest.mark.parametrize(
    "content, message",
    [
        (b"", "log.csv: the file is empty"),
        (b"PAR1 and no more", "log.csv: the Parquet file is broken"),
        (b"queued_at,n,limit,runtime\n", "log.csv: the file has no job"),
        (b'queued_at,n,limit,runtime\n1,2,3,"4\n', "log.csv: not a table that can be read"),
    ],
)
def test_a_broken_file_is_one_clear_line(content: bytes, message: str) -> None:
    file = io.BytesIO(content)
    file.name = "log.csv"
    with pytest.raises(InputError) as error:
        table.read(file, MAPPING)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("clean", [False, True])
def test_a_csv_that_is_not_utf_8_is_one_clear_line_and_no_name_is_changed(clean: bool) -> None:  # noqa: FBT001
    data = frame(*[{}] * 5, {"user": "björn"}).to_csv(index=False)
    assert read({"user": "björn"}).extra["user"][0] == "björn"
    with pytest.raises(InputError, match=r"^input: byte 0xf6 is not UTF-8; save the table"):
        table.read(io.BytesIO(data.encode("latin-1")), MAPPING, clean=clean)


@pytest.mark.parametrize("place", [1, 2, 3])
def test_fields_too_many_are_an_error_or_counted_and_shift_nothing(place: int) -> None:
    lines = ["5,4,60,60", "6,4,60,60", "7,4,60,x"]
    lines.insert(place, "8,4,60,60,9")
    text = "\n".join(["queued_at,n,limit,runtime", *lines])
    with pytest.raises(InputError, match=f"^input row {place + 1}: 5 fields for 4 columns; pass"):
        table.read(io.StringIO(text), MAPPING)
    workload = table.read(io.StringIO(text), MAPPING, clean=True)
    assert list(workload.submit) == [5, 6]
    assert list(workload.id) == [row for row in (1, 2, 3) if row != place + 1][:2]
    assert workload.report.first["text where a number or a time belongs"].startswith(
        "input row 4" if place < 3 else "input row 3"
    )


def test_a_first_row_of_fields_too_many_is_an_error_even_when_cleaning() -> None:
    text = "queued_at,n,limit,runtime\n5,4,60,60,9\n6,4,60,60"
    with pytest.raises(InputError, match=r"^input: not a table that can be read"):
        table.read(io.StringIO(text), MAPPING, clean=True)


# Columns


@pytest.mark.parametrize("missing", ["queued_at", "n", "limit", "runtime"])
def test_a_column_that_is_needed_is_named(missing: str) -> None:
    names = MAPPING | {"runtime": "runtime"}
    ours = next(key for key, theirs in names.items() if theirs == missing)
    data = frame({}).drop(columns=missing)
    there = ", ".join(map(str, data))
    if ours != "runtime":
        with pytest.raises(InputError) as error:
            table.read(data, MAPPING)
        assert str(error.value) == (
            f"table: there is no column {missing!r} for {ours}; there are {there}"
        )
    with pytest.raises(InputError) as error:
        table.read(data, {key: name for key, name in MAPPING.items() if name != missing})
    assert str(error.value) == (
        f"table: no column is known to be {ours}; there are {there}; name it:"
        f" columns={{{ours!r}: ...}} (--columns {ours}=...)"
    )


def test_a_table_without_requests_can_take_the_run_time_for_them() -> None:
    data = frame({}).drop(columns="limit")
    names = {"submit": "queued_at", "nodes": "n"}
    assert list(table.read(data, names, missing_estimate="runtime").estimate) == [60]


def test_other_columns_are_taken_by_the_mapping_or_said_not_to_be_read() -> None:
    data = frame({"colour": "red", "shape": "round"})
    workload = table.read(data, MAPPING | {"hue": "colour"})
    assert list(workload.extra["hue"]) == ["red"]
    assert notes(workload) == ["columns that are not read: shape"]


def test_two_columns_of_one_name_are_an_error() -> None:
    data = frame({}).assign(other=1).rename(columns={"other": "n"})
    for source in (data, as_csv(data)):
        with pytest.raises(InputError, match="there are 2 columns called 'n'"):
            table.read(source, MAPPING)


def test_one_column_may_serve_twice() -> None:
    workload = table.read(frame({}), MAPPING | {"owner": "user", "user": "user"})
    assert list(workload.extra["owner"]) == list(workload.extra["user"]) == ["ann"]


def test_columns_can_be_worked_out() -> None:
    convert = {"runtime": lambda minutes: pd.to_numeric(minutes) * 60}
    assert read({"runtime": 2}, convert=convert).runtime[0] == 120


# Times and durations


@pytest.mark.parametrize(
    "value",
    [
        "2024-05-01 12:00:00",
        "2024-05-01T12:00:00Z",
        "2024-05-01T14:00:00+02:00",
        str(NOON),
        NOON,
        float(NOON),
        pd.Timestamp(NOON, unit="s"),
        pd.Timestamp(NOON, unit="s", tz="Asia/Tokyo"),
        datetime(2024, 5, 1, 12, tzinfo=UTC),
    ],
    ids=str,
)
def test_times_are_seconds_or_timestamps(value: Any) -> None:
    data = frame({"queued_at": value})
    for source in (data, as_csv(data), as_parquet(data)):
        assert list(table.read(source, MAPPING).submit) == [NOON]


def test_times_of_several_kinds_can_come_together() -> None:
    times = ["2024-05-01 12:00:00", "2024-05-01T14:00:00.5+02:00", str(NOON + 1), "2024-05-02"]
    workload = read(*({"queued_at": time} for time in times))
    assert list(workload.submit) == [NOON, NOON + 0.5, NOON + 1, NOON + 12 * 3600]


@pytest.mark.parametrize(
    "value, seconds",
    [
        (90, 90),
        (90.5, 90.5),
        ("90", 90),
        ("00:01:30", 90),
        ("1-00:00:00", 86_400),
        ("2-12", 216_000),
        (pd.Timedelta(minutes=2), 120),
    ],
    ids=str,
)
def test_durations_are_seconds_texts_or_timedeltas(value: Any, seconds: float) -> None:
    workload = table.read(frame({"limit": value, "runtime": value}), MAPPING)
    assert (workload.estimate[0], workload.runtime[0]) == (seconds, seconds)


def test_run_time_and_wait_follow_from_start_and_end() -> None:
    data = frame({"from": NOON + 5, "to": "2024-05-01 12:01:00"}).drop(columns="runtime")
    for source in (data, as_csv(data)):
        workload = table.read(source, MAPPING | {"start": "from", "end": "to"})
        assert (workload.runtime[0], workload.extra["wait"][0]) == (55, 5)


def test_without_a_zone_times_are_utc_and_that_is_said() -> None:
    said = "times without a zone are read as UTC (zone, --zone)"
    assert said in read({}).report.notes
    assert said not in read({"queued_at": "2024-05-01T12:00:00Z"}).report.notes
    assert said not in read({"queued_at": 5}).report.notes
    local = read({}, zone="Europe/Berlin")
    assert said not in local.report.notes
    assert local.submit[0] == NOON - 7200


@pytest.mark.parametrize("kind", [str, pd.Timestamp])
def test_times_near_a_change_of_the_clock_are_told_not_guessed(kind: Any) -> None:
    twice = {"queued_at": kind("2024-10-27 02:50:00"), "start": kind("2024-10-27 02:10:00")}
    workload = table.read(frame(twice), MAPPING, zone="Europe/Berlin")
    assert list(workload.extra["wait"]) == [20 * 60]
    (note,) = notes(workload)
    assert note == f"{TWICE}: 2 (first: table row 1, job 1: queued_at = 2024-10-27 02:50:00)"

    never = {"queued_at": kind("2024-03-31 02:30:00"), "start": kind("2024-03-31 04:00:00")}
    with pytest.raises(InputError) as error:
        table.read(frame(twice, never), MAPPING, zone="Europe/Berlin")
    assert str(error.value) == (
        "table row 2, job 2: queued_at = 2024-03-31 02:30:00 does not exist in Europe/Berlin;"
        " give the right zone, or pass clean=True (--clean) to drop such jobs"
    )
    report = table.read(frame(twice, never), MAPPING, zone="Europe/Berlin", clean=True).report
    assert report.dropped == {"time that the clock leaves out": 1}


# Faults


@pytest.mark.parametrize(
    "row, value",
    [
        ({"queued_at": "yesterday"}, "queued_at = yesterday is no time"),
        ({"queued_at": "05/01/2024 12:00"}, "queued_at = 05/01/2024 12:00 is no time"),
        ({"queued_at": "2024-05-01T12:00-0"}, "queued_at = 2024-05-01T12:00-0 is no time"),
        ({"queued_at": "0024-05-01 12:00:00"}, "submit = -61399339200"),
        ({"n": "9" * 30}, f"n = {'9' * 30} is no number"),
        ({"n": "four"}, "n = four is no number"),
        ({"n": "inf"}, "n = inf is no number"),
        ({"limit": "an hour"}, "limit = an hour is no duration"),
        ({"id": " "}, "the id is empty"),
        ({"n": -3}, "nodes = -3"),
        ({"n": None}, "nodes is unknown"),
        ({"runtime": -5}, "runtime = -5"),
        ({"limit": "UNLIMITED"}, "limit = UNLIMITED"),
        ({"limit": 0}, "estimate = 0"),
    ],
)
def test_a_bad_row_is_an_error_or_counted(row: dict[str, Any], value: str) -> None:
    good = {"id": 7} if "id" in row else {}
    rows = (good, row, row | ({"id": None} if good else {}))
    with pytest.raises(InputError) as error:
        read(*rows)
    name = "" if good else ", job 2"
    assert str(error.value).startswith(f"log.csv row 2{name}: {value}; pass ")
    report = read(*rows, clean=True).report
    assert list(report.dropped.values()) == [2]
    assert list(report.first.values()) == [f"log.csv row 2{name}: {value}"]


def test_the_first_row_at_fault_is_the_one_that_is_told() -> None:
    with pytest.raises(InputError, match="row 1, job 1: limit = x"):
        read({"limit": "x"}, {"queued_at": "y"})


def test_ids_are_numbers_or_texts_and_may_come_again_if_told_so() -> None:
    assert list(read({"id": "7"}, {"id": "7a"}, {"id": "007"}).id) == [7, "7a", "007"]
    rows: list[dict[str, Any]] = [{"id": 7}, {"id": 7, "queued_at": "2024-06-01"}]
    with pytest.raises(InputError, match=r"id = 7 is already in log\.csv row 1"):
        read(*rows)
    assert list(read(*rows, rename=True).id) == [7, "7#2"]


@pytest.mark.parametrize("value", ["", "NaN", "None", "Unknown", "NULL", "N/A"])
def test_words_for_unknown_are_unknown_where_a_number_belongs(value: str) -> None:
    workload = read({"limit": value, "user": value}, missing_estimate=60)
    assert list(workload.estimate) == [60]
    assert workload.extra.get("user", [""])[0] == value


CELLS = st.sampled_from(["", "x", "5", "-1", "0", "1:00", "inf", "2024-05-01", "2024-05-01T00:00Z"])


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(ROW, CELLS)), min_size=1, max_size=6))
def test_every_row_is_kept_or_counted(rows: list[dict[str, Any]]) -> None:
    report = read({}, *rows, clean=True).report
    assert report.records == len(rows) + 1
    assert report.kept + sum(report.dropped.values()) == len(rows) + 1


# The whole


def test_a_table_can_be_simulated_and_cut_by_queue_and_year() -> None:
    rows: list[dict[str, Any]] = [
        {"queue": "a"}, {"queue": "b", "queued_at": "2025-01-01"}, {"queue": "a", "n": 1},
    ]  # fmt: skip
    workload = traces.read(frame(*rows), columns=MAPPING, machine_nodes=4)
    assert [part.name for part in partitions.partitions(workload)] == ["a/2024", "b/2025"]
    assert len(simulate(workload).start) == 3


def test_a_frame_of_unknown_columns_says_which_it_lacks() -> None:
    with pytest.raises(InputError, match="table: no column is known to be submit; there are a, b"):
        traces.read(pd.DataFrame({"a": [1], "b": [2]}))


def test_without_pandas_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    file = as_csv(frame({}))
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match=r"log\.csv: tables need the package pandas: pip install"):
        table.read(file, MAPPING)
