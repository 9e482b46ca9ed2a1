"""Workloads are checked tables in queue order, and say what they changed."""

import math
import random
from array import array
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.errors import InputError
from shadowtime.workload import Job, Report, Workload
from tests.strategies import workloads

COLUMNS = ("id", "submit", "nodes", "estimate", "runtime")


def table(**columns: Any) -> Workload:
    """Return three jobs of which all is well but what `columns` says."""
    values: dict[str, Any] = {
        "id": [7, 8, 9],
        "submit": [0, 10, 20],
        "nodes": [4, 2, 1],
        "estimate": [100, 50, 60],
        "runtime": [80, 50, 30],
    }
    return Workload(**(values | columns))


def contents(workload: Workload) -> dict[str, list[Any]]:
    own = {column: list(getattr(workload, column)) for column in COLUMNS}
    return own | {key: list(values) for key, values in workload.extra.items()}


@pytest.mark.parametrize(
    "columns, message",
    [
        ({"nodes": [4, 0, 1]}, "job 8: nodes = 0; a job needs 1 node or more"),
        ({"nodes": [4, 2, -1]}, "job 9: nodes = -1; a job needs 1 node or more"),
        ({"nodes": [4, 2.5, 1]}, "job 8: nodes = 2.5 is not a whole number"),
        ({"nodes": [4, 9, 1], "machine_nodes": 8}, "job 8: nodes = 9; the machine has 8"),
        ({"runtime": [80, -1, 30]}, "job 8: runtime = -1; it must not be negative"),
        ({"estimate": [100, 50, 0]}, "job 9: estimate = 0; it must be greater than 0"),
        ({"estimate": [-1, 50, 60]}, "job 7: estimate = -1; it must be greater than 0"),
        ({"submit": [0, math.nan, 20]}, "job 8: submit = nan is not a number"),
        ({"runtime": [80, 50, math.inf]}, "job 9: runtime = inf is not a number"),
        ({"runtime": [math.inf, 50, -math.inf]}, "job 7: runtime = inf is not a number"),
        ({"submit": [0, "10", 20]}, "job 8: submit = '10' is not a number"),
        ({"estimate": [100, None, 60]}, "job 8: estimate = None is not a number"),
        ({"nodes": [4, [2], 1]}, "job 8: nodes = [2] is not a number"),
        ({"nodes": [4, 10**400, 1]}, f"job 8: nodes = {10**400} is not a number"),
        ({"submit": np.array([0, np.nan, 20])}, "job 8: submit = nan is not a number"),
        ({"id": [7, 8, 7]}, "job 7: id = 7 is there twice"),
        ({"id": ["a", "b", "b"]}, "job b: id = 'b' is there twice"),
        ({"id": [7, 8, None]}, "job None: id = None is neither a number nor a text"),
        ({"runtime": [80, 50]}, "runtime has 2 values for 3 jobs"),
        ({"extra": {"user": ["ann"]}}, "user has 1 values for 3 jobs"),
        ({"machine_nodes": 0}, "machine_nodes = 0; a machine has 1 node or more"),
    ],
)
def test_bad_input_is_an_error_that_names_job_field_and_value(
    columns: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError) as raised:
        table(**columns)
    assert str(raised.value) == message


def test_an_error_says_where_the_row_was_read() -> None:
    with pytest.raises(InputError, match=r"^log\.swf line 13, job 8: nodes = -1; "):
        table(nodes=[4, -1, 1], where=lambda row: f"log.swf line {12 + row}")


def test_a_value_without_a_job_is_told_by_its_row() -> None:
    with pytest.raises(InputError, match=r"^row 4: submit = 'x' is not a number$"):
        table(submit=[0, 10, 20, "x"])


def test_zero_runtime_and_runtime_past_the_estimate_are_legal() -> None:
    workload = table(runtime=[0, 5000, 30])
    assert list(workload.runtime) == [0, 5000, 30]
    assert workload.report.notes == []


def test_times_may_be_large_negative_or_far_apart() -> None:
    submits = [-1.7e308, 1_700_000_000, 1.7e308]
    assert list(table(submit=submits).submit) == submits


