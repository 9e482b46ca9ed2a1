"""Figures of schedules for print, in matplotlib.

Every function draws on the axes that it is given, or on new ones, and returns them. Policies have
the colours of :mod:`shadowtime.palette`, and a line style or hatch of their own besides, so that
a grey printout can be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from shadowtime import metrics, palette
from shadowtime.errors import InputError
from shadowtime.placement import placement
from shadowtime.schedule import Schedule
from shadowtime.workload import Seconds

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINES = {
    "fcfs": "-", "first-fit": ":", "easy": "-", "easy-sjbf": "--", "conservative": "-.",
}  # fmt: skip
HATCHES = {"fcfs": "", "first-fit": "..", "easy": "//", "easy-sjbf": "xx", "conservative": "\\\\"}

T = TypeVar("T")
Rows = Sequence[Mapping[str, Any]]

UNITS = {"s": 1, "min": 60, "h": 3600, "days": 86400}
"""Seconds in each unit that an axis can show."""


def _axes(ax: Axes | None, *, width: float = 7.2, height: float = 3.2) -> Axes:
    if ax is None:
        from matplotlib import pyplot as plt

        _, ax = plt.subplots(figsize=(width, height), layout="constrained")
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(colors=palette.colour("muted"))
    ax.set_axisbelow(True)
    return ax


def _style(name: str) -> tuple[str, str, str]:
    """Return colour, line style and hatch of a policy; its variants look like their base."""
    base = next(
        (known for known in sorted(LINES, key=len, reverse=True) if name.startswith(known)), None
    )
    if base is None:
        return palette.colour("muted"), (0, (1, 1)), ""  # type: ignore[return-value]
    return palette.colour(base), LINES[base], HATCHES[base]


def _label(name: str) -> str:
    return palette.NAMES.get(name, name)


def _named(schedules: Mapping[str, T] | Iterable[Schedule]) -> dict[str, T | Schedule]:
    if isinstance(schedules, Mapping):
        return dict(schedules)
    return {schedule.policy: schedule for schedule in schedules}


def _buckets(schedule: Schedule | Rows, count: int) -> Rows:
    return schedule.timeline().buckets(count) if isinstance(schedule, Schedule) else schedule


def gantt(
    schedule: Schedule,
    ax: Axes | None = None,
    *,
    promises: bool = True,
    labels: bool | None = None,
    unit: str = "time",
) -> Axes:
    """Draw jobs as boxes: time across, nodes upwards.

    Parameters
    ----------
    schedule : Schedule
    ax : matplotlib.axes.Axes, optional
    promises : bool
        Mark the first start that was promised to a job, if it did not start at once, by a
        diamond; a line leads to the start that came of it.
    labels : bool, optional
        Write the job's id into its box; by default for up to 60 jobs.
    unit : str
        Name of the unit on the time axis.

    Returns
    -------
    matplotlib.axes.Axes
    """
    ax = _axes(ax, height=0.6 + 0.3 * min(schedule.nodes, 16))
    jobs = schedule.workload
    colour, _, hatch = _style(schedule.policy)
    labels = len(jobs) <= 60 if labels is None else labels
    for row, pieces in enumerate(placement(schedule)):
        start, length = schedule.start[row], schedule.end[row] - schedule.start[row]
        passed = schedule.backfilled[row]
        for first, width in pieces:
            ax.broken_barh(
                [(start, length)], (first, width),
                facecolor=colour if passed else palette.colour("job"),
                edgecolor=palette.colour("paper") if passed else palette.colour("job-edge"),
                hatch=hatch if passed else None, linewidth=0.8,
            )  # fmt: skip
            if labels:
                ink = palette.colour("on-colour" if passed else "job-ink")
                plate = {"facecolor": colour, "edgecolor": "none", "pad": 0.8} if passed else None
                ax.text(
                    start + length / 2, first + width / 2, f"J{jobs.id[row]}",
                    ha="center", va="center", fontsize=8, color=ink, bbox=plate, clip_on=True,
                )  # fmt: skip
        promise = schedule.first_reservation[row]
        if promises and promise is not None and promise > jobs.submit[row]:
            height = pieces[0][0] + pieces[0][1] / 2
            ax.plot([start, promise], [height, height], color=palette.colour("ink"), lw=0.8)
            ax.plot(promise, height, "D", ms=4, mfc="none", mec=palette.colour("ink"))
    ax.set(
        xlabel=unit, ylabel="nodes", ylim=(0, schedule.nodes),
        xlim=(min(jobs.submit, default=0), max(schedule.end, default=1) or 1),
        title=_label(schedule.policy),
    )  # fmt: skip
    return ax


def line(
    x: Sequence[float], y: Sequence[float], name: str, ax: Axes | None = None, **style: Any
) -> Axes:
    """Draw a line in the style of a policy, with a dot at each point.

    Parameters
    ----------
    x, y : sequence of numbers, shape (points,)
    name : str
        The policy.
    ax : matplotlib.axes.Axes, optional
    **style
        For :meth:`matplotlib.axes.Axes.plot`, over the policy's own.

    Returns
    -------
    matplotlib.axes.Axes
    """
    ax = _axes(ax)
    colour, stroke, _ = _style(name)
    own: dict[str, Any] = {"color": colour, "ls": stroke, "label": _label(name)}
    ax.plot(x, y, **(own | {"marker": "o", "ms": 4} | style))
    return ax


def over_time(
    schedules: Mapping[str, Schedule | Rows] | Iterable[Schedule],
    series: str = "busy",
    ax: Axes | None = None,
    *,
    buckets: int = 300,
    unit: str = "days",
) -> Axes:
    """Draw busy nodes, free nodes or queue length over time.

    Parameters
    ----------
    schedules : sequence of Schedule, or mapping of label to Schedule
        Times in seconds. In the place of a schedule there may be the rows that
        :meth:`shadowtime.timeline.Timeline.buckets` made of it.
    series : {"busy", "free", "queued"}
    ax : matplotlib.axes.Axes, optional
    buckets : int
        Stretches of time; in each the line shows the mean and a band reaches from the least to
        the greatest value, so that no peak is lost.
    unit : {"s", "min", "h", "days"}
        Of the time axis.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InputError
        If there is no such series or unit.
    """
    if series not in ("busy", "free", "queued"):
        raise InputError(f"series = {series!r}; it is 'busy', 'free' or 'queued'")
    if unit not in UNITS:
        raise InputError(f"unit = {unit!r}; it is one of {', '.join(UNITS)}")
    ax = _axes(ax)
    for name, schedule in _named(schedules).items():
        rows = _buckets(schedule, buckets)
        middle = [(row["from"] + row["to"]) / 2 / UNITS[unit] for row in rows]
        colour, line, _ = _style(name)
        low, high = ([row[f"{series}_{end}"] for row in rows] for end in ("min", "max"))
        ax.fill_between(middle, low, high, step="mid", color=colour, alpha=0.18, linewidth=0)
        mean = [row[f"{series}_mean"] for row in rows]
        ax.plot(middle, mean, color=colour, ls=line, lw=1.4, label=_label(name))
    what = {"busy": "busy nodes", "free": "free nodes", "queued": "jobs waiting"}[series]
    ax.set(xlabel=unit, ylabel=what)
    ax.set_ylim(bottom=0)
    ax.margins(x=0)
    ax.legend(frameon=False)
    return ax


def by_size(
    schedules: Mapping[str, Schedule | Rows] | Iterable[Schedule],
    measure: str = "mean_wait",
    ax: Axes | None = None,
    *,
    unit: str = "h",
    tau: Seconds = 10,
) -> Axes:
    """Draw a measure per size class, a bar for each schedule.

    Parameters
    ----------
    schedules : sequence of Schedule, or mapping of label to Schedule
        Of the same workload. In the place of a schedule there may be the rows that
        :func:`shadowtime.metrics.by_size` made of it.
    measure : str
        A column of :func:`shadowtime.metrics.by_size`; waits are shown in `unit`.
    ax : matplotlib.axes.Axes, optional
    unit : {"s", "min", "h", "days"}
    tau : int or float
        Threshold of the bounded slowdown, in seconds.

    Returns
    -------
    matplotlib.axes.Axes
    """
    ax = _axes(ax)
    named = _named(schedules)
    is_time = measure.endswith("_wait")
    width = 0.8 / len(named)
    classes: list[str] = []
    for place, (name, schedule) in enumerate(named.items()):
        table = metrics.by_size(schedule, tau) if isinstance(schedule, Schedule) else schedule
        classes = [row["nodes"] for row in table]
        heights = [row[measure] / (UNITS[unit] if is_time else 1) for row in table]
        at = [i + (place - (len(named) - 1) / 2) * width for i in range(len(table))]
        colour, _, hatch = _style(name)
        ax.bar(
            at, heights, width, color=colour, hatch=hatch, label=_label(name),
            edgecolor=palette.colour("paper"), linewidth=0.6,
        )  # fmt: skip
    what = measure.replace("_", " ")
    ax.set_xticks(range(len(classes)), classes)
    ax.set(xlabel="nodes of the job", ylabel=f"{what} ({unit})" if is_time else what)
    ax.legend(frameon=False)
    return ax


def distribution(
    schedules: Mapping[str, Schedule] | Iterable[Schedule],
    measure: str = "bounded_slowdown",
    ax: Axes | None = None,
    *,
    tau: Seconds = 10,
) -> Axes:
    """Draw how many jobs have at most a given wait or slowdown.

    Parameters
    ----------
    schedules : sequence of Schedule, or mapping of label to Schedule
    measure : str
        A column of :func:`shadowtime.metrics.per_job`; the axis is logarithmic.
    ax : matplotlib.axes.Axes, optional
    tau : int or float
        Threshold of the bounded slowdown, in the workload's unit.

    Returns
    -------
    matplotlib.axes.Axes
    """
    ax = _axes(ax)
    for name, schedule in _named(schedules).items():
        values = sorted(metrics.per_job(schedule, tau)[measure])
        share = [(i + 1) / len(values) for i in range(len(values))]
        colour, line, _ = _style(name)
        ax.step(values, share, where="post", color=colour, ls=line, label=_label(name))
    ax.set_xscale("symlog" if measure == "wait" else "log")
    ax.set(xlabel=measure.replace("_", " "), ylabel="share of jobs", ylim=(0, 1))
    ax.legend(frameon=False)
    return ax


def compare(
    schedules: Mapping[str, Schedule] | Iterable[Schedule],
    measures: Sequence[str] = ("mean_wait", "mean_bounded_slowdown", "utilization"),
    *,
    tau: Seconds = 10,
) -> Any:
    """Draw one panel a measure, a bar a schedule.

    Parameters
    ----------
    schedules : sequence of Schedule, or mapping of label to Schedule
    measures : sequence of str
        Keys of :func:`shadowtime.metrics.summary`.
    tau : int or float
        Threshold of the bounded slowdown, in the workload's unit.

    Returns
    -------
    numpy.ndarray of matplotlib.axes.Axes, shape (measures,)
    """
    from matplotlib import pyplot as plt

    named = _named(schedules)
    height = 0.9 + 0.34 * len(named)
    _, axes = plt.subplots(
        1, len(measures), figsize=(7.2, height), layout="constrained", sharey=True, squeeze=False
    )
    for ax, measure in zip(axes[0], measures, strict=True):
        _axes(ax)
        values = [schedule.summary(tau)[measure] for schedule in named.values()]
        for place, (name, value) in enumerate(zip(named, values, strict=True)):
            colour, _, hatch = _style(name)
            ax.barh(place, value, color=colour, hatch=hatch, edgecolor=palette.colour("paper"))
        ax.set_xlabel(measure.replace("_", " "))
        ax.set_yticks(range(len(named)), [_label(name) for name in named])
    axes[0][0].invert_yaxis()
    return axes[0]
