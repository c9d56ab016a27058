"""Tasks of a context: what the view and the place must show besides the thing to find, by the world's truth.

MP5's context-dependent tasks ask for a thing under conditions: its surroundings, the biome, the time of day,
the weather, the brightness (MP5, Table 12). MP5's open-ended tasks ask to dig a block under conditions
(MP5, 4.2.3, F.3).
"""

from collections.abc import Mapping
from typing import Any, cast

from optimus_gym.core.task import DIGGING_CONTEXTS, Task
from optimus_gym.core.types import SubGoal
from optimus_gym.core.witness import things_in_view
from optimus_gym.core.world_powers import PredicamentWorld, SurroundingsWorld
from optimus_gym.envs.runtime import Runtime
from optimus_gym.game.items import item_names

LEAST_LIGHT = 8
"""Least light level at the player's feet that counts as bright: monsters come at 7 or less (Minecraft Wiki,
"Light"); our choice."""
JUDGED_BY: Mapping[str, str] = {
    "time": "predicaments",
    "weather": "surroundings",
    "light": "surroundings",
    "in": "predicaments",
}
"""The power of a world that shows whether a condition holds, for conditions that need an own power."""


def lacking(runtime: Runtime, row: int, subgoal: SubGoal) -> tuple[str, ...]:
    """Return what a row lacks for a sub-goal's thing to count as found or dug; empty if it lacks nothing.

    The row's task adds its context if it asks to declare the sub-goal. A block to dig need not be in view: it
    was dug.
    """
    view, episode = things_in_view(runtime.world, row), runtime.episode(row)
    task = episode.task
    asked = is_asked_for(task, subgoal)
    if asked and task.is_dug:
        missing = [] if episode.dug else [f"{task.item} dug as the task asks"]
    else:
        missing = [] if not view.isdisjoint(subgoal.kinds) else [subgoal.kinds[0]]
    if asked:
        missing += [
            f"{name} {value}"
            for name, value in task.context.items()
            if name not in DIGGING_CONTEXTS and not _holds(runtime.world, row, name, value, view)
        ]
    return tuple(missing)


def is_asked_for(task: Task, subgoal: SubGoal) -> bool:
    """Return whether a sub-goal finds or digs what a task asks to find or dig, and to declare."""
    same = subgoal.verb == task.goal.verb and not set(subgoal.kinds).isdisjoint(task.kinds)
    return task.success == "declared" and same


def note_digging(runtime: Runtime, row: int) -> None:
    """Note in the row's episode whether the latest tick broke a block as an open-ended task asks."""
    episode = runtime.episode(row)
    task = episode.task
    if not task.is_dug or episode.dug:
        return
    if any(one.kind == "mined" and one.subject in task.kinds for one in runtime.happened[row]):
        asked = {name: task.context[name] for name in DIGGING_CONTEXTS if name in task.context}
        held = (
            _holds(runtime.world, row, name, value, frozenset()) for name, value in asked.items()
        )
        episode.dug = all(held)


def _holds(world: Any, row: int, name: str, value: str, view: frozenset[str]) -> bool:
    """Return whether a condition of a context holds for the player of a row."""
    if name == "near":
        return value in view
    if name == "tool":
        return item_names()[int(world.bodies([row])[0][0, 0])] == value
    if name == "in":
        return f"in_{value}" in cast(PredicamentWorld, world).predicaments(row)
    if name == "biome":
        return value in (world.biome(row) or "")
    if name == "time":
        dark = "night" in cast(PredicamentWorld, world).predicaments(row)
        return dark == (value == "night")
    told = cast(SurroundingsWorld, world).conditions(row)
    return told.light >= LEAST_LIGHT if name == "light" else told.rains == (value == "rain")
