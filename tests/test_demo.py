"""The demo repeats the published table, and departs from the textbook where the audit says."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import demo
from shadowtime.engine import simulate
from shadowtime.errors import InputError
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, Workload

PUBLISHED = ("fcfs", "easy", "conservative")


def perfect() -> Workload:
    jobs = demo.workload()
    return jobs.replace(estimate=jobs.runtime)


def starts(schedule: Schedule) -> list[float]:
    return list(schedule.start)


def count(schedule: Schedule) -> int:
    return sum(schedule.backfilled)


# Starts, makespan, utilization in percent, backfilled, and mean and maximum of the page's ratio
# and of the bounded slowdown with a threshold of 10 minutes.
TABLE: dict[str, tuple[list[int], int, float, int, float, float, float, float]] = {
    "published fcfs": (
        [0, 0, 25, 80, 80, 100, 230, 260, 260, 260],
        350, 79.46, 0, 2.9589, 8.0, 3.6556, 9.0,
    ),
    "fcfs": (
        [0, 0, 25, 80, 80, 100, 230, 260, 260, 260],
        350, 79.46, 0, 2.9589, 8.0, 3.6556, 9.0,
    ),
    "published easy": (
        [0, 0, 25, 80, 25, 85, 230, 260, 60, 145],
        350, 79.46, 3, 1.7539, 6.6667, 2.3256, 7.6667,
    ),
    "easy": (
        [0, 0, 25, 85, 10, 65, 235, 265, 60, 125],
        355, 78.35, 4, 1.7278, 6.8333, 2.2028, 7.8333,
    ),
    "published conservative": (
        [0, 0, 25, 125, 10, 65, 80, 275, 60, 85],
        365, 76.20, 0, 1.2222, 2.5556, 1.6439, 3.5556,
    ),
    "first-fit": (
        [0, 0, 25, 125, 10, 65, 80, 275, 60, 85],
        365, 76.20, 5, 1.2222, 2.5556, 1.6439, 3.5556,
    ),
    "conservative": (
        [0, 0, 25, 85, 10, 65, 235, 265, 60, 125],
        355, 78.35, 4, 1.7278, 6.8333, 2.2028, 7.8333,
    ),
    "conservative-none": (
        [0, 0, 25, 100, 10, 65, 250, 280, 60, 125],
        370, 75.17, 4, 1.7944, 7.3333, 2.2794, 8.3333,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_every_row_of_the_table(name: str) -> None:
    expected, makespan, utilization, backfilled, *slowdowns = TABLE[name]
    rules, _, policy = name.rpartition(" ")
    lines = {line.policy: line for line in demo.table(textbook=not rules)}
    line = lines[policy]
    submits = [job.submit for job in demo.JOBS]
    assert [submit + wait for submit, wait in zip(submits, line.waits, strict=True)] == expected
    assert line.makespan == makespan
    assert round(100 * line.utilization, 2) == utilization
    assert line.backfilled == backfilled
    found = [
        line.mean_wait_ratio,
        line.max_wait_ratio,
        line.mean_bounded_slowdown,
        line.max_bounded_slowdown,
    ]
    assert [round(value, 4) for value in found] == slowdowns
    assert line.max_wait == max(line.waits)


def test_perfect_estimates() -> None:
    easy = simulate(perfect(), "easy")
    conservative = simulate(perfect(), "conservative")
    assert starts(easy) == [0, 0, 25, 80, 10, 85, 230, 260, 60, 145]
    assert starts(conservative) == [0, 0, 25, 80, 10, 65, 230, 260, 125, 150]
    assert max(easy.end) == max(conservative.end) == 350


def test_published_conservative_gives_no_protection_to_the_fourth_job() -> None:
    assert demo.published("conservative").start[3] == 125
    assert simulate(demo.workload(), "fcfs").start[3] == 80


def test_textbook_easy_moves_the_head_within_its_promise() -> None:
    schedule = simulate(demo.workload(), "easy")
    assert schedule.start[3] == 85
    assert schedule.first_reservation[3] == 100


def test_the_tables_name_their_policies() -> None:
    assert tuple(line.policy for line in demo.table()) == PUBLISHED
    assert tuple(line.policy for line in demo.table(textbook=True)[:3]) == PUBLISHED


def test_an_unpublished_policy_is_refused() -> None:
    with pytest.raises(InputError, match="'sjf' was not published: one of fcfs, easy, conserv"):
        demo.published("sjf")


class Case:
    """One of the audit's cases and what it expects of the textbook's rules."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.jobs = Workload.from_jobs([Job(**job) for job in record["jobs"]])
        self.nodes: int = record["nodes"]
        self.expected = record["expected"]

    def published(self, policy: str) -> Schedule:
        return demo.published(policy, self.jobs, self.nodes)

    def textbook(self, policy: str, *, overrun: str = "kill") -> Schedule:
        """Simulate by the literature's rules, held against the case's own expectation."""
        schedule = simulate(self.jobs, policy, self.nodes, overrun=overrun)  # type: ignore[arg-type]
        key = policy.replace("-", "_") + (" [extend]" if overrun == "extend" else "")
        if key in self.expected:
            assert starts(schedule) == self.expected[key]["starts"]
            assert count(schedule) == self.expected[key]["backfilled"]
        return schedule


