"""Who submits the jobs: users who come in sessions and run the same application again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.synthesis import lublin

if TYPE_CHECKING:
    from numpy.typing import NDArray

STAYS = 1 / 2
"""Chance that a job comes from the user who submitted the job before it: one session."""

REPEATS = 2 / 3
"""Chance that a user's next job is another run of the application that the user ran last."""

FAILS = 1 / 3
"""Chance that a run of a long application ends early."""

SPREAD = 0.3
"""Standard deviation of the natural logarithm of the run time among runs of one application."""


def submitters(jobs: int, users: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw the user of each job.

    Parameters
    ----------
    jobs : int
        Jobs, in the order of submission.
    users : int
        Users of the machine.
    rng : numpy.random.Generator

    Returns
    -------
    numpy.ndarray of int, shape (jobs,)
        Numbers of users, from 1. A session of user k is 1 / k times as frequent as one of user 1
        (Zipf's law).
    """
    begins = rng.random(jobs) >= STAYS
    begins[:1] = True
    weight = 1 / np.arange(1, users + 1)
    sessions = rng.choice(users, size=np.count_nonzero(begins), p=weight / weight.sum()) + 1
    return np.asarray(sessions[np.cumsum(begins) - 1], dtype=np.int64)


def applications(user: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw what each job runs: the same as the same user's job before it, or something new.

    Parameters
    ----------
    user : numpy.ndarray of int, shape (jobs,)
        As from :func:`submitters`.
    rng : numpy.random.Generator

    Returns
    -------
    numpy.ndarray of int, shape (jobs,)
        Numbers of applications, from 0 and without gaps. No two users share one.

    Notes
    -----
    Real logs show this locality in every attribute, with repetitions that have a longer tail than
    the geometric one here.

    References
    ----------
    D. G. Feitelson, "Locality of sampling and diversity in parallel system workloads",
    International Conference on Supercomputing, 2007.
    """
    by_user = np.argsort(user, kind="stable")
    ordered = user[by_user]
    new = rng.random(len(user)) >= REPEATS
    new[:1] = True
    new[1:] |= ordered[1:] != ordered[:-1]
    application = np.empty(len(user), dtype=np.int64)
    application[by_user] = np.cumsum(new) - 1
    return application


def application_runtimes(
    size: NDArray[np.int64], rng: np.random.Generator, parameters: lublin.Parameters
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Draw how long each application usually runs.

    Parameters
    ----------
    size : numpy.ndarray of int, shape (applications,)
        Nodes that each application needs.
    rng : numpy.random.Generator
    parameters : lublin.Parameters

    Returns
    -------
    runtime : numpy.ndarray of int, shape (applications,)
        Seconds.
    long : numpy.ndarray of bool, shape (applications,)
        Applications whose run time is of the model's second, longer distribution. They are so
        many that, with the runs of them that fail, short runs have the share that the model gives.
    """
    share = (1 - lublin.short_share(size, parameters)) / (1 - FAILS)
    long = rng.random(len(size)) < share
    return lublin.runtimes(size, rng, parameters, ~long), long


def runs(
    usual: NDArray[np.floating[Any]],
    long: NDArray[np.bool_],
    early: NDArray[np.floating[Any]],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Draw the run time of each job, given how long its application usually runs.

    Parameters
    ----------
    usual : numpy.ndarray of float, shape (jobs,)
        Seconds that the job's application usually runs.
    long : numpy.ndarray of bool, shape (jobs,)
        Whether that application is a long one.
    early : numpy.ndarray of float, shape (jobs,)
        Seconds after which the job ends if it fails.
    rng : numpy.random.Generator

    Returns
    -------
    numpy.ndarray of float, shape (jobs,)
        Seconds.
    """
    jobs = len(usual)
    fails = long & (rng.random(jobs) < FAILS)
    spread = np.exp(rng.normal(-(SPREAD**2) / 2, SPREAD, jobs))  # its mean is 1
    return np.where(fails, np.minimum(early, usual), usual * spread)
