"""An SWF log becomes a workload, and a workload becomes the same log again."""

import gzip
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime import InputError, Job, Workload
from shadowtime.traces import swf

HEADER = "; MaxProcs: 100\n"
JOB = "7 10 0 60 4 -1 -1 4 90 -1 1 3 1 -1 2 -1 -1 -1\n"


def log(text: str, name: str = "log.swf") -> io.BytesIO:
    file = io.BytesIO(text.encode())
    file.name = name
    return file


def job(**fields: Any) -> str:
    values = dict(zip(swf.FIELDS, JOB.split(), strict=True)) | fields
    return " ".join(map(str, values.values())) + "\n"


def test_the_core_columns_and_those_that_the_log_has_are_read() -> None:
    workload = swf.read(log(HEADER + JOB + job(id=8, user=-1, wait=5, allocated=6)))
    assert workload.name == "log"
    assert workload.header == {"MaxProcs": "100"}
    assert workload.machine_nodes == 100
    assert [(j.id, j.submit, j.nodes, j.estimate, j.runtime) for j in workload] == [
        (7, 10, 4, 90, 60),
        (8, 10, 4, 90, 60),
    ]
    assert {key: list(column) for key, column in workload.extra.items()} == {
        "wait": [0, 5],
        "allocated": [4, 6],
        "status": [1, 1],
        "user": [3, None],
        "group": [1, 1],
        "queue": [2, 2],
    }
    assert str(workload.report) == "log.swf: 2 jobs found, 2 kept"


def test_an_allocation_that_says_nothing_new_is_left_out() -> None:
    assert "allocated" not in swf.read(log(HEADER + JOB)).extra


@pytest.mark.parametrize("requested", [-1, 0])
def test_the_allocated_size_stands_for_an_unknown_requested_one_and_that_is_said(
    requested: int,
) -> None:
    workload = swf.read(log(HEADER + JOB + job(id=8, nodes=requested, allocated=6)))
    assert list(workload.nodes) == [4, 6]
    assert workload.report.notes == ["jobs without a requested size: 1; the allocated size counts"]


@pytest.mark.parametrize(
    "text, message",
    [
        (
            HEADER + JOB + job(id=8, nodes=-1, allocated=-1),
            "log.swf line 3, job 8: nodes = -1; pass clean=True (--clean) to drop such jobs",
        ),
        (
            HEADER + job(nodes=101),
            (
                "log.swf line 2, job 7: nodes = 101, the machine has 100; give a larger machine"
                " (machine_nodes, --nodes), or pass clean=True (--clean) to drop such jobs"
            ),
        ),
        (
            HEADER + JOB + "\n" + JOB,
            (
                "log.swf line 4, job 7: id = 7 is already in log.swf line 2;"
                " pass clean=True (--clean) to drop such jobs"
            ),
        ),
        (
            HEADER + job(id=0.5),
            "log.swf line 2, job 0.5: id = 0.5; pass clean=True (--clean) to drop such jobs",
        ),
    ],
)
def test_a_job_that_cannot_be_simulated_is_an_error_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        swf.read(log(text))
    assert str(error.value) == message


def test_whole_and_broken_job_numbers_can_come_together() -> None:
    workload = swf.read(log(job(id=0.5) + job(id="8.0") + job(id=9)), clean=True)
    assert list(workload.id) == [8, 9]


def test_cleaning_counts_lines_and_jobs() -> None:
    text = HEADER + "1 2 3\n" + job(runtime=-1) + job(id=8) + job(id=9, status="x")
    report = swf.read(log(text), clean=True).report
    assert (report.records, report.kept) == (4, 1)
    assert report.dropped == {
        "fewer than 18 fields": 1,
        "text where a number belongs": 1,
        "run time unknown (-1)": 1,
    }
    assert set(report.first) == set(report.dropped)


def test_a_known_log_is_cleaned_by_default_and_others_are_not() -> None:
    text = HEADER + JOB + job(id=8, runtime=-1)
    known = swf.read(log(text, "KTH-SP2-1996-2.1-cln.swf"))
    assert len(known) == 1
    assert known.report.notes == [
        "the archive's KTH-SP2-1996-2.1-cln.swf.gz has 28,476 jobs, this copy 2"
    ]
    with pytest.raises(InputError, match="runtime = -1"):
        swf.read(log(text, "KTH-SP2-1996-2.1-cln.swf"), clean=False)
    with pytest.raises(InputError, match="runtime = -1"):
        swf.read(log(text))


