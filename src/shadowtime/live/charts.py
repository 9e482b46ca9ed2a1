"""From a chart to what a page draws: a Vega specification, a still picture.

Colours are CSS variables all the way down to the SVG, so a picture follows its page from light to
dark without being drawn again.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import vl_convert as vlc

from shadowtime.live.answer import drawn
from shadowtime.live.livefigure import LiveFigure
from shadowtime.palette import variable

FONT = "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"

CONFIG: dict[str, Any] = {
    "background": None,
    "font": FONT,
    "padding": 2,
    "view": {"stroke": None},
    "axis": {
        "domainColor": variable("line"),
        "gridColor": variable("grid"),
        "labelColor": variable("muted"),
        "labelFontSize": 12,
        "labelPadding": 6,
        "tickColor": variable("line"),
        "tickSize": 4,
        "titleColor": variable("muted"),
        "titleFontSize": 12,
        "titleFontWeight": 500,
        "titlePadding": 8,
    },
    "axisX": {"grid": False, "labelFlush": False},
    "axisY": {"domain": False, "ticks": False},
    "header": {
        "labelAnchor": "start",
        "labelAngle": 0,
        "labelColor": variable("ink"),
        "labelFontSize": 13,
        "labelFontWeight": 600,
        "labelOrient": "top",
        "labelPadding": 6,
    },
    "legend": {
        "labelColor": variable("ink"),
        "labelFontSize": 12,
        "titleColor": variable("muted"),
        "titleFontSize": 12,
        "orient": "top",
    },
    "text": {"color": variable("ink"), "fontSize": 12},
    "rule": {"color": variable("muted")},
    "line": {"color": variable("accent"), "strokeWidth": 2},
    "point": {"color": variable("accent"), "filled": True},
    "bar": {"color": variable("accent")},
}


def vega_lite(figure: LiveFigure) -> dict[str, Any]:
    """Return a figure's chart as Vega-Lite, in the book's style, with the data of its controls."""
    chart = figure.chart()
    spec: dict[str, Any] = chart if isinstance(chart, dict) else chart.to_dict()
    own: dict[str, Any] = spec.get("config", {})
    config = deepcopy(CONFIG)
    for part, settings in own.items():
        if isinstance(settings, dict) and isinstance(config.get(part), dict):
            config[part].update(settings)
    # Altair gives every chart a view size of its own; the book's charts say theirs.
    config["view"].pop("continuousWidth", None)
    config["view"].pop("continuousHeight", None)
    return {**spec, "config": config, "datasets": drawn(figure.data)}


def vega(figure: LiveFigure) -> dict[str, Any]:
    """Return a figure's chart as Vega, without its data.

    Compiled here, it need not be compiled in the browser, and Vega-Lite need not be read there.
    """
    spec: dict[str, Any] = vlc.vegalite_to_vega(vega_lite(figure))
    for source in spec["data"]:
        if source["name"] in figure.data:
            source.pop("values", None)
    return spec


def still(figure: LiveFigure) -> str:
    """Return a figure's first picture as SVG, scaled to the width of its page.

    Returns
    -------
    str
        An ``<svg>`` element that takes its colours from the page's CSS variables.
    """
    svg: str = vlc.vegalite_to_svg(vega_lite(figure))
    # The picture as a whole has its words; a screen reader need not walk through its marks.
    return svg[svg.index("<svg") :].replace("<svg", '<svg aria-hidden="true"', 1)
