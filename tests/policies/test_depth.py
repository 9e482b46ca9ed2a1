"""A depth of none, one or all is a policy of its own; in between, more jobs are protected."""

from math import inf, nan
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import policies
from shadowtime.engine import Overrun, simulate
from shadowtime.errors import InputError
from shadowtime.policies import Depth, Policy
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, JobId, Workload
from tests.oracles import logs
from tests.strategies import plans, workloads

OVERRUN = st.sampled_from(("kill", "extend"))


def told(schedule: Schedule) -> tuple[list[object], ...]:
    return (
        list(schedule.start),
        list(schedule.end),
        list(schedule.backfilled),
        list(schedule.first_reservation),
    )


@pytest.mark.parametrize("depth, twin", [(0, "first-fit"), (1, "easy")])
@given(data=st.data(), workload=workloads(), overrun=OVERRUN)
def test_no_reservation_is_first_fit_and_one_is_easy(
    depth: int, twin: str, data: st.DataObject, workload: Workload, overrun: Overrun
) -> None:
    planned = data.draw(plans(workload))
    ours = simulate(workload, Depth(depth), overrun=overrun, planned=planned)
    theirs = simulate(workload, twin, overrun=overrun, planned=planned, engine="readable")
    assert told(ours) == told(theirs)


@given(workload=workloads())
def test_with_perfect_estimates_all_reservations_are_conservative_backfilling(
    workload: Workload,
) -> None:
    perfect = workload.replace(runtime=workload.estimate)
    theirs = simulate(perfect, "conservative", engine="readable")
    assert told(simulate(perfect, Depth(inf)))[:3] == told(theirs)[:3]


@given(workload=workloads())
def test_as_many_reservations_as_jobs_are_all(workload: Workload) -> None:
    assert told(simulate(workload, Depth(len(workload)))) == told(simulate(workload, Depth(inf)))


@pytest.mark.parametrize("name", ["hpc2n3k", "kth10k"])
@pytest.mark.parametrize("depth, reference", [(1, "easy"), (inf, "cons")])
def test_no_start_of_a_reference_schedule_differs(
    oracles_dir: Path, name: str, depth: float, reference: str
) -> None:
    workload = logs.canonical(oracles_dir / "logs" / f"{name}.swf.gz")
    ours = simulate(workload, Depth(depth), engine="readable")
    theirs = logs.starts(oracles_dir / "starts" / f"ref_{name}_{reference}.csv.gz")
    assert logs.differing(workload, list(ours.start), theirs) == []


@given(workload=workloads(), depth=st.sampled_from((1, 2, 3, 5, inf)))
def test_the_head_never_starts_after_what_it_was_promised_as_head(
    workload: Workload, depth: float
) -> None:
    schedule = simulate(workload, Depth(depth), decisions=True)
    assert schedule.decisions is not None
    row = {job: at for at, job in enumerate(workload.id)}
    promised: dict[JobId, float] = {}
    seen = None
    for decision in schedule.decisions:
        if decision.time != seen and not decision.starts and decision.promise is not None:
            promised.setdefault(decision.job, decision.promise)
        if not decision.starts:
            seen = decision.time
    assert all(schedule.start[row[job]] <= promise for job, promise in promised.items())


@given(workload=workloads(), depth=st.sampled_from((0, 1, 2, 3, inf)), overrun=OVERRUN)
def test_the_decision_log_changes_no_decision(
    workload: Workload, depth: float, overrun: Overrun
) -> None:
    silent = simulate(workload, Depth(depth), overrun=overrun, engine="readable")
    assert told(simulate(workload, Depth(depth), overrun=overrun, decisions=True)) == told(silent)


def test_each_further_reservation_protects_one_more_job() -> None:
    """Jobs 2, 3 and 4 are blocked, one behind another, and job 5 would delay the last of them."""
    jobs = [
        Job(1, 0, 5, 40, 40),
        Job(2, 1, 6, 20, 20),
        Job(3, 1, 6, 20, 20),
        Job(4, 1, 8, 20, 20),
        Job(5, 2, 2, 90, 90),
    ]
    workload = Workload.from_jobs(jobs, machine_nodes=8)
    starts = {depth: list(simulate(workload, Depth(depth)).start) for depth in (1, 2, 3, inf)}
    assert starts[1] == starts[2] == [0, 40, 60, 92, 2]
    assert starts[3] == starts[inf] == [0, 40, 60, 80, 100]


def test_a_job_behind_the_reservations_holds_no_promise() -> None:
    jobs = [Job(1, 0, 8, 40, 40), Job(2, 1, 8, 20, 20), Job(3, 1, 8, 20, 20)]
    workload = Workload.from_jobs(jobs, machine_nodes=8)
    assert list(simulate(workload, Depth(1)).first_reservation) == [None, 40, 60]
    second = simulate(workload, Depth(1), decisions=True).explain(3).rows[0]
    assert (second.time, second.promise) == (1, None)


def test_names_say_the_depth() -> None:
    names = ["depth-0", "depth-1", "depth-12", "depth-all"]
    assert [policies.by_name(name).name for name in names] == names
    policy: Policy = policies.by_name("depth-7")
    assert isinstance(policy, Depth)
    assert policy.reservations == 7


@pytest.mark.parametrize("depth", [-1, 1.5, nan, -inf])
def test_a_depth_that_counts_nothing_is_refused(depth: float) -> None:
    with pytest.raises(InputError, match=f"reservations = {depth}; it is 0, 1, 2, ... or math.inf"):
        Depth(depth)


@pytest.mark.parametrize("name", ["depth", "depth-", "depth--1", "depth-x"])
def test_a_name_without_a_depth_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"no policy '{name}'.*and depth-0, depth-1"):
        policies.by_name(name)
