"""Reading ``SchedulerParameters``, and the limits that Slurm's manual sets."""

from __future__ import annotations

import re

from shadowtime.errors import InputError

LIMITS: dict[str, tuple[int, int]] = {
    "bf_window": (1, 43_200),
    "bf_resolution": (1, 3_600),
    "bf_interval": (1, 10_800),
    "bf_max_time": (1, 3_600),
    "bf_max_job_test": (1, 1_000_000),
    "bf_max_job_user": (0, 1_000_000),
    "bf_max_job_part": (0, 1_000_000),
    "bf_max_job_start": (0, 10_000),
    "bf_job_part_count_reserve": (0, 100_000),
    "bf_min_age_reserve": (0, 2_592_000),
    "bf_min_prio_reserve": (0, 2**63),
    "bf_yield_interval": (1, 10_000_000),
    "bf_yield_sleep": (1, 10_000_000),
}
"""Least and greatest value of each number that the manual allows."""

FLAGS = ("bf_continue", "bf_busy_nodes", "bf_one_resv_per_job")
"""The knobs that are on or off."""

OTHERS = frozenset(
    """
    allow_zero_lic assoc_limit_stop batch_sched_delay bb_array_stage_cnt bf_allow_magnetic_slot
    bf_hetjob_immediate bf_hetjob_prio bf_licenses bf_max_job_array_resv bf_max_job_assoc
    bf_max_job_user_part bf_node_space_size bf_running_job_reserve bf_topopt_enable
    bf_topopt_iterations bf_window_linear bf_yield_rpc_cnt build_queue_timeout
    correspond_after_task_cnt default_queue_depth defer defer_batch delay_boot
    disable_hetjob_steps disable_job_shrink enable_hetjob_steps enable_user_top
    extra_constraints ignore_constraint_validation ignore_numa ignore_prefer_validation
    max_array_tasks max_rpc_cnt max_sched_time max_script_size max_submit_line_size
    max_switch_wait no_backup_scheduling no_env_cache nohold_on_prolog_fail pack_serial_at_end
    partition_job_depth preempt_reorder_count preempt_strict_order preempt_youngest_first
    reduce_completing_frag requeue_delay requeue_on_resume_failure requeue_setup_env_fail
    salloc_wait_nodes sbatch_wait_nodes sched_interval sched_max_job_start sched_min_interval
    spec_cores_first step_retry_count step_retry_time time_min_as_soft_limit whole_hetjob
    """.split()  # noqa: SIM905 - sixty quoted names are harder to read
)
"""What else the manual has under ``SchedulerParameters``."""

_PARAMETERS = re.compile(r"^\s*SchedulerParameters\s*\+?=\s*(\S*)", re.IGNORECASE | re.MULTILINE)
_TYPE = re.compile(r"^\s*SchedulerType\s*=\s*(\S+)", re.IGNORECASE | re.MULTILINE)


def read(text: str) -> tuple[dict[str, int | bool], tuple[str, ...]]:
    """Read the knobs out of a line of ``slurm.conf``, or out of the whole file.

    Parameters
    ----------
    text : str

    Returns
    -------
    knobs : dict of str to int or bool
        What the text sets and :class:`~shadowtime.policies.Slurm` models.
    unmodelled : tuple of str
        What else it sets, a phrase each.

    Raises
    ------
    InputError
        If there is no ``SchedulerParameters`` in it, or a value is not a whole number.

    Examples
    --------
    >>> read("SchedulerParameters=bf_window=2880,bf_continue,max_rpc_cnt=150")
    ({'bf_window': 2880, 'bf_continue': True}, ('max_rpc_cnt=150 is not modelled',))
    """
    lines = _PARAMETERS.findall(text)
    kind = _TYPE.search(text)
    if not lines and not kind:
        raise InputError("there is no SchedulerParameters= in this text")
    knobs: dict[str, int | bool] = {}
    unmodelled = []
    if kind and kind[1].lower() == "sched/builtin":
        knobs["bf_interval"] = -1
    for item in ",".join(lines).split(","):
        name, _, value = item.strip().partition("=")
        name = name.lower()
        if name in LIMITS and knobs.get("bf_interval") != -1:
            knobs[name] = _number(name, value)
        elif name in FLAGS and not value:
            knobs[name] = True
        elif name in OTHERS:
            unmodelled.append(f"{item.strip()} is not modelled")
        elif name in LIMITS:
            unmodelled.append(f"{item.strip()} has no effect: there is no backfilling")
        elif name in FLAGS:
            raise InputError(f"{item.strip()}: {name} takes no value, it is on if it is there")
        elif name:
            unmodelled.append(f"{item.strip()} is not known to Slurm's manual")
    return knobs, tuple(unmodelled)


def _number(name: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise InputError(f"{name} = {value!r} is not a whole number") from None
