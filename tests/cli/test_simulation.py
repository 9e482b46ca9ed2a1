"""``demo``, ``simulate`` and ``compare`` print what the library computes."""

import csv
import gzip
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from shadowtime import demo, simulate, traces
from shadowtime.machine import Machine
from shadowtime.policies.slurm import from_conf

Run = Callable[..., Result]
Log = Callable[..., Path]

PUBLISHED = """
fcfs                350   79.5         0       2.96      8.00       215
easy                350   79.5         3       1.75      6.67       215
conservative        365   76.2         0       1.22      2.56       230
J1      4      0     80     0     0            0
J2      2      0     25     0     0            0
J3      3      5     40    20    20           20
J4      6     10    150    70    70          115
J5      1     10     20    70    15            0
J6      2     20     60    80    65           45
J7      4     30     30   200   200           50
J8      5     45     90   215   215          230
J9      1     60     25   200     0            0
J10     2     75     50   185    70           10
"""
"""The figures of the published table, line by line."""


TEXTBOOK = """
fcfs               350  79.5  0  2.96  8.00  215  3.66  9.00
easy               355  78.3  4  1.73  6.83  220  2.20  7.83
conservative       355  78.3  4  1.73  6.83  220  2.20  7.83
conservative-none  370  75.2  4  1.79  7.33  235  2.28  8.33
first-fit          365  76.2  5  1.22  2.56  230  1.64  3.56
"""


def cells(text: str) -> list[list[str]]:
    """Lines of a table, without headings."""
    return [line.split() for line in text.splitlines() if re.search(r"\d\s*$", line)]


def test_demo_prints_the_published_table_figure_for_figure(run: Run) -> None:
    result = run("demo")
    assert result.exit_code == 0
    assert cells(result.stdout) == cells(PUBLISHED)
    assert "2225 node-minutes" in result.stdout


def test_demo_textbook_prints_the_correct_table(run: Run) -> None:
    lines = cells(run("demo", "--textbook").stdout)
    assert lines[:5] == cells(TEXTBOOK)
    assert lines[8] == cells("J4  6  10  150  70  75  75  90  115")[0]


@pytest.mark.parametrize("textbook", [False, True])
def test_demo_as_json_is_the_table(run: Run, textbook: bool) -> None:  # noqa: FBT001
    result = run("demo", "--json", *(["--textbook"] if textbook else []))
    data = json.loads(result.stdout)
    assert data["rules"] == ("textbook" if textbook else "published")
    assert (data["jobs"], data["nodes"]) == (10, 8)
    for line in demo.table(textbook=textbook):
        expected = line._asdict() | {"waits": list(line.waits)}
        assert {"policy": expected.pop("policy")} | data["policies"][line.policy] == {
            "policy": line.policy
        } | expected
    assert not result.stderr


def test_simulate_as_json_is_the_summary(run: Run, small: Path) -> None:
    for policy in ("fcfs", "easy", "conservative"):
        result = run("simulate", small, "--policy", policy, "--json", "--tau", 5)
        schedule = simulate(traces.read(small), policy)
        assert json.loads(result.stdout) == schedule.summary(tau=5)
        assert result.exit_code == 0


def test_simulate_prints_a_table(run: Run, small: Path) -> None:
    lines = dict(re.findall(r"^(.*?) {2,}(\S+)$", run("simulate", small).stdout, re.MULTILINE))
    assert lines["policy"] == "easy"
    assert lines["backfilled"] == "1"
    assert lines["max wait"] == "39"
    assert lines["utilization (%)"] == "61.3"


def test_simulate_writes_the_starts(run: Run, small: Path, tmp_path: Path) -> None:
    out = tmp_path / "starts.csv"
    assert run("simulate", small, "--out", out).exit_code == 0
    assert out.read_text() == "job,start\n1,0\n2,0\n3,40\n4,2\n"


