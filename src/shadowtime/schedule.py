"""What a simulation returns: starts and ends, and why each job started or waited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from textwrap import fill
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, overload

from shadowtime.errors import InputError
from shadowtime.workload import JobId, Seconds, Workload

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from shadowtime.timeline import Timeline

WIDTH = 84
"""Columns that a story takes when it is printed."""

SENTENCES = {
    "head-fits": "starts: first in the queue, it needs {width} of the {free} free",
    "head-blocked": "waits: first in the queue, it needs {width}; {spare}",
    "head-reserved": "waits: first in the queue, it needs {width}; {spare}. By the planned ends of "
    "the running jobs it can start at {shadow} (its shadow time), with {left} to spare (the extra "
    "nodes)",
    "behind-head": "waits: job {protects}, ahead of it, is blocked, and nobody may pass",
    "too-wide": "waits: it needs {width}; {spare}",
    "fits": "starts: it needs {width} of the {free} free, and no promise is at stake",
    "ends-by-shadow": "starts: planned to end at {ends}, no later than the shadow time {shadow} "
    "of job {protects}, it gives {width} back in time",
    "within-extra": "starts: planned to end at {ends}, after the shadow time {shadow} of job "
    "{protects}, it takes {width} of the {extra} extra, which that job does not need",
    "would-delay": "waits: planned to end at {ends}, after the shadow time {shadow} of job "
    "{protects}, it would take {width}, and that job can spare {left}",
    "reserved": "waits: {width} promised to it from {promise}",
    "reservation-due": "starts: {width} promised to it for now",
    "reservation-late": "waits: its reservation is due, but jobs have run past their planned ends: "
    "it needs {width}; {spare}",
}
"""How each rule of the built-in policies is told; a policy's own rules speak for themselves."""


def _nodes(count: int) -> str:
    return f"{count or 'no'} node{'' if count == 1 else 's'}"


class Decision(NamedTuple):
    """Why one job started or waited in one scheduling pass.

    Attributes
    ----------
    time : int or float
        The instant of the pass.
    job : int or str
        The job's id.
    starts : bool
        Whether it starts now.
    rule : str
        A key of :data:`SENTENCES`, or a sentence of the policy's own.
    nodes, free : int
        Nodes that the job needs, and nodes free when it was examined.
    planned : int or float
        Planned runtime of the job.
    shadow : int, float or None
        Shadow time of the reservation that was protected.
    extra : int or None
        Extra nodes at the shadow time, before this decision.
    promise : int, float or None
        Start that the job has been promised.
    protects : int, str or None
        The job whose promise was at stake.

    Examples
    --------
    >>> print(Decision(10, 7, True, "fits", nodes=2, free=3, planned=60))
    t=10: job 7 starts: it needs 2 nodes of the 3 free, and no promise is at stake.
    """

    time: Seconds
    job: JobId
    starts: bool
    rule: str
    nodes: int
    free: int
    planned: Seconds
    shadow: Seconds | None = None
    extra: int | None = None
    promise: Seconds | None = None
    protects: JobId | None = None

    @property
    def sentence(self) -> str:
        """The decision in words, without its time and its job."""
        told = SENTENCES.get(self.rule)
        if told is None:
            return f"{'starts' if self.starts else 'waits'}: {self.rule}"
        return told.format(
            **self._asdict(),
            ends=self.time + self.planned,
            width=_nodes(self.nodes),
            spare=f"{self.free or 'none'} {'is' if self.free < 2 else 'are'} free",
            left=_nodes(self.extra or 0),
        )

    def __str__(self) -> str:
        return f"t={self.time}: job {self.job} {self.sentence}."


@dataclass(frozen=True)
class Explanation:
    """One job's way from submit to start.

    Attributes
    ----------
    job : int or str
    rows : tuple of Decision
        Every decision about the job, in order of time.
    submit, start : int or float
    """

    job: JobId
    rows: tuple[Decision, ...]
    submit: Seconds
    start: Seconds

    @property
    def lines(self) -> list[str]:
        """The story line by line; a decision that repeats the one before it is left out."""
        lines = [f"t={self.submit}: job {self.job} is submitted."]
        for row in self.rows:
            line = str(row)
            if row.starts or line.partition(": ")[2] != lines[-1].partition(": ")[2]:
                lines.append(line)
        return lines

    def __str__(self) -> str:
        return "\n".join(fill(line, WIDTH, subsequent_indent="    ") for line in self.lines)


Value = TypeVar("Value")


