"""What a computation's result becomes on the page, in the kernel and in the browser alike.

Needs the standard library alone: live.js asks :func:`respond` by way of Pyodide, the notebook
widget asks it in the kernel, and both set what it returns into the page as it is.
"""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

from shadowtime.live.livefigure import Data
from shadowtime.palette import NAMES, POLICIES, PREDICTORS

_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})


def respond(target: str, params: str) -> str:
    r"""Compute for a browser.

    Parameters
    ----------
    target : str
        The computation, as ``module:function``.
    params : str
        The controls' values as a JSON object.

    Returns
    -------
    str
        JSON: the keys of :func:`present`, or ``error`` with what went wrong in a line.

    Examples
    --------
    >>> respond("shadowtime.live.figures.none:compute", "{}")
    '{"error": "ModuleNotFoundError: No module named \'shadowtime.live.figures.none\'"}'
    """
    try:
        module, _, function = target.partition(":")
        compute = getattr(import_module(module), function)
        return json.dumps(present(compute(json.loads(params))), allow_nan=False)
    except Exception as error:  # noqa: BLE001 - whatever it is, the reader shall see it
        return json.dumps({"error": message(error)})


def present(data: Data) -> dict[str, Any]:
    """Turn a result into what the page takes.

    Returns
    -------
    dict
        ``data``: the datasets that the chart draws; ``key``, ``readout``, ``story``: HTML.
    """
    return {
        "data": drawn(data),
        "key": key(data),
        "readout": readout(data),
        "story": story(data),
    }


def message(error: BaseException) -> str:
    """Return an error in a line, for the reader of a figure.

    Examples
    --------
    >>> message(ValueError("width = 9: must be from 1 to 8"))
    'ValueError: width = 9: must be from 1 to 8'
    """
    return f"{type(error).__name__}: {error}".removesuffix(": ")


def drawn(data: Data) -> Data:
    """Return the datasets that the chart draws: all but those that are words beside it."""
    words = {"readout", "key", "story"}
    return {name: rows for name, rows in data.items() if name not in words}


def key(data: Data) -> str:
    """Return the dataset ``key`` as list items: a swatch and what it means."""
    return "".join(
        f'<li><span class="st-swatch" data-role="{escape(row["role"])}" '
        f'style="--st-swatch: var(--st-{escape(row["role"])})"></span>{escape(row["label"])}</li>'
        for row in data.get("key", [])
    )


def readout(data: Data) -> str:
    """Return the dataset ``readout`` as a table, with a column for each schedule compared."""
    rows = data.get("readout", [])
    if not rows:
        return ""
    columns = list(dict.fromkeys(row["of"] for row in rows))
    labels = list(dict.fromkeys(row["label"] for row in rows))
    cells = {(row["label"], row["of"]): row["text"] for row in rows}
    if columns == [""]:
        tiles = "".join(
            f"<div><dt>{escape(label)}</dt><dd>{escape(cells[label, ''])}</dd></div>"
            for label in labels
        )
        return f"<dl>{tiles}</dl>"
    head = "".join(f'<th scope="col">{_column(of)}</th>' for of in columns)
    body = "".join(
        f'<tr><th scope="row">{escape(label)}</th>'
        + "".join(f"<td>{escape(cells.get((label, of), '–'))}</td>" for of in columns)
        + "</tr>"
        for label in labels
    )
    return f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"


def story(data: Data) -> str:
    """Return the dataset ``story``, lines of ``text``, as a list for each ``of``."""
    rows = data.get("story", [])
    return "".join(
        f'<section><p class="st-of">{escape(of)}</p><ol>'
        + "".join(f"<li>{escape(row['text'])}</li>" for row in rows if row["of"] == of)
        + "</ol></section>"
        for of in dict.fromkeys(row["of"] for row in rows)
    )


def escape(text: str) -> str:
    """Return `text` as HTML shows it.

    As html.escape; but a browser imports that module, with its 2,000 names of letters, for as long
    as the simulator.

    Examples
    --------
    >>> escape("width < 9 & 'wide'")
    'width &lt; 9 &amp; &#x27;wide&#x27;'
    """
    return text.translate(_ENTITIES)


def _column(of: str) -> str:
    coloured = of in POLICIES["light"] or of in PREDICTORS["light"]
    style = f' style="color: var(--st-{of})"' if coloured else ""
    return f"<span{style}>{escape(NAMES.get(of, of))}</span>"
