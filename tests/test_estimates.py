import math
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import Job, Workload, estimates, simulate, traces
from shadowtime.errors import InputError

jobs = st.lists(
    st.builds(
        Job,
        id=st.just(0),
        submit=st.integers(0, 200),
        nodes=st.integers(1, 8),
        estimate=st.integers(1, 300),
        runtime=st.integers(0, 400),
        user=st.sampled_from(["ann", "bob", "cy"]),
    ),
    min_size=1,
    max_size=25,
)
factors = st.floats(0.01, 50)


def workload_of(given: list[Job], *, unit: float = 1) -> Workload:
    """Number the jobs; a `unit` other than 1 makes times that are not whole."""
    rows = [
        Job(i, j.submit * unit, j.nodes, j.estimate * unit, j.runtime * unit, j.user)
        for i, j in enumerate(given)
    ]
    return Workload.from_jobs(rows, machine_nodes=8)


workloads = st.builds(workload_of, jobs, unit=st.sampled_from([1, 0.37]))

CHANGES: dict[str, Callable[[Workload], Workload]] = {
    "exact": estimates.exact,
    "scale": lambda w: estimates.scale(w, 1.7),
    "shrink": lambda w: estimates.scale(w, 0.001),
    "pad": lambda w: estimates.pad(w, w.extra["user"][0], 4),
    "round up": estimates.round_up,
    "f-model": lambda w: estimates.f_model(w, 3, Random(1)),
    "limit": lambda w: estimates.cap(w, limit=60),
    "user's mean": lambda w: estimates.cap(w, multiple_of_mean=1.5),
    "mean of all": lambda w: estimates.cap(w, multiple_of_mean=0.01, of="all"),
}
changes = pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)


@changes
@given(w=workloads)
def test_only_the_estimates_of_a_new_workload_change(
    change: Callable[[Workload], Workload], w: Workload
) -> None:
    before = list(w.estimate)
    changed = change(w)
    assert list(w.estimate) == before
    for name in ("id", "submit", "nodes", "runtime"):
        assert list(getattr(changed, name)) == list(getattr(w, name))
    assert {k: list(v) for k, v in changed.extra.items()} == {
        k: list(v) for k, v in w.extra.items()
    }
    assert changed.machine_nodes == w.machine_nodes
    assert all(estimate > 0 for estimate in changed.estimate)


@changes
@given(given_jobs=jobs)
def test_whole_times_stay_whole(
    change: Callable[[Workload], Workload], given_jobs: list[Job]
) -> None:
    assert all(isinstance(e, int) for e in change(workload_of(given_jobs)).estimate)


@given(w=workloads)
def test_killing_overruns_beforehand_gives_the_same_schedule(w: Workload) -> None:
    settled = estimates.kill_overruns(w)
    assert all(r <= e for r, e in zip(settled.runtime, settled.estimate, strict=True))
    before, after = simulate(w), simulate(settled)
    assert before.start == after.start
    assert before.end == after.end


@given(w=workloads)
def test_exact_estimates_are_the_run_times(w: Workload) -> None:
    for runtime, estimate in zip(w.runtime, estimates.exact(w).estimate, strict=True):
        assert estimate == runtime or (runtime == 0 and estimate <= 1)


@given(w=workloads, factor=factors)
def test_scaling_multiplies(w: Workload, factor: float) -> None:
    whole = all(isinstance(e, int) for e in w.estimate)
    for old, new in zip(w.estimate, estimates.scale(w, factor).estimate, strict=True):
        assert new == (max(1, round(old * factor)) if whole else old * factor)


@given(w=workloads)
def test_scaling_by_one_changes_nothing(w: Workload) -> None:
    assert list(estimates.scale(w, 1).estimate) == list(w.estimate)


@given(w=workloads)
def test_padding_changes_one_user_alone(w: Workload) -> None:
    who = w.extra["user"][0]
    padded = estimates.pad(w, who, 3).estimate
    for user, old, new in zip(w.extra["user"], w.estimate, padded, strict=True):
        assert new == (pytest.approx(3 * old) if user == who else old)


