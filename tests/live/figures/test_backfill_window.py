"""The window of the page's candidates B, C and D."""

from typing import Any

import pytest

from shadowtime import live


def verdict(**values: Any) -> tuple[str, str]:
    shown = {
        r["label"]: r["text"] for r in live.figure("backfill-window").set(**values).data["readout"]
    }
    return shown["X"], shown["Why"]


@pytest.mark.parametrize(
    "nodes, estimate, as_the_text_says",
    [
        pytest.param(2, 15, ("starts now", "ends by the shadow time"), id="B"),
        pytest.param(2, 50, ("waits", "would delay the head"), id="C"),
        pytest.param(1, 60, ("waits", "would delay the head"), id="D"),
    ],
)
def test_with_two_nodes_free_the_page_is_right_and_as_drawn_all_may_start(
    nodes: int, estimate: int, as_the_text_says: tuple[str, str]
) -> None:
    assert verdict(nodes=nodes, estimate=estimate) == as_the_text_says
    assert verdict(nodes=nodes, estimate=estimate, free=4)[0] == "starts now"


def test_every_setting_agrees_with_the_definition_of_easy() -> None:
    for free in range(1, 5):
        for need in range(5, 9):
            # A frees four nodes at 40, the other job its own at 90.
            shadow = 40 if free + 4 >= need else 90
            extra = (free + 4 if shadow == 40 else 8) - need
            for nodes in range(1, 5):
                for estimate in (5, 40, 45, 90, 95, 120):
                    may = nodes <= free and (estimate <= shadow or nodes <= extra)
                    shown = verdict(nodes=nodes, estimate=estimate, free=free, need=need)
                    assert (shown[0] == "starts now") is may


def test_the_promise_is_drawn_at_the_shadow_time() -> None:
    data = live.figure("backfill-window").set(need=8).data
    assert [mark["at"] for mark in data["marks"]] == [90]
    assert [row["start"] for row in data["gantt"] if row["job"] == "H"] == [90]


def test_a_refused_candidate_is_drawn_as_refused() -> None:
    data = live.figure("backfill-window").set(estimate=50).data
    assert [row["kind"] for row in data["gantt"] if row["job"] == "X"] == ["refused"]
