"""What a policy sees and what it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from shadowtime.schedule import Decision
from shadowtime.workload import JobId, Seconds, Workload


class Waiting:
    """A job in the queue.

    Attributes
    ----------
    row : int
        Its position in the workload.
    id : int or str
    submit : int or float
    nodes : int
    planned : int or float
        Runtime that the scheduler plans with.
    started : bool
    promise : int, float or None
        The first start that it has been promised.
    """

    __slots__ = ("id", "nodes", "planned", "promise", "row", "started", "submit")

    def __init__(
        self,
        row: int,
        id: JobId,  # noqa: A002
        submit: Seconds,
        nodes: int,
        planned: Seconds,
    ) -> None:
        self.row = row
        self.id = id
        self.submit = submit
        self.nodes = nodes
        self.planned = planned
        self.started = False
        self.promise: Seconds | None = None

    def __repr__(self) -> str:
        return f"<job {self.id}: {self.nodes} nodes for {self.planned}>"


class Running(NamedTuple):
    """A job on the machine; sorting puts the one that is planned to end first in front.

    Attributes
    ----------
    planned_end : int or float
        Its start and its planned runtime, summed.
    row : int
        Its position in the workload.
    nodes : int
    """

    planned_end: Seconds
    row: int
    nodes: int


class State:
    """What a policy sees in one scheduling pass, and how it phrases its decisions.

    Attributes
    ----------
    now : int or float
        The instant of the pass.
    nodes, free : int
        Nodes of the machine, and those that no running job holds at this moment of the pass.
    queue : list of Waiting
        All jobs that waited when the pass began, in queue order.
    running : list of Running
        By planned end. One before `now` belongs to a job that runs longer than planned: for
        planning it counts as ending now.
    arrived : list of Waiting
        The jobs of `queue` that came since the last pass.
    ended : list of Running
        The jobs that ended since the last pass.
    workload : Workload
        All jobs, for what `queue` does not tell, such as whose they are; ``job.row`` is the place.
    corrected : bool
        Whether the planned end of a running job was raised, or planned runtimes of jobs in the
        queue were renewed, since the last pass.
    explain : bool
        Whether decisions that start nothing are wanted too. A policy may skip them otherwise.
    wake : int, float or None
        A policy that wants a pass at an instant without submission or completion sets this.
    """

    __slots__ = (
        "arrived", "corrected", "ended", "explain", "free", "nodes", "now", "queue", "running",
        "wake", "workload",
    )  # fmt: skip

    def __init__(
        self, nodes: int, workload: Workload | None = None, *, explain: bool = False
    ) -> None:
        self.now: Seconds = 0
        self.nodes = nodes
        self.free = nodes
        self.queue: list[Waiting] = []
        self.running: list[Running] = []
        self.arrived: list[Waiting] = []
        self.ended: list[Running] = []
        self.workload = Workload.from_jobs(()) if workload is None else workload
        self.corrected = False
        self.explain = explain
        self.wake: Seconds | None = None

    def start(
        self,
        job: Waiting,
        rule: str,
        shadow: Seconds | None = None,
        extra: int | None = None,
        promise: Seconds | None = None,
        protects: Waiting | None = None,
    ) -> tuple[Waiting, Decision]:
        """Phrase the decision to start `job` now, for the reason named by `rule`.

        Parameters
        ----------
        job : Waiting
        rule : str
            A key of :data:`shadowtime.schedule.SENTENCES`, or a sentence of the policy's own.
        shadow : int, float or None
            Shadow time of the reservation at stake.
        extra : int or None
            Extra nodes at the shadow time.
        promise : int, float or None
            Start that the job is promised.
        protects : Waiting or None
            The job whose reservation is at stake.

        Returns
        -------
        tuple of Waiting and Decision
            What ``decide`` yields.
        """
        decision = Decision(
            self.now, job.id, True, rule, job.nodes, self.free, job.planned, shadow, extra,
            promise, protects.id if protects else None,
        )  # fmt: skip
        return job, decision

    def wait(
        self,
        job: Waiting,
        rule: str,
        shadow: Seconds | None = None,
        extra: int | None = None,
        promise: Seconds | None = None,
        protects: Waiting | None = None,
    ) -> tuple[Waiting, Decision]:
        """Phrase the decision to let `job` wait, for the reason named by `rule`.

        Parameters
        ----------
        job : Waiting
        rule : str
            A key of :data:`shadowtime.schedule.SENTENCES`, or a sentence of the policy's own.
        shadow : int, float or None
            Shadow time of the reservation at stake.
        extra : int or None
            Extra nodes at the shadow time.
        promise : int, float or None
            Start that the job is promised.
        protects : Waiting or None
            The job whose reservation is at stake.

        Returns
        -------
        tuple of Waiting and Decision
            What ``decide`` yields.
        """
        decision = Decision(
            self.now, job.id, False, rule, job.nodes, self.free, job.planned, shadow, extra,
            promise, protects.id if protects else None,
        )  # fmt: skip
        return job, decision


class Policy(Protocol):
    """A scheduling policy.

    Attributes
    ----------
    name : str
        What tables and figures call it.
    """

    name: str

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        """Examine the queue and yield a decision for each job examined.

        A job yielded with ``state.start(job, why)`` starts at once: ``state.free`` and
        ``state.running`` have changed when the method goes on. A job yielded with
        ``state.wait(job, why)`` goes on waiting; it may carry a promise.

        Parameters
        ----------
        state : State
            The queue and the machine. A policy reads it. It may set `state.wake` and sort
            `state.queue`, whose order then is the queue's, and changes nothing else.

        Yields
        ------
        tuple of Waiting and Decision
            Made by ``state.start`` or ``state.wait``.
        """
        ...

    def reset(self, nodes: int) -> None:
        """Forget the last simulation; called once before each.

        Parameters
        ----------
        nodes : int
            Size of the machine.
        """
        ...


class Stateless:
    """Base of policies that remember nothing between passes.

    One that gives itself no `name` goes by that of its class.
    """

    name: str

    def __init_subclass__(cls) -> None:
        if "name" not in vars(cls):
            cls.name = cls.__name__

    def reset(self, nodes: int) -> None:
        """Do nothing: there is nothing to forget.

        Parameters
        ----------
        nodes : int
            Size of the machine.
        """
