"""Plays any world through the protocol `World` alone, and calls all methods that query the world's state."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import (
    ACTION_LENGTH,
    CONTROL_LENGTH,
    CONTROL_SIZES,
    FUNCTION,
    ITEM,
    PITCH,
    Function,
    noop,
)
from optimus_gym.core.interfaces import World
from optimus_gym.core.types import SubGoal
from optimus_gym.game.items import item, item_names

ANSWERS = (
    ("counts", (976,), np.int32),
    ("equipment", (6,), np.int32),
    ("vitals", (6,), np.float32),
    ("poses", (5,), np.float64),
    ("alive", (), np.bool_),
)
"""Name, shape for one row, and dtype of the arrays that `answers` returns."""
_SUBGOALS = (SubGoal("mine", "dirt", 2), SubGoal("craft", "oak_planks", 4), SubGoal("mine", "sand"))
"""Sub-goals that a test gives, in turn, to a world with the power "subgoals"."""
MOST_SUBGOAL_TICKS = 6000
"""Maximum number of ticks that a world may take for a sub-goal."""
SIZE = (36, 64)
"""Height and width in pixels of the frames that tests let a world draw."""
Answers = tuple[NDArray[Any], ...]


def held_counts(world: World, row: int = 0) -> dict[str, int]:
    """Return how many pieces of each item a player holds, by the items' names."""
    counts, names = world.counts([row])[0], item_names()
    return {names[k]: int(counts[k]) for k in np.flatnonzero(counts)}


def answers(world: Any, rows: Sequence[int] | NDArray[np.int64]) -> Answers:
    """Return counts, equipment, vitals, poses and whether players live, for rows, in order of `ANSWERS`."""
    return (world.counts(rows), *world.bodies(rows), world.poses(rows), world.alive(rows))


def are_equal(first: Answers, second: Answers) -> bool:
    """Return whether two results of `answers` are equal."""
    return all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def frames_over(world: Any, rows: Sequence[int], fill: int = 0) -> NDArray[np.uint8]:
    """Return the frames of some rows, drawn into an array that first held `fill` everywhere."""
    images = np.full((len(rows), *SIZE, 3), fill, np.uint8)
    world.frames(rows, images)
    return images


def seen(world: Any, row: int) -> dict[str, Any]:
    """Return the results of all methods that query a world's row, by name."""
    told: dict[str, Any] = {
        name: answer.tobytes()
        for (name, _, _), answer in zip(ANSWERS, answers(world, [row]), strict=True)
    }
    for name in ("biome", "stations", "assists", "events"):
        told[name] = getattr(world, name)(row)
    told["frame"] = frames_over(world, [row]).tobytes()
    if "whereabouts" in world.can:
        told["whereabouts"] = world.in_reach(row), world.under_sky(row)
    if "sights" in world.can:
        told["sights"] = world.sights(row, SIZE[::-1])
    if "night_vision" in world.can:
        bright = np.zeros((1, *SIZE, 3), np.uint8)
        world.bright_frames([row], bright)
        told["bright frame"] = bright.tobytes()
    if "biome_share" in world.can:
        told["biome_share"] = world.biome_share(row)
    if "surroundings" in world.can:
        told["conditions"] = world.conditions(row)
    if "snapshots" in world.can:
        told["snapshot"] = world.snapshot(row)
    return told


def different_answers(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """Return the names of the entries that differ between two results of `seen`."""
    return [name for name in first if first[name] != second[name]]


def keys(step: int, functions: bool) -> NDArray[np.int32]:
    """Return a random action (int32[15]), the same for the same step."""
    draws, action = np.random.default_rng(step // 4), np.zeros(ACTION_LENGTH, np.int32)
    action[:CONTROL_LENGTH] = draws.integers(0, CONTROL_SIZES)
    if functions and step % 4 == 0:
        action[FUNCTION], action[ITEM] = step // 4 % 2 * 3 + 1, item("oak_planks").id
    return action


def act(world: Any, rows: Sequence[int], step: int) -> None:
    """Give rows the same tick of random keys, the same sub-goal, or both, as the world's powers allow."""
    if "keys" in world.can:
        world.tick(rows, np.stack([keys(step, "functions" in world.can)] * len(rows)))
    if "subgoals" in world.can:
        for row in rows:
            world.carry_out(row, _SUBGOALS[step % len(_SUBGOALS)], MOST_SUBGOAL_TICKS)


def _look_down(world: Any) -> None:
    """Turn the view of row 0's player down to the ground, if the world has the power "keys"."""
    action = noop()
    action[PITCH] = CONTROL_SIZES[PITCH] - 1
    for _ in range(20):  # the camera turns by more than 5 degrees a tick
        if "keys" not in world.can or world.poses([0])[0, 4] >= 50.0:
            return
        world.tick([0], action[None])


def call(world: Any, function: Function, name: str) -> None:
    """Let the player of row 0 craft, smelt, equip or place an item; before placing, the player looks down."""
    if function is Function.PLACE:
        _look_down(world)
    action = noop()
    action[FUNCTION], action[ITEM] = function, item(name).id
    world.tick([0], action[None])


def tick_idly(world: Any, rows: Sequence[int] = (0,)) -> None:
    """Advance some rows by one tick in which no key is pressed."""
    world.tick(rows, np.stack([noop()] * len(rows)))


def global_draws() -> tuple[object, bytes, int]:
    """Return the states of Python's and NumPy's global random generators."""
    _, words, place, *_ = np.random.get_state()  # noqa: NPY002  this generator is watched
    return random.getstate(), np.asarray(words).tobytes(), int(place)
