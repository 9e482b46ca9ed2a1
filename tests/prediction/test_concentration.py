"""Mass-count disparity: equal jobs have none, and KTH's is known."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime import InputError, traces
from shadowtime.prediction.concentration import mass_count, shares


@given(st.integers(1, 200))
def test_equal_jobs_are_shared_equally(jobs: int) -> None:
    found = mass_count([7] * jobs)
    assert found == pytest.approx((50, 50, 50, 1, 10))
    assert found.rule == "50/50"


@given(st.lists(st.floats(0.01, 1e6), min_size=2, max_size=80))
def test_the_joint_ratio_joins_both_distributions(usage: list[float]) -> None:
    joint = mass_count(usage).joint_ratio / 100
    count, mass = shares(usage)
    assert np.interp(1 - joint, count, mass) == pytest.approx(joint, abs=1e-9)
    assert joint <= 0.5 + 1e-9


def test_half_of_the_mass_is_found_by_hand() -> None:
    found = mass_count([1, 1, 1, 1, 4, 8])
    assert found.n_half == pytest.approx(100 / 6)  # the job of 8 holds half of the 16
    assert found.w_half == pytest.approx(100 * 3 / 16)
    assert found.median_distance == 4  # mass: 4 and less hold half; count: the median is 1


def test_what_has_no_mass_is_refused() -> None:
    for usage in ([], [0, 0], [1, -1], [np.inf]):
        with pytest.raises(InputError, match="usage needs"):
            mass_count(usage)


@pytest.mark.traces
def test_on_kth_an_eighth_of_the_jobs_hold_seven_eighths_of_the_time(traces_dir: Path) -> None:
    log = traces.read(traces_dir / "KTH-SP2-1996-2.1-cln.swf.gz")
    found = mass_count(np.asarray(log.nodes) * np.asarray(log.runtime))
    assert found.joint_ratio == pytest.approx(13.4, abs=0.05)
    assert found.top_decile == pytest.approx(80.3, abs=0.05)
