"""Figures for print: what is on the axes is what the schedule says."""

from collections.abc import Iterator

import pytest

from shadowtime import InputError, Schedule, demo, simulate
from shadowtime.placement import placement

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from matplotlib import pyplot as plt  # noqa: E402

from shadowtime import plots  # noqa: E402


@pytest.fixture(autouse=True)
def _close() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def schedules() -> list[Schedule]:
    return [simulate(demo.workload(), policy) for policy in ("fcfs", "easy", "conservative")]


def test_no_node_is_drawn_twice_at_one_time(schedules: list[Schedule]) -> None:
    for schedule in schedules:
        for row, blocks in enumerate(placement(schedule)):
            nodes = {node for first, n in blocks for node in range(first, first + n)}
            assert len(nodes) == schedule.workload.nodes[row]
            assert nodes <= set(range(schedule.nodes))
            for other in range(row):
                if schedule.start[other] < schedule.end[row] and (
                    schedule.start[row] < schedule.end[other]
                ):
                    held = {
                        n
                        for first, k in placement(schedule)[other]
                        for n in range(first, first + k)
                    }
                    assert not held & nodes


def test_gantt_draws_the_node_time_of_the_jobs(schedules: list[Schedule]) -> None:
    ax = plots.gantt(schedules[1])
    boxes = [path.get_extents() for c in ax.collections for path in c.get_paths()]
    assert sum(box.width * box.height for box in boxes) == 2225
    assert {text.get_text() for text in ax.texts} >= {f"J{job}" for job in range(1, 11)}


def test_gantt_marks_the_promise_that_the_head_was_given(schedules: list[Schedule]) -> None:
    easy = schedules[1]
    marks = [line for line in plots.gantt(easy).lines if line.get_marker() == "D"]
    promised = {mark.get_xdata()[0] for mark in marks}  # type: ignore[index]
    assert 100 in promised
    assert promised == {p for p in easy.first_reservation if p is not None}
    assert not plots.gantt(easy, promises=False).lines


def test_over_time_keeps_the_peak_of_the_queue(schedules: list[Schedule]) -> None:
    ax = plots.over_time(schedules, "queued", buckets=10, unit="min")
    assert ax.get_ylim()[1] >= max(schedules[0].timeline().queued)
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [
        "FCFS", "EASY", "Conservative",
    ]  # fmt: skip


def test_by_size_draws_a_bar_for_each_class_and_policy(schedules: list[Schedule]) -> None:
    ax = plots.by_size(schedules, unit="min")
    assert len(ax.patches) == 3 * 4
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2", "3-4", "5-8"]


def test_distribution_ends_at_all_jobs(schedules: list[Schedule]) -> None:
    for measure in ("bounded_slowdown", "wait"):
        ax = plots.distribution(schedules, measure)
        assert [line.get_ydata()[-1] for line in ax.lines] == [1, 1, 1]  # type: ignore[index]


def test_compare_shows_the_summary(schedules: list[Schedule]) -> None:
    axes = plots.compare(schedules, ["makespan", "mean_wait"])
    widths = [patch.get_width() for patch in axes[0].patches]
    assert widths == [schedule.summary()["makespan"] for schedule in schedules]


def test_figures_go_on_the_axes_given(schedules: list[Schedule]) -> None:
    _, ax = plt.subplots()
    assert plots.gantt(schedules[0], ax) is ax
    assert plots.over_time(schedules, ax=ax, unit="min") is ax


def test_unknown_series_and_units_are_refused(schedules: list[Schedule]) -> None:
    with pytest.raises(InputError, match="series = 'load'"):
        plots.over_time(schedules, "load")
    with pytest.raises(InputError, match="unit = 'weeks'"):
        plots.over_time(schedules, unit="weeks")
