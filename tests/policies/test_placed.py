"""EASY and conservative backfilling where a reservation is a placement; fragmentation."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine import Overrun, simulate
from shadowtime.errors import InputError
from shadowtime.machine import Machine
from shadowtime.placement import placement
from shadowtime.policies import Conservative, Depth, Policy, SlackBased, Watchful, placed
from shadowtime.workload import Job, Seconds, Workload
from tests.strategies import plans, workloads

NAMES = ("fcfs", "first-fit", "easy", "easy-sjbf", "depth-3", "conservative", "conservative-none")
OVERRUN = st.sampled_from(("kill", "extend"))


def members(nodes: int) -> list[int]:
    return [node for node in range(nodes.bit_length()) if nodes >> node & 1]


@st.composite
def machines(draw: st.DrawFn, nodes: int) -> Machine:
    size = draw(st.integers(1, nodes))
    return draw(
        st.sampled_from((Machine(nodes, "contiguous"), Machine(nodes, "switch", switch=size)))
    )


@pytest.mark.parametrize("policy", NAMES)
@given(data=st.data(), workload=workloads(max_jobs=20), overrun=OVERRUN)
def test_no_node_has_two_jobs_and_every_job_lies_as_the_machine_wants_it(
    policy: str, data: st.DataObject, workload: Workload, overrun: Overrun
) -> None:
    machine = data.draw(machines(workload.machine_nodes or 1))
    planned = data.draw(plans(workload))
    schedule = simulate(workload, policy, machine, overrun=overrun, planned=planned)
    assert schedule.placement is not None
    for nodes, count in zip(schedule.placement, workload.nodes, strict=True):
        held = members(nodes)
        assert len(held) == count
        if machine.switch is None:
            assert held == list(range(held[0], held[0] + count))
        else:
            assert len({node // machine.switch for node in held}) <= -(-count // machine.switch)
    spans = list(zip(schedule.start, schedule.end, schedule.placement, strict=True))
    for (s1, e1, n1), (s2, e2, n2) in combinations(spans, 2):
        assert not (max(s1, s2) < min(e1, e2) and n1 & n2)


@given(
    policy=st.sampled_from(NAMES),
    data=st.data(),
    workload=workloads(max_jobs=20),
    overrun=OVERRUN,
)
def test_the_decision_log_changes_no_decision(
    policy: str, data: st.DataObject, workload: Workload, overrun: Overrun
) -> None:
    machine = data.draw(machines(workload.machine_nodes or 1))
    silent = simulate(workload, policy, machine, overrun=overrun)
    logged = simulate(workload, policy, machine, overrun=overrun, decisions=True)
    for column in ("start", "placement", "backfilled", "first_reservation"):
        assert getattr(logged, column) == getattr(silent, column)


@pytest.mark.parametrize("policy", ["easy", "easy-sjbf", "conservative", "conservative-none"])
@given(data=st.data(), workload=workloads())
def test_no_job_starts_after_its_first_promise(
    policy: str, data: st.DataObject, workload: Workload
) -> None:
    schedule = simulate(workload, policy, data.draw(machines(workload.machine_nodes or 1)))
    for start, promise in zip(schedule.start, schedule.first_reservation, strict=True):
        assert promise is None or start <= promise


@pytest.mark.parametrize("policy", ["fcfs", "first-fit", "easy", "easy-sjbf"])
@given(workload=workloads(), overrun=OVERRUN)
def test_for_jobs_of_one_node_every_place_is_as_good(
    policy: str, workload: Workload, overrun: Overrun
) -> None:
    workload = workload.replace(nodes=[1] * len(workload))
    machine = Machine(workload.machine_nodes or 1, "contiguous")
    ours = simulate(workload, policy, machine, overrun=overrun)
    theirs = simulate(workload, policy, overrun=overrun, engine="readable")
    assert list(ours.start) == list(theirs.start)
    assert list(ours.backfilled) == list(theirs.backfilled)


@given(workload=workloads(), overrun=OVERRUN)
def test_fcfs_starts_jobs_in_queue_order(workload: Workload, overrun: Overrun) -> None:
    machine = Machine(workload.machine_nodes or 1, "contiguous")
    starts = list(simulate(workload, "fcfs", machine, overrun=overrun).start)
    assert starts == sorted(starts)


def test_a_machine_without_placement_is_as_good_as_its_number_of_nodes() -> None:
    jobs = [Job(1, 0, 5, 40, 40), Job(2, 1, 6, 20, 20), Job(3, 2, 3, 30, 30)]
    workload = Workload.from_jobs(jobs)
    schedule = simulate(workload, "easy", Machine(8))
    assert schedule.start == simulate(workload, "easy", 8).start
    assert schedule.placement is None
    assert schedule.policy == "easy"


def starts(jobs: list[Job], policy: str | Policy, machine: Machine | int = 8) -> list[Seconds]:
    return list(simulate(Workload.from_jobs(jobs), policy, machine).start)


ROW = Machine(8, "contiguous")
PAIRS = Machine(8, "switch", switch=4)


def exact(job: int, submit: int, nodes: int, runtime: int) -> Job:
    return Job(job, submit, nodes, runtime, runtime)


# Jobs 1 and 3 leave nodes 0, 1, 4 and 5 at 10; jobs 2 and 4 keep the others until 100.
COMB = [exact(1, 0, 2, 10), exact(2, 0, 2, 100), exact(3, 0, 2, 10), exact(4, 0, 2, 100)]


@pytest.mark.parametrize("policy", ["fcfs", "easy", "conservative"])
def test_four_free_nodes_in_two_pieces_do_not_hold_a_job_of_four(policy: str) -> None:
    jobs = [*COMB, exact(5, 5, 4, 50)]
    assert starts(jobs, policy)[4] == 10
    assert starts(jobs, policy, ROW)[4] == 100
    assert starts(jobs, policy, PAIRS)[4] == 100


@pytest.mark.parametrize("policy", ["fcfs", "easy", "conservative"])
def test_each_piece_holds_a_job_of_its_size(policy: str) -> None:
    jobs = [*COMB, exact(5, 5, 2, 50), exact(6, 5, 2, 50)]
    for machine in (8, ROW, PAIRS):
        assert starts(jobs, policy, machine)[4:] == [10, 10]


def test_two_free_nodes_on_two_switches_hold_no_job_that_fits_on_one() -> None:
    """Nodes 3 and 7 are left; a job wider than a switch takes both."""
    jobs = [exact(1, 0, 3, 100), exact(2, 0, 3, 100), exact(3, 0, 2, 50)]
    assert starts(jobs, "easy") == [0, 0, 0]
    assert starts(jobs, "easy", PAIRS) == [0, 0, 100]
    wide = [exact(1, 0, 3, 100), exact(2, 0, 5, 50)]
    assert starts(wide, "easy", PAIRS) == [0, 0]


def test_the_log_tells_fragmentation_from_a_lack_of_nodes() -> None:
    jobs = [*COMB, exact(5, 5, 4, 50), exact(6, 6, 4, 50), exact(7, 7, 5, 50)]
    told = simulate(Workload.from_jobs(jobs), "easy", ROW, decisions=True)
    assert placed.SCATTERED in [row.rule for row in told.explain(6).rows if row.time == 10]
    assert "too-wide" in [row.rule for row in told.explain(7).rows if row.time == 10]


def test_a_job_may_pass_on_nodes_that_the_head_will_not_use() -> None:
    """The head will have nodes 0 to 3 at 50, for a long time; nodes 6 and 7 lie beside its way.

    Where nodes are counted, 8 - 3 - 4 = 1 is all that the head can spare at 50.
    """
    jobs = [exact(1, 0, 4, 50), exact(2, 0, 2, 200), exact(3, 1, 4, 90), exact(4, 2, 2, 100)]
    assert starts(jobs, "easy", ROW) == [0, 0, 50, 2]


def test_a_placement_is_protected_where_a_count_would_not_be() -> None:
    """At 50 there are 6 nodes for a head of 4, but only one run of 4: nodes 4 to 7.

    By count job 6 may take the two to spare. In a row nodes 4 and 5 are free, and the head needs
    them: job 6 waits for nodes 0 and 1.
    """
    jobs = [exact(1, 0, 2, 50), exact(2, 0, 2, 200), exact(3, 0, 2, 20), exact(4, 0, 2, 50)]
    jobs += [exact(5, 1, 4, 90), exact(6, 20, 2, 100)]
    assert starts(jobs, "easy")[4:] == [50, 20]
    assert starts(jobs, "easy", ROW)[4:] == [50, 50]


def test_compression_moves_a_job_to_other_nodes() -> None:
    jobs = [Job(1, 0, 4, 90, 90), Job(2, 0, 4, 100, 20), Job(3, 1, 4, 50, 50)]
    workload = Workload.from_jobs(jobs)
    kept = simulate(workload, "conservative-none", ROW)
    moved = simulate(workload, "conservative", ROW)
    assert kept.placement is not None
    assert moved.placement is not None
    assert (kept.start[2], members(kept.placement[2])) == (90, [0, 1, 2, 3])
    assert (moved.start[2], members(moved.placement[2])) == (20, [4, 5, 6, 7])


def test_the_picture_shows_the_nodes_that_the_jobs_have() -> None:
    schedule = simulate(Workload.from_jobs([*COMB, exact(5, 5, 4, 50)]), "easy", PAIRS)
    assert placement(schedule) == [[(0, 2)], [(2, 2)], [(4, 2)], [(6, 2)], [(0, 4)]]


@pytest.mark.parametrize(
    "policy", [Conservative("replan"), Conservative("every"), SlackBased(), Watchful()]
)
def test_a_policy_that_only_counts_is_refused(policy: Any) -> None:
    with pytest.raises(InputError, match=f"policy '{policy.name}' does not place jobs"):
        starts(COMB, policy, ROW)


def test_there_is_no_compiled_twin_and_it_is_said() -> None:
    with pytest.raises(InputError, match="policy 'easy-contiguous' has no compiled twin"):
        simulate(Workload.from_jobs(COMB), "easy", ROW, engine="compiled")
    with pytest.raises(InputError, match="job 1: nodes = 9; the machine has 8"):
        starts([exact(1, 0, 9, 1)], "easy", ROW)


def test_names_say_how_jobs_are_placed() -> None:
    assert simulate(Workload.from_jobs(COMB), Depth(3), PAIRS).policy == "depth-3-switch"
    assert (
        simulate(Workload.from_jobs(COMB), "conservative", ROW).policy == "conservative-contiguous"
    )
