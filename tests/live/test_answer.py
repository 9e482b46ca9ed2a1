"""What a browser gets back: datasets, HTML, or an error in a line."""

import json
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from shadowtime import live
from shadowtime.live import Data, Params, answer, readout


def failing(params: Params) -> Data:
    raise ValueError(f"no picture for {params['n']}")


def undefined(params: Params) -> Data:
    return {"points": [{"x": float("nan")}]}


def ask(target: str, **params: object) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(answer.respond(target, json.dumps(params)))
    return result


def test_a_browser_gets_what_the_kernel_gets() -> None:
    fig = live.figure("fifo-blocking").set(width=8)
    assert ask(fig.target(), **fig.values) == json.loads(json.dumps(answer.present(fig.data)))


def test_an_error_comes_back_as_its_message(monkeypatch: pytest.MonkeyPatch) -> None:
    probe = SimpleNamespace(failing=failing, undefined=undefined)
    monkeypatch.setitem(sys.modules, "probe", probe)
    assert ask("probe:failing", n=3) == {"error": "ValueError: no picture for 3"}
    assert "not JSON compliant" in ask("probe:undefined")["error"]
    assert ask("probe:absent")["error"].startswith("AttributeError")
    assert ask("nowhere:compute") == {"error": "ModuleNotFoundError: No module named 'nowhere'"}


def test_an_error_without_words_is_named() -> None:
    assert answer.message(StopIteration()) == "StopIteration"


def test_the_chart_gets_neither_readout_nor_key() -> None:
    assert answer.drawn({"jobs": [], "readout": [], "key": []}) == {"jobs": []}


def test_readouts_of_one_schedule_are_a_list_of_terms() -> None:
    html = answer.readout({"readout": [readout("Mean <wait>", 3, "min")]})
    assert html == "<dl><div><dt>Mean &lt;wait&gt;</dt><dd>3 min</dd></div></dl>"


def test_readouts_of_several_schedules_are_a_table_with_headings() -> None:
    rows = [
        readout("Wait", 3, of="fcfs"),
        readout("Wait", 2, of="easy"),
        readout("Gain", 1, of="easy"),
    ]
    html = answer.readout({"readout": rows})
    assert '<th scope="col"><span style="color: var(--st-fcfs)">FCFS</span></th>' in html
    assert '<tr><th scope="row">Wait</th><td>3</td><td>2</td></tr>' in html
    assert '<tr><th scope="row">Gain</th><td>–</td><td>1</td></tr>' in html


def test_no_readout_and_no_key_is_no_html() -> None:
    assert answer.readout({}) == answer.key({}) == ""


def test_a_key_names_its_colours() -> None:
    html = answer.key({"key": [{"role": "idle", "label": "idle & waiting"}]})
    assert 'data-role="idle"' in html
    assert "var(--st-idle)" in html
    assert "idle &amp; waiting" in html


def test_a_story_is_a_list_for_each_schedule_and_no_dataset_of_the_chart() -> None:
    data = {
        "gantt": [{"job": "J1"}],
        "story": [
            {"of": "EASY", "text": "t=1: job 1 < job 2."},
            {"of": "FCFS", "text": "t=2: job 1 starts."},
            {"of": "EASY", "text": "t=3: job 1 starts."},
        ],
    }
    shown = answer.present(data)
    assert shown["story"] == (
        '<section><p class="st-of">EASY</p><ol><li>t=1: job 1 &lt; job 2.</li>'
        "<li>t=3: job 1 starts.</li></ol>"
        '</section><section><p class="st-of">FCFS</p><ol><li>t=2: job 1 starts.</li></ol></section>'
    )
    assert list(shown["data"]) == ["gantt"]
