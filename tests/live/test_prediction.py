"""A prediction is a form that works in the page, in a notebook and without scripts."""

import pytest

from shadowtime.live import Prediction

QUESTION = ("Does it fit?", ["yes", "no & never"], "no & never", "It is <too> wide.")


def test_question_options_and_reason_are_in_the_form() -> None:
    text = Prediction(*QUESTION).to_html()
    assert "Does it fit?</legend>" in text
    assert text.count('type="radio"') == 2
    assert 'data-answer="1"' in text
    assert "<strong>no &amp; never.</strong> It is &lt;too&gt; wide." in text


def test_without_scripts_the_answer_can_be_unfolded() -> None:
    text = Prediction(*QUESTION).to_html()
    assert "<details" in text
    assert text.count("disabled") == 3


def test_two_questions_on_a_page_keep_their_answers_apart() -> None:
    one = Prediction(*QUESTION).to_html()
    other = Prediction("Another?", ["yes", "no"], "no", "No.").to_html()
    key = one[one.index("data-key") :].split('"')[1]
    assert key not in other


def test_an_answer_that_nobody_can_give_is_refused() -> None:
    with pytest.raises(ValueError, match="'maybe' is not among the options"):
        Prediction("Does it?", ["yes", "no"], "maybe", "")


def test_a_notebook_gets_style_and_script_and_the_book_neither(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SHADOWTIME_BOOK", raising=False)
    bundle = Prediction(*QUESTION)._repr_mimebundle_()
    assert "<script>" in bundle["text/html"]
    assert ".st-predict" in bundle["text/html"]
    monkeypatch.setenv("SHADOWTIME_BOOK", "1")
    assert "<script>" not in Prediction(*QUESTION)._repr_mimebundle_()["text/html"]
