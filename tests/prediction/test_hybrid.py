"""Hybrid routing takes the large requests of each queue and year."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import InputError, Workload
from shadowtime.partitions import partitions
from shadowtime.prediction import hybrid


@given(st.lists(st.integers(0, 50), max_size=60), st.floats(0, 100))
def test_above_a_percentile_lie_the_values_greater_than_it(
    values: list[int], percentile: float
) -> None:
    found = hybrid.above(values, percentile)
    if percentile == 0:
        assert found.all()
        return
    if values:
        place = (len(values) - 1) * percentile / 100
        low = sorted(values)[int(place)]
        high = sorted(values)[min(int(place) + 1, len(values) - 1)]
        cutoff = low + (high - low) * (place - int(place))
        clear = np.abs(np.array(values) - cutoff) > 1e-9
        assert (found == (np.array(values) > cutoff))[clear].all()
    assert found.sum() <= np.ceil(len(values) * (100 - percentile) / 100)


def test_each_queue_and_year_has_a_percentile_of_its_own(log: Workload) -> None:
    routed = hybrid.route(log, 80)
    for part in partitions(log):
        cost = [log.nodes[row] * log.estimate[row] for row in part.rows]
        cutoff = np.percentile(cost, 80)
        assert routed[part.rows].tolist() == [each > cutoff for each in cost]
    assert routed.any()
    assert routed.tolist() != hybrid.route(log, 80, by=[]).tolist()


def test_the_ends_of_the_scale_route_all_jobs_and_none(log: Workload) -> None:
    assert hybrid.route(log, 0).all()
    assert not hybrid.route(log, 100).any()


def test_a_higher_percentile_routes_no_job_more(log: Workload) -> None:
    routed = [hybrid.route(log, percentile) for percentile in range(0, 101, 10)]
    for more, fewer in pairwise(routed):
        assert not (fewer & ~more).any()


def test_routed_jobs_are_planned_as_requested() -> None:
    found = hybrid.combine(np.array([9, 9, 9]), [1, 2, 3], [True, False, True])
    assert found.tolist() == [9, 2, 9]


def test_recall_counts_the_tail_that_is_routed(log: Workload) -> None:
    table: Any = hybrid.recall(log, 75)
    assert table["jobs"].sum() == len(log)
    routed = hybrid.route(log, 75)
    tail = hybrid.route(log, 75, cost=hybrid.usage(log))
    for queue, code in (("short", 1), ("long", 2)):
        its = [row for row in range(len(log)) if log.extra["queue"][row] == code]
        both = [row for row in its if tail[row] and routed[row]]
        true = [row for row in its if tail[row]]
        used = [log.nodes[row] * log.runtime[row] for row in range(len(log))]
        row = table.loc[queue]
        assert (row["tail"], row["routed"]) == (len(true), sum(routed[its]))
        assert row["recall"] == pytest.approx(len(both) / len(true))
        assert row["cost_recall"] == pytest.approx(
            sum(used[row] for row in both) / sum(used[row] for row in true)
        )


def test_a_request_that_tells_the_usage_finds_the_whole_tail(log: Workload) -> None:
    exact = log.replace(estimate=log.runtime)
    table: Any = hybrid.recall(exact, 90, each=[])
    assert table.index.tolist() == ["all"]
    assert table[["recall", "cost_recall"]].to_numpy().tolist() == [[1, 1]]


def test_without_a_tail_there_is_no_recall(log: Workload) -> None:
    assert hybrid.recall(log, 100, each=[])["recall"].isna().all()


def test_what_has_no_meaning_is_refused(log: Workload) -> None:
    with pytest.raises(InputError, match="percentile = 101"):
        hybrid.route(log, 101)
    with pytest.raises(InputError, match="cost has 1 values for 400 jobs"):
        hybrid.route(log, cost=[1])
