"""The facts that several files of the project repeat agree with each other."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import shadowtime

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_one_version_is_stated_everywhere() -> None:
    citation = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert citation is not None
    assert citation[1] == shadowtime.__version__
    assert json.loads((ROOT / "package.json").read_text())["version"] == shadowtime.__version__
    assert json.loads((ROOT / "package-lock.json").read_text())["version"] == shadowtime.__version__


def test_every_library_that_the_package_names_is_pinned() -> None:
    named = [*PROJECT["dependencies"]]
    for extra, requirements in PROJECT["optional-dependencies"].items():
        named += requirements if extra != "all" else []
    pins = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert {re.split(r"[<>=;\s]", requirement)[0] for requirement in named} <= set(pins)


def test_all_installs_every_other_extra() -> None:
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    assert everything == f"shadowtime[{','.join(name for name in extras if name != 'all')}]"


@pytest.mark.parametrize(
    "page", re.findall(r"(?:root|file): (\S+)", (ROOT / "_toc.yml").read_text())
)
def test_each_page_of_the_contents_exists(page: str) -> None:
    assert any((ROOT / page).with_suffix(ending).is_file() for ending in (".md", ".ipynb"))


def test_the_example_of_the_readme_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (ROOT / "README.md").read_text()
    shown = re.search(r"```python\n(.*?)```\n\nprints\n\n```text\n(.*?)```", readme, re.DOTALL)
    assert shown is not None
    exec(compile(shown[1], "README.md", "exec"), {})
    assert capsys.readouterr().out == shown[2]


def test_every_command_of_the_readme_exists() -> None:
    commands = re.findall(r"^    shadowtime (\S+)", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert commands
    for command in commands:
        asked = [sys.executable, "-m", "shadowtime", command, "--help"]
        subprocess.run(asked, check=True, stdout=subprocess.DEVNULL)
