"""How a sub-goal ends: by what the world shows, or by the agent's word."""

from optimus_gym.controllers.verbs import HELPED
from optimus_gym.core.deliberation import End, Judge, Verdict
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.envs.episode import Pursuit
from optimus_gym.envs.reaching import evidence_of
from optimus_gym.envs.runtime import Runtime

Ending = tuple[End, Failure | None]


def shown(
    runtime: Runtime,
    row: int,
    pursuit: Pursuit,
    limit: int,
    failure: Failure | None,
    judge: Judge,
) -> Ending | None:
    """Return how the sub-goal that `row` pursues has ended by what the world shows, or None.

    Args:
        runtime: the worlds and episodes.
        row: which.
        pursuit: its sub-goal, credited for the latest tick.
        limit: ticks after which it has failed.
        failure: why who carries it out has given it up, or None.
        judge: whose word ends it as done.
    """
    episode = runtime.episode(row)
    succeeded = episode.status == "success"
    if pursuit.progress >= 1 and (succeeded or not _waits_for_word(judge, pursuit.subgoal)):
        return "reached", None
    if succeeded:
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


def judged(subgoal: SubGoal, verdict: Verdict, judge: Judge) -> Ending | None:
    """Return how an agent's verdict ends a sub-goal, or None: it goes on."""
    if verdict.judgement == "COMPLETE":
        counts = judge == "both" or _waits_for_word(judge, subgoal)
        return ("complete", None) if counts else None
    if verdict.judgement == "CONTINUE":
        return None
    return "replan", Failure("judged", subgoal.item, subgoal.count, verdict.predicament)


def _waits_for_word(judge: Judge, subgoal: SubGoal) -> bool:
    """Tell whether nothing but COMPLETE ends a sub-goal as done."""
    return judge == "reflector" and subgoal.verb not in HELPED
