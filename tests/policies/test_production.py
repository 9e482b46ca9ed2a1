"""Other schedulers' parameters come out as the policies that this package has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import policies
from shadowtime.engine import simulate
from shadowtime.errors import InputError
from shadowtime.policies import from_lsf, from_maui, from_pbs
from shadowtime.workload import Workload
from tests.strategies import workloads


@pytest.mark.parametrize(
    "text, name",
    [
        ("", "easy"),
        ("set server backfill_depth = 1", "easy"),
        ("backfill_depth: 5", "depth-5"),
        ("backfill_depth: 5\nstrict_ordering: True ALL", "depth-5"),
        ("set server backfill_depth = 0", "first-fit"),
        ("set server backfill_depth = 0\nset sched strict_ordering = True", "fcfs"),
        ("# backfill_depth: 5", "easy"),
    ],
)
def test_pbs_counts_the_top_jobs_that_hold_a_reservation(text: str, name: str) -> None:
    assert from_pbs(text).name == name


@pytest.mark.parametrize(
    "text, name",
    [
        ("", "first-fit"),
        ("BACKFILL=N", "first-fit"),
        ("BACKFILL=Y", "first-fit"),
        ("SLOT_RESERVE = MAX_RESERVE_TIME[20]", "fcfs"),
        ("BACKFILL = Y\nSLOT_RESERVE = MAX_RESERVE_TIME[20]", "easy"),
        ("BACKFILL = Y\nRESOURCE_RESERVE = MAX_RESERVE_TIME[20]", "easy"),
        ("BACKFILL=Y\nLSB_TIME_RESERVE_NUMJOBS=1", "easy"),
        ("BACKFILL=Y\nLSB_TIME_RESERVE_NUMJOBS=4", "depth-4"),
        ("LSB_TIME_RESERVE_NUMJOBS=4", "fcfs"),
    ],
)
def test_lsf_backfills_around_slots_that_are_reserved(text: str, name: str) -> None:
    assert from_lsf(text).name == name


@pytest.mark.parametrize(
    "text, name",
    [
        ("", "easy"),
        ("RESERVATIONDEPTH 3", "depth-3"),
        ("RESERVATIONDEPTH[0] 3", "depth-3"),
        ("RESERVATIONDEPTH[DEFAULT] 3", "depth-3"),
        ("RESERVATIONDEPTH 0", "first-fit"),
        ("RESERVATIONPOLICY NEVER", "first-fit"),
        ("BACKFILLPOLICY NONE", "fcfs"),
        (
            "BACKFILLPOLICY FIRSTFIT\nRESERVATIONPOLICY CURRENTHIGHEST\nRESERVATIONDEPTH 2",
            "depth-2",
        ),
    ],
)
def test_maui_counts_reservations_too(text: str, name: str) -> None:
    assert from_maui(text).name == name


@pytest.mark.parametrize(
    "policy, says",
    [
        (from_pbs("opt_backfill_fuzzy: high"), ["opt_backfill_fuzzy = high: planned starts are"]),
        (from_pbs("opt_backfill_fuzzy: off"), []),
        (from_pbs("strict_ordering: True"), ["strict_ordering = true: it differs only where"]),
        (from_pbs("strict_ordering: True\nbackfill_depth: 0"), []),
        (from_pbs("round_robin: False all"), ["round_robin = false is not modelled"]),
        (from_lsf("BACKFILL=Y"), ["BACKFILL = Y: nothing is reserved"]),
        (from_lsf("SLOT_RESERVE=MAX_RESERVE_TIME[5]"), [r"MAX_RESERVE_TIME[5]: a reservation"]),
        (from_lsf("PRIORITY=40"), ["priority = 40 is not modelled"]),
        (from_maui("BACKFILLPOLICY GREEDY"), ["BACKFILLPOLICY GREEDY: candidates are tried"]),
        (from_maui("BACKFILLPOLICY PREEMPT"), ["BACKFILLPOLICY PREEMPT: a job that has started"]),
        (from_maui("RESERVATIONPOLICY HIGHEST"), ["RESERVATIONPOLICY HIGHEST: who holds"]),
        (from_maui("BACKFILLDEPTH 20"), ["backfilldepth = 20 is not modelled"]),
        (from_maui("RESERVATIONDEPTH 4"), []),
    ],
)
def test_what_has_no_counterpart_is_said(policy: policies.Configured, says: list[str]) -> None:
    assert len(policy.unmodelled) == len(says)
    for told, start in zip(policy.unmodelled, says, strict=True):
        assert told.startswith(start)


@pytest.mark.parametrize(
    "read, text",
    [
        (from_pbs, "backfill_depth = -1"),
        (from_pbs, "strict_ordering = maybe"),
        (from_lsf, "BACKFILL = perhaps"),
        (from_lsf, "LSB_TIME_RESERVE_NUMJOBS = four"),
        (from_maui, "BACKFILLPOLICY WORSTFIT"),
        (from_maui, "RESERVATIONDEPTH deep"),
    ],
)
def test_a_value_without_meaning_is_refused(read: object, text: str) -> None:
    assert callable(read)
    with pytest.raises(InputError, match="; it is "):
        read(text)


@given(workload=workloads(), depth=st.integers(0, 6))
def test_the_same_depth_is_the_same_schedule_whoever_asks_for_it(
    workload: Workload, depth: int
) -> None:
    pbs = simulate(workload, from_pbs(f"backfill_depth: {depth}"))
    maui = simulate(workload, from_maui(f"RESERVATIONDEPTH {depth}"))
    assert list(pbs.start) == list(maui.start)
    assert list(pbs.start) == list(simulate(workload, f"depth-{depth}").start)
    if depth:
        lsf = simulate(workload, from_lsf(f"BACKFILL=Y\nLSB_TIME_RESERVE_NUMJOBS={depth}"))
        assert list(lsf.start) == list(pbs.start)
