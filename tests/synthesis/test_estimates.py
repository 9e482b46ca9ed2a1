import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.errors import InputError
from shadowtime.estimates import ROUND_VALUES
from shadowtime.synthesis import lublin
from shadowtime.synthesis.estimates import HOUR, f_model, round_values

runtimes = st.lists(st.integers(0, 48 * HOUR), max_size=50)
seeds = st.integers(0, 999)


@given(runtime=runtimes, seed=seeds)
def test_no_request_is_below_the_run_time_or_above_the_limit(runtime: list[int], seed: int) -> None:
    estimate = round_values(runtime, np.random.default_rng(seed), limit=48 * HOUR)
    assert (estimate >= np.array(runtime)).all()
    assert (estimate > 0).all()
    assert (estimate <= 48 * HOUR).all()


@pytest.fixture(scope="module")
def modelled() -> np.ndarray:
    parameters = lublin.VARIANTS["batch"]
    return lublin.runtimes(np.full(20_000, 8), np.random.default_rng(4), parameters)


def test_nine_jobs_in_ten_request_one_of_about_twenty_values(modelled: np.ndarray) -> None:
    estimate = round_values(modelled, np.random.default_rng(1))
    counts = np.sort(np.unique(estimate, return_counts=True)[1])[::-1]
    assert counts[:20].sum() / len(estimate) == pytest.approx(0.9, abs=0.06)
    assert len(counts) > 40
    assert np.isin(estimate, ROUND_VALUES).mean() > 0.9


def test_the_limit_is_a_popular_request(modelled: np.ndarray) -> None:
    limit = 50 * HOUR
    estimate = round_values(modelled, np.random.default_rng(1), limit=limit)
    assert (estimate == limit).mean() > 1 / 20


def test_jobs_use_a_share_of_their_request_that_is_about_uniform() -> None:
    runtime = np.random.default_rng(2).integers(1200, 7200, 20_000)
    estimate = round_values(runtime, np.random.default_rng(1), limit=1000 * HOUR)
    used, _ = np.histogram(runtime / estimate, bins=5, range=(0, 1))
    assert used.min() / len(runtime) > 0.1
    assert used.max() / len(runtime) < 0.3


def test_a_run_time_above_the_limit_is_an_error() -> None:
    with pytest.raises(InputError, match="runtime = 7200 is above the limit of 3600 s"):
        round_values([10, 7200], np.random.default_rng(1), limit=HOUR)


@pytest.mark.parametrize("runtime", [-1, float("nan")])
def test_an_impossible_run_time_is_an_error(runtime: float) -> None:
    with pytest.raises(InputError, match="runtime = "):
        round_values([runtime], np.random.default_rng(1))


@given(runtime=runtimes, f=st.floats(0, 300), seed=seeds)
def test_the_f_model_stays_between_the_run_time_and_f_plus_one_of_it(
    runtime: list[int], f: float, seed: int
) -> None:
    estimate = f_model(runtime, f, np.random.default_rng(seed))
    r = np.array(runtime)
    assert (estimate >= np.maximum(r, 1)).all()
    assert (estimate <= np.maximum(np.ceil((f + 1) * r + 1e-6), 1)).all()


def test_the_f_model_is_uniform() -> None:
    estimate = f_model(np.full(20_000, 1000), 4, np.random.default_rng(1))
    assert estimate.mean() == pytest.approx(3000, abs=35)  # four standard errors
    assert np.quantile(estimate, 0.25) == pytest.approx(2000, abs=60)


def test_f_of_0_requests_the_run_time() -> None:
    assert f_model([5, 70], 0, np.random.default_rng(1)).tolist() == [5, 70]


@pytest.mark.parametrize("f", [-0.1, float("nan"), float("inf")])
def test_an_impossible_f_is_an_error(f: float) -> None:
    with pytest.raises(InputError, match="f = "):
        f_model([5], f, np.random.default_rng(1))
