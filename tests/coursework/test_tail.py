"""Exercises of chapter 4: right answers pass, wrong ones are shown why."""

from collections.abc import Callable, Sequence
from math import exp, inf, log, nan
from typing import Any

import numpy as np
import pytest

import shadowtime as st
from shadowtime import prediction
from shadowtime.coursework import CheckFailed, Counterexample, check
from shadowtime.workload import Seconds

Numbers = Sequence[float]


def measures(
    nodes: Numbers,
    runtime: Numbers,
    planned: Numbers,
    *,
    once: bool = False,
    by: str = "usage",
    mean: Callable[[float], float] = log,
    back: Callable[[float], float] = exp,
    at_most: bool = False,
) -> tuple[float, float, float]:
    jobs = list(zip(nodes, runtime, planned, strict=True))
    accuracy = [min(p / y, y / p) for _, y, p in jobs]
    usage = [n * {"usage": y, "planned": p}[by] for n, y, p in jobs]
    weight = [1.0] * len(jobs) if once else usage
    geo = back(sum(c * mean(a) for c, a in zip(weight, accuracy, strict=True)) / sum(weight))
    under = sum(p < y or (at_most and p == y) for _, y, p in jobs) / len(jobs)
    return sum(accuracy) / len(jobs), geo, under


def ratios(nodes: Numbers, runtime: Numbers, planned: Numbers) -> tuple[float, float, float]:
    _, geo, under = measures(nodes, runtime, planned)
    return sum(p / y for p, y in zip(planned, runtime, strict=True)) / len(runtime), geo, under


class Share:
    """The request times the share of it that the median node-second of the history used."""

    name = "share"

    def __init__(self, *, weighted: bool = True) -> None:
        self.weighted = weighted

    def fit(self, history: prediction.Jobs) -> "Share":
        share = history["runtime"] / history["estimate"]
        usage = history["runtime"] * history["nodes"] if self.weighted else np.ones(len(history))
        order = np.argsort(share)
        used = np.cumsum(usage[order])
        self.share = share[order][np.searchsorted(used, used[-1] / 2)]
        return self

    def predict(self, jobs: prediction.Jobs) -> Any:
        return jobs["estimate"] * self.share


class Mine:
    """A predictor that learns nothing from the history."""

    def __init__(self, told: Callable[[prediction.Jobs], Any]) -> None:
        self.told = told

    def fit(self, history: prediction.Jobs) -> None:
        del history

    def predict(self, jobs: prediction.Jobs) -> Any:
        return self.told(jobs)


def looked_up(jobs: prediction.Jobs) -> list[float]:
    """Return the runtimes that stand in the log."""
    log = st.traces.load("teaching")
    key = zip(log.submit, log.nodes, log.estimate, strict=True)
    runtime = dict(zip(key, log.runtime, strict=True))
    columns = (jobs[name].tolist() for name in ("submit", "nodes", "estimate"))
    return [runtime[each] for each in zip(*columns, strict=True)]


class CopyOfLast2(prediction.LastN):
    """Last2 under another name."""


class Unknown(Share):
    """Has no prediction for some users."""

    def predict(self, jobs: prediction.Jobs) -> Any:
        return np.where(jobs["user"] % 5 == 0, nan, super().predict(jobs))


def report(
    jobs: st.Workload,
    model: Sequence[Seconds],
    percentiles: Sequence[float],
    *,
    inclusive: bool = False,
    swapped: bool = False,
    used: bool = False,
    zero: bool = True,
    forgets: bool = False,
    base: str = "",
) -> dict[tuple[float, str], tuple[float, float]]:
    def replay(planned: Sequence[Seconds], correction: str) -> tuple[float, int]:
        schedule = st.simulate(
            jobs, "easy", planned=planned, correction=correction, overrun="extend"
        )
        return sum(schedule.wait()), sum(schedule.backfilled)

    cost = [job.nodes * (job.runtime if used else job.estimate) for job in jobs]
    found = {}
    for correction in ("none",) if forgets else ("none", "request"):
        wait, backfilled = replay(model, base or correction)
        for each in percentiles:
            limit = np.percentile(cost, each)
            large = [(zero and each == 0) or c > limit or (inclusive and c == limit) for c in cost]
            planned = [
                job.estimate if takes is not swapped else said
                for job, said, takes in zip(jobs, model, large, strict=True)
            ]
            other = replay(planned, correction)
            found[each, correction] = other[0] / wait - 1, other[1] / backfilled - 1
    return found


WINNERS = [(1, 10, 10, 5), (1, 10, 10, 5), (100, 100, 50, 100)]

