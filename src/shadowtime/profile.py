"""Free nodes over time: the availability profile that reservations are cut out of."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from math import inf

from shadowtime.workload import Seconds


class Profile:
    """A step function from now to for ever: how many nodes nobody holds or has reserved.

    Parameters
    ----------
    nodes : int
        Nodes of the machine, all free at first.
    start : int or float
        Where the profile begins.

    Notes
    -----
    Steps are kept as two sorted lists, so that finding an instant costs O(log steps) and a
    reservation O(steps it covers). The profile may go below zero nowhere: reserving more than is
    free raises.

    Examples
    --------
    >>> profile = Profile(8)
    >>> profile.reserve(0, 40, 6)
    >>> profile.earliest(4, 10), profile.earliest(2, 100)
    (40, 0)
    >>> list(profile)
    [(0, 2), (40, 8)]
    """

    __slots__ = ("free", "times")

    def __init__(self, nodes: int, start: Seconds = 0) -> None:
        self.times: list[Seconds] = [start]
        self.free: list[int] = [nodes]

    @classmethod
    def of_releases(
        cls, now: Seconds, free: int, releases: Iterable[tuple[Seconds, int]]
    ) -> Profile:
        """Make the profile of a machine whose jobs end as planned.

        Parameters
        ----------
        now : int or float
        free : int
            Nodes free now.
        releases : iterable of (int or float, int)
            ``(planned end, nodes)`` in order of time; one that has passed counts as now.

        Examples
        --------
        >>> list(Profile.of_releases(10, 2, [(40, 4), (90, 2)]))
        [(10, 2), (40, 6), (90, 8)]
        """
        profile = cls(free, now)
        times, steps = profile.times, profile.free
        for time, nodes in releases:
            if time > times[-1]:
                times.append(time)
                steps.append(steps[-1] + nodes)
            else:
                steps[-1] += nodes
        return profile

    def __iter__(self) -> Iterator[tuple[Seconds, int]]:
        """Yield ``(from, free nodes)`` for each step."""
        return zip(self.times, self.free, strict=True)

    def at(self, time: Seconds) -> int:
        """Return the nodes free at `time`.

        Parameters
        ----------
        time : int or float
            Not before the profile begins.

        Returns
        -------
        int
        """
        return self.free[bisect_right(self.times, time) - 1]

    def fits(self, nodes: int, duration: Seconds) -> bool:
        """Say whether `nodes` stay free for `duration` from the profile's beginning.

        Parameters
        ----------
        nodes : int
        duration : int or float

        Returns
        -------
        bool
        """
        end = self.times[0] + duration
        for time, free in zip(self.times, self.free, strict=True):
            if time >= end:
                return True
            if free < nodes:
                return False
        return True

    def earliest(
        self,
        nodes: int,
        duration: Seconds,
        start: Seconds | None = None,
        held: Seconds | None = None,
    ) -> Seconds:
        """Return the first instant from which `nodes` stay free for `duration`.

        Parameters
        ----------
        nodes : int
            At most the machine's size.
        duration : int or float
        start : int or float, optional
            Look no earlier than this; by default from the profile's beginning.
        held : int or float, optional
            From here on the job holds a reservation for `duration`, not before `start`: it needs
            nothing more then.

        Returns
        -------
        int or float
            `held` if there is nothing before.

        Raises
        ------
        ValueError
            If so many nodes never come free.

        Examples
        --------
        >>> profile = Profile(8)
        >>> profile.reserve(0, 30, 6)
        >>> profile.reserve(40, 50, 4)
        >>> profile.earliest(4, 10, held=40), profile.earliest(2, 10, held=40)
        (30, 0)
        """
        times, free = self.times, self.free
        steps = len(times)
        step = 0 if start is None else max(bisect_right(times, start) - 1, 0)
        begin = times[step] if start is None else max(start, times[0])
        last = inf if held is None else held
        while begin < last:
            if free[step] >= nodes:
                end = min(begin + duration, last)
                step += 1
                while step < steps and times[step] < end and free[step] >= nodes:
                    step += 1
                if step == steps or times[step] >= end:
                    return begin
            step += 1
            while step < steps and free[step] < nodes:
                step += 1
            if step == steps:
                break
            begin = times[step]
        if held is not None:
            return held
        raise ValueError(f"{nodes} nodes never come free: the last step has {free[-1]}")

    def reserve(self, start: Seconds, end: Seconds, nodes: int) -> None:
        """Take `nodes` out of the profile in [start, end).

        Parameters
        ----------
        start, end : int or float
            Nothing is taken if `end` is not after `start`.
        nodes : int

        Raises
        ------
        ValueError
            If that leaves fewer than no nodes somewhere; the profile is then unchanged.
        """
        self._add(start, end, -nodes)

    def release(self, start: Seconds, end: Seconds, nodes: int) -> None:
        """Put `nodes` back in [start, end).

        Parameters
        ----------
        start, end : int or float
            Nothing is put back if `end` is not after `start`.
        nodes : int
        """
        self._add(start, end, nodes)

    def _add(self, start: Seconds, end: Seconds, change: int) -> None:
        if end <= start:
            return
        first, last = self._step_at(start), self._step_at(end)
        free = self.free
        least = min(free[first:last])
        if least + change >= 0:
            free[first:last] = [nodes + change for nodes in free[first:last]]
        for step in (last, first):
            if step > 0 and free[step] == free[step - 1]:
                del self.times[step], free[step]
        if least + change < 0:
            raise ValueError(f"{-change} nodes are not free from {start} to {end}: {least} are")

    def _step_at(self, time: Seconds) -> int:
        """Return the step that begins at `time`, splitting one if needed."""
        step = bisect_left(self.times, time)
        if step == len(self.times) or self.times[step] != time:
            if step == 0:
                raise ValueError(f"{time} is before the profile begins, at {self.times[0]}")
            self.times.insert(step, time)
            self.free.insert(step, self.free[step - 1])
        return step

    def advance(self, now: Seconds) -> None:
        """Forget what lies before `now`.

        Parameters
        ----------
        now : int or float
        """
        step = bisect_right(self.times, now) - 1
        if step > 0:
            del self.times[:step], self.free[:step]
        if step >= 0:
            self.times[0] = now
