"""live.js and vega-embed in one ES module, made without the network."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import vl_convert as vlc

from shadowtime import palette

STATIC = files("shadowtime.live") / "static"


def text(name: str) -> str:
    """Return one of the files that a page needs: ``live.js``, ``worker.js``, ..."""
    return (STATIC / name).read_text("utf-8")


@cache
def script() -> str:
    """Return live.js with the libraries that it draws with, about 0.9 MB."""
    bundled: str = vlc.javascript_bundle(text("live.js"))
    return bundled


def style() -> str:
    """Return the style sheet of live figures and predictions, colours first."""
    return palette.stylesheet() + text("live.css")
