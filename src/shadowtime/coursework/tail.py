"""Exercises of chapter 4, tail-weighted accuracy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import compress, product
from math import exp, fsum, inf, isclose
from random import Random
from typing import Any

from shadowtime import prediction, traces
from shadowtime.coursework.framework import (
    Counterexample,
    Trials,
    exercise,
    fail,
    workload,
)
from shadowtime.engine import simulate
from shadowtime.prediction.weights import job_accuracy, weighted_accuracy
from shadowtime.schedule import Schedule
from shadowtime.workload import Seconds, Workload

Columns = tuple[list[int], list[int], list[int]]
"""Nodes, runtimes and planned runtimes of a few jobs."""

LEAD = 0.1
"""By what each of two winners has to be better."""

MARGIN = 0.05
"""By what a predictor has to be better in the top decile."""

EVERY = 7
"""Days between two fits of a predictor that is checked."""

CORRECTIONS = ("none", "request")


def _usage(nodes: Sequence[int], runtime: Sequence[Seconds]) -> list[float]:
    return [float(n * r) for n, r in zip(nodes, runtime, strict=True)]


@exercise("measures")
def measures(
    function: Callable[[list[int], list[int], list[int]], Sequence[float]], trials: Trials
) -> None:
    """Write ``function(nodes, runtime, planned)``: A_mean, A_geo and UnderRate of some jobs."""
    random = trials.random
    for trial in range(trials.count):
        columns = _columns(random, 1 + trial * 5 // trials.count)
        nodes, runtime, planned = columns
        usage = _usage(nodes, runtime)
        right = {
            "A_mean": weighted_accuracy(planned, runtime, usage, 0, mean="arithmetic"),
            "A_geo": weighted_accuracy(planned, runtime, usage, 1),
            "UnderRate": sum(p < r for p, r in zip(planned, runtime, strict=True)) / len(runtime),
        }
        found = tuple(function(*(list(column) for column in columns)))
        if len(found) != len(right):
            fail(f"your answer has {len(found)} numbers; they are {', '.join(right)}")
        for (name, value), mine in zip(right.items(), found, strict=True):
            if not isclose(mine, value, abs_tol=1e-9):
                fail(
                    f"nodes {nodes}, runtime {runtime}, planned {planned}: "
                    f"{name} is {value:.4f}, not {mine:.4f}{_slip(name, mine, columns)}"
                )


def _columns(random: Random, jobs: int) -> Columns:
    nodes = [random.choice((1, 1, 2, 4, 8)) for _ in range(jobs)]
    runtime = [random.choice((1, 5, 20, 60, 240)) for _ in range(jobs)]
    planned = [random.choice((r, 2 * r, 3 * r, 5, 20, 100)) for r in runtime]
    return nodes, runtime, planned


def _slip(name: str, mine: float, columns: Columns) -> str:
    """Say what else the number is, if it is that of a likely mistake."""
    nodes, runtime, planned = columns
    usage, ones = _usage(nodes, runtime), [1.0] * len(nodes)
    ratio = [p / r for p, r in zip(planned, runtime, strict=True)]
    loss = [n * r * (1 - job_accuracy(p, r)) for n, r, p in zip(*columns, strict=True)]
    slips = {
        "A_mean": {
            "that is the mean of planned / runtime, which may exceed 1": fsum(ratio) / len(ratio),
            "that is weighted by usage": weighted_accuracy(
                planned, runtime, usage, 1, mean="arithmetic"
            ),
        },
        "A_geo": {
            "that lets every job count once": weighted_accuracy(planned, runtime, ones, 1),
            "that is the arithmetic mean of a, weighted by usage": weighted_accuracy(
                planned, runtime, usage, 1, mean="arithmetic"
            ),
            "that is weighted by what was planned, not by what was used": weighted_accuracy(
                planned, runtime, _usage(nodes, planned), 1
            ),
            "that is weighted by runtime, without the nodes": weighted_accuracy(
                planned, runtime, [float(r) for r in runtime], 1
            ),
            "that takes 1 - a for the error, which is a logarithm": exp(-fsum(loss) / fsum(usage)),
        },
        "UnderRate": {
            "that counts jobs with planned = runtime": sum(each <= 1 for each in ratio)
            / len(ratio),
            "that counts the jobs that were planned too long": sum(each > 1 for each in ratio)
            / len(ratio),
        },
    }[name]
    said = next((why for why, value in slips.items() if isclose(mine, value, abs_tol=1e-9)), "")
    return f"; {said}" if said else ""


@exercise("two-winners")
def two_winners(jobs: Iterable[tuple[int, Seconds, Seconds, Seconds]], trials: Trials) -> None:
    """Find at most five jobs, and two predictions of each, whose winners differ.

    Each is ``(nodes, runtime, one, other)``. By A_mean the first prediction is the better one, by
    A_geo the second, and by a tenth at least.
    """
    del trials
    table = [tuple(job) for job in jobs]
    if not 0 < len(table) <= 5:
        fail(f"there are {len(table)} jobs; take 1 to 5")
    for number, job in enumerate(table, start=1):
        if len(job) != 4 or not all(value > 0 for value in job):
            fail(f"job {number} is {job}; it takes nodes, runtime, one and other, all above 0")
    nodes, runtime, one, other = zip(*table, strict=True)
    usage, both = _usage(nodes, runtime), (one, other)
    mean = [weighted_accuracy(plan, runtime, usage, 0, mean="arithmetic") for plan in both]
    geo = [weighted_accuracy(plan, runtime, usage, 1) for plan in both]
    for name, (first, second), ahead, winner in (
        ("A_mean", mean, mean[0] - mean[1], "first"),
        ("A_geo", geo, geo[1] - geo[0], "second"),
    ):
        if ahead < LEAD:
            fail(
                f"{name} is {first:.3f} for the first and {second:.3f} for the second; the "
                f"{winner} must be better by {LEAD}"
            )


@cache
def _site() -> Workload:
    return prediction.prepare(traces.load("teaching"))


@exercise("top-decile")
def top_decile(predictor: Any, trials: Trials) -> None:
    """Write a predictor that is better where it counts than Last2 and than what users request.

    By A_geo in the top decile of usage, and by five hundredths at least. It is asked for each job
    of the teaching log's last 51 days, and fitted once a week on the jobs that ended in the 100
    days before; a tenth of the users is left out. Each job needs a prediction.
    """
    if not (callable(getattr(predictor, "fit", None)) and hasattr(predictor, "predict")):
        fail("your predictor lacks fit or predict")
    if type(predictor).__module__.startswith("shadowtime."):
        fail(f"{type(predictor).__name__} is one of the package's predictors; write your own")
    site = _site()
    users = sorted(set(site.extra["user"]))
    left_out = set(trials.random.sample(users, len(users) // 10))
    jobs = site.select([at for at, user in enumerate(site.extra["user"]) if user not in left_out])
    found = _evaluated(jobs, {"request": prediction.UserReq(), "last2": prediction.LastN(2)})
    mine = _evaluated(jobs, {"mine": predictor})
    for row, planned in zip(mine.row, mine.planned["mine"], strict=True):
        if not 0 < planned < inf:
            fail(f"job {jobs.id[row]}: {planned} is no prediction; each job needs one above 0")
    # What was learnt from the history changes with it; what was known beforehand does not.
    shorter = jobs.replace(runtime=[max(1, runtime // 2) for runtime in jobs.runtime])
    again = _evaluated(shorter, {"mine": predictor})
    if mine.planned["mine"].tolist() == again.planned["mine"].tolist():
        fail(
            "your predictor says the same when all jobs of the history ran half as long; what it "
            "knows must come from the history that fit is given, or it comes from the future"
        )
    found.planned.update(mine.planned)
    table = found.by_decile().set_index(["decile", "predictor"])["A_geo"].loc[10]
    best = max(table["request"], table["last2"])
    if table["mine"] < best + MARGIN:
        fail(
            f"in the top decile your A_geo is {table['mine']:.3f}, that of Last2 "
            f"{table['last2']:.3f}, of the requests {table['request']:.3f}; beat both by {MARGIN}"
        )


def _evaluated(jobs: Workload, predictors: Mapping[str, Any]) -> prediction.Predictions:
    return prediction.evaluate(jobs, predictors, every_days=EVERY, progress=False)


Report = Mapping[tuple[float, str], tuple[float, float]]


@exercise("percentile")
def percentile(
    function: Callable[[Workload, Sequence[Seconds], Sequence[float]], Report], trials: Trials
) -> None:
    """Write ``function(jobs, model, percentiles)``: what hybrid routing changes, as a dictionary.

    Keys are pairs of a percentile and a correction, ``"none"`` or ``"request"``; values are the
    relative changes of the mean wait and of the number of backfilled jobs, against planning all
    jobs by the model under the same correction. Under EASY, where no job is killed.
    """
    random = trials.random
    wanted, tried = max(1, trials.count // 4), 0
    while tried < wanted:
        jobs = workload(random, 6 + tried * 15 // wanted)
        # Users ask for round values, so that many requests are alike.
        jobs = jobs.replace(estimate=[-(-estimate // 30) * 30 for estimate in jobs.estimate])
        model = [
            min(job.estimate, max(1, round(job.runtime * random.choice((0.3, 0.6, 0.9, 1.0, 1.5)))))
            for job in jobs
        ]
        base = {name: _replayed(jobs, model, name) for name in CORRECTIONS}
        if not all(sum(each.wait()) and sum(each.backfilled) for each in base.values()):
            continue  # there is nothing to be compared with
        tried += 1
        percentiles = [0, *sorted(random.sample((25, 50, 60, 75, 80, 90, 95, 100), 2))]
        mine = function(jobs, list(model), list(percentiles))
        for key in product(percentiles, CORRECTIONS):
            if key not in mine:
                fail(f"the report has no entry {key}; it has {', '.join(map(str, mine))}")
            routed = prediction.hybrid.route(jobs, key[0])
            planned = prediction.hybrid.combine(jobs.estimate, model, routed).tolist()
            schedule = _replayed(jobs, planned, key[1])
            for what, value, right in zip(
                ("mean wait", "number of backfilled jobs"),
                mine[key],
                _changes(schedule, base[key[1]]),
                strict=True,
            ):
                if not isclose(value, right, abs_tol=1e-9):
                    raise Counterexample(
                        f"percentile {key[0]}, correction {key[1]!r}: the {what} changes by "
                        f"{right:+.1%}, not by {value:+.1%}; the model plans {model}, and as "
                        f"requested are planned jobs {[*compress(jobs.id, routed)]}",
                        jobs,
                        schedule,
                    )


def _replayed(jobs: Workload, planned: Sequence[Seconds], correction: str) -> Schedule:
    return simulate(jobs, "easy", planned=planned, correction=correction, overrun="extend")


def _changes(schedule: Schedule, base: Schedule) -> tuple[float, float]:
    return (
        sum(schedule.wait()) / sum(base.wait()) - 1,
        sum(schedule.backfilled) / sum(base.backfilled) - 1,
    )
