"""Slurm's accounts are read as sacct prints them, with every oddity that they are known for."""

from __future__ import annotations

import gzip
import io
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import InputError, Workload, partitions, prediction, traces
from shadowtime.traces import sacct
from shadowtime.traces.clock import TWICE

JOB = {
    "JobID": "123",
    "User": "ann",
    "Partition": "short",
    "Submit": "2024-05-01T12:00:00",
    "Start": "2024-05-01T12:00:30",
    "End": "2024-05-01T12:01:30",
    "Elapsed": "00:01:00",
    "State": "COMPLETED",
    "NNodes": "4",
    "ReqCPUS": "16",
    "Timelimit": "01:00:00",
    "JobName": "wrap",
}
NOON = 1_714_564_800

POZIDRIV = (
    "jobid,jobidraw,cluster,partition,qos,account,group,gid,user,uid,submit,eligible,start,end,"
    "elapsed,exitcode,state,nnodes,ncpus,reqcpus,reqmem,reqtres,alloctres,timelimit,nodelist,"
    "jobname"
)


def log(*jobs: dict[str, str], bar: str = "", header: bool = True) -> io.BytesIO:
    """Return a print of sacct of jobs given by what differs from a good one."""
    names = list(JOB | jobs[0])
    rows = [names, *([(JOB | job)[name] for name in names] for job in jobs)]
    text = "".join("|".join(row) + bar + "\n" for row in rows[0 if header else 1 :])
    file = io.BytesIO(text.encode("utf-8", "surrogateescape"))
    file.name = "log.txt"
    return file


def read(*jobs: dict[str, str], **options: Any) -> Workload:
    return sacct.read(log(*jobs), **options)


def notes(workload: Workload) -> list[str]:
    usual = ("machine", "read as UTC", "longer than requested", "run time of 0")
    return [note for note in workload.report.notes if not any(text in note for text in usual)]


def test_a_job_is_read_with_what_tells_it_apart() -> None:
    workload = read({})
    assert workload.name == "log"
    (job,) = workload
    assert (job.id, job.submit, job.nodes, job.estimate, job.runtime) == (123, NOON, 4, 3600, 60)
    assert {key: list(values) for key, values in workload.extra.items()} == {
        "wait": [30],
        "user": ["ann"],
        "queue": ["short"],
        "name": ["wrap"],
        "status": ["COMPLETED"],
        "processors": [16],
    }
    assert notes(workload) == []


# Durations


@pytest.mark.parametrize(
    "text, seconds",
    [
        ("1-02:03:04", 93_784),
        ("02:03.500", 123.5),
        ("4:00", 240),
        ("2-12", 216_000),
        ("2-12:30", 217_800),
        ("00:00:59", 59),
        ("125-00:00:00", 10_800_000),
    ],
)
def test_durations_are_read_in_all_forms(text: str, seconds: float) -> None:
    assert list(read({"Elapsed": text, "End": JOB["End"]}).runtime) == [seconds]
    assert list(read({"Timelimit": text}).estimate) == [seconds]


@given(st.integers(0, 10**6))
def test_a_duration_means_what_its_parts_add_up_to(seconds: int) -> None:
    days, rest = divmod(seconds, 86_400)
    text = f"{days}-{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    assert list(read({"Elapsed": text}).runtime) == [seconds]


def test_raw_columns_count_seconds_and_minutes() -> None:
    workload = read({"ElapsedRaw": "61", "TimelimitRaw": "2"})
    assert (workload.runtime[0], workload.estimate[0]) == (61, 120)


@pytest.mark.parametrize("limit", ["UNLIMITED", "Partition_Limit"])
def test_a_limit_that_is_none_is_a_missing_request(limit: str) -> None:
    jobs: list[dict[str, str]] = [{}, {"JobID": "124", "Timelimit": limit}]
    with pytest.raises(InputError) as error:
        read(*jobs)
    assert str(error.value) == (
        f'log.txt line 3, job 124: Timelimit = {limit}; pass missing_estimate="runtime"'
        " (--missing-estimate runtime), or pass clean=True (--clean) to drop such jobs"
    )
    assert list(read(*jobs, missing_estimate="runtime").estimate) == [3600, 60]
    assert read(*jobs, clean=True).report.dropped == {"no requested time": 1}


# States and lives


