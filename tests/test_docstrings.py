"""Public docstrings are numpydoc: what is there is right, and in the core all of it is there."""

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

import pytest
from numpydoc.validate import validate

import shadowtime

MODULES = [
    module.name
    for module in pkgutil.walk_packages(shadowtime.__path__, "shadowtime.")
    if not any(part.startswith("_") for part in module.name.split("."))
]
CORE = (
    "shadowtime.engine", "shadowtime.metrics", "shadowtime.policies", "shadowtime.policies.base",
    "shadowtime.profile", "shadowtime.schedule", "shadowtime.workload",
)  # fmt: skip

# Not asked for: an extended summary, examples and "See also" everywhere; a sentence where name and
# type say all; what is returned without a name; verbs, at which it guesses.
OPTIONAL = {"ES01", "EX01", "SA01", "PR07", "RT02", "RT03", "SS05"}
# Asked for in the core: parameters, what is returned and what is yielded.
COMPLETE = {"PR01", "RT01", "YD01"}


def public(module: ModuleType) -> Iterator[tuple[str, object]]:
    """Yield the module's own functions and classes, and the functions of those."""
    for name, thing in vars(module).items():
        if name.startswith("_") or getattr(thing, "__module__", "") != module.__name__:
            continue
        if inspect.isfunction(thing):
            yield f"{module.__name__}.{name}", thing
        elif inspect.isclass(thing):
            yield f"{module.__name__}.{name}", thing
            for inner, method in vars(thing).items():
                method = getattr(method, "__func__", method)  # noqa: PLW2901 - of a class method
                if inspect.isfunction(method) and not inner.startswith("_"):
                    yield f"{module.__name__}.{name}.{inner}", method


def faults(name: str, thing: object, ignored: set[str]) -> list[str]:
    if "Attributes\n" in (inspect.getdoc(thing) or "") or inspect.isabstract(thing):
        ignored = ignored | {"PR01"}  # told as attributes instead
    try:
        found = validate(name)["errors"]
    except SyntaxError:  # it cannot parse a method that holds text at the left margin
        return [] if inspect.getdoc(thing) else [f"{name}: no docstring"]
    return [f"{name}: {code} {text}" for code, text in found if code not in ignored]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # it looks at what classes inherit
@pytest.mark.parametrize("module", MODULES)
def test_docstrings_are_well_formed(module: str) -> None:
    ignored = OPTIONAL if module in CORE else OPTIONAL | COMPLETE
    wrong = [
        fault
        for name, thing in public(import_module(module))
        for fault in faults(name, thing, ignored)
    ]
    assert wrong == []
