"""Measures how much of a sub-goal is reached in the world, and decides how the sub-goal ends."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.verbs import HELPED
from optimus_gym.core.deliberation import End, Judge, Outcome, Verdict
from optimus_gym.core.errors import BadValue
from optimus_gym.core.predicaments import ELSEWHERE, FED, SEEN_BY_WORLD, WELL
from optimus_gym.core.task import Task
from optimus_gym.core.types import ACT_VERBS, RECOVER, SHAFT_ENDS, Event, Failure, SubGoal
from optimus_gym.core.witness import LOOK_PERIOD
from optimus_gym.core.world_powers import WhereaboutsWorld
from optimus_gym.envs.context import is_asked_for, lacking, note_digging
from optimus_gym.envs.courses import Course, Pursuit
from optimus_gym.envs.runtime import Runtime
from optimus_gym.game.equipment import is_equipped
from optimus_gym.game.items import item_names, items
from optimus_gym.game.sources import Source, game_sources
from optimus_gym.game.tools import able_tools

Ending = tuple[End, Failure | None]
"""How a sub-goal ended (`End`), and the failure or None."""
SEEN_BY_EVENT = {"place": "used", "find": "found", "use": "used"}
"""Verbs whose success only an event of the world shows, and the event's kind."""
MADE_BY_EVENT = {"craft": "crafted", "smelt": "smelted"}
"""Verbs whose batches are counted, and the kind of event for each batch."""
WAYS_KEPT = 1024
"""Maximum number of pairs of verb and items for which `_ways` caches its answer."""
LOST = "lost"
"""The kind of the event that reports items which a world took away by chance."""


def share_reached(runtime: Runtime, course: Course, row: int) -> float:
    """Return the share (0 to 1) of the row's current sub-goal that is reached after the row's latest tick."""
    pursuit = course.pursuit
    assert pursuit is not None, "a sub-goal is being carried out"
    subgoal = pursuit.subgoal
    if subgoal.verb == "equip":
        return float(is_worn(runtime, row, subgoal))
    if subgoal.verb in SEEN_BY_EVENT and _happened(runtime, row, subgoal):
        return 1.0
    if subgoal.verb == "find" and not _ways("find", subgoal.kinds):
        return float(_sees(runtime, row, pursuit))
    if subgoal.verb in SEEN_BY_EVENT and subgoal.verb != "find":
        return 0.0
    if subgoal.verb == "fight":
        return min(pursuit.kills / subgoal.count, 1.0)
    if subgoal.verb == "move":
        near = cast(WhereaboutsWorld, runtime.world).in_reach(row)
        return float(not set(near).isdisjoint(subgoal.kinds))
    if subgoal.verb in SHAFT_ENDS:
        return _dug(runtime, course, row, subgoal)
    if subgoal.verb == RECOVER:
        return _recovered(runtime, course, row, subgoal.item)
    lost = _lost(runtime, row, subgoal)
    if not runtime.changed[row] and not lost:
        return pursuit.share
    assert course.held_then is not None, "the loop noted it when the sub-goal began"
    gained = int((runtime.counts[row] - course.held_then)[pursuit.ids].sum()) + lost
    return min(max(gained / subgoal.count, 0.0), 1.0)


def _happened(runtime: Runtime, row: int, subgoal: SubGoal) -> bool:
    """Return whether an event of the latest tick shows a sub-goal's success."""
    kind = SEEN_BY_EVENT[subgoal.verb]
    return any(one.kind == kind and one.subject in subgoal.kinds for one in runtime.happened[row])


def _sees(runtime: Runtime, row: int, pursuit: Pursuit) -> bool:
    """Return whether the player sees what a find sub-goal wants; looks every `LOOK_PERIOD` ticks.

    The result is False in a world without the power "sights", such as a world that reports itself what is
    found.
    """
    looks = "sights" in runtime.can and pursuit.ticks % LOOK_PERIOD == 0
    return looks and not lacking(runtime, row, pursuit.subgoal)


def _dug(runtime: Runtime, course: Course, row: int, subgoal: SubGoal) -> float:
    """Return how far the player of `row` has dug up to the sky or down to a height, 0 to 1."""
    if subgoal.verb == "dig_up":
        return float(cast(WhereaboutsWorld, runtime.world).under_sky(row))
    assert course.stood_then is not None, "the loop noted it when the sub-goal began"
    begun, now = float(course.stood_then[1]), float(runtime.world.poses([row])[0, 1])
    if now < subgoal.count + 1:
        return 1.0
    return min(max((begun - now) / max(begun - subgoal.count, 1.0), 0.0), 0.99)


