"""Pages served on localhost, and a browser that reaches nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, sync_playwright

from shadowtime.live import LiveFigure, Prediction, figure
from shadowtime.live.sphinx_ext import EARLY, write_assets

PROJECT = Path(__file__).parents[2]
STARTING = 120_000
"""Milliseconds that Python may take to start on a busy machine."""

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",  # containers have little of it
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a word, and takes a reader's leaving as it comes."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""

    def handle(self) -> None:
        try:
            super().handle()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """Serve a folder; returns its address, which ends with a slash."""
    servers = []

    def start(folder: Path) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield launched
        launched.close()


@dataclass
class Reader:
    """A page in the browser, and what went wrong in it."""

    page: Page
    home: str
    complaints: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    def open(self, name: str) -> Page:
        self.page.goto(self.home + name)
        return self.page

    def ready(self, name: str) -> Page:
        """Open a page and wait until the controls of its first figure act."""
        page = self.open(name)
        page.locator(".st-live").first.scroll_into_view_if_needed()
        page.wait_for_selector(".st-live.st-ready", timeout=STARTING)
        return page


Visit = Callable[..., Reader]


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """Open a browser window for a site: ``visit(home, width=390)``."""
    yield from _windows(browser)


@pytest.fixture(scope="module")
def visit_once(browser: Browser) -> Iterator[Visit]:
    """Open a browser window that the tests of a module share."""
    yield from _windows(browser)


def _windows(browser: Browser) -> Iterator[Visit]:
    contexts = []

    def window(home: str, *, width: int = 1280, **options: Any) -> Reader:
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        reader = Reader(page, home)

        def guard(route: Route) -> None:
            address = route.request.url
            if address.startswith((home, "data:", "blob:")):
                route.fallback()
            else:
                reader.elsewhere.append(address)
                route.abort()

        context.route("**/*", guard)
        page.on(
            "console",
            lambda said: (
                reader.complaints.append(said.text) if said.type in {"error", "warning"} else None
            ),
        )
        page.on("pageerror", lambda error: reader.complaints.append(str(error)))
        return reader

    yield window
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def node_modules() -> Path:
    folder = PROJECT / "node_modules"
    if not (folder / "pyodide").is_dir():
        if os.environ.get("CI"):
            pytest.fail("needs Pyodide in node_modules: npm ci", pytrace=False)
        pytest.skip("needs Pyodide in node_modules: npm ci")
    return folder


@pytest.fixture(scope="session")
def probe() -> LiveFigure:
    """The test figure of probe.py."""
    spec = spec_from_file_location("probe", Path(__file__).parent / "probe.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    sys.modules["probe"] = module
    spec.loader.exec_module(module)
    made: LiveFigure = module.FIGURE
    return made


SHELL = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><link rel="stylesheet" href="assets/live.css">
<style>body {{ margin: 0 1rem; background: var(--st-paper) }}</style>
<script>{early}</script><script type="module" src="assets/page.js"></script>
<script defer src="assets/predict.js"></script></head><body><h1>{title}</h1>{body}</body></html>"""


@pytest.fixture(scope="session")
def site(
    tmp_path_factory: pytest.TempPathFactory,
    serve: Callable[[Path], str],
    node_modules: Path,
    probe: LiveFigure,
) -> str:
    """Address of a small site with the test figure: the machinery without the book."""
    folder = tmp_path_factory.mktemp("site")
    write_assets(folder / "assets", node_modules)
    with zipfile.ZipFile(folder / "assets" / "core.zip", "a") as core:
        core.write(Path(__file__).parent / "probe.py", "probe.py")
    question = Prediction("Is 5 more than 4?", ["yes", "no"], "yes", "By one.")
    pages = {
        "probe.html": probe.to_html(),
        "two.html": probe.to_html() + figure("welcome").to_html(),
        "far.html": f'<div style="height: 9000px"></div>{probe.to_html()}',
        "predict.html": question.to_html(),
        # A computation that is nowhere: what a broken archive would look like.
        "broken.html": probe.to_html().replace('"probe:compute"', '"absent:compute"'),
    }
    for name, body in pages.items():
        (folder / name).write_text(SHELL.format(title=name, body=body, early=EARLY), "utf-8")
    return serve(folder)


@pytest.fixture(scope="session")
def book_folder() -> Path:
    """The built book: the folder that SHADOWTIME_BOOK_HTML names, or else it is built now."""
    named = os.environ.get("SHADOWTIME_BOOK_HTML")
    folder = Path(named) if named else PROJECT / "_build" / "html"
    if not named:
        command = [
            sys.executable,
            "-m",
            "jupyter_book",
            "build",
            str(PROJECT),
            "-W",
            "--keep-going",
        ]
        subprocess.run(command, check=True)
    assert (folder / "index.html").is_file(), f"{folder} holds no book"
    return folder


@pytest.fixture(scope="session")
def book(book_folder: Path, serve: Callable[[Path], str]) -> str:
    """Address of the built book."""
    return serve(book_folder)