def test_the_overrun_rule_is_the_users_choice(run: Run, log: Log) -> None:
    path = log("1 0 -1 50 8 -1 -1 8 20 -1 1 -1 -1 -1 -1 -1 -1 -1")
    for overrun, makespan in {"kill": 20, "extend": 50}.items():
        result = run("simulate", path, "--overrun", overrun, "--json")
        assert json.loads(result.stdout)["makespan"] == makespan


def test_the_machine_may_be_given(run: Run, small: Path) -> None:
    data = json.loads(run("simulate", small, "--nodes", 13, "--json").stdout)
    assert data["nodes"] == 13
    assert data["max_wait"] == 0


def test_limit_reads_the_first_jobs(run: Run, small: Path) -> None:
    for limit, jobs in {1: 1, 3: 3, 100: 4}.items():
        result = run("simulate", small, "--limit", limit, "--json")
        assert json.loads(result.stdout)["jobs"] == jobs


def test_explain_tells_why_a_job_started(run: Run, small: Path) -> None:
    result = run("simulate", small, "--explain", 4)
    story = str(simulate(traces.read(small), "easy", decisions=True).explain(4))
    assert result.stdout.endswith(f"\n\n{story}\n")
    assert "shadow time 40" in story
    data = json.loads(run("simulate", small, "--explain", 4, "--json").stdout)
    assert data["explanation"] == story.splitlines()


def test_compare_as_json_has_one_summary_a_policy(run: Run, small: Path) -> None:
    result = run("compare", small, "--policies", "easy, fcfs,easy", "--json")
    data = json.loads(result.stdout)
    jobs = traces.read(small)
    assert (data["jobs"], data["nodes"]) == (4, 8)
    assert list(data["policies"]) == ["easy", "fcfs"]
    for policy, summary in data["policies"].items():
        assert summary == simulate(jobs, policy).summary()


def test_compare_prints_one_line_a_policy(run: Run, small: Path) -> None:
    title, heading, *lines = run("compare", small).stdout.splitlines()
    assert title == "log: 4 jobs, 8 nodes; times in seconds"
    assert heading.startswith("policy")
    names = [line.split()[0] for line in lines]
    assert names == ["fcfs", "first-fit", "easy", "easy-sjbf", "conservative"]
    summary = simulate(traces.read(small), "easy").summary()
    assert float(lines[2].split()[1]) == round(summary["mean_wait"], 2) == 9.75
    assert lines[2].split()[-2:] == [str(summary["backfilled"]), str(summary["makespan"])]


@pytest.mark.parametrize("spelt", ["bf_interval=3600,defer", "SchedulerParameters={}", "conf"])
def test_slurm_is_set_as_in_its_configuration(run: Run, tmp_path: Path, spelt: str) -> None:
    settings = "bf_interval=3600,defer"
    spelt = spelt.format(settings)
    if spelt == "conf":
        conf = tmp_path / "slurm.conf"
        conf.write_text(f"ClusterName=ours\nSchedulerParameters={settings}\n")
        spelt = str(conf)
    jobs = traces.load("teaching")[:600]
    policy = from_conf(f"SchedulerParameters={settings}")
    expected = simulate(jobs, policy).summary()
    assert expected != simulate(jobs, "slurm").summary()
    options = ("--policy", "slurm", "--slurm", spelt, "--limit", 600, "--json")
    result = run("simulate", "teaching", *options)
    assert json.loads(result.stdout) == expected
    assert "note: defer is not modelled" in result.stderr


