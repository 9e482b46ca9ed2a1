"""Each reference is held against both engines."""

from typing import Literal

import pytest

Engine = Literal["readable", "compiled"]


@pytest.fixture(scope="session", params=["readable", "compiled"])
def engine(request: pytest.FixtureRequest) -> Engine:
    chosen: Engine = request.param
    if chosen == "compiled":
        pytest.importorskip("numba", reason="the compiled engine needs the extra 'fast'")
    return chosen
