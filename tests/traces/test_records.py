"""Lines of an SWF log: which are jobs, which are comments, which are wrong."""

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime import InputError
from shadowtime.traces.records import FIELDS, parse

JOB = "7 10 0 60 4 -1 -1 4 90 -1 1 3 1 -1 2 -1 -1 -1"
COMMENT_OF_18_WORDS = "; " + " ".join("abcdefghijklmnopq")


def log(*lines: str | bytes) -> io.BytesIO:
    file = io.BytesIO(b"\n".join(x.encode() if isinstance(x, str) else x for x in lines))
    file.name = "log.swf"
    return file


def changed(**fields: str) -> str:
    """Return a job's line in which some fields are different."""
    values = dict(zip(FIELDS, JOB.split(), strict=True)) | fields
    return " ".join(values.values())


def test_fields_come_in_their_order() -> None:
    records = parse(log(" ".join(map(str, range(1, 19)))))
    assert {name: column[0] for name, column in records.columns.items()} == dict(
        zip(FIELDS, range(1, 19), strict=True)
    )


@pytest.mark.parametrize("space", [" ", "   ", "\t", " \t "])
@pytest.mark.parametrize("end", ["", "\r", "  "])
def test_any_white_space_separates(space: str, end: str) -> None:
    assert parse(log(space + JOB.replace(" ", space) + end, JOB)).columns["runtime"][0] == 60


def test_comments_and_blank_lines_may_stand_anywhere_and_lines_are_counted_through() -> None:
    records = parse(log("; MaxProcs: 8", COMMENT_OF_18_WORDS, "", JOB, "  ;late", JOB))
    assert list(records.lines) == [4, 6]
    assert records.header["MaxProcs"].splitlines()[0] == "8"


def test_whole_values_are_ints_even_when_written_with_a_point_or_an_exponent() -> None:
    records = parse(log(changed(cpu_time="142.00"), changed(cpu_time="1.5e3")))
    assert list(map(repr, records.columns["cpu_time"])) == ["142", "1500"]


def test_one_fraction_makes_a_column_of_floats(tmp_path: Path) -> None:
    lines = [JOB] * 5000 + [changed(cpu_time="0.25"), JOB]
    records = parse(log(*lines))
    assert records.columns["cpu_time"][-3:].tolist() == [-1.0, 0.25, -1.0]
    assert len(records.columns["cpu_time"]) == len(records) == 5002


def test_fields_beyond_the_18_are_left_out_and_said() -> None:
    records = parse(log(JOB, JOB + " {1,2} q_2w 1:ppn=12", JOB + " x"))
    assert len(records) == 3
    assert records.report.notes == [
        "lines with more than 18 fields (up to 21): 2; only the 18 of SWF are read"
    ]


@pytest.mark.parametrize("limit", [1, 2, 4096, 5000])
def test_a_limit_stops_before_what_comes_later(limit: int) -> None:
    records = parse(log("; Note: x", *[JOB] * limit, "rubbish"), limit=limit)
    assert len(records) == records.report.records == limit


def test_comments_that_are_not_utf8_are_read_as_latin1_and_said() -> None:
    records = parse(log("; Installation: Umeå".encode("latin-1"), JOB))
    assert records.header["Installation"] == "Umeå"
    assert records.report.notes == ["the comment in line 1 is not UTF-8: read as Latin-1"]
    assert parse(log("; Installation: Umeå", JOB)).header["Installation"] == "Umeå"


DROP = "; pass clean=True (--clean) to drop such lines"

