"""Small logs with users, for tests of prediction."""

from collections.abc import Callable

import numpy as np
import pytest

from shadowtime import Workload
from shadowtime.prediction.splits import DAY

Maker = Callable[..., Workload]


def make_log(jobs: int = 400, days: float = 12, seed: int = 1, **extra: object) -> Workload:
    """Return a log in which runtimes hang on user and request, and some users appear late."""
    rng = np.random.default_rng(seed)
    submit = np.sort(rng.integers(0, int(days * DAY), size=jobs))
    user = rng.integers(1, 4 + submit // (3 * DAY))
    estimate = rng.choice([600, 3600, 14400, 36000], size=jobs)
    share = rng.uniform(0.1, 1.1, size=jobs) / (1 + user % 3)
    runtime = np.maximum(31, (estimate * share).astype(int))
    columns = {
        "wait": rng.integers(0, 7200, size=jobs).tolist(),
        "user": user.tolist(),
        "queue": np.where(estimate < 10000, 1, 2).tolist(),
        "status": rng.choice([0, 1], size=jobs).tolist(),
    }
    return Workload(
        id=range(1, jobs + 1),
        submit=submit,
        nodes=2 ** rng.integers(0, 6, size=jobs),
        estimate=estimate,
        runtime=runtime,
        extra=columns | extra,
        machine_nodes=64,
        name="made",
        header={"UnixStartTime": "852000000", "Queue": "1 short\n2 long"},
    )


@pytest.fixture
def log() -> Workload:
    return make_log()


@pytest.fixture
def make() -> Maker:
    return make_log
