"""Ten jobs on eight nodes: the demo of a published page, by its own rules and by the textbook's.

The page "Backfilling: Filling Scheduler Gaps in HPC Queues" prints a table for ten jobs under
three policies. :func:`published` repeats that table with the rules that the page's program
really follows, bugs and all; :func:`shadowtime.simulate` has the rules of the literature.
Chapter 2 takes the two apart, so nothing here is mended: these rules are for comparison only.

Times are minutes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from shadowtime.engine import simulate
from shadowtime.errors import InputError
from shadowtime.schedule import Schedule
from shadowtime.workload import Job, Seconds, Workload

NODES = 8
"""Nodes of the demo's machine."""

TAU = 10
"""Threshold of the demo's bounded slowdown, in minutes; the page's own figure has none."""

JOBS: tuple[Job, ...] = (
    Job(id=1, submit=0, nodes=4, estimate=100, runtime=80),
    Job(id=2, submit=0, nodes=2, estimate=25, runtime=25),
    Job(id=3, submit=5, nodes=3, estimate=40, runtime=40),
    Job(id=4, submit=10, nodes=6, estimate=150, runtime=150),
    Job(id=5, submit=10, nodes=1, estimate=20, runtime=20),
    Job(id=6, submit=20, nodes=2, estimate=60, runtime=60),
    Job(id=7, submit=30, nodes=4, estimate=30, runtime=30),
    Job(id=8, submit=45, nodes=5, estimate=90, runtime=90),
    Job(id=9, submit=60, nodes=1, estimate=25, runtime=25),
    Job(id=10, submit=75, nodes=2, estimate=50, runtime=50),
)
"""The ten jobs, in minutes. Only the first claims more time than it needs."""


class EndlessLoop(InputError):  # noqa: N818 - it says what the published program does
    """The published program would never end on these jobs."""


def workload() -> Workload:
    """Return the ten jobs as a workload.

    Returns
    -------
    Workload
        Ten jobs for 8 nodes, times in minutes.

    Examples
    --------
    >>> workload()
    <Workload demo: 10 jobs for 8 nodes>
    """
    return Workload.from_jobs(JOBS, machine_nodes=NODES, name="demo")


def published(policy: str, jobs: Workload | None = None, nodes: int = NODES) -> Schedule:
    """Schedule by the rules of the published program, which are not the textbook's.

    Shared by its three policies:

    - The clock ticks minute by minute, and only while a job runs. It stands still for ever if
      nothing is submitted at 0, or in a gap in which the machine is idle.
    - The list of coming releases (planned ends of running jobs) is made once a minute, before
      anything starts. A job that starts in a minute takes its nodes at once, but its release is
      on the list only from the next minute on.
    - A job that passes its estimate runs on; it is no longer on the list, yet keeps its nodes.
    - A job of no run time holds its nodes for a minute.

    Then each policy has its own rule:

    - ``"fcfs"``: the head starts while it fits. As in the textbook.
    - ``"easy"``: the nodes of a backfill candidate are subtracted twice, once from the free nodes
      and once more as a reservation. What is left of the textbook's rule: a candidate that ends by
      the shadow time starts if it needs no more than the extra nodes, or if no release comes after
      the shadow time; one that ends later starts if twice its nodes are no more than the extra
      nodes. The textbook asks nothing of the first, and of the second once its nodes.
    - ``"conservative"``: a reservation is tried at one instant, not for the whole run. So whatever
      fits now is reserved "now" and starts: first-fit, which protects no job. Nothing of it counts
      as backfilled. (If the list of releases is empty, a head that does not fit is reserved "now"
      as well, and then nothing starts.)

    Parameters
    ----------
    policy : {"fcfs", "easy", "conservative"}
    jobs : Workload, optional
        Times in minutes; the ten jobs of :data:`JOBS` by default.
    nodes : int
        Nodes of the machine.

    Returns
    -------
    Schedule
        Its `backfilled` marks what the published program counts.

    Raises
    ------
    InputError
        If `policy` is none of the three.
    EndlessLoop
        Where the published program would never end.

    Examples
    --------
    >>> schedule = published("easy")
    >>> list(schedule.start), sum(schedule.backfilled)
    ([0, 0, 25, 80, 25, 85, 230, 260, 60, 145], 3)

    The textbook's EASY lets J5 start at once, as J5 is done long before the head's turn:

    >>> list(simulate(workload(), "easy").start)
    [0, 0, 25, 85, 10, 65, 235, 265, 60, 125]
    """
    if policy not in _RULES:
        raise InputError(f"policy {policy!r} was not published: one of {', '.join(_RULES)}")
    rule = _RULES[policy]
    jobs = workload() if jobs is None else jobs
    table = list(jobs)
    start: list[Seconds] = [0] * len(table)
    backfilled = [False] * len(table)
    coming, queue, running = deque(range(len(table))), list[int](), list[int]()
    now = 0
    while coming or queue or running:
        while coming and table[coming[0]].submit <= now:
            queue.append(coming.popleft())
        running = [row for row in running if start[row] + table[row].runtime > now]
        free = nodes - sum(table[row].nodes for row in running)
        planned = [(start[row] + table[row].estimate, table[row].nodes) for row in running]
        releases = [(end, width) for end, width in planned if end > now]
        while queue:
            place = rule([table[row] for row in queue], free, releases, now)
            if place is None:
                break
            row = queue.pop(place)
            start[row] = now
            backfilled[row] = policy == "easy" and place > 0
            free -= table[row].nodes
            running.append(row)
        if not running and (coming or queue):
            job = table[(queue or coming)[0]]
            reason = f"needs {job.nodes} of {nodes} nodes" if queue else f"comes at {job.submit}"
            raise EndlessLoop(
                f"the published program never ends here: at minute {now} nothing runs, so its "
                f"clock stands still, and job {job.id} {reason}"
            )
        now += 1
    end = [begin + job.runtime for begin, job in zip(start, table, strict=True)]
    return Schedule(
        workload=jobs,
        nodes=nodes,
        policy=f"published {policy}",
        start=start,
        end=end,
        backfilled=backfilled,
        killed=[False] * len(table),
        first_reservation=[None] * len(table),
    )


