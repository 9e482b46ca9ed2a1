"""Rolling splits: nothing leaks, and where or how often they run makes no difference."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime import InputError, Workload, traces
from shadowtime.prediction import Jobs, LastN, Predictions, UserReq, evaluate, prepare
from shadowtime.prediction.rolling import run
from shadowtime.prediction.splits import DAY, splits

Maker = Any
WINDOW = 3


class Witness:
    """Says what it was shown; predicts how many jobs it learnt from."""

    name = "witness"

    def __init__(self) -> None:
        self.seen = 0.0

    def __repr__(self) -> str:
        return "Witness()"

    def fit(self, history: Jobs) -> Self:
        self.seen = float(len(history))
        return self

    def predict(self, jobs: Jobs) -> Any:
        return np.full(len(jobs), self.seen)


class Spy(Witness):
    """Keeps every table it is given."""

    shown: list[tuple[Jobs, Jobs]]

    def __init__(self) -> None:
        super().__init__()
        self.shown = []

    def __deepcopy__(self, memo: object) -> Spy:
        return self

    def fit(self, history: Jobs) -> Self:
        self.history = history
        return super().fit(history)

    def predict(self, jobs: Jobs) -> Any:
        self.shown.append((self.history, jobs))
        return super().predict(jobs)


class Stopping(UserReq):
    """Is interrupted after a few days."""

    def predict(self, jobs: Jobs) -> Any:
        if jobs["submit"][0] > 7 * DAY:
            raise KeyboardInterrupt
        return super().predict(jobs)

    def __repr__(self) -> str:
        return repr(UserReq())


class Counting(Executor):
    """Runs tasks at once, and counts those that are under way."""

    def __init__(self) -> None:
        self.tasks = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks += 1
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def same(one: Predictions, other: Predictions) -> bool:
    return (
        one.row.tolist() == other.row.tolist()
        and one.split.tolist() == other.split.tolist()
        and all(
            one.planned[name].tobytes() == other.planned[name].tobytes() for name in one.planned
        )
    )


@settings(max_examples=40)
@given(st.integers(1, 60), st.integers(0, 1000), st.sampled_from([0.5, 1, 2]), st.integers(1, 3))
def test_each_day_learns_from_what_had_ended_and_predicts_its_own_jobs(
    jobs: int, seed: int, every: float, window: int
) -> None:
    rng = np.random.default_rng(seed)
    submit = np.sort(rng.integers(DAY // 2, 8 * DAY, size=jobs))
    end = submit + rng.integers(0, 2 * DAY, size=jobs)
    table = Jobs({"submit": submit, "end": end})
    first = int(submit[0]) // DAY * DAY + window * DAY
    if submit[-1] < first:
        with pytest.raises(InputError, match="no split"):
            splits(table, window_days=window, every_days=every)
        return
    found, by_end = splits(table, window_days=window, every_days=every)
    expected = []
    day: float = first
    while day <= submit[-1]:
        history = {row for row in range(jobs) if day - window * DAY <= end[row] < day}
        test = [row for row in range(jobs) if day <= submit[row] < day + every * DAY]
        if history and test:
            expected.append((day, history, test))
        day += every * DAY
    told = [
        (split.start, set(by_end[split.history].tolist()), list(range(jobs))[split.test])
        for split in found
    ]
    assert told == expected
    assert (np.diff(end[by_end]) >= 0).all()


def test_predictors_are_shown_no_outcome_of_the_jobs_they_predict(log: Workload) -> None:
    spy = Spy()
    found = evaluate(log, [spy], window_days=WINDOW, progress=False)
    assert len(spy.shown) == len(found.start)
    for start, (history, test) in zip(found.start, spy.shown, strict=True):
        assert "runtime" not in test
        assert "end" not in test
        assert history["end"].max() < start <= test["submit"].min()
        assert (np.diff(history["end"]) >= 0).all()


@pytest.mark.parametrize("predictor", ["request", "last2", "xgboost"])
def test_a_planted_job_changes_nothing_before_its_end(make: Maker, predictor: str) -> None:
    """A job that starts early and runs long, by a user of its own and of ours, ends on day 8."""
    log = make()
    planted = {
        "id": 9999, "submit": 4 * DAY + 1, "nodes": 64, "estimate": 40 * DAY, "runtime": 4 * DAY,
    }  # fmt: skip
    frame = log.to_frame()
    for user in (1, 77):
        new = {**frame.iloc[0].to_dict(), **planted, "wait": 0, "user": user}
        with_it = Workload.from_frame(
            pd.concat([frame, pd.DataFrame([new])], ignore_index=True),
            machine_nodes=64,
        )
        before = evaluate(log, [predictor], window_days=WINDOW, progress=False).to_frame()
        after = evaluate(with_it, [predictor], window_days=WINDOW, progress=False).to_frame()
        after = after[after["job"] != planted["id"]]
        assert after["job"].tolist() == before["job"].tolist()
        early = (before["submit"] < 8 * DAY).to_numpy()
        column = f"planned_{predictor}"
        assert after[column][early].tolist() == before[column][early].tolist()
        if predictor == "xgboost":
            assert after[column][~early].tolist() != before[column][~early].tolist()


def test_the_runtimes_of_the_future_do_not_matter(log: Workload) -> None:
    """Whatever the jobs after a day turn out to be, the predictions of that day are the same."""
    late = [submit >= 7 * DAY for submit in log.submit]
    other = log.replace(
        runtime=[
            99_999 if is_late else runtime
            for runtime, is_late in zip(log.runtime, late, strict=True)
        ],
        user=[
            99 if is_late else user for user, is_late in zip(log.extra["user"], late, strict=True)
        ],
    )
    one, two = (
        evaluate(each, ["last2", "xgboost"], window_days=WINDOW, progress=False)
        for each in (log, other)
    )
    early = one.start[one.split] < 7 * DAY
    assert early.any()
    for name in one.planned:
        assert one.planned[name][early].tolist() == two.planned[name][early].tolist()


@pytest.mark.parametrize("kind", ["threads", "processes", "any"])
def test_the_executor_makes_no_difference(log: Workload, kind: str) -> None:
    names = ["request", "last2", "xgboost"]
    alone = evaluate(log, names, window_days=WINDOW, progress=False)
    executors: dict[str, Any] = {
        "threads": ThreadPoolExecutor(3),
        "processes": ProcessPoolExecutor(2),
        "any": nullcontext(Counting()),
    }
    with executors[kind] as pool:
        together = evaluate(log, names, window_days=WINDOW, executor=pool, progress=False)
    assert same(alone, together)


def test_a_dask_cluster_makes_no_difference(log: Workload) -> None:
    distributed = pytest.importorskip("distributed")
    alone = evaluate(log, ["request", "last2"], window_days=WINDOW, progress=False)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        together = evaluate(
            log,
            ["request", "last2"],
            window_days=WINDOW,
            executor=client.get_executor(),
            progress=False,
        )
    assert same(alone, together)


def test_threads_do_not_share_what_a_predictor_remembers(log: Workload) -> None:
    alone = evaluate(log, [Witness()], window_days=WINDOW, progress=False)
    with ThreadPoolExecutor(4) as pool:
        together = evaluate(log, [Witness()], window_days=WINDOW, executor=pool, progress=False)
    assert same(alone, together)


def test_an_interrupted_evaluation_goes_on(log: Workload, tmp_path: Path) -> None:
    whole = evaluate(log, [UserReq(), Witness()], window_days=WINDOW, progress=False)
    file = tmp_path / "progress.jsonl"
    with pytest.raises(KeyboardInterrupt):
        evaluate(log, [Stopping(), Witness()], window_days=WINDOW, results=file, progress=False)
    finished = len(file.read_text().splitlines()) - 1
    assert 0 < finished < len(whole.start)
    spy = Spy()
    again = evaluate(log, [UserReq(), spy], window_days=WINDOW, results=file, progress=False)
    assert len(spy.shown) == len(whole.start) - finished
    assert same(whole, again)
    third = Spy()
    evaluate(log, [UserReq(), third], window_days=WINDOW, results=file, progress=False)
    assert third.shown == []


def test_a_line_that_was_cut_short_is_computed_again(log: Workload, tmp_path: Path) -> None:
    file = tmp_path / "progress.jsonl"
    whole = evaluate(log, ["last2"], window_days=WINDOW, results=file, progress=False)
    text = file.read_bytes()
    for size in (len(text) - 1, len(text) - 30, 10, 0):
        file.write_bytes(text[:size])
        again = evaluate(log, ["last2"], window_days=WINDOW, results=file, progress=False)
        assert same(whole, again)
        assert file.read_bytes() == text


def test_a_gap_in_the_middle_is_filled(log: Workload, tmp_path: Path) -> None:
    file = tmp_path / "progress.jsonl"
    whole = evaluate(log, ["last2"], window_days=WINDOW, results=file, progress=False)
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:3] + lines[5:]))
    with ThreadPoolExecutor(1) as pool:
        again = evaluate(
            log, ["last2"], window_days=WINDOW, results=file, executor=pool, progress=False
        )
    assert same(whole, again)


def test_a_file_of_something_else_is_refused(log: Workload, tmp_path: Path) -> None:
    file = tmp_path / "progress.jsonl"
    evaluate(log, ["last2"], window_days=WINDOW, results=file, progress=False)
    for others in (["last3"], [LastN(3, name="last2")]):
        with pytest.raises(InputError, match="other jobs or by other predictors"):
            evaluate(log, others, window_days=WINDOW, results=file, progress=False)
    with pytest.raises(InputError, match="other jobs or by other predictors"):
        evaluate(log, ["last2"], window_days=WINDOW + 1, results=file, progress=False)
    for text in ("id,submit\n", "[]\n", '{"predictions": 1\n'):
        file.write_text(text)
        with pytest.raises(InputError, match="line 1: this is no file of predictions"):
            evaluate(log, ["last2"], window_days=WINDOW, results=file, progress=False)


def test_what_is_under_way_is_bounded(make: Maker) -> None:
    """A cluster is never sent the whole log at once."""
    log = make(days=60, jobs=600)

    class Lazy(Counting):
        _max_workers = 2
        pending = 0
        most = 0

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            outer = self
            outer.pending += 1
            outer.most = max(outer.most, outer.pending)

            class Slow(Future[Any]):
                def result(self, timeout: float | None = None) -> Any:
                    outer.pending -= 1
                    return super().result(timeout)

            future = Slow()
            future.set_result(fn(*args, **kwargs))
            return future

    lazy = Lazy()
    evaluate(log, ["request"], window_days=WINDOW, executor=lazy, progress=False)
    assert lazy.pending == 0
    assert lazy.most <= 4


def test_a_task_holds_no_jobs_that_it_does_not_need(log: Workload) -> None:
    kept: list[Any] = []

    class Looking(Counting):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            kept.extend(args)
            return super().submit(fn, *args, **kwargs)

    found = evaluate(log, ["request"], window_days=WINDOW, executor=Looking(), progress=False)
    assert sum(len(task.test) for task in kept) == len(found)
    assert all(len(task.history) < len(log) for task in kept)
    assert sum(len(run(task)) for task in kept) == len(found.start)


class Wrong(UserReq):
    def predict(self, jobs: Jobs) -> Any:
        return super().predict(jobs)[:1].repeat(len(jobs) + 1)


def test_a_predictor_that_loses_jobs_is_named(log: Workload) -> None:
    with pytest.raises(InputError, match="predictor 'request' returned an array of shape"):
        evaluate(log, [Wrong()], window_days=WINDOW, progress=False)


def test_lengths_have_to_be_positive(log: Workload) -> None:
    with pytest.raises(InputError, match="window_days = 0"):
        evaluate(log, ["request"], window_days=0, progress=False)
    with pytest.raises(InputError, match=r"spans 11\.9 days: there is no split after 100"):
        evaluate(log, ["request"], progress=False)


def test_the_progress_file_is_plain_json(log: Workload, tmp_path: Path) -> None:
    file = tmp_path / "progress.jsonl"
    found = evaluate(log, ["request"], window_days=WINDOW, results=file, progress=False)
    head, *lines = map(json.loads, file.read_text().splitlines())
    assert list(head) == ["predictions"]
    assert [line["split"] for line in lines] == list(range(len(found.start)))
    planned = [value for line in lines for value in line["planned"]["request"]]
    assert planned == found.planned["request"].tolist()


@pytest.fixture(scope="module")
def kth(traces_dir: Path) -> Iterator[Predictions]:
    log = traces.read(traces_dir / "KTH-SP2-1996-2.1-cln.swf.gz")
    with ThreadPoolExecutor(2) as pool:
        yield evaluate(prepare(log), executor=pool, progress=False)


EXPECTED = {
    "xgboost": (0.606, 0.702, 0.518, 0.811),
    "last2": (0.495, 0.366, 0.445, None),
    "request": (0.617, 0.824, 0.023, 0.011),
}
"""A_mean, A_geo, UnderRate and UnderRate of the top decile, by an independent program."""


@pytest.mark.traces
def test_kth_gives_what_an_independent_program_found(kth: Predictions) -> None:
    assert (len(kth), len(kth.start)) == (16_445, 234)
    assert kth.valid.sum() == pytest.approx(15_104, rel=0.002)
    scores = kth.scores()
    top = kth.by_decile().query("decile == 10").set_index("predictor")
    for name, (a_mean, a_geo, under, under_top) in EXPECTED.items():
        row = scores.loc[name]
        assert (row["A_mean"], row["A_geo"], row["UnderRate"]) == pytest.approx(
            (a_mean, a_geo, under), abs=0.005
        )
        if under_top is not None:
            assert top.loc[name, "UnderRate"] == pytest.approx(under_top, abs=0.005)
    for measure in ("A_mean", "A_geo"):
        assert list(scores.sort_values(measure).index) == ["last2", "xgboost", "request"]
    assert list(scores.sort_values("UnderRate").index) == ["request", "last2", "xgboost"]
    assert top.loc["request", "usage_share"] == pytest.approx(0.711, abs=0.002)


@pytest.mark.traces
def test_on_kth_the_request_is_better_on_four_of_five_days(kth: Predictions) -> None:
    rates = kth.win_rates("xgboost", "request")
    assert rates.loc["A_geo", "days"] == 234
    assert rates.loc["A_geo", "request"] == pytest.approx(0.829, abs=0.005)
