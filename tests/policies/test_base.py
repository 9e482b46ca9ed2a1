"""What a policy sees, and what becomes of a policy of one's own."""

from collections.abc import Iterator
from typing import Any

import pytest

from shadowtime import policies
from shadowtime.engine import simulate
from shadowtime.errors import InputError, JobDoesNotFit
from shadowtime.policies import Policy, State, Stateless, Waiting
from shadowtime.schedule import Decision
from shadowtime.workload import Job, Workload

Decisions = Iterator[tuple[Waiting, Decision]]

# On 4 nodes. Job 1 ends early, job 2 needs the whole machine.
JOBS = Workload.from_jobs(
    [Job(1, 0, 3, 10, 6), Job(2, 1, 4, 5, 5), Job(3, 2, 1, 9, 9)], machine_nodes=4
)


class ShortestFirst(Stateless):
    """A student's policy: the shortest job first, whatever waits."""

    name = "shortest-first"

    def decide(self, state: State) -> Decisions:
        for job in sorted(state.queue, key=lambda job: job.planned):
            if job.nodes > state.free:
                return
            yield state.start(job, "it is the shortest")


def test_a_policy_of_ones_own_is_simulated_like_any_other() -> None:
    schedule = simulate(JOBS, ShortestFirst(), decisions=True)
    assert schedule.policy == "shortest-first"
    assert list(schedule.start) == [0, 6, 11]
    assert str(schedule.explain(3)).endswith("t=11: job 3 starts: it is the shortest.")


def test_a_policy_without_a_name_goes_by_that_of_its_class() -> None:
    class Mine(policies.Fcfs):
        pass

    assert simulate(JOBS, Mine()).policy == "Mine"
    assert simulate(JOBS, policies.Fcfs()).policy == "fcfs"


def test_a_class_is_no_policy_until_an_object_is_made_of_it() -> None:
    with pytest.raises(InputError, match="policy = ShortestFirst is a class; give an object"):
        simulate(JOBS, ShortestFirst)  # type: ignore[arg-type]


class Greedy(Stateless):
    name = "greedy"

    def decide(self, state: State) -> Decisions:
        for job in state.queue:
            yield state.start(job, "it wants to")


def test_starting_a_job_that_does_not_fit_is_an_error_that_says_so() -> None:
    with pytest.raises(JobDoesNotFit) as raised:
        simulate(JOBS, Greedy())
    assert str(raised.value) == (
        "policy 'greedy' starts job 2 at 1: it needs 4 nodes and 1 are free"
    )


class Twice(Stateless):
    name = "twice"

    def decide(self, state: State) -> Decisions:
        for job in state.queue:
            yield state.start(job, "once")
            yield state.start(job, "and once more")


def test_starting_a_job_twice_is_an_error_that_says_so() -> None:
    with pytest.raises(JobDoesNotFit, match="'twice' starts job 1 at 0, but it has started"):
        simulate(JOBS, Twice())


class OnlyNarrow(Stateless):
    name = "only-narrow"

    def decide(self, state: State) -> Decisions:
        for job in state.queue:
            if job.nodes <= min(state.free, 3):
                yield state.start(job, "it is narrow")


def test_a_policy_that_never_starts_a_job_is_told_which() -> None:
    with pytest.raises(JobDoesNotFit) as raised:
        simulate(JOBS, OnlyNarrow())
    assert str(raised.value) == (
        "the machine is empty and policy 'only-narrow' starts none of the 1 waiting jobs; the "
        "first is job 2, which needs 4 nodes"
    )


class Watching(Stateless):
    """First fit that writes down what it sees."""

    name = "watching"

    def __init__(self) -> None:
        self.seen: list[dict[str, Any]] = []

    def decide(self, state: State) -> Decisions:
        self.seen.append(
            {
                "now": state.now,
                "free": state.free,
                "queue": [job.id for job in state.queue],
                "running": [tuple(entry) for entry in state.running],
                "arrived": [job.id for job in state.arrived],
                "ended": [entry.row for entry in state.ended],
            }
        )
        for job in state.queue:
            if job.nodes <= state.free:
                free = state.free
                yield state.start(job, "it fits")
                assert state.free == free - job.nodes
                assert job.started
                assert job.row in {entry.row for entry in state.running}


def test_a_policy_sees_queue_machine_and_what_happened_since_the_last_pass() -> None:
    watching = Watching()
    simulate(JOBS, watching)
    assert watching.seen == [
        {"now": 0, "free": 4, "queue": [1], "running": [], "arrived": [1], "ended": []},
        {"now": 1, "free": 1, "queue": [2], "running": [(10, 0, 3)], "arrived": [2], "ended": []},
        {
            "now": 2, "free": 1, "queue": [2, 3], "running": [(10, 0, 3)],
            "arrived": [3], "ended": [],
        },
        {"now": 6, "free": 3, "queue": [2], "running": [(11, 2, 1)], "arrived": [], "ended": [0]},
        {"now": 11, "free": 4, "queue": [2], "running": [], "arrived": [], "ended": [2]},
    ]  # fmt: skip


class EveryTenth(Stateless):
    """Starts jobs at multiples of ten only, and asks to be woken for them."""

    name = "every-tenth"

    def decide(self, state: State) -> Decisions:
        if state.now % 10:
            state.wake = state.now + 10 - state.now % 10
            return
        for job in state.queue:
            if job.nodes <= state.free:
                yield state.start(job, "its time has come")
        state.wake = state.now + 10


def test_a_policy_is_woken_when_it_asks_for_it() -> None:
    assert list(simulate(JOBS, EveryTenth()).start) == [0, 10, 20]


class Forgetful(Stateless):
    """First fit whose author forgot to yield."""

    name = "forgetful"

    def decide(self, state: State) -> Decisions:  # type: ignore[return]
        for job in state.queue:
            state.start(job, "it fits")


def test_a_policy_that_forgets_to_yield_is_told_so() -> None:
    with pytest.raises(InputError, match="'forgetful' decides nothing at 0: its decide has to"):
        simulate(JOBS, Forgetful())


class Sleepless(Stateless):
    name = "sleepless"

    def decide(self, state: State) -> Decisions:
        state.wake = state.now
        yield from ()


def test_a_policy_that_asks_for_the_same_instant_again_is_an_error() -> None:
    with pytest.raises(InputError, match="'sleepless' asks at 0 for a pass at 0, which is not la"):
        simulate(JOBS, Sleepless())


@pytest.mark.parametrize("name", policies.NAMES)
def test_a_simulation_leaves_the_policy_as_it_was(name: str) -> None:
    policy = policies.by_name(name)
    first = simulate(JOBS, policy, engine="readable")
    again = simulate(JOBS, policy, engine="readable")
    assert list(first.start) == list(again.start)
    assert first.policy == again.policy == name


def test_policies_are_found_by_name() -> None:
    for name in policies.NAMES:
        policy: Policy = policies.by_name(name)
        assert policy.name == name
    with pytest.raises(InputError, match="there is no policy 'sjf'; there are fcfs, first-fit, "):
        policies.by_name("sjf")


def test_a_waiting_job_prints_what_it_needs() -> None:
    assert repr(Waiting(0, "J4", 10, 6, 45)) == "<job J4: 6 nodes for 45>"
