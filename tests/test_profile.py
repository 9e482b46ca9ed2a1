"""The availability profile agrees with counting free nodes instant by instant."""

from itertools import pairwise
from math import inf
from typing import NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from shadowtime.profile import Profile

NODES, HORIZON = 8, 40


class Hold(NamedTuple):
    start: int
    end: int
    nodes: int


class AgainstCounting(RuleBasedStateMachine):
    """Reserve, release and advance at random; a list with one number an instant is the truth."""

    def __init__(self) -> None:
        super().__init__()
        self.profile = Profile(NODES)
        self.free = [NODES] * (2 * HORIZON)
        self.holds: list[Hold] = []
        self.now = 0

    @rule(
        start=st.integers(0, HORIZON),
        length=st.integers(1, HORIZON),
        nodes=st.integers(1, NODES),
    )
    def reserve(self, start: int, length: int, nodes: int) -> None:
        start = max(start, self.now)
        hold = Hold(start, start + length, nodes)
        before = list(self.profile)
        if min(self.free[start : hold.end]) >= nodes:
            self.profile.reserve(*hold)
            self.holds.append(hold)
            self.count(hold, -nodes)
        else:
            with pytest.raises(ValueError, match=f"{nodes} nodes are not free"):
                self.profile.reserve(*hold)
            assert list(self.profile) == before

    @rule(nodes=st.integers(1, NODES), duration=st.integers(1, HORIZON), ahead=st.integers(0, 20))
    def reserve_at_the_earliest_place(self, nodes: int, duration: int, ahead: int) -> None:
        begin = self.profile.earliest(nodes, duration, self.now + ahead)
        assert begin == next(
            at
            for at in range(self.now + ahead, 3 * HORIZON)
            if all(free >= nodes for free in self.free[at : at + duration])
        )
        if begin + duration < len(self.free):
            hold = Hold(int(begin), int(begin) + duration, nodes)
            self.profile.reserve(*hold)
            self.holds.append(hold)
            self.count(hold, -nodes)

    @precondition(lambda self: self.holds)
    @rule(data=st.data())
    def release(self, data: st.DataObject) -> None:
        hold = data.draw(st.sampled_from(self.holds))
        self.holds.remove(hold)
        self.profile.release(max(hold.start, self.now), hold.end, hold.nodes)
        self.count(hold, hold.nodes)

    @precondition(lambda self: self.holds)
    @rule(data=st.data())
    def look_for_an_earlier_place(self, data: st.DataObject) -> None:
        """What a hold could have were it lifted, without lifting it."""
        hold = data.draw(st.sampled_from(self.holds))
        assume(hold.start >= self.now)
        duration = hold.end - hold.start
        found = self.profile.earliest(hold.nodes, duration, self.now, held=hold.start)
        self.count(hold, hold.nodes)
        assert found == next(
            at
            for at in range(self.now, hold.start + 1)
            if all(free >= hold.nodes for free in self.free[at : at + duration])
        )
        self.count(hold, -hold.nodes)

    @rule(step=st.integers(0, 5))
    def advance(self, step: int) -> None:
        self.now = min(self.now + step, HORIZON)
        self.profile.advance(self.now)

    def count(self, hold: Hold, change: int) -> None:
        for at in range(hold.start, hold.end):
            self.free[at] += change

    @invariant()
    def free_nodes_are_as_counted(self) -> None:
        assert [self.profile.at(now) for now in range(self.now, len(self.free))] == (
            self.free[self.now :]
        )

    @invariant()
    def steps_increase_and_each_is_a_change(self) -> None:
        times, free = zip(*self.profile, strict=True)
        assert times[0] == self.now
        assert list(times) == sorted(set(times))
        assert all(a != b for a, b in pairwise(free))


TestAgainstCounting = AgainstCounting.TestCase


def test_releases_at_one_instant_make_one_step() -> None:
    profile = Profile(8)
    profile.reserve(0, 40, 3)
    profile.reserve(0, 40, 5)
    assert list(profile) == [(0, 0), (40, 8)]


def test_a_job_may_begin_when_another_ends_and_end_when_the_next_begins() -> None:
    profile = Profile(4)
    profile.reserve(0, 10, 4)
    profile.reserve(25, 30, 1)
    assert profile.earliest(4, 15) == 10
    assert profile.earliest(4, 16) == 30


def test_no_gap_is_taken_that_is_too_short() -> None:
    profile = Profile(4)
    profile.reserve(0, 10, 3)
    profile.reserve(12, 20, 3)
    assert profile.earliest(2, 2) == 10
    assert profile.earliest(2, 3) == 20
    assert profile.earliest(1, 1000) == 0


def test_nothing_is_reserved_for_no_time() -> None:
    profile = Profile(4)
    profile.reserve(5, 5, 4)
    profile.release(9, 7, 4)
    assert list(profile) == [(0, 4)]
    assert profile.earliest(4, 0, 3) == 3


def test_a_reservation_without_end_leaves_what_it_does_not_need() -> None:
    profile = Profile(4)
    profile.reserve(0, inf, 3)
    assert profile.earliest(1, inf) == 0
    assert profile.at(10**12) == 1


def test_more_nodes_than_the_machine_has_never_come_free() -> None:
    with pytest.raises(ValueError, match="9 nodes never come free: the last step has 8"):
        Profile(8).earliest(9, 1)


def test_the_past_cannot_be_reserved() -> None:
    profile = Profile(8)
    profile.advance(10)
    with pytest.raises(ValueError, match="9 is before the profile begins, at 10"):
        profile.reserve(9, 12, 1)
    assert list(profile) == [(10, 8)]


@given(st.integers(-5, 5), st.integers(0, 30))
def test_looking_from_before_the_beginning_is_looking_from_the_beginning(
    start: int, now: int
) -> None:
    assume(start <= now)
    assert Profile(4, start=now).earliest(2, 5, start) == now


def test_releases_make_a_profile_and_one_that_has_passed_counts_as_now() -> None:
    profile = Profile.of_releases(10, 1, [(5, 2), (10, 1), (20, 1), (20, 2), (30, 1)])
    assert list(profile) == [(10, 4), (20, 7), (30, 8)]


@pytest.mark.parametrize(
    "nodes, duration, fits",
    [(2, 40, True), (2, 41, False), (1, 99, True), (3, 40, True), (4, 1, False)],
)
def test_a_job_fits_if_its_nodes_stay_free_until_it_ends(
    nodes: int, duration: int, *, fits: bool
) -> None:
    profile = Profile(3)
    profile.reserve(40, 60, 2)
    assert profile.fits(nodes, duration) is fits
