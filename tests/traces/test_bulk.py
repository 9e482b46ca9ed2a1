"""Reading many lines at once gives what reading line by line gives, or nothing."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.traces import records
from shadowtime.traces.bulk import columns

pytest.importorskip("numpy")

NUMBERS = st.integers(-99, 10**6)
TOKENS = st.one_of(
    NUMBERS.map(str),
    st.sampled_from(["-", "--1", "1-2", "-1-", "1.5", "1e3", "1_0", ";", "x", "+1", "9" * 20, ""]),
)
BLANKS = st.sampled_from([" ", "  ", "\t", " \t "])


def line_by_line(text: bytes, fields: int) -> list[list[int]] | None:
    rows = [line.split() for line in text.splitlines()]
    plain = all(
        len(row) == fields and all(token.removeprefix(b"-").isdigit() for token in row)
        for row in rows
    )
    table = [[int(token) for token in row] for row in rows] if plain else []
    return table if plain and all(abs(n) < 2**53 for row in table for n in row) else None


@given(st.lists(st.lists(TOKENS, min_size=2, max_size=4), min_size=1, max_size=6), BLANKS)
def test_odd_lines_are_left_for_a_closer_look(rows: list[list[str]], blank: str) -> None:
    text = "".join(f"{blank.join(row)}\n" for row in rows).encode()
    read = columns(text, len(rows), 3, 2**53)
    expected = line_by_line(text, 3)
    got = None if read is None else [list(row) for row in zip(*read, strict=True)]
    assert got == expected


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n"])
@given(rows=st.lists(st.lists(NUMBERS, min_size=18, max_size=18), min_size=1, max_size=20))
def test_whole_numbers_are_read(rows: list[list[int]], end: str) -> None:
    text = "".join(" ".join(map(str, row)) + end for row in rows).encode()
    read = columns(text, len(rows), 18, 2**53)
    assert read is not None
    assert [list(row) for row in zip(*read, strict=True)] == rows


def test_a_log_is_read_the_same_in_bulk(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"{n} {n * 7} -1 {n % 90} 4 -1 -1 4 90 -1 1 {n % 5} 1 -1 2 -1 -1 -1" for n in range(9)]
    lines[4] = "; a comment"
    lines[6] = lines[6].replace("90", "90.5")
    monkeypatch.setattr(records, "_BLOCK", 2)
    parsed = []
    for many in (0, 10**9):
        monkeypatch.setattr(records, "_MANY", many)
        parsed.append(records.parse(io.StringIO("\n".join(lines))))
    assert parsed[0] == parsed[1]
