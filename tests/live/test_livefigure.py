"""A live figure as Python sees it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import shadowtime
from shadowtime import live
from shadowtime.live import Data, LiveFigure, Params, Slider, readout

SRC = Path(shadowtime.__file__).parents[1]


def squares(params: Params) -> Data:
    return {"points": [{"n": params["n"]}], "readout": [readout("square", int(params["n"]) ** 2)]}


def make(**changes: object) -> LiveFigure:
    parts: dict[str, object] = {
        "name": "squares",
        "title": "Squares",
        "controls": [Slider(name="n", label="Number", min=0, max=9, default=2)],
        "compute": squares,
        "chart": dict,
        "caption": "A number.",
        "alt": "A point.",
    }
    return LiveFigure(**(parts | changes))  # type: ignore[arg-type]


def test_setting_a_control_recomputes() -> None:
    fig = make()
    assert fig.data["points"] == [{"n": 2}]
    assert fig.set(n=5).data["points"] == [{"n": 5}]
    assert fig.reset().data["points"] == [{"n": 2}]


def test_the_computation_runs_once_for_each_setting() -> None:
    calls: list[Params] = []

    def compute(params: Params) -> Data:
        calls.append(params)
        return {}

    fig = make(compute=compute)
    assert fig.data is fig.data
    fig.set(n=3)
    assert fig.data == {}
    assert calls == [{"n": 2}, {"n": 3}]


def test_a_value_that_a_control_cannot_take_changes_nothing() -> None:
    fig = make()
    with pytest.raises(ValueError, match="n = 10"):
        fig.set(n=10)
    with pytest.raises(KeyError, match="squares has no control 'm'; it has n"):
        fig.set(m=1)
    assert fig.values == {"n": 2}


def test_at_most_five_controls_of_different_names() -> None:
    def slider(name: str) -> Slider:
        return Slider(name=name, label=name, min=0, max=1, default=0)

    with pytest.raises(ValueError, match="at most 5 controls"):
        make(controls=[slider(name) for name in "abcdef"])
    with pytest.raises(ValueError, match="no two of one name"):
        make(controls=[slider("a"), slider("a")])


def test_a_browser_is_told_where_the_computation_is() -> None:
    assert live.figure("fifo-blocking").target() == (
        "shadowtime.live.figures.fifo_blocking:compute"
    )
    with pytest.raises(ValueError, match="a browser cannot import"):
        make(compute=lambda _: {}).target()
    with pytest.raises(ValueError, match="own data is for notebooks"):
        live.figure("replay", workload=shadowtime.demo.workload()).target()


def test_a_readout_is_rounded_where_it_is_made() -> None:
    assert readout("jobs", 12345)["text"] == "12,345"
    assert readout("wait", 2.25, "min", digits=1)["text"] == "2.2 min"
    assert readout("promise", "none")["text"] == "none"


def test_every_file_of_a_figure_is_a_figure_of_that_name() -> None:
    assert {"fifo-blocking", "welcome"} <= set(live.names())
    for name in live.names():
        assert live.figure(name).name == name


def test_a_figure_from_the_registry_is_the_callers_own() -> None:
    one, other = live.figure("welcome"), live.figure("welcome")
    one.set(policy="easy")
    assert other.values["policy"] == "fcfs"


def test_an_unknown_figure_is_answered_with_those_there_are() -> None:
    with pytest.raises(KeyError, match=r"no live figure is named 'nope'; there are .*welcome"):
        live.figure("nope")


COMPUTE_ALL = """
import json, sys
sys.path.insert(0, sys.argv[1])
from shadowtime import live
before = {name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)
figures = {name: live.figure(name).data for name in live.names()}
foreign = {name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)
print(json.dumps({"foreign": sorted(foreign), "figures": figures}, allow_nan=False))
"""


def test_every_figure_computes_with_the_standard_library_alone() -> None:
    # -S and -I: no installed package is on the path, as in the reader's browser.
    done = subprocess.run(
        [sys.executable, "-S", "-I", "-c", COMPUTE_ALL, str(SRC)],
        capture_output=True,
        check=True,
        text=True,
    )
    found = json.loads(done.stdout)
    assert set(found["foreign"]) <= {"__main__", "shadowtime"}
    for name in live.names():
        assert found["figures"][name] == json.loads(json.dumps(live.figure(name).data))
