"""Days of Mira as its event logs tell them, replayed with the request as planned runtime."""

from functools import cache
from itertools import pairwise

import pytest

from shadowtime import Schedule, Workload, simulate, traces
from shadowtime.partitions import observed_peak
from shadowtime.replay import replay_partitions

pytestmark = pytest.mark.traces

MIRA = 49_152
PEAKS = {
    # The most nodes that the jobs of the log held at once. Two logs claim more than there are: by
    # the third, two jobs ran in one partition (MIR-40CC0-73FF1-512) at the same time.
    "mira-2018-1": 49_152,
    "mira-2018-2": 51_200,
    "mira-2018-3": 53_248,
    "mira-2014": 49_152,
}
POLICIES = ("fcfs", "easy", "conservative")
by_name = pytest.mark.parametrize("name", PEAKS)


@cache
def log(name: str) -> Workload:
    return traces.load(name)


@cache
def replayed(name: str, policy: str) -> Schedule:
    jobs = log(name)
    return simulate(jobs, policy, planned=list(jobs.estimate))


@pytest.fixture(autouse=True)
def logs(traces_dir: object) -> None:
    """Skip or fail where there are no logs."""


@by_name
def test_the_jobs_of_the_log_hold_what_they_hold(name: str) -> None:
    assert log(name).machine_nodes == MIRA
    assert max(log(name).nodes) <= MIRA
    assert observed_peak(log(name)) == PEAKS[name]


@by_name
@pytest.mark.parametrize("policy", POLICIES)
def test_every_job_runs_once_and_never_on_more_nodes_than_there_are(name: str, policy: str) -> None:
    jobs, schedule = log(name), replayed(name, policy)
    assert len(schedule.start) == len(jobs)
    changes = []
    for row, (start, end) in enumerate(zip(schedule.start, schedule.end, strict=True)):
        assert start >= jobs.submit[row]
        runtime = min(jobs.runtime[row], jobs.estimate[row])
        assert end - start == pytest.approx(runtime, abs=1e-3)
        changes += [(start, jobs.nodes[row]), (end, -jobs.nodes[row])]
    in_use, most = 0, 0
    for _, change in sorted(changes):  # at one instant nodes are given back first
        in_use += change
        most = max(most, in_use)
    assert in_use == 0
    assert max(jobs.nodes) <= most <= MIRA


@by_name
def test_fcfs_starts_in_queue_order_and_backfilling_shortens_the_mean_wait(name: str) -> None:
    fcfs, easy, conservative = (replayed(name, policy) for policy in POLICIES)
    assert all(before <= after for before, after in pairwise(fcfs.start))
    assert not any(fcfs.backfilled)
    for schedule in (easy, conservative):
        assert any(schedule.backfilled)
        assert schedule.summary()["mean_wait"] < fcfs.summary()["mean_wait"]


@by_name
def test_conservative_keeps_every_first_reservation(name: str) -> None:
    schedule = replayed(name, "conservative")
    promised = schedule.first_reservation
    late = [
        start - promise
        for start, promise in zip(schedule.start, promised, strict=True)
        if promise is not None and start > promise
    ]
    assert max(late, default=0) < 1e-3


@by_name
def test_a_replay_on_the_observed_peak_says_where_the_machine_is_another(name: str) -> None:
    jobs = log(name)
    found = replay_partitions(jobs, {"request": list(jobs.estimate)}, by=[], progress=False)
    assert set(found.table["nodes"]) == {PEAKS[name]}
    assert bool(found.notes) == (PEAKS[name] != MIRA)
    if found.notes:
        assert f"replayed on {PEAKS[name]:,} nodes, the log's machine has 49,152" in found.notes[0]
    whole = replay_partitions(
        jobs, {"request": list(jobs.estimate)}, by=[], capacity="machine", progress=False
    )
    assert set(whole.table["nodes"]) == {MIRA}
    extended = simulate(jobs, "easy", overrun="extend").summary()
    assert whole.table["mean_wait"].tolist() == pytest.approx([extended["mean_wait"]])
