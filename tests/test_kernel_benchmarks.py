"""The benchmarks run. What they measure is for people to look at."""

import json
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="the compiled engine needs the extra 'fast'")

from benchmarks import kernels, redraw, sweep
from benchmarks.figures import Figure, write


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with a log of the name that is asked for."""
    jobs = "".join(
        f"{n} {n * 3} -1 9 {n % 3 + 1} -1 -1 -1 9 -1 1 1 1 1 1 1 -1 -1\n" for n in range(1, 301)
    )
    (tmp_path / kernels.KTH).write_text(f"; MaxProcs: 4\n{jobs}")
    return tmp_path


def test_the_compiled_engine_is_measured(logs: Path) -> None:
    few = ["--rounds", "1", "--many", "900", "--overload", "700", "--largest", "1000"]
    figures = kernels.main([str(logs), *few])
    found = {figure.what: figure for figure in figures}
    assert found["easy, KTH-SP2 x 4, 1,200 jobs"].unit == "jobs/s"
    assert found["easy, a job of 900 over one of 300"].target == "<= 1.5"
    assert found["easy, load 1.5, 700 jobs"].remark.endswith("jobs wait")
    assert found["read, easy, summary of 1,000 jobs: memory"].unit == "GiB"
    assert len(found) == len(figures)
    assert all(figure.value > 0 for figure in figures)


def test_a_sweep_on_two_workers_is_measured() -> None:
    figures = sweep.main(["--jobs", "20", "--rounds", "1"])
    assert [figure.unit for figure in figures] == ["x", "x"]
    assert all(figure.value > 0 for figure in figures)


def test_redrawing_in_a_notebook_is_measured(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shadowtime.live.assets.script", lambda: "export default {}")
    figures = redraw.main([str(logs / kernels.KTH), "--jobs", "500", "--rounds", "1"])
    assert [figure.target for figure in figures] == ["<= 300", "<= 300"]
    assert all(figure.value > 0 for figure in figures)


@pytest.mark.parametrize(
    "target, met", [("<= 2", True), ("<= 1.4", False), (">= 1.5", True), (">= 2", False)]
)
def test_a_target_is_met_or_missed(target: str, met: bool) -> None:  # noqa: FBT001
    assert Figure("any", 1.5, "s", target).met is met


def test_the_record_names_the_machine_by_cores_and_memory_alone(tmp_path: Path) -> None:
    write([Figure("any", 1.5, "s", "<= 2"), Figure("other", 3, "x")], tmp_path / "record.json")
    record = json.loads((tmp_path / "record.json").read_text())
    assert set(record["machine"]) == {"cores", "memory_gib"}
    assert "numba" in record["versions"]
    assert [figure["met"] for figure in record["figures"]] == [True, None]
