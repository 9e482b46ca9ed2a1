"""Predict, then look: a question that the reader answers before the figure does."""

from __future__ import annotations

import os
from collections.abc import Sequence
from zlib import crc32

from shadowtime.live.answer import escape
from shadowtime.live.livefigure import BOOK


class Prediction:
    """A question with a few answers, of which the reader commits to one.

    Then the right answer and its reason appear next to the reader's own. The choice is kept for
    the session of the browser tab and goes nowhere. Without JavaScript the answer can be unfolded.

    Parameters
    ----------
    question : str
    options : sequence of str
    answer : str
        The option that the figure bears out.
    why : str
        What the figure shows, and the reason.

    Raises
    ------
    ValueError
        If the answer is not among the options.

    Examples
    --------
    >>> Prediction("Does a longer queue fill more nodes?", ["yes", "no"], "no", "The head blocks.")
    <Prediction: Does a longer queue fill more nodes? (yes / no)>
    """

    def __init__(self, question: str, options: Sequence[str], answer: str, why: str) -> None:
        if answer not in options:
            raise ValueError(f"answer {answer!r} is not among the options {list(options)}")
        self.question = question
        self.options = tuple(options)
        self.answer = answer
        self.why = why

    def to_html(self) -> str:
        """Return the question as an HTML form."""
        words = "\n".join((self.question, *self.options))
        name = f"st-predict-{crc32(words.encode()):08x}"
        options = "\n".join(
            f'<label class="st-option"><input type="radio" name="{name}" value="{at}" disabled>'
            f"<span>{escape(option)}</span></label>"
            for at, option in enumerate(self.options)
        )
        return f"""<form class="st-predict" data-key="{name}" \
data-answer="{self.options.index(self.answer)}">
<fieldset>
<legend><span class="st-kicker">Predict, then look</span> {escape(self.question)}</legend>
{options}
</fieldset>
<button type="submit" disabled>This is my answer</button>
<p class="st-verdict" role="status"></p>
<details class="st-why"><summary>The answer</summary>
<p><strong>{escape(self.answer)}.</strong> {escape(self.why)}</p></details>
</form>"""

    def __repr__(self) -> str:
        return f"<Prediction: {self.question} ({' / '.join(self.options)})>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        html = self.to_html()
        if not os.environ.get(BOOK):
            # A notebook has none of the book's files: bring style and script along.
            from shadowtime.live import assets

            style, script = assets.style(), assets.text("predict.js")
            html = f"<style>{style}</style>{html}<script>{script}</script>"
        return {"text/plain": repr(self), "text/html": html}
