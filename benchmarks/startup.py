"""How soon the figures of a page are live, against a bare start of Python in the same browser.

    python benchmarks/startup.py _build/html [--page book/index.html] [--rounds N]

Each round starts two fresh browser contexts, one after the other: a page whose worker loads
Pyodide and does nothing else, and a page of the book, until its first figure takes input. The
ratio of the two medians is what counts; seconds depend on the machine.
"""

import argparse
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Route, sync_playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WORKER = """
const { loadPyodide } = await import("/_static/shadowtime/pyodide/pyodide.mjs");
await loadPyodide({ indexURL: "/_static/shadowtime/pyodide/" });
postMessage("ready");
"""
BARE = """<!doctype html><title>bare</title><script type="module">
const worker = new Worker("/bare-worker.js", { type: "module" });
worker.onmessage = () => { document.title = "ready"; };
</script>"""

READY = """() => {
  const figure = document.querySelector("figure.st-live");
  if (figure && figure.getBoundingClientRect().top > innerHeight) figure.scrollIntoView();
  return figure?.classList.contains("st-ready") ?? false;
}"""
"""The first figure takes input; a reader who is after it scrolls to it."""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_: Any) -> None:
        pass


def until(browser: Browser, address: str, condition: str) -> float:
    """Return the milliseconds from opening a page to the condition, in a browser without cache."""
    context = browser.new_context()

    def fill(route: Route) -> None:
        bare = route.request.url.endswith("bare.html")
        kind = "text/html" if bare else "text/javascript"
        route.fulfill(body=BARE if bare else WORKER, content_type=kind)

    context.route("**/bare*", fill)
    page = context.new_page()
    page.goto(address)
    page.wait_for_function(condition, timeout=60_000, polling=10)
    now: float = page.evaluate("performance.now()")
    context.close()
    return now


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("html", type=Path, help="folder of the built book")
    parser.add_argument("--page", default="book/index.html")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    handler = partial(Quiet, directory=str(given.html))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = f"http://127.0.0.1:{server.server_port}"
    bare, live = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for _ in range(given.rounds):
            bare.append(until(browser, f"{root}/bare.html", "document.title === 'ready'"))
            live.append(until(browser, f"{root}/{given.page}", READY))
        browser.close()
    server.shutdown()
    print(f"bare Pyodide   {median(bare) / 1000:6.2f} s, median of {given.rounds}")
    print(f"figure is live {median(live) / 1000:6.2f} s, {median(live) / median(bare):.2f} x bare")


if __name__ == "__main__":
    main()
