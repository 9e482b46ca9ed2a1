"""The colours can be told apart by everyone and read on their paper."""

import itertools
import re

import pytest

from shadowtime import palette
from shadowtime.palette import Theme

THEMES: list[Theme] = ["light", "dark"]
FAMILIES = [palette.POLICIES, palette.PREDICTORS]
Linear = tuple[float, float, float]

# Machado, Oliveira & Fernandes (2009), severity 1.0, on linear RGB.
VISION = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(colour: str) -> Linear:
    def part(at: int) -> float:
        value = int(colour[at : at + 2], 16) / 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    return part(1), part(3), part(5)


def luminance(colour: Linear) -> float:
    red, green, blue = colour
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(linear(one)), luminance(linear(other))))
    return (high + 0.05) / (low + 0.05)


def lab(colour: Linear) -> Linear:
    red, green, blue = (min(1.0, max(0.0, part)) for part in colour)
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def seen(colour: str, vision: str) -> Linear:
    source = linear(colour)
    red, green, blue = (
        sum(a * b for a, b in zip(row, source, strict=True)) for row in VISION[vision]
    )
    return red, green, blue


@pytest.mark.parametrize("theme", THEMES)
def test_every_policy_and_predictor_is_readable_text_on_paper(theme: Theme) -> None:
    for family in FAMILIES:
        for name, colour in family[theme].items():
            for ground in ("paper", "panel"):
                ratio = contrast(colour, palette.ROLES[theme][ground])
                assert ratio >= (4.5 if ground == "paper" else 4.3), (name, ground, ratio)


@pytest.mark.parametrize("theme", THEMES)
def test_text_of_the_figures_is_readable(theme: Theme) -> None:
    roles = palette.ROLES[theme]
    pairs = [("ink", "paper"), ("muted", "paper"), ("muted", "panel"), ("job-ink", "job")]
    pairs += [("on-colour", "head"), ("error", "paper"), ("accent", "paper"), ("accent", "panel")]
    for text, ground in pairs:
        assert contrast(roles[text], roles[ground]) >= 4.5, (text, ground)
    for name, colour in palette.POLICIES[theme].items():
        assert contrast(roles["on-colour"], colour) >= 4.5, name


@pytest.mark.parametrize("theme", THEMES)
def test_edges_and_controls_stand_out_from_the_ground(theme: Theme) -> None:
    roles = palette.ROLES[theme]
    for part, ground in [("control", "panel"), ("control", "paper"), ("idle", "paper")]:
        assert contrast(roles[part], roles[ground]) >= 3, (part, ground)


@pytest.mark.parametrize("theme", THEMES)
def test_members_of_a_family_differ_in_grey(theme: Theme) -> None:
    for family in FAMILIES:
        lightness = sorted(lab(linear(colour))[0] for colour in family[theme].values())
        assert min(b - a for a, b in itertools.pairwise(lightness)) >= 6


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("vision", VISION)
def test_members_of_a_family_differ_for_every_colour_vision(theme: Theme, vision: str) -> None:
    for family in FAMILIES:
        for (a, one), (b, other) in itertools.combinations(family[theme].items(), 2):
            pair = zip(lab(seen(one, vision)), lab(seen(other, vision)), strict=True)
            distance = sum((p - q) ** 2 for p, q in pair) ** 0.5
            assert distance >= 8, (a, b, distance)


def test_both_themes_name_the_same_colours() -> None:
    for family in (*FAMILIES, palette.ROLES):
        assert family["light"].keys() == family["dark"].keys()
    assert set(palette.NAMES) >= {*palette.POLICIES["light"], *palette.PREDICTORS["light"]}


def test_the_stylesheet_defines_every_variable_in_both_themes() -> None:
    css = palette.stylesheet()
    for name in (*palette.POLICIES["light"], *palette.PREDICTORS["light"], *palette.ROLES["light"]):
        assert palette.variable(name) == f"var(--st-{name})"
        assert len(re.findall(rf"--st-{name}:", css)) == 2


def test_an_unknown_name_says_what_there_is() -> None:
    with pytest.raises(KeyError, match="no colour is named 'slurm'; there are fcfs"):
        palette.colour("slurm")
