"""Scores of predictors under weights between counting jobs and counting node-time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from math import fsum
from operator import lt
from typing import Any

from shadowtime.errors import InputError
from shadowtime.live.controls import Params
from shadowtime.live.livefigure import Data, Row, readout
from shadowtime.palette import NAMES
from shadowtime.prediction import weights
from shadowtime.workload import Seconds, Workload

EXPONENTS = [step / 10 for step in range(11)]
"""Where the curves are computed."""

LEAST = 30
"""Seconds that a prediction of 0 or less can count as: the jobs that are studied run longer."""

LARGE = 20_000
"""Jobs from which on numpy is worth loading."""

SPARE = ("hybrid", "accent", "ink", "idle")
"""Colours for predictors that have none of their own."""

Column = Sequence[Seconds]


class Jobs:
    """Jobs in the order of their usage, with what each predictor planned for them.

    Parameters
    ----------
    runtime, usage : sequence of numbers, shape (jobs,)
    planned : mapping of str to sequence of numbers, each of shape (jobs,)
        All greater than 0.
    """

    def __init__(self, runtime: Column, usage: Column, planned: Mapping[str, Column]) -> None:
        order = sorted(range(len(usage)), key=usage.__getitem__)
        self.planned: dict[str, Any] = {
            name: [column[row] for row in order] for name, column in planned.items()
        }
        self.runtime: Any = [runtime[row] for row in order]
        self.usage: Any = [usage[row] for row in order]
        self._under = {
            name: list(accumulate(map(lt, column, self.runtime), initial=0))
            for name, column in self.planned.items()
        }
        self._score: Callable[..., float] = weights.weighted_accuracy
        self._mass: Callable[[Any, float], float] = _mass
        if len(order) >= LARGE:
            self._use_numpy()

    def _use_numpy(self) -> None:
        try:
            import numpy as np

            from shadowtime.prediction import accuracy
        except ImportError:
            return
        self.runtime, self.usage = np.asarray(self.runtime), np.asarray(self.usage, dtype=float)
        self.planned = {name: np.asarray(column) for name, column in self.planned.items()}
        self._score = accuracy.weighted_accuracy
        self._mass = lambda usage, exponent: float((usage**exponent).sum())

    def __len__(self) -> int:
        return len(self.usage)

    def place(self, percent: float) -> int:
        """Return how many jobs lie below the last so many percent; one is always left."""
        return min(len(self) - 1, -int(-len(self) * percent // 100))

    def score(self, name: str, jobs: slice, exponent: float, mean: str) -> float:
        """Return the weighted accuracy of a predictor for some of the jobs."""
        planned, runtime, usage = self.planned[name][jobs], self.runtime[jobs], self.usage[jobs]
        return self._score(planned, runtime, usage, exponent, mean=mean)

    def mass(self, jobs: slice, exponent: float) -> float:
        """Return what some of the jobs weigh together."""
        return self._mass(self.usage[jobs], exponent)

    def under(self, name: str, jobs: slice) -> float:
        """Return the share of some of the jobs that ran longer than planned."""
        first, stop = jobs.start, jobs.stop
        return float((self._under[name][stop] - self._under[name][first]) / (stop - first))


def _mass(usage: Column, exponent: float) -> float:
    return fsum(used**exponent for used in usage)


class Scores:
    """Predictions, and the scores made of them so far.

    Parameters
    ----------
    workload : Workload
    planned : mapping of str to sequence of numbers, each of shape (jobs,)
        What each predictor said; NaN, 0 or less where that is no valid prediction.
    """

    def __init__(self, workload: Workload, planned: Mapping[str, Column]) -> None:
        self.name = workload.name or "the log"
        self.planned = planned
        self.runtime = workload.runtime
        self.usage = [
            nodes * runtime for nodes, runtime in zip(workload.nodes, workload.runtime, strict=True)
        ]
        self.invalid = {
            name: sum(not value > 0 for value in column) for name, column in planned.items()
        }
        self._jobs: dict[str, Jobs] = {}
        self._curves: dict[tuple[str, str], list[Row]] = {}

    def jobs(self, invalid: str) -> Jobs:
        """Return the jobs, those with an invalid prediction kept or left out."""
        if invalid not in self._jobs:
            rows = range(len(self.usage))
            if invalid == "drop":
                rows = [  # type: ignore[assignment]
                    row for row in rows if all(each[row] > 0 for each in self.planned.values())
                ]
            if not rows:
                raise InputError("there is no job for which every predictor has a prediction")
            planned = {
                name: [column[row] if column[row] > 0 else LEAST for row in rows]
                for name, column in self.planned.items()
            }
            self._jobs[invalid] = Jobs(
                [self.runtime[row] for row in rows], [self.usage[row] for row in rows], planned
            )
        return self._jobs[invalid]

    def curve(self, invalid: str, mean: str) -> list[Row]:
        """Return every predictor's score against the exponent."""
        if (invalid, mean) not in self._curves:
            jobs = self.jobs(invalid)
            every = slice(0, len(jobs))
            self._curves[invalid, mean] = [
                _point(name, exponent, jobs.score(name, every, exponent, mean))
                for name in self.planned
                for exponent in EXPONENTS
            ]
        return self._curves[invalid, mean]

    def compute(self, params: Params) -> Data:
        """Score the predictors as the controls say."""
        exponent, percentile = float(params["exponent"]), int(params["percentile"])
        mean, invalid = str(params["mean"]), str(params["invalid"])
        jobs = self.jobs(invalid)
        every, tail = slice(0, len(jobs)), slice(jobs.place(percentile), len(jobs))
        here = [
            _point(name, exponent, jobs.score(name, every, exponent, mean)) for name in self.planned
        ]
        numbers: list[Row] = []
        for row in here:
            name = row["predictor"]
            far = jobs.score(name, tail, exponent, mean)
            under, late = (100 * jobs.under(name, part) for part in (every, tail))
            numbers += [
                readout("Accuracy, all", row["score"], digits=3, of=name),
                readout("Rank", 1 + sum(row["score"] < other["score"] for other in here), of=name),
                readout("Accuracy, tail", far, digits=3, of=name),
                readout("UnderRate, all", under, "%", digits=1, of=name),
                readout("UnderRate, tail", late, "%", digits=1, of=name),
            ]
        curve = self.curve(invalid, mean)
        return {
            "curve": curve,
            "here": here,
            **self._deciles(jobs, exponent, mean),
            "tail": [{"from": percentile, "to": 100}],
            "readout": numbers,
            "key": [
                {"role": colour, "label": title(name)}
                for name, colour in colours(self.planned).items()
            ],
            "story": [
                {"of": "The log", "text": self._log(jobs, invalid)},
                {"of": "The lead", "text": _lead(curve)},
                {"of": "The tail", "text": _tail(jobs, tail, exponent, percentile)},
            ],
        }

    def _deciles(self, jobs: Jobs, exponent: float, mean: str) -> Data:
        whole = jobs.mass(slice(0, len(jobs)), exponent)
        shares: list[Row] = []
        deciles: list[Row] = []
        for place, part in tenths(len(jobs)):
            shares.append(place | {"weight": 100 * jobs.mass(part, exponent) / whole})
            deciles += [
                {
                    "predictor": name, "middle": (place["from"] + place["to"]) / 2,
                    "decile": place["to"] // 10,
                    "score": jobs.score(name, part, exponent, mean),
                    "under": 100 * jobs.under(name, part),
                }
                for name in self.planned
            ]  # fmt: skip
        return {"weights": shares, "deciles": deciles}

    def _log(self, jobs: Jobs, invalid: str) -> str:
        text = f"{self.name}: {len(jobs):,} jobs"
        for name, count in self.invalid.items():
            if count:
                done = f"counted as {LEAST} s" if invalid == "floor" else "left out"
                text += f"; {title(name)} predicts 0 s or less {count:,} times, {done}"
        return text