def kills_made(runtime: Runtime, subgoal: SubGoal, row: int) -> int:
    """Return how many creatures of a fight sub-goal's kinds the player killed in the latest tick."""
    if subgoal.verb != "fight":
        return 0
    events = runtime.happened[row]
    return sum(one.count for one in events if one.kind == "killed" and one.subject in subgoal.kinds)


def _lost(runtime: Runtime, row: int, subgoal: SubGoal) -> int:
    """Return how many pieces of a sub-goal's items the world took away while it carried the sub-goal out.

    Pieces that were taken away count for the sub-goal, because the player had gained them.
    """
    if "subgoals" not in runtime.can:
        return 0
    events = runtime.happened[row]
    return sum(one.count for one in events if one.kind == LOST and one.subject in subgoal.kinds)


def batches_made(runtime: Runtime, subgoal: SubGoal, row: int) -> int:
    """Return how many single crafts or smelts of the latest tick made an item of a sub-goal."""
    kind = MADE_BY_EVENT.get(subgoal.verb)
    return sum(
        event.kind == kind and event.subject in subgoal.kinds for event in runtime.happened[row]
    )


def evidence_of(subgoal: SubGoal) -> str:
    """Return in words what shows a sub-goal's success, and which method of the world returns that evidence.

    >>> evidence_of(SubGoal("place", "furnace"))
    'the event used of furnace (`events`)'
    """
    kinds = " or ".join(subgoal.kinds)
    if subgoal.verb in SEEN_BY_EVENT:
        return f"the event {SEEN_BY_EVENT[subgoal.verb]} of {kinds} (`events`)"
    if subgoal.verb == "fight":
        return f"{subgoal.count} events killed of {kinds} (`events`)"
    if subgoal.verb == "move":
        return f"{kinds} in reach (`in_reach`)"
    if subgoal.verb in SHAFT_ENDS:
        up = subgoal.verb == "dig_up"
        return "the sky in sight (`under_sky`)" if up else f"y {subgoal.count} (`poses`)"
    if subgoal.verb == "equip":
        return f"{kinds} worn or in hand (`bodies`)"
    if subgoal.verb == RECOVER:
        method = "predicaments" if subgoal.item in SEEN_BY_WORLD else "bodies, poses"
        return f"a player that is no longer {subgoal.item} (`{method}`)"
    return f"{subgoal.count} more of {kinds} held than before (`counts`)"


def _recovered(runtime: Runtime, course: Course, row: int, predicament: str) -> float:
    """Return how far the player of `row` has recovered from a predicament, 0 to 1."""
    world: Any = runtime.world  # an executor recovers only with the power "predicaments"
    if predicament in SEEN_BY_WORLD:
        return float(predicament not in world.predicaments(row))
    if predicament == "stuck":
        assert course.stood_then is not None, "the loop noted it when the sub-goal began"
        gone = np.abs(world.poses([row])[0, :3] - course.stood_then).max()
        return min(float(gone) / ELSEWHERE, 1.0)
    vitals = world.bodies([row])[1][0]
    share = vitals[0] / WELL if predicament == "hurt" else vitals[1] / FED
    return min(float(share), 1.0)


def is_worn(runtime: Runtime, row: int, subgoal: SubGoal) -> bool:
    """Return whether the verb of a sub-goal is equip, and its item is worn or in hand."""
    if subgoal.verb != "equip":
        return False
    worn = runtime.world.bodies([row])[0][0].tolist()
    return any(is_equipped(name, worn) for name in subgoal.kinds if name in items())


def ids_of(subgoal: SubGoal) -> NDArray[np.int64]:
    """Return the ids of the items that count for a sub-goal (int64[k]), without things that are no items."""
    table = items()
    return np.array([table[name].id for name in subgoal.kinds if name in table], np.int64)


