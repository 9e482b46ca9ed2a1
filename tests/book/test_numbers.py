"""Every number in the text of a chapter stands in its code or in an output that is compared.

The text is what a reader reads: Markdown, predictions, captions and descriptions of figures.
Numbers written as words are not looked at. Allowed without evidence are

- what is part of a name: `J4`, `KTH-SP2`, `SWF2.2`, numbers of chapters, cases and list items;
- years, and what stands in formulas, links, labels, citations and inline code;
- the minutes that an exercise takes, in its heading.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbformat import NotebookNode

from tests.book.notebooks import CHAPTERS, CHECKED, cells, shown, tags

NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?!\w)")
ALLOWED = re.compile(
    r"\$\$.*?\$\$|\$[^$\n]+\$"  # formulas
    r"|\{[\w:-]+\}`[^`]*`|`[^`]*`"  # roles, such as {cite:p}`smith1956`, and code
    r"|\]\([^)]*\)|https?://\S+"  # the target of a link
    r"|^\([\w-]+\)=$"  # labels
    r"|^\s*\d+\. "  # list items
    r"|\b(?:chapters?|case) \d+(?: and \d+)?"
    r"|^\#+ .*\(\d+ minutes\)$"
    r"|(?<![\d,.])(?:1[89]|20)\d\d(?![\d,.]*\d)",  # years
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)


def numbers(text: str) -> set[float]:
    """Return the numbers in a text, without their signs."""
    return {float(found.replace(",", "")) for found in NUMBER.findall(text)}


def is_prediction(cell: NotebookNode) -> bool:
    return "Prediction(" in cell.source


def strings(source: str) -> Iterator[str]:
    """Yield the strings in a piece of code."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def prose(path: Path) -> Iterator[str]:
    """Yield the pieces of text that a reader reads."""
    yield from (cell.source for cell in cells(path, "markdown"))
    for cell in cells(path):
        if is_prediction(cell):
            yield from strings(cell.source)
        figure = cell.metadata.get("mystnb", {})
        yield figure.get("figure", {}).get("caption", "")
        yield figure.get("image", {}).get("alt", "")


def evidence(path: Path) -> set[float]:
    """Return the numbers in code, and in outputs that `make test` compares."""
    found = set()
    for cell in cells(path):
        if not is_prediction(cell):
            found |= numbers(cell.source)
        if CHECKED in tags(cell):
            for text in shown(cell):
                found |= numbers(re.sub(r"<[^>]*>", " ", text))
    return found


def unproven(text: str, known: set[float]) -> list[str]:
    """Return the numbers of a text that are neither allowed nor known, each with its context."""
    text = ALLOWED.sub(lambda found: " " * len(found[0]), text)
    return [
        f"{found[0]} in: ...{text[max(found.start() - 40, 0) : found.end() + 20]}..."
        for found in NUMBER.finditer(text)
        if float(found[0].replace(",", "")) not in known
    ]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.name)
def test_every_number_of_a_chapter_comes_out_of_its_cells(path: Path) -> None:
    known = evidence(path)
    assert [wrong for text in prose(path) for wrong in unproven(text, known)] == []


@pytest.mark.parametrize(
    "text",
    [
        "a wait of 3 minutes",
        "2,800 node-minutes",
        "62% less",
        "from 0.7946 on",
        "-5 degrees",
        "in 5 of 8",
        "(17)",
        "1,996 jobs",
        "19960 jobs",
    ],
)
def test_a_number_without_evidence_is_found(text: str) -> None:
    assert len(unproven(text, {8.0})) == 1


@pytest.mark.parametrize(
    "text",
    [
        "J4 on KTH-SP2",
        "in 1996, and (2001) again",
        "chapter 3 and **Case 2.**",
        "1. first\n2. second",
        "### By hand (5 minutes)",
        r"$\tau = 10$ and $$\max(1, 2)$$",
        "{cite:p}`smith1956` shows `f(17)`",
        "[here](https://example.org/17)",
        "(sec-17)=",
        "8 nodes, 1,234.5 h",
    ],
)
def test_names_years_and_formulas_need_no_evidence(text: str) -> None:
    assert unproven(text, {8.0, 1234.5}) == []
