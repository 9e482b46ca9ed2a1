"""The widget shows what the figure computes, and tells what went wrong."""

from pathlib import Path
from typing import Any

import pytest

from shadowtime import live
from shadowtime.live import answer
from shadowtime.live.widget import FigureWidget

WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def fig(monkeypatch: pytest.MonkeyPatch) -> live.LiveFigure:
    monkeypatch.delenv("SHADOWTIME_BOOK", raising=False)
    monkeypatch.setattr("shadowtime.live.assets.script", lambda: "export default {}")
    return live.figure("fifo-blocking")


def ask(widget: FigureWidget, **params: object) -> dict[str, Any]:
    widget._on_request(widget, {"ask": "view 1", "params": params}, [])
    shown: dict[str, Any] = widget.shown
    return shown


def test_a_notebook_gets_a_widget_with_words_beside_it(fig: live.LiveFigure) -> None:
    data, _ = fig._repr_mimebundle_()
    assert data[WIDGET]["model_id"] == fig.widget().model_id
    assert data["text/plain"] == "<LiveFigure fifo-blocking: width=6, nodes=8, spread=2>"
    assert "text/html" not in data


def test_the_book_gets_plain_html_and_no_widget(
    fig: live.LiveFigure, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHADOWTIME_BOOK", "1")
    data = fig._repr_mimebundle_()
    assert set(data) == {"text/html", "text/plain"}
    assert 'class="st-live"' in data["text/html"]


def test_setting_the_figure_moves_its_widget(fig: live.LiveFigure) -> None:
    widget = fig.widget()
    fig.set(width=8)
    assert widget.shown["params"]["width"] == 8
    assert widget.shown["result"] == answer.present(fig.data)


def test_moving_the_widget_sets_the_figure(fig: live.LiveFigure) -> None:
    shown = ask(fig.widget(), width=3, nodes=8, spread=2)
    assert fig.values["width"] == 3
    assert shown["ask"] == "view 1"
    assert shown["result"] == answer.present(fig.data)


def test_each_answer_differs_so_that_each_reaches_the_view(fig: live.LiveFigure) -> None:
    widget = fig.widget()
    before = dict(widget.shown)
    fig.set(**fig.values)
    assert widget.shown != before


def test_an_error_is_shown_and_the_next_value_mends_it(fig: live.LiveFigure) -> None:
    widget = fig.widget()
    assert ask(widget, width=99)["error"] == "ValueError: width = 99: must be from 1 to 8"
    assert fig.values["width"] == 6
    assert "error" not in ask(widget, width=5)


def test_a_file_comes_in_pieces_and_is_read_where_the_view_is_told(
    fig: live.LiveFigure, monkeypatch: pytest.MonkeyPatch
) -> None:
    widget = fig.widget()
    told: list[dict[str, Any]] = []
    monkeypatch.setattr(widget, "send", told.append)
    for view, pieces in {"view 1": [b"; Max", b"Procs: 8"], "view 2": [b""]}.items():
        for number, piece in enumerate(pieces, start=1):
            content = {"ask": view, "file": "../my.swf", "last": number == len(pieces)}
            widget._on_request(widget, content, [memoryview(piece)])
    assert [answer["ask"] for answer in told] == ["view 1", "view 2"]
    first, second = (Path(answer["path"]) for answer in told)
    assert first.name == second.name == "my.swf"
    assert (first.read_bytes(), second.read_bytes()) == (b"; MaxProcs: 8", b"")
    assert first.parents[1] == second.parents[1]
