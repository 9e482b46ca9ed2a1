"""The table that predictors see: no outcome before its time, nothing to change by mistake."""

import numpy as np
import pytest

from shadowtime import InputError, Workload
from shadowtime.prediction import Jobs
from shadowtime.prediction.features import FEATURES, Encoder
from shadowtime.prediction.jobs import codes


def test_a_job_ends_when_it_was_submitted_waited_and_ran(log: Workload) -> None:
    jobs = Jobs.from_workload(log)
    expected = [
        submit + wait + runtime
        for submit, wait, runtime in zip(log.submit, log.extra["wait"], log.runtime, strict=True)
    ]
    assert jobs["end"].tolist() == expected


def test_submitted_jobs_do_not_tell_their_outcome(log: Workload) -> None:
    jobs = Jobs.from_workload(log).submitted()
    for name in ("runtime", "end"):
        assert name not in jobs
        with pytest.raises(InputError, match=f"{name} is not known when a job is submitted"):
            jobs[name]
    assert "wait" not in jobs
    assert "status" not in jobs


def test_a_column_that_is_not_there_is_named(log: Workload) -> None:
    with pytest.raises(InputError, match="no column 'gpus'; they have submit, nodes"):
        Jobs.from_workload(log)["gpus"]
    with pytest.raises(InputError, match=r"prediction\.prepare"):
        Jobs.from_workload(Workload(id=[], submit=[], nodes=[], estimate=[], runtime=[]))


def test_a_predictor_cannot_change_the_log(log: Workload) -> None:
    with pytest.raises(ValueError, match="read-only"):
        Jobs.from_workload(log)["runtime"][0] = 1


def test_the_table_of_pandas_is_the_same(log: Workload) -> None:
    jobs = Jobs.from_workload(log).take(slice(3))
    frame = jobs.to_frame()
    assert len(jobs) == len(frame) == 3
    assert frame["user"].tolist() == jobs["user"].tolist()


def test_codes_keep_the_order_of_the_values() -> None:
    assert codes([30, 10, None, 20, 10]).tolist() == [2, 0, -1, 1, 0]
    assert codes(["b", 7, None, "a"]).tolist() == [2, 0, -1, 1]
    assert codes([]).tolist() == []


def table(**columns: list[float]) -> Jobs:
    return Jobs({name: np.array(column) for name, column in columns.items()})


def test_categories_are_learnt_in_the_history_alone() -> None:
    encoder = Encoder(["user"]).fit(table(submit=[0, 1, 2], user=[8, 2, 8]))
    found = encoder.transform(table(submit=[0] * 4, user=[2, 8, 5, -1])).ravel()
    assert found[:2].tolist() == [0, 1]
    assert np.isnan(found[2:]).all()


def test_what_the_log_lacks_is_zero_and_what_is_asked_for_must_be_there() -> None:
    jobs = table(submit=[0], nodes=[3], estimate=[9], requested_memory=[5])
    encoder = Encoder(unknown=-1).fit(jobs)
    assert encoder.columns == ("estimate", "nodes", "user", "queue", "requested_memory")
    assert set(encoder.columns) <= set(FEATURES)
    assert encoder.transform(jobs).tolist() == [[9, 3, 0, 0, 5]]
    with pytest.raises(InputError, match="no column 'user'"):
        Encoder(["user"]).fit(jobs)


def test_the_outcome_is_no_feature() -> None:
    with pytest.raises(InputError, match="runtime is not known when a job is submitted"):
        Encoder(["estimate", "runtime"])
