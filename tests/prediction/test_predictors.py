"""Each predictor against its definition, computed job by job."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import InputError
from shadowtime.prediction import Jobs, LastN, UserReq, by_name
from shadowtime.prediction.predictors import NAMES, named

runs = st.lists(st.tuples(st.integers(-1, 4), st.integers(1, 500)), max_size=40)


@given(runs, st.lists(st.integers(-1, 6), max_size=10), st.integers(1, 4))
def test_last_n_is_the_mean_of_the_users_most_recent_jobs(
    history: list[tuple[int, int]], users: list[int], n: int
) -> None:
    past = Jobs(
        {
            "submit": np.zeros(len(history)),
            "user": np.array([user for user, _ in history], dtype=np.int32),
            "runtime": np.array([runtime for _, runtime in history], dtype=np.int64),
        }
    )
    new = Jobs({"submit": np.zeros(len(users)), "user": np.array(users, dtype=np.int32)})
    found = LastN(n).fit(past).predict(new)
    for user, planned in zip(users, found, strict=True):
        own = [runtime for its, runtime in history if its == user and user >= 0][-n:]
        recent = own or [runtime for _, runtime in history]
        if recent:
            assert planned == pytest.approx(sum(recent) / len(recent))
        else:
            assert np.isnan(planned)


def test_without_users_last_n_is_the_mean_of_all() -> None:
    columns = {"submit": np.zeros(3), "end": np.arange(3), "runtime": np.array([60, 90, 120])}
    found = LastN(2).fit(Jobs(columns)).predict(Jobs({"submit": np.zeros(2)}))
    assert found.tolist() == [90, 90]


def test_userreq_is_the_request() -> None:
    jobs = Jobs({"submit": np.zeros(2), "estimate": np.array([600, 3600])})
    assert UserReq().fit(jobs).predict(jobs).tolist() == [600, 3600]


def test_names_lead_to_predictors() -> None:
    for name in NAMES:
        assert by_name(name).name == name
    assert by_name("last7").name == "last7"
    assert by_name("xgboost", seed=3).parameters["seed"] == 3  # type: ignore[attr-defined]
    assert list(named(["request", LastN(2), "last3"])) == ["request", "last2", "last3"]
    assert list(named({"mine": LastN(2)})) == ["mine"]


@pytest.mark.parametrize("name", ["last", "last2.5", "lastx", "oracle", ""])
def test_an_unknown_name_lists_those_that_there_are(name: str) -> None:
    with pytest.raises(InputError, match="it is one of request, last2, xgboost, quantile"):
        by_name(name)


def test_predictors_without_sense_are_refused() -> None:
    with pytest.raises(InputError, match="n = 0"):
        LastN(0)
    with pytest.raises(InputError, match="two predictors are called 'last2'"):
        named(["last2", LastN(2)])
    with pytest.raises(InputError, match="no predictor"):
        named([])
    with pytest.raises(InputError, match="give a list of names"):
        named("last2")
