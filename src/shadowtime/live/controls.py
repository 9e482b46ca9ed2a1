"""What a reader can change in a live figure: sliders, choices, toggles and files."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

Value = int | float | str | bool
Params = Mapping[str, Value]


@dataclass(frozen=True, kw_only=True)
class Slider:
    """A number between two ends.

    Parameters
    ----------
    name : str
        Key of the value in the parameters of the computation.
    label : str
        What it is, in words.
    min, max, default, step : int or float
        All whole: the values are ints.
    unit : str
        Shown behind the value.
    """

    name: str
    label: str
    min: float
    max: float
    default: float
    step: float = 1
    unit: str = ""

    def __post_init__(self) -> None:
        if not (self.min < self.max and self.step > 0):
            raise ValueError(f"slider {self.name}: needs min < max and step > 0")
        self.check(self.default)

    def check(self, value: Value) -> Value:
        """Return `value` if the slider can stand there, as an int if all its places are whole.

        Raises
        ------
        ValueError
            If it is no number, outside the ends or between two steps.
        """
        if isinstance(value, (bool, str)) or not math.isfinite(value):
            raise ValueError(f"{self.name} = {value!r}: must be a number")
        if not self.min <= value <= self.max:
            raise ValueError(f"{self.name} = {value}: must be from {self.min} to {self.max}")
        steps = round((value - self.min) / self.step)
        if not math.isclose(self.min + steps * self.step, value, abs_tol=1e-9 * self.step):
            raise ValueError(f"{self.name} = {value}: must be {self.min} plus steps of {self.step}")
        whole = float(self.min).is_integer() and float(self.step).is_integer()
        return round(value) if whole else value


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One of a few named options.

    Parameters
    ----------
    name, label : str
    options : mapping of str to str
        Each value, and how it is shown.
    default : str
        One of the values.
    """

    name: str
    label: str
    options: Mapping[str, str]
    default: str

    def __post_init__(self) -> None:
        self.check(self.default)

    def check(self, value: Value) -> Value:
        """Return `value` if it is one of the options.

        Raises
        ------
        ValueError
            If it is not.
        """
        if value not in self.options:
            raise ValueError(f"{self.name} = {value!r}: must be one of {', '.join(self.options)}")
        return value


@dataclass(frozen=True, kw_only=True)
class Toggle:
    """On or off.

    Parameters
    ----------
    name, label : str
    default : bool
    """

    name: str
    label: str
    default: bool = False

    def check(self, value: Value) -> Value:
        """Return `value` if it is True or False.

        Raises
        ------
        ValueError
            If it is not.
        """
        if not isinstance(value, bool):
            raise ValueError(f"{self.name} = {value!r}: must be True or False")
        return value


@dataclass(frozen=True, kw_only=True)
class File:
    """A file of the reader's own, given to the computation: in a page it is sent nowhere.

    In a notebook it goes to the kernel, which keeps it as long as the figure. The value is the path
    under which the computation finds it, ``""`` where there is none.

    Parameters
    ----------
    name, label : str
    accept : str
        Endings of the files that are offered, separated by commas.
    default : str
    """

    name: str
    label: str
    accept: str = ""
    default: str = ""

    def check(self, value: Value) -> Value:
        """Return `value` if it may be a path.

        Raises
        ------
        ValueError
            If it is no text.
        """
        if not isinstance(value, str):
            raise ValueError(f"{self.name} = {value!r}: must be a path")
        return value


Control = Slider | Choice | Toggle | File