def test_who_cancelled_a_job_is_no_part_of_its_state() -> None:
    workload = read({"State": "CANCELLED by 1234"}, {"JobID": "124", "State": "CANCELLED+"})
    assert list(workload.extra["status"]) == ["CANCELLED", "CANCELLED"]


@pytest.mark.parametrize(
    "job, value",
    [
        ({"Start": "Unknown", "State": "CANCELLED by 1234"}, "Start = Unknown"),
        ({"Start": "None", "State": "CANCELLED by 1234"}, "Start = None"),
        ({"State": "PENDING", "Start": "Unknown"}, "State = PENDING"),
        ({"NodeList": "None assigned", "State": "CANCELLED"}, "NodeList = None assigned"),
        ({"AllocCPUS": "0", "State": "CANCELLED by 0"}, "AllocCPUS = 0"),
        ({"AllocNodes": "0", "State": "CANCELLED by 0"}, "AllocNodes = 0"),
        ({"JobID": "9_[1-5%2]", "State": "CANCELLED"}, "JobID = 9_[1-5%2]"),
    ],
)
def test_a_job_that_never_started_is_an_error_or_counted(job: dict[str, str], value: str) -> None:
    first = {key: "1" for key in job if key.startswith(("NodeList", "Alloc"))}
    name = job.get("JobID", "124")
    jobs = (first, {"JobID": name} | job)
    with pytest.raises(InputError) as error:
        read(*jobs)
    place = f"log.txt line 3, job {name}: {value}"
    assert str(error.value) == f"{place}; pass clean=True (--clean) to drop such jobs"
    report = read(*jobs, clean=True).report
    assert report.dropped == {"never started": 1}
    assert report.first == {"never started": place}


@pytest.mark.parametrize(
    "job, value",
    [
        ({"State": "RUNNING", "End": "Unknown"}, "State = RUNNING"),
        ({"State": "", "End": "Unknown"}, "End = Unknown"),
    ],
)
def test_a_job_that_has_not_ended_is_an_error_or_counted(job: dict[str, str], value: str) -> None:
    with pytest.raises(InputError, match=f"job 123: {value}; pass clean=True"):
        read(job)
    assert read({"JobID": "1"}, job, clean=True).report.dropped == {"not ended": 1}


def test_steps_are_no_jobs_and_are_counted() -> None:
    workload = read(
        {}, {"JobID": "123.batch", "Timelimit": ""}, {"JobID": "123.extern"}, {"JobID": "123.0"}
    )
    assert len(workload) == workload.report.records == 1
    assert notes(workload) == ["steps of jobs (such as .batch), passed over: 3"]


def test_steps_are_told_by_either_column_of_ids() -> None:
    raw = [{"JobIDRaw": "7"}, {"JobID": "123_4.batch", "JobIDRaw": "7.batch"}]
    assert len(read(*raw)) == 1


# Ids


def test_tasks_of_an_array_have_an_id_of_their_own() -> None:
    assert list(read({"JobID": "123_4"}, {"JobID": "123_5"}).id) == ["123_4", "123_5"]
    raw = read({"JobID": "123_4", "JobIDRaw": "901"}, {"JobID": "123_5", "JobIDRaw": "123"})
    assert list(raw.id) == [901, 123]


def test_parts_of_a_heterogeneous_job_are_jobs_and_are_counted() -> None:
    workload = read({"JobID": "123+0"}, {"JobID": "123+1", "NNodes": "1"})
    assert list(workload.id) == ["123+0", "123+1"]
    assert notes(workload) == [
        "parts of heterogeneous jobs; each is a job: 2 (first: log.txt line 2, job 123+0)"
    ]


def test_each_run_of_a_requeued_job_is_a_job() -> None:
    again = {"Start": "2024-05-01T13:00:00", "End": "2024-05-01T13:01:00"}
    workload = read({"State": "NODE_FAIL"}, again)
    assert list(workload.id) == [123, "123#2"]
    assert list(workload.extra["wait"]) == [30, 3600]
    (note,) = notes(workload)
    assert note == (
        "ids that come again, as those of requeued jobs do; each run is a job: 1"
        " (first: log.txt line 3, job 123 is called 123#2)"
    )


def test_an_id_used_again_years_later_is_another_job() -> None:
    later = {key: JOB[key].replace("2024", "2027") for key in ("Submit", "Start", "End")}
    workload = read({}, later)
    assert list(workload.id) == [123, "123#2"]
    assert partitions.years(workload) == [2024, 2027]