@pytest.fixture(scope="module")
def cases(oracles_dir: Path) -> dict[str, Case]:
    records = json.loads((oracles_dir / "small_cases.json").read_text())
    return {record["name"]: Case(record) for record in records}


def test_e1_a_candidate_that_ends_before_the_shadow_time_is_refused(cases: dict[str, Case]) -> None:
    case = cases["E1"]
    assert starts(case.textbook("easy")) == [0, 0, 40, 2]
    assert starts(case.published("easy")) == [0, 0, 40, 50]
    assert count(case.published("easy")) == 0


def test_e2_a_candidate_within_the_extra_nodes_is_refused(cases: dict[str, Case]) -> None:
    case = cases["E2"]
    assert starts(case.textbook("easy")) == [0, 40, 2]
    assert starts(case.published("easy")) == [0, 40, 40]


def test_e3_the_head_starts_after_its_shadow_time(cases: dict[str, Case]) -> None:
    case = cases["E3"]
    assert case.textbook("easy").start[2] == 30
    assert starts(case.published("easy")) == [0, 10, 70, 10]


def test_e4_a_backfill_of_the_same_minute_comes_a_minute_late(cases: dict[str, Case]) -> None:
    case = cases["E4"]
    for policy in ("easy", "conservative"):
        assert case.textbook(policy).start[2] == 0
        assert case.published(policy).start[2] == 1


def test_e5_one_overrun_stops_all_backfill_of_easy(cases: dict[str, Case]) -> None:
    case = cases["E5"]
    assert starts(case.textbook("easy", overrun="extend")) == [0, 30, 13]
    assert starts(case.published("easy")) == [0, 30, 30]


def test_c1_a_long_narrow_job_delays_a_wide_one_past_fcfs(cases: dict[str, Case]) -> None:
    case = cases["C1"]
    assert case.textbook("conservative").start[1] == case.textbook("fcfs").start[1] == 10
    assert starts(case.published("conservative")) == starts(case.textbook("first-fit"))
    assert case.published("conservative").start[1] == 102


def test_c2_every_narrow_job_of_a_stream_postpones_the_wide_one(cases: dict[str, Case]) -> None:
    case = cases["C2"]
    assert case.textbook("conservative").start[1] == 20
    assert starts(case.published("conservative")) == starts(case.textbook("first-fit"))
    wide = [
        demo.published("conservative", case.jobs.select(range(jobs)), case.nodes).start[1]
        for jobs in range(3, 7)
    ]
    assert wide == [32, 50, 62, 80]


def test_c3_the_second_reservation_is_broken(cases: dict[str, Case]) -> None:
    case = cases["C3"]
    assert case.textbook("conservative").start[2] == 20
    assert case.published("conservative").start[2] == case.textbook("easy").start[2] == 33


def test_c4_a_backfilled_job_is_counted_as_none(cases: dict[str, Case]) -> None:
    case = cases["C4"]
    textbook, published = case.textbook("conservative"), case.published("conservative")
    assert starts(textbook) == starts(published) == [0, 10, 2]
    assert (count(textbook), count(published)) == (1, 0)


def test_c5_one_overrun_blocks_everything_behind_the_head(cases: dict[str, Case]) -> None:
    case = cases["C5"]
    assert case.textbook("conservative", overrun="extend").start[2] == 13
    assert case.textbook("first-fit", overrun="extend").start[2] == 13
    assert starts(case.published("conservative")) == [0, 30, 30]