BAD_LINES = [
    ("1 2 3", ": 3 fields, SWF has 18 ('1 2 3')"),
    ("rubbish", ": 1 field, SWF has 18 ('rubbish')"),
    (" ".join(JOB.split()[:17]), f": 17 fields, SWF has 18 ('{JOB[:40]}...')"),
    (changed(runtime="6o"), ", job 7: runtime = '6o' is not a number"),
    (changed(estimate="nan"), ", job 7: estimate = 'nan' is not a number"),
    (changed(submit="inf"), ", job 7: submit = 'inf' is too large"),
    (changed(nodes="1e300"), ", job 7: nodes = '1e300' is too large"),
    (changed(used_memory="9" * 30), f", job 7: used_memory = '{'9' * 30}' is too large"),
    (changed(user="9" * 5000), f", job 7: user = '{'9' * 40}...' is too large"),
    (changed(nodes="1_000"), ", job 7: nodes = '1_000' is not a number"),
    (changed(nodes="0x10"), ", job 7: nodes = '0x10' is not a number"),
    (changed(nodes="1,5"), ", job 7: nodes = '1,5' is not a number"),
    (changed(id="J7"), ": id = 'J7' is not a number"),
    (changed(status="é"), ", job 7: status = 'é' is not a number"),
    (changed(status="٣"), ", job 7: status = '٣' is not a number"),
    (changed(id="#7", group="x"), ": id = '#7' is not a number"),
]


@pytest.mark.parametrize("line, complaint", BAD_LINES)
def test_a_line_that_is_not_swf_is_an_error_that_says_where_and_what(
    line: str, complaint: str
) -> None:
    with pytest.raises(InputError) as error:
        parse(log("; MaxProcs: 8", JOB, line, JOB))
    assert str(error.value) == "log.swf line 3" + complaint + DROP


@pytest.mark.parametrize("line, complaint", BAD_LINES)
def test_cleaning_drops_and_counts_such_lines(line: str, complaint: str) -> None:
    records = parse(log("; MaxProcs: 8", JOB, line, line, JOB), clean=True)
    assert list(records.lines) == [2, 5]
    assert records.report.records == 4
    [(reason, count)] = records.report.dropped.items()
    assert count == 2
    assert records.report.first == {reason: "log.swf line 3" + complaint}


@pytest.mark.parametrize(
    "lines, message",
    [
        (["; MaxProcs: 8", ";"], "log.swf: the file has no job, only comments or blank lines"),
        (["", "  "], "log.swf: the file has no job, only comments or blank lines"),
        ([JOB + "\r" + JOB], "log.swf line 1: lines end in CR alone; use LF or CR LF"),
    ],
)
@pytest.mark.parametrize("clean", [False, True])
def test_a_file_without_jobs_is_an_error_even_when_cleaning(
    lines: list[str], message: str, *, clean: bool
) -> None:
    with pytest.raises(InputError) as error:
        parse(log(*lines), clean=clean)
    assert str(error.value) == message


def test_a_file_in_another_format_is_an_error_even_when_cleaning() -> None:
    with pytest.raises(InputError, match=r"line 1: 1 field, SWF has 18 .* no line .* is SWF$"):
        parse(log("JobID|User|State", "1|ann|COMPLETED"), clean=True)


def test_a_limit_is_at_least_1() -> None:
    with pytest.raises(InputError, match="limit = 0; it must be 1 or more"):
        parse(log(JOB), limit=0)


FIELD_TEXTS = st.one_of(
    st.integers().map(str),
    st.floats().map(repr),
    st.sampled_from(["-1", "nan", "-inf", "1e999", "1_0", "9007199254740993", "9" * 20, ""]),
    st.text(max_size=5),
)
LINES = st.one_of(
    st.binary(max_size=60),
    st.lists(FIELD_TEXTS, min_size=16, max_size=20).map(lambda texts: " ".join(texts).encode()),
    st.just(JOB.encode()),
)


@settings(deadline=None)
@given(st.lists(LINES, max_size=6), st.booleans())
def test_whatever_the_file_holds_nothing_but_an_input_error_comes_of_it(
    lines: list[bytes],
    clean: bool,  # noqa: FBT001
) -> None:
    try:
        records = parse(log(*lines), clean=clean)
    except InputError as error:
        message = str(error)
        assert "\n" not in message
    else:
        assert {len(column) for column in records.columns.values()} == {len(records)}
        assert records.report.records == len(records) + sum(records.report.dropped.values())
