"""What the built book carries for its live figures."""

import json
import re
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from shadowtime import live
from shadowtime.live import sphinx_ext


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    for name in sphinx_ext.PYODIDE_FILES:
        path = tmp_path / "node_modules" / "pyodide" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path / "node_modules"


@pytest.fixture
def small_bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shadowtime.live.assets.script", lambda: "export const startPage = 0;")


def test_the_core_computes_every_figure_from_its_archive(tmp_path: Path) -> None:
    archive = tmp_path / "core.zip"
    archive.write_bytes(sphinx_ext.core())
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import json; from shadowtime.live.answer import respond\n"
        "for target, params in json.loads(sys.argv[2]):\n"
        "    answer = json.loads(respond(target, params)); assert 'error' not in answer, answer\n"
    )
    calls = [(fig.target(), json.dumps(fig.defaults)) for fig in map(live.figure, live.names())]
    subprocess.run(
        [sys.executable, "-S", "-I", "-c", code, str(archive), json.dumps(calls)], check=True
    )


def test_the_core_is_the_same_bytes_each_time_and_leaves_heavy_modules_out() -> None:
    assert sphinx_ext.core() == sphinx_ext.core()
    names = zipfile.ZipFile(BytesIO(sphinx_ext.core())).namelist()
    assert "shadowtime/engine.py" in names
    assert "shadowtime/traces/data/teaching-predictions.csv.gz" in names
    assert "shadowtime/prediction/accuracy.py" not in names
    assert not [name for name in names if "/cli/" in name or name.endswith("widget.py")]


def test_python_is_served_from_the_book_if_npm_brought_it(
    tmp_path: Path, modules: Path, small_bundle: None
) -> None:
    sphinx_ext.write_assets(tmp_path / "static", modules)
    assert (tmp_path / "static" / "pyodide" / "pyodide.mjs").read_text() == "pyodide.mjs"
    assert '"python": "./pyodide/"' in (tmp_path / "static" / "page.js").read_text()
    for name in ("figures.js", "worker.js", "predict.js", "live.css", "core.zip"):
        assert (tmp_path / "static" / name).stat().st_size > 0


def test_without_npm_the_pinned_public_address_stands_in(
    tmp_path: Path, small_bundle: None
) -> None:
    sphinx_ext.write_assets(tmp_path / "static", tmp_path / "nowhere")
    script = (tmp_path / "static" / "page.js").read_text()
    assert re.search(r'"python": "https://[^"]*/v314\.0\.7/full/"', script)


class Page:
    """As much of Sphinx as the hook for a page uses."""

    def __init__(self) -> None:
        self.added: dict[str, dict[str, Any]] = {}

    def add_css_file(self, name: str) -> None:
        self.added[name] = {}

    def add_js_file(self, name: str, **attributes: Any) -> None:
        self.added[name] = attributes


def add_to_page(page: Page, body: str, scripts: list[str] | None = None) -> dict[str, Any]:
    context = {
        "body": body,
        "script_files": scripts or [],
        "metatags": "<meta>",
        "pathto": lambda name, resource: f"../{name}",
    }
    sphinx_ext.add_to_page({"worker": "./worker.js?v=1"}, page, "a", "", context, None)  # type: ignore[arg-type]
    return context


@pytest.mark.parametrize(
    "body, files",
    [
        ("<p>words</p>", set()),
        ('<figure class="st-live">', {"shadowtime/live.css", "shadowtime/page.js"}),
        ('<form class="st-predict">', {"shadowtime/live.css", "shadowtime/predict.js"}),
    ],
)
def test_a_page_loads_only_what_it_has_work_for(body: str, files: set[str]) -> None:
    page = Page()
    add_to_page(page, body)
    assert set(page.added) == files
    if "shadowtime/page.js" in files:
        assert page.added["shadowtime/page.js"] == {"type": "module", "loading_method": "async"}


def test_a_page_that_opens_with_a_figure_starts_python_in_its_head() -> None:
    figure = '<figure class="st-live">'
    opening = add_to_page(Page(), f"<p>{'few words ' * 20}</p>{figure}")["metatags"]
    later = add_to_page(Page(), f"<p>{'many words ' * 200}</p>{figure}")["metatags"]
    assert opening.startswith("<script>")
    assert '"../_static/shadowtime/"' in opening
    assert '"worker": "./worker.js?v=1"' in opening
    assert later == "<meta>"


def test_pages_without_formulas_do_not_load_mathjax() -> None:
    scripts = ["_static/theme.js", "_static/mathjax/tex-mml-chtml.js"]
    plain = add_to_page(Page(), '<p class="aftermath">words</p>', scripts[:])
    formula = add_to_page(Page(), '<span class="math notranslate">x</span>', scripts[:])
    assert plain["script_files"] == scripts[:1]
    assert formula["script_files"] == scripts


def test_inline_scripts_are_kept_once() -> None:
    class Script:
        def __init__(self, body: str | None) -> None:
            self.attributes = {"body": body} if body else {}

    scripts = [Script("const a = 1"), Script(None), Script("const a = 1"), Script(None)]
    assert sphinx_ext._once(scripts) == [scripts[0], scripts[1], scripts[3]]
