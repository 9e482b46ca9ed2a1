"""A live figure in a notebook: an anywidget whose kernel computes."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from shadowtime.live import assets, html
from shadowtime.live.answer import message, present
from shadowtime.live.controls import Params

if TYPE_CHECKING:
    from shadowtime.live.livefigure import LiveFigure


class FigureWidget(anywidget.AnyWidget):
    """The widget that displays a :class:`~shadowtime.live.LiveFigure`.

    Views send the values of their controls, the kernel answers all of them with `shown`: where
    the controls stand and what comes of it. ``ask`` tells the view that asked which of its
    requests this answers.

    Parameters
    ----------
    figure : LiveFigure
    """

    markup = traitlets.Unicode().tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)

    def __init__(self, figure: LiveFigure) -> None:
        self._figure = figure
        self._turn = count()
        self._esm = assets.script()
        self._css = assets.style()
        super().__init__(markup=html.element(figure))
        self.show()
        self.on_msg(self._on_request)

    def show(self, params: Params | None = None, ask: str = "") -> None:
        """Show the figure in all its views, after setting its controls to `params`."""
        shown: dict[str, Any] = {"turn": next(self._turn), "ask": ask}
        try:
            if params is not None:
                self._figure.take(params)
            shown["result"] = present(self._figure.data)
        except Exception as error:  # noqa: BLE001 - whatever it is, the reader shall see it
            shown["error"] = message(error)
        self.shown = {**shown, "params": params or self._figure.values}

    def _on_request(self, _: object, content: dict[str, Any], __: object) -> None:
        self.show(content["params"], content["ask"])
