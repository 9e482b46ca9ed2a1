"""The study of public logs that ships with the book: it is what a run gives, and it is whole."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from shadowtime import study, traces
from shadowtime.prediction import evaluate, prepare

pd = pytest.importorskip("pandas")
pytest.importorskip("xgboost")

RECORD = Path(__file__).parents[2] / "book" / "records" / "study"
KTH = "KTH-SP2-1996-2.1-cln"

COLUMNS = {
    "table1": {"log", "predictor", "jobs", "coverage", "A_mean", "A_geo", "UnderRate"},
    "table2": {"log", "predictor", "jobs", "usage_share", "A_mean", "A_geo", "UnderRate"},
    "table2_requested": {"log", "predictor", "usage_share", "A_mean", "A_geo", "UnderRate"},
    "table3": {"log", "measure", "days", "xgboost", "request", "equal"},
    "table4": {"log", "queue", "jobs", "tail", "routed", "recall", "cost_recall"},
    "figure1": {"log", "A_mean_gap", "A_geo_gap"},
    "figure2a": {"log", "decile", "usage_share"},
    "figure5": {"log", "predictor", "decile", "A_mean", "A_geo", "UnderRate"},
    "figure7": {"log", "queue", "year", "correction", "mean_wait_change", "backfilled_change"},
    "over_years": {"log", "queue", "correction", "years", "mean_wait_change", "backfilled_change"},
    "concentration": {"log", "joint_ratio", "top_decile"},
    "intervals": {"log", "predictor", "measure", "value", "low", "high"},
    "replay": {"log", "planned", "correction", "jobs", "mean_wait", "backfilled"},
}
"""What chapter 4 reads."""


def test_each_log_has_every_table_that_the_book_uses() -> None:
    tables, facts = study.load(RECORD)
    assert KTH in facts
    for name, columns in COLUMNS.items():
        assert columns <= set(tables[name].columns), name
        assert set(tables[name]["log"]) == set(facts), name
    for log, told in facts.items():
        assert {"xgboost-cpu", "numpy", "python"} <= set(told["versions"]), log
        assert told["settings"]["seed"] == 0
        assert told["compared"] <= told["jobs"]


def test_its_tables_agree_with_one_another() -> None:
    """Shares sum to one, deciles to the whole, and partitions to what was replayed."""
    tables, facts = study.load(RECORD)
    shares = tables["figure2a"].groupby("log")["usage_share"].sum()
    assert shares.tolist() == pytest.approx([1] * len(facts), abs=1e-4)
    deciles = tables["figure5"]
    jobs: dict[Any, int] = deciles.groupby(["log", "predictor"])["jobs"].sum().to_dict()
    for (log, _), count in jobs.items():
        assert count == facts[log]["compared"]
    replayed = tables["figure7"].groupby(["log", "correction"])["jobs"].sum()
    together = tables["replay"].groupby(["log", "correction"])["jobs"].max()
    assert replayed.to_dict() == together.to_dict()


@pytest.mark.traces
def test_a_run_on_kth_gives_the_record(traces_dir: Path) -> None:
    """Trees differ in their last digits from version to version; the rest is exact."""
    log = prepare(traces.read(traces_dir / f"{KTH}.swf.gz"))
    with ThreadPoolExecutor(2) as pool:
        found = evaluate(log, executor=pool, progress=False)
    tables, facts = study.load(RECORD / "kth-sp2")
    assert (len(found), len(found.start)) == (facts[KTH]["jobs"], facts[KTH]["splits"])
    for name, run in (("table1", found.scores()), ("figure5", found.by_decile())):
        keys = ["predictor", "decile"] if name == "figure5" else ["predictor"]
        table: Any = tables[name].set_index(keys)
        own: Any = run.reset_index().set_index(keys)
        for measure in ("A_mean", "A_geo", "UnderRate"):
            assert own[measure].tolist() == pytest.approx(table[measure].tolist(), abs=0.01)


def test_notes_say_what_was_left_out() -> None:
    for file in RECORD.glob("*/study.json"):
        for log in json.loads(file.read_text())["logs"].values():
            assert any("jobs found" in note for note in log["notes"])
