"""Synthetic workloads: the Lublin-Feitelson model, with users, requests and queues added to it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.errors import InputError
from shadowtime.synthesis import estimates as requests
from shadowtime.synthesis import lublin
from shadowtime.synthesis import users as people
from shadowtime.workload import Workload

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["QUEUES", "generate", "offered_load"]

HOUR = 3600
QUEUES: Mapping[str, float] = {"short": 4 * HOUR, "long": float("inf")}
"""Longest request, in seconds, that each queue takes; a job goes to the first that takes it."""


def generate(
    jobs: int,
    nodes: int,
    rng: np.random.Generator,
    *,
    variant: str = "batch",
    load: float | None = None,
    users: int | None = 50,
    queues: Mapping[str, float] | None = QUEUES,
    estimates: str | float = "round",
    limit: int = 48 * HOUR,
    runtime_factor: float = 1.0,
) -> Workload:
    """Make a workload with the model of Lublin & Feitelson.

    Parameters
    ----------
    jobs : int
        How many jobs.
    nodes : int
        Nodes of the machine.
    rng : numpy.random.Generator
        A generator in the same state gives the same workload.
    variant : {"batch", "one-type"}
        Batch jobs alone, or batch and interactive jobs that are not told apart.
    load : float, optional
        Offered load (:func:`offered_load`) to reach, by stretching the time between submissions;
        the day keeps its 24 hours. By default arrivals are the model's own.
    users : int, optional
        How many users; None for the plain model, in which no job resembles the one before it.
    queues : mapping of str to float, optional
        Name and longest request of each queue, in seconds, shortest first; None for no queues.
    estimates : "round", "exact" or float
        Requests at round values, equal to the run times, or by the f-model with this f.
    limit : int
        Longest run time, and longest request at a round value, in seconds.
    runtime_factor : float
        Factor on the run times of the model.

    Returns
    -------
    Workload
        Jobs 1, 2, ... in order of submission, in seconds since a midnight, with extra columns
        ``user``, ``application`` and ``queue``. The header says how it was made. No job runs longer
        than its request: one that needs more has been cut there, as a scheduler would do.

    Raises
    ------
    InputError
        If an argument is out of range.

    Notes
    -----
    With users, sizes and run times are drawn for *applications* instead of jobs. A user runs an
    application several times; its runs need the same nodes and request the same time, and their
    run times spread around the drawn one, except that a third of the runs of a long application
    fail and end early. The shares are such that over many jobs sizes and run times stay those of
    the model; what is added is that a user's consecutive jobs are alike. With requests at round
    values, users ask for a time drawn for a run one standard deviation longer than usual. A job in
    a hundred needs more and is cut.

    References
    ----------
    U. Lublin and D. G. Feitelson, "The workload on parallel supercomputers: modeling the
    characteristics of rigid jobs", Journal of Parallel and Distributed Computing 63(11), 2003.

    Examples
    --------
    >>> w = generate(1000, 128, np.random.default_rng(1), load=0.8)
    >>> w
    <Workload lublin-batch: 1,000 jobs for 128 nodes>
    >>> round(offered_load(w), 3)
    0.8
    """
    _check(jobs, nodes, limit, users, runtime_factor, load)
    if variant not in lublin.VARIANTS:
        raise InputError(f"variant = {variant!r}; it is one of {', '.join(lublin.VARIANTS)}")
    parameters = lublin.VARIANTS[variant]
    seed = getattr(rng.bit_generator.seed_seq, "entropy", None)

    extra: dict[str, Any] = {}
    if users is None:
        application = np.arange(jobs)
        size = lublin.sizes(jobs, nodes, rng, parameters)
        usual = np.minimum(lublin.runtimes(size, rng, parameters) * runtime_factor, limit)
        longest, runtime = usual, usual
    else:
        user = people.submitters(jobs, users, rng)
        application = people.applications(user, rng)
        extra = {"user": user.tolist(), "application": (application + 1).tolist()}
        size = lublin.sizes(application.max() + 1, nodes, rng, parameters)
        drawn, long = people.application_runtimes(size, rng, parameters)
        usual = np.minimum(drawn * runtime_factor, limit)
        longest = np.minimum(usual * math.exp(people.SPREAD), limit)
        fails = np.ones(jobs, dtype=np.bool_)
        early = lublin.runtimes(size[application], rng, parameters, fails) * runtime_factor
        runtime = people.runs(usual[application], long[application], early, rng)
    size = size[application]
    runtime = np.clip(runtime, 1, limit).astype(np.int64)

    if estimates == "round":
        estimate = requests.round_values(longest, rng, limit=limit)[application]
        runtime = np.minimum(runtime, estimate)
    elif estimates == "exact":
        estimate = runtime
    elif isinstance(estimates, str):
        raise InputError(f"estimates = {estimates!r}; it is 'round', 'exact' or a number")
    else:
        estimate = requests.f_model(runtime, estimates, rng)

    header = {"MaxJobs": str(jobs), "MaxNodes": str(nodes), "MaxProcs": str(nodes)}
    if queues is not None:
        extra["queue"] = _queue(estimate, queues)
        header["Queue"] = "\n".join(
            f"{number} {name}" for number, name in enumerate(queues, start=1)
        )
    cycle = lublin.daily_cycle(parameters)
    gap = lublin.gaps(jobs, rng, parameters)
    if load is not None:
        gap *= lublin.pace(gap, cycle, float(size @ runtime) / (nodes * load))
    header["Note"] = (
        f"synthetic: model of Lublin and Feitelson (2003), {variant}, seed {seed}, load {load},\n"
        f"{users} users, estimates {estimates}, limit {limit} s, runtime factor {runtime_factor},\n"
        f"numpy {np.__version__}"
    )
    return Workload(
        id=range(1, jobs + 1),
        submit=lublin.arrivals(gap, cycle).astype(np.int64),
        nodes=size,
        estimate=estimate,
        runtime=runtime,
        extra=extra,
        machine_nodes=nodes,
        name=f"lublin-{variant}",
        header=header,
    )


def offered_load(workload: Workload, nodes: int | None = None) -> float:
    """Return the node-time that the jobs need over what the machine has while they arrive.

    Parameters
    ----------
    workload : Workload
    nodes : int, optional
        Nodes of the machine; by default what the workload says.

    Returns
    -------
    float
        Sum of nodes x runtime over nodes x (last submit - first submit). Above 1 the queue grows.

    Raises
    ------
    InputError
        If the machine's size is unknown or all jobs arrive at once.

    Examples
    --------
    >>> from shadowtime.workload import Job
    >>> offered_load(Workload.from_jobs([Job(1, 0, 4, 50, 50), Job(2, 100, 2, 50, 50)]), 8)
    0.375
    """
    nodes = nodes or workload.machine_nodes
    if not nodes:
        raise InputError("the machine's size is unknown; pass nodes=")
    span = workload.submit[-1] - workload.submit[0] if len(workload) else 0
    if not span:
        raise InputError("offered load needs jobs that arrive at different times")
    work = sum(n * r for n, r in zip(workload.nodes, workload.runtime, strict=True))
    return work / (nodes * span)


def _check(
    jobs: int, nodes: int, limit: int, users: int | None, runtime_factor: float, load: float | None
) -> None:
    for name, count in {"jobs": jobs, "nodes": nodes, "limit": limit, "users": users}.items():
        if count is not None and count < 1:
            raise InputError(f"{name} = {count}; it must be 1 or more")
    for name, factor in {"runtime_factor": runtime_factor, "load": load}.items():
        if factor is not None and not 0 < factor < float("inf"):
            raise InputError(f"{name} = {factor}; it must be greater than 0")


def _queue(estimate: NDArray[np.int64], queues: Mapping[str, float]) -> list[int]:
    limits = list(queues.values())
    if limits != sorted(limits):
        raise InputError(f"queues = {dict(queues)}; they are given shortest first")
    number = np.searchsorted(limits, estimate) + 1
    if number.max() > len(limits):
        raise InputError(f"estimate = {estimate.max()} s is longer than any queue takes")
    return [int(n) for n in number]
