"""Which nodes a job is drawn on.

A simulation says when a job runs, not on which of the interchangeable nodes; a picture has to put
it somewhere. :func:`placement` puts jobs that start in their turn as low as it can and backfilled
ones as high as it can, which keeps them out of each other's way, and splits a job only where no gap
of free nodes is wide enough.
"""

from __future__ import annotations

from itertools import pairwise

from shadowtime.schedule import Schedule

Block = tuple[int, int]
"""First node and number of nodes."""


def blocks(nodes: list[int]) -> list[Block]:
    """Contiguous runs of a sorted list of node numbers.

    Examples
    --------
    >>> blocks([0, 1, 2, 5, 7, 8])
    [(0, 3), (5, 1), (7, 2)]
    """
    breaks = [at for at in range(1, len(nodes)) if nodes[at] != nodes[at - 1] + 1]
    return [(nodes[a], b - a) for a, b in pairwise([0, *breaks, len(nodes)]) if b > a]


def placement(schedule: Schedule) -> list[list[Block]]:
    """Give every job nodes to be drawn on: its own, if the machine's are not interchangeable.

    Parameters
    ----------
    schedule : Schedule

    Returns
    -------
    list of list of (int, int), shape (jobs,)
        Each job's blocks of nodes, one if a gap was wide enough.

    Examples
    --------
    >>> import shadowtime as st
    >>> placement(st.simulate(st.demo.workload(), "fcfs"))[:3]
    [[(0, 4)], [(4, 2)], [(4, 3)]]
    """
    if schedule.placement is not None:
        return [
            blocks([node for node in range(schedule.nodes) if held >> node & 1])
            for held in schedule.placement
        ]
    width = schedule.workload.nodes
    placed: list[list[Block]] = [[] for _ in width]
    free = set(range(schedule.nodes))
    running: list[tuple[float, int]] = []
    # A job of no run time gives its nodes back before the others of its instant take theirs.
    order = sorted(
        range(len(width)),
        key=lambda row: (schedule.start[row], schedule.end[row] > schedule.start[row], row),
    )
    for row in order:
        for end, done in [each for each in running if each[0] <= schedule.start[row]]:
            running.remove((end, done))
            free.update(node for first, n in placed[done] for node in range(first, first + n))
        spare = sorted(free)
        gaps = [gap for gap in blocks(spare) if gap[1] >= width[row]]
        if not gaps:
            taken = spare[: width[row]]
        elif schedule.backfilled[row]:
            first, n = gaps[-1]
            taken = list(range(first + n - width[row], first + n))
        else:
            taken = list(range(gaps[0][0], gaps[0][0] + width[row]))
        placed[row] = blocks(taken)
        free.difference_update(taken)
        running.append((schedule.end[row], row))
    return placed
