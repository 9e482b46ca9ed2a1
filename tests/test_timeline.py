"""Busy nodes and queue length over time."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import InputError, Job, Schedule, Workload, demo, simulate
from shadowtime.timeline import timeline

Table = list[tuple[int, int, int, int]]

jobs = st.lists(
    st.tuples(st.integers(0, 60), st.integers(1, 8), st.integers(1, 30), st.integers(0, 30)),
    min_size=1,
    max_size=25,
)


def schedule_of(table: Table) -> Schedule:
    workload = Workload.from_jobs(
        Job(id=i, submit=submit, nodes=nodes, estimate=estimate, runtime=min(runtime, estimate))
        for i, (submit, nodes, estimate, runtime) in enumerate(table)
    )
    return simulate(workload, "easy", 8)


@given(jobs)
def test_busy_node_time_is_that_of_the_jobs(table: Table) -> None:
    schedule = schedule_of(table)
    line = timeline(schedule)
    lasts = [end - begin for begin, end in pairwise(line.time)]
    work = sum(
        nodes * (end - start)
        for nodes, start, end in zip(
            schedule.workload.nodes, schedule.start, schedule.end, strict=True
        )
    )
    assert sum(busy * last for busy, last in zip(line.busy, lasts, strict=True)) == work
    waited = sum(queued * last for queued, last in zip(line.queued, lasts, strict=True))
    assert waited == sum(schedule.wait())
    assert all(busy + free == 8 for busy, free in zip(line.busy, line.free, strict=True))
    assert min(line.free, default=0) >= 0


@given(jobs, st.integers(1, 40))
def test_buckets_keep_every_peak_and_trough(table: Table, count: int) -> None:
    line = timeline(schedule_of(table))
    rows = line.buckets(count)
    if not len(line):
        assert rows == []
        return
    assert len(rows) == count
    for name in ("busy", "free", "queued"):
        values = getattr(line, name)
        assert max(row[f"{name}_max"] for row in rows) == max(values)
        assert min(row[f"{name}_min"] for row in rows) == min(values)
        mean = sum(row[f"{name}_mean"] * (row["to"] - row["from"]) for row in rows)
        lasts = [end - begin for begin, end in pairwise(line.time)]
        assert mean == pytest.approx(sum(v * d for v, d in zip(values, lasts, strict=True)))


def test_frame_has_a_row_a_step() -> None:
    pytest.importorskip("pandas")
    line = timeline(simulate(demo.workload(), "fcfs"))
    frame = line.to_frame()
    assert list(frame) == ["from", "to", "busy", "free", "queued"]
    assert len(frame) == len(line)


def test_a_bucket_count_below_one_is_refused() -> None:
    line = timeline(simulate(demo.workload(), "fcfs"))
    with pytest.raises(InputError, match="buckets = 0"):
        line.buckets(0)


def test_idle_nodes_count_only_while_a_job_waits() -> None:
    jobs = [Job(1, 0, 5, 10, 10), Job(2, 4, 4, 10, 10), Job(3, 30, 1, 10, 10)]
    line = timeline(simulate(Workload.from_jobs(jobs), "fcfs", 8))
    assert line.idle_while_waiting() == 3 * 6