def used(
    runtime: Runtime, row: int, subgoal: SubGoal, consumed: Mapping[str, int]
) -> tuple[str | None, str | None]:
    """Return the tool and the station used to get a sub-goal's items; None if none was needed.

    A source of the item in the game (`game.sources`) counts if its station is in reach and some of each of
    its ingredients were used up. If every source that counts needs a tool, the tool is the item in hand, or
    the sub-goal's tool if the item in hand would not do.
    """
    ways = [
        way
        for way in _ways(subgoal.verb, subgoal.kinds)
        if _fits(way, runtime.world.stations(row), consumed)
    ]
    if not ways:
        return subgoal.tool, subgoal.station
    station = None if any(way.station is None for way in ways) else ways[0].station
    if any(way.tool is None for way in ways):
        return None, station
    hand = item_names()[int(runtime.world.bodies([row])[0][0, 0])]
    weakest = {way.tool for way in ways if way.tool is not None}
    able = any(hand in able_tools(tool) for tool in weakest)
    return (hand if able else subgoal.tool or ways[0].tool), station


def outcome_of(
    runtime: Runtime,
    course: Course,
    row: int,
    ending: Ending,
    change: tuple[Mapping[str, int], Mapping[str, int]],
) -> Outcome:
    """Return the outcome of the row's current sub-goal, without its last frame.

    Args:
        runtime: the worlds and episodes.
        course: the row's course.
        row: the row.
        ending: how the sub-goal ends.
        change: pieces gained and lost since the sub-goal began, by item.
    """
    (end, failure), (gained, consumed) = ending, change
    pursuit, episode = course.pursuit, runtime.episode(row)
    assert pursuit is not None, "a sub-goal is being carried out"
    tool, station = used(runtime, row, pursuit.subgoal, consumed)
    return Outcome(
        row=row,
        subgoal=pursuit.subgoal,
        end=end,
        failure=failure,
        ticks=pursuit.ticks,
        tick=episode.ticks,
        gained=gained,
        consumed=consumed,
        batches=pursuit.batches,
        tool=tool,
        station=station,
        contradicted=end == "complete" and episode.status != "success" and pursuit.progress < 1,
        chosen=pursuit.chosen,
        over=episode.over,
    )


@lru_cache(WAYS_KEPT)
def _ways(verb: str, kinds: tuple[str, ...]) -> tuple[Source, ...]:
    """Return the game's sources (recipes, blocks, creatures) of some items by a verb."""
    return tuple(way for way in game_sources() if way.verb == verb and way.product in kinds)


def _fits(way: Source, stations: Sequence[str], consumed: Mapping[str, int]) -> bool:
    """Return whether a source's station is in reach and some of each of its ingredients were used up."""
    near = way.station is None or way.station in stations
    return near and all(
        any(consumed.get(name, 0) > 0 for name in need.choices) for need in way.needs
    )


def ending_by_world(
    runtime: Runtime,
    row: int,
    pursuit: Pursuit,
    limit: int,
    failure: Failure | None,
    judge: Judge,
) -> Ending | None:
    """Return how the world's state ends the row's current sub-goal; None if the sub-goal goes on.

    Args:
        runtime: the worlds and episodes.
        row: the row.
        pursuit: the row's current sub-goal, with the progress of the latest tick.
        limit: ticks after which the sub-goal fails.
        failure: why the executor has given up, or None.
        judge: what decides that the sub-goal is done: "inventory", "reflector" (the agent) or "both".
    """
    episode = runtime.episode(row)
    succeeded = episode.status == "success"
    if pursuit.progress >= 1 and (succeeded or not waits_for_word(judge, pursuit.subgoal)):
        return "reached", None
    if succeeded:
        return "complete", None
    if episode.status == "world_failed":
        return "failed", Failure("world_failed", detail=episode.reason)
    if episode.status in ("mistaken", "missed"):
        return "failed", Failure("not_found", pursuit.subgoal.item, 1, episode.reason)
    if runtime.died[row]:
        return "failed", Failure("died")
    if failure is not None:
        return "failed", failure
    if episode.status == "budget" or pursuit.ticks >= limit:
        return "failed", Failure("timeout", pursuit.subgoal.item, pursuit.subgoal.count)
    return None


def unshown(runtime: Runtime, row: int, pursuit: Pursuit) -> BadValue:
    """Return the error for a world that calls a sub-goal done although the row's state does not show it."""
    world, subgoal = runtime.config.name_of("world"), pursuit.subgoal
    events = ", ".join(f"{one.kind} {one.count} {one.subject}" for one in runtime.happened[row])
    return BadValue(
        f"world {world!r} calls {str(subgoal)!r} done: expected {evidence_of(subgoal)}, "
        f"got {pursuit.progress:.0%} of it and {f'the events {events}' if events else 'no event'} "
        f"(carry_out, row {row})"
    )