def _point(name: str, exponent: float, score: float) -> Row:
    return {"predictor": name, "exponent": exponent, "score": score}


def _lead(curve: Sequence[Row]) -> str:
    """Tell who is best, and where that changes."""
    at: dict[float, Row] = {}
    for row in curve:
        best = at.setdefault(row["exponent"], row)
        if row["score"] > best["score"]:
            at[row["exponent"]] = row
    leaders = list(at.values())
    first = title(leaders[0]["predictor"])
    turns = [
        f"{title(after['predictor'])} from an exponent between "
        f"{before['exponent']:g} and {after['exponent']:g}"
        for before, after in pairwise(leaders)
        if before["predictor"] != after["predictor"]
    ]
    if not turns:
        return f"{first} is the most accurate at every exponent"
    return f"{first} is the most accurate where every job counts once; {', then '.join(turns)}"


def _tail(jobs: Jobs, tail: slice, exponent: float, percentile: int) -> str:
    every = slice(0, len(jobs))
    share, weight = (
        100 * jobs.mass(tail, each) / jobs.mass(every, each) for each in (1.0, exponent)
    )
    return (
        f"{tail.stop - tail.start:,} jobs above percentile {percentile} of node-time: "
        f"{share:.1f} % of the node-time, {weight:.1f} % of the weight at this exponent"
    )


def title(predictor: str) -> str:
    """Return what a figure calls a predictor."""
    return NAMES.get(predictor, predictor)


def tenths(jobs: int) -> Iterator[tuple[Row, slice]]:
    """Yield the deciles of jobs that are in order, without empty ones.

    Yields
    ------
    place : dict
        ``from`` and ``to``, in percent of the jobs.
    part : slice
        The same jobs as :func:`shadowtime.prediction.weights.groups_by_usage` has.
    """
    for group in range(10):
        first, stop = (-(-jobs * each // 10) for each in (group, group + 1))
        if first < stop:
            yield {"from": 10 * group, "to": 10 * (group + 1)}, slice(first, stop)


def colours(predictors: Sequence[str] | Mapping[str, Any]) -> dict[str, str]:
    """Give each predictor the name of a colour: its own, or one that is spare."""
    own = {"request", "last2", "xgboost"}
    spare = iter(SPARE * len(predictors))
    return {name: name if name in own else next(spare) for name in predictors}
