"""The compiled twins of the built-in policies, for long traces.

Each policy that has a twin names it in its class attribute ``twin``. A twin schedules the whole
workload in one compiled loop and gives exactly what the readable engine gives, start by start.
This package is light: numba (the extra ``fast``) is imported when a twin is first used.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from shadowtime.corrections import NAMES as CORRECTIONS
from shadowtime.schedule import Schedule

if TYPE_CHECKING:
    from shadowtime.corrections import Correction
    from shadowtime.policies.base import Policy
    from shadowtime.workload import Seconds, Workload


class Twin(NamedTuple):
    """Where a policy's compiled twin is.

    Attributes
    ----------
    module : str
        A module with a function ``schedule(policy, columns, nodes, correction) -> Outcome | None``:
        see :mod:`shadowtime.kernels.columns`. None if a correction fails.
    worthwhile : int
        Jobs from which on it takes less time than the readable engine, although it has to be
        loaded.
    """

    module: str
    worthwhile: int


def twin_of(policy: Policy) -> Twin | None:
    """Return a policy's twin.

    Only what the class itself says counts: a class of one's own that is derived from a built-in
    policy decides otherwise, so it does not inherit the twin.

    Examples
    --------
    >>> from shadowtime import policies
    >>> twin_of(policies.Fcfs()).module
    'shadowtime.kernels.fcfs'
    >>> twin_of(type("Mine", (policies.Fcfs,), {})()) is None
    True
    """
    twin: Twin | None = vars(type(policy)).get("twin")
    return twin


def attempt(
    workload: Workload,
    policy: Policy,
    nodes: int,
    plan: Sequence[Seconds],
    correction: Correction | None,
    *,
    kill: bool,
    explain: bool = False,
    only_if_worthwhile: bool = False,
) -> tuple[Schedule | None, str]:
    """Simulate with the policy's twin, or say why that cannot be.

    Parameters
    ----------
    workload : Workload
    policy : Policy
    nodes : int
    plan : sequence of numbers, shape (jobs,)
        Planned runtimes.
    correction : callable or None
    kill : bool
        Whether jobs end at their estimate.
    explain : bool
        Whether a decision log is wanted, which no twin keeps.
    only_if_worthwhile : bool
        Leave short workloads to the readable engine.

    Returns
    -------
    schedule : Schedule or None
    obstacle : str
        Why there is none.
    """
    twin = twin_of(policy)
    if twin is None:
        return None, f"policy {policy.name!r} has no compiled twin"
    if explain:
        obstacle = "it logs no decisions"
    elif only_if_worthwhile and len(workload) < twin.worthwhile:
        obstacle = f"{len(workload)} jobs are too few to be worth loading it"
    elif correction not in CORRECTIONS.values():
        obstacle = "it knows the corrections of shadowtime.corrections only"
    else:
        obstacle = _missing()
    if obstacle:
        return None, obstacle
    import numpy as np

    from shadowtime.kernels.columns import columns, whole_if_possible
    from shadowtime.kernels.corrections import NUMBER

    jobs = columns(workload, plan, kill=kill)
    if jobs is None:
        return None, "times are too large to be exact in it"
    kernel: Any = import_module(twin.module)
    outcome = kernel.schedule(policy, jobs, nodes, NUMBER[correction])
    if outcome is None:
        return None, "a correction failed to raise a planned runtime"
    schedule = Schedule(
        workload,
        nodes,
        policy.name,
        whole_if_possible(outcome.start),
        whole_if_possible(outcome.start + jobs.length),
        outcome.backfilled,
        jobs.length < np.asarray(workload.runtime),
        np.ma.masked_array(whole_if_possible(outcome.promise), ~outcome.promised),
        engine="compiled",
    )
    return schedule, ""


def _missing() -> str:
    """Say what is missing to run compiled code, or nothing."""
    try:
        import numba  # noqa: F401
    except ImportError as error:
        return f"it needs numba, which the extra 'fast' installs ({error})"
    return ""
