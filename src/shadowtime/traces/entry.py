"""What the catalog says of one log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ARCHIVE = "https://www.cs.huji.ac.il/labs/parallel/workload/"
"""Address of the Parallel Workloads Archive."""

ARCHIVE_TERMS = (
    "Free for research. Name the Parallel Workloads Archive as the source, cite Feitelson, Tsafrir"
    " and Krakov (2014), thank the provider, and keep the header in every copy."
)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A log in the catalog.

    Parameters
    ----------
    name : str
        What :func:`shadowtime.traces.load` calls it.
    file : str
        Its file name, as distributed.
    machine : str
    processors : int
        Size of the machine, in the unit of the log's sizes.
    jobs : int or None
        Records in the file; None where the owner offers one file a year.
    period : str
        First and last submission, UTC.
    lacks : str
        What the log does not tell, and what to know when simulating it.
    provider : str
        Whom the archive or the owner asks to thank.
    sha256 : str
        Checksum of the unpacked text; empty where the owner offers one file a year or states none.
    folder : str
        Folder in the Parallel Workloads Archive; empty if the log is not there.
    source : str
        Where a log comes from that is not in the archive.
    address : str
        Address of such a file, where a program may download it.
    steps : str
        What to do by hand, where that is more than to save the file of `source`.
    also : tuple of str
        Further names of the unpacked file.
    terms : str
        Under which terms it may be used.
    clean : bool
        Whether jobs that cannot be simulated are dropped by default, since it is known that the
        log has some.
    missing_estimate : "runtime" or None
        What stands for missing requests by default.
    """

    name: str
    file: str
    machine: str
    processors: int
    jobs: int | None
    period: str
    lacks: str
    provider: str
    sha256: str = ""
    folder: str = ""
    source: str = ""
    address: str = ""
    steps: str = ""
    also: tuple[str, ...] = ()
    terms: str = ARCHIVE_TERMS
    clean: bool = True
    missing_estimate: Literal["runtime"] | None = None

    @property
    def url(self) -> str:
        """Address of the file; empty if it has to be got by hand."""
        return f"{ARCHIVE}{self.folder}/{self.file}" if self.folder else self.address

    @property
    def acknowledgement(self) -> str:
        """The sentence to print with results."""
        if not self.folder:
            return self.provider
        return (
            f"The workload log from the {self.machine} was graciously provided by {self.provider},"
            f" and comes from the Parallel Workloads Archive ({ARCHIVE})."
        )

    @property
    def header(self) -> dict[str, str]:
        """What the catalog adds to a log that does not say it, under the names of SWF's header."""
        return {
            "Computer": self.machine,
            "MaxProcs": str(self.processors),
            "Acknowledge": self.acknowledgement,
        }
