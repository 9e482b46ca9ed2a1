"""Predictors of runtimes that need no library: what the user asked for, and what the user ran last.

A predictor is anything with a name and two methods: ``fit(history)`` learns from jobs that have
ended, in the order of their ends, and returns the predictor; ``predict(jobs)`` returns a planned
runtime in seconds for each job, from what is known when it is submitted. NaN, or a number that is
not greater than 0, says that there is no prediction for a job.

References
----------
D. Tsafrir, Y. Etsion and D. G. Feitelson, "Backfilling Using System-Generated Predictions Rather
than User Runtime Estimates", IEEE Transactions on Parallel and Distributed Systems 18(6), 2007,
doi:10.1109/TPDS.2007.70606 (the mean of a user's two most recent runtimes).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np

from shadowtime.errors import InputError
from shadowtime.prediction.jobs import UNKNOWN, Jobs

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Predictor(Protocol):
    """What :func:`shadowtime.prediction.rolling.evaluate` expects of a predictor.

    Predictors that run in other processes have to be picklable; their ``repr`` should tell their
    parameters, because an interrupted evaluation goes on only with the same ones.
    """

    @property
    def name(self) -> str:
        """What tables call it."""

    def fit(self, history: Jobs) -> Any:
        """Learn from jobs that have ended."""

    def predict(self, jobs: Jobs) -> ArrayLike:
        """Return planned runtimes in seconds, shape (jobs,)."""


@dataclass(frozen=True)
class UserReq:
    """The user's own estimate: what was requested at submission.

    Examples
    --------
    >>> jobs = Jobs({"submit": np.array([0]), "estimate": np.array([3600])})
    >>> UserReq().predict(jobs).tolist()
    [3600.0]
    """

    name: str = "request"

    def fit(self, history: Jobs) -> Self:
        """Learn nothing."""
        del history
        return self

    def predict(self, jobs: Jobs) -> NDArray[np.float64]:
        """Return the estimates, shape (jobs,)."""
        return jobs["estimate"].astype(np.float64)


@dataclass
class LastN:
    """The mean runtime of the user's most recent jobs in the history.

    Parameters
    ----------
    n : int
        How many jobs; fewer where the user has fewer. A user without any, or whom the log does
        not name, is given the mean runtime of all jobs in the history.
    name : str, optional
        ``"last2"`` for two jobs, and so on.

    Raises
    ------
    InputError
        If `n` is less than 1.

    Examples
    --------
    >>> history = Jobs(
    ...     {
    ...         "submit": np.array([0, 0, 0, 0]),
    ...         "end": np.array([10, 20, 30, 40]),
    ...         "runtime": np.array([60, 600, 100, 200]),
    ...         "user": np.array([1, 2, 1, 1]),
    ...     }
    ... )
    >>> new = Jobs({"submit": np.array([50, 50, 50]), "user": np.array([1, 2, 3])})
    >>> LastN(2).fit(history).predict(new).tolist()
    [150.0, 600.0, 240.0]
    """

    n: int = 2
    name: str = ""
    _users: NDArray[Any] = field(default_factory=lambda: np.empty(0), repr=False)
    _means: NDArray[Any] = field(default_factory=lambda: np.empty(0), repr=False)
    _recent: float = field(default=np.nan, repr=False)

    def __post_init__(self) -> None:
        if self.n < 1:
            raise InputError(f"n = {self.n}; the mean of a user's last jobs needs 1 or more")
        self.name = self.name or f"last{self.n}"

    def fit(self, history: Jobs) -> Self:
        """Remember each user's last runtimes."""
        user, runtime = _users(history), history["runtime"].astype(np.float64)
        self._recent = float(runtime.mean()) if len(runtime) else np.nan
        order = np.argsort(user, kind="stable")
        user = user[order]
        first = np.flatnonzero(np.diff(user, prepend=np.nan))
        stop = np.append(first[1:], len(user))
        begin = np.maximum(first, stop - self.n)
        before = np.concatenate(([0.0], np.cumsum(runtime[order])))
        self._users = user[first]
        self._means = (before[stop] - before[begin]) / (stop - begin)
        return self

    def predict(self, jobs: Jobs) -> NDArray[np.float64]:
        """Return the mean of the last runtimes of each job's user, shape (jobs,)."""
        planned = np.full(len(jobs), self._recent)
        user = _users(jobs)
        place = np.searchsorted(self._users, user)
        known = place < len(self._users)
        known[known] = self._users[place[known]] == user[known]
        known &= user >= 0
        planned[known] = self._means[place[known]]
        return planned


def _users(jobs: Jobs) -> NDArray[Any]:
    return jobs["user"] if "user" in jobs else np.full(len(jobs), UNKNOWN)


def _xgboost(**parameters: Any) -> Predictor:
    from shadowtime.prediction.xgb import XGBoost

    return XGBoost(**parameters)


def _quantile(**parameters: Any) -> Predictor:
    from shadowtime.prediction.xgb import QuantileXGBoost

    return QuantileXGBoost(**parameters)


NAMES: dict[str, Callable[..., Predictor]] = {
    "request": lambda **_: UserReq(),
    "last2": lambda **_: LastN(2),
    "xgboost": _xgboost,
    "quantile": _quantile,
}
"""The predictors by name; ``"last5"`` and the like are known too."""

STUDY = ("request", "last2", "xgboost")
"""The predictors that the study compares."""


def by_name(name: str, *, seed: int = 0) -> Predictor:
    """Return the predictor called `name`.

    Parameters
    ----------
    name : str
        A key of :data:`NAMES`, or ``"last"`` and a number.
    seed : int
        For those that draw random numbers.

    Raises
    ------
    InputError
        If there is none of that name.

    Examples
    --------
    >>> by_name("last5").n
    5
    """
    if name in NAMES:
        return NAMES[name](seed=seed)
    number = name.removeprefix("last")
    if number != name and number.isdecimal():
        return LastN(int(number))
    raise InputError(
        f"predictor = {name!r}; it is one of {', '.join(NAMES)}, or last5 and the like"
    )


def named(
    predictors: Mapping[str, Predictor] | Sequence[str | Predictor], *, seed: int = 0
) -> dict[str, Predictor]:
    """Return predictors by their names, in order.

    Parameters
    ----------
    predictors : mapping of str to predictor, or sequence of names and predictors
    seed : int
        For the predictors that are given by name and draw random numbers.

    Raises
    ------
    InputError
        If there is none, a name is unknown, or two have the same name.
    """
    if isinstance(predictors, Mapping):
        chosen = dict(predictors)
    else:
        if isinstance(predictors, str):
            raise InputError(f"predictors = {predictors!r}; give a list of names")
        chosen = {}
        for given in predictors:
            predictor = by_name(given, seed=seed) if isinstance(given, str) else given
            if predictor.name in chosen:
                raise InputError(f"two predictors are called {predictor.name!r}: pass a mapping")
            chosen[predictor.name] = predictor
    if not chosen:
        raise InputError("there is no predictor to evaluate: give one at least")
    return chosen