@pytest.mark.parametrize(
    "make",
    [
        list,
        tuple,
        np.array,
        pd.Series,
        lambda values: (value for value in values),
        lambda values: array("q", values),
        lambda values: array("i", values),
        lambda values: np.array(values, dtype=np.float32),
        lambda values: [float(value) for value in values],
        lambda values: [np.int16(value) for value in values],
    ],
)
def test_whole_numbers_stay_whole_whatever_holds_them(
    make: Callable[[list[int]], Iterable[Any]],
) -> None:
    workload = Workload(
        id=[1, 2],
        submit=make([0, 3]),
        nodes=make([4, 2]),
        estimate=make([60, 30]),
        runtime=make([50, 30]),
    )
    for column in COLUMNS[1:]:
        values = getattr(workload, column)
        assert all(type(value) is int for value in values), column
    assert contents(workload) == contents(
        Workload(id=[1, 2], submit=[0, 3], nodes=[4, 2], estimate=[60, 30], runtime=[50, 30])
    )


def test_fractions_of_a_second_are_kept() -> None:
    workload = table(submit=[0, 10.25, 20], runtime=array("f", [80, 50.5, 30]))
    assert list(workload.submit) == [0, 10.25, 20]
    assert list(workload.runtime) == [80, 50.5, 30]


def test_numpy_looks_at_columns_without_copying() -> None:
    workload = table()
    assert np.shares_memory(np.asarray(workload.runtime), np.asarray(workload.runtime))


@given(st.lists(st.integers(0, 5), max_size=12), st.randoms(use_true_random=False))
def test_queue_order_is_by_submit_then_by_position(
    submits: list[int], shuffler: random.Random
) -> None:
    ids = list(range(1, len(submits) + 1))
    shuffler.shuffle(ids)
    ones = [1] * len(ids)
    workload = Workload(
        id=ids, submit=submits, nodes=ones, estimate=ones, runtime=ones, extra={"user": ids}
    )
    expected = sorted(zip(submits, range(len(ids)), ids, strict=True))
    assert list(workload.id) == list(workload.extra["user"]) == [job for _, _, job in expected]
    assert list(workload.submit) == sorted(submits)
    assert bool(workload.report.notes) == (submits != sorted(submits))


def test_sorting_is_said() -> None:
    workload = table(submit=[20, 10, 30])
    assert list(workload.id) == [8, 7, 9]
    assert workload.report.notes == ["submit times were not in order: sorted, 2 jobs moved"]


@given(workloads())
def test_jobs_and_workload_are_two_forms_of_one_thing(workload: Workload) -> None:
    again = Workload.from_jobs(workload, machine_nodes=workload.machine_nodes)
    assert contents(again) == contents(workload)
    assert [workload[row] for row in range(len(workload))] == list(workload)


def test_users_and_queues_go_from_jobs_to_columns_and_back() -> None:
    jobs = [
        Job(id=1, submit=0, nodes=1, estimate=5, runtime=5, user="ann", queue="long"),
        Job(id=2, submit=0, nodes=1, estimate=5, runtime=5, queue="short"),
    ]
    workload = Workload.from_jobs(jobs)
    assert workload.extra == {"user": ("ann", None), "queue": ("long", "short")}
    assert list(workload) == jobs
    assert Workload.from_jobs([Job(1, 0, 1, 5, 5)]).extra == {}


def test_a_table_goes_to_pandas_and_back() -> None:
    workload = table(
        submit=[20, 10.5, 30],
        extra={"user": ["ann", None, "bob"], "status": array("q", [1, 0, 5])},
        machine_nodes=8,
    )
    frame = workload.to_frame()
    assert list(frame) == [*COLUMNS, "user", "status"]
    again = Workload.from_frame(frame, machine_nodes=8)
    assert contents(again) == contents(workload)
    assert [job.user for job in again] == [None, "ann", "bob"]


def test_a_frame_without_ids_numbers_its_jobs() -> None:
    frame = table().to_frame().drop(columns="id")
    assert list(Workload.from_frame(frame).id) == [1, 2, 3]


def test_a_frame_without_a_column_is_an_error() -> None:
    with pytest.raises(InputError, match="the table has no column 'runtime'; it has"):
        Workload.from_frame(table().to_frame().drop(columns="runtime"))


def test_a_gap_in_a_frame_is_an_error() -> None:
    frame = table().to_frame()
    frame.loc[1, "estimate"] = None
    with pytest.raises(InputError, match="job 8: estimate = nan is not a number"):
        Workload.from_frame(frame)


