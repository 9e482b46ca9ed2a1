"""The benchmark of the replay figure runs on the built book."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from shadowtime import traces

pytestmark = pytest.mark.browser


def test_the_page_is_measured(book_folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "some.swf"
    traces.write(traces.load("teaching")[:200], log)
    options = ["--html", str(book_folder), "--rounds", "1", "--jobs", "300"]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.redraw", str(log), *options],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert not done.returncode, done.stderr
    milliseconds = re.findall(r"^page, .*? ([\d.,]+) ms", done.stdout, re.MULTILINE)
    assert [float(each.replace(",", "")) > 0 for each in milliseconds] == [True] * 3
