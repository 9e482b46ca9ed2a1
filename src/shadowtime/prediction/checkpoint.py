"""A file that holds the predictions made so far, so that an interrupted evaluation goes on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Checkpoint:
    """A file of JSON lines: what was evaluated, then one line for each finished split.

    Parameters
    ----------
    path : path or None
        None keeps nothing.
    fingerprint : str
        Tells one evaluation from another.

    Attributes
    ----------
    done : set of int
        Splits that the file holds; known when :meth:`read` has come to its end.
    """

    def __init__(self, path: str | os.PathLike[str] | None, fingerprint: str) -> None:
        self.path = None if path is None else Path(path)
        self.fingerprint = fingerprint
        self.done: set[int] = set()

    def read(self) -> Iterator[tuple[int, dict[str, NDArray[np.float64]]]]:
        """Yield the finished splits; a last line that was cut short is removed.

        Raises
        ------
        InputError
            If the file is of another evaluation, or no such file at all.
        """
        if self.path is None:
            return
        if not self.path.exists():
            self.path.write_text(json.dumps(self._head) + "\n", encoding="utf-8")
            return
        whole = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    break
                entry = self._entry(number, line)
                whole += len(line)
                if number > 1:
                    self.done.add(entry["split"])
                    columns = entry["planned"].items()
                    yield entry["split"], {name: np.array(column) for name, column in columns}
        if not whole:
            self.path.write_text(json.dumps(self._head) + "\n", encoding="utf-8")
        else:
            os.truncate(self.path, whole)

    @property
    def _head(self) -> dict[str, str]:
        return {"predictions": self.fingerprint}

    def _entry(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            entry = json.loads(line)
        except ValueError:
            entry = None
        if not isinstance(entry, dict) or ("planned" if number > 1 else "predictions") not in entry:
            raise InputError(
                f"{self.path} line {number}: this is no file of predictions in progress"
            )
        if number == 1 and entry != self._head:
            raise InputError(
                f"{self.path} holds predictions of other jobs or by other predictors: remove it, "
                "or name another file"
            )
        return entry

    def append(self, number: int, planned: dict[str, NDArray[np.float64]]) -> None:
        """Write down a finished split at once."""
        if self.path is None:
            return
        columns = {name: column.tolist() for name, column in planned.items()}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"split": number, "planned": columns}) + "\n")