class Column(Generic[Value]):
    """A column of a schedule: a list, or an array until somebody reads it.

    The compiled engine gives arrays. They stay in ``schedule.arrays``; millions of Python numbers
    are made of them only when the column is first read.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, schedule: None, owner: type) -> Column[Value]: ...
    @overload
    def __get__(self, schedule: Schedule, owner: type) -> Sequence[Value]: ...
    def __get__(self, schedule: Schedule | None, owner: type) -> Column[Value] | Sequence[Value]:
        if schedule is None:
            raise AttributeError(f"column {self.name!r} has no default")
        held = vars(schedule)
        if self.name not in held:
            held[self.name] = schedule.arrays[self.name].tolist()
        column: Sequence[Value] = held[self.name]
        return column

    def __set__(self, schedule: Schedule, values: Sequence[Value] | NDArray[Any]) -> None:
        vars(schedule).pop(self.name, None)
        schedule.arrays.pop(self.name, None)
        if hasattr(values, "dtype"):
            schedule.arrays[self.name] = values
        else:
            vars(schedule)[self.name] = values


@dataclass
class Schedule:
    """When every job of a workload ran.

    Attributes
    ----------
    workload : Workload
    nodes : int
        Nodes of the simulated machine.
    policy : str
        Name of the policy.
    start, end : sequence, shape (jobs,)
        In workload order and in the workload's unit.
    backfilled : sequence of bool, shape (jobs,)
        Whether the job started while a job ahead of it in the queue went on waiting.
    killed : sequence of bool, shape (jobs,)
        Whether the job was ended at its estimate.
    first_reservation : sequence, shape (jobs,)
        The first start that the policy promised to the job; None where it promised none.
    decisions : list of Decision or None
        The decision log, if it was asked for.
    engine : str
        Which engine made it: ``"readable"`` or ``"compiled"``.
    placement : list of Nodes or None
        The nodes of each job, if the machine's are not interchangeable: bit i is node i.
    arrays : dict of str to numpy.ndarray
        Those columns that the compiled engine gave, as arrays (`first_reservation` is masked).
    """

    arrays: dict[str, Any] = field(init=False, repr=False, compare=False, default_factory=dict)
    workload: Workload
    nodes: int
    policy: str
    start: Column[Seconds] = Column()
    end: Column[Seconds] = Column()
    backfilled: Column[bool] = Column()
    killed: Column[bool] = Column()
    first_reservation: Column[Seconds | None] = Column()
    decisions: list[Decision] | None = field(default=None, repr=False)
    engine: str = "readable"
    placement: list[int] | None = field(default=None, repr=False)

    def wait(self) -> list[Seconds]:
        """Return each job's time in the queue.

        Returns
        -------
        list of numbers, shape (jobs,)
            In workload order and in the workload's unit.
        """
        return [
            start - submit for start, submit in zip(self.start, self.workload.submit, strict=True)
        ]

    def summary(self, tau: Seconds = 10) -> dict[str, Any]:
        """Return the metrics of the whole schedule.

        Parameters
        ----------
        tau : int or float
            Threshold of the bounded slowdown, in the workload's unit.

        Returns
        -------
        dict
            The keys are those of :func:`shadowtime.metrics.summary`.

        Examples
        --------
        >>> from shadowtime import demo, simulate
        >>> simulate(demo.workload(), "easy").summary()["makespan"]
        355
        """
        from shadowtime import metrics

        return metrics.summary(self, tau)

    def timeline(self) -> Timeline:
        """Follow busy nodes and queue length over time.

        Returns
        -------
        Timeline
            See :mod:`shadowtime.timeline`.
        """
        from shadowtime.timeline import timeline

        return timeline(self)

    def to_frame(self) -> pd.DataFrame:
        """Return the schedule as a pandas table.

        Returns
        -------
        pandas.DataFrame
            One row a job: the workload's columns, then those of the schedule and the wait.
        """
        frame = self.workload.to_frame()
        for column in ("start", "end", "backfilled", "killed", "first_reservation"):
            held = self.arrays.get(column)
            frame[column] = list(getattr(self, column)) if held is None else held
        frame["first_reservation"] = frame["first_reservation"].astype(float)
        frame["wait"] = frame["start"] - frame["submit"]
        return frame

    def explain(self, job: JobId) -> Explanation:
        """Tell one job's story from the decision log, from submit to start.

        Parameters
        ----------
        job : int or str
            The job's id.

        Returns
        -------
        Explanation

        Raises
        ------
        InputError
            If there is no such job, or the decisions were not logged.
        """
        if self.decisions is None:
            raise InputError("no decision was logged: simulate with decisions=True")
        row = self.workload.row(job)
        told = tuple(decision for decision in self.decisions if decision.job == job)
        return Explanation(job, told, self.workload.submit[row], self.start[row])
