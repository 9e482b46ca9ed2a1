"""Random workloads for property tests: small numbers, so that ties and full machines are common."""

from hypothesis import strategies as st

from shadowtime import policies
from shadowtime.policies import Policy
from shadowtime.workload import Job, Workload


def every_policy() -> list[Policy]:
    """Return one of each policy that the naive simulator knows too."""
    others = {"selective", "slack", "slurm", "easy-watchful", "easy-sjbf-watchful"}
    return [policies.by_name(name) for name in policies.NAMES if name not in others]


POLICIES = [policy.name for policy in every_policy()]


def policy_named(name: str) -> Policy:
    return next(policy for policy in every_policy() if policy.name == name)


@st.composite
def workloads(draw: st.DrawFn, max_jobs: int = 40) -> Workload:
    """Ties, zero runtimes, overruns, jobs as wide as the machine, and idle gaps."""
    machine = draw(st.one_of(st.integers(1, 8), st.just(8)))
    job = st.tuples(
        st.sampled_from((0, 0, 0, 1, 1, 2, 3, 5, 70)),
        st.integers(1, draw(st.sampled_from((1 + machine // 2, machine)))),
        st.integers(1, 12),
        st.integers(0, 15),
    )
    least = draw(st.sampled_from((1, 1 + max_jobs // 3)))
    submit = draw(st.integers(0, 5))
    jobs: list[Job] = []
    for gap, nodes, estimate, runtime in draw(st.lists(job, min_size=least, max_size=max_jobs)):
        submit += gap
        jobs.append(
            Job(id=len(jobs) + 1, submit=submit, nodes=nodes, estimate=estimate, runtime=runtime)
        )
    return Workload.from_jobs(jobs, machine_nodes=machine)


def plans(workload: Workload) -> st.SearchStrategy[list[int] | None]:
    """Predictions, too short, too long or right, or none at all."""
    size = len(workload)
    return st.none() | st.lists(st.integers(1, 15), min_size=size, max_size=size)
