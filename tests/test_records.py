"""Results on logs that are not on every machine."""

import json
from pathlib import Path
from typing import Any

import pytest

from shadowtime import InputError, Workload, records

LINE = "{id} {submit} -1 60 4 -1 -1 4 90 -1 1 7 1 -1 2 -1 -1 -1\n"


@pytest.fixture
def kth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which a small file stands for the log."""
    lines = [LINE.format(id=i, submit=10 * i) for i in range(1, 6)]
    text = "; MaxProcs: 8\n" + "".join(lines)
    (tmp_path / "KTH-SP2-1996-2.1-cln.swf").write_text(text)
    monkeypatch.setenv("SHADOWTIME_TRACES", str(tmp_path))
    return tmp_path


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SHADOWTIME_TRACES", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def jobs(workload: Workload) -> Any:
    return {"jobs": len(workload), "submits": list(workload.submit)}


def test_a_record_is_written_and_recalled_without_the_log(
    kth: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = kth / "records" / "jobs.json"
    result = records.replayed("kth-sp2", jobs, record)
    assert result == {"jobs": 5, "submits": [10, 20, 30, 40, 50]}
    assert json.loads(record.read_text())["log"] == "kth-sp2"
    monkeypatch.delenv("SHADOWTIME_TRACES")
    monkeypatch.setenv("XDG_CACHE_HOME", str(kth / "empty"))

    def never(_: Workload) -> Any:
        raise AssertionError("computed without the log")

    assert records.replayed("kth-sp2", never, record) == result


def test_with_the_log_the_result_is_computed_and_must_agree(kth: Path) -> None:
    record = kth / "jobs.json"
    records.replayed("kth-sp2", jobs, record)
    with pytest.raises(InputError, match=r"result\['jobs'\] was 5 and is 6.*RENEW"):
        records.replayed("kth-sp2", lambda w: jobs(w) | {"jobs": 6}, record)
    with pytest.raises(InputError, match=r"result\['submits'\]\[2\] was 30 and is 31"):
        records.replayed("kth-sp2", lambda w: jobs(w) | {"submits": [10, 20, 31, 40, 50]}, record)


def test_a_meant_change_is_written(kth: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = kth / "jobs.json"
    records.replayed("kth-sp2", jobs, record)
    monkeypatch.setenv(records.RENEW, "1")
    assert records.replayed("kth-sp2", len, record) == 5
    assert json.loads(record.read_text())["result"] == 5


@pytest.mark.usefixtures("nowhere")
def test_without_log_and_record_the_error_names_both(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="neither the log kth-sp2 nor the record"):
        records.replayed("kth-sp2", jobs, tmp_path / "none.json")
