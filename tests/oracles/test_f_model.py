"""Estimates that are bad by a known amount: mean waits that a study's log came to, the V."""

from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from shadowtime import estimates
from shadowtime.engine import simulate
from tests.oracles import logs

pytestmark = pytest.mark.traces

SEEDS = range(1, 7)


@pytest.mark.parametrize("f, wait", [(0, 6328), (2, 5607), (10, 5937), (100, 6191)])
def test_the_mean_wait_of_kth_follows_the_badness_of_estimates(
    traces_dir: Path, f: float, wait: float
) -> None:
    path = traces_dir / "reference" / "sc15-KTH-SP2-EASY.swf.gz"
    workload, _ = logs.published(path, clairvoyant=False)
    waits = [
        simulate(estimates.f_model(workload, f, Random(seed)), "easy").summary()["mean_wait"]
        for seed in (SEEDS if f else [1])
    ]
    assert fmean(waits) == pytest.approx(wait, rel=0.02)