@pytest.mark.parametrize(
    "settings, message",
    [
        ("", "--slurm : there is nothing in it"),
        ("none.conf", "--slurm none.conf: there is no such file"),
        ("etc/none", "--slurm etc/none: there is no such file"),
        ("bf_window=x", "--slurm bf_window=x: bf_window = 'x' is not a whole number"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(run: Run, settings: str, message: str) -> None:
    result = run("simulate", "teaching", "--policy", "slurm", "--slurm", settings)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"shadowtime: {message}")


def test_a_file_without_settings_is_refused(run: Run, tmp_path: Path) -> None:
    conf = tmp_path / "slurm.conf"
    conf.write_text("ClusterName=ours\n")
    result = run("simulate", "teaching", "--policy", "slurm", "--slurm", conf)
    assert result.exit_code == 2
    assert "there is no SchedulerParameters= in this text" in result.stderr


def test_slurms_settings_are_for_slurm(run: Run, small: Path) -> None:
    result = run("compare", small, "--policies", "easy,fcfs", "--slurm", "bf_window=10")
    assert result.exit_code == 2
    assert result.stderr == (
        "shadowtime: --slurm sets policy slurm, and the policy is easy, fcfs\n"
    )


@pytest.mark.parametrize(
    "options, machine",
    [
        (["--contiguous"], Machine(128, "contiguous")),
        (["--switch-size", 16], Machine(128, "switch", 16)),
        (["--switch-size", 16, "--nodes", 130], Machine(130, "switch", 16)),
    ],
)
def test_a_job_may_need_nodes_in_their_places(
    run: Run, options: list[object], machine: Machine
) -> None:
    few = ("--limit", 300, "--json")
    data = json.loads(run("compare", "teaching", "--policies", "easy", *options, *few).stdout)
    jobs = traces.load("teaching")[:300]
    assert data["policies"]["easy"] == simulate(jobs, "easy", machine).summary()
    assert (
        json.loads(run("simulate", "teaching", *options, *few).stdout) == (data["policies"]["easy"])
    )


def test_a_machine_has_one_kind_of_placement(run: Run, small: Path) -> None:
    result = run("simulate", small, "--contiguous", "--switch-size", 4)
    assert result.exit_code == 2
    assert "one of the two" in result.stderr


def test_simulating_does_not_load_what_no_kernel_needs(small: Path) -> None:
    command = ["simulate", str(small), "--engine", "compiled"]
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "shadowtime", *command],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "numba" in loaded
    assert not {"scipy._lib", "pandas"} & loaded


def test_what_reading_left_out_goes_to_standard_error(run: Run, log: Log) -> None:
    path = log(
        "1 0 -1 5 8 -1 -1 8 20 -1 1 -1 -1 -1 -1 -1 -1 -1",
        "2 0 -1 -1 8 -1 -1 8 20 -1 1 -1 -1 -1 -1 -1 -1 -1",
    )
    result = run("simulate", path, "--clean", "--json")
    assert json.loads(result.stdout)["jobs"] == 1
    assert all(line.startswith("note: ") for line in result.stderr.splitlines())
    assert "run time unknown (-1): 1 (first: log.swf line 3, job 2" in result.stderr


def test_a_known_log_is_simulated_by_its_name(run: Run) -> None:
    data = json.loads(run("simulate", "teaching", "--json").stdout)
    assert (data["jobs"], data["nodes"]) == (5000, 128)


@pytest.mark.parametrize("policy,rule", [("fcfs", "pyss_{}_fcfs"), ("easy", "ref_{}_easy")])
def test_starts_are_those_of_other_simulators(
    run: Run, oracles_dir: Path, tmp_path: Path, policy: str, rule: str
) -> None:
    log = oracles_dir / "logs" / "hpc2n3k.swf.gz"
    out = tmp_path / "starts.csv"
    result = run("simulate", log, "--policy", policy, "--out", out, "--json")
    data = json.loads(result.stdout)
    mean_wait, slowdown = {"fcfs": (5588.634, 47.038), "easy": (3470.190, 16.214)}[policy]
    assert round(data["mean_wait"], 3) == mean_wait
    assert round(data["mean_bounded_slowdown"], 3) == slowdown
    expected = oracles_dir / "starts" / f"{rule.format('hpc2n3k')}.csv.gz"
    with gzip.open(expected, "rt") as theirs, out.open() as ours:
        assert list(csv.reader(ours)) == list(csv.reader(theirs))
