"""A live figure in a notebook: an anywidget whose kernel computes."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
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
    requests this answers. A file that a reader opens comes in pieces, before the values that name
    it; the view is told its path here, where it stays as long as the widget.

    Parameters
    ----------
    figure : LiveFigure
    """

    markup = traitlets.Unicode().tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)
    _folder: TemporaryDirectory[str] | None = None

    def __init__(self, figure: LiveFigure) -> None:
        self._figure = figure
        self._turn = count()
        self._files: dict[str, Path] = {}
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

    def _on_request(self, _: object, content: dict[str, Any], pieces: list[memoryview]) -> None:
        if "file" in content:
            self._receive(content, pieces)
        else:
            self.show(content["params"], content["ask"])

    def _receive(self, content: dict[str, Any], pieces: list[memoryview]) -> None:
        """Add to a file of the reader's, and tell its path once it is whole."""
        ask = content["ask"]
        try:
            if ask not in self._files:
                self._folder = self._folder or TemporaryDirectory(prefix="shadowtime-")
                folder = Path(self._folder.name, str(len(self._files)))
                folder.mkdir()
                self._files[ask] = folder / Path(content["file"]).name
            with self._files[ask].open("ab") as file:
                file.writelines(pieces)
        except OSError as error:
            self.send({"ask": ask, "error": message(error)})
            return
        if content["last"]:
            self.send({"ask": ask, "path": str(self._files[ask])})
