"""The pages of the package: everything that is public stands in them."""

import re
from importlib import import_module
from types import ModuleType

import pytest

import shadowtime
from tests.book.notebooks import ROOT

PAGES = "\n".join(path.read_text("utf-8") for path in (ROOT / "book" / "api").glob("*.md"))
MODULES = re.findall(r"automodule:: (\S+)", PAGES)
SINGLE = re.findall(r"auto(?:class|function|exception):: (\S+)", PAGES)


@pytest.mark.parametrize("name", shadowtime.__all__)
def test_every_public_name_is_in_the_pages(name: str) -> None:
    if isinstance(getattr(shadowtime, name), ModuleType):
        assert f"shadowtime.{name}" in MODULES
    else:
        assert name in SINGLE


@pytest.mark.parametrize("name", MODULES)
def test_every_module_of_the_pages_says_what_it_is(name: str) -> None:
    assert import_module(name).__doc__