def test_the_same_line_twice_is_a_fault() -> None:
    with pytest.raises(InputError, match=r"job 123: id = 123 is already in log\.txt line 2"):
        read({}, {})
    assert len(read({}, {}, clean=True)) == 1


# Lines


def test_bars_in_a_job_name_belong_to_the_name() -> None:
    workload = read({"JobName": "a|b||c"}, {"JobID": "124", "JobName": "|"})
    assert list(workload.extra["name"]) == ["a|b||c", "|"]
    middle = (
        "JobID|JobName|Submit|Elapsed|NNodes|Timelimit\n7|a|b|2024-05-01T12:00:00|1:00|4|2:00\n"
    )
    workload = sacct.read(io.StringIO(middle))
    assert (workload.extra["name"][0], workload.runtime[0]) == ("a|b", 60)


def test_a_line_may_end_with_a_bar_as_parsable_prints_it() -> None:
    for header in (True, False):
        file = log({"JobName": "a|b"}, {"JobID": "124"}, bar="|", header=header)
        workload = sacct.read(file, None if header else list(JOB))
        assert list(workload.extra["name"]) == ["a|b", "wrap"]


def test_fields_too_few_or_too_many_are_an_error_or_counted() -> None:
    names = "JobID|Submit|Elapsed|NNodes|Timelimit\n"
    good = "7|2024-05-01T12:00:00|1:00|4|2:00\n"
    text = names + good + "8|2024\n" + good.replace("7", "9", 1)[:-1] + "|x\n"
    with pytest.raises(InputError, match=r"^input line 3, job 8: 2 fields for 5 columns; pass"):
        sacct.read(io.StringIO(text))
    report = sacct.read(io.StringIO(text), clean=True).report
    assert report.dropped == {"fewer fields than columns": 1, "more fields than columns": 1}


def test_names_that_are_not_utf_8_are_shown_byte_by_byte_and_said() -> None:
    workload = read({"JobName": "caf\udce9"}, {"JobID": "124", "User": "bj\udcf6rn"})
    assert list(workload.extra["name"]) == [r"caf\xe9", "wrap"]
    assert list(workload.extra["user"]) == ["ann", r"bj\xf6rn"]
    assert notes(workload) == [
        r"lines that are not UTF-8; such bytes stand as \x..: 2 (first: log.txt line 2)"
    ]
    assert read({"User": "björn"}).extra["user"][0] == "björn"


@pytest.mark.parametrize(
    "job, value",
    [
        ({"Elapsed": "soon"}, "Elapsed = soon is no duration"),
        ({"Submit": "yesterday"}, "Submit = yesterday is no time"),
        ({"Submit": "2024-02-30T00:00:00"}, "Submit = 2024-02-30T00:00:00 is no time"),
        ({"NNodes": "4.5"}, "NNodes = 4.5 is no number"),
    ],
)
def test_what_cannot_be_read_is_an_error_or_counted(job: dict[str, str], value: str) -> None:
    with pytest.raises(InputError) as error:
        read({"JobID": "1"}, job)
    assert str(error.value).startswith(f"log.txt line 3, job 123: {value}; pass clean=True")
    report = read({"JobID": "1"}, job, clean=True).report
    assert report.dropped == {"text where a number or a time belongs": 1}


def test_the_first_fault_in_the_file_is_the_one_that_is_told() -> None:
    with pytest.raises(InputError, match="line 2, job 123: Elapsed = soon"):
        read({"Elapsed": "soon"}, {"JobID": "124", "Start": "Unknown"})
    with pytest.raises(InputError, match="line 2, job 123: Start = Unknown"):
        read({"Start": "Unknown"}, {"JobID": "124", "Elapsed": "soon"})


# Columns


@given(st.permutations(list(JOB)), st.booleans())
def test_columns_may_come_in_any_order(
    order: list[str],
    header: bool,  # noqa: FBT001
) -> None:
    line = "|".join(JOB[name] for name in order)
    names = "|".join(order).upper() + "\n" if header else ""
    workload = sacct.read(io.StringIO(names + line), None if header else ",".join(order))
    assert workload.to_frame().equals(read({}).to_frame())


def test_columns_may_be_given_as_to_sacct_itself() -> None:
    names = ",".join(f"{name}%20" for name in JOB)
    assert len(sacct.read(log({}, header=False), names)) == 1


