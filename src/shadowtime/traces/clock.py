"""Times of day and durations as logs write them: local time with or without a zone, ``1-02:03:04``.

Twice a year a local clock is in doubt. The hour before it is put back comes twice, and the hour
over which it is put forward does not exist. Both are told apart here, so that readers report them.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from shadowtime.errors import InputError
from shadowtime.workload import Seconds

_DURATION = re.compile(r"(?:(\d{1,9})-)?(\d{1,12})(?::(\d{1,4}))?(?::(\d{1,4}))?(\.\d+)?", re.ASCII)
_MANY = 1 << 16

NO_LIMIT = frozenset({"unlimited", "partition_limit", "infinite"})
"""Words, in lower case, that stand where a time limit would."""

SKIPPED = "time that the clock leaves out"
TWICE = "times that the clock shows twice: the first is meant unless other times rule it out"
"""What the report calls times in the hour that a change of the clock leaves out, or repeats."""


class Reading(NamedTuple):
    """What a local time means, in Unix seconds, before and after the clock is changed.

    Both are the same except near a change of the clock: `after` is greater where the time comes
    twice, and less where it does not exist.
    """

    before: Seconds
    after: Seconds

    @property
    def missing(self) -> bool:
        """Whether the clock leaves this time out."""
        return self.after < self.before

    @property
    def twice(self) -> bool:
        """Whether the clock shows this time twice."""
        return self.after > self.before

    def settle(self, earlier: Seconds) -> Seconds:
        """Return the first of the two that does not lie ahead of an earlier time, if there is one.

        Parameters
        ----------
        earlier : int or float
            Unix time of what came before, such as the submission for a start.
        """
        return self.after if self.before < earlier <= self.after else self.before


class Clock:
    """Turns the times of a log into Unix seconds.

    Parameters
    ----------
    zone : str, optional
        Time zone of times that do not give one, such as ``"Europe/Berlin"``; UTC by default.

    Attributes
    ----------
    zone : tzinfo
    local : bool
        Whether a time was read that does not give its zone.

    Raises
    ------
    InputError
        If there is no such zone.

    Examples
    --------
    >>> clock = Clock("Europe/Berlin")
    >>> clock.read("2016-12-21T21:43:34").before
    1482353014
    >>> clock.read("2016-10-30 02:30:00")
    Reading(before=1477787400, after=1477791000)
    """

    def __init__(self, zone: str | None = None) -> None:
        self.zone: tzinfo = UTC
        self.local = False
        if zone is not None:
            try:
                self.zone = ZoneInfo(zone)
            except (KeyError, ValueError, OSError):
                raise InputError(
                    f"zone = {zone!r}; there is no such time zone: give a name such as"
                    " Europe/Berlin"
                ) from None
        # Few minutes of a log differ from those just before, and a zone takes its time.
        self._minute = lru_cache(_MANY)(self._whole)

    def read(self, text: str) -> Reading:
        """Return what a time means.

        Parameters
        ----------
        text : str
            ISO 8601, with an offset or without, or Unix seconds.

        Raises
        ------
        ValueError
            If it is no time.
        """
        if len(text) == 19 and text[16] == ":" and text[17:].isdigit():
            before, after = self._minute(text[:16])
            seconds = int(text[17:])
            return Reading(before + seconds, after + seconds)
        try:
            number = float(text)
        except ValueError:
            return self._whole(text)
        if "_" in text or not abs(number) < 2**53:
            raise ValueError(text)
        return Reading(*[int(number) if number.is_integer() else number] * 2)

    def _whole(self, text: str) -> Reading:
        time = datetime.fromisoformat(text)
        if time.tzinfo is None:
            self.local = True
            time = time.replace(tzinfo=self.zone)
        try:
            both = time.timestamp(), time.replace(fold=1).timestamp()
        except OverflowError:  # the first and the last day that there are
            raise ValueError(text) from None
        return Reading(*[int(unix) if unix.is_integer() else unix for unix in both])


@lru_cache(_MANY)
def duration(text: str, unit: int = 1) -> Seconds:
    """Return a duration in seconds.

    Parameters
    ----------
    text : str
        ``[days-]hours:minutes:seconds``, ``minutes:seconds``, ``days-hours[:minutes]``, or a
        number; a fraction may follow.
    unit : int
        What a number without colons and days counts, in seconds: 60 for minutes.

    Raises
    ------
    ValueError
        If it is no duration.

    Examples
    --------
    >>> duration("1-02:03:04"), duration("02:03.500"), duration("4:00"), duration("2-12")
    (93784, 123.5, 240, 216000)
    """
    found = _DURATION.fullmatch(text)
    if not found:
        raise ValueError(text)
    days, *parts, fraction = found.groups()
    given = [int(part) for part in parts if part is not None]
    if days is not None:
        hours, minutes, seconds = given + [0] * (3 - len(given))
    elif len(given) > 1:
        hours, minutes, seconds = [0] * (3 - len(given)) + given
    else:
        hours, minutes, seconds = 0, 0, given[0] * unit
    whole = int(days or 0) * 86400 + hours * 3600 + minutes * 60 + seconds
    return whole + float(fraction) * (unit if len(given) == 1 else 1) if fraction else whole
