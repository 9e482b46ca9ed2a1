"""Free nodes over time: twin of :mod:`shadowtime.profile`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shadowtime.kernels.jit import inlined, part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from shadowtime.kernels.columns import Columns

FIRST, STOP = range(2)

SLACK = 1000
"""Forgotten steps after which the others move to the front of their arrays."""


class Profile(NamedTuple):
    """A step function from now to for ever: how many nodes nobody holds or has reserved.

    Attributes
    ----------
    times : array, shape (room,)
        Where each step begins.
    free : array of int64, shape (room,)
        Free nodes of each step.
    bounds : array of int64, shape (2,)
        The steps are those from `FIRST` on and before `STOP`.
    """

    times: NDArray[Any]
    free: NDArray[Any]
    bounds: NDArray[Any]


def empty(jobs: Columns, nodes: int) -> Profile:
    """Return the profile of an empty machine, with room for twice as many steps as it may have."""
    room = 4 * jobs.size.size + 2 * SLACK
    profile = Profile(
        np.empty(room, jobs.plan.dtype), np.empty(room, np.int64), np.array([0, 1], np.int64)
    )
    profile.times[0], profile.free[0] = min(jobs.submit[0], 0), nodes
    return profile


@inlined
def forget_all(profile: Profile, now: Any, nodes: int) -> None:
    """Begin again with an empty machine of `nodes` nodes."""
    profile.times[0], profile.free[0] = now, nodes
    profile.bounds[FIRST], profile.bounds[STOP] = 0, 1


@part
def settle(profile: Profile) -> None:
    """Move the steps to the front of their arrays. O(steps)."""
    first, stop = profile.bounds[FIRST], profile.bounds[STOP]
    for step in range(first, stop):
        profile.times[step - first] = profile.times[step]
        profile.free[step - first] = profile.free[step]
    profile.bounds[FIRST], profile.bounds[STOP] = 0, stop - first


@part
def advance(profile: Profile, now: Any) -> None:
    """Forget what lies before `now`. O(steps forgotten), and now and then O(steps)."""
    first, stop = profile.bounds[FIRST], profile.bounds[STOP]
    while first + 1 < stop and profile.times[first + 1] <= now:
        first += 1
    profile.times[first] = now
    profile.bounds[FIRST] = first
    if first > SLACK + stop - first:
        settle(profile)


@part
def step_at(profile: Profile, time: Any) -> int:
    """Return the step that begins at `time`, splitting one if needed.

    O(log steps), and a split moves the steps on one side of it, the fewer ones.
    """
    times, free = profile.times, profile.free
    first, stop = profile.bounds[FIRST], profile.bounds[STOP]
    low, high = first, stop
    while low < high:
        middle = (low + high) >> 1
        if times[middle] < time:
            low = middle + 1
        else:
            high = middle
    if low < stop and times[low] == time:
        return int(low)
    if first > 0 and low - first < stop - low:
        for step in range(first, low):
            times[step - 1] = times[step]
            free[step - 1] = free[step]
        low -= 1
        profile.bounds[FIRST] = first - 1
    else:
        for step in range(stop, low, -1):
            times[step] = times[step - 1]
            free[step] = free[step - 1]
        profile.bounds[STOP] = stop + 1
    times[low] = time
    free[low] = free[low - 1]
    return int(low)


@inlined
def join(profile: Profile, step: int) -> None:
    """Drop the beginning of `step` if nothing changes there."""
    times, free = profile.times, profile.free
    first, stop = profile.bounds[FIRST], profile.bounds[STOP]
    if step <= first or free[step] != free[step - 1]:
        return
    if step - first < stop - step:
        for other in range(step, first, -1):
            times[other] = times[other - 1]
            free[other] = free[other - 1]
        profile.bounds[FIRST] = first + 1
    else:
        for other in range(step, stop - 1):
            times[other] = times[other + 1]
            free[other] = free[other + 1]
        profile.bounds[STOP] = stop - 1


@part
def add(profile: Profile, start: Any, end: Any, change: int) -> None:
    """Change the free nodes in [start, end). O(steps changed), and the cost of two splits."""
    if end <= start:
        return
    bounds = profile.bounds
    if bounds[STOP] + 2 > profile.times.size:
        settle(profile)
    last = step_at(profile, end)
    stop = bounds[STOP]
    first = step_at(profile, start)
    last += bounds[STOP] - stop
    for step in range(first, last):
        profile.free[step] += change
    begin = bounds[FIRST]
    join(profile, last)
    join(profile, first + bounds[FIRST] - begin)


@part
def fits(profile: Profile, nodes: int, end: Any) -> bool:
    """Say whether `nodes` stay free from the beginning to `end`. O(steps before it)."""
    for step in range(profile.bounds[FIRST], profile.bounds[STOP]):
        if profile.times[step] >= end:
            break
        if profile.free[step] < nodes:
            return False
    return True


@part
def earliest(
    profile: Profile, nodes: int, duration: Any, now: Any, limit: Any, promised: Any
) -> Any:
    """Return the first instant before `limit` from which `nodes` are free for `duration`.

    Parameters
    ----------
    profile : Profile
        Beginning `now`.
    nodes : int
    duration, now : int or float
    limit : int or float
        At most `promised`.
    promised : int or float
        From here on the job's own reservation gives it what it needs.

    Returns
    -------
    int or float
        `promised` if there is no such instant. O(steps before it).
    """
    times, free = profile.times, profile.free
    # A signed index costs a look at its sign, which here would be a third of the time.
    step, stop, one = np.uintp(profile.bounds[FIRST]), np.uintp(profile.bounds[STOP]), np.uintp(1)
    begin = now
    while begin < limit:
        if free[step] >= nodes:
            end = min(begin + duration, promised)
            step += one
            while step < stop and times[step] < end and free[step] >= nodes:
                step += one
            if step == stop or times[step] >= end:
                return begin
        step += one
        while step < stop and free[step] < nodes:
            step += one
        if step == stop:
            break
        begin = times[step]
    return promised
