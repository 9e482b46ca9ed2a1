from typing import Any

import numpy as np
import pytest

from shadowtime import synthesis
from shadowtime.errors import InputError
from shadowtime.workload import Job, Workload


def made(jobs: int = 2000, nodes: int = 128, seed: int = 1, **options: Any) -> Workload:
    return synthesis.generate(jobs, nodes, np.random.default_rng(seed), **options)


def columns(workload: Workload) -> dict[str, list[object]]:
    names = ("id", "submit", "nodes", "estimate", "runtime")
    own = {name: list(getattr(workload, name)) for name in names}
    return own | {name: list(values) for name, values in workload.extra.items()}


def test_the_same_seed_gives_the_same_workload_and_another_seed_another() -> None:
    assert columns(made()) == columns(made())
    assert columns(made()) != columns(made(seed=2))


@pytest.mark.parametrize("variant", ["batch", "one-type"])
@pytest.mark.parametrize("estimates", ["round", "exact", 0, 3.5])
@pytest.mark.parametrize("users", [None, 1, 50])
def test_every_workload_can_be_scheduled(
    variant: str, estimates: str | float, users: int | None
) -> None:
    w = made(500, 48, variant=variant, estimates=estimates, users=users)
    runtime, estimate = np.array(w.runtime), np.array(w.estimate)
    assert list(w.id) == list(range(1, 501))
    assert w.machine_nodes == 48
    assert 1 <= min(w.nodes) <= max(w.nodes) <= 48
    assert (runtime >= 1).all()
    assert (runtime <= estimate).all()
    assert ("user" in w.extra) == (users is not None)
    if estimates in {"exact", 0}:
        assert (runtime == estimate).all()


@pytest.mark.parametrize("load", [0.3, 0.8, 1.5])
@pytest.mark.parametrize("users", [None, 50])
def test_the_offered_load_is_the_one_asked_for(load: float, users: int | None) -> None:
    assert synthesis.offered_load(made(load=load, users=users)) == pytest.approx(load, rel=1e-4)


def test_a_load_keeps_the_day_at_24_hours() -> None:
    hour = np.array(made(20_000, load=0.2, users=None).submit) % 86_400 // 3600
    count = np.bincount(hour.astype(int), minlength=24)
    assert count[10:16].sum() > 2.5 * count[3:9].sum()


def test_users_leave_sizes_and_run_times_as_the_model_has_them() -> None:
    plain, lived_in = made(50_000, users=None), made(50_000)
    for name in ("nodes", "runtime"):
        a, b = (np.array(getattr(w, name)) for w in (plain, lived_in))
        # Runs of one application are alike, so 50,000 jobs tell as much as some 17,000.
        assert b.mean() == pytest.approx(a.mean(), rel=0.06), name
        for q in (0.25, 0.5, 0.75, 0.9):
            assert np.quantile(b, q) == pytest.approx(np.quantile(a, q), rel=0.12, abs=1), name


def test_a_users_last_two_jobs_tell_something_about_the_next() -> None:
    w = made(10_000)
    table = w.to_frame()[["user", "runtime"]]
    last = table.groupby("user")["runtime"].transform(lambda r: r.shift().rolling(2).mean())
    runtime = table["runtime"].to_numpy()
    known = last.notna().to_numpy()
    guess = last.to_numpy()[known]
    other = np.random.default_rng(1).permutation(guess)

    def accuracy(p: np.ndarray) -> float:
        return float(np.minimum(p / runtime[known], runtime[known] / p).mean())

    assert accuracy(guess) > 1.5 * accuracy(other)


def test_one_application_has_one_user_one_size_and_one_request() -> None:
    table = made().to_frame()
    distinct = table.groupby("application")[["user", "nodes", "estimate"]].nunique()
    assert (distinct == 1).all(axis=None)


def test_about_one_job_in_a_hundred_is_cut_at_its_request() -> None:
    w = made(20_000)
    cut = np.mean(np.array(w.runtime) == np.array(w.estimate))
    assert 0.005 < cut < 0.02


def test_the_request_decides_the_queue() -> None:
    w = made()
    expected = [1 if estimate <= 4 * 3600 else 2 for estimate in w.estimate]
    assert list(w.extra["queue"]) == expected
    assert w.header["Queue"] == "1 short\n2 long"
    assert set(expected) == {1, 2}
    assert "queue" not in made(100, queues=None).extra


def test_the_header_says_how_the_workload_was_made() -> None:
    note = made(100, seed=42, load=0.7).header["Note"]
    for fact in ("Lublin", "batch", "seed 42", "load 0.7", "50 users", "estimates round"):
        assert fact in note


def test_no_run_and_no_round_request_is_longer_than_the_limit() -> None:
    w = made(limit=6 * 3600, runtime_factor=3)
    assert max(w.runtime) == max(w.estimate) == 6 * 3600


def test_the_runtime_factor_stretches_run_times() -> None:
    options: dict[str, Any] = {"users": None, "estimates": "exact", "limit": 10**7}
    once, twice = made(**options), made(runtime_factor=2, **options)
    assert list(twice.runtime) == [2 * r for r in once.runtime]


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"jobs": 0}, "jobs = 0; it must be 1 or more"),
        ({"nodes": 0}, "nodes = 0"),
        ({"users": 0}, "users = 0"),
        ({"limit": 0}, "limit = 0"),
        ({"load": 0}, "load = 0; it must be greater than 0"),
        ({"load": float("nan")}, "load = nan"),
        ({"load": 0.8, "jobs": 1}, "jobs = 1; an offered load needs 2"),
        ({"runtime_factor": -1}, "runtime_factor = -1"),
        ({"variant": "interactive"}, "variant = 'interactive'; it is one of batch, one-type"),
        ({"estimates": "rough"}, "estimates = 'rough'; it is 'round', 'exact' or a number"),
        ({"estimates": -2}, "f = -2"),
        ({"queues": {"long": 9e9, "short": 60}}, "they are given shortest first"),
        ({"queues": {"short": 60}}, "is longer than any queue takes"),
    ],
)
def test_an_argument_out_of_range_is_named(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        made(**{"jobs": 50, **wrong})


def test_offered_load_needs_a_machine_and_a_span() -> None:
    w = Workload.from_jobs([Job(1, 0, 4, 50, 50), Job(2, 0, 2, 50, 50)])
    with pytest.raises(InputError, match="machine's size is unknown"):
        synthesis.offered_load(w)
    with pytest.raises(InputError, match="different times"):
        synthesis.offered_load(w, 8)
