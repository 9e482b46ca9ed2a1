"""The compiled engine is the readable one, faster."""

import math
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime import InputError, Schedule, Workload, metrics, policies, simulate
from shadowtime.corrections import NAMES as CORRECTIONS
from shadowtime.engine import Overrun
from shadowtime.kernels import twin_of
from shadowtime.workload import Seconds

pytest.importorskip("numba", reason="the compiled engine needs the extra 'fast'")

POLICIES = [
    *(policies.by_name(name) for name in policies.NAMES),
    *(policies.Depth(reservations) for reservations in (0, 1, 2, 5, math.inf)),
]
TWINS = {policy.name: policy for policy in POLICIES if twin_of(policy)}
ENGINES: tuple[Literal["readable"], Literal["compiled"]] = ("readable", "compiled")
COLUMNS = ("start", "end", "backfilled", "killed", "first_reservation")


@st.composite
def workloads(draw: st.DrawFn, most: int = 300) -> Workload:
    """Jobs with ties, zero runtimes, overruns, wide jobs and idle gaps, in all mixtures."""
    dice = random.Random(draw(st.integers(0, 2**32)))
    jobs = draw(st.integers(1, most))
    machine = draw(st.sampled_from([1, 2, 7, 8, 30, 100]))
    gaps = draw(st.sampled_from([(0,), (0, 0, 1), (0, 3, 9), (1, 20), (0, 0, 0, 300)]))
    lengths = draw(st.sampled_from([3, 20, 90]))
    widest = draw(st.sampled_from([1, max(1, machine // 3), machine]))
    fractions = draw(st.booleans())

    def time(low: int, high: int) -> Seconds:
        value = dice.randint(low, high)
        return value + dice.choice([0, 0.1, 0.25, 1 / 3]) if fractions else value

    submit: list[Seconds] = [dice.choice([0, 5, 10**9])]
    for _ in range(jobs - 1):
        submit.append(submit[-1] + (time(0, 1) if fractions else 0) + dice.choice(gaps))
    estimate = [time(1, lengths) for _ in range(jobs)]
    share = draw(st.sampled_from(["exact", "less", "any"]))
    runtime: list[Seconds] = []
    for request in estimate:
        if share == "exact" or dice.random() < 0.1:
            runtime.append(request)
        elif share == "less":
            runtime.append(min(request, time(0, lengths)))
        else:
            runtime.append(time(0, 2 * lengths))
    return Workload(
        id=range(1, jobs + 1),
        submit=submit,
        nodes=[dice.randint(1, widest) for _ in range(jobs)],
        estimate=estimate,
        runtime=runtime,
        machine_nodes=machine,
    )


def assert_equal(readable: Schedule, compiled: Schedule) -> None:
    assert (readable.engine, compiled.engine) == ("readable", "compiled")
    for column in COLUMNS:
        assert getattr(readable, column) == getattr(compiled, column), column


@pytest.mark.parametrize("policy", TWINS)
@settings(deadline=None, max_examples=40)
@given(workloads(), st.sampled_from(["kill", "extend"]))
def test_engines_agree(policy: str, workload: Workload, overrun: Overrun) -> None:
    assert_equal(*(simulate(workload, TWINS[policy], overrun=overrun, engine=e) for e in ENGINES))


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize("policy", TWINS)
@settings(deadline=None, max_examples=15)
@given(workloads(), st.sampled_from(["kill", "extend"]), st.data())
def test_engines_agree_on_predictions(
    policy: str, correction: str, workload: Workload, overrun: Overrun, data: st.DataObject
) -> None:
    dice = random.Random(data.draw(st.integers(0, 2**32)))
    planned: Sequence[Seconds] = [
        max(1, runtime + dice.choice([-40, -5, -1, 0, 0, 3, 30])) for runtime in workload.runtime
    ]
    schedules = [
        simulate(
            workload,
            TWINS[policy],
            overrun=overrun,
            planned=planned,
            correction=correction,
            engine=e,
        )
        for e in ENGINES
    ]
    assert_equal(*schedules)


@pytest.mark.parametrize("policy", ["first-fit", "easy", "easy-sjbf", "depth-2", "depth-5"])
@pytest.mark.parametrize("widest", [4, 32])
def test_engines_agree_on_a_deep_queue(policy: str, widest: int) -> None:
    """Thousands wait, so that most candidates are found through the index."""
    dice = random.Random(widest)
    jobs = 3000
    workload = Workload(
        id=range(jobs),
        submit=sorted(dice.randrange(9000) for _ in range(jobs)),
        nodes=[min(widest, 1 + int(dice.expovariate(0.2))) for _ in range(jobs)],
        estimate=[dice.choice([20, 60, 300, 900]) for _ in range(jobs)],
        runtime=[1 + int(dice.expovariate(0.01)) for _ in range(jobs)],
        machine_nodes=32,
    )
    assert_equal(*(simulate(workload, TWINS[policy], engine=e) for e in ENGINES))


@settings(deadline=None, max_examples=60)
@given(workloads(), st.sampled_from([1, 10, 0.5]))
def test_measures_agree_up_to_rounding(workload: Workload, tau: Seconds) -> None:
    readable, compiled = (simulate(workload, "easy", engine=e) for e in ENGINES)
    assert_near(readable.summary(tau), compiled.summary(tau))
    classes = [metrics.by_size(schedule, tau) for schedule in (readable, compiled)]
    for expected, got in zip(*classes, strict=True):
        assert_near(expected, got)


def assert_near(expected: dict[str, Any], got: dict[str, Any]) -> None:
    assert list(got) == list(expected)
    for key, value in expected.items():
        near = pytest.approx(value, rel=1e-12, abs=1e-9) if isinstance(value, float) else value
        assert got[key] == near, key


@pytest.fixture
def two_jobs() -> Workload:
    return Workload(
        id=[1, 2], submit=[0, 1], nodes=[3, 2], estimate=[9, 5], runtime=[8, 5], machine_nodes=4
    )


def test_columns_are_lists_of_python_numbers(two_jobs: Workload) -> None:
    schedule = simulate(two_jobs, "easy", engine="compiled")
    assert schedule.start == [0, 8]
    assert schedule.first_reservation == [None, 9]
    assert schedule.backfilled == [False, False]
    assert {type(value) for value in (*schedule.start, *schedule.end)} == {int}
    assert schedule.start is schedule.start


def test_no_column_is_boxed_before_it_is_read(two_jobs: Workload) -> None:
    schedule = simulate(two_jobs, "easy", engine="compiled")
    schedule.summary()
    assert not set(COLUMNS) & set(vars(schedule))
    assert set(schedule.arrays) == set(COLUMNS)


@pytest.mark.parametrize("policy", ["fcfs", "easy"])
def test_tables_are_equal(two_jobs: Workload, policy: str) -> None:
    pandas = pytest.importorskip("pandas")
    tables = [simulate(two_jobs, policy, engine=e).to_frame() for e in ENGINES]
    pandas.testing.assert_frame_equal(*tables)


def test_whole_starts_of_fractional_plans_are_whole(two_jobs: Workload) -> None:
    schedule = simulate(two_jobs, "easy", planned=[8.5, 5.5], engine="compiled")
    assert schedule.start == [0, 8]
    assert {type(value) for value in schedule.start} == {int}
    assert schedule.first_reservation == [None, 8.5]


def test_auto_leaves_short_workloads_to_the_readable_engine(two_jobs: Workload) -> None:
    assert simulate(two_jobs, "easy").engine == "readable"


def test_auto_compiles_for_long_ones() -> None:
    jobs = range(twin_of(policies.Fcfs()).worthwhile)  # type: ignore[union-attr]
    ones = [1] * len(jobs)
    many = Workload(id=jobs, submit=jobs, nodes=ones, estimate=ones, runtime=ones)
    assert simulate(many, "fcfs", nodes=1).engine == "compiled"
    assert simulate(many, "fcfs", nodes=1, engine="readable").engine == "readable"


def test_a_policy_of_ones_own_has_no_twin(two_jobs: Workload) -> None:
    class Mine(policies.Easy):
        pass

    assert simulate(two_jobs, Mine()).engine == "readable"
    with pytest.raises(
        InputError, match=r"engine = 'compiled': policy 'easy' has no compiled twin"
    ):
        simulate(two_jobs, Mine(), engine="compiled")


def test_a_correction_of_ones_own_has_no_twin(two_jobs: Workload) -> None:
    with pytest.raises(InputError, match="corrections"):
        simulate(two_jobs, correction=lambda _made, _planned, request: request, engine="compiled")


def test_compiled_code_logs_no_decisions(two_jobs: Workload) -> None:
    with pytest.raises(InputError, match="decisions"):
        simulate(two_jobs, decisions=True, engine="compiled")


def test_times_too_large_to_be_exact_are_left_to_the_readable_engine() -> None:
    late = Workload(id=[1], submit=[2**60], nodes=[1], estimate=[5], runtime=[5])
    with pytest.raises(InputError, match="too large"):
        simulate(late, nodes=1, engine="compiled")
    assert simulate(late, nodes=1).start == [2**60]


@pytest.mark.parametrize("policy", TWINS)
def test_no_jobs(policy: str) -> None:
    nobody = Workload(id=[], submit=[], nodes=[], estimate=[], runtime=[])
    schedule = simulate(nobody, TWINS[policy], nodes=4, engine="compiled")
    assert schedule.start == []
    assert schedule.summary()["jobs"] == 0


def test_profiles_agree_in_little_room() -> None:
    """The twin of a profile moves about in its arrays, which no schedule here would fill."""
    program = """
import random
import numpy as np
from shadowtime import Profile
from shadowtime.kernels import profile as twin

moves, settle = 0, twin.settle
def counted(profile):
    global moves
    moves += 1
    settle(profile)
twin.settle = counted
for seed in range(300):
    dice = random.Random(seed)
    mine = Profile(9)
    other = twin.Profile(np.zeros(26, np.int64), np.full(26, 9), np.array([0, 1]))
    held, now = [], 0
    for _ in range(80):
        now += dice.choice([0, 0, 1, 7])
        mine.advance(now)
        twin.advance(other, now)
        held = [(max(start, now), end, nodes) for start, end, nodes in held if end > now]
        if held and (len(held) > 9 or dice.random() < 0.4):
            start, end, nodes = held.pop(dice.randrange(len(held)))
            mine.release(start, end, nodes)
            twin.add(other, start, end, nodes)
        else:
            nodes, length = dice.randint(1, 9), dice.randint(1, 30)
            start = mine.earliest(nodes, length, now)
            assert start == twin.earliest(other, nodes, length, now, 10**9, 10**9)
            assert twin.fits(other, nodes, now + length) == mine.fits(nodes, length)
            mine.reserve(start, start + length, nodes)
            twin.add(other, start, start + length, -nodes)
            held.append((start, start + length, nodes))
        first, stop = other.bounds
        steps = zip(other.times[first:stop].tolist(), other.free[first:stop].tolist())
        assert list(mine) == list(steps)
assert moves > 30, moves
"""
    run(program, NUMBA_DISABLE_JIT="1")


def run(program: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
    )
    assert not done.returncode, done.stderr
    return done.stdout


def test_without_numba_the_readable_engine_serves() -> None:
    program = """
import sys
sys.modules["numba"] = None
import shadowtime as st
from shadowtime import kernels, policies
policies.Easy.twin = policies.Easy.twin._replace(worthwhile=1)
w = st.Workload(id=[1], submit=[0], nodes=[1], estimate=[5], runtime=[5])
print(st.simulate(w, nodes=1).engine)
try:
    st.simulate(w, nodes=1, engine="compiled")
except st.InputError as error:
    print(error)
"""
    served, told = run(program).splitlines()
    assert served == "readable"
    assert told.startswith("engine = 'compiled': it needs numba, which the extra 'fast' installs")
