"""The same figure in JupyterLab, in Chromium: Python computes in the kernel."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from shadowtime import live, traces

pytestmark = pytest.mark.browser

TOKEN = "reading"
PATIENCE = 120_000

CELLS = [
    'from shadowtime import live\n\nfig = live.figure("fifo-blocking")\nfig',
    'live.Prediction("Is it wide?", ["yes", "no"], "yes", "Six of eight.")',
    "fig.set(width=8)\nlen(fig.data['gantt'])",
    'live.figure("replay")',
]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a JupyterLab that has a notebook with a live figure."""
    folder = tmp_path_factory.mktemp("lab")
    kernel = {"name": "python3", "display_name": "Python 3"}
    blank: dict[str, Any] = {"cell_type": "code", "metadata": {}, "execution_count": None}
    cells = [
        {**blank, "id": f"cell-{at}", "source": source, "outputs": []}
        for at, source in enumerate(CELLS)
    ]
    notebook = {
        "cells": cells,
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (folder / "figure.ipynb").write_text(json.dumps(notebook))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    home = f"http://127.0.0.1:{port}"
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.root_dir": folder,
        "IdentityProvider.token": TOKEN,
        "LabApp.news_url": "",
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [f"--{name}={value}" for name, value in options.items()]
    environment = {name: value for name, value in os.environ.items() if name != "SHADOWTIME_BOOK"}
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        environment[name] = str(folder / f".{name.lower()}")
    log = (folder / "server.log").open("w")
    server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        _wait_for(f"{home}/api/status?token={TOKEN}", server, folder / "server.log")
        yield home
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=30)
        log.close()


def _wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + PATIENCE / 1000
    while server.poll() is None and time.monotonic() < until:
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except OSError:
            time.sleep(0.3)
        else:
            return
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")


def test_the_figure_draws_follows_the_slider_and_is_set_from_a_cell(
    visit: Callable[..., Any], lab: str
) -> None:
    page: Page = visit(lab, width=1280).open(f"/lab/tree/figure.ipynb?token={TOKEN}&reset")
    # A cell that is run before its kernel is there is not run at all.
    expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible(timeout=PATIENCE)
    page.locator(".jp-Notebook .jp-CodeCell .cm-content").first.click(timeout=PATIENCE)
    page.keyboard.press("Shift+Enter")
    figure = page.locator("figure.st-live").first
    figure.locator(".st-drawn.st-shown svg").wait_for(timeout=PATIENCE)
    expect(figure.locator(".st-status")).to_contain_text("kernel")

    def numbers() -> list[str]:
        return sorted(figure.locator(".st-readout tbody td").all_inner_texts())

    def expected(**values: int) -> list[str]:
        return sorted(r["text"] for r in live.figure("fifo-blocking").set(**values).data["readout"])

    assert numbers() == expected()
    slider = figure.get_by_role("slider", name="Width of J3")
    slider.focus()
    slider.press("ArrowRight")
    wait = figure.get_by_role("row", name="Mean wait")
    expect(wait).to_contain_text(_shown("Mean wait", width=7))
    assert numbers() == expected(width=7)

    # The next cell asks a question without any widget; the last one moves the figure.
    page.locator(".jp-Notebook .jp-CodeCell .cm-content").nth(1).click()
    page.keyboard.press("Shift+Enter")
    question = page.locator("form.st-predict")
    question.get_by_role("radio", name="yes").check(timeout=PATIENCE)
    question.get_by_role("button").click()
    expect(question.get_by_text("Six of eight.")).to_be_visible()
    page.locator(".jp-Notebook .jp-CodeCell .cm-content").nth(2).click()
    page.keyboard.press("Shift+Enter")
    expect(figure.locator("output").first).to_have_text("8 nodes", timeout=PATIENCE)
    expect(wait).to_contain_text(_shown("Mean wait", width=8))
    assert numbers() == expected(width=8)
    figure.get_by_role("button", name="Reset").click()
    expect(wait).to_contain_text(_shown("Mean wait"))


def test_a_log_is_opened_from_the_readers_disk_and_replayed_in_the_kernel(
    visit: Callable[..., Any], lab: str, tmp_path: Path
) -> None:
    log = tmp_path / "mine.swf"
    traces.write(traces.load("teaching")[100:900], log)
    page: Page = visit(lab, width=1280).open(f"/lab/tree/figure.ipynb?token={TOKEN}&reset")
    expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible(timeout=PATIENCE)
    for cell in (0, 3):
        page.locator(".jp-Notebook .jp-CodeCell .cm-content").nth(cell).click(timeout=PATIENCE)
        page.keyboard.press("Shift+Enter")
    figure = page.locator("figure.st-live[data-figure=replay]")
    expect(figure.locator(".st-status")).to_contain_text("kernel", timeout=PATIENCE)
    figure.locator("input[type=file]").set_input_files(log)
    expect(figure.locator(".st-story")).to_contain_text("mine", timeout=PATIENCE)
    rows = live.figure("replay").set(log=str(log)).data["readout"]
    shown = figure.locator(".st-readout tbody td").all_inner_texts()
    assert sorted(shown) == sorted(row["text"] for row in rows)


def _shown(label: str, **values: int) -> str:
    rows = live.figure("fifo-blocking").set(**values).data["readout"]
    return next(str(row["text"]) for row in rows if row["label"] == label)