def test_logs_known_to_lack_requests_take_the_run_time_for_them_unless_told_otherwise() -> None:
    text = HEADER + job(estimate=-1) + job(id=8)
    name = "NASA-iPSC-1993-3.1-cln.swf.gz"
    assert list(swf.read(log(text, name)).estimate) == [60, 90]
    assert list(swf.read(log(text, name), missing_estimate=3600).estimate) == [3600, 90]
    assert list(swf.read(log(text, name), missing_estimate="drop").estimate) == [90]


def test_the_catalog_knows_the_machine_of_a_log_without_header() -> None:
    workload = swf.read(log(JOB, "MetaCentrum-wagap-2013.swf"), limit=1)
    assert workload.machine_nodes == 2176
    assert workload.report.notes[0] == (
        "the header gives no machine size (MaxProcs or MaxNodes): 2176 by the catalog"
    )


def test_without_a_size_in_the_header_the_machine_is_unknown_and_that_is_said() -> None:
    workload = swf.read(log(JOB))
    assert workload.machine_nodes is None
    assert workload.report.notes == ["the header gives no machine size (MaxProcs or MaxNodes)"]


def test_the_machine_size_can_be_given() -> None:
    workload = swf.read(log(HEADER + JOB), machine_nodes=8)
    assert workload.machine_nodes == 8
    assert workload.report.notes == ["machine size given: 8"]
    with pytest.raises(InputError, match="nodes = 4, the machine has 3"):
        swf.read(log(HEADER + JOB), machine_nodes=3)


def test_unix_seconds_and_missing_records_are_said_and_nothing_is_shifted() -> None:
    workload = swf.read(log("; MaxRecords: 3\n" + HEADER + job(submit=1_356_996_147)))
    assert list(workload.submit) == [1_356_996_147]
    assert workload.report.notes == [
        "the header states 3 records, the file has 1",
        "submit times are Unix seconds (the first is 1356996147): kept as they are",
    ]


def test_one_parse_serves_several_readings() -> None:
    records = swf.parse(log(HEADER + JOB + job(id=8, runtime=-1)))
    assert swf.survey(records).jobs == 2
    assert len(swf.read(records, clean=True)) == 1
    with pytest.raises(InputError):
        swf.read(records)
    assert swf.read(records, clean=True).report.dropped == {"run time unknown (-1)": 1}


def test_comments_and_job_lines_are_recognised() -> None:
    assert swf.sniff(b"\n  ; MaxProcs: 100\n")
    assert swf.sniff(JOB.encode())
    assert swf.sniff(JOB.encode()[:-1] + b" {1,2} q_2w 1:ppn=12\n")
    assert not swf.sniff(b"JobID|User|State\n1|ann|COMPLETED\n")
    assert not swf.sniff(b"1 2 3\n")
    assert not swf.sniff(b"")


def same(one: Workload, other: Workload) -> bool:
    def columns(workload: Workload) -> dict[str, list[Any]]:
        own = {key: getattr(workload, key) for key in ("id", "submit", "nodes", "estimate")}
        own |= {"runtime": workload.runtime} | workload.extra
        return {key: list(values) for key, values in own.items()}

    return columns(one) == columns(other) and one.machine_nodes == other.machine_nodes


WHOLE = st.integers(0, 2**50)
TIMES = WHOLE | st.floats(0, 2**50)
OPTIONAL = st.none() | WHOLE


@st.composite
def workloads(draw: st.DrawFn) -> Workload:
    ids = draw(st.lists(WHOLE, min_size=1, max_size=8, unique=True))

    def column(values: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(values, min_size=len(ids), max_size=len(ids)))

    nodes = column(st.integers(1, 10**6))
    chosen = draw(st.sets(st.sampled_from(swf.EXTRA)))
    extra = {key: column(OPTIONAL) for key in sorted(chosen)}
    extra = {key: values for key, values in extra.items() if set(values) != {None}}
    if extra.get("allocated") == nodes:
        del extra["allocated"]
    return Workload(
        id=ids,
        submit=column(TIMES),
        nodes=nodes,
        estimate=column(TIMES.map(lambda value: value or 1)),
        runtime=column(TIMES),
        extra=extra,
        machine_nodes=draw(st.none() | st.just(10**6)),
        header={"Computer": "IBM SP2", "Note": "one\ntwo", "Queue": "0 interactive"},
    )


@settings(deadline=None)
@given(workload=workloads(), packed=st.booleans())
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory,
    workload: Workload,
    packed: bool,  # noqa: FBT001
) -> None:
    path = tmp_path_factory.mktemp("logs") / ("log.swf.gz" if packed else "log.swf")
    swf.write(workload, path)
    again = swf.read(path)
    assert same(again, workload)
    assert again.header.items() >= workload.header.items()
    first = path.read_bytes()
    swf.write(again, path)
    assert path.read_bytes() == first


