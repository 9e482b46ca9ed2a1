"""The predictions that ship are those that the package makes of the teaching log."""

from pathlib import Path

import numpy as np
import pytest

from shadowtime import traces
from shadowtime.prediction import Predictions, accuracy, prepare, teaching
from tests.test_light import bare


@pytest.fixture(scope="module")
def made() -> Predictions:
    return teaching.make()


def test_the_jobs_are_those_of_all_split_days(made: Predictions) -> None:
    workload, planned = teaching.load()
    jobs = prepare(traces.load("teaching"))
    assert list(workload.id) == [jobs.id[row] for row in made.row]
    assert list(workload.extra["wait"]) == [jobs.extra["wait"][row] for row in made.row]
    assert planned["request"] == list(workload.estimate)


def test_the_last_two_runs_are_the_same_to_the_second(made: Predictions) -> None:
    _, planned = teaching.load()
    assert planned["last2"] == made.planned["last2"].round().astype(int).tolist()


def test_xgboost_says_the_same_within_what_builds_differ_by(made: Predictions) -> None:
    """Another build may grow another tree: of 20 predictions one may differ by more than 1 %.

    The measures of accuracy stay within 0.02, and jobs without a valid prediction within 1 %.
    """
    workload, planned = teaching.load()
    shipped, new = np.array(planned["xgboost"]), made.planned["xgboost"]
    close = np.abs(shipped - new) <= 1 + 0.01 * np.abs(new)
    assert close.mean() >= 0.95
    assert abs(np.mean(shipped > 0) - np.mean(new > 0)) <= 0.01
    both = (shipped > 0) & (new > 0)
    runtime = np.array(workload.runtime)[both]
    usage = np.array(workload.nodes)[both] * runtime
    one, other = (accuracy.scores(column[both], runtime, usage) for column in (shipped, new))
    for measure in ("A_mean", "A_geo", "UnderRate"):
        assert one[measure] == pytest.approx(other[measure], abs=0.02)


def test_the_file_is_written_as_it_is_read(made: Predictions, tmp_path: Path) -> None:
    first, again = tmp_path / "first.csv.gz", tmp_path / "again.csv.gz"
    teaching.write(made, first)
    teaching.write(made, again)
    assert first.read_bytes() == again.read_bytes()
    # Small enough for every reader of the page to load.
    assert first.stat().st_size < 20_000


def test_a_browser_reads_them_on_the_standard_library_alone() -> None:
    jobs = bare(
        """
        import json
        from shadowtime.prediction import teaching
        workload, planned = teaching.load()
        print(json.dumps([len(workload), *map(len, planned.values())]))
        """
    )
    assert jobs == [1981] * 4
