"""A prediction that ran out is raised as its rule says, and no further than the request."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import corrections
from shadowtime.engine import simulate
from shadowtime.errors import InputError
from shadowtime.workload import Job, Seconds, Workload

HOUR = 3600
NAMES = [name for name in corrections.NAMES if name != "none"]
RULES = {name: rule for name, rule in corrections.NAMES.items() if rule is not None}


@pytest.mark.parametrize(
    "name, raised",
    [
        ("request", [50 * HOUR]),
        ("increments", [160, 460, 1360, 3160, 6760, 13960, 31960, 67960, 139960]),
        ("doubling", [200, 400, 800, 1600, 3200]),
    ],
)
def test_each_rule_raises_by_its_own_steps(name: str, raised: list[int]) -> None:
    made, planned = 0, 100
    for expected in raised:
        made, planned = corrections.corrected(  # type: ignore[assignment]
            RULES[name], made, planned, requested=50 * HOUR, elapsed=planned
        )
        assert planned == expected
    assert made == len(raised)


def test_increments_go_on_with_the_largest() -> None:
    assert corrections.increments(50, 0, 0) == corrections.INCREMENTS[-1] == 100 * HOUR


@pytest.mark.parametrize("name", NAMES)
@given(
    planned=st.integers(1, 10**6),
    elapsed=st.integers(0, 10**6),
    more=st.integers(1, 10**6),
    between=st.floats(0, 1),
)
def test_a_corrected_plan_lies_between_what_has_passed_and_the_request(
    name: str, planned: int, elapsed: int, more: int, between: float
) -> None:
    requested = elapsed + more
    made, longer = corrections.corrected(RULES[name], 0, planned, requested, elapsed)
    if planned > elapsed:
        assert (made, longer) == (0, planned)
    else:
        assert made > 0
        assert elapsed < longer <= requested

    # Looking in between, at an earlier pass, leads to the same plan.
    halfway = corrections.corrected(RULES[name], 0, planned, requested, between * elapsed)
    assert corrections.corrected(RULES[name], *halfway, requested, elapsed) == (made, longer)


def test_corrections_are_found_by_name() -> None:
    assert corrections.by_name("none") is None
    assert corrections.by_name("doubling") is corrections.doubling
    with pytest.raises(InputError, match="correction = 'guess'; it is one of none, request, "):
        corrections.by_name("guess")


def test_a_correction_that_corrects_nothing_is_an_error() -> None:
    with pytest.raises(InputError, match="turned a planned runtime of 5 into 5"):
        corrections.corrected(lambda _made, planned, _requested: planned, 0, 5, 100, 7)


# Job 1 holds 3 of 4 nodes for 100 minutes and is planned for 10. Job 2 needs all of them. Job 3
# fits beside job 1 for 50 minutes, as long as it does not delay job 2.
CASE = Workload.from_jobs(
    [Job(1, 0, 3, 120, 100), Job(2, 1, 4, 10, 10), Job(3, 20, 1, 50, 50)], machine_nodes=4
)
PLANNED = [10, 10, 50]


def starts(correction: str | corrections.Correction) -> list[Seconds]:
    schedule = simulate(CASE, "easy", planned=PLANNED, correction=correction, engine="readable")
    return list(schedule.start)


def test_without_a_correction_a_job_past_its_plan_ends_any_moment() -> None:
    """The head seems to start at once, so that nothing may pass it."""
    assert starts("none") == [0, 100, 110]


@pytest.mark.parametrize(
    "correction, third",
    [
        ("request", 20),  # job 1 is now planned to end at 120
        ("increments", 20),  # at 70
        ("doubling", 110),  # at 40
        (lambda _made, planned, _requested: planned + 1, 110),  # at 21
    ],
)
def test_a_raised_plan_lets_jobs_pass_that_end_by_it(
    correction: str | corrections.Correction, third: int
) -> None:
    assert starts(correction) == [0, 100, third]


def test_a_job_past_its_request_is_not_corrected() -> None:
    """With extend, job 1 has outlived its request of 15: there is nothing to raise it to."""
    late = CASE.replace(estimate=[15, 10, 50])
    for name in corrections.NAMES:
        schedule = simulate(late, "easy", planned=PLANNED, overrun="extend", correction=name)
        assert list(schedule.start) == [0, 100, 110], name


def test_conservative_plans_anew_when_a_plan_is_raised() -> None:
    """Job 2 was promised 10; raised to 70, the plan of job 1 moves it there, and lets job 3 in."""
    schedule = simulate(
        CASE, "conservative", planned=PLANNED, correction="increments", decisions=True
    )
    assert list(schedule.first_reservation) == [0, 10, 20]
    assert list(schedule.start) == [0, 100, 20]


@given(st.sampled_from(NAMES), st.integers(1, 200))
def test_plans_that_never_run_out_are_never_corrected(name: str, planned: int) -> None:
    plan = [planned + 100, 10, 50]
    left, right = (
        simulate(CASE, "easy", planned=plan, correction=correction) for correction in ("none", name)
    )
    assert list(left.start) == list(right.start)


def test_every_increment_is_longer_than_the_last() -> None:
    assert list(corrections.INCREMENTS) == sorted(set(corrections.INCREMENTS))
    assert all(math.isfinite(step) for step in corrections.INCREMENTS)