@pytest.mark.traces
@pytest.mark.parametrize("name", ["KTH-SP2-1996-2.1-cln", "CTC-SP2-1996-3.1-cln"])
def test_a_real_log_survives_writing(traces_dir: Path, tmp_path: Path, name: str) -> None:
    workload = swf.read(traces_dir / f"{name}.swf.gz")
    swf.write(workload, tmp_path / "log.swf.gz")
    again = swf.read(tmp_path / "log.swf.gz")
    assert same(again, workload)
    written = {"MaxJobs", "MaxRecords"}
    assert {key: text for key, text in again.header.items() if key not in written} == {
        key: text for key, text in workload.header.items() if key not in written
    }


def test_the_name_decides_whether_a_log_is_packed_and_the_bytes_are_always_the_same(
    tmp_path: Path,
) -> None:
    workload = swf.read(log(HEADER + JOB))
    swf.write(workload, tmp_path / "log.swf")
    swf.write(workload, tmp_path / "log.swf.gz")
    swf.write(workload, tmp_path / "other.swf.gz")
    packed = (tmp_path / "log.swf.gz").read_bytes()
    assert gzip.decompress(packed) == (tmp_path / "log.swf").read_bytes()
    assert packed == (tmp_path / "other.swf.gz").read_bytes()


def test_texts_become_numbers_and_queues_keep_their_names(tmp_path: Path) -> None:
    jobs = [
        Job("b", 0, 4, 90, 60, user="bob", queue="long"),
        Job("a", 5, 4, 90, 60, user="ann", queue="short"),
        Job("c", 9, 4, 90, 60, user="bob"),
    ]
    swf.write(Workload.from_jobs(jobs), tmp_path / "log.swf")
    workload = swf.read(tmp_path / "log.swf")
    assert list(workload.id) == [1, 2, 3]
    assert list(workload.extra["user"]) == [1, 2, 1]
    assert list(workload.extra["queue"]) == [1, 2, None]
    assert workload.header["Queue"] == "1 long\n2 short"


def test_numpy_values_and_nan_are_written_as_plain_numbers(tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    workload = Workload(
        id=[1, 2],
        submit=numpy.array([0.0, 0.5]),
        nodes=numpy.array([1, 2]),
        estimate=[10, 10],
        runtime=[5, 5],
        extra={"cpu_time": numpy.array([numpy.nan, 2.0]), "user": numpy.array([3, 4])},
    )
    swf.write(workload, tmp_path / "log.swf")
    assert (tmp_path / "log.swf").read_text().splitlines()[-2:] == [
        "1 0 -1 5 1 -1 -1 1 10 -1 -1 3 -1 -1 -1 -1 -1 -1",
        "2 0.5 -1 5 2 2 -1 2 10 -1 -1 4 -1 -1 -1 -1 -1 -1",
    ]


def test_a_machine_size_that_the_header_lacks_or_has_otherwise_is_written(tmp_path: Path) -> None:
    workload = swf.read(log(HEADER + "; MaxNodes: 50\n" + JOB), machine_nodes=64)
    swf.write(workload, tmp_path / "log.swf")
    again = swf.read(tmp_path / "log.swf")
    assert again.machine_nodes == 64
    assert again.header["MaxNodes"] == "50"


def test_what_swf_cannot_say_and_where_nothing_can_be_written_is_an_error(tmp_path: Path) -> None:
    early = Workload.from_jobs([Job(1, -5, 4, 90, 60)])
    with pytest.raises(InputError, match="SWF has no submit times before 0; the first is -5"):
        swf.write(early, tmp_path / "log.swf")
    fine = Workload.from_jobs([Job(1, 5, 4, 90, 60)])
    with pytest.raises(InputError, match=r"nothing/log\.swf: cannot be written \(No such file"):
        swf.write(fine, tmp_path / "nothing" / "log.swf")


@pytest.mark.parametrize(
    "name", ["curie30k", "hpc2n3k", "kth", "kth10k", "kth10k_tf", "lublin256", "sdsc5k"]
)
def test_canonical_logs_are_read_whole_without_cleaning(oracles_dir: Path, name: str) -> None:
    workload = swf.read(oracles_dir / "logs" / f"{name}.swf.gz")
    assert list(workload.id) == list(range(1, len(workload) + 1))
    assert workload.report.dropped == {}
    assert workload.report.notes == []


@pytest.mark.traces
def test_published_schedules_are_read_whole_and_sorted(traces_dir: Path) -> None:
    files = sorted((traces_dir / "reference").glob("*.swf.gz"))
    assert len(files) == 6
    for file in files:
        workload = swf.read(file)
        assert len(workload) == (28_481 if "KTH" in file.name else 54_006)
        assert [note for note in workload.report.notes if "sorted" in note]
