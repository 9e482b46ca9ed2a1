"""The policies and the machine that a command's options ask for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shadowtime.cli import console
from shadowtime.errors import InputError

if TYPE_CHECKING:
    from shadowtime.machine import Machine
    from shadowtime.policies import Policy
    from shadowtime.workload import Workload

SlurmSettings = Annotated[
    str | None,
    typer.Option(
        "--slurm",
        metavar="SETTINGS",
        help="How policy slurm is set: bf_window=2880,bf_continue or a slurm.conf.",
    ),
]
Contiguous = Annotated[
    bool, typer.Option("--contiguous", help="A job needs nodes that lie side by side.")
]
SwitchSize = Annotated[
    int | None,
    typer.Option(min=1, help="Nodes of a switch; a job needs nodes of as few as hold it."),
]


def policies(names: Sequence[str], slurm: str | None = None) -> dict[str, Policy]:
    """Return the policies of these names, before a long log is read.

    Parameters
    ----------
    names : sequence of str
    slurm : str, optional
        ``SchedulerParameters`` for policy slurm, with or without this word, or a file with it.

    Raises
    ------
    InputError
        If there is no policy of a name, a setting has no meaning, or nobody is to have it.
    """
    from shadowtime.policies import by_name

    rules = {name: by_name(name) for name in names}
    if slurm is None:
        return rules
    if "slurm" not in rules:
        raise InputError(f"--slurm sets policy slurm, and the policy is {', '.join(names)}")
    from shadowtime.policies.slurm import from_conf

    try:
        policy = from_conf(_configuration(slurm))
    except InputError as error:
        raise InputError(f"--slurm {slurm}: {error}") from None
    for unmodelled in policy.unmodelled:
        console.note(unmodelled)
    return rules | {"slurm": policy}


def _configuration(settings: str) -> str:
    """Return what stands in the file of that name, or the settings as a line of such a file."""
    if not settings:
        raise InputError(
            "there is nothing in it; write bf_window=2880,bf_continue or a file's name"
        )
    if Path(settings).is_file():
        try:
            return Path(settings).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot be read ({error})") from None
    if "/" in settings or settings.endswith(".conf"):
        raise InputError("there is no such file")
    if settings.lower().startswith("scheduler"):
        return settings
    return f"SchedulerParameters={settings}"


def machine(
    jobs: Workload, nodes: int | None, *, contiguous: bool, switch_size: int | None
) -> int | Machine | None:
    """Return the machine, if its nodes are not interchangeable; otherwise `nodes`.

    Parameters
    ----------
    jobs : Workload
    nodes : int, optional
        By default what the workload says.
    contiguous : bool
    switch_size : int, optional

    Raises
    ------
    InputError
        If both kinds of placement are asked for.
    """
    if contiguous and switch_size:
        raise InputError("--contiguous and --switch-size: a machine has one of the two")
    size = nodes or jobs.machine_nodes
    if size is None or not (contiguous or switch_size):
        return nodes
    from shadowtime.machine import Machine

    return Machine(size, "switch" if switch_size else "contiguous", switch_size)