@given(w=workloads, values=st.lists(st.integers(1, 400), max_size=6))
def test_rounding_up_takes_the_least_value_that_is_no_shorter(
    w: Workload, values: list[int]
) -> None:
    for old, new in zip(w.estimate, estimates.round_up(w, values).estimate, strict=True):
        assert new == min((v for v in values if v >= old), default=old)


@given(w=workloads, f=st.floats(0, 300), seed=st.integers(0, 99))
def test_the_f_model_keeps_its_range(w: Workload, f: float, seed: int) -> None:
    drawn = estimates.f_model(w, f, Random(seed))
    for runtime, estimate in zip(estimates.exact(w).estimate, drawn.estimate, strict=True):
        assert runtime <= estimate <= math.ceil((f + 1) * runtime + 1e-6)


@given(w=workloads, seed=st.integers(0, 99))
def test_f_of_0_is_exact_and_a_larger_f_lengthens_every_estimate(w: Workload, seed: int) -> None:
    drawn = [estimates.f_model(w, f, Random(seed)).estimate for f in (0, 1, 10)]
    assert list(drawn[0]) == list(estimates.exact(w).estimate)
    assert all(a <= b <= c for a, b, c in zip(*drawn, strict=True))


def test_the_f_model_is_uniform() -> None:
    w = Workload.from_jobs(Job(i, 0, 1, 1, 1000) for i in range(20_000))
    drawn = estimates.f_model(w, 4, Random(1)).estimate
    assert sum(drawn) / len(drawn) == pytest.approx(3000, abs=35)  # four standard errors


@given(w=workloads, limit=st.integers(1, 400))
def test_no_estimate_passes_a_limit_and_those_below_stay(w: Workload, limit: int) -> None:
    for old, new in zip(w.estimate, estimates.cap(w, limit=limit).estimate, strict=True):
        assert new == min(old, limit)


def naive_cap(w: Workload, multiple: float, of: str) -> list[Any]:
    took = [min(r, e) for r, e in zip(w.runtime, w.estimate, strict=True)]
    whole = all(isinstance(e, int) for e in w.estimate)
    capped = []
    for i, estimate in enumerate(w.estimate):
        seen = [
            took[j]
            for j in range(i)
            if w.submit[j] + took[j] <= w.submit[i]
            and (of == "all" or w.extra["user"][j] == w.extra["user"][i])
        ]
        at = multiple * sum(seen) / len(seen) if seen else 0
        at = max(1, math.ceil(at - 1e-9)) if whole and at else at
        capped.append(min(estimate, at) if at else estimate)
    return capped


@given(w=workloads, multiple=st.sampled_from([0.5, 1, 2, 5]), of=st.sampled_from(["user", "all"]))
def test_the_cap_is_a_multiple_of_the_mean_of_jobs_that_had_ended(
    w: Workload, multiple: float, of: Any
) -> None:
    capped = estimates.cap(w, multiple_of_mean=multiple, of=of).estimate
    # A mean that is a whole number up to rounding may be cut at the next one.
    unit = 1 if all(isinstance(e, int) for e in w.estimate) else 1e-6
    assert list(capped) == pytest.approx(naive_cap(w, multiple, of), abs=unit)


@given(w=workloads, at=st.integers(0, 24), runtime=st.integers(0, 400))
def test_the_cap_does_not_look_into_the_future(w: Workload, at: int, runtime: int) -> None:
    at %= len(w)
    runtimes = list(w.runtime)
    runtimes[at] = runtime
    other = w.replace(runtime=runtimes)
    # Neither run of the changed job has ended before this instant.
    known_until = w.submit[at] + min(w.runtime[at], runtime, w.estimate[at])
    one, two = (estimates.cap(x, multiple_of_mean=1.5, of="all").estimate for x in (w, other))
    for submit, a, b in zip(w.submit, one, two, strict=True):
        if submit < known_until:
            assert a == b


