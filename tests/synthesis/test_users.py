import numpy as np
import pytest

from shadowtime.synthesis import lublin, users

JOBS = 50_000
PARAMETERS = lublin.VARIANTS["batch"]


@pytest.fixture(scope="module")
def user() -> np.ndarray:
    return users.submitters(JOBS, 50, np.random.default_rng(1))


def test_the_second_user_submits_half_as_much_as_the_first(user: np.ndarray) -> None:
    count = np.bincount(user)
    assert count[0] == 0
    assert len(count) == 51
    assert count[2] / count[1] == pytest.approx(0.5, abs=0.04)
    assert count[10] / count[1] == pytest.approx(0.1, abs=0.02)


def test_jobs_come_in_sessions(user: np.ndarray) -> None:
    by_chance = ((np.bincount(user) / JOBS) ** 2).sum()
    expected = users.STAYS + (1 - users.STAYS) * by_chance
    assert (user[1:] == user[:-1]).mean() == pytest.approx(expected, abs=0.01)


def test_no_two_users_share_an_application(user: np.ndarray) -> None:
    application = users.applications(user, np.random.default_rng(2))
    pairs = np.unique(np.column_stack([application, user]), axis=0)
    assert len(pairs) == len(np.unique(application)) == application.max() + 1


def test_a_user_repeats_the_last_application(user: np.ndarray) -> None:
    application = users.applications(user, np.random.default_rng(2))
    own = application[user == 1]
    assert (own[1:] == own[:-1]).mean() == pytest.approx(users.REPEATS, abs=0.02)
    assert (np.diff(own) >= 0).all()  # what was left is not taken up again


def test_failed_runs_and_short_applications_together_make_the_short_runs_of_the_model() -> None:
    rng = np.random.default_rng(3)
    size = np.full(JOBS, 16)
    runtime, long = users.application_runtimes(size, rng, PARAMETERS)
    assert len(runtime) == JOBS
    short = 1 - long.mean() * (1 - users.FAILS)
    assert short == pytest.approx(lublin.short_share(size[:1], PARAMETERS)[0], abs=0.01)


def test_runs_of_long_applications_fail_early_and_others_spread_around_the_usual() -> None:
    rng = np.random.default_rng(4)
    usual, early = np.full(JOBS, 1000.0), np.full(JOBS, 10.0)
    long = np.arange(JOBS) < JOBS / 2
    runtime = users.runs(usual, long, early, rng)
    failed = runtime == 10
    assert failed[long].mean() == pytest.approx(users.FAILS, abs=0.01)
    assert not failed[~long].any()
    assert runtime[~failed].mean() == pytest.approx(1000, rel=0.01)
    assert np.log(runtime[~failed]).std() == pytest.approx(users.SPREAD, rel=0.02)


def test_a_failing_run_is_never_longer_than_a_usual_one() -> None:
    usual = np.full(1000, 50.0)
    runtime = users.runs(
        usual, np.ones(1000, dtype=np.bool_), np.full(1000, 1e6), np.random.default_rng(1)
    )
    assert (runtime == 50).sum() > 200
    assert runtime.max() < 1e6
