"""A live figure in Chromium, with every other host out of reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from shadowtime.live import LiveFigure

pytestmark = pytest.mark.browser

Visit = Callable[..., Any]

POINTS = ".st-drawn svg .mark-symbol path"
SLIDER = ".st-live input[type=range]"
MEASURES = """() => performance.getEntriesByType("measure")
    .filter(({ name }) => name.startsWith("shadowtime"))
    .map(({ duration, detail }) => ({ duration, n: detail.n }))"""


@pytest.fixture(scope="module")
def started(visit_once: Visit, site: str) -> Any:
    """A page whose figure is live; starting Python takes seconds, so tests share it."""
    reader = visit_once(site)
    reader.ready("probe.html")
    return reader


@pytest.fixture
def page(started: Any) -> Iterator[Page]:
    """The shared page as a reader first finds it."""
    shared: Page = started.page
    shared.get_by_role("button", name="Reset").click()
    settle(shared)
    shared.evaluate("performance.clearMeasures(); document.activeElement.blur(); scrollTo(0, 0)")
    yield shared
    assert not started.complaints
    assert not started.elsewhere


def settle(page: Page) -> None:
    """Wait until the figure has nothing left to compute."""
    page.wait_for_function("!document.querySelector('.st-live').figure.busy")


def set_slider(page: Page, *values: int) -> None:
    """Move the slider as a hand does: through all the values, without waiting."""
    page.eval_on_selector(
        SLIDER,
        """(slider, values) => { for (const value of values) {
            slider.value = value;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
        } }""",
        list(values),
    )


def pick(page: Page, mode: str) -> None:
    page.locator(f".st-live input[value={mode}]").check(force=True)
    settle(page)


def number(page: Page) -> Any:
    return page.locator(".st-readout dd").first


def hold(page: Page, pattern: str) -> Callable[[], None]:
    """Keep requests of `pattern` waiting; returns what lets them through."""
    held: list[Route] = []
    page.route(pattern, lambda route: held.append(route))  # noqa: PLW0108 - it needs a function

    def release() -> None:
        page.unroute(pattern)
        for route in held:
            route.fallback()

    return release


def test_the_first_picture_is_there_before_python_is(visit: Visit, site: str) -> None:
    reader = visit(site)
    release = hold(reader.page, "**/pyodide.asm.wasm")
    page = reader.open("probe.html")
    page.wait_for_selector(".st-drawn.st-shown")
    assert page.locator(POINTS).count() == 11
    assert page.locator(".st-chart > svg").count() == 0
    assert page.locator(".st-live input[type=range]").is_disabled()
    expect(page.locator(".st-status")).to_have_text("Starting Python in your browser …")
    release()
    page.wait_for_selector(".st-ready", timeout=120_000)
    assert page.locator(".st-live input[type=range]").is_enabled()
    assert "Live" in page.locator(".st-status").inner_text()
    assert not reader.complaints
    assert not reader.elsewhere


def test_a_slider_step_draws_what_python_computes(
    page: Page, probe: LiveFigure, record_property: Callable[[str, object], None]
) -> None:
    for n in range(6, 26):
        set_slider(page, n)
        expect(number(page)).to_have_text(str(n))
    rows = page.evaluate("document.querySelector('.st-live').figure.view.data('points')")
    shown = [{name: row[name] for name in ("x", "y")} for row in rows]
    assert shown == probe.copy().set(n=25).data["points"]
    took = sorted(each["duration"] for each in page.evaluate(MEASURES))
    record_property("slider_step_ms", took)
    print(
        f"\nslider step to redrawn picture: {took[len(took) // 2]:.1f} ms (median of {len(took)})"
    )


def test_of_many_steps_only_the_latest_are_computed_and_the_last_is_shown(page: Page) -> None:
    pick(page, "slow")
    page.evaluate("performance.clearMeasures()")
    set_slider(page, *range(10, 90))
    page.wait_for_timeout(30)
    set_slider(page, 95, 99)
    expect(number(page)).to_have_text("99")
    settle(page)
    assert [each["n"] for each in page.evaluate(MEASURES)] == [10, 99]
    assert number(page).inner_text() == "99"
    assert page.locator(".st-slider output").inner_text() == "99 steps"


def test_reset_brings_back_the_first_picture(page: Page) -> None:
    set_slider(page, 42)
    page.locator("select").select_option("c")
    page.locator("input[name=on]").check()
    expect(page.locator(".st-readout dd").nth(1)).to_have_text("True")
    expect(number(page)).to_have_text("42")
    page.get_by_role("button", name="Reset").click()
    expect(number(page)).to_have_text("5")
    expect(page.locator(".st-readout dd").nth(1)).to_have_text("False")
    assert page.locator(SLIDER).input_value() == "5"
    assert page.locator("select").input_value() == "a"
    assert page.locator(".st-slider output").inner_text() == "5 steps"


def test_every_control_is_reached_and_moved_by_keyboard(page: Page) -> None:
    keys = page.keyboard
    page.locator("h1").click()
    keys.press("Tab")
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft"):
        keys.press(key)
    expect(number(page)).to_have_text("7")
    keys.press("End")
    expect(number(page)).to_have_text("100")
    keys.press("Tab")
    keys.press("ArrowRight")
    assert page.locator("input[value=slow]").is_checked()
    keys.press("Tab")
    keys.press("b")
    assert page.locator("select").input_value() == "b"
    keys.press("Tab")
    keys.press("Space")
    expect(page.locator(".st-readout dd").nth(1)).to_have_text("True")
    keys.press("Tab")
    keys.press("Enter")
    expect(number(page)).to_have_text("5")


def test_controls_have_the_names_that_a_screen_reader_says(page: Page) -> None:
    slider = page.get_by_role("slider", name="Number")
    assert slider.get_attribute("aria-valuetext") == "5 steps"
    assert page.get_by_role("group", name="Mode").get_by_role("radio").count() == 3
    assert page.get_by_role("combobox", name="Menu").count() == 1
    assert page.get_by_role("checkbox", name="On").count() == 1
    assert page.get_by_role("figure", name="Multiples of a number").count() == 1
    assert page.get_by_role("img", name="Eleven points on a straight line").count() == 1


def test_an_error_shows_in_the_figure_and_the_last_picture_stays(page: Page) -> None:
    pick(page, "fail")
    alert = page.get_by_role("alert")
    expect(alert).to_have_text("ValueError: no picture for 5")
    assert page.locator(POINTS).count() == 11
    pick(page, "quick")
    expect(alert).to_be_hidden()


def test_a_computation_that_cannot_be_found_says_so(visit: Visit, site: str) -> None:
    page = visit(site).open("broken.html")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("No module named 'absent'", timeout=120_000)
    assert page.locator(".st-live input[type=range]").is_disabled()


def test_python_that_cannot_be_loaded_says_so_and_leaves_the_picture(
    visit: Visit, site: str
) -> None:
    reader = visit(site)
    reader.page.route("**/pyodide.mjs", lambda route: route.abort())
    page = reader.open("probe.html")
    expect(page.get_by_role("alert")).to_contain_text("Python did not start")
    assert page.locator(POINTS).count() == 11


def test_a_page_starts_python_once_for_all_its_figures(visit: Visit, site: str) -> None:
    page = visit(site).ready("two.html")
    expect(page.locator(".st-live.st-ready")).to_have_count(2, timeout=120_000)
    assert len(page.workers) == 1


def test_python_waits_until_a_figure_comes_near(visit: Visit, site: str) -> None:
    page = visit(site).open("far.html")
    page.wait_for_selector(".st-shown", state="attached")
    assert not page.workers
    page.locator(".st-live").scroll_into_view_if_needed()
    page.wait_for_selector(".st-ready", timeout=120_000)
    assert len(page.workers) == 1


@pytest.mark.parametrize("width", [390, 768, 1440])
def test_the_picture_takes_the_width_that_it_has(visit: Visit, site: str, width: int) -> None:
    page = visit(site, width=width).open("two.html")
    page.wait_for_function("document.querySelectorAll('.st-shown').length === 2")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for at in range(2):
        chart, drawn = page.locator(".st-chart").nth(at), page.locator(".st-drawn svg").nth(at)
        room, taken = chart.bounding_box(), drawn.bounding_box()
        assert room
        assert taken
        assert abs(room["width"] - taken["width"]) <= 3


def test_the_picture_follows_the_window(visit: Visit, site: str) -> None:
    page = visit(site, width=1200).open("probe.html")
    page.wait_for_selector(".st-shown")
    for width in (600, 900):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(
            """() => {
                const svg = document.querySelector(".st-drawn svg");
                const room = svg.closest(".st-chart").clientWidth;
                return Math.abs(svg.getBoundingClientRect().width - room) <= 3;
            }"""
        )


def test_light_and_dark_change_without_a_redraw(visit: Visit, site: str) -> None:
    page = visit(site).open("two.html")
    page.wait_for_selector(".st-shown")
    colour = """() => getComputedStyle(document.querySelector(
        ".st-live:last-of-type .st-drawn .mark-rect path[fill*=job]")).fill"""
    title = "() => getComputedStyle(document.querySelector('.st-title')).color"
    light = page.evaluate(colour), page.evaluate(title)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    dark = page.evaluate(colour), page.evaluate(title)
    assert light[0] != dark[0]
    assert light[1] != dark[1]


def test_without_javascript_the_still_picture_and_a_sentence_are_there(
    visit: Visit, site: str
) -> None:
    page = visit(site, java_script_enabled=False).open("probe.html")
    assert page.locator(".st-chart > svg").is_visible()
    assert page.locator(".st-chart > svg .mark-symbol path").count() == 11
    assert page.get_by_text("This is a still picture").is_visible()
    assert page.locator(".st-live input[type=range]").is_disabled()


def test_a_prediction_is_kept_and_answered(visit: Visit, site: str) -> None:
    reader = visit(site)
    page = reader.open("predict.html")
    answer = page.locator("details")
    expect(answer).to_be_hidden()
    commit = page.get_by_role("button", name="This is my answer")
    assert commit.is_disabled()
    page.get_by_role("radio", name="no").check()
    commit.click()
    expect(answer).to_contain_text("yes. By one.")
    expect(page.get_by_role("status")).to_have_text("You predicted otherwise.")
    page.reload()
    expect(answer).to_be_visible()
    assert page.get_by_role("radio", name="no").is_checked()
    assert page.get_by_role("radio", name="no").is_disabled()
    assert not reader.complaints


def test_a_prediction_without_javascript_can_be_unfolded(visit: Visit, site: str) -> None:
    page = visit(site, java_script_enabled=False).open("predict.html")
    page.get_by_text("The answer").click()
    assert page.get_by_text("By one.").is_visible()
