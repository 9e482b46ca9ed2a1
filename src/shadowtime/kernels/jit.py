"""How the kernels are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

njit: Any = numba.njit
F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile a kernel when it is first called with a type of times, and keep it on disk.

    A kernel is compiled once for whole times (int64) and once for fractions (float64), each when
    first needed. It lets go of the interpreter lock, so that threads simulate side by side. It
    gets all its memory from the caller: numba need not count references, which here would cost as
    much as the simulation.

    Notes
    -----
    The copy on disk is made anew when the function's own file changes, not when a function that
    it calls changes in another file. Who edits these files deletes ``kernels/__pycache__``.
    """
    return cast("F", njit(cache=True, nogil=True, _nrt=False)(function))


PART = {"nogil": True, "_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def part(function: F) -> F:
    """Compile a function that only kernels call."""
    return cast("F", njit(**PART)(function))


def inlined(function: F) -> F:
    """Compile a part of kernels into each place that calls it."""
    return cast("F", njit(**PART, forceinline=True)(function))
