"""``predict``, ``hybrid`` and ``study``: tables, JSON, files, and going on after Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import Result

from shadowtime import Workload, prediction, traces
from shadowtime.cli.workers import INTERRUPTED
from shadowtime.prediction.splits import DAY
from shadowtime.replay import cells

pd = pytest.importorskip("pandas")
pytest.importorskip("xgboost")

Run = Callable[..., Result]
QUICK = ("--predictors", "request,last2", "--window-days", 5, "--jobs", 1)


def made(path: Path, jobs: int, days: int) -> Path:
    """Write a log of jobs in two queues, as SWF."""
    rng = np.random.default_rng(5)
    estimate = rng.integers(600, 7200, size=jobs)
    log = Workload(
        id=range(1, jobs + 1),
        submit=np.sort(rng.integers(0, days * DAY, size=jobs)),
        nodes=rng.integers(1, 9, size=jobs),
        estimate=estimate,
        runtime=np.maximum(40, (estimate * rng.uniform(0.1, 1, size=jobs)).astype(int)),
        extra={
            "wait": rng.integers(0, 3600, size=jobs).tolist(),
            "user": rng.integers(1, 6, size=jobs).tolist(),
            "queue": rng.integers(1, 3, size=jobs).tolist(),
        },
        machine_nodes=64,
    )
    traces.write(log, path)
    return path


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("logs") / "made.swf", jobs=300, days=8)


def evaluated(trace: Path) -> prediction.Predictions:
    log = prediction.prepare(traces.read(trace))
    return prediction.evaluate(log, ["request", "last2"], window_days=5, progress=False)


def test_predict_prints_the_measures(run: Run, trace: Path) -> None:
    result = run("predict", trace, *QUICK)
    assert result.exit_code == 0, result.output
    scores: Any = evaluated(trace).scores()
    row = next(line for line in result.stdout.splitlines() if line.startswith("last2"))
    assert f"{scores.loc['last2', 'A_geo']:.3f}" in row
    assert "days on which a predictor is better than request" in result.stdout


def test_predict_as_json_is_one_object(run: Run, trace: Path) -> None:
    result = run("predict", trace, *QUICK, "--json")
    told = json.loads(result.stdout)
    found = evaluated(trace)
    assert (told["splits"], told["compared"]) == (len(found.start), len(found))
    scores: Any = found.scores()
    for name, row in told["predictors"].items():
        assert row["A_mean"] == pytest.approx(scores.loc[name, "A_mean"])
    assert set(told["top_decile"]) == {"request", "last2"}
    assert set(told["win_rates"]["last2"]) == {"A_mean", "A_geo", "L_usage", "UnderRate"}


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
def test_predict_writes_every_prediction(
    run: Run, trace: Path, tmp_path: Path, ending: str
) -> None:
    file = tmp_path / f"planned.{ending}"
    result = run("predict", trace, *QUICK, "--out", file)
    assert result.exit_code == 0, result.output
    table = pd.read_parquet(file) if ending == "parquet" else pd.read_csv(file)
    expected = evaluated(trace).to_frame()
    assert table["job"].tolist() == expected["job"].tolist()
    assert table["planned_last2"].tolist() == pytest.approx(expected["planned_last2"].tolist())
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_two_processes_find_what_one_finds(run: Run, trace: Path) -> None:
    one, two = (
        run("predict", trace, "--window-days", 5, "--jobs", jobs, "--json").stdout
        for jobs in (1, 2)
    )
    assert json.loads(one) == json.loads(two)


def test_a_dask_cluster_of_two_processes_finds_what_one_process_finds(
    run: Run, trace: Path
) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        for command in ("predict", "hybrid"):
            here, there = (
                run(command, trace, "--window-days", 5, *where, "--json")
                for where in (("--jobs", 1), ("--dask", cluster.scheduler_address))
            )
            assert there.exit_code == 0, there.output
            assert json.loads(there.stdout) == json.loads(here.stdout)


@pytest.mark.parametrize("command", ["hybrid", "study"])
def test_an_interrupted_replay_goes_on(
    run: Run, trace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    options = ["--model", "last2", "--window-days", 5, "--corrections", "none,request"]
    options += ["--jobs", 1, "--json", "--out"]
    out, state = tmp_path / "replays.csv", tmp_path / "replays.csv.partial"
    if command == "study":
        options = ["--predictors", "request,last2", *options]
        out, state = tmp_path / "study", tmp_path / "study" / "state"
    kept: list[Any] = []
    keep = cells._append

    def keep_two(results: Any, row: dict[str, Any]) -> None:
        if len(kept) == 2:
            raise KeyboardInterrupt
        keep(results, row)
        kept.append(row)

    def keep_others(results: Any, row: dict[str, Any]) -> None:
        assert row not in kept
        keep(results, row)

    monkeypatch.setattr(cells, "_append", keep_two)
    result = run(command, trace, *options, out)
    assert result.exit_code == INTERRUPTED
    assert f"{state} keeps what is done: run the same command again" in result.stderr
    assert len(kept) == 2
    monkeypatch.setattr(cells, "_append", keep_others)
    again = run(command, trace, *options, out)
    assert again.exit_code == 0, again.output
    monkeypatch.setattr(cells, "_append", keep)
    whole = run(command, trace, *options, tmp_path / f"whole{out.suffix}")
    assert json.loads(again.stdout) == json.loads(whole.stdout)


def test_hybrid_tells_recall_and_replay(run: Run, trace: Path, tmp_path: Path) -> None:
    file = tmp_path / "replays.csv"
    options = ("--model", "last2", "--window-days", 5, "--corrections", "none,request")
    result = run(
        "hybrid", trace, *options, "--percentile", 80, "--jobs", 1, "--out", file, "--json"
    )
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["percentile"], told["model"]) == (80, "last2")
    assert {row["correction"] for row in told["partitions"]} == {"none", "request"}
    assert all(0 <= row["recall"] <= 1 for row in told["recall"])
    assert pd.read_csv(file)["mean_wait_hybrid"].tolist() == pytest.approx(
        [row["mean_wait_hybrid"] for row in told["partitions"]]
    )
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    shown = run("hybrid", trace, *options, "--jobs", 1)
    assert shown.exit_code == 0, shown.output
    assert "wait hybrid" in shown.stdout
    assert "the log's machine has 64" in shown.stderr


def test_study_fills_a_folder(run: Run, trace: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    folder = tmp_path / "study"
    options = (*QUICK, "--model", "last2", "--corrections", "none", "--out", folder)
    result = run("study", trace, *options)
    assert result.exit_code == 0, result.output
    assert "hybrid against the model" in result.stdout
    assert (folder / "table3.csv").is_file()
    assert (folder / "figure7.svg").is_file()
    assert json.loads((folder / "study.json").read_text())["settings"]["model"] == "last2"
    again = run("study", trace, *options, "--json")
    assert set(json.loads(again.stdout)["tables"]) >= {"table1", "table2", "table3", "table4"}


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("--predictors", "oracle"), "predictor = 'oracle'; it is one of request, last2"),
        (("--window-days", "0"), "window_days = 0"),
        (("--window-days", "100"), "there is no split after 100"),
        (("--out", "planned.xlsx"), "ends in .csv, .csv.gz, .parquet"),
        (("--out", "nowhere/planned.csv"), "there is no folder nowhere"),
    ],
)
def test_a_wrong_option_is_one_line(
    run: Run, trace: Path, arguments: tuple[str, ...], message: str
) -> None:
    result = run("predict", trace, "--jobs", 1, *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert len([line for line in result.stderr.splitlines() if "note:" not in line]) == 1


def test_a_missing_package_is_named(run: Run, trace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xgboost", None)
    result = run("predict", trace, "--window-days", 5, "--jobs", 1)
    assert result.exit_code == 2
    assert "needs the package xgboost: pip install 'shadowtime[all]'" in result.stderr


def test_ctrl_c_leaves_a_state_from_which_it_goes_on(tmp_path: Path) -> None:
    trace = made(tmp_path / "long.swf", jobs=4000, days=60)
    out = tmp_path / "planned.csv"
    state = tmp_path / "planned.csv.partial"
    command = [sys.executable, "-m", "shadowtime", "predict", str(trace), "--out", str(out)]
    command += ["--window-days", "1", "--jobs", "2", "--predictors", "request,xgboost"]
    running = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 120
    while not (state.exists() and state.read_text().count("\n") > 1):
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < deadline
        os.sched_yield()
    os.killpg(running.pid, signal.SIGINT)
    _, errors = running.communicate(timeout=120)
    assert running.returncode == INTERRUPTED
    assert f"{state} keeps what is done: run the same command again" in errors
    assert "Traceback" not in errors
    done = state.read_text().count("\n") - 1
    assert done >= 1
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    assert not state.exists()
    expected = prediction.evaluate(
        prediction.prepare(traces.read(trace)),
        ["request", "xgboost"],
        window_days=1,
        progress=False,
    ).to_frame()
    assert pd.read_csv(out)["planned_xgboost"].tolist() == pytest.approx(
        expected["planned_xgboost"].tolist()
    )
