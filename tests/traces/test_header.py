"""A header is understood, and survives being written."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.traces import header as headers

COMMENTS = [
    ";   --- converted from accounting ---",
    "; Computer: IBM SP2",
    ";    UnixStartTime: 843480031   ",
    "; Information: http://www.pdc.kth.se/",
    ";              http://www.cs.huji.ac.il/labs/parallel/workload/",
    ";Queue:  0  interactive",
    "; Queue:  1  express",
    ";",
    "; Note: cleaned:",
    ";       user=21 left out (944 jobs)",
    ";   see: the archive",
    "",
    ";",
    ";  1|  2|  3",
]


def test_keys_repetitions_continuations_and_loose_text_are_told_apart() -> None:
    assert headers.understand(COMMENTS) == {
        "": "--- converted from accounting ---\n1|  2|  3",
        "Computer": "IBM SP2",
        "UnixStartTime": "843480031",
        "Information": ("http://www.pdc.kth.se/\nhttp://www.cs.huji.ac.il/labs/parallel/workload/"),
        "Queue": "0  interactive\n1  express",
        "Note": "cleaned:\nuser=21 left out (944 jobs)\nsee: the archive",
    }


TEXTS = st.text(st.sampled_from(string.ascii_letters + string.digits + ".,=()/ "), max_size=20)
KEYS = st.sampled_from(["MaxProcs", "Queue", "Note", "X_1"])


@settings(deadline=None)
@given(st.dictionaries(KEYS, st.lists(TEXTS.map(str.strip), min_size=1).map("\n".join)))
def test_what_is_written_is_understood_again(header: dict[str, str]) -> None:
    understood = headers.understand(headers.comments(header))
    assert {key: text.split() for key, text in understood.items() if text.split()} == {
        key: text.split() for key, text in header.items() if text.split()
    }
    assert headers.understand(headers.comments(understood)) == understood


@pytest.mark.parametrize(
    "text, size",
    [
        ("100", 100),
        ("338 (batch partition; 512 total)", 338),
        ("1664 (72, 1368, 224)", 1664),
        ("70  (dual)", 70),
        ("93,312", 93312),
        ("400\n200", 400),
        ("-1", None),
        ("unknown", None),
        ("9" * 5000, 999_999_999_999_999),
    ],
)
def test_the_number_at_the_start_of_an_entry_counts(text: str, size: int | None) -> None:
    assert headers.number({"MaxProcs": text}, "MaxProcs") == size


@pytest.mark.parametrize(
    "header, size, sentence",
    [
        ({"MaxProcs": "100", "MaxNodes": "100"}, 100, ""),
        ({"MaxProcs": "100"}, 100, ""),
        ({"MaxProcs": "100", "MaxNodes": "-1"}, 100, ""),
        (
            {"MaxProcs": "1152", "MaxNodes": "144"},
            1152,
            "MaxProcs = 1152, MaxNodes = 144: jobs and machine are counted in processors",
        ),
        ({"MaxNodes": "64"}, 64, "the header has no MaxProcs: the machine size is MaxNodes = 64"),
        (
            {"MaxProcs": "0"},
            None,
            "the header gives no machine size (MaxProcs or MaxNodes)",
        ),
        ({}, None, "the header gives no machine size (MaxProcs or MaxNodes)"),
    ],
)
def test_the_machine_size_is_maxprocs_and_doubts_are_said(
    header: dict[str, str], size: int | None, sentence: str
) -> None:
    assert headers.machine_size(header) == (size, sentence)


def test_queues_and_partitions_have_names() -> None:
    header = {"Queue": "0  interactive\n1 - Normal jobs\n 2", "Partition": "1  batch (8 proc)"}
    assert headers.names(header, "Queue") == {0: "interactive", 1: "Normal jobs"}
    assert headers.names(header, "Partition") == {1: "batch (8 proc)"}
    assert headers.names({}, "Queue") == {}
