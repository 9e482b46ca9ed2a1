"""The replay figure shows what simulations of its settings give, on any log."""

from pathlib import Path
from typing import Any

import pytest

from shadowtime import InputError, Job, Workload, live, metrics, simulate, traces
from shadowtime.live import progress
from shadowtime.live.figures import replay


def numbers(data: live.Data) -> dict[tuple[str, str], Any]:
    return {(row["label"], row["of"]): row["value"] for row in data["readout"]}


def facts(data: live.Data) -> str:
    return "\n".join(row["text"] for row in data["story"])


@pytest.mark.parametrize(
    "setting",
    [{}, {"load": 0.7}, {"jobs": "1000"}, {"first": "first-fit"}, {"second": "easy-sjbf"}],
    ids=str,
)
def test_every_control_shows_what_a_simulation_gives(setting: dict[str, Any]) -> None:
    fig = live.figure("replay").set(**{"jobs": "2000", **setting})
    values: dict[str, Any] = dict(fig.values)
    jobs = traces.load("teaching")[: int(values["jobs"])].scale_load(values["load"])
    shown = numbers(fig.data)
    for policy in (values["first"], values["second"]):
        schedule = simulate(jobs, policy, engine="readable")
        summary = schedule.summary()
        assert shown["Mean wait", policy] == pytest.approx(summary["mean_wait"] / 3600)
        assert shown["Utilization", policy] == pytest.approx(100 * summary["utilization"])
        bars = [row["hours"] for row in fig.data["waits"] if row["policy"] == policy]
        assert bars == pytest.approx([r["mean_wait"] / 3600 for r in metrics.by_size(schedule)])


def test_two_equal_policies_are_drawn_once() -> None:
    data = live.figure("replay").set(jobs="1000", first="easy", second="easy").data
    assert {row["policy"] for row in data["waits"]} == {"easy"}
    assert [row["role"] for row in data["key"]] == ["easy"]


def test_only_what_has_changed_is_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def counted(jobs: Workload, policy: str) -> Any:
        made.append(policy)
        return simulate(jobs, policy)

    monkeypatch.setattr(replay, "simulate", counted)
    fig = live.figure("replay", workload=traces.load("teaching")[:200])
    fig.data  # noqa: B018
    fig.set(second="first-fit").data  # noqa: B018
    fig.set(second="easy").data  # noqa: B018
    assert made == ["fcfs", "easy", "first-fit"]
    fig.set(load=0.5).data  # noqa: B018
    assert made[3:] == ["fcfs", "easy"]


def test_a_file_of_ones_own_is_replayed_and_its_report_shown(tmp_path: Path) -> None:
    log = tmp_path / "mine.swf"
    log.write_text(
        "1 0 -1 3600 4 -1 -1 4 7200 -1 1 1 1 -1 1 -1 -1 -1\n"
        "2 10 -1 3600 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n"
        "3 20 -1 -1 2 -1 -1 2 60 -1 0 1 1 -1 1 -1 -1 -1\n"
        "not a job\n"
    )
    data = live.figure("replay").set(log=str(log)).data
    assert numbers(data)["Longest wait", "fcfs"] == pytest.approx(3590 / 3600)
    said = facts(data)
    assert "mine.swf" in said
    assert "run time" in said
    assert "widest job stands for it, 4 nodes" in said
    assert "2 jobs on 4 nodes" in said


def test_a_file_that_is_no_log_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "letter.txt"
    log.write_text("Dear all,\n")
    with pytest.raises(InputError, match="letter"):
        live.figure("replay").set(log=str(log)).data  # noqa: B018


def test_a_workload_of_ones_own_needs_no_file() -> None:
    jobs = Workload.from_jobs([Job(1, 0, 4, 7200, 3600), Job(2, 0, 4, 3600, 3600)], machine_nodes=4)
    fig = live.figure("replay", workload=jobs)
    assert "log" not in fig.values
    assert numbers(fig.data)["Longest wait", "easy"] == 1
    with pytest.raises(ValueError, match="takes no workload"):
        live.figure("welcome", workload=jobs)


@pytest.mark.parametrize("load", [0.55, 0.95, 1.0, 1.35])
def test_a_long_log_is_scaled_as_a_short_one(load: float, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    jobs = traces.load("teaching")
    monkeypatch.setattr(replay, "LARGE", 1)
    assert list(replay.scaled(jobs, load).submit) == list(jobs.scale_load(load).submit)


def test_a_replay_tells_how_far_it_is() -> None:
    lines: list[str] = []
    progress.listen(lines.append)
    try:
        replay.Replays(traces.load("teaching")[:600]).compute(
            {"load": 1, "first": "fcfs", "second": "fcfs"}
        )
    finally:
        progress.listen(None)
    assert lines == ["FCFS: 250 of 600 jobs", "FCFS: 500 of 600 jobs"]


def test_a_notebook_too_offers_to_open_a_file_unless_it_was_given_a_workload() -> None:
    from shadowtime.live import html

    fig = live.figure("replay")
    assert 'type="file"' in html.element(fig, "module:function")
    assert 'type="file"' in html.element(fig)
    mine = replay.for_workload(traces.load("teaching")[:20])
    assert 'type="file"' not in html.element(mine)
