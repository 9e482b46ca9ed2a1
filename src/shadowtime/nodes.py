"""Named nodes: which of them are free over time, and how a job picks its own.

Where nodes are not interchangeable a reservation is a placement: certain nodes for a certain time.
A set of nodes is one whole number, node 0 its lowest bit, so that a machine of a thousand nodes is
intersected in a few instructions.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable

from shadowtime.workload import Seconds

Nodes = int
"""A set of nodes: bit i stands for node i."""

Choice = Callable[[Nodes, int], Nodes]
"""``(free nodes, how many) -> the nodes taken``; 0 if there is no such choice among them."""


def first(count: int) -> Nodes:
    """Return nodes 0 to `count` - 1.

    Examples
    --------
    >>> bin(first(3))
    '0b111'
    """
    return (1 << count) - 1


def lowest(free: Nodes, count: int) -> Nodes:
    """Take the `count` free nodes with the lowest numbers.

    Examples
    --------
    >>> bin(lowest(0b1101_1010, 3)), lowest(0b1, 2)
    ('0b11010', 0)
    """
    spare = free.bit_count() - count
    if spare <= 0:
        return free if spare == 0 else 0
    below, above = 0, free.bit_length()
    while below < above:
        middle = (below + above) // 2
        if (free & first(middle)).bit_count() < count:
            below = middle + 1
        else:
            above = middle
    return free & first(below)


class NodePlan:
    """A step function from now to for ever: which nodes nobody holds or has reserved.

    The twin of :class:`shadowtime.Profile` for nodes that are not interchangeable.

    Parameters
    ----------
    now : int or float
    free : Nodes
        Nodes free now.
    releases : iterable of (int or float, Nodes)
        ``(planned end, nodes)`` of the running jobs in order of time, all after `now`.

    Examples
    --------
    >>> plan = NodePlan(0, 0b0011, [(40, 0b1100)])
    >>> plan.earliest(3, 10, lowest)
    (40, 7)
    >>> plan.reserve(40, 50, 0b0111)
    >>> plan.earliest(2, 45, lowest)
    (50, 3)
    """

    __slots__ = ("free", "times")

    def __init__(
        self, now: Seconds, free: Nodes, releases: Iterable[tuple[Seconds, Nodes]] = ()
    ) -> None:
        self.times: list[Seconds] = [now]
        self.free: list[Nodes] = [free]
        for time, nodes in releases:
            if time > self.times[-1]:
                self.times.append(time)
                self.free.append(self.free[-1] | nodes)
            else:
                self.free[-1] |= nodes

    def throughout(self, step: int, end: Seconds, allowed: Nodes, count: int) -> Nodes:
        """Return the nodes free from a step until `end`, or 0 once fewer than `count` are left."""
        times, free = self.times, self.free
        nodes = free[step] & allowed
        step += 1
        while nodes.bit_count() >= count:
            if step == len(times) or times[step] >= end:
                return nodes
            nodes &= free[step]
            step += 1
        return 0

    def now(self, count: int, duration: Seconds, choose: Choice, allowed: Nodes = -1) -> Nodes:
        """Return nodes on which a job could start at once, or 0.

        Parameters
        ----------
        count : int
            How many it needs.
        duration : int or float
        choose : callable
        allowed : Nodes
            Where it may run; by default anywhere.
        """
        return choose(self.throughout(0, self.times[0] + duration, allowed, count), count)

    def earliest(
        self, count: int, duration: Seconds, choose: Choice, allowed: Nodes = -1
    ) -> tuple[Seconds, Nodes]:
        """Return the first instant at which a job could start, and its nodes then.

        Parameters are those of :meth:`now`.

        Raises
        ------
        ValueError
            If it never could.
        """
        for step, begin in enumerate(self.times):
            free = self.throughout(step, begin + duration, allowed, count)
            nodes = choose(free, count) if free else 0
            if nodes:
                return begin, nodes
        raise ValueError(f"there is never a place for a job of {count} nodes")

    def reserve(self, start: Seconds, end: Seconds, nodes: Nodes) -> None:
        """Take `nodes` out of the plan in [start, end), whether or not they are in it."""
        start = max(start, self.times[0])
        if start >= end:
            return
        begin, stop = self._step_at(start), self._step_at(end)
        for step in range(begin, stop):
            self.free[step] &= ~nodes

    def release(self, start: Seconds, end: Seconds, nodes: Nodes) -> None:
        """Put `nodes` back in [start, end)."""
        start = max(start, self.times[0])
        if start >= end:
            return
        begin, stop = self._step_at(start), self._step_at(end)
        for step in range(begin, stop):
            self.free[step] |= nodes

    def advance(self, now: Seconds) -> None:
        """Forget what lies before `now`."""
        step = bisect_right(self.times, now) - 1
        if step > 0:
            del self.times[:step], self.free[:step]
        self.times[0] = now

    def _step_at(self, time: Seconds) -> int:
        """Return the step that begins at `time`, splitting one if needed."""
        step = bisect_left(self.times, time)
        if step == len(self.times) or self.times[step] != time:
            self.times.insert(step, time)
            self.free.insert(step, self.free[step - 1])
        return step