@pytest.mark.parametrize("policy", PUBLISHED)
def test_h1_the_clock_stands_still_in_an_idle_gap(cases: dict[str, Case], policy: str) -> None:
    case = cases["H1"]
    assert starts(case.textbook(policy)) == [0, 10]
    with pytest.raises(demo.EndlessLoop, match=r"at minute 5 nothing runs.* job 2 comes at 10"):
        case.published(policy)


@pytest.mark.parametrize("policy", PUBLISHED)
def test_h2_the_clock_never_starts_if_nothing_comes_at_0(
    cases: dict[str, Case], policy: str
) -> None:
    case = cases["H2"]
    assert starts(case.textbook(policy)) == [3]
    with pytest.raises(demo.EndlessLoop, match=r"at minute 0 nothing runs.* job 1 comes at 3"):
        case.published(policy)


@pytest.mark.parametrize("policy", PUBLISHED)
def test_h3_a_job_of_no_run_time_holds_its_nodes_for_a_minute(
    cases: dict[str, Case], policy: str
) -> None:
    case = cases["H3"]
    assert starts(case.textbook(policy)) == [0, 0]
    assert starts(case.published(policy)) == [0, 1]


def test_a_job_wider_than_the_machine_never_starts() -> None:
    jobs = Workload.from_jobs([Job(1, 0, 9, 5, 5)])
    with pytest.raises(demo.EndlessLoop, match="job 1 needs 9 of 8 nodes"):
        demo.published("fcfs", jobs)


WINDOW = {"B": (2, 15), "C": (2, 50), "D": (1, 60)}


@pytest.mark.parametrize(
    "drawn,accepted",
    [pytest.param(False, "B", id="2 free, as told"), pytest.param(True, "BCD", id="4 free, drawn")],
)
def test_the_window_of_the_page(drawn: bool, accepted: str) -> None:  # noqa: FBT001
    """The text leaves 2 nodes free, the drawing 4: only then are all three candidates legal."""
    running = [Job("A", 0, 4, 40, 40)]
    if not drawn:
        running.append(Job("not drawn", 0, 2, 100, 100))
    for name, (nodes, estimate) in WINDOW.items():
        jobs = [*running, Job("H", 1, 6, 30, 30), Job(name, 1, nodes, estimate, estimate)]
        schedule = simulate(Workload.from_jobs(jobs), "easy", nodes=8)
        assert schedule.first_reservation[-2] == 40
        assert (schedule.start[-1] == 1) is (name in accepted)


@st.composite
def small_workloads(draw: st.DrawFn) -> Workload:
    """Up to eight jobs in whole minutes, some longer than their estimates, some with gaps."""
    rows = draw(
        st.lists(
            st.tuples(
                st.integers(0, 9),
                st.integers(1, demo.NODES),
                st.integers(1, 12),
                st.integers(1, 15),
            ),
            min_size=1,
            max_size=8,
        )
    )
    return Workload.from_jobs([Job(name, *row) for name, row in enumerate(rows)])


@given(small_workloads())
def test_published_fcfs_is_the_textbooks_or_never_ends(jobs: Workload) -> None:
    textbook = simulate(jobs, "fcfs", demo.NODES, overrun="extend")
    try:
        published = demo.published("fcfs", jobs)
    except demo.EndlessLoop:
        covered = 0.0
        for start, end in sorted(zip(textbook.start, textbook.end, strict=True)):
            if start > covered:
                return
            covered = max(covered, end)
        pytest.fail("the textbook's machine was never idle")
    assert starts(published) == starts(textbook)


@given(small_workloads(), st.sampled_from(PUBLISHED))
def test_the_published_rules_never_overfill_the_machine(jobs: Workload, policy: str) -> None:
    try:
        schedule = demo.published(policy, jobs)
    except demo.EndlessLoop:
        return
    runs = list(zip(schedule.start, schedule.end, jobs.nodes, strict=True))
    for now, _, _ in runs:
        assert sum(nodes for start, end, nodes in runs if start <= now < end) <= demo.NODES
    assert all(wait >= 0 for wait in schedule.wait())
    assert policy == "easy" or count(schedule) == 0
