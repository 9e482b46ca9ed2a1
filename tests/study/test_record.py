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

RECORDS = Path(__file__).parents[2] / "book" / "records"
RECORD = RECORDS / "study"
MIRA = RECORDS / "study-mira"

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
    "replay": {
        "log",
        "planned",
        "correction",
        "jobs",
        "mean_wait",
        "node_weighted_mean_wait",
        "max_wait",
        "backfilled",
    },
}
"""What chapter 4 reads."""


@pytest.mark.parametrize("record", [RECORD, MIRA])
def test_each_log_has_every_table_that_the_book_uses(record: Path) -> None:
    tables, facts = study.load(record)
    assert len(facts) >= 3
    for name, columns in COLUMNS.items():
        assert columns <= set(tables[name].columns), name
        assert set(tables[name]["log"]) == set(facts), name
    for log, told in facts.items():
        assert {"xgboost-cpu", "numpy", "python"} <= set(told["versions"]), log
        assert told["settings"]["seed"] == 0
        assert told["compared"] <= told["jobs"]


@pytest.mark.parametrize("record", [RECORD, MIRA])
def test_its_tables_agree_with_one_another(record: Path) -> None:
    """Shares sum to one, deciles to the whole, and partitions to what was replayed."""
    tables, facts = study.load(record)
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
@pytest.mark.parametrize(
    "folder, log", [(RECORD, "kth-sp2"), (MIRA, "mira-2018-1"), (MIRA, "mira-2018-2")]
)
@pytest.mark.usefixtures("traces_dir")
def test_a_run_gives_the_record(folder: Path, log: str) -> None:
    """Trees differ in their last digits from version to version; the rest is exact."""
    tables, facts = study.load(folder / log)
    [told] = facts.values()
    with ThreadPoolExecutor(2) as pool:
        found = evaluate(
            prepare(traces.load(log)),
            window_days=told["settings"]["window_days"],
            executor=pool,
            progress=False,
        )
    assert (len(found), len(found.start)) == (told["jobs"], told["splits"])
    for name, run in (("table1", found.scores()), ("figure5", found.by_decile())):
        keys = ["predictor", "decile"] if name == "figure5" else ["predictor"]
        table: Any = tables[name].set_index(keys)
        own: Any = run.reset_index().set_index(keys)
        for measure in ("A_mean", "A_geo", "UnderRate"):
            assert own[measure].tolist() == pytest.approx(table[measure].tolist(), abs=0.01)


def test_notes_say_what_was_left_out() -> None:
    for file in RECORDS.glob("study*/*/study.json"):
        for log in json.loads(file.read_text())["logs"].values():
            assert any("jobs found" in note for note in log["notes"])
