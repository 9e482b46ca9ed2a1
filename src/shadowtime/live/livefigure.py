"""A live figure: controls, a computation, a chart and the words around them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

from shadowtime.live.controls import Control, Params, Value

if TYPE_CHECKING:
    from shadowtime.live.widget import FigureWidget

Row = dict[str, Any]
Data = dict[str, list[Row]]

MAX_CONTROLS = 5
BOOK = "SHADOWTIME_BOOK"
"""Set in the environment while the book is built: figures are then plain HTML."""


def readout(
    label: str, value: float | str, unit: str = "", *, digits: int = 0, of: str = ""
) -> Row:
    """One row of the dataset ``readout``, the numbers that stand under a chart.

    Parameters
    ----------
    label : str
        What was measured.
    value : int, float or str
        A string is shown as it is.
    unit : str
        Shown behind the number.
    digits : int
        Digits after the point.
    of : str
        Where schedules are compared, the one that was measured: a column of the table. The name
        of a policy gives the column that policy's colour.

    Returns
    -------
    dict
        With the keys of the parameters, and ``text``: the value as it is shown.

    Examples
    --------
    >>> readout("utilization", 79.456, "%", digits=1)["text"]
    '79.5 %'
    """
    text = value if isinstance(value, str) else f"{value:,.{digits}f}"
    shown = f"{text} {unit}".strip()
    return {"label": label, "value": value, "unit": unit, "of": of, "text": shown}


class LiveFigure:
    """A chart of what a computation makes of a few controls.

    Displayed in a notebook it is a widget, computed in the kernel. While the book is built it is
    plain HTML with its first result inside, and the same computation runs in the reader's browser.

    Parameters
    ----------
    name : str
        In lower case and hyphens; also the figure's address within its page.
    title : str
        What to see, in a line.
    controls : sequence of Slider, Choice or Toggle
        At most five.
    compute : callable
        From the controls' values to datasets, each a list of rows (dicts of JSON values). It and
        the module that it lives in use the standard library and the core of shadowtime alone. The
        dataset ``readout``, made with :func:`readout`, is shown as a table under the chart.
    chart : callable
        Returns the Altair chart, or its Vega-Lite specification, that draws the datasets by name
        (``alt.NamedData("jobs")``). Altair is imported inside it, never by the module.
    caption : str
        What the figure shows and how to read it.
    alt : str
        The first picture in words, for those who do not see it.

    Raises
    ------
    ValueError
        If there are more than five controls or two of one name.

    Examples
    --------
    >>> from shadowtime.live import LiveFigure, Slider
    >>> fig = LiveFigure(
    ...     name="squares",
    ...     title="The square of a number",
    ...     controls=[Slider(name="n", label="Number", min=0, max=9, default=2)],
    ...     compute=lambda params: {"point": [{"n": params["n"], "square": params["n"] ** 2}]},
    ...     chart=dict,
    ...     caption="One point.",
    ...     alt="A point at 2 and 4.",
    ... )
    >>> fig.set(n=3).data
    {'point': [{'n': 3, 'square': 9}]}
    >>> fig
    <LiveFigure squares: n=3>
    """

    def __init__(
        self,
        *,
        name: str,
        title: str,
        controls: Iterable[Control],
        compute: Callable[[Params], Data],
        chart: Callable[[], Any],
        caption: str,
        alt: str,
    ) -> None:
        self.name = name
        self.title = title
        self.controls = tuple(controls)
        self.compute = compute
        self.chart = chart
        self.caption = caption
        self.alt = alt
        self.defaults: dict[str, Value] = {each.name: each.default for each in self.controls}
        if not len(self.defaults) == len(self.controls) <= MAX_CONTROLS:
            raise ValueError(f"figure {name}: at most {MAX_CONTROLS} controls, no two of one name")
        self._values = dict(self.defaults)
        self._data: Data | None = None
        self._widget: FigureWidget | None = None

    def copy(self) -> Self:
        """Return the same figure, its controls at their defaults."""
        return type(self)(
            name=self.name,
            title=self.title,
            controls=self.controls,
            compute=self.compute,
            chart=self.chart,
            caption=self.caption,
            alt=self.alt,
        )

    @property
    def values(self) -> Mapping[str, Value]:
        """Where the controls stand."""
        return dict(self._values)

    @property
    def data(self) -> Data:
        """What the computation makes of the controls as they stand."""
        if self._data is None:
            self._data = self.compute(self.values)
        return self._data

    def set(self, **values: Value) -> Self:
        """Set controls; a displayed figure follows.

        Returns
        -------
        LiveFigure
            The figure itself.

        Raises
        ------
        KeyError
            If there is no such control.
        ValueError
            If a control cannot take its value.
        """
        self.take(values)
        if self._widget is not None:
            self._widget.show()
        return self

    def take(self, values: Params) -> None:
        """Set controls, as :meth:`set` does, without a word to the display."""
        known = {each.name: each for each in self.controls}
        for name in values:
            if name not in known:
                raise KeyError(f"{self.name} has no control {name!r}; it has {', '.join(known)}")
        self._values.update({name: known[name].check(value) for name, value in values.items()})
        self._data = None

    def reset(self) -> Self:
        """Set all controls to their defaults."""
        return self.set(**self.defaults)

    def target(self) -> str:
        """Where a browser finds the computation, as ``module:function``.

        Raises
        ------
        ValueError
            If it is not a function of an importable module.
        """
        module, function = self.compute.__module__, self.compute.__qualname__
        if module == "__main__" or not function.isidentifier():
            raise ValueError(
                f"figure {self.name}: a browser cannot import {module}.{function}; "
                "move compute into a module of its own (a figure of your own data is for notebooks)"
            )
        return f"{module}:{function}"

    def to_html(self) -> str:
        """Return the figure as it stands in the built book, its first result inside."""
        from shadowtime.live import html

        return html.page(self)

    def widget(self) -> FigureWidget:
        """Return the figure as a Jupyter widget, one for all its views."""
        if self._widget is None:
            from shadowtime.live.widget import FigureWidget

            self._widget = FigureWidget(self)
        return self._widget

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self._values.items())
        return f"<LiveFigure {self.name}: {values}>"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        if os.environ.get(BOOK):
            return {"text/plain": repr(self), "text/html": self.to_html()}
        data, metadata = self.widget()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "text/plain": repr(self)}, metadata
