"""One colour for each policy and predictor, the same on every page and in print.

Each family runs from dark to light in even steps of lightness, so that its members can be told
apart on a grey printout and whatever the reader's colour vision. On the paper of its theme every
colour of a policy or predictor has the contrast that WCAG 2 asks of text (4.5 to 1).

Nothing here needs more than the standard library: the live figures use these colours as CSS
variables, the matplotlib figures as hexadecimal strings.
"""

from __future__ import annotations

from typing import Literal

Theme = Literal["light", "dark"]

POLICIES: dict[Theme, dict[str, str]] = {
    "light": {
        "fcfs": "#283140",
        "easy-sjbf": "#7a0582",
        "easy": "#0050b2",
        "conservative": "#007453",
        "first-fit": "#b55e07",
    },
    "dark": {
        "fcfs": "#e4e8f0",
        "easy-sjbf": "#ffb8f8",
        "easy": "#6fbdfd",
        "conservative": "#33b587",
        "first-fit": "#cd732b",
    },
}

PREDICTORS: dict[Theme, dict[str, str]] = {
    "light": {
        "request": "#312e56",
        "last2": "#872e05",
        "xgboost": "#00687a",
        "hybrid": "#8b5cce",
    },
    "dark": {
        "request": "#e0e0fe",
        "last2": "#fdb69d",
        "xgboost": "#42b9d3",
        "hybrid": "#a87eeb",
    },
}

ROLES: dict[Theme, dict[str, str]] = {
    "light": {
        "paper": "#ffffff",
        "ink": "#1d2430",
        "muted": "#566072",
        "grid": "#e3e7ed",
        "panel": "#f6f8fa",
        "line": "#c9d0da",
        "control": "#7b8698",
        "job": "#dce3ec",
        "job-edge": "#8c98aa",
        "job-ink": "#1d2430",
        "head": "#283140",
        "on-colour": "#ffffff",
        "idle": "#c22f3d",
        "error": "#a3182c",
        "accent": "#0050b2",
    },
    "dark": {
        "paper": "#14181e",
        "ink": "#e6e9ee",
        "muted": "#a3adbb",
        "grid": "#2a313b",
        "panel": "#1b2028",
        "line": "#3b4450",
        "control": "#77839a",
        "job": "#39424f",
        "job-edge": "#77839a",
        "job-ink": "#eef1f5",
        "head": "#e4e8f0",
        "on-colour": "#14181e",
        "idle": "#ff8a8f",
        "error": "#ff9aa2",
        "accent": "#6fbdfd",
    },
}
"""What the parts of a figure are drawn with. ``paper`` is the ground of the page, ``ink`` its text;
``job`` fills a job that started in its turn, ``head`` the job at the head of the queue that the
figure is about, ``idle`` hatches the nodes that stand idle while jobs wait; ``on-colour`` is text
on a policy's colour or on ``head``."""

NAMES: dict[str, str] = {
    "fcfs": "FCFS",
    "first-fit": "First fit",
    "easy": "EASY",
    "easy-sjbf": "EASY, shortest first",
    "conservative": "Conservative",
    "conservative-none": "Conservative, not compressed",
    "conservative-replan": "Conservative, replanned",
    "request": "User's request",
    "last2": "Last two",
    "xgboost": "XGBoost",
    "hybrid": "Hybrid",
}
"""What a policy or predictor is called in figures and tables."""


def colour(name: str, theme: Theme = "light") -> str:
    """Colour of a policy, a predictor or a part of a figure.

    Parameters
    ----------
    name : str
        A key of `POLICIES`, `PREDICTORS` or `ROLES`.
    theme : {"light", "dark"}
        The ground that it will stand on.

    Returns
    -------
    str
        ``#rrggbb``.

    Raises
    ------
    KeyError
        If nothing has that name.

    Examples
    --------
    >>> colour("easy")
    '#0050b2'
    >>> colour("easy", "dark")
    '#6fbdfd'
    """
    for family in (POLICIES, PREDICTORS, ROLES):
        if name in family[theme]:
            return family[theme][name]
    known = ", ".join([*POLICIES[theme], *PREDICTORS[theme], *ROLES[theme]])
    raise KeyError(f"no colour is named {name!r}; there are {known}")


def variable(name: str) -> str:
    """CSS variable of a colour, which follows the page from light to dark by itself.

    Examples
    --------
    >>> variable("easy")
    'var(--st-easy)'
    """
    colour(name)
    return f"var(--st-{name})"


def stylesheet() -> str:
    """All colours as CSS variables: light by default, dark where the page says so.

    The book's theme sets ``data-theme`` on the root element, JupyterLab
    ``data-jp-theme-light`` on the body, VS Code a class.

    Returns
    -------
    str
        Two CSS rules.
    """

    def variables(theme: Theme) -> str:
        families = (POLICIES[theme], PREDICTORS[theme], ROLES[theme])
        return " ".join(f"--st-{k}: {v};" for family in families for k, v in family.items())

    dark = 'html[data-theme="dark"], body[data-jp-theme-light="false"], body.vscode-dark'
    light = f":root {{ --st-scheme: light; {variables('light')} }}"
    return f"{light}\n{dark} {{ --st-scheme: dark; {variables('dark')} }}\n"
