"""The benchmarks of prediction run. What they measure is for people to look at."""

import re
from pathlib import Path

import pytest

from shadowtime import traces
from shadowtime.study import load

pytest.importorskip("xgboost")
pytest.importorskip("pandas")

from benchmarks import prediction, study


def test_the_cost_of_rolling_evaluation_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "made.swf"
    traces.write(prediction.made(400).select(range(30)), log)
    options = ["--jobs", "1", "--every", "5", "--rounds", "1", "--window-days", "20"]
    prediction.main([str(log), *options, "--memory", "3000"])
    told = capsys.readouterr().out
    assert re.search(r"3,000 jobs: 0\.\d\d GiB at most", told)
    ratio = re.search(r"XGBRegressor alone .* x ([\d.]+)", told)
    assert ratio is not None
    assert float(ratio[1]) > 0
    assert re.search(r"\d+ splits in 1 processes: [\d.]+ s of wall time", told)


def test_the_study_of_public_logs_runs_on_the_teaching_log(tmp_path: Path) -> None:
    out = tmp_path / "study"
    options = ["--jobs", "2", "--window-days", "150", "--min-jobs", "20"]
    study.main(["teaching", "--out", str(out), "--state", str(tmp_path / "state"), *options])
    tables, facts = load(out)
    assert facts["teaching"]["splits"] > 0
    assert set(tables["table1"]["predictor"]) == {"request", "last2", "xgboost"}
    assert not list(out.glob("*/*.svg"))
