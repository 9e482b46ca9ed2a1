"""A second simulator, as plain as can be: minute by minute, everything counted anew each time.

It shares no line with the package and keeps no data structure but lists. Times are whole numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from shadowtime.workload import Workload

Correction = Callable[[int, int], int]
"""``(made, planned) -> longer``; how a prediction that ran out is raised."""

CORRECTIONS: dict[str, Correction | None] = {
    "none": None,
    "request": lambda _made, _planned: 10**9,
    "increments": lambda made, planned: planned + 60 * (1, 5, 15, 30, 60)[made],
    "doubling": lambda _made, planned: 2 * planned,
}


@dataclass
class Task:
    row: int
    submit: int
    nodes: int
    planned: int
    request: int
    length: int
    start: int | None = None
    planned_end: int = 0
    reserved: int | None = None
    first_reservation: int | None = None
    backfilled: bool = False

    @property
    def end(self) -> int:
        assert self.start is not None
        return self.start + self.length


class Naive:
    """Simulate `workload`; results are in ``starts``, ``backfilled`` and ``first_reservations``."""

    def __init__(
        self,
        workload: Workload,
        policy: str,
        overrun: str = "kill",
        planned: list[int] | None = None,
        correction: str = "none",
    ) -> None:
        assert workload.machine_nodes
        self.machine = workload.machine_nodes
        self.policy = policy
        self.correct = CORRECTIONS[correction]
        self.tasks = [
            Task(
                row,
                int(job.submit),
                job.nodes,
                planned[row] if planned else int(job.estimate),
                int(job.estimate),
                int(min(job.runtime, job.estimate) if overrun == "kill" else job.runtime),
            )
            for row, job in enumerate(workload)
        ]
        self.waiting: list[Task] = []
        self.running: list[Task] = []
        self.early_end = self.any_end = False
        for self.now in count():
            self.minute()
            if all(task.start is not None and task.end <= self.now for task in self.tasks):
                break
        self.starts = [task.start for task in self.tasks]
        self.backfilled = [task.backfilled for task in self.tasks]
        self.first_reservations = [task.first_reservation for task in self.tasks]

    def minute(self) -> None:
        """Completions, submissions, one pass; and again if a job of no length came and went."""
        new = [task for task in self.tasks if task.submit == self.now]
        self.waiting += new
        due = any(task.reserved == self.now for task in self.waiting)
        happened = bool(new) or due
        while True:
            done = [task for task in self.running if task.end == self.now]
            self.running = [task for task in self.running if task.end > self.now]
            self.any_end = self.any_end or bool(done)
            self.early_end = self.early_end or any(task.planned_end > self.now for task in done)
            if not (happened or done):
                return
            happened = False
            if self.waiting:
                self.scheduling_pass()

    def scheduling_pass(self) -> None:
        before = list(self.waiting)
        raised = self.raise_predictions()
        if self.policy.startswith("conservative"):
            self.conservative(raised=raised)
        else:
            self.in_one_go()
        self.early_end = self.any_end = False
        for place, task in enumerate(before):
            if task.start is not None:
                task.backfilled = any(ahead.start is None for ahead in before[:place])

    def raise_predictions(self) -> bool:
        raised = False
        for task in self.running:
            assert task.start is not None
            elapsed = self.now - task.start
            if self.correct is None or task.planned_end > self.now or elapsed >= task.request:
                continue
            made, planned = 0, task.planned
            while planned <= elapsed:
                planned = min(self.correct(made, planned), task.request)
                made += 1
            task.planned_end = task.start + planned
            raised = True
        return raised

    def start(self, task: Task) -> None:
        assert task.nodes <= self.free()
        task.start = self.now
        task.planned_end = self.now + task.planned
        task.reserved = None
        self.waiting.remove(task)
        self.running.append(task)

    def free(self) -> int:
        return self.machine - sum(task.nodes for task in self.running)

    def free_at(self, then: int) -> int:
        """By the planned ends of running jobs; one that has passed counts as now."""
        return self.machine - sum(task.nodes for task in self.running if task.planned_end > then)

    def in_one_go(self) -> None:
        """FCFS, first fit and EASY: start the first job that may start, until none may."""
        while task := next(filter(self.may_start, self.candidates()), None):
            self.start(task)

    def candidates(self) -> list[Task]:
        if self.policy == "easy-sjbf":
            return self.waiting[:1] + sorted(self.waiting[1:], key=lambda task: task.planned)
        return list(self.waiting)

    def may_start(self, task: Task) -> bool:
        head = self.waiting[0]
        fits = task.nodes <= self.free()
        if task is head or self.policy == "first-fit":
            if not fits and self.policy.startswith("easy") and head.first_reservation is None:
                head.first_reservation = self.shadow(head)
            return fits
        if not fits or self.policy == "fcfs":
            return False
        shadow = self.shadow(head)
        extra = self.free_at(shadow) - head.nodes
        return self.now + task.planned <= shadow or task.nodes <= extra

    def shadow(self, head: Task) -> int:
        return next(then for then in count(self.now) if self.free_at(then) >= head.nodes)

    def conservative(self, *, raised: bool) -> None:
        old = [task for task in self.waiting if task.reserved is not None]
        compression = self.policy.removeprefix("conservative").lstrip("-") or "queue"
        if raised or (compression == "replan" and self.early_end):
            for task in old:
                task.reserved = None
            for task in old:
                self.reserve(task)
        elif self.any_end if compression == "every" else self.early_end and compression == "queue":
            for task in old:
                self.reserve(task)
        for task in self.waiting:
            if task.reserved is None or task.reserved < self.now:
                self.reserve(task)
        for task in list(self.waiting):
            if task.reserved == self.now and task.nodes <= self.free():
                self.start(task)

    def reserve(self, task: Task) -> None:
        """Look at each minute in turn until the nodes stay free for the whole planned runtime."""
        task.reserved = None
        busy = [(self.now, other.planned_end, other.nodes) for other in self.running]
        busy += [
            (other.reserved, other.reserved + other.planned, other.nodes)
            for other in self.waiting
            if other.reserved is not None
        ]
        last = max((end for _, end, _ in busy), default=self.now)
        free = [self.machine] * (max(last - self.now, 0) + task.planned + 1)
        for begin, end, nodes in busy:
            for then in range(max(begin, self.now), end):
                free[then - self.now] -= nodes
        ahead = next(
            ahead
            for ahead in count()
            if all(nodes >= task.nodes for nodes in free[ahead : ahead + task.planned])
        )
        task.reserved = self.now + ahead
        if task.first_reservation is None:
            task.first_reservation = task.reserved
