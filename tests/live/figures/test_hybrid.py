"""The hybrid figure shows the study's replay of its partition, at every percentile."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import InputError, Workload, live
from shadowtime.live import progress, routing
from shadowtime.live.figures.hybrid import SHOWN
from shadowtime.partitions import observed_peak, partitions
from shadowtime.prediction import Predictions, hybrid, teaching
from shadowtime.replay.partitioned import replay_partitions


@pytest.fixture(scope="module")
def predictions() -> Predictions:
    """The predictions of the figure, as an evaluation would have returned them."""
    workload, planned = teaching.load()
    every = np.arange(len(workload))
    columns = {name: np.array(column, dtype=float) for name, column in planned.items()}
    return Predictions(workload, every, every * 0, np.array([workload.submit[0]]), columns)


@pytest.fixture(scope="module")
def partition(predictions: Predictions) -> tuple[Workload, dict[str, Any]]:
    """The jobs that the figure shows, and their plans."""
    jobs, planned = predictions.jobs()
    rows = next(part.rows for part in partitions(jobs) if part.name == SHOWN)
    return jobs.select(rows), {name: column[rows] for name, column in planned.items()}


def shown(**values: Any) -> live.Data:
    return live.figure("hybrid").set(**values).data


def numbers(data: live.Data) -> dict[tuple[str, str], Any]:
    return {(row["label"], row["of"]): row["value"] for row in data["readout"]}


@pytest.mark.parametrize(
    "setting",
    [{}, {"percentile": 50}, {"correction": "request"}, {"percentile": 80, "load": 0.8}],
    ids=str,
)
def test_every_control_shows_what_the_studys_replay_gives(
    setting: dict[str, Any], partition: tuple[Workload, dict[str, Any]]
) -> None:
    values: dict[str, Any] = {"percentile": 90, "correction": "none", "load": 1, **setting}
    jobs, planned = partition
    plans = {name: planned[name] for name in ("request", "xgboost")}
    routed = hybrid.route(jobs, values["percentile"])
    plans["hybrid"] = hybrid.combine(plans["request"], plans["xgboost"], routed)
    with ThreadPoolExecutor(1) as pool:
        made = replay_partitions(
            jobs.scale_load(values["load"]),
            plans,
            corrections=[values["correction"]],
            capacity=observed_peak(jobs),
            executor=pool,
            progress=False,
        )
    found = numbers(shown(**values))
    for row in made.table.to_dict("records"):
        of = row["planned"]
        assert found["Mean wait", of] == pytest.approx(row["mean_wait"] / 3600)
        assert found["Backfilled", of] == row["backfilled"]
        assert found["Bounded slowdown", of] == pytest.approx(row["mean_bounded_slowdown"])
        late = np.mean(plans[of] < np.array(jobs.runtime))
        assert found["UnderRate", of] == pytest.approx(100 * late)
    change = made.changes().iloc[0]
    assert found["Mean wait, change", "hybrid"] == pytest.approx(100 * change["mean_wait_change"])
    assert found["Backfilled, change", "hybrid"] == pytest.approx(100 * change["backfilled_change"])


def test_the_machine_is_what_the_partitioned_replay_takes(predictions: Predictions) -> None:
    jobs, planned = predictions.jobs()
    with ThreadPoolExecutor(1) as pool:
        made = replay_partitions(
            jobs, {"request": planned["request"]}, executor=pool, progress=False
        )
    expected = made.table.set_index("partition").loc[SHOWN]
    said = shown()["story"][0]["text"]
    assert f"{expected['jobs']:,} jobs on {expected['nodes']} nodes" in said
    assert numbers(shown())["Mean wait", "request"] == pytest.approx(expected["mean_wait"] / 3600)


def test_the_ends_of_the_curve_are_the_two_sources_alone() -> None:
    data = shown(percentile=100)
    found = numbers(data)
    ends = {row["plan"]: row for row in data["curve"] if row["plan"] != "hybrid"}
    assert ends["request"]["percentile"] == 0
    assert ends["request"]["wait"] == found["Mean wait", "request"]
    assert ends["model"]["percentile"] == 100
    assert ends["model"]["wait"] == found["Mean wait", "xgboost"] == found["Mean wait", "hybrid"]
    assert numbers(shown(percentile=0))["Mean wait", "hybrid"] == ends["request"]["wait"]


def test_the_chosen_point_lies_on_the_curve_wherever_the_slider_stands() -> None:
    slider = next(each for each in live.figure("hybrid").controls if each.name == "percentile")
    assert isinstance(slider, live.Slider)
    places = range(int(slider.min), int(slider.max) + 1, int(slider.step))
    data = shown(percentile=65)
    curve = {row["percentile"]: row["wait"] for row in data["curve"]}
    assert list(curve) == list(places)
    assert data["here"][0]["wait"] == curve[65]


def test_the_bars_and_words_tell_where_the_routed_jobs_lie(
    partition: tuple[Workload, dict[str, Any]],
) -> None:
    jobs, _ = partition
    for percentile in (70, 90):
        data = shown(percentile=percentile)
        routed = hybrid.route(jobs, percentile)
        order = np.argsort(hybrid.usage(jobs), kind="stable")
        rank = np.empty(len(jobs), dtype=int)
        rank[order] = np.arange(len(jobs)) * 10 // len(jobs)
        bars = [100 * routed[rank == group].mean() for group in range(10)]
        assert [row["share"] for row in data["routed"]] == pytest.approx(bars)
        recall = hybrid.recall(jobs, percentile, each=()).iloc[0]
        said = data["story"][1]["text"]
        assert said.startswith(f"{recall['routed']:,.0f} jobs are planned as requested")
        assert f"{100 * recall['recall']:.1f} % of the {recall['tail']:,.0f} jobs" in said
        assert f"{100 * recall['cost_recall']:.1f} % of their node-time" in said


@given(
    st.lists(st.integers(1, 60) | st.floats(1, 1e9), min_size=1, max_size=60), st.integers(0, 100)
)
def test_jobs_are_routed_as_the_package_routes_them(cost: list[float], percentile: int) -> None:
    limit = np.percentile(cost, percentile)
    # A percentile between two costs is a sum of products: the last bit of it may differ.
    clear = np.abs(np.array(cost) - limit) > 1e-12 * limit
    found = np.array(routing.above(cost, percentile))
    assert (found == hybrid.above(cost, percentile))[clear | (np.array(cost) == limit)].all()
    if percentile == 0:
        assert found.all()


def test_what_has_been_replayed_is_not_replayed_again() -> None:
    lines: list[str] = []
    workload, planned = teaching.load()
    jobs = workload[:300]
    made = routing.Routing(jobs, planned["request"][:300], [60] * 300, "mine")
    params: dict[str, Any] = {"percentile": 90, "correction": "none", "load": 1}
    progress.listen(lines.append)
    try:
        made.compute(params)
        count = len(lines)
        assert 2 < count <= len(routing.PERCENTILES)
        made.compute({**params, "percentile": 40})
        assert len(lines) == count
        made.compute({**params, "load": 0.9})
        assert len(lines) == 2 * count
    finally:
        progress.listen(None)


def test_many_jobs_are_replayed_by_the_compiled_engine_and_as_few(
    predictions: Predictions, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    slow = live.figure("hybrid", predictions=predictions).set(correction="increments").data
    monkeypatch.setattr(routing, "LARGE", 1)
    fast = live.figure("hybrid", predictions=predictions).set(correction="increments").data
    for one, other in zip(slow["curve"], fast["curve"], strict=True):
        assert one == pytest.approx(other)


def test_in_a_notebook_queues_and_years_can_be_chosen(predictions: Predictions) -> None:
    fig = live.figure("hybrid", predictions=predictions)
    assert fig.values["partition"] == SHOWN
    assert numbers(fig.data) == numbers(shown())
    other = fig.set(partition="short/1").data
    assert "queue short" in other["story"][0]["text"]
    assert len(fig.controls) <= 5


def test_in_a_notebook_any_model_will_do(predictions: Predictions) -> None:
    def figure(**planned: Any) -> live.LiveFigure:
        table = Predictions(
            predictions.workload, predictions.row, predictions.split, predictions.start, planned
        )
        return live.figure("hybrid", predictions=table)

    request = predictions.planned["request"]
    data = figure(request=request, mine=request).data
    found = numbers(data)
    assert found["Mean wait", "mine"] == found["Mean wait", "request"]
    assert data["key"][-1]["label"] == "mine alone"
    for planned in ({"request": request}, {"mine": request}):
        with pytest.raises(InputError, match="needs 'request' and a model"):
            figure(**planned)
    with pytest.raises(InputError, match="no job for which every predictor"):
        figure(request=request, mine=-request)


def test_the_words_for_those_who_do_not_see_it_are_true() -> None:
    data = shown()
    found = numbers(data)
    alt = live.figure("hybrid").alt
    for of, words in (("request", "{} hours"), ("hybrid", "{} at percentile"), ("xgboost", "{} w")):
        assert words.format(round(found["Mean wait", of])) in alt
    assert f"{found['Backfilled', 'request']} to {found['Backfilled', 'xgboost']}" in alt
    assert 55 < data["routed"][-1]["share"] < 65
