"""The core runs on the standard library alone, and importing the package costs nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

SOURCE = Path(__file__).parents[1] / "src"


def bare(code: str, *arguments: str) -> Any:
    """Run `code` in a Python that finds the package but no installed library; return its JSON."""
    ran = subprocess.run(
        [sys.executable, "-S", "-c", dedent(code), *arguments],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.parametrize("library", ["numpy", "pandas", "numba", "rich"])
def test_the_bare_interpreter_is_bare(library: str) -> None:
    assert bare(
        """
        import importlib.util, json, sys
        print(json.dumps(importlib.util.find_spec(sys.argv[1]) is None))
        """,
        library,
    )


def test_importing_the_package_loads_nothing_else() -> None:
    """Not even its own modules: each is loaded when a name of it is first used."""
    loaded = bare(
        """
        import json, sys
        before = set(sys.modules)
        import shadowtime
        new = set(sys.modules) - before
        print(json.dumps([m for m in new if m.partition(".")[0] not in sys.stdlib_module_names]))
        """
    )
    assert loaded == ["shadowtime"]


def test_importing_the_package_loads_no_library_even_where_there_are_some() -> None:
    code = """
        import sys
        before = set(sys.modules)
        import shadowtime
        shadowtime.simulate
        new = {name.partition(".")[0] for name in set(sys.modules) - before}
        sys.exit(", ".join(new - sys.stdlib_module_names - {"shadowtime"}) or None)
    """
    ran = subprocess.run(
        [sys.executable, "-c", dedent(code)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_every_policy_is_simulated_and_measured_on_the_standard_library_alone() -> None:
    results = bare(
        """
        import json
        import shadowtime as st
        jobs = st.Workload.from_jobs(
            [st.Job(1, 0, 5, 40, 40), st.Job(2, 1, 6, 20, 20), st.Job(3, 2, 3, 30, 30)],
            machine_nodes=8,
        )
        results = {}
        for name in st.policies.NAMES:
            schedule = st.simulate(jobs, name, decisions=True)
            str(schedule.explain(3))
            schedule.summary()
            st.metrics.by_size(schedule)
            results[name] = list(schedule.start)
        print(json.dumps(results))
        """
    )
    assert results["fcfs"] == [0, 40, 60]
    assert results["easy"] == results["conservative"] == [0, 40, 2]


def test_a_long_workload_is_simulated_without_numba_too() -> None:
    engine, last = bare(
        """
        import json
        import shadowtime as st
        n = 50_000
        jobs = st.Workload(
            id=range(n), submit=range(n), nodes=[1] * n, estimate=[2] * n, runtime=[2] * n
        )
        schedule = st.simulate(jobs, nodes=2)
        print(json.dumps([schedule.engine, schedule.start[-1]]))
        """
    )
    assert (engine, last) == ("readable", 49_999)


def test_logs_are_read_and_the_demo_runs_on_the_standard_library_alone(tmp_path: Path) -> None:
    log = tmp_path / "log.swf"
    log.write_text("; MaxProcs: 8\n1 0 -1 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1 -1\n")
    nodes, demo = bare(
        """
        import json, sys
        import shadowtime as st
        jobs = st.traces.read(sys.argv[1])
        print(json.dumps([jobs[0].nodes, len(st.demo.workload())]))
        """,
        str(log),
    )
    assert (nodes, demo) == (4, 10)
