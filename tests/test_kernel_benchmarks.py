"""The benchmark of the compiled engine runs. What it measures is for people to look at."""

import json
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="the compiled engine needs the extra 'fast'")

from benchmarks import kernels


def test_the_compiled_engine_is_measured(tmp_path: Path) -> None:
    jobs = "".join(
        f"{n} {n * 3} -1 9 {n % 3 + 1} -1 -1 -1 9 -1 1 1 1 1 1 1 -1 -1\n" for n in range(1, 301)
    )
    (tmp_path / kernels.KTH).write_text(f"; MaxProcs: 4\n{jobs}")
    record = tmp_path / "record.json"
    few = ["--rounds", "1", "--many", "900", "--overload", "700", "--largest", "1000"]
    kernels.main([str(tmp_path), *few, "--record", str(record)])
    lines = {line["what"]: line for line in json.loads(record.read_text())["lines"]}
    assert lines["easy"]["jobs"] == 1200
    assert lines["easy, again and again"]["jobs"] == 900
    assert lines["easy, load 1.5"]["remark"].endswith("jobs wait")
    assert lines["read, EASY, summary: the whole process"]["jobs"] == 1000
    assert all(line["seconds"] > 0 for line in lines.values())
