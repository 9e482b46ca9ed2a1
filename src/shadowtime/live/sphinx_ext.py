"""Sphinx extension: live figures in the built book, and what they need next to it.

The book then serves everything from its own host: Pyodide and MathJax are copied out of
``node_modules`` (``npm ci``). Without them the pages name the pinned public addresses instead.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import zipfile
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.parsers.rst import Directive

import shadowtime
from shadowtime.live import assets, figure
from shadowtime.live.livefigure import BOOK

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PYODIDE = "https://cdn.jsdelivr.net/pyodide/v314.0.7/full/"
PYODIDE_FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
MATHJAX = "es5/tex-mml-chtml.js"
MATHJAX_FOLDERS = ("output/chtml/fonts", "input/tex/extensions", "sre", "a11y", "ui")

# What a browser cannot import or never computes with.
LEFT_OUT = {
    "__main__.py",
    "cli",
    "plots.py",
    "prediction",
    "records.py",
    "replay",
    "synthesis",
    "live/assets.py",
    "live/charts.py",
    "live/html.py",
    "live/sphinx_ext.py",
    "live/widget.py",
}
KEPT = {
    "prediction/__init__.py",
    "prediction/preparation.py",
    "prediction/teaching.py",
    "prediction/weights.py",
}
"""Modules of a package that is left out with which a browser computes all the same."""


class LiveFigureDirective(Directive):
    """Put a live figure into a page that is no notebook: ``{live-figure} NAME``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the figure's HTML, and its still picture's words for other formats."""
        shown = figure(self.arguments[0])
        return [nodes.raw("", shown.to_html(), format="html")]


def core() -> bytes:
    """Return the modules and data that a browser computes with, as a zip archive.

    Stored, not compressed: Python reads it without unpacking, and a server compresses it anyway.
    The same modules give the same bytes.
    """
    root = Path(shadowtime.__file__).parent
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as target:
        for path in sorted((*root.rglob("*.py"), *root.glob("traces/data/*.gz"))):
            name = path.relative_to(root).as_posix()
            if name not in KEPT and not LEFT_OUT.isdisjoint((name, name.split("/")[0])):
                continue
            target.writestr(zipfile.ZipInfo(f"shadowtime/{name}"), path.read_bytes())
    return archive.getvalue()


def write_assets(static: Path, node_modules: Path) -> dict[str, str]:
    """Write what pages with live figures load: scripts, style, Pyodide and the core.

    Parameters
    ----------
    static : Path
        Folder to write them to. A page loads ``page.js`` (as a module), ``predict.js`` and
        ``live.css`` from it; those find the rest.
    node_modules : Path
        Where npm has put Pyodide, if it has.

    Returns
    -------
    dict of str to str
        Addresses of what ``page.js`` finds, relative to the folder.
    """
    static.mkdir(parents=True, exist_ok=True)
    files = {
        "figures.js": assets.script().encode(),
        "worker.js": assets.text("worker.js").encode(),
        "predict.js": assets.text("predict.js").encode(),
        "live.css": assets.style().encode(),
        "core.zip": core(),
    }
    for name, content in files.items():
        (static / name).write_bytes(content)
    python = PYODIDE
    if (node_modules / "pyodide").is_dir():
        python = "./pyodide/"
        for name in PYODIDE_FILES:
            _copy(node_modules / "pyodide" / name, static / "pyodide" / name)

    def address(name: str) -> str:
        version = hashlib.sha256(files[name]).hexdigest()[:8]
        return f"./{name}?v={version}"

    addresses = {
        "worker": address("worker.js"),
        "figures": address("figures.js"),
        "core": address("core.zip"),
        "python": python,
    }
    start = f"startPage(resolved({json.dumps(addresses)}, import.meta.url));\n"
    script = "\n".join((assets.text("start.js"), assets.text("page.js"), start))
    (static / "page.js").write_text(script, "utf-8")
    return addresses


def _write_assets(app: Sphinx) -> None:
    if app.builder.format == "html":
        modules = Path(app.srcdir) / app.config.shadowtime_node_modules
        addresses = write_assets(Path(app.outdir) / "_static" / "shadowtime", modules)
        app.connect("html-page-context", partial(add_to_page, addresses))


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    elif not target.is_file() or target.stat().st_mtime < source.stat().st_mtime:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)


def use_own_mathjax(app: Sphinx, config: Any) -> None:
    """Serve MathJax from the book itself, if npm has brought it."""
    source = Path(app.srcdir) / config.shadowtime_node_modules / "mathjax" / "es5"
    if not source.is_dir():
        return
    target = Path(app.outdir) / "_static" / "mathjax"
    _copy(source / "tex-mml-chtml.js", target / "tex-mml-chtml.js")
    for folder in MATHJAX_FOLDERS:
        if (source / folder).is_dir():
            _copy(source / folder, target / folder)
    config.mathjax_path = "mathjax/tex-mml-chtml.js"


def add_to_page(
    addresses: dict[str, str],
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: object,
) -> None:
    """Load scripts and style on the pages that have something for them to do."""
    body = context.get("body", "")
    scripts = _once(context["script_files"])
    if not MATHS.search(body):
        scripts = [script for script in scripts if "mathjax" not in str(script).lower()]
    context["script_files"][:] = scripts
    live, predict = 'class="st-live"' in body, 'class="st-predict"' in body
    if live or predict:
        app.add_css_file("shadowtime/live.css")
    if live:
        if _opens_with_figure(body):
            folder = context["pathto"]("_static/shadowtime/", 1)
            # Before the style sheets, for which scripts below them wait.
            script = f"<script>{early_start(addresses, folder)}</script>"
            context["metatags"] = f"{script}\n{context.get('metatags', '')}"
        app.add_js_file("shadowtime/page.js", type="module", loading_method="async")
    if predict:
        app.add_js_file("shadowtime/predict.js", loading_method="defer")


def _opens_with_figure(body: str) -> bool:
    before = body.partition('class="st-live"')[0]
    return len(re.sub("<[^>]*>", "", before)) < SCREEN


def early_start(addresses: dict[str, str], folder: str) -> str:
    """Return a script for a page's head that starts Python, long before ``page.js`` is there.

    Parameters
    ----------
    addresses : dict of str to str
        As :func:`write_assets` returned them.
    folder : str
        Where they are, seen from the page.
    """
    base = f"new URL({json.dumps(folder)}, location.href)"
    start = f"earlyPython = startPython(resolved({json.dumps(addresses)}, {base}));"
    return f"{assets.text('start.js')}\nif (location.protocol !== 'file:') {start}"


def _once(scripts: list[Any]) -> list[Any]:
    """Drop repeated inline scripts: Sphinx adds twice what has no file name, as its extensions do.

    A constant declared twice is an error in the reader's console.
    """
    seen: set[str] = set()
    kept = []
    for script in scripts:
        body = getattr(script, "attributes", {}).get("body")
        if body is None or body not in seen:
            kept.append(script)
        if body is not None:
            seen.add(body)
    return kept


MATHS = re.compile(r'class="[^"]*\bmath\b')
"""Formulas in a page. MathJax, whose script is larger than all others, has nothing else to do."""

SCREEN = 1000
"""A reader sees a figure at once if so many letters of text, or fewer, are before it."""

EARLY = """(({ dataset, classList }) => {
  dataset.mode ||= "auto";
  dataset.theme ||= matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  if (location.protocol !== "file:") classList.add("st-scripted");
})(document.documentElement);"""
"""Runs before a page is drawn. The theme complains in the console of a reader who has not chosen
between light and dark yet; and where scripts run, no figure need say that they do not. (A page
that is opened as a file may not start the worker that computes.)"""


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    # Notebooks are executed by kernels that inherit this: figures are plain HTML there.
    os.environ[BOOK] = "1"
    app.add_config_value("shadowtime_node_modules", "node_modules", "html")
    app.add_js_file(None, body=EARLY, priority=100)
    app.add_directive("live-figure", LiveFigureDirective)
    app.connect("config-inited", use_own_mathjax)
    app.connect("builder-inited", _write_assets)
    return {
        "version": shadowtime.__version__,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
