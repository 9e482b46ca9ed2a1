"""The files that make a page live, as text."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from shadowtime import palette

STATIC = files("shadowtime.live") / "static"


def text(name: str) -> str:
    """Return one of the files that a page needs: ``live.js``, ``worker.js``, ..."""
    return (STATIC / name).read_text("utf-8")


def style() -> str:
    """Return the style sheet of live figures and predictions, colours first."""
    return palette.stylesheet() + text("live.css")


@cache
def script() -> str:
    """Return live.js and vega-embed in one ES module of about 0.9 MB, made without the network."""
    import vl_convert as vlc

    bundled: str = vlc.javascript_bundle(text("live.js"))
    return bundled
