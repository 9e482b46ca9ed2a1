"""Exercises that check themselves.

An exercise is a function that takes an answer and a source of random workloads, and raises
:class:`Counterexample` where the answer is wrong. A check tries many workloads, small ones first,
so that the first to fail is one that can be understood by looking at it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NoReturn

from shadowtime.engine import simulate
from shadowtime.errors import InputError
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, Workload

NODES = 8
TRIALS = 200

Exercise = Callable[[Any, "Trials"], None]

EXERCISES: dict[str, Exercise] = {}
"""All exercises, by name."""


class CheckFailed(AssertionError):  # noqa: N818 - the word that the student reads
    """An answer does not do what the exercise asks."""


class Counterexample(CheckFailed):
    """A workload on which an answer is wrong.

    Parameters
    ----------
    message : str
    workload : Workload
    schedule : Schedule, optional
        What there is to see.
    """

    def __init__(self, message: str, workload: Workload, schedule: Schedule | None = None) -> None:
        table = "\n".join(
            f"  job {job.id}: submit {job.submit}, nodes {job.nodes}, estimate {job.estimate}, "
            f"runtime {job.runtime}"
            for job in workload
        )
        super().__init__(f"{message}\non {workload.machine_nodes} nodes:\n{table}")
        self.workload = workload
        self.schedule = schedule

    def draw(self) -> None:
        """Draw the schedule, where there is matplotlib."""
        try:
            from matplotlib import pyplot as plt

            from shadowtime import plots
        except ImportError:
            return
        plots.gantt(self.schedule or simulate(self.workload, "fcfs"))
        plt.show()


@dataclass
class Trials:
    """Random workloads, the same for the same seed.

    Parameters
    ----------
    seed : int
    count : int
    """

    seed: int = 0
    count: int = TRIALS

    def __iter__(self) -> Iterator[Workload]:
        """Yield workloads of 1, 2, 3, ... jobs on eight nodes, with ties, gaps and wide jobs."""
        random = Random(self.seed)
        for trial in range(self.count):
            yield workload(random, 1 + trial * 20 // self.count)

    @property
    def random(self) -> Random:
        """A source of randomness of its own, the same for the same seed."""
        return Random(self.seed)


def workload(random: Random, jobs: int, *, exact: bool = False) -> Workload:
    """Make a small random workload for eight nodes.

    Parameters
    ----------
    random : random.Random
    jobs : int
    exact : bool
        Whether estimates are the runtimes; otherwise they are up to three times as long.

    Returns
    -------
    Workload
        Jobs 1, 2, ... of 1 to 8 nodes and 1 to 30 minutes.
    """
    submit = 0
    table = []
    for number in range(1, jobs + 1):
        submit += random.choice((0, 0, 1, 2, 5, 10, 25))
        runtime = random.randint(1, 30)
        estimate = runtime if exact else random.randint(runtime, 3 * runtime)
        table.append(
            Job(number, submit, random.choice((1, 1, 2, 3, 4, 5, 6, 8)), estimate, runtime)
        )
    return Workload.from_jobs(table, machine_nodes=NODES, name="exercise")


def exercise(name: str) -> Callable[[Exercise], Exercise]:
    """Register the function below as the check of the exercise called `name`."""

    def register(verify: Exercise) -> Exercise:
        EXERCISES[name] = verify
        return verify

    return register


def check(name: str, answer: Any, *, seed: int = 0, trials: int = TRIALS) -> None:
    """Check an answer to an exercise, and say that it holds.

    Parameters
    ----------
    name : str
        The exercise.
    answer : object
        What the exercise asks for: a function, a policy, a list of jobs.
    seed : int
        Another seed tries other workloads.
    trials : int
        Workloads to try.

    Raises
    ------
    InputError
        If there is no such exercise.
    CheckFailed
        If the answer is wrong. Where a workload shows it, the message holds its jobs, and the
        schedule is drawn.
    """
    if name not in EXERCISES:
        raise InputError(f"there is no exercise {name!r}; there are {', '.join(sorted(EXERCISES))}")
    try:
        EXERCISES[name](answer, Trials(seed, trials))
    except Counterexample as found:
        found.draw()
        raise CheckFailed(str(found)) from None
    print(f"{name}: holds")  # noqa: T201 - the reader waits for this line


def fail(message: str) -> NoReturn:
    """Refuse an answer that no workload is needed to refuse."""
    raise CheckFailed(message)


def given(value: Any) -> Any:
    """Return what an answer's function returned, and refuse None."""
    if value is None:
        fail("your function returns None; does it lack a `return`?")
    return value


def listed(jobs: Iterable[Job], most: int = 5) -> Workload:
    """Return the jobs that an answer lists, as a workload for eight nodes."""
    if not isinstance(jobs, Iterable):
        fail(f"your answer is {jobs!r}; it takes a list of st.Job")
    table = list(jobs)
    for job in table:
        if not isinstance(job, Job):
            fail(f"{job!r} is no job; st.Job(id, submit, nodes, estimate, runtime) makes one")
    if not 0 < len(table) <= most:
        fail(f"there are {len(table)} jobs; take 1 to {most}")
    return Workload.from_jobs(table, machine_nodes=NODES)


def promises_hold(schedule: Schedule) -> None:
    """Find a job that starts after its first promise.

    Raises
    ------
    Counterexample
        If there is one.
    """
    jobs = schedule.workload
    for row, promise in enumerate(schedule.first_reservation):
        start = schedule.start[row]
        if promise is not None and start > promise:
            raise Counterexample(
                f"job {jobs.id[row]} was promised a start at {promise} and starts at {start}",
                jobs,
                schedule,
            )


def heads_are_promised(schedule: Schedule) -> None:
    """Find a job that is passed at the head of the queue without a promise, maybe for ever.

    Raises
    ------
    Counterexample
        If there is one.
    """
    jobs = schedule.workload
    for row, promise in enumerate(schedule.first_reservation):
        start = schedule.start[row]
        first_since = max(jobs.submit[row], *schedule.start[:row], 0)
        if promise is None and any(first_since < s < start for s in schedule.start[row + 1 :]):
            raise Counterexample(
                f"job {jobs.id[row]} is passed at the head of the queue without a promise",
                jobs,
                schedule,
            )
