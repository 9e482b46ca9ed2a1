"""The benchmarks run. What they measure is for people to look at."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given

from benchmarks import readable
from shadowtime import Workload, simulate
from tests.strategies import workloads


@given(workload=workloads(max_jobs=10))
def test_a_repeated_log_is_as_loaded_as_the_log(workload: Workload) -> None:
    """Repeating keeps the jobs' own gaps, so that neither queue nor load grows."""
    longer = readable.repeated(workload, 3)
    assert len(longer) == 3 * len(workload)
    gaps = [b - a for a, b in pairwise(workload.submit)]
    again = [b - a for a, b in pairwise(longer.submit)]
    jobs = len(workload)
    assert again[: jobs - 1] == again[jobs : 2 * jobs - 1] == again[2 * jobs :] == gaps
    assert list(simulate(longer, "easy").start)[:1] == [workload.submit[0]]


def test_the_readable_engine_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "tiny.swf"
    jobs = "".join(
        f"{n} {n} -1 9 {n % 3 + 1} -1 -1 -1 9 -1 1 1 1 1 1 1 -1 -1\n" for n in range(1, 301)
    )
    log.write_text(f"; MaxProcs: 4\n{jobs}")
    readable.main([str(log), "--rounds", "1"])
    told = capsys.readouterr().out
    assert [float(ratio) > 0 for ratio in re.findall(r"time per job x ([\d.]+)", told)] == [
        True
    ] * 3
    assert all(int(speed.replace(",", "")) > 0 for speed in re.findall(r"([\d,]+) jobs/s", told))