def test_selected_jobs_keep_their_columns() -> None:
    workload = table(extra={"user": ["ann", "bob", "cy"]}, machine_nodes=8, name="three")
    picked = workload.select(np.array([0, 2]))
    assert contents(picked) == {
        "id": [7, 9], "submit": [0, 20], "nodes": [4, 1], "estimate": [100, 60],
        "runtime": [80, 30], "user": ["ann", "cy"],
    }  # fmt: skip
    assert (picked.machine_nodes, picked.name) == (8, "three")
    assert contents(workload[1:]) == contents(workload.select([1, 2]))
    assert len(workload) == 3, "the workload itself is as before"


@pytest.mark.parametrize("rows", [[1, 0], [0, 0], [True, False, True]])
def test_selecting_out_of_order_is_an_error(rows: list[int]) -> None:
    with pytest.raises(InputError, match="not in increasing order"):
        table().select(rows)


def test_replacing_a_column_leaves_the_original_alone() -> None:
    workload = table(extra={"user": ["ann", "bob", "cy"]}, header={"Computer": "SP2"})
    changed = workload.replace(submit=[30, 10, 20], user=["x", "y", "z"], queue=[1, 2, 3])
    assert list(changed.id) == [8, 9, 7]
    assert changed.extra == {"user": ("y", "z", "x"), "queue": (2, 3, 1)}
    assert changed.header == {"Computer": "SP2"}
    assert changed.report.notes == ["submit times were not in order: sorted, 3 jobs moved"]
    assert list(workload.submit) == [0, 10, 20]
    assert workload.report.notes == []


def test_replaced_values_are_checked() -> None:
    with pytest.raises(InputError, match="job 8: estimate = 0; "):
        table().replace(estimate=[1, 0, 1])


@given(workloads(), st.sampled_from((0.25, 0.5, 1, 2, 4)))
def test_load_is_scaled_by_the_time_between_submissions(workload: Workload, factor: float) -> None:
    exact = workload.replace(submit=[submit + 0.5 for submit in workload.submit])
    scaled = exact.scale_load(factor)
    first = exact.submit[0]
    assert [(submit - first) * factor for submit in scaled.submit] == [
        submit - first for submit in exact.submit
    ]
    assert contents(scaled) == contents(exact) | {"submit": list(scaled.submit)}


@given(workloads(), st.floats(0.1, 10))
def test_whole_submits_stay_whole_and_in_order_when_load_is_scaled(
    workload: Workload, factor: float
) -> None:
    scaled = workload.scale_load(factor)
    assert all(type(submit) is int for submit in scaled.submit)
    assert list(scaled.id) == list(workload.id)
    first = workload.submit[0]
    for before, after in zip(workload.submit, scaled.submit, strict=True):
        assert after == pytest.approx(first + (before - first) / factor, abs=0.5)


@pytest.mark.parametrize("factor", [0, -1, math.nan, math.inf])
def test_a_load_that_makes_no_sense_is_an_error(factor: float) -> None:
    with pytest.raises(InputError, match=r"load factor = .*; it must be greater than 0"):
        table().scale_load(factor)


def test_an_empty_workload_is_a_workload() -> None:
    empty = Workload(id=[], submit=[], nodes=[], estimate=[], runtime=[])
    assert len(empty) == 0
    assert list(empty) == list(empty.scale_load(2)) == list(empty.select([])) == []


def test_a_job_is_found_by_its_id() -> None:
    assert table().row(9) == 2
    assert table(id=["a", "b", "c"]).row("b") == 1
    with pytest.raises(InputError, match="there is no job '9' in this workload"):
        table().row("9")


def test_the_repr_says_what_it_is() -> None:
    assert repr(table(name="KTH-SP2", machine_nodes=100)) == (
        "<Workload KTH-SP2: 3 jobs for 100 nodes>"
    )


def test_a_report_prints_one_fact_a_line() -> None:
    report = Report(source="log.swf", records=1200, kept=1197)
    report.drop("never ran", "log.swf line 3, job 3: runtime = -1")
    report.drop("never ran", "log.swf line 9, job 9: runtime = -1")
    report.drop("no request")
    report.note("requests are rounded")
    report.note("requests are rounded")
    assert str(report).splitlines() == [
        "log.swf: 1,200 jobs found, 1,197 kept",
        "left out, never ran: 2 (first: log.swf line 3, job 3: runtime = -1)",
        "left out, no request: 1",
        "requests are rounded",
    ]


def test_a_report_counts_the_jobs_that_became_the_workload() -> None:
    report = Report(source="log.swf", records=5)
    table(report=report)
    assert (report.records, report.kept) == (5, 3)
    assert table().report.records == 3
