"""The table of speeds is the record's."""

import ast
import json
import re
from html import unescape

import pytest

from tests.book.notebooks import ROOT
from tests.book.test_numbers import unproven

PAGE = (ROOT / "book" / "benchmarks.md").read_text("utf-8")
RECORD = json.loads((ROOT / "book" / "records" / "benchmarks.json").read_text("utf-8"))


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> str:
    """What the page's cell displays."""
    monkeypatch.chdir(ROOT / "book")
    (code,) = re.findall(r"```\{code-cell\} python\n:tags: .*?\n(.*?)```", PAGE, re.DOTALL)
    *statements, last = ast.parse(code).body
    assert isinstance(last, ast.Expr)
    names: dict[str, object] = {}
    exec(compile(ast.Module(statements, []), "page", "exec"), names)
    shown: str = eval(compile(ast.Expression(last.value), "page", "eval"), names).data
    return shown


def test_each_figure_has_a_row_with_its_target(table: str) -> None:
    body = table.partition("<tbody>")[2]
    rows = [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in body.split("</tr>")[:-1]]
    for row, figure in zip(rows, RECORD["figures"], strict=True):
        what, measured, target, met, remark = map(unescape, row)
        assert (what, remark) == (figure["what"], figure["remark"])
        number, _, unit = measured.partition(" ")
        assert float(number.replace(",", "")) == pytest.approx(figure["value"], rel=0.01)
        assert unit == figure["unit"]
        assert bool(target) == bool(figure["target"]) == bool(met)
        assert (met == "no") == (figure["met"] is False)


def test_the_machine_is_named_by_cores_and_memory(table: str) -> None:
    machine = RECORD["machine"]
    told = f"Measured on {machine['cores']} cores and {machine['memory_gib']} GiB of memory"
    assert told in table


def test_the_prose_has_no_number_of_its_own() -> None:
    _, _, prose = PAGE.split("---\n", 2)
    assert unproven(re.sub(r"```.*?```", "", prose, flags=re.DOTALL), set()) == []
