"""Sweeps: every cell is computed, once, wherever it runs, and no failure costs another cell."""

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from shadowtime import InputError, Job, Workload, demo, simulate
from shadowtime.policies import State, Stateless, Waiting
from shadowtime.replay import cells, sweep
from shadowtime.schedule import Decision

pd = pytest.importorskip("pandas")


class Broken(Stateless):
    """Fails where a job needs more than four nodes."""

    name = "broken"

    def decide(self, state: State) -> Iterator[tuple[Waiting, Decision]]:
        for job in state.queue:
            if job.nodes > 4:
                raise RuntimeError(f"job {job.id} is too wide for me")
            if job.nodes <= state.free:
                yield state.start(job, "fits")


class Counting(ThreadPoolExecutor):
    """Counts what is submitted."""

    submitted = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.submitted += 1
        return super().submit(fn, *args, **kwargs)


def exact(workload: Workload) -> list[Any]:
    return list(workload.runtime)


def narrow() -> Workload:
    jobs = [Job(n, n, 2, 20, 10) for n in range(6)]
    return Workload.from_jobs(jobs, machine_nodes=8, name="narrow")


def check(table: Any) -> None:
    """Compare a table with single simulations."""
    for row in table.to_dict("records"):
        jobs = {"demo": demo.workload, "narrow": narrow}[row["workload"]]()
        planned = exact(jobs) if row["planned"] == "exact" else None
        summary = simulate(jobs, row["policy"], planned=planned).summary()
        assert {key: row[key] for key in summary} == summary


def test_every_cell_is_what_a_single_simulation_gives() -> None:
    with ThreadPoolExecutor(2) as pool:
        table = sweep(
            [demo.workload(), narrow()],
            ["fcfs", "easy", "conservative"],
            planned={"estimate": None, "exact": exact},
            executor=pool,
        )
    assert len(table) == 2 * 3 * 2
    assert table["error"].isna().all()
    assert list(table["workload"][:6]) == ["demo"] * 6
    check(table)


def test_a_process_pool_gives_the_same() -> None:
    with ProcessPoolExecutor(2) as pool:
        check(sweep([demo.workload(), narrow()], ["fcfs", "easy"], executor=pool))


def test_a_process_pool_is_the_default() -> None:
    check(sweep([demo.workload()], ["easy"], planned={"exact": exact}))


def test_a_dask_cluster_gives_the_same(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
            local_directory=str(tmp_path),
        ) as cluster,
        distributed.Client(cluster) as client,
    ):  # fmt: skip
        assert len(client.scheduler_info()["workers"]) == 2
        check(sweep([demo.workload(), narrow()], ["fcfs", "easy"], executor=client.get_executor()))


def test_a_failed_cell_is_reported_and_costs_no_other() -> None:
    with ThreadPoolExecutor(2) as pool:
        table = sweep([demo.workload(), narrow()], ["easy", Broken()], executor=pool)
    errors = table.set_index(["workload", "policy"])["error"]
    assert errors["demo", "broken"] == "RuntimeError: job 4 is too wide for me"
    assert errors.drop(("demo", "broken")).isna().all()
    assert table["mean_wait"].notna().sum() == 3


def test_an_interrupted_sweep_goes_on(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    with Counting(1) as pool:
        first = sweep([demo.workload()], ["fcfs", "easy"], executor=pool, results=results)
        assert pool.submitted == 2
        lines = results.read_text().splitlines(keepends=True)
        # The second line is cut in the middle, as a killed process leaves it.
        results.write_text(lines[0] + lines[1][:50])
        again = sweep([demo.workload()], ["fcfs", "easy"], executor=pool, results=results)
        assert pool.submitted == 3
        pd.testing.assert_frame_equal(first, again)
        assert pool.submitted == 3
        sweep([demo.workload()], ["fcfs", "easy", "first-fit"], executor=pool, results=results)
        assert pool.submitted >= 4


def test_an_interrupted_sweep_leaves_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """The executor is the caller's: it should not go on with cells that nobody waits for."""
    tasks: list[Future[Any]] = []

    class First(Executor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            tasks.append(Future())
            if len(tasks) == 1:
                tasks[0].set_result(fn(*args, **kwargs))
            return tasks[-1]

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cells, "_append", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sweep([demo.workload()], ["fcfs", "easy", "first-fit"], executor=First())
    assert [task.cancelled() for task in tasks] == [False, True, True]


def test_another_workload_of_the_same_name_is_computed_anew(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    longer = demo.workload().replace(runtime=[1] * 10)
    with Counting(1) as pool:
        one = sweep({"log": demo.workload()}, ["easy"], executor=pool, results=results)
        two = sweep({"log": longer}, ["easy"], executor=pool, results=results)
    assert pool.submitted == 2
    assert one["makespan"][0] != two["makespan"][0]


def test_failed_cells_are_tried_again(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    with Counting(1) as pool:
        for _ in range(2):
            sweep([demo.workload()], [Broken()], executor=pool, results=results)
    assert pool.submitted == 2


def opened(workload: Path, *_: Any) -> dict[str, Any]:
    """In the place of a cell's work: which process opened which file, and how often."""
    cells._open(workload)
    info = cells._open.cache_info()
    return {"pid": os.getpid(), "misses": info.misses}


def test_a_workload_travels_once_to_each_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "_run", opened)
    cells._open.cache_clear()
    with ProcessPoolExecutor(2) as pool:
        table = sweep([demo.workload()], {f"p{n}": "easy" for n in range(12)}, executor=pool)
    assert table["error"].isna().all()
    assert (table.groupby("pid")["misses"].max() == 1).all()


def test_names_must_differ(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="called 'demo'"):
        sweep([demo.workload(), demo.workload()], ["easy"])
    with pytest.raises(InputError, match="called 'easy'"):
        sweep([demo.workload()], ["easy", "easy"])
    with pytest.raises(InputError, match="nothing to simulate"):
        sweep([demo.workload()], [])


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    results.write_text(json.dumps({"policy": "easy"}) + "\nmore\n")
    with pytest.raises(InputError, match=r"results.jsonl line 1: this is not a row of a sweep"):
        sweep([demo.workload()], ["easy"], results=results)


def test_any_executor_will_do() -> None:
    class Here(Executor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_result(fn(*args, **kwargs))
            return future

    check(sweep([narrow()], ["fcfs"], executor=Here()))
