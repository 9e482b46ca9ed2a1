"""The same rules on a machine where a reservation is a placement: certain nodes, certain times.

Counting does not do there. A job may find enough nodes free that do not lie together, and may pass
a blocked one that counting would protect, because it takes other nodes.
"""

from __future__ import annotations

from collections.abc import Iterator

from shadowtime.errors import InputError
from shadowtime.machine import Machine
from shadowtime.nodes import NodePlan, Nodes, first
from shadowtime.policies.base import Policy, State, Waiting
from shadowtime.policies.conservative import Conservative
from shadowtime.policies.depth import BREAKS, KEEPS, Depth
from shadowtime.policies.easy import Easy
from shadowtime.policies.fcfs import Fcfs
from shadowtime.policies.first_fit import FirstFit
from shadowtime.schedule import Decision
from shadowtime.workload import Seconds

SCATTERED = "enough nodes are free, but they do not lie as it needs them"


class Placed:
    """What policies with placement have in common: they know who holds which nodes.

    Parameters
    ----------
    machine : Machine
    name : str

    Attributes
    ----------
    free : Nodes
        Nodes that no running job holds.
    placement : dict of int to Nodes
        The nodes of every job that has started, by its row.
    """

    def __init__(self, machine: Machine, name: str) -> None:
        self.machine = machine
        self.name = f"{name}-{machine.placement}"
        self.reset(machine.nodes)

    def reset(self, _nodes: int) -> None:
        """Begin with an empty machine."""
        self.free: Nodes = first(self.machine.nodes)
        self.placement: dict[int, Nodes] = {}

    def _start(
        self, state: State, job: Waiting, nodes: Nodes, rule: str, promise: Seconds | None = None
    ) -> tuple[Waiting, Decision]:
        self.free &= ~nodes
        self.placement[job.row] = nodes
        return state.start(job, rule, promise=promise)

    def _releases(self, state: State) -> list[tuple[Seconds, Nodes]]:
        return [(end, self.placement[row]) for end, row, _ in state.running]


class PlacedDepth(Placed):
    """Reserve a placement for the first blocked jobs, and start what takes none of it.

    Parameters
    ----------
    machine : Machine
    name : str
    reservations : float
        How many hold one: see :class:`~shadowtime.policies.Depth`.
    passing : bool
        Whether a job may start before one ahead of it.
    shortest : bool
        Whether candidates behind the first blocked job are tried shortest first.
    """

    def __init__(
        self,
        machine: Machine,
        name: str,
        reservations: float,
        *,
        passing: bool = True,
        shortest: bool = False,
    ) -> None:
        self.reservations = reservations
        self.passing = passing
        self.shortest = shortest
        super().__init__(machine, name)

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        """Start heads while they can be placed; then reserve, or start what is in nobody's way.

        Parameters
        ----------
        state : State

        Yields
        ------
        tuple of Waiting and Decision
        """
        for ended in state.ended:
            self.free |= self.placement[ended.row]
        choose, now = self.machine.choose, state.now
        queue = list(state.queue)
        place = 0
        for job in queue:
            nodes = choose(self.free, job.nodes)
            if not nodes:
                break
            place += 1
            yield self._start(state, job, nodes, "head-fits")
        blocked = queue[place:]
        if self.shortest:
            blocked[1:] = sorted(blocked[1:], key=lambda job: job.planned)

        plan = NodePlan(now, self.free, self._releases(state))
        reserved = 0
        for job in blocked:
            nodes = plan.now(job.nodes, job.planned, choose, self.free) if self.passing else 0
            if nodes:
                plan.reserve(now, now + job.planned, nodes)
                yield self._start(state, job, nodes, KEEPS if reserved else "fits")
            elif reserved < self.reservations:
                reserved += 1
                begin, nodes = plan.earliest(job.nodes, job.planned, choose)
                plan.reserve(begin, begin + job.planned, nodes)
                if state.explain or job.promise is None:
                    yield state.wait(job, "reserved", promise=begin)
            elif state.explain:
                yield state.wait(job, self._why(state, job))

    def _why(self, state: State, job: Waiting) -> str:
        if job.nodes > state.free:
            return "too-wide"
        return BREAKS if self.machine.choose(self.free, job.nodes) else SCATTERED


