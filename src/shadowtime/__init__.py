"""shadowtime: a simulator of backfilling for batch queues, and the figures of the book.

Examples
--------
>>> import shadowtime as st
>>> jobs = [
...     st.Job(id=1, submit=0, nodes=6, estimate=10, runtime=10),
...     st.Job(id=2, submit=1, nodes=4, estimate=10, runtime=10),
...     st.Job(id=3, submit=2, nodes=2, estimate=5, runtime=5),
... ]
>>> schedule = st.simulate(st.Workload.from_jobs(jobs), policy="easy", nodes=8)
>>> schedule.start
[0, 10, 2]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shadowtime import (
        coursework,
        demo,
        estimates,
        live,
        metrics,
        online,
        partitions,
        plots,
        policies,
        prediction,
        records,
        replay,
        study,
        synthesis,
        traces,
    )
    from shadowtime.engine import simulate
    from shadowtime.errors import InputError, JobDoesNotFit
    from shadowtime.machine import Machine
    from shadowtime.profile import Profile
    from shadowtime.schedule import Decision, Schedule
    from shadowtime.workload import Job, Report, Workload

__version__ = "0.1.0"

# SPEC 1: `import shadowtime` costs nothing; a name is loaded when it is first used.
_HOME = {
    "simulate": "engine",
    "InputError": "errors",
    "JobDoesNotFit": "errors",
    "Machine": "machine",
    "Profile": "profile",
    "Decision": "schedule",
    "Schedule": "schedule",
    "Job": "workload",
    "Report": "workload",
    "Workload": "workload",
}
_MODULES = (
    "coursework",
    "demo",
    "estimates",
    "live",
    "metrics",
    "online",
    "partitions",
    "plots",
    "policies",
    "prediction",
    "records",
    "replay",
    "study",
    "synthesis",
    "traces",
)

__all__ = [
    "Decision",
    "InputError",
    "Job",
    "JobDoesNotFit",
    "Machine",
    "Profile",
    "Report",
    "Schedule",
    "Workload",
    "coursework",
    "demo",
    "estimates",
    "live",
    "metrics",
    "online",
    "partitions",
    "plots",
    "policies",
    "prediction",
    "records",
    "replay",
    "simulate",
    "study",
    "synthesis",
    "traces",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"shadowtime.{_HOME[name]}"), name)
    if name in _MODULES:
        return import_module(f"shadowtime.{name}")
    raise AttributeError(f"module 'shadowtime' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
