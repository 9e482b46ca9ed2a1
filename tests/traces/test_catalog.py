"""Logs are recognised by name, and the catalog says the truth about them."""

import re
from pathlib import Path

import pytest

from shadowtime import InputError
from shadowtime.traces import catalog, fetch, swf

by_name = pytest.mark.parametrize("log", catalog.ENTRIES, ids=catalog.names())


@by_name
def test_a_log_is_recognised_by_its_file_name(log: catalog.Entry) -> None:
    stem = log.file.removesuffix(".swf.gz")
    for name in (log.file, f"{stem}.swf", f"a/b/{log.file}", log.file.lower()):
        assert catalog.find(name) is log
    assert catalog.entry(log.name) is catalog.entry(log.file) is log


def test_other_files_are_not_recognised() -> None:
    assert catalog.find("KTH-SP2-1996-2.swf.gz") is None
    assert catalog.find("") is None


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="no log called 'kth'; there are teaching, kth-sp2, ctc"):
        catalog.entry("kth")


@by_name
def test_an_entry_says_whence_under_which_terms_and_whom_to_thank(log: catalog.Entry) -> None:
    assert re.fullmatch("[0-9a-f]{64}", log.sha256)
    assert bool(log.url) != bool(log.source)
    assert log.terms
    assert log.provider in log.acknowledgement
    assert log.file.endswith(".swf.gz")
    if log.url:
        assert log.url.startswith("https://www.cs.huji.ac.il/labs/parallel/workload/l_")
        assert "Parallel Workloads Archive" in log.acknowledgement


@pytest.mark.traces
@by_name
def test_an_entry_agrees_with_the_log(traces_dir: Path, log: catalog.Entry) -> None:
    path = traces_dir / log.file
    assert fetch.is_genuine(log, path)
    if log.jobs < 30_000:
        found = swf.survey(path)
        assert found.jobs == log.jobs
        assert found.processors == log.processors
        assert f"{found.first_submit:%Y-%m-%d} .. {found.last_submit:%Y-%m-%d}" == log.period