class PlacedConservative(Placed):
    """Promise every job a placement when it is submitted, and keep every promise.

    Parameters
    ----------
    machine : Machine
    compress : bool
        Whether each waiting job is put anew, in queue order and never later than before, when a
        job ends early. It may come to other nodes.
    """

    def __init__(self, machine: Machine, *, compress: bool) -> None:
        self.compress = compress
        super().__init__(machine, "conservative" if compress else "conservative-none")

    def reset(self, nodes: int) -> None:
        """Begin with an empty machine."""
        super().reset(nodes)
        self.plan: NodePlan | None = None
        self.promise: dict[int, tuple[Seconds, Nodes]] = {}

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        """Bring the plan up to now, reserve for new jobs, start the jobs that are due.

        Parameters
        ----------
        state : State

        Yields
        ------
        tuple of Waiting and Decision
        """
        now = state.now
        plan = self._catch_up(state)
        for job in state.arrived:
            self._reserve(plan, job)
            if not state.explain:
                yield state.wait(job, "reserved", promise=self.promise[job.row][0])
        for job in state.queue:
            begin, nodes = self.promise[job.row]
            if begin <= now and nodes & ~self.free == 0:
                del self.promise[job.row]
                yield self._start(state, job, nodes, "reservation-due", begin)
            elif state.explain:
                rule = "reserved" if begin > now else "reservation-late"
                yield state.wait(job, rule, promise=begin)
        state.wake = min((begin for begin, _ in self.promise.values() if begin > now), default=None)

    def _catch_up(self, state: State) -> NodePlan:
        now = state.now
        early = False
        for ended in state.ended:
            self.free |= self.placement[ended.row]
            early = early or ended.planned_end > now
        old = [job for job in state.queue if job.row in self.promise]
        if self.plan is None or state.corrected:
            plan = self.plan = NodePlan(now, self.free, self._releases(state))
            for job in old:
                self._reserve(plan, job)
            return plan
        plan = self.plan
        plan.advance(now)
        for ended in state.ended:
            plan.release(now, ended.planned_end, self.placement[ended.row])
        for job in old:
            begin, nodes = self.promise[job.row]
            if begin < now or (early and self.compress):
                plan.release(max(begin, now), begin + job.planned, nodes)
                self._reserve(plan, job)
        return plan

    def _reserve(self, plan: NodePlan, job: Waiting) -> None:
        begin, nodes = plan.earliest(job.nodes, job.planned, self.machine.choose)
        plan.reserve(begin, begin + job.planned, nodes)
        self.promise[job.row] = begin, nodes


def on(policy: Policy, machine: Machine) -> PlacedDepth | PlacedConservative:
    """Return the policy that follows the same rule on a machine with placement.

    Parameters
    ----------
    policy : Policy
        FCFS, first fit, EASY, one of some depth, or conservative backfilling, with compression in
        queue order or without.
    machine : Machine

    Returns
    -------
    PlacedDepth or PlacedConservative

    Raises
    ------
    InputError
        If the policy has no such version.

    Examples
    --------
    >>> on(Easy(), Machine(8, "contiguous")).name
    'easy-contiguous'
    """
    kind = type(policy)
    if kind is Fcfs:
        return PlacedDepth(machine, policy.name, 0, passing=False)
    if kind is FirstFit:
        return PlacedDepth(machine, policy.name, 0)
    if kind is Easy and isinstance(policy, Easy):
        return PlacedDepth(machine, policy.name, 1, shortest=policy.order == "shortest")
    if kind is Depth and isinstance(policy, Depth):
        return PlacedDepth(machine, policy.name, policy.reservations)
    if kind is Conservative and isinstance(policy, Conservative):
        rounds = {"queue": True, "none": False}.get(policy.compression)
        if rounds is not None:
            return PlacedConservative(machine, compress=rounds)
    raise InputError(f"policy {policy.name!r} does not place jobs; easy and conservative do")
