"""Fixtures that more than one folder of tests uses.

Some tests need what a checkout does not hold: real logs, reference schedules, a browser. On a
newcomer's machine they are skipped with a reason. Where the environment variable ``CI`` is set
nothing may be skipped silently, so the same lack is a failure.
"""

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, settings

# A test that is slow on a busy machine is not wrong.
settings.register_profile(
    "patient", settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
)
settings.load_profile("patient")


def _missing(reason: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(f"{reason} (a failure because CI is set)", pytrace=False)
    pytest.skip(reason)


def _folder(variable: str, holds: str) -> Path:
    value = os.environ.get(variable)
    if not value:
        _missing(f"set {variable} to the folder with {holds}")
    folder = Path(value)
    if not folder.is_dir():
        pytest.fail(f"{variable} is {value!r}, which is not a folder", pytrace=False)
    return folder


@pytest.fixture(scope="session")
def traces_dir() -> Path:
    """The folder with real job logs; a log that is missing from it is a failure, not a skip."""
    return _folder("SHADOWTIME_TRACES", "the job logs")


@pytest.fixture(scope="session")
def oracles_dir() -> Path:
    """The folder with schedules that other simulators made."""
    return _folder("SHADOWTIME_ORACLES", "the reference schedules")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium-like browser for Playwright's ``executable_path``."""
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        if path := shutil.which(name):
            return path
    _missing("needs Chromium on the PATH")