RIGHT: dict[str, Any] = {
    "measures": measures,
    "two-winners": WINNERS,
    "top-decile": Share(),
    "percentile": report,
}


def with_(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    return lambda *given: function(*given, **options)


WRONG: list[tuple[str, Any, str]] = [
    ("measures", lambda n, y, p: measures(n, y, p)[:2], "2 numbers; they are A_mean, A_geo"),
    ("measures", ratios, "A_mean is .* the mean of planned / runtime, which"),
    ("measures", with_(measures, once=True), "A_geo is .* lets every job count once"),
    ("measures", with_(measures, mean=float, back=float), "A_geo is .* the arithmetic mean of a"),
    ("measures", with_(measures, mean=lambda a: a - 1), "A_geo is .* 1 - a for the error"),
    ("measures", with_(measures, by="planned"), "weighted by what was planned, not"),
    ("measures", lambda n, y, p: measures([1] * len(n), y, p), "weighted by runtime, without"),
    ("measures", with_(measures, back=float), r"A_geo is \d\.\d+, not -?0\.\d+$"),
    ("measures", with_(measures, at_most=True), "UnderRate is .* jobs with planned = runtime"),
    ("measures", lambda n, y, p: measures(n, p, y), "A_geo is|UnderRate is .* planned too long"),
    ("two-winners", [], "there are 0 jobs"),
    ("two-winners", WINNERS * 2, "there are 6 jobs"),
    ("two-winners", [(1, 10, 0, 5)], "all above 0"),
    ("two-winners", [(1, 10, 5)], "it takes nodes, runtime, one and other"),
    ("two-winners", [(n, y, q, p) for n, y, p, q in WINNERS], "A_mean is .* the first must be"),
    ("two-winners", WINNERS[:2], "A_geo is .* the second must be better"),
    ("two-winners", [(1, y, p, q) for _, y, p, q in WINNERS[1:]], "A_mean is 0.750 .* 0.750"),
    ("top-decile", prediction.LastN(2), "LastN is one of the package's"),
    ("top-decile", "last2", "lacks fit or predict"),
    ("top-decile", CopyOfLast2(2), "in the top decile your A_geo is 0.1"),
    ("top-decile", Mine(lambda jobs: jobs["estimate"]), "says the same when all jobs"),
    ("top-decile", Mine(lambda jobs: 0.7 * jobs["estimate"]), "it comes from the future"),
    ("top-decile", Mine(looked_up), "it comes from the future"),
    ("top-decile", Unknown(), "job .*: nan is no prediction"),
    ("top-decile", Mine(lambda jobs: np.full(len(jobs), inf)), "inf is no prediction"),
    ("top-decile", Mine(lambda jobs: np.zeros(len(jobs))), "0.0 is no prediction"),
    ("percentile", with_(report, forgets=True), r"no entry \(\d+, 'request'\)"),
    ("percentile", with_(report, inclusive=True), "percentile .* changes by"),
    ("percentile", with_(report, swapped=True), "percentile .* changes by"),
    ("percentile", with_(report, used=True), "percentile .* as requested are planned jobs"),
    ("percentile", with_(report, zero=False), "percentile 0, correction"),
    ("percentile", with_(report, base="none"), "correction 'request': the"),
]


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("seed", [0, 1, 7])
def test_right_answers_hold(name: str, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    check(name, RIGHT[name], seed=seed)
    assert capsys.readouterr().out == f"{name}: holds\n"


@pytest.mark.parametrize("name, answer, why", WRONG)
@pytest.mark.parametrize("seed", [0, 1])
def test_wrong_answers_are_refused_and_say_why(
    name: str, answer: Any, why: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Counterexample, "draw", lambda found: None)
    with pytest.raises(CheckFailed, match=why):
        check(name, answer, seed=seed)


def test_a_predictor_that_asks_for_the_outcome_is_told_that_nobody_knows_it() -> None:
    with pytest.raises(st.InputError, match="runtime is not known when a job is submitted"):
        check("top-decile", Mine(lambda jobs: jobs["runtime"]))


def test_a_predictor_that_lets_jobs_count_once_misses_the_tail_by_more_than_it_hits() -> None:
    found = prediction.evaluate(
        prediction.prepare(st.traces.load("teaching")),
        {"usage": Share(), "once": Share(weighted=False)},
        every_days=7,
        progress=False,
    )
    tail = found.by_decile().set_index(["decile", "predictor"])["A_geo"].loc[10]
    assert tail["usage"] > tail["once"] + 0.05
