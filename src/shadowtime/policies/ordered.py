"""Other orders of the queue, for any policy."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator

from shadowtime.errors import InputError
from shadowtime.policies.base import Policy, State, Waiting
from shadowtime.schedule import Decision
from shadowtime.workload import Seconds

Order = Callable[[Waiting, Seconds], float]
"""``(job, now) -> number``; the smallest is first, and ties are in order of submission."""


def fcfs(job: Waiting, _now: Seconds) -> float:
    """First come, first served."""
    return job.submit


def sjf(job: Waiting, _now: Seconds) -> float:
    """Shortest job first, by planned runtime."""
    return job.planned


def ljf(job: Waiting, _now: Seconds) -> float:
    """Longest job first, by planned runtime."""
    return -job.planned


def wfp3(job: Waiting, now: Seconds) -> float:
    """Weigh the wait in units of the planned runtime, to the third power, by the job's nodes.

    Short jobs overtake long ones, wide jobs narrow ones, and whoever waits gains on newcomers.
    """
    return -(((now - job.submit) / job.planned) ** 3) * job.nodes


ORDERS: dict[str, Order] = {"fcfs": fcfs, "sjf": sjf, "ljf": ljf, "wfp3": wfp3}
"""The orders by name."""


class Ordered:
    """Let a policy work on a queue that is in another order.

    The queue is sorted anew before each pass. Whatever the policy says of the queue then holds in
    that order: its head is the first in it, and a job is backfilled if it starts while one before
    it in that order goes on waiting. With an order that lets newcomers pass, promises can slip.

    Parameters
    ----------
    policy : Policy
    order : str or callable
        A name of :data:`ORDERS`, or a function ``(job, now) -> number`` of one's own, smallest
        first; ties are in order of submission.

    Raises
    ------
    InputError
        If there is no order of that name.

    References
    ----------
    On WFP3: W. Tang, Z. Lan, N. Desai and D. Buettner, "Fault-aware, utility-based job scheduling
    on Blue Gene/P systems", IEEE Cluster 2009, doi:10.1109/CLUSTR.2009.5289206.

    Examples
    --------
    >>> from shadowtime import Job, Workload, simulate
    >>> from shadowtime.policies import Easy, Fcfs
    >>> jobs = [Job(1, 0, 8, 10, 10), Job(2, 1, 8, 90, 90), Job(3, 2, 8, 30, 30)]
    >>> workload = Workload.from_jobs(jobs, machine_nodes=8)
    >>> simulate(workload, Ordered(Fcfs(), "sjf")).start
    [0, 40, 10]
    >>> def widest_first(job, now):
    ...     return -job.nodes
    >>> Ordered(Easy(), widest_first).name
    'easy-widest_first'
    """

    def __init__(self, policy: Policy, order: str | Order) -> None:
        if isinstance(order, str) and order not in ORDERS:
            raise InputError(f"order = {order!r}; it is one of {', '.join(ORDERS)}, or a function")
        self.policy = policy
        self.order = ORDERS[order] if isinstance(order, str) else order
        told = order if isinstance(order, str) else getattr(order, "__name__", "ordered")
        self.name = f"{policy.name}-{told}"

    def __copy__(self) -> Ordered:
        twin = object.__new__(Ordered)
        vars(twin).update(vars(self), policy=copy.copy(self.policy))
        return twin

    def reset(self, nodes: int) -> None:
        """Let the policy forget the last simulation."""
        self.policy.reset(nodes)

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        """Sort the queue and let the policy decide."""
        order, now = self.order, state.now
        for jobs in (state.queue, state.arrived):
            jobs.sort(key=lambda job: (order(job, now), job.row))
        yield from self.policy.decide(state)
