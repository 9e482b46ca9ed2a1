"""A control takes what it can show, and says what is wrong with anything else."""

import pytest

from shadowtime.live import Choice, Slider, Toggle
from shadowtime.live.controls import Value

WIDTH = Slider(name="width", label="Width", min=1, max=8, default=6, unit="nodes")
FACTOR = Slider(name="factor", label="Factor", min=1, max=2, step=0.1, default=1.5)
POLICY = Choice(
    name="policy", label="Policy", options={"easy": "EASY", "fcfs": "FCFS"}, default="easy"
)


@pytest.mark.parametrize("value", [1, 8, 3, 3.0])
def test_a_slider_of_whole_steps_gives_ints(value: float) -> None:
    taken = WIDTH.check(value)
    assert taken == value
    assert isinstance(taken, int)


@pytest.mark.parametrize("value", [1, 1.3, 1.7000000000000002, 2])
def test_a_slider_takes_each_of_its_steps_whatever_the_rounding(value: float) -> None:
    assert FACTOR.check(value) == value


@pytest.mark.parametrize(
    "value, complaint",
    [
        (0, "width = 0: must be from 1 to 8"),
        (9, "width = 9: must be from 1 to 8"),
        (2.5, r"width = 2.5: must be 1 plus steps of 1"),
        ("6", "width = '6': must be a number"),
        (True, "width = True: must be a number"),
        (float("nan"), "width = nan: must be a number"),
    ],
)
def test_a_slider_refuses_what_it_cannot_show(value: Value, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        WIDTH.check(value)


def test_a_slider_needs_room_and_a_default_within_it() -> None:
    with pytest.raises(ValueError, match="needs min < max"):
        Slider(name="n", label="N", min=3, max=3, default=3)
    with pytest.raises(ValueError, match="must be from 0 to 3"):
        Slider(name="n", label="N", min=0, max=3, default=4)


def test_a_choice_refuses_what_is_not_on_its_list() -> None:
    assert POLICY.check("fcfs") == "fcfs"
    with pytest.raises(ValueError, match="policy = 'sjf': must be one of easy, fcfs"):
        POLICY.check("sjf")
    with pytest.raises(ValueError, match="must be one of"):
        Choice(name="policy", label="Policy", options={"easy": "EASY"}, default="fcfs")


def test_a_toggle_is_on_or_off() -> None:
    toggle = Toggle(name="kill", label="Kill at the estimate")
    assert toggle.check(value=True) is True
    with pytest.raises(ValueError, match="kill = 1: must be True or False"):
        toggle.check(1)
