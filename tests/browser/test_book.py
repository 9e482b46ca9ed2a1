"""The built book in Chromium: every page that has a live figure, every other host out of reach."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from shadowtime import live
from shadowtime.live import Choice, LiveFigure, Slider, Toggle, answer

pytestmark = pytest.mark.browser

Visit = Callable[..., Any]
STARTING = 120_000


@pytest.fixture(scope="module")
def pages(book_folder: Path) -> list[str]:
    """All pages of the book, as addresses within it."""
    found = [path for path in book_folder.rglob("*.html") if "_static" not in path.parts]
    return sorted(path.relative_to(book_folder).as_posix() for path in found)


@pytest.fixture(scope="module")
def live_pages(pages: list[str], book_folder: Path) -> list[str]:
    """The pages that have a live figure."""
    found = [p for p in pages if 'class="st-live"' in (book_folder / p).read_text("utf-8")]
    assert found, "no page of the book has a live figure"
    return found


def elsewhere(fig: LiveFigure) -> LiveFigure:
    """Move every control away from its default."""
    for each in fig.controls:
        if isinstance(each, Slider):
            fig.set(**{each.name: each.max if each.default != each.max else each.min})
        elif isinstance(each, Choice):
            fig.set(**{each.name: next(o for o in [*each.options][::-1] if o != each.default)})
        elif isinstance(each, Toggle):
            fig.set(**{each.name: not each.default})
    return fig


def move(page: Page, name: str, values: dict[str, object]) -> None:
    """Set a figure's inputs as a reader does, and wait for the picture."""
    page.evaluate(
        """async ([name, values]) => {
            const { figure } = document.querySelector(`[data-figure="${name}"]`);
            figure.place(values);
            figure.form.dispatchEvent(new Event("input", { bubbles: true }));
            while (figure.busy) await new Promise((done) => setTimeout(done, 20));
        }""",
        [name, values],
    )


def shown(page: Page, name: str) -> tuple[dict[str, Any], list[str]]:
    """The datasets that the chart holds and the numbers under it."""
    data = page.evaluate(
        """(name) => {
            const { figure } = document.querySelector(`[data-figure="${name}"]`);
            const rows = Object.keys(figure.data).map((set) => [set, figure.view.data(set)]);
            return Object.fromEntries(rows);
        }""",
        name,
    )
    numbers = page.locator(f'[data-figure="{name}"] .st-readout :is(dd, td)').all_inner_texts()
    return data, [text for text in numbers if text]


@pytest.mark.usefixtures("node_modules")
def test_every_figure_draws_at_once_and_then_shows_what_python_computes(
    visit: Visit, book: str, live_pages: list[str]
) -> None:
    for address in live_pages:
        reader = visit(book)
        page = reader.open(address)
        figures = page.locator("figure.st-live")
        names = [each.get_attribute("data-figure") for each in figures.all()]
        expect(page.locator(".st-drawn.st-shown")).to_have_count(len(names))
        for at, name in enumerate(names):
            figures.nth(at).scroll_into_view_if_needed()
            page.wait_for_selector(f'[data-figure="{name}"].st-ready', timeout=STARTING)
            fig = elsewhere(live.figure(name))
            move(page, name, dict(fig.values))
            assert page.locator(".st-error").nth(at).is_hidden(), (address, name)
            data, numbers = shown(page, name)
            for dataset, rows in answer.drawn(fig.data).items():
                pairs = zip(data[dataset], rows, strict=True)
                drawn = [{key: have.get(key) for key in want} for have, want in pairs]
                assert drawn == json.loads(json.dumps(rows)), (address, name, dataset)
            assert sorted(numbers) == sorted(row["text"] for row in fig.data["readout"])
            page.locator(f'[data-figure="{name}"] button[type=reset]').click()
        assert len(page.workers) == 1, address
        assert not reader.complaints, address
        assert not reader.elsewhere, address


@pytest.mark.usefixtures("node_modules")
def test_no_page_complains_or_asks_another_host_and_none_is_wider_than_a_phone(
    visit: Visit, book: str, pages: list[str]
) -> None:
    for address in pages:
        reader = visit(book, width=390)
        page = reader.open(address)
        page.wait_for_load_state("networkidle", timeout=STARTING)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, address
        assert not reader.complaints, address
        assert not reader.elsewhere, address


def test_a_page_without_figures_loads_nothing_for_them(
    pages: list[str], live_pages: list[str], book_folder: Path
) -> None:
    for address in pages:
        text = (book_folder / address).read_text("utf-8")
        assert ("shadowtime/page.js" in text) == (address in live_pages), address
        assert address in live_pages or "worker.js" not in text, address


def test_the_books_own_button_turns_the_figure_dark(
    visit: Visit, book: str, live_pages: list[str]
) -> None:
    page = visit(book, color_scheme="light").open(live_pages[0])
    page.wait_for_selector(".st-shown")
    ground = "() => getComputedStyle(document.querySelector('.st-live')).backgroundColor"
    box = "() => getComputedStyle(document.querySelector('.st-drawn .mark-rect path')).fill"
    light = page.evaluate(ground), page.evaluate(box)
    for _ in range(3):
        page.locator("button.theme-switch-button").first.click()
        if page.evaluate("document.documentElement.dataset.theme") == "dark":
            break
    dark = page.evaluate(ground), page.evaluate(box)
    assert light[0] != dark[0]
    assert light[1] != dark[1] or light[1].startswith("url")


def test_a_reader_who_prefers_dark_gets_it_from_the_start(
    visit: Visit, book: str, live_pages: list[str]
) -> None:
    page = visit(book, color_scheme="dark").open(live_pages[0])
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_without_javascript_every_figure_is_a_still_picture(
    visit: Visit, book: str, live_pages: list[str]
) -> None:
    for address in live_pages:
        page = visit(book, java_script_enabled=False).open(address)
        figures = page.locator("figure.st-live")
        for at in range(figures.count()):
            figure = figures.nth(at)
            assert figure.locator(".st-chart > svg").is_visible()
            assert figure.get_by_text("This is a still picture").is_visible()
            assert figure.locator("button[type=reset]").is_disabled()


def test_figures_and_predictions_are_accessible(
    visit: Visit, book: str, live_pages: list[str], node_modules: Path
) -> None:
    script = (node_modules / "axe-core" / "axe.min.js").read_text("utf-8")
    for address in live_pages:
        for scheme in ("light", "dark"):
            page = visit(book, color_scheme=scheme).open(address)
            page.wait_for_selector(".st-shown")
            page.evaluate(script)
            found = page.evaluate("axe.run({ include: [['.st-live'], ['.st-predict']] })")
            problems = [(each["id"], each["nodes"][0]["html"]) for each in found["violations"]]
            assert not problems, (address, scheme)
