"""What no world can hold: checked before a saved state is taken in, for kernels do not check."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.game.blocks import block_names
from optimus_gym.game.creatures import DIFFICULTIES, creature_kinds, sheep_colours
from optimus_gym.game.items import item_names
from optimus_gym.worlds.voxel.state.fauna import MOST_ARROWS, MOST_CREATURES
from optimus_gym.worlds.voxel.state.worlds import (
    ASSISTS,
    BLOCK_MASK,
    EVENT_NAMES,
    HEIGHT,
    HOTBAR,
    MAIN,
    MOST_EVENTS,
    MOST_FALLING,
    MOST_SCHEDULED,
)

_FARTHEST = 30_000_000
"""Blocks; Minecraft Wiki, "World boundary"."""

MOST_LEVEL = 31
"""Level of an effect less one, by which its ticks are divided; the strongest of ours is 3."""

Arrays = dict[str, NDArray[Any]]


def check_bounds(arrays: Arrays) -> None:
    """Refuse numbers that are not finite, and those that name what does not exist.

    Args:
        arrays: the state of one world by name, without the axis of worlds.

    Raises:
        BadValue: a value is out of range; says which.
    """
    for name, array in arrays.items():
        _check_finite(name, array)
    players = arrays["players"]
    for axis in ("x", "z"):
        _check(f"players.{axis}", players[axis], -_FARTHEST, _FARTHEST)
    for name in ASSISTS.names or ():
        _check(f"assists.{name}", arrays["assists"][name], 0, 1)
    _check_fauna(arrays)
    _check_needs(arrays)
    _check("players.hotbar", players["hotbar"], HOTBAR, MAIN - 1)
    _check("players.aim_face", players["aim_face"], -1, 5)
    _check("players.events", players["events"], 0, MOST_EVENTS)
    most = len(item_names()) - 1
    _check("slots.item", arrays["slots"]["item"], 0, most)
    _check("drops.item", arrays["drops"]["item"], 0, most)
    for part in ("input", "fuel", "output"):
        _check(f"furnaces.{part}", arrays["furnaces"][part]["item"], 0, most)
    _check("stored.item", arrays["stored"]["item"], 0, most)
    _check("events.kind", arrays["events"]["kind"], 0, len(EVENT_NAMES) - 1)
    _check("events.subject", arrays["events"]["subject"], 0, most)
    _check("players.scheduled", players["scheduled"], 0, MOST_SCHEDULED)
    _check("players.noted", players["noted"], 0, 0)
    _check("players.falling", players["falling"], 0, MOST_FALLING)
    _check("scheduled.y", arrays["scheduled"]["y"], 0, HEIGHT - 1)
    _check("falling.voxel", arrays["falling"]["voxel"] & BLOCK_MASK, 0, len(block_names()) - 1)
    _check("falling.y", arrays["falling"]["y"], -HEIGHT, 2 * HEIGHT)
    _check("edits.y", arrays["edits"]["y"], 0, HEIGHT - 1)
    _check("edits.voxel", arrays["edits"]["voxel"] & BLOCK_MASK, 0, len(block_names()) - 1)


def _check_needs(arrays: Arrays) -> None:
    """Refuse what no player can need."""
    needs, spawns = arrays["needs"], arrays["spawns"]
    _check("needs.meal", needs["meal"], 0, len(item_names()) - 1)
    _check("needs.exhaustion", needs["exhaustion"], 0, 40)
    _check("effects.ticks", arrays["effects"]["ticks"], 0, 2**31 - 1)
    _check("effects.level", arrays["effects"]["level"], 0, MOST_LEVEL)
    _check("needs.lost_for", needs["lost_for"], 0, 2**31 - 1)
    for axis in ("x", "y", "z"):
        _check(f"spawns.{axis}", spawns[axis], -_FARTHEST, _FARTHEST)


def _check_fauna(arrays: Arrays) -> None:
    """Refuse creatures that cannot be."""
    _check("rules.difficulty", arrays["rules"]["difficulty"], 0, len(DIFFICULTIES) - 1)
    for name in ("creatures", "survival"):
        _check(f"rules.{name}", arrays["rules"][name], 0, 1)
    fauna, creatures = arrays["fauna"], arrays["creatures"]
    _check("fauna.creatures", fauna["creatures"], 0, MOST_CREATURES)
    _check("fauna.arrows", fauna["arrows"], 0, MOST_ARROWS)
    _check("fauna.peopled", fauna["peopled"], 0, 2**31 - 1)
    _check("fauna.charged_with", fauna["charged_with"], 0, len(item_names()) - 1)
    _check("creatures.kind", creatures["kind"], 0, len(creature_kinds()) - 1)
    _check("creatures.colour", creatures["colour"], 0, len(sheep_colours()) - 1)
    for part in ("creatures", "arrows"):
        for axis in ("x", "y", "z"):
            _check(f"{part}.{axis}", arrays[part][axis], -_FARTHEST, _FARTHEST)


def _check(name: str, values: NDArray[Any], least: int, most: int) -> None:
    if ((values < least) | (values > most)).any():
        raise BadValue(f"snapshot: {name}: expected {least} to {most}, got {values.tolist()}")


def _check_finite(name: str, array: NDArray[Any]) -> None:
    for field in array.dtype.names or ():
        if array.dtype[field].kind == "f" and not np.isfinite(array[field]).all():
            raise BadValue(f"snapshot: {name}.{field}: expected finite numbers")
