"""A figure in the page is complete before anything runs."""

import json
import re
from html.parser import HTMLParser

import pytest

from shadowtime import live
from shadowtime.live import Choice, LiveFigure, Toggle, answer, charts, html


class Elements(HTMLParser):
    """All start tags with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for found, attributes in self.found if found == tag]


@pytest.fixture(scope="module", params=live.names())
def fig(request: pytest.FixtureRequest) -> LiveFigure:
    return live.figure(request.param)


@pytest.fixture(scope="module")
def page(fig: LiveFigure) -> str:
    return fig.to_html()


def test_the_still_picture_and_its_words_are_there(fig: LiveFigure, page: str) -> None:
    elements = Elements(page)
    (chart,) = [d for d in elements.all("div") if d.get("class") == "st-chart"]
    assert chart["role"] == "img"
    assert chart["aria-label"] == fig.alt
    assert len(fig.alt) > 60
    assert re.search(r'<div class="st-chart"[^>]*><svg [^>]*class="marks"', page)
    assert "This is a still picture" in page
    assert fig.caption.split()[0] in page


def test_colours_are_the_palettes_and_follow_the_page(page: str) -> None:
    picture = page[page.index('class="marks"') : page.index('class="st-readout"')]
    assert "var(--st-" in picture
    assert not re.search(r'(fill|stroke)="(#|rgb)', picture)


def test_the_data_of_the_first_picture_are_in_the_page(fig: LiveFigure, page: str) -> None:
    text = re.search(r'class="st-definition">(.*?)</script>', page, re.DOTALL)
    assert text
    definition = json.loads(text[1])
    assert definition["data"] == json.loads(json.dumps(answer.drawn(fig.data)))
    assert definition["compute"] == fig.target()
    assert definition["defaults"] == fig.defaults
    assert not any("values" in source for source in definition["spec"]["data"][:1])


def test_every_control_is_a_native_input_that_waits_for_python(fig: LiveFigure, page: str) -> None:
    elements = Elements(page)
    assert "disabled" in elements.all("fieldset")[0]
    named = {each.get("name") for tag in ("input", "select") for each in elements.all(tag)}
    assert named == {each.name for each in fig.controls}
    for each in fig.controls:
        assert each.label in page


def test_numbers_under_the_chart_are_those_of_the_computation(fig: LiveFigure, page: str) -> None:
    for row in fig.data["readout"]:
        assert f">{row['text']}<" in page


def test_a_long_choice_is_a_menu_and_a_short_one_shows_all() -> None:
    short = Choice(name="c", label="C", options={"a": "A", "b": "B"}, default="b")
    assert html.control(short, "b").count('type="radio"') == 2
    many = Choice(name="c", label="C", options={letter: letter for letter in "abcde"}, default="e")
    assert '<option value="e" selected>' in html.control(many, "e")


def test_a_toggle_is_a_checkbox() -> None:
    toggle = Toggle(name="t", label="On & off", default=True)
    assert 'type="checkbox" name="t" checked' in html.control(toggle, value=True)
    assert "On &amp; off" in html.control(toggle, value=False)


def test_no_text_of_an_author_breaks_out_of_the_page() -> None:
    fig = live.figure("welcome")
    fig.title = fig.caption = '</script><b>"x"&'
    fig.compute = lambda _: {"gantt": [], "note": [{"text": "</script><!--"}]}
    text = html.element(fig)
    assert text.count("</script>") == 1
    assert "<b>" not in text


def test_a_charts_own_configuration_goes_before_the_books() -> None:
    fig = live.figure("welcome")
    fig.chart = lambda: {"mark": "bar", "config": {"axis": {"labelFontSize": 20}}}
    config = charts.vega_lite(fig)["config"]
    assert config["axis"]["labelFontSize"] == 20
    assert config["axis"]["gridColor"] == "var(--st-grid)"