def test_columns_that_are_given_are_those_of_a_file_that_names_others() -> None:
    names = ["Account" if name == "User" else name for name in JOB]
    workload = sacct.read(log({}), names)
    assert "user" not in workload.extra
    assert list(workload.extra["account"]) == ["ann"]


def test_files_joined_one_behind_the_other_name_their_columns_again() -> None:
    both = log({}).read() + log({"JobID": "124"}).read()
    workload = sacct.read(io.BytesIO(both))
    assert list(workload.id) == [123, 124]
    assert notes(workload) == ["lines of names among the jobs: 1 (first: input line 3)"]


@pytest.mark.parametrize("missing", ["JobID", "Submit", "NNodes"])
def test_a_column_that_is_needed_is_named(missing: str) -> None:
    names = [name for name in JOB if name != missing]
    text = "JobIDX" + "|".join(names) + "\n" + "|".join(JOB[name] for name in names)
    with pytest.raises(InputError, match=f"there is no column {missing}; there are "):
        sacct.read(io.StringIO(text), names)


def test_a_run_time_needs_elapsed_or_start_and_end() -> None:
    names = [name for name in JOB if name != "Elapsed"]
    text = "|".join(names) + "\n" + "|".join(JOB[name] for name in names)
    assert list(sacct.read(io.StringIO(text)).runtime) == [60]
    with pytest.raises(InputError, match="there is no column Elapsed"):
        sacct.read(io.StringIO(text.replace("End", "Comment")))


def test_without_a_line_of_names_they_have_to_be_given() -> None:
    with pytest.raises(InputError, match=r"log\.txt: the first line names no columns; say which"):
        sacct.read(log({}, header=False))


def test_a_column_that_comes_twice_is_an_error() -> None:
    with pytest.raises(InputError, match="a column comes twice: JobID, jobid"):
        sacct.read(io.StringIO("JobID|jobid\n1|1\n"))


def test_a_file_of_names_alone_has_no_job() -> None:
    with pytest.raises(InputError, match=r"the file has no job$"):
        sacct.read(io.StringIO("|".join(JOB) + "\n\n"))


# Sizes and requests


def test_sizes_count_nodes_or_processors() -> None:
    job = {"NNodes": "2", "AllocCPUS": "64", "ReqCPUS": "33"}
    assert read(job).nodes[0] == 2
    assert read(job, unit="processors").nodes[0] == 64
    assert list(read(job, unit="processors").extra["processors"]) == [33]
    with pytest.raises(InputError, match="unit = 'cores'; it is 'nodes' or 'processors'"):
        read(job, unit="cores")


def test_a_job_without_an_allocation_has_the_size_that_it_requested() -> None:
    assert read({"NNodes": "0", "ReqNodes": "3"}).nodes[0] == 3
    with pytest.raises(InputError, match="job 123: NNodes = 0; pass clean=True"):
        read({"NNodes": "0"})


@pytest.mark.parametrize(
    "text, kilobytes",
    [
        ("48000Mn", 4 * 48_000 * 1024 / 16),
        ("4Gc", 4 * 1024**2),
        ("32G", 32 * 1024**2 / 16),
        ("1.50Gn", 4 * 1.5 * 1024**2 / 16),
        ("0n", 0),
        ("?", None),
    ],
)
def test_memory_is_told_per_processor(text: str, kilobytes: float | None) -> None:
    extra = read({"ReqMem": text}).extra
    assert extra.get("requested_memory", [None])[0] == kilobytes


def test_memory_per_processor_needs_no_size() -> None:
    job = {name: text for name, text in JOB.items() if name != "NNodes"}
    lines = ["|".join(["ReqMem", "AllocNodes", *job]), "|".join(["{}", "2", *job.values()])]
    text = "\n".join(lines)
    memory = {
        said: sacct.read(io.StringIO(text.format(said))).extra.get("requested_memory")
        for said in ("2Mc", "2Mn")
    }
    assert memory == {"2Mc": [2048], "2Mn": None}


def test_gpus_are_those_requested() -> None:
    workload = read(
        {"ReqTRES": "billing=4,cpu=4,gres/gpu=2,node=1"}, {"JobID": "1", "ReqTRES": "cpu=4"}
    )
    assert list(workload.extra["gpus"]) == [2, 0]


