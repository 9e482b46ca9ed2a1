"""The study of runtime prediction on heavy tails, whole, on any log.

One call prepares the logs, evaluates the predictors on rolling splits, routes large requests,
replays each queue and year, and keeps every table and figure of the study.

Examples
--------
>>> from shadowtime import study, traces
>>> found = study.run([traces.load("teaching")], predictors=["request", "last2"], model="last2")
>>> found.tables["figure1"].round(2).values.tolist()
[['teaching', 0.02, 0.31]]
"""

from shadowtime.study.report import Study, load
from shadowtime.study.whole import LogStudy, run

__all__ = ["LogStudy", "Study", "load", "run"]
