"""Live figures: a few controls, a computation and a chart.

One figure, three places. In the built book the computation runs in the reader's browser, in a
notebook in the kernel, and in print and without JavaScript a still picture stands there.

Examples
--------
>>> from shadowtime import live
>>> fig = live.figure("fifo-blocking")
>>> fig.set(width=8).values["width"]
8
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from shadowtime.live import figures
from shadowtime.live.controls import Choice, Control, File, Params, Slider, Toggle
from shadowtime.live.livefigure import Data, LiveFigure, Row, readout
from shadowtime.live.prediction import Prediction

if TYPE_CHECKING:
    from shadowtime.prediction import Predictions
    from shadowtime.workload import Workload

__all__ = [
    "Choice",
    "Control",
    "Data",
    "File",
    "LiveFigure",
    "Params",
    "Prediction",
    "Row",
    "Slider",
    "Toggle",
    "figure",
    "names",
    "readout",
]


def names() -> list[str]:
    """Names of all figures, in alphabetical order.

    Examples
    --------
    >>> "fifo-blocking" in names()
    True
    """
    from pkgutil import iter_modules

    return sorted(module.name.replace("_", "-") for module in iter_modules(figures.__path__))


def figure(
    name: str, *, workload: Workload | None = None, predictions: Predictions | None = None
) -> LiveFigure:
    """One of the book's live figures, its controls at their defaults.

    Parameters
    ----------
    name : str
        As listed by :func:`names`: ``"fifo-blocking"`` is the figure that the module
        ``shadowtime.live.figures.fifo_blocking`` calls ``FIGURE``.
    workload : Workload, optional
        For ``"replay"``: jobs of one's own, to replay in a notebook.
    predictions : Predictions, optional
        For ``"accuracy"`` and ``"hybrid"``: what :func:`shadowtime.prediction.evaluate` returned
        for a log of one's own.

    Returns
    -------
    LiveFigure
        A copy of its own: setting a control changes no other.

    Raises
    ------
    KeyError
        If no figure has that name.
    ValueError
        If a workload or predictions are given to a figure that takes none.
    """
    if name not in names():
        raise KeyError(f"no live figure is named {name!r}; there are {', '.join(names())}")
    module = import_module(f"{figures.__name__}.{name.replace('-', '_')}")
    made: LiveFigure = module.FIGURE.copy()
    for kind, given in (("workload", workload), ("predictions", predictions)):
        if given is not None:
            if not hasattr(module, f"for_{kind}"):
                raise ValueError(f"the figure {name} takes no {kind}")
            made = getattr(module, f"for_{kind}")(given)
    return made