def test_several_clusters_are_said() -> None:
    workload = read(
        {"Cluster": "a"}, {"JobID": "1", "Cluster": "b"}, {"JobID": "2", "Cluster": "b"}
    )
    assert notes(workload) == ["jobs of several clusters (a: 1, b: 2)"]


# Time zones


def test_local_times_are_read_by_the_clock_of_the_zone() -> None:
    summer = read({}, zone="Europe/Berlin")
    assert summer.submit[0] == NOON - 2 * 3600
    assert not [note for note in summer.report.notes if "UTC" in note]
    assert "times are those of the cluster's clock, read as UTC (zone, --zone)" in (
        read({}).report.notes
    )


CHANGED = {
    "Submit": "2024-10-27T02:50:00",
    "Start": "2024-10-27T02:10:00",
    "End": "2024-10-27T02:11:00",
}


def test_times_that_the_clock_shows_twice_are_counted_and_follow_each_other() -> None:
    workload = read(CHANGED, zone="Europe/Berlin")
    assert list(workload.extra["wait"]) == [20 * 60]
    assert list(workload.runtime) == [60]
    assert notes(workload) == [
        f"{TWICE}: 3 (first: log.txt line 2, job 123: Submit = 2024-10-27T02:50:00)"
    ]
    unsure = read(CHANGED)
    assert "wait" not in unsure.extra
    assert any("start before they are submitted" in note for note in unsure.report.notes)


def test_a_time_that_the_clock_leaves_out_is_an_error_or_counted() -> None:
    job = {"JobID": "124", "Submit": "2024-03-31T02:30:00"}
    with pytest.raises(InputError) as error:
        read({}, job, zone="Europe/Berlin")
    assert str(error.value) == (
        "log.txt line 3, job 124: Submit = 2024-03-31T02:30:00 does not exist in Europe/Berlin;"
        " give the right zone, or pass clean=True (--clean) to drop such jobs"
    )
    report = read({}, job, zone="Europe/Berlin", clean=True).report
    assert report.dropped == {"time that the clock leaves out": 1}
    assert len(read({}, job, zone="America/New_York")) == 2


def test_a_run_over_a_change_of_the_clock_lasts_as_long_as_it_says_and_wait_and_end_agree() -> None:
    job = {"Submit": "2024-10-27T01:00:00", "Start": "2024-10-27T01:00:00",
           "End": "2024-10-27T04:00:00", "Elapsed": "04:00:00"}  # fmt: skip
    assert notes(read(job, zone="Europe/Berlin")) == []
    (note,) = notes(read(job))
    assert note == (
        "jobs whose run time is not end - start; the run time counts: 1"
        " (first: log.txt line 2, job 123: 14400 and 10800)"
    )


@given(
    st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"]),
    st.datetimes(datetime(2015, 1, 1), datetime(2030, 1, 1)),  # noqa: DTZ001
    st.integers(0, 10**5),
)
def test_times_written_by_a_clock_are_read_back(zone: str, moment: datetime, wait: int) -> None:
    submit = moment.replace(microsecond=0, tzinfo=UTC)
    start = submit + timedelta(seconds=wait)
    local = [time.astimezone(ZoneInfo(zone)) for time in (submit, start)]
    texts = [time.strftime("%Y-%m-%dT%H:%M:%S") for time in local]
    workload = read(
        {"Submit": texts[0], "Start": texts[1], "End": ""} | {"End": texts[1]}, zone=zone
    )
    if not any(time.fold for time in local):
        assert workload.submit[0] == submit.timestamp()
        assert list(workload.extra["wait"]) == [wait]
    else:
        assert any("shows twice" in note for note in workload.report.notes)


def test_a_zone_that_is_none_is_an_error() -> None:
    with pytest.raises(InputError, match="zone = 'Mars/North'; there is no such time zone"):
        read({}, zone="Mars/North")


def test_times_with_an_offset_and_unix_seconds_need_no_zone() -> None:
    for text in ("2024-05-01T14:00:00+02:00", "2024-05-01T14:00:00+0200", str(NOON)):
        workload = read({"Submit": text, "Start": text, "End": text})
        assert workload.submit[0] == NOON
        assert not [note for note in workload.report.notes if "UTC" in note]


# The whole


