"""How soon the replay figure shows what its controls say: in a page, and in a notebook.

    python -m benchmarks.redraw KTH-SP2-1996-2.1-cln.swf.gz [--html _build/html] [--rounds N]

In a page: Chromium on the built book, 5,000 jobs of the teaching log, from the step of a control
to the drawn chart, as the page itself measures it. In a notebook: what the widget does from the
message of a view to the answer that goes to all of them, on the log again and again.
"""

import argparse
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from statistics import median
from time import perf_counter

from playwright.sync_api import Page, sync_playwright

from benchmarks.figures import Figure, show
from benchmarks.kernels import repeated
from benchmarks.startup import FLAGS, Quiet
from shadowtime import Workload, traces
from shadowtime.live.figures import replay

PAGE = "book/05-replay-laboratory.html"
LOADS = (0.9, 0.95, 1.05, 1.1)
STEPS = {
    "fcfs and easy, another load": [{"load": str(load)} for load in (0.95, 1.05, 1.1, 0.9)],
    "another second policy": [{"second": name} for name in ("first-fit", "easy-sjbf")],
    "conservative as the second": [{"second": "conservative"}],
}
"""What is changed in the page, step by step; the figure has FCFS against EASY before."""


def page(html: Path, rounds: int) -> Iterator[Figure]:
    """Measure in the built book."""
    handler = partial(Quiet, directory=str(html))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    times: dict[str, list[float]] = {what: [] for what in STEPS}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for _ in range(rounds):
            opened = browser.new_page()
            opened.goto(f"http://127.0.0.1:{server.server_port}/{PAGE}")
            opened.locator("#live-replay").scroll_into_view_if_needed()
            opened.wait_for_selector("#live-replay.st-ready", timeout=180_000)
            for changes in ({"jobs": "5000"}, {"load": "0.85"}):
                change(opened, changes)
            for what, steps in STEPS.items():
                times[what] += [change(opened, step) for step in steps]
            opened.close()
        browser.close()
    server.shutdown()
    for what, found in times.items():
        remark = f"median of {len(found)}, the least {min(found):.0f}"
        yield Figure(f"page, 5,000 jobs: {what}", median(found), "ms", "<= 250", remark)


def change(opened: Page, values: dict[str, str]) -> float:
    """Move controls as a reader does; return the milliseconds until the chart is drawn."""
    took: float = opened.evaluate(
        """async (values) => {
            const { form, name } = document.querySelector("#live-replay").figure;
            const measured = new Promise((resolve) => {
                new PerformanceObserver((list, observer) => {
                    const [own] = list.getEntriesByName(`shadowtime:${name}`);
                    if (!own) return;
                    observer.disconnect();
                    resolve(own.duration);
                }).observe({ type: "measure" });
            });
            for (const [name, value] of Object.entries(values)) {
                form.elements[name].value = value;
                form.elements[name].dispatchEvent(new Event("input", { bubbles: true }));
            }
            return measured;
        }""",
        values,
    )
    return took


def notebook(log: Workload, jobs: int, rounds: int) -> Iterator[Figure]:
    """Measure the widget's own way on a long workload."""
    workload = repeated(log, jobs)
    for second in ("easy", "conservative"):
        fig = replay.for_workload(workload)
        widget = fig.widget()
        params = dict(fig.values) | {"second": second}
        times = []
        for load in (1, *LOADS[:rounds]):
            begun = perf_counter()
            widget.show(params | {"load": load}, "view 1")
            times.append(1000 * (perf_counter() - begun))
        remark = f"median of {len(times[1:])}, the least {min(times[1:]):.0f}"
        what = f"notebook, {jobs:,} jobs: fcfs and {second}, another load"
        yield Figure(what, median(times[1:]), "ms", "<= 300", remark)


def measure(log: Path, html: Path | None, rounds: int, jobs: int) -> Iterator[Figure]:
    """Measure in a page, if there is a built book, and in a notebook."""
    yield from notebook(traces.read(log), jobs, rounds)
    if html is None or not (html / PAGE).is_file():
        print(f"There is no {PAGE} in {html}, so nothing is measured in a page: make html")
        return
    yield from page(html, rounds)


def main(arguments: list[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description="Measure how soon the replay figure is drawn.")
    parser.add_argument("log", type=Path)
    parser.add_argument("--html", type=Path, help="folder of the built book")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=200_000)
    given = parser.parse_args(arguments)
    return show(measure(given.log, given.html, given.rounds, given.jobs))


if __name__ == "__main__":
    main()
