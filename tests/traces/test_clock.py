"""A local time is one instant, except where the clock is changed; durations have many forms."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import InputError
from shadowtime.traces.clock import Clock, Reading, duration

ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"]


@pytest.mark.parametrize("zone", ZONES)
def test_every_quarter_of_an_hour_of_a_year_is_read_back(zone: str) -> None:
    clock, local = Clock(zone), ZoneInfo(zone)
    instant = datetime(2024, 1, 1, tzinfo=UTC)
    shown: dict[str, list[int]] = {}
    while instant.year == 2024:
        text = instant.astimezone(local).strftime("%Y-%m-%dT%H:%M:%S")
        shown.setdefault(text, []).append(int(instant.timestamp()))
        instant += timedelta(minutes=15)
    twice = [text for text, instants in shown.items() if len(instants) == 2]
    assert bool(twice) == (zone in ZONES[1:4])
    for text, instants in shown.items():
        reading = clock.read(text)
        assert tuple(reading) == (instants[0], instants[-1])
        assert reading.twice == (text in twice)
        assert not reading.missing


@pytest.mark.parametrize(
    "zone, text",
    [("Europe/Berlin", "2024-03-31T02:30:00"), ("Australia/Lord_Howe", "2024-10-06T02:15:00")],
)
def test_a_time_that_the_clock_leaves_out_is_told(zone: str, text: str) -> None:
    assert Clock(zone).read(text).missing


def test_the_second_of_two_readings_is_meant_where_the_first_is_too_early() -> None:
    reading = Clock("Europe/Berlin").read("2024-10-27T02:10:00")
    assert reading.after - reading.before == 3600
    assert reading.settle(reading.before) == reading.before
    assert reading.settle(reading.before + 1) == reading.after
    assert reading.settle(reading.after + 1) == reading.before
    assert Reading(5, 5).settle(9) == 5


@given(st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1)), st.integers(-1439, 1439))  # noqa: DTZ001
def test_an_offset_counts_more_than_the_zone(moment: datetime, minutes: int) -> None:
    moment = moment.replace(microsecond=0)
    sign, size = "-" if minutes < 0 else "+", abs(minutes)
    text = f"{moment.isoformat()}{sign}{size // 60:02}:{size % 60:02}"
    expected = (moment - timedelta(minutes=minutes)).replace(tzinfo=UTC).timestamp()
    assert Clock("Asia/Kathmandu").read(text).before == expected


@pytest.mark.parametrize("text", ["1714564800", "1714564800.0", "2024-05-01T12:00:00Z"])
def test_unix_seconds_and_utc_are_read_in_any_zone(text: str) -> None:
    assert Clock("Europe/Berlin").read(text) == (1_714_564_800, 1_714_564_800)


@pytest.mark.parametrize(
    "text", ["", "Unknown", "2024-13-01T00:00:00", "1_000", "nan", "inf", "0001-01-01T00:00:00.5x"]
)
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        Clock().read(text)


def test_the_ends_of_the_calendar_are_read_or_refused() -> None:
    for text in ("0001-01-01T00:00:00", "9999-12-31T23:59:59"):
        for zone in ZONES:
            try:
                reading = Clock(zone).read(text)
            except ValueError:
                continue
            assert abs(reading.before) > 10**10


@pytest.mark.parametrize("zone", ["Mars", "../etc", "", "/etc/passwd", "Europe"])
def test_a_zone_that_does_not_exist_is_an_error(zone: str) -> None:
    with pytest.raises(InputError, match="there is no such time zone: give a name such as"):
        Clock(zone)


@pytest.mark.parametrize(
    "text, unit, seconds",
    [
        ("90", 1, 90),
        ("90", 60, 5400),
        ("1.5", 60, 90),
        ("4:00", 60, 240),
        ("02:03.500", 1, 123.5),
        ("00:00:00", 1, 0),
        ("100:00:00", 1, 360_000),
        ("1-0", 60, 86_400),
        ("2-12", 1, 216_000),
        ("2-12:01", 1, 216_060),
        ("1-02:03:04", 1, 93_784),
    ],
)
def test_a_duration_is_read_in_each_form(text: str, unit: int, seconds: float) -> None:
    assert duration(text, unit) == seconds


@pytest.mark.parametrize("text", ["", "x", "1:", ":1", "1:2:3:4", "-1", "1-", "1 2", "٣", "9" * 30])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        duration(text)
