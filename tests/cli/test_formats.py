"""The commands on the logs that people have: job data of ALCF, Eagle's sample, days of Mira."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from shadowtime import traces
from tests import alcf

pytest.importorskip("pandas")
pytest.importorskip("xgboost")

Run = Callable[..., Result]
ONE = ("--jobs", 1)


@pytest.fixture(scope="module")
def mira(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("logs") / "ANL-ALCF-DJC-MIRA_20150101_20181231.csv.gz"
    return alcf.write(path, alcf.records(alcf.jobs(a_year=150)))


def test_info_says_whom_to_thank_for_job_data_of_alcf(run: Run, mira: Path) -> None:
    told = json.loads(run("info", mira, "--json").stdout)
    assert (told["jobs"], told["machine_nodes"]) == (600, 49_152)
    assert "DE-AC02-06CH11357" in told["acknowledgement"]
    assert "DE-AC02-06CH11357" in run("info", mira).stdout


def test_predict_works_on_job_data_of_alcf(run: Run, mira: Path) -> None:
    result = run("predict", mira, "--predictors", "request,last2", *ONE, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["compared"] > 400
    assert set(told["predictors"]) == {"request", "last2"}


def test_hybrid_replays_each_queue_and_year_of_mira(run: Run, mira: Path) -> None:
    result = run("hybrid", mira, "--model", "last2", *ONE, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert [row["partition"] for row in told["partitions"]] == [
        f"{queue}/{year}" for queue in sorted(alcf.QUEUES) for year in range(2015, 2019)
    ]
    assert all(row["nodes"] <= 49_152 for row in told["partitions"])
    assert {row["queue"] for row in told["recall"]} == set(alcf.QUEUES)
    assert [row["years"] for row in told["over_years"]] == [4, 4]


@pytest.mark.parametrize("command", ["predict", "hybrid"])
@pytest.mark.parametrize("name", ["eagle-sample", "mira-2018-1"])
@pytest.mark.traces
def test_a_short_log_needs_a_shorter_history_and_is_told_so(
    run: Run, traces_dir: Path, command: str, name: str
) -> None:
    result = run(command, name, *ONE)
    assert result.exit_code == 2
    assert result.stderr.startswith("shadowtime: " + traces.load(name, limit=1).name + ": the log")
    assert "there is no split after 100 days of history; give fewer" in result.stderr
    assert "--window-days" in result.stderr
    assert result.stderr.count("\n") == 1
    told = json.loads(run(command, name, "--window-days", 1, *ONE, "--json").stdout)
    assert told["compared"] > 500 if command == "predict" else told["partitions"]


@pytest.mark.traces
def test_logs_of_every_format_are_simulated(run: Run, traces_dir: Path, mira: Path) -> None:
    for trace in (mira, "eagle-sample", "mira-2014"):
        result = run("simulate", trace, "--policy", "easy", "--json")
        assert result.exit_code == 0, result.output
        assert json.loads(result.stdout)["jobs"] > 500
