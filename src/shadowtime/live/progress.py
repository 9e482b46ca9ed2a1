"""How far a computation has come, told to whoever listens.

In a browser the worker listens and passes the words on to the page; elsewhere nobody does, and
telling costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shadowtime.policies.base import Policy, State, Waiting
    from shadowtime.schedule import Decision

EVERY = 250
"""Jobs from one report to the next."""

_listeners: list[Callable[[str], object]] = []


def listen(listener: Callable[[str], object] | None) -> None:
    """Let `listener` hear every report from now on, in the place of any other; None: nobody."""
    _listeners[:] = [] if listener is None else [listener]


def heard() -> bool:
    """Return whether anybody listens."""
    return bool(_listeners)


def tell(text: str) -> None:
    """Report `text`, a line such as ``"EASY: 500 of 5,000 jobs"``."""
    for listener in _listeners:
        listener(text)


class Told:
    """A policy that reports how many jobs have come while another decides.

    Parameters
    ----------
    policy : Policy
        Who decides.
    title : str
        What the reports call it.
    total : int
        Jobs of the workload.

    Examples
    --------
    >>> from shadowtime import demo, simulate
    >>> from shadowtime.policies import Easy
    >>> simulate(demo.workload(), Told(Easy(), "EASY", 10)).summary()["makespan"]
    355
    """

    def __init__(self, policy: Policy, title: str, total: int) -> None:
        self.policy = policy
        self.name = policy.name
        self.title = title
        self.total = total
        self.come = 0

    def reset(self, nodes: int) -> None:
        """Begin a simulation."""
        # The engine copies the policy that it is given, not what that one holds.
        self.policy = copy(self.policy)
        self.policy.reset(nodes)
        self.come = 0

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        """Let the other decide, and report every so many jobs."""
        before = self.come
        self.come += len(state.arrived)
        if self.come // EVERY > before // EVERY:
            tell(f"{self.title}: {self.come:,} of {self.total:,} jobs")
        return iter(self.policy.decide(state))