def test_the_ends_of_a_schedule_decide_what_had_been_seen() -> None:
    w = Workload.from_jobs([Job(1, 0, 1, 900, 10, "ann"), Job(2, 20, 1, 900, 10, "ann")])
    assert list(estimates.cap(w, multiple_of_mean=3).estimate) == [900, 30]
    assert list(estimates.cap(w, multiple_of_mean=3, ends=[21, 31]).estimate) == [900, 900]


def test_the_wait_of_the_log_delays_what_had_been_seen() -> None:
    w = Workload.from_jobs([Job(1, 0, 1, 900, 10, "ann"), Job(2, 20, 1, 900, 10, "ann")])
    waited = w.replace(wait=[15, None])
    assert list(estimates.cap(waited, multiple_of_mean=3).estimate) == [900, 900]


def test_jobs_of_unknown_users_keep_their_estimates() -> None:
    w = Workload.from_jobs(
        [Job(1, 0, 1, 900, 10, "ann"), Job(2, 20, 1, 900, 10), Job(3, 40, 1, 900, 10)]
    )
    assert list(estimates.cap(w, multiple_of_mean=1).estimate) == [900] * 3


ONE = Workload.from_jobs([Job(1, 0, 1, 10, 5, "ann")])


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda: estimates.scale(ONE, 0), "factor = 0; it must be greater than 0"),
        (lambda: estimates.scale(ONE, math.nan), "factor = nan"),
        (lambda: estimates.pad(ONE, "ann", -1), "factor = -1"),
        (lambda: estimates.pad(ONE, "bob", 2), "user = 'bob'; no job of this workload"),
        (lambda: estimates.round_up(ONE, [300, 0]), "value = 0"),
        (lambda: estimates.f_model(ONE, -1, Random(1)), "f = -1; it must be 0 or greater"),
        (lambda: estimates.cap(ONE), "either limit or multiple_of_mean"),
        (lambda: estimates.cap(ONE, limit=5, multiple_of_mean=2), "either limit or"),
        (lambda: estimates.cap(ONE, limit=0), "limit = 0"),
        (lambda: estimates.cap(ONE, multiple_of_mean=0), "multiple_of_mean = 0"),
        (lambda: estimates.cap(ONE, multiple_of_mean=1, ends=[]), "ends has 0 values for 1 jobs"),
        (
            lambda: estimates.cap(ONE, multiple_of_mean=1, of="group"),  # type: ignore[arg-type]
            "of = 'group'; it is 'user' or 'all'",
        ),
        (
            lambda: estimates.pad(Workload.from_jobs([Job(1, 0, 1, 10, 5)]), "ann", 2),
            "does not say whose the jobs are",
        ),
    ],
)
def test_a_meaningless_argument_is_named(change: Callable[[], Workload], message: str) -> None:
    with pytest.raises(InputError, match=message):
        change()


@pytest.mark.traces
def test_on_kth_wait_makes_a_v_over_f_and_doubling_helps(traces_dir: Path) -> None:
    file = traces_dir / "reference" / "sc15-KTH-SP2-EASY.swf.gz"
    w = estimates.kill_overruns(traces.read(file))

    def mean(changed: Workload, key: str) -> float:
        return float(simulate(changed, "easy").summary()[key])

    # Published for this log under EASY: mean waits of 6328, 5607, 5937 and 6191 s for f = 0, 2,
    # 10 and 100; mean bounded slowdown of 92.6 with requests, 79.9 with doubled ones.
    for f, published in {0: 6328, 2: 5607, 10: 5937, 100: 6191}.items():
        wait = mean(estimates.f_model(w, f, Random(1)), "mean_wait")
        assert wait == pytest.approx(published, rel=0.03), f
    assert mean(w, "mean_bounded_slowdown") == pytest.approx(92.6, rel=0.02)
    doubled = mean(estimates.scale(w, 2), "mean_bounded_slowdown")
    assert doubled == pytest.approx(79.9, rel=0.02)
