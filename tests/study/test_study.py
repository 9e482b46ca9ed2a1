"""The study, whole, on the log that ships with the package, and on queues like the study's own."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shadowtime import InputError, Workload, simulate, study, traces
from shadowtime.partitions import partitions
from shadowtime.prediction import accuracy, evaluate, prepare
from shadowtime.prediction.splits import DAY
from shadowtime.study import Study, whole

pd = pytest.importorskip("pandas")
pytest.importorskip("xgboost")

CORRECTIONS = ("none", "request")


@pytest.fixture(scope="module")
def teaching() -> Workload:
    return traces.load("teaching")


@pytest.fixture(scope="module")
def found(teaching: Workload) -> Study:
    with ThreadPoolExecutor(2) as pool:
        return study.run([teaching], corrections=CORRECTIONS, executor=pool, progress=False)


def rows(table: Any, *keys: str) -> dict[Any, Any]:
    indexed: dict[Any, Any] = table.set_index(list(keys)).to_dict("index")
    return indexed


def test_there_is_every_table_and_figure(found: Study) -> None:
    assert {f"table{number}" for number in range(1, 5)} <= set(found.tables)
    for name, table in found.tables.items():
        assert len(table), name
        assert set(table["log"]) == {"teaching"}, name


def test_the_tables_are_those_of_the_parts(found: Study, teaching: Workload) -> None:
    predictions = evaluate(prepare(teaching), progress=False)
    scores: Any = predictions.scores()
    for (_, name), row in rows(found.tables["table1"], "log", "predictor").items():
        assert row["A_geo"] == scores.loc[name, "A_geo"]
    valid = predictions.aligned()
    top = accuracy.deciles(valid.usage) == 10
    for (_, name), row in rows(found.tables["table2"], "log", "predictor").items():
        planned, runtime = valid.planned[name][top], valid.runtime[top]
        assert row["UnderRate"] == pytest.approx(float(np.mean(planned < runtime)))
        assert row["usage_share"] == pytest.approx(valid.usage[top].sum() / valid.usage.sum())
    days: Any = predictions.win_rates()
    for (_, measure), row in rows(found.tables["table3"], "log", "measure").items():
        assert row["request"] == days.loc[measure, "request"]
    gap = rows(found.tables["figure1"], "log")["teaching"]
    assert gap["A_geo_gap"] == pytest.approx(scores["A_geo"].max() - scores["A_geo"].min())
    assert gap["A_geo_gap"] > gap["A_mean_gap"]


def test_the_tail_holds_most_and_trees_underestimate_it(found: Study) -> None:
    """What the study saw on its three logs holds on the teaching log too."""
    top = rows(found.tables["table2"], "predictor")
    assert top["xgboost"]["usage_share"] > 0.6
    assert top["xgboost"]["UnderRate"] > 0.7
    assert top["request"]["UnderRate"] < 0.1
    deciles = rows(found.tables["figure5"], "predictor", "decile")
    assert deciles["request", 1]["A_geo"] < 0.1
    assert deciles["request", 10]["A_geo"] > 0.4


def test_every_replay_is_made_with_each_correction(found: Study) -> None:
    table = found.tables["figure7"]
    assert set(table["correction"]) == set(CORRECTIONS)
    assert len(table) == len(CORRECTIONS) * table["partition"].nunique()
    assert set(found.logs[0].replay.table["planned"]) == {"request", "last2", "xgboost", "hybrid"}
    waits = rows(table[table["queue"] == "long"], "correction")
    assert waits["none"]["mean_wait_xgboost"] > waits["request"]["mean_wait_xgboost"]


def test_what_it_takes_to_repeat_it_is_said(found: Study) -> None:
    facts = found.facts()
    assert facts["settings"]["seed"] == 0
    assert "numpy" in facts["versions"]
    assert facts["logs"]["teaching"]["splits"] == len(found.logs[0].predictions.start)
    assert any("left out, run time of 30 s or less" in each
               for each in facts["logs"]["teaching"]["notes"])  # fmt: skip


def test_it_is_written_to_a_folder(found: Study, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    files = found.save(tmp_path / "new" / "folder")
    names = {file.name for file in files}
    assert {f"figure{number}.svg" for number in (1, 2, 4, 5, 7)} <= names
    assert {"table1.csv", "table4.csv", "over_years.csv", "study.json"} <= names
    table = pd.read_csv(tmp_path / "new/folder/table1.csv")
    assert table["A_geo"].tolist() == pytest.approx(
        found.tables["table1"]["A_geo"].tolist(), rel=1e-5
    )
    facts = json.loads((tmp_path / "new/folder/study.json").read_text())
    assert facts["settings"]["predictors"] == ["request", "last2", "xgboost"]


def test_what_is_written_is_read_again(found: Study, tmp_path: Path) -> None:
    found.save(tmp_path / "one", figures=False)
    for folder in (tmp_path, tmp_path / "one"):
        tables, facts = study.load(folder)
        assert set(tables) == set(found.tables)
        for name, table in found.tables.items():
            pd.testing.assert_frame_equal(tables[name], table, check_dtype=False, rtol=1e-5)
        assert facts["teaching"]["settings"]["seed"] == 0
        assert facts["teaching"]["notes"] == found.logs[0].notes
    found.save(tmp_path / "two", figures=False)
    with pytest.raises(InputError, match="two studies of teaching"):
        study.load(tmp_path)
    with pytest.raises(InputError, match=r"no study\.json"):
        study.load(tmp_path / "three")


def test_partitions_are_put_together_job_by_job(found: Study) -> None:
    log = found.logs[0]
    compared, planned = log.predictions.jobs()
    machines = log.replay.table.set_index("partition")["nodes"].to_dict()
    table = rows(found.tables["replay"], "planned", "correction")
    wait, nodes, backfilled = [], [], 0
    for part in partitions(compared):
        schedule = simulate(
            compared.select(part.rows),
            "easy",
            machines[part.name],
            overrun="extend",
            correction="request",
            planned=planned["last2"][part.rows].tolist(),
        )
        wait += list(schedule.wait())
        nodes += list(schedule.workload.nodes)
        backfilled += sum(schedule.backfilled)
    row = table["last2", "request"]
    assert (row["jobs"], row["backfilled"]) == (len(compared), backfilled)
    assert row["mean_wait"] == pytest.approx(np.mean(wait))
    assert row["node_weighted_mean_wait"] == pytest.approx(np.average(wait, weights=nodes))
    assert row["max_wait"] == max(wait)


def test_intervals_hold_what_was_measured(found: Study) -> None:
    scores = rows(found.tables["table1"], "predictor")
    for (name, measure), row in rows(found.tables["intervals"], "predictor", "measure").items():
        assert row["value"] == pytest.approx(scores[name][measure])
        assert row["low"] <= row["value"] <= row["high"]
        gap = scores[name][measure] - scores["request"][measure]
        if name != "request":
            assert row["value_versus_request"] == pytest.approx(gap)


def test_an_interrupted_study_goes_on(teaching: Workload, tmp_path: Path) -> None:
    short = teaching[:3600]
    options: dict[str, Any] = {
        "predictors": ["request", "last2"],
        "model": "last2",
        "corrections": ["none"],
        "folder": tmp_path,
        "progress": False,
    }
    with ThreadPoolExecutor(1) as pool:
        one = study.run([short], executor=pool, **options)
        file = tmp_path / "teaching.predictions.jsonl"
        lines = file.read_text().splitlines(keepends=True)
        file.write_text("".join(lines[: len(lines) // 2]))
        two = study.run([short], executor=pool, **options)
    for name, table in one.tables.items():
        pd.testing.assert_frame_equal(table, two.tables[name])


def test_queues_and_years_like_those_of_the_study() -> None:
    """Four years, two production queues: a fixture in the shape of Mira and Intrepid."""
    rng = np.random.default_rng(11)
    jobs, years = 2400, 4
    submit = np.sort(rng.integers(0, years * 365 * DAY, size=jobs))
    long = rng.random(jobs) < 0.3
    estimate = np.where(long, rng.integers(6, 24, jobs), rng.integers(1, 6, jobs)) * 3600
    made = Workload(
        id=range(jobs),
        submit=submit,
        nodes=512 * 2 ** rng.integers(0, 6, size=jobs),
        estimate=estimate,
        runtime=np.maximum(60, (estimate * rng.uniform(0.2, 1, size=jobs)).astype(int)),
        extra={
            "wait": rng.integers(0, 6 * 3600, size=jobs).tolist(),
            "user": rng.integers(1, 30, size=jobs).tolist(),
            "queue": np.where(long, "prod-long", "prod-short").tolist(),
        },
        machine_nodes=49_152,
        name="mira-like",
        header={"UnixStartTime": "1420070400"},
    )
    with ThreadPoolExecutor(2) as pool:
        found = study.run(
            [made],
            predictors=["request", "last2"],
            model="last2",
            corrections=CORRECTIONS,
            executor=pool,
            progress=False,
        )
    partitions = set(found.tables["figure7"]["partition"])
    expected = {f"prod-{queue}/{year}" for queue in ("long", "short") for year in range(2015, 2019)}
    assert partitions == expected
    assert set(found.tables["over_years"]["years"]) == {4}
    assert set(found.tables["table4"]["queue"]) == {"prod-long", "prod-short"}
    assert found.tables["table4"]["cost_recall"].between(0, 1).all()
    assert any("the log's machine has 49,152" in note for note in found.logs[0].notes)


def test_what_cannot_be_studied_is_named_before_it_is_predicted(
    teaching: Workload, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(whole, "evaluate")
    for arguments, message in (
        ({"model": "quantile"}, "predictor 'quantile' is not among request, last2, xgboost"),
        ({"predictors": ["last2"], "model": "last2"}, "predictor 'request' is not among last2"),
        ({"corrections": ["prayer"]}, "correction = 'prayer'"),
        ({"corrections": []}, "no correction to replay with"),
        ({"percentile": 101}, "percentile = 101"),
        ({"by": ["ueue"]}, "no column 'ueue'"),
    ):
        with pytest.raises(InputError, match=message):
            study.run([teaching], **arguments)
    with pytest.raises(InputError, match="no log to study"):
        study.run([])
