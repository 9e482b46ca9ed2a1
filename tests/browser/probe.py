"""Computations for tests of the machinery: quick, slow, failing. In no book."""

from __future__ import annotations

import time

from shadowtime.live.controls import Choice, Params, Slider, Toggle
from shadowtime.live.livefigure import Data, LiveFigure, readout

SLOW = 0.15
"""Seconds that a slow computation takes: many slider steps come in that time."""


def compute(params: Params) -> Data:
    n, mode = int(params["n"]), params["mode"]
    if mode == "fail":
        raise ValueError(f"no picture for {n}")
    if mode == "slow":
        until = time.perf_counter() + SLOW
        while time.perf_counter() < until:
            pass
    points = [{"x": x, "y": x * n} for x in range(11)]
    return {"points": points, "readout": [readout("n", n), readout("on", str(params["on"]))]}


def chart() -> object:
    x, y = {"field": "x", "type": "quantitative"}, {"field": "y", "type": "quantitative"}
    mark = {"type": "point"}
    return {"data": {"name": "points"}, "mark": mark, "encoding": {"x": x, "y": y}, "width": 400}


FIGURE = LiveFigure(
    name="probe",
    title="Multiples of a number",
    controls=[
        Slider(name="n", label="Number", min=0, max=100, default=5, unit="steps"),
        Choice(
            name="mode",
            label="Mode",
            options={"quick": "quick", "slow": "slow", "fail": "fail"},
            default="quick",
        ),
        Choice(
            name="menu", label="Menu", options={letter: letter for letter in "abcde"}, default="a"
        ),
        Toggle(name="on", label="On"),
    ],
    compute=compute,
    chart=chart,
    caption="Eleven points.",
    alt="Eleven points on a straight line that rises from 0 to 50.",
)
