"""Tasks of a context: what the view and the place must show besides the thing to find, by the world's truth.

MP5's context-dependent tasks ask for a thing under conditions: its surroundings, the biome, the time of day,
the weather, the brightness (MP5, Table 12).
"""

from collections.abc import Collection, Mapping
from typing import Any, cast

from optimus_gym.core.task import Task
from optimus_gym.core.witness import things_in_view
from optimus_gym.core.world_powers import PredicamentWorld, SurroundingsWorld
from optimus_gym.envs.runtime import Runtime

LEAST_LIGHT = 8
"""Least light level at the player's feet that counts as bright: monsters come at 7 or less (Minecraft Wiki,
"Light"); our choice."""
JUDGED_BY: Mapping[str, str] = {
    "time": "predicaments",
    "weather": "surroundings",
    "light": "surroundings",
}
"""The power of a world that shows whether a condition holds, for conditions that need an own power."""


def lacking(runtime: Runtime, row: int, kinds: Collection[str]) -> tuple[str, ...]:
    """Return what a row lacks for a thing of `kinds` to count as found; empty if it is found.

    The row's task adds its context if it asks to declare one of `kinds`.
    """
    view = things_in_view(runtime.world, row)
    missing = [] if not view.isdisjoint(kinds) else [next(iter(kinds))]
    task = runtime.episode(row).task
    if is_asked_for(task, kinds):
        missing += [
            f"{name} {value}"
            for name, value in task.context.items()
            if not _holds(runtime.world, row, name, value, view)
        ]
    return tuple(missing)


def is_asked_for(task: Task, kinds: Collection[str]) -> bool:
    """Return whether a task asks to find and declare one of the things `kinds`."""
    return task.success == "declared" and not set(kinds).isdisjoint(task.kinds)


def _holds(world: Any, row: int, name: str, value: str, view: frozenset[str]) -> bool:
    """Return whether a condition of a context holds for the player of a row."""
    if name == "near":
        return value in view
    if name == "biome":
        return value in (world.biome(row) or "")
    if name == "time":
        dark = "night" in cast(PredicamentWorld, world).predicaments(row)
        return dark == (value == "night")
    told = cast(SurroundingsWorld, world).conditions(row)
    return told.light >= LEAST_LIGHT if name == "light" else told.rains == (value == "rain")