def test_a_file_may_be_packed_and_read_in_part(tmp_path: Path) -> None:
    jobs = [{"JobID": str(number)} for number in range(5000)]
    path = tmp_path / "log.gz"
    path.write_bytes(gzip.compress(log(*jobs).read()))
    assert len(traces.read(path)) == 5000
    assert list(traces.read(path, limit=2).id) == [0, 1]
    assert len(traces.read(path, limit=3000)) == 3000
    with pytest.raises(InputError, match="limit = 0; it must be 1 or more"):
        traces.read(path, limit=0)


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)
RUNS = st.fixed_dictionaries(
    {
        "submit": st.integers(0, 2 * 10**9),
        "wait": st.integers(0, 10**6),
        "runtime": st.integers(0, 10**6),
        "estimate": st.integers(1, 10**6),
        "nodes": st.integers(1, 10**4),
        "user": WORDS.filter(lambda text: "|" not in text),
        "name": WORDS,
    }
)


def slurm_time(seconds: int) -> str:
    """Return a duration as Slurm prints it."""
    days, rest = divmod(seconds, 86_400)
    clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{days}-{clock}" if days else clock


@given(st.lists(RUNS, min_size=1, max_size=6), st.booleans())
def test_jobs_printed_as_slurm_prints_them_are_read_back(
    runs: list[dict[str, Any]],
    bar: bool,  # noqa: FBT001
) -> None:
    def date(seconds: int) -> str:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")

    table = [
        {
            "JobID": str(number),
            "User": run["user"],
            "Submit": date(run["submit"]),
            "Start": date(run["submit"] + run["wait"]),
            "End": date(run["submit"] + run["wait"] + run["runtime"]),
            "Elapsed": slurm_time(run["runtime"]),
            "NNodes": str(run["nodes"]),
            "Timelimit": slurm_time(run["estimate"]),
            "JobName": run["name"],
        }
        for number, run in enumerate(runs)
    ]
    workload = sacct.read(log(*table, bar="|" if bar else ""))
    back = workload.to_frame().sort_values("id")
    assert back[list(runs[0])].to_dict("records") == runs
    assert not [note for note in notes(workload) if "sorted" not in note]


TEXTS = st.sampled_from(["", "Unknown", "None", "5", "0", "-1", "1:00", "x", "2024-05-01T12:00:00"])


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(JOB, TEXTS)), min_size=1, max_size=6))
def test_every_job_is_kept_or_counted(jobs: list[dict[str, str]]) -> None:
    table = [job | {"JobID": str(number)} for number, job in enumerate(jobs)]
    workload = read({"JobID": "good"}, *table, clean=True)
    report = workload.report
    assert report.records == 1 + len(jobs)
    assert report.kept + sum(report.dropped.values()) == 1 + len(jobs)
    assert set(report.first) == set(report.dropped)


def test_prints_of_sacct_are_recognised() -> None:
    assert traces.recognise(log({})) == "sacct"
    assert traces.recognise(log({}, header=False)) == "sacct"
    assert not sacct.sniff(b"submit|nodes|estimate|runtime\n1|2|3|4\n")
    assert not sacct.sniff(b"")


@pytest.mark.traces
def test_a_real_print_is_read_whole(traces_dir: Path) -> None:
    """Counted by hand with cut, sort and uniq; 419 jobs say "None assigned" for their nodes."""
    path = traces_dir / "xdmod-pozidriv.sacct.log.gz"
    workload = traces.read(path, columns=POZIDRIV.split(","), clean=True, zone="America/New_York")
    report = workload.report
    assert (report.records, report.kept) == (11_704, 11_285)
    assert report.dropped == {"never started": 419}
    assert max(workload.nodes) == 4
    assert len(set(workload.extra["user"])) == 18
    # 468 are cancelled, 419 of them before they started.
    assert Counter(workload.extra["status"]) == {
        "COMPLETED": 10_134, "FAILED": 1_007, "PREEMPTED": 86, "CANCELLED": 49, "TIMEOUT": 9
    }  # fmt: skip
    # All of the 58 with Partition_Limit never started: none lacks a request.
    assert min(workload.estimate) > 0
    assert None not in workload.extra["wait"]
    assert notes(workload) == ["submit times were not in order: sorted, 6,933 jobs moved"]
    wide = traces.read(path, columns=POZIDRIV.split(","), clean=True, unit="processors")
    assert max(wide.nodes) == 80
    assert len(prediction.prepare(workload)) > 1000
    with pytest.raises(InputError, match=r"line 23, job 990246: nodelist = None assigned; pass"):
        traces.read(path, columns=POZIDRIV.split(","))
