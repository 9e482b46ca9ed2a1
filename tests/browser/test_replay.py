"""The replay figure in Chromium: a file of one's own, progress, cancel, and how fast it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from benchmarks import kernels
from shadowtime import live, traces
from shadowtime.live.sphinx_ext import EARLY, write_assets
from tests.browser.conftest import SHELL, STARTING

pytestmark = pytest.mark.browser

Visit = Callable[..., Any]


@pytest.fixture(scope="module")
def laboratory(
    tmp_path_factory: pytest.TempPathFactory, serve: Callable[[Path], str], node_modules: Path
) -> str:
    """Address of a site that is the replay figure alone."""
    folder = tmp_path_factory.mktemp("laboratory")
    write_assets(folder / "assets", node_modules)
    body = live.figure("replay").to_html()
    page = SHELL.format(title="replay", body=body, early=EARLY)
    (folder / "replay.html").write_text(page, "utf-8")
    return serve(folder)


def choose(page: Page, **values: str) -> None:
    for name, value in values.items():
        page.locator(f"select[name={name}]").select_option(value)


def settle(page: Page) -> None:
    page.wait_for_function(
        "() => !document.querySelector('.st-live').figure.busy", timeout=STARTING
    )


def texts(page: Page) -> list[str]:
    settle(page)
    return sorted(page.locator(".st-readout td").all_inner_texts()[1:])


def expected(fig: live.LiveFigure) -> list[str]:
    return sorted(row["text"] for row in fig.data["readout"])


def test_every_control_shows_what_python_computes(visit: Visit, laboratory: str) -> None:
    reader = visit(laboratory)
    page = reader.ready("replay.html")
    fig = live.figure("replay")
    for name, value in {"jobs": "1000", "first": "first-fit", "second": "easy-sjbf"}.items():
        before = texts(page)
        choose(page, **{name: value})
        assert texts(page) == expected(fig.set(**{name: value})) != before
    page.locator("input[name=load]").evaluate(
        "(slider) => { slider.value = 0.7;"
        " slider.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    assert texts(page) == expected(fig.set(load=0.7))
    assert not reader.complaints
    assert not reader.elsewhere


def test_a_file_is_replayed_in_the_browser_and_sent_nowhere(
    visit: Visit, laboratory: str, tmp_path: Path
) -> None:
    log = tmp_path / "mine.swf.gz"
    traces.write(traces.load("teaching")[100:900], log)
    reader = visit(laboratory)
    page = reader.ready("replay.html")
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.locator("input[type=file]").set_input_files(log)
    expect(page.locator(".st-story")).to_contain_text("mine", timeout=STARTING)
    assert texts(page) == expected(live.figure("replay").set(log=str(log)))
    assert not sent
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".st-story")).to_contain_text("teaching", timeout=STARTING)
    assert texts(page) == expected(live.figure("replay"))
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear all,\n")
    page.locator("input[type=file]").set_input_files(letter)
    expect(page.get_by_role("alert")).to_contain_text("letter.txt", timeout=STARTING)


def test_a_long_replay_says_how_far_it_is_and_can_be_cancelled(
    visit: Visit, laboratory: str, tmp_path: Path
) -> None:
    log = tmp_path / "long.swf"
    kernels.write(traces.load("teaching"), 60_000, log)
    page = visit(laboratory).ready("replay.html")
    choose(page, jobs="1000", second="conservative")
    page.locator("input[type=file]").set_input_files(log)
    expect(page.locator(".st-story")).to_contain_text("long", timeout=STARTING)
    before = texts(page)
    choose(page, jobs="all")
    cancel = page.get_by_role("button", name="Cancel")
    expect(cancel).to_be_visible(timeout=STARTING)
    expect(page.locator(".st-progress")).to_contain_text("of 60,000 jobs", timeout=STARTING)
    cancel.click()
    expect(page.get_by_role("alert")).to_contain_text("Cancelled")
    expect(page.locator("form.st-controls > fieldset")).to_be_enabled(timeout=STARTING)
    expect(cancel).to_be_hidden()
    assert page.locator("select[name=jobs]").input_value() == "1000"
    assert texts(page) == before
    choose(page, second="first-fit")
    fig = live.figure("replay").set(log=str(log), jobs="1000", second="first-fit")
    assert texts(page) == expected(fig)


def test_each_change_of_policy_is_one_computation(
    visit: Visit, laboratory: str, record_property: Callable[[str, object], None]
) -> None:
    page = visit(laboratory).ready("replay.html")
    choose(page, jobs="5000")
    settle(page)
    page.evaluate("performance.clearMeasures()")
    for policy in ("first-fit", "fcfs", "easy-sjbf"):
        choose(page, second=policy)
        settle(page)
    took = page.evaluate(
        "performance.getEntriesByType('measure').filter(({name}) => name.startsWith('shadowtime'))"
        ".map(({duration}) => duration)"
    )
    record_property("replay_5000_ms", took)
    print("\nanother policy on 5,000 jobs:", ", ".join(f"{ms:.0f} ms" for ms in took))
    assert len(took) == 3
