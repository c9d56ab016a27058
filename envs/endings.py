"""How a sub-goal ends: by what the world shows, or by the agent's word."""

from optimus_gym.core.deliberation import End, Verdict
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.envs.episode import Pursuit
from optimus_gym.envs.reaching import evidence_of
from optimus_gym.envs.runtime import Runtime

Ending = tuple[End, Failure | None]


def shown(
    runtime: Runtime, row: int, pursuit: Pursuit, limit: int, failure: Failure | None
) -> Ending | None:
    """Return how the sub-goal that `row` pursues has ended by what the world shows, or None.

    Args:
        runtime: the worlds and episodes.
        row: which.
        pursuit: its sub-goal, credited for the latest tick.
        limit: ticks after which it has failed.
        failure: why who carries it out has given it up, or None.
    """
    episode = runtime.episode(row)
    if pursuit.progress >= 1:
        return "reached", None
    if episode.status == "success":
        return "complete", None
    if episode.status == "world_failed":
        return "failed", Failure("world_failed", detail=episode.reason)
    if runtime.died[row]:
        return "failed", Failure("died")
    if failure is not None:
        return "failed", failure
    if episode.status == "budget" or pursuit.ticks >= limit:
        return "failed", Failure("timeout", pursuit.subgoal.item, pursuit.subgoal.count)
    return None


def unshown(runtime: Runtime, row: int, pursuit: Pursuit) -> BadValue:
    """Return the error for a world that calls the sub-goal of `row` done and does not show it."""
    world, subgoal = runtime.config.name_of("world"), pursuit.subgoal
    events = ", ".join(f"{one.kind} {one.count} {one.subject}" for one in runtime.happened[row])
    return BadValue(
        f"world {world!r}: it calls {str(subgoal)!r} done; expected {evidence_of(subgoal)}, "
        f"got {pursuit.progress:.0%} of it and {f'the events {events}' if events else 'no event'} "
        f"(carry_out, row {row})"
    )


def judged(subgoal: SubGoal, verdict: Verdict) -> Ending | None:
    """Return how an agent's verdict ends a sub-goal, or None: it goes on."""
    if verdict.judgement == "CONTINUE":
        return None
    if verdict.judgement == "COMPLETE":
        return "complete", None
    return "replan", Failure("judged", subgoal.item, subgoal.count, verdict.predicament)