def ending_by_agent(subgoal: SubGoal, verdict: Verdict, judge: Judge) -> Ending | None:
    """Return how an agent's verdict ends a sub-goal, or None if the sub-goal goes on."""
    if verdict.judgement == "COMPLETE":
        counts = judge == "both" or waits_for_word(judge, subgoal)
        return ("complete", None) if counts else None
    if verdict.judgement == "CONTINUE":
        return None
    return "replan", Failure("judged", subgoal.item, subgoal.count, verdict.predicament)


def waits_for_word(judge: Judge, subgoal: SubGoal) -> bool:
    """Return whether a sub-goal is done only when the agent's verdict is COMPLETE.

    Acts end by the world's state: no situation of an agent shows a kill or what is in reach.
    """
    return judge == "reflector" and subgoal.verb not in (*HELPED, *ACT_VERBS)


def note_found(runtime: Runtime, row: int, subgoal: SubGoal) -> None:
    """Add the event "found" to the row's latest tick; the task may thereby succeed.

    A world with the power "finds" reports the event itself.
    """
    if "finds" not in runtime.can:
        found = Event("found", subgoal.item, 1)
        runtime.happened[row] = (*runtime.happened[row], found)
        runtime.episode(row).events.append(found)
        runtime.judge(row, bool(runtime.world.alive([row])[0]), changed=False)


def hear_the_world(
    runtime: Runtime, row: int, pursuit: Pursuit, reached: float, judge: Judge
) -> None:
    """Note a block that is dug; if the world has the word, tell what it shows.

    The world tells that the block is dug, that a thing is found, or that the sub-goal was the whole task.
    """
    note_digging(runtime, row)
    episode = runtime.episode(row)
    if reached >= 1 and _is_the_task(episode.task, pursuit.subgoal):
        runtime.end(row, "success")
        return
    if pursuit.subgoal.verb == "find" and reached >= 1:
        if not waits_for_word(judge, pursuit.subgoal):
            note_found(runtime, row, pursuit.subgoal)
        return
    looks = episode.dug and judge != "reflector" and episode.ticks % LOOK_PERIOD == 0
    if looks and not lacking(runtime, row, episode.goal):
        note_found(runtime, row, episode.goal)


def _is_the_task(task: Task, subgoal: SubGoal) -> bool:
    """Return whether a task asks for nothing but the sub-goal."""
    goal = task.goal
    return task.success == "reached" and (goal.verb, goal.kinds, goal.count) == (
        subgoal.verb,
        subgoal.kinds,
        subgoal.count,
    )


def hear_the_agent(
    runtime: Runtime, row: int, pursuit: Pursuit, verdict: Verdict, judge: Judge
) -> bool:
    """Judge the agent's word on a thing to find or dig: found, mistaken or missed (MP5, section 4.1).

    COMPLETE on a find sub-goal declares its thing as found; in a task that asks to dig a block, COMPLETE on
    the sub-goal that digs it declares the block as dug. The thing counts as found if the world shows it,
    in the task's context if the task asks for it; else a task that asks for it fails ("mistaken"). Any other
    verdict on a view that shows all that the task asks for fails the task ("missed"). An agent with the judge
    "inventory" leaves the word to the world.

    Returns:
        whether the word has found the thing or ended the episode.
    """
    if judge == "inventory" or "sights" not in runtime.can or runtime.episode(row).over:
        return False
    task, subgoal = runtime.episode(row).task, pursuit.subgoal
    asked = is_asked_for(task, subgoal)
    if verdict.judgement == "COMPLETE" and (asked or subgoal.verb == "find"):
        missing = lacking(runtime, row, subgoal)
        if not missing:
            pursuit.progress = 1.0
            note_found(runtime, row, subgoal)
            return True
        if asked:
            runtime.end(row, "mistaken", f"the view lacks {', '.join(missing)}")
    elif task.success == "declared" and not lacking(runtime, row, task.goal):
        runtime.end(row, "missed", f"the view showed {task.item} as the task asks for")
    return runtime.episode(row).over
