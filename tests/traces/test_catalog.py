"""Logs are recognised by name, and the catalog says the truth about them."""

import re
from pathlib import Path

import pytest

from shadowtime import InputError
from shadowtime.traces import catalog, fetch, swf
from shadowtime.traces.entry import Entry
from shadowtime.traces.records import parse

LACKING = {
    "memory": ["used_memory", "requested_memory"],
    "queue": ["queue"],
    "user": ["user"],
    "wait": ["wait"],
    "requested times": ["estimate"],
    "size": ["nodes"],
}
"""What an entry says of a log in which these columns are unknown."""

by_name = pytest.mark.parametrize("log", catalog.ENTRIES, ids=catalog.names())


@by_name
def test_a_log_is_recognised_by_its_file_name(log: Entry) -> None:
    plain = log.file.removesuffix(".gz")
    for name in (log.file, plain, f"a/b/{log.file}", log.file.lower(), *log.also):
        assert catalog.find(name) is log
    assert catalog.entry(log.name) is catalog.entry(log.file) is log


def test_other_files_are_not_recognised() -> None:
    assert catalog.find("KTH-SP2-1996-2.swf.gz") is None
    assert catalog.find("") is None


def test_a_file_of_one_year_belongs_to_its_machine() -> None:
    for machine in ("mira", "intrepid", "theta"):
        file = f"ANL-ALCF-DJC-{machine.upper()}_20180101_20181231.csv.gz"
        assert catalog.find(file) is catalog.entry(machine)
    assert catalog.find("ANL-ALCF-DJC-POLARIS_20230101_20231231.csv.gz") is None
    assert catalog.find("eagle_data.csv.bz2") is catalog.entry("eagle")


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="no log called 'kth'; there are teaching, kth-sp2, ctc"):
        catalog.entry("kth")


@by_name
def test_an_entry_says_whence_under_which_terms_and_whom_to_thank(log: Entry) -> None:
    assert bool(log.folder) != bool(log.source)
    assert log.machine
    assert log.period
    assert log.lacks
    assert log.terms
    assert log.provider
    assert log.provider in log.acknowledgement
    if log.folder:
        assert log.url.startswith("https://www.cs.huji.ac.il/labs/parallel/workload/l_")
        assert log.url.endswith(f"/{log.file}")
        assert "Parallel Workloads Archive" in log.acknowledgement


@by_name
def test_a_log_of_one_file_has_a_checksum_unless_its_owner_keeps_it(log: Entry) -> None:
    assert bool(re.fullmatch("[0-9a-f]{64}", log.sha256)) != (
        log.name in {"mira", "intrepid", "theta", "eagle"}
    )


@pytest.mark.traces
@by_name
def test_an_entry_agrees_with_the_log(traces_dir: Path, log: Entry) -> None:
    path = traces_dir / log.file
    if not log.sha256:
        assert not path.exists()
        return
    assert fetch.is_genuine(log, path)
    if log.jobs and log.jobs < 30_000 and log.file.endswith(".swf.gz"):
        records = parse(path, clean=True)
        found = swf.survey(records)
        assert found.jobs == log.jobs
        assert found.processors == log.processors
        assert f"{found.first_submit:%Y-%m-%d} .. {found.last_submit:%Y-%m-%d}" == log.period
        for word, columns in LACKING.items():
            unknown = all(max(records.columns[column]) <= 0 for column in columns)
            assert not unknown or word in log.lacks.lower(), word
