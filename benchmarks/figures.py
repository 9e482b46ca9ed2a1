"""What a benchmark finds, how it is printed, and where it is kept."""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

LIBRARIES = ("numba", "numpy", "pandas")


class Figure(NamedTuple):
    """One thing that was measured.

    Attributes
    ----------
    what : str
    value : float
    unit : str
    target : str
        ``"<= 2"`` or ``">= 2"``, in the same unit; empty if there is none.
    remark : str
    """

    what: str
    value: float
    unit: str
    target: str = ""
    remark: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without one."""
        if not self.target:
            return None
        relation, bound = self.target.split()
        return self.value <= float(bound) if relation == "<=" else self.value >= float(bound)

    def __str__(self) -> str:
        verdict = {None: "", True: "met", False: "MISSED"}[self.met]
        value = f"{self.value:,.3f}" if self.value < 1000 else f"{self.value:,.0f}"
        return (
            f"{self.what:<52} {value:>10} {self.unit:<6} {self.target:>10} {verdict:<6} "
            f" {self.remark}"
        ).rstrip()


def best(rounds: int, work: Callable[[], object]) -> float:
    """Return the least processor time of several runs, in seconds."""
    times = []
    for _ in range(rounds):
        begun = process_time()
        work()
        times.append(process_time() - begun)
    return min(times)


def process(*arguments: str) -> tuple[float, float, str]:
    """Run Python anew; return its processor time, the time elapsed, and what it printed."""
    before, begun = os.times(), perf_counter()
    done = subprocess.run([sys.executable, *arguments], check=True, capture_output=True, text=True)
    after, ended = os.times(), perf_counter()
    used = after.children_user + after.children_system
    return used - before.children_user - before.children_system, ended - begun, done.stdout


def machine() -> dict[str, int]:
    """Describe the machine by its cores and its memory."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {"cores": os.cpu_count() or 1, "memory_gib": round(memory / 1024**3)}


def show(figures: Iterable[Figure]) -> list[Figure]:
    """Print each figure as soon as it is there; return all."""
    found = []
    for figure in figures:
        print(figure, flush=True)
        found.append(figure)
    return found


def write(figures: Iterable[Figure], path: Path) -> None:
    """Keep the figures, the machine and the versions as JSON."""
    versions = {"python": platform.python_version()} | {name: version(name) for name in LIBRARIES}
    record = {
        "machine": machine(),
        "versions": versions,
        "figures": [figure._asdict() | {"met": figure.met} for figure in figures],
    }
    path.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
