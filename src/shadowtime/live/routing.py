"""Replays of one partition under hybrid routing, at every percentile."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from itertools import compress
from operator import lt, mul
from typing import Literal

from shadowtime.engine import simulate
from shadowtime.live import progress
from shadowtime.live.controls import Params
from shadowtime.live.livefigure import Data, Row, readout
from shadowtime.live.scores import tenths, title
from shadowtime.metrics import percentile as percentile_of
from shadowtime.palette import NAMES, PREDICTORS
from shadowtime.partitions import observed_peak
from shadowtime.workload import Seconds, Workload

HOUR = 3600
PERCENTILES = range(0, 101, 5)
"""Where the curves are computed, which is everywhere that the slider can stand."""

LARGE = 100_000
"""Jobs of all replays together from which on compiled code is worth loading."""

MEASURES = {
    "wait": ("Mean wait", "h", 1),
    "backfilled": ("Backfilled", "jobs", 0),
    "slowdown": ("Bounded slowdown", "", 1),
    "under": ("UnderRate", "%", 1),
}
"""The numbers under the chart: label, unit, digits."""

Plan = Sequence[Seconds]


class Routing:
    """One partition of a log, and the replays made of it so far.

    Parameters
    ----------
    workload : Workload
        With a column ``"wait"``: the machine is as large as the jobs were wide together, at most.
        Times in seconds.
    request, model : sequence of numbers, shape (jobs,)
        What users and a model planned, greater than 0.
    name : str
        What the model is called.
    """

    def __init__(self, workload: Workload, request: Plan, model: Plan, name: str) -> None:
        self.workload = workload
        self.nodes = observed_peak(workload)
        self.request = request
        self.model = model
        self.name = name
        self.cost = list(map(mul, workload.nodes, workload.estimate))
        self.usage = list(map(mul, workload.nodes, workload.runtime))
        self._ascending = sorted(self.cost)
        self._scaled = 1.0, workload
        self._replays: dict[tuple[int, str, float], Row] = {}

    @cached_property
    def order(self) -> list[int]:
        """Rows of the jobs in the order of their usage; equal ones stay in order."""
        return sorted(range(len(self.usage)), key=self.usage.__getitem__)

    @cached_property
    def engine(self) -> Literal["auto", "compiled"]:
        """The engine of the replays: there are many, of the same jobs."""
        jobs = len(self.workload) * len(PERCENTILES)
        return "compiled" if jobs >= LARGE and find_spec("numba") else "auto"

    def routed(self, percentile: int) -> list[bool]:
        """Tell which jobs take their request."""
        return above(self.cost, percentile, self._ascending)

    def replay(self, percentile: int, correction: str, load: float) -> Row:
        """Replay the partition under EASY, unless the same jobs have been routed before."""
        routed = self.routed(percentile)
        key = sum(routed), correction, load
        if key not in self._replays:
            plan = [
                asked if takes else said
                for asked, said, takes in zip(self.request, self.model, routed, strict=True)
            ]
            if self._scaled[0] != load:
                self._scaled = load, self.workload.scale_load(load)
            summary = simulate(
                self._scaled[1], "easy", self.nodes,
                planned=plan, overrun="extend", correction=correction, engine=self.engine,
            ).summary()  # fmt: skip
            self._replays[key] = {
                "wait": summary["mean_wait"] / HOUR,
                "backfilled": summary["backfilled"],
                "slowdown": summary["mean_bounded_slowdown"],
                "under": 100 * sum(map(lt, plan, self.workload.runtime)) / len(plan),
            }
            progress.tell(f"EASY: percentile {percentile} done")
        return self._replays[key]

    def compute(self, params: Params) -> Data:
        """Replay at every percentile, and measure at the one that is chosen."""
        percentile, load = int(params["percentile"]), float(params["load"])
        correction = str(params["correction"])
        curve = [
            {
                "percentile": each,
                "plan": {0: "request", 100: "model"}.get(each, "hybrid"),
                **self.replay(each, correction, load),
            }
            for each in PERCENTILES
        ]
        here = {"percentile": percentile, **self.replay(percentile, correction, load)}
        return {
            "curve": curve,
            "here": [here],
            "model": [curve[-1]],
            "routed": self._deciles(percentile),
            "readout": self._numbers(curve[-1], here, curve[0]),
            "key": [
                {"role": "request", "label": NAMES["request"]},
                {"role": "hybrid", "label": NAMES["hybrid"]},
                {"role": role(self.name), "label": f"{title(self.name)} alone"},
            ],
            "story": [
                {"of": "The jobs", "text": self._jobs()},
                {"of": "The routing", "text": self._routing(percentile)},
            ],
        }

    def _numbers(self, model: Row, hybrid: Row, request: Row) -> list[Row]:
        numbers = []
        for of, row in ((self.name, model), ("hybrid", hybrid), ("request", request)):
            for measure, (label, unit, digits) in MEASURES.items():
                numbers.append(readout(label, row[measure], unit, digits=digits, of=of))
                if measure in ("wait", "backfilled"):
                    base = None if row is model else model[measure]
                    numbers.append(_change(f"{label}, change", row[measure], base, of))
        return numbers

    def _deciles(self, percentile: int) -> list[Row]:
        routed = self.routed(percentile)
        rows = []
        for place, part in tenths(len(routed)):
            jobs = self.order[part]
            rows.append(place | {"share": 100 * sum(routed[row] for row in jobs) / len(jobs)})
        return rows

    def _jobs(self) -> str:
        return (
            f"{self.workload.name}: {len(self.workload):,} jobs on {self.nodes:,} nodes, the most "
            "that they held at once in the log"
        )

    def _routing(self, percentile: int) -> str:
        routed, tail = self.routed(percentile), above(self.usage, percentile)
        text = f"{sum(routed):,} jobs are planned as requested"
        if percentile > 0 and any(tail):
            limit = percentile_of(self._ascending, percentile) / HOUR
            hit = list(map(min, routed, tail))
            found = 100 * sum(hit) / sum(tail)
            share = 100 * sum(compress(self.usage, hit)) / sum(compress(self.usage, tail))
            text += (
                f", those that ask for more than {limit:,.0f} node-hours. Among them are "
                f"{found:.1f} % of the {sum(tail):,} jobs that used most, with {share:.1f} % of "
                "their node-time"
            )
        return text


def _change(label: str, value: float, base: float | None, of: str) -> Row:
    if not base:
        return readout(label, "–", of=of)
    change = 100 * (value - base) / base
    return {**readout(label, change, "%", of=of), "text": f"{change:+,.1f} %"}


def above(
    cost: Sequence[float], percentile: float, ascending: Sequence[float] | None = None
) -> list[bool]:
    """Tell which jobs are routed, as :func:`shadowtime.prediction.hybrid.above` does.

    Parameters
    ----------
    cost : sequence of numbers, shape (jobs,)
    percentile : float
        From 0 (all jobs) to 100 (none).
    ascending : sequence of numbers, shape (jobs,), optional
        The costs in order, where they are at hand.

    Examples
    --------
    >>> above([10, 20, 30, 40, 50], 75)
    [False, False, False, False, True]
    """
    if percentile == 0:
        return [True] * len(cost)
    limit = percentile_of(ascending or cost, percentile)
    return [each > limit for each in cost]


def role(model: str) -> str:
    """Return the name of a model's colour."""
    return model if model in PREDICTORS["light"] else "xgboost"
