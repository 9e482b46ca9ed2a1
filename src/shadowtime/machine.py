"""A machine whose nodes are not interchangeable: a job needs neighbours, or few switches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shadowtime.errors import InputError
from shadowtime.nodes import Nodes, first, lowest


@dataclass(frozen=True)
class Machine:
    """Nodes in a row, and where on them a job may be placed.

    Parameters
    ----------
    nodes : int
        Nodes 0, 1, 2, ... in one dimension.
    placement : {"any", "contiguous", "switch"}
        ``"any"``: nodes are interchangeable. ``"contiguous"``: a job takes neighbours.
        ``"switch"``: a job takes nodes of as few switches as hold it on an empty machine.
    switch : int, optional
        Nodes of a switch, for ``placement="switch"``: nodes 0 to `switch` - 1 are on the first.

    Raises
    ------
    InputError
        If `placement` is unknown, or `switch` is missing, less than 1, or given in vain.

    Notes
    -----
    Of the places that are free, a job takes the lowest nodes; on switches those that it leaves the
    least of, or, if it needs several, those with the most free nodes.

    Examples
    --------
    >>> bin(Machine(8, "contiguous").choose(0b1110_1011, 3))
    '0b11100000'
    >>> bin(Machine(8, "switch", switch=4).choose(0b1110_1011, 3))
    '0b1011'
    >>> Machine(8, "switch", switch=4).choose(0b0110_0110, 3)
    0
    """

    nodes: int
    placement: Literal["any", "contiguous", "switch"] = "any"
    switch: int | None = None

    def __post_init__(self) -> None:
        if self.nodes < 1:
            raise InputError(f"nodes = {self.nodes}; a machine has 1 node or more")
        if self.placement not in ("any", "contiguous", "switch"):
            raise InputError(
                f"placement = {self.placement!r}; it is 'any', 'contiguous' or 'switch'"
            )
        if (self.placement == "switch") != (self.switch is not None):
            raise InputError("give switch=, the nodes of one, with placement='switch' and only so")
        if self.switch is not None and self.switch < 1:
            raise InputError(f"switch = {self.switch}; a switch has 1 node or more")

    def choose(self, free: Nodes, count: int) -> Nodes:
        """Choose the nodes of a job.

        Parameters
        ----------
        free : Nodes
            Where it could run.
        count : int
            Nodes that it needs.

        Returns
        -------
        Nodes
            0 if they do not lie as the machine wants it.
        """
        if self.placement == "contiguous":
            return neighbours(free, count)
        if self.switch is not None:
            return self._on_switches(free, count, self.switch)
        return lowest(free, count)

    def _on_switches(self, free: Nodes, count: int, size: int) -> Nodes:
        blocks = [free & (first(size) << at) for at in range(0, self.nodes, size)]
        few = -(-count // size)
        if few == 1:
            enough = [block for block in blocks if block.bit_count() >= count]
            return lowest(min(enough, key=int.bit_count), count) if enough else 0
        widest = sorted(blocks, key=int.bit_count, reverse=True)[:few]
        return lowest(sum(widest), count)


def neighbours(free: Nodes, count: int) -> Nodes:
    """Take the lowest `count` free nodes that lie side by side.

    Parameters
    ----------
    free : Nodes
    count : int
        1 or more.

    Returns
    -------
    Nodes
        0 if there are none.

    Examples
    --------
    >>> bin(neighbours(0b1110_1011, 2)), neighbours(0b1110_1011, 4)
    ('0b11', 0)
    """
    # Bit i of `starts` says that nodes i to i + length - 1 are free.
    starts, length = free, 1
    while starts and length < count:
        more = min(length, count - length)
        starts &= starts >> more
        length += more
    return first(count) << (starts & -starts).bit_length() - 1 if starts else 0
