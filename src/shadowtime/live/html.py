"""A live figure as HTML: title, controls, first picture, numbers, caption.

The same elements serve the built book and the notebook widget; live.js brings them to life.
"""

from __future__ import annotations

import json
from typing import Any

from shadowtime.live import answer, charts
from shadowtime.live.answer import escape
from shadowtime.live.controls import Choice, Control, File, Slider, Toggle, Value
from shadowtime.live.livefigure import LiveFigure

SEGMENTS = 4
SEGMENTS_TEXT = 60
"""A choice of up to so many options, and letters in all, shows them; a longer one is a menu."""

HATCH = """<svg class="st-defs" width="0" height="0" aria-hidden="true" focusable="false"><defs>
<pattern id="st-hatch" width="6" height="6" patternUnits="userSpaceOnUse" \
patternTransform="rotate(45)"><rect width="6" height="6" fill="var(--st-idle)" opacity="0.10"/>\
<line x1="0" y1="0" x2="0" y2="6" stroke="var(--st-idle)" stroke-width="1.5" opacity="0.75"/>\
</pattern></defs></svg>"""
"""The hatching of idle nodes; a picture refers to it by name, and the page holds it once."""


def page(figure: LiveFigure) -> str:
    """Return a figure for the built book.

    It is complete without JavaScript: the controls are disabled, a sentence says why, and the
    picture is there. What a browser needs to compute the next picture stands in a JSON element.
    """
    return element(figure, figure.target(), NO_SCRIPT)


NO_SCRIPT = """<p class="st-note">This is a still picture. Where JavaScript is on and the page \
comes from a web server, the controls work: Python then computes the figure in your browser.</p>"""
"""Hidden as soon as a script says that scripts run: see sphinx_ext.py."""


def element(figure: LiveFigure, target: str = "", note: str = "") -> str:
    """Return the figure's elements.

    Parameters
    ----------
    figure : LiveFigure
    target : str
        Computation for a browser, as ``module:function``.
    note : str
        More HTML, above the caption.
    """
    controls = "\n".join(control(each, figure.values[each.name]) for each in figure.controls)
    label = f"live-{figure.name}"
    return f"""<figure class="st-live" id="{label}" data-figure="{escape(figure.name)}" \
aria-labelledby="{label}-title">
{HATCH}
<p class="st-title" id="{label}-title">{escape(figure.title)}</p>
<form class="st-controls" autocomplete="off"><fieldset disabled>
<legend class="st-hidden">Controls</legend>
{controls}
<button type="reset">Reset</button>
</fieldset></form>
<ul class="st-key">{answer.key(figure.data)}</ul>
<div class="st-chart" role="img" aria-label="{escape(figure.alt)}">{charts.still(figure)}</div>
<div class="st-readout">{answer.readout(figure.data)}</div>
<div class="st-story" role="status">{answer.story(figure.data)}</div>
<p class="st-error" role="alert" hidden></p>
<p class="st-status" role="status"></p>
<p class="st-work" hidden><button type="button" class="st-cancel">Cancel</button>
<span class="st-progress"></span></p>
{note}
<figcaption>{escape(figure.caption)}</figcaption>
<script type="application/json" class="st-definition">{definition(figure, target)}</script>
</figure>"""


def definition(figure: LiveFigure, target: str) -> str:
    """Return what live.js needs to know of a figure, as JSON that may stand in HTML."""
    known: dict[str, Any] = {
        "name": figure.name,
        "compute": target,
        "spec": charts.vega(figure),
        "data": answer.drawn(figure.data),
        "defaults": figure.defaults,
    }
    text = json.dumps(known, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("&", "\\u0026")


def control(each: Control, value: Value) -> str:
    """Return one control as a labelled native input."""
    label = escape(each.label)
    if isinstance(each, Slider):
        unit = f" {escape(each.unit)}" if each.unit else ""
        return (
            f'<label class="st-slider"><span class="st-label">{label}</span>'
            f'<output data-unit="{unit}">{value:g}{unit}</output>'
            f'<input type="range" name="{each.name}" aria-label="{label}" '
            f'min="{each.min:g}" max="{each.max:g}" step="{each.step:g}" value="{value:g}"></label>'
        )
    if isinstance(each, Toggle):
        checked = " checked" if value else ""
        return (
            f'<label class="st-toggle"><input type="checkbox" name="{each.name}"{checked}>'
            f'<span class="st-label">{label}</span></label>'
        )
    if isinstance(each, File):
        return (
            f'<label class="st-menu st-file"><span class="st-label">{label}</span>'
            f'<input type="file" name="{each.name}" accept="{escape(each.accept)}"></label>'
        )
    long = len(each.options) > SEGMENTS or sum(map(len, each.options.values())) > SEGMENTS_TEXT
    return _menu(each, value) if long else _segments(each, value)


def _menu(each: Choice, value: Value) -> str:
    options = "".join(
        f'<option value="{escape(option)}"{" selected" if option == value else ""}>'
        f"{escape(text)}</option>"
        for option, text in each.options.items()
    )
    return (
        f'<label class="st-menu"><span class="st-label">{escape(each.label)}</span>'
        f'<select name="{each.name}">{options}</select></label>'
    )


def _segments(each: Choice, value: Value) -> str:
    options = "".join(
        f'<label><input type="radio" name="{each.name}" value="{escape(option)}"'
        f"{' checked' if option == value else ''}><span>{escape(text)}</span></label>"
        for option, text in each.options.items()
    )
    return (
        f'<fieldset class="st-choice"><legend class="st-label">{escape(each.label)}</legend>'
        f'<span class="st-segments">{options}</span></fieldset>'
    )