Releases = Sequence[tuple[Seconds, int]]
"""(planned end, nodes) of the running jobs that the published program knows of."""

Rule = Callable[[Sequence[Job], int, Releases, Seconds], int | None]
"""From queue, free nodes, releases and time to the place in the queue of the job to start next."""


def _head(queue: Sequence[Job], free: int, _releases: Releases, _now: Seconds) -> int | None:
    return 0 if queue[0].nodes <= free else None


def _counted_twice(queue: Sequence[Job], free: int, releases: Releases, now: Seconds) -> int | None:
    head = queue[0]
    if head.nodes <= free:
        return 0
    last = shadow = max((end for end, _ in releases), default=now)
    extra = free - head.nodes
    for end in sorted({end for end, _ in releases}):
        extra = free + sum(width for other, width in releases if other <= end) - head.nodes
        if extra >= 0:
            shadow = end
            break

    def starts(job: Job) -> bool:
        if job.nodes > free:
            return False
        if now + job.estimate <= shadow:
            return job.nodes <= extra or shadow == last
        return 2 * job.nodes <= extra

    return next((place for place, job in enumerate(queue) if place and starts(job)), None)


def _one_instant(queue: Sequence[Job], free: int, releases: Releases, _now: Seconds) -> int | None:
    if not releases and queue[0].nodes > free:
        return None
    return next((place for place, job in enumerate(queue) if job.nodes <= free), None)


_TEXTBOOK = ("fcfs", "easy", "conservative", "conservative-none", "first-fit")
_RULES: dict[str, Rule] = {"fcfs": _head, "easy": _counted_twice, "conservative": _one_instant}


class Row(NamedTuple):
    """One line of the demo's table.

    Parameters
    ----------
    policy : str
        What the table calls the rules.
    makespan : int or float
        Minutes from the first submit to the last end.
    utilization : float
        Share of the machine's node-minutes that jobs used, 0 to 1.
    backfilled : int
        Jobs that were backfilled; under the published rules, jobs that the program counts.
    mean_wait_ratio, max_wait_ratio : float
        Of ``max(wait / runtime, 1)``, which the page calls BSLD.
    mean_bounded_slowdown, max_bounded_slowdown : float
        Of the literature's bounded slowdown with a threshold of 10 minutes.
    max_wait : int or float
        Minutes.
    waits : tuple of int or float, shape (jobs,)
        Minutes, in the order of the jobs.
    """

    policy: str
    makespan: Seconds
    utilization: float
    backfilled: int
    mean_wait_ratio: float
    max_wait_ratio: float
    mean_bounded_slowdown: float
    max_bounded_slowdown: float
    max_wait: Seconds
    waits: tuple[Seconds, ...]


def table(*, textbook: bool = False) -> list[Row]:
    """Return the demo's table.

    Parameters
    ----------
    textbook : bool
        Whether by the rules of the literature; by those of the published program otherwise.

    Returns
    -------
    list of Row
        The page's three policies; with `textbook` also conservative backfilling without
        compression, and first-fit, to which the page's conservative policy comes down.

    Examples
    --------
    >>> [(line.policy, line.makespan, line.backfilled) for line in table()]
    [('fcfs', 350, 0), ('easy', 350, 3), ('conservative', 365, 0)]
    >>> [(line.policy, line.makespan, line.backfilled) for line in table(textbook=True)[:3]]
    [('fcfs', 350, 0), ('easy', 355, 4), ('conservative', 355, 4)]
    """
    if textbook:
        schedules = {name: simulate(workload(), name) for name in _TEXTBOOK}
    else:
        schedules = {name: published(name) for name in _RULES}
    return [_row(name, schedule) for name, schedule in schedules.items()]


def _row(name: str, schedule: Schedule) -> Row:
    figures = schedule.summary(tau=TAU) | {"policy": name, "waits": tuple(schedule.wait())}
    return Row(**{field: figures[field] for field in Row._fields})
