"""The study by queue and year, on job data in ALCF's format for Mira and Intrepid.

What the package finds is compared with plain loops over the jobs as they were made.
"""

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from shadowtime import Workload, study, traces
from shadowtime.prediction import Jobs, LastN, UserReq, hybrid
from shadowtime.prediction.predictors import Predictor
from shadowtime.prediction.xgb import XGBoost
from shadowtime.study import Study
from tests import alcf

pd = pytest.importorskip("pandas")
pytest.importorskip("xgboost")

FORGOTTEN = 10_003
"""A user about whom one of the predictors says nothing."""


class Picky(LastN):
    """The mean of the user's last two jobs, but for one user."""

    def predict(self, jobs: Jobs) -> Any:
        """Return NaN for the jobs of that user, whose code is that of the made users."""
        found = super().predict(jobs)
        return np.where(jobs["user"] == FORGOTTEN - 10_000, np.nan, found)


@pytest.fixture(scope="module", params=list(alcf.MACHINES))
def made(request: pytest.FixtureRequest) -> Workload:
    return alcf.jobs(request.param)


@pytest.fixture(scope="module")
def found(made: Workload, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    path = tmp_path_factory.mktemp("alcf") / f"ANL-ALCF-DJC-{made.name.upper()}.csv.gz"
    log = traces.read(alcf.write(path, alcf.records(made)))
    predictors: list[Predictor] = [UserReq(), Picky(2), XGBoost(trees=20, seed=0)]
    with ThreadPoolExecutor(1) as pool:
        yield study.run(
            [log], predictors=predictors, corrections=["none"], executor=pool, progress=False
        )


def year(job: int, made: Workload) -> int:
    return datetime.fromtimestamp(made.submit[job], UTC).year


def compared(found: Study, made: Workload) -> dict[tuple[str, int], list[int]]:
    """Rows of the jobs that were replayed, by queue and year."""
    place = {job: row for row, job in enumerate(made.id)}
    jobs, _ = found.logs[0].predictions.jobs()
    groups: dict[tuple[str, int], list[int]] = {}
    for name in jobs.id:
        row = place[name]
        groups.setdefault((made.extra["queue"][row], year(row, made)), []).append(row)
    return groups


def test_partitions_are_the_queues_and_years_and_hold_their_jobs(
    found: Study, made: Workload
) -> None:
    groups = compared(found, made)
    table = found.logs[0].replay.table
    years = alcf.MACHINES[made.name][1]
    assert sorted(groups) == [(queue, y) for queue in sorted(alcf.QUEUES) for y in years]
    for row in table.to_dict("records"):
        key = row["queue"], row["year"]
        assert row["partition"] == f"{row['queue']}/{row['year']}"
        assert row["jobs"] == len(groups[key])
    assert set(table["planned"]) == {"request", "last2", "xgboost", "hybrid"}
    assert len(table) == 4 * len(groups)


def test_a_partition_has_the_nodes_that_its_jobs_held_at_once(found: Study, made: Workload) -> None:
    table = found.logs[0].replay.table
    nodes = {(row["queue"], row["year"]): row["nodes"] for row in table.to_dict("records")}
    for key, rows in compared(found, made).items():
        start = {row: made.submit[row] + made.extra["wait"][row] for row in rows}
        peak = max(
            sum(made.nodes[b] for b in rows if start[b] <= start[a] < start[b] + made.runtime[b])
            for a in rows
        )
        assert nodes[key] == peak
        assert peak <= alcf.MACHINES[made.name][0]


def test_only_jobs_that_every_predictor_knows_are_replayed(found: Study, made: Workload) -> None:
    predictions = found.logs[0].predictions
    assert 0 < predictions.coverage()["last2"] < 1
    place = {job: row for row, job in enumerate(made.id)}
    jobs, planned = predictions.jobs()
    users = {made.extra["user"][place[name]] for name in jobs.id}
    assert FORGOTTEN not in users
    assert len(users) == 11
    for name, column in planned.items():
        assert len(column) == len(jobs), name
        assert np.all(column > 0), name
    first = datetime.fromtimestamp(made.submit[0], UTC)
    begin = datetime(first.year, first.month, first.day, tzinfo=UTC).timestamp() + 100 * alcf.DAY
    assert min(jobs.submit) >= begin
    assert all(runtime > 30 for runtime in jobs.runtime)


def test_the_tenth_with_the_largest_requests_is_planned_as_requested(
    found: Study, made: Workload
) -> None:
    jobs, planned = found.logs[0].predictions.jobs()
    routed = hybrid.route(jobs, 90)
    place = {name: row for row, name in enumerate(jobs.id)}
    for rows in compared(found, made).values():
        cost = np.array([made.nodes[row] * made.estimate[row] for row in rows])
        mine = routed[[place[made.id[row]] for row in rows]]
        assert mine.tolist() == (cost > np.percentile(cost, 90)).tolist()
        assert 0 < mine.sum() <= math.ceil(len(rows) / 10)
    mixed = hybrid.combine(planned["request"], planned["xgboost"], routed)
    assert (mixed[routed] == np.asarray(jobs.estimate)[routed]).all()
    assert (mixed[~routed] == planned["xgboost"][~routed]).all()


def test_recall_is_the_share_of_the_true_tail_that_is_routed(found: Study, made: Workload) -> None:
    table = found.tables["table4"].set_index("queue")
    groups = compared(found, made)
    for queue in alcf.QUEUES:
        tail = hit = 0
        used = caught = 0.0
        for (name, _), rows in groups.items():
            if name != queue:
                continue
            asked = np.array([made.nodes[row] * made.estimate[row] for row in rows])
            took = np.array([made.nodes[row] * made.runtime[row] for row in rows])
            large, wanted = took > np.percentile(took, 90), asked > np.percentile(asked, 90)
            tail, hit = tail + large.sum(), hit + (large & wanted).sum()
            used, caught = used + took[large].sum(), caught + took[large & wanted].sum()
        assert table.loc[queue, "tail"] == tail
        assert table.loc[queue, "recall"] == pytest.approx(hit / tail)
        assert table.loc[queue, "cost_recall"] == pytest.approx(caught / used)


def test_changes_are_relative_to_the_model_and_averaged_over_years(found: Study) -> None:
    table = found.logs[0].replay.table.set_index(["queue", "year", "planned"])
    mean = found.tables["over_years"].set_index("queue")
    for queue in alcf.QUEUES:
        years = {key[1] for key in table.index if key[0] == queue}
        base = {y: table.loc[(queue, y, "xgboost"), "mean_wait"] for y in years}
        other = {y: table.loc[(queue, y, "hybrid"), "mean_wait"] for y in years}
        changes = [(other[y] - base[y]) / base[y] for y in years if base[y]]
        assert mean.loc[queue, "mean_wait_change"] == pytest.approx(np.mean(changes))
        assert mean.loc[queue, "years"] == 4
