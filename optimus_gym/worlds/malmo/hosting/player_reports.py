"""Reports on a world's player: items by slot, worn items, vitals, place, and what is near."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.world_powers import Conditions, Surroundings
from optimus_gym.game.biomes import BIOMES, biome_climate
from optimus_gym.game.blocks import block_names
from optimus_gym.game.items import HELD_SLOTS, item_names, items
from optimus_gym.worlds.malmo.dialects import Dialect
from optimus_gym.worlds.malmo.hosting.host_world import HostWorld
from optimus_gym.worlds.malmo.hosting.meant_names import told_item
from optimus_gym.worlds.malmo.reports import (
    EQUIPMENT,
    Location,
    NearBlock,
    NearCreature,
    PlayerLife,
    WireStack,
    Worn,
)
from optimus_gym.worlds.malmo.wire_actions import WireBox

_WORN_SLOTS: Final = (40, 36, 37, 38, 39)
"""Slots of `EQUIPMENT` after the hand: off-hand, feet, legs, chest, head."""
_USUAL_BIOME: Final = "plains"
"""The biome whose climate stands in reports where the world knows no biome."""
_LEVELS: Final = ((16, 2, 7), (31, 5, -38), (21_864, 9, -158))
"""Levels below a bound, with the points to the next level: factor of the level, and a constant; Minecraft
Wiki, "Experience"."""


def held_pieces(world: HostWorld, row: int) -> dict[str, int]:
    """Return how many pieces of each item a player holds, wears included."""
    counts, names = world.counts([row])[0], item_names()
    return {names[k]: int(counts[k]) for k in np.flatnonzero(counts)}


def pocket_stacks(world: HostWorld, row: int) -> list[tuple[int, str, int]]:
    """Return slot, item and pieces of the stacks of a player's 36 slots.

    A world without the power "mouse" tells no slots: its items then lie in the first slots, by their ids.
    """
    names = item_names()
    if "mouse" in world.can:
        pockets = world.pockets([row])[0].tolist()
        return [(slot, names[kind], count) for slot, (kind, count) in enumerate(pockets) if count]
    made: list[tuple[int, str, int]] = []
    for name, count in held_pieces(world, row).items():
        size = items()[name].stack_size
        for first in range(0, count, size):
            made.append((len(made), name, min(size, count - first)))
    return made[:HELD_SLOTS]


def told_stacks(world: HostWorld, row: int, dialect: Dialect) -> tuple[WireStack, ...]:
    """Return a player's stacks under the client's names.

    MineRL's games list what is worn and in the off-hand, too, behind the 36 slots; MineStudio's client knows
    the 36 slots alone.
    """
    stacks = pocket_stacks(world, row)
    if not dialect.slots and "mouse" in world.can:
        stacks += _worn_stacks(world, row, stacks)
    made = []
    for slot, name, count in stacks:
        told, variant = told_item(name, dialect.old_names)
        made.append(WireStack(slot, told, count, variant))
    return tuple(made)


def _worn_stacks(
    world: HostWorld, row: int, pockets: list[tuple[int, str, int]]
) -> list[tuple[int, str, int]]:
    """Return the stacks that are worn and in the off-hand: all pieces that are in no pocket."""
    left = held_pieces(world, row)
    for _, name, count in pockets:
        left[name] = left.get(name, 0) - count
    made = []
    worn, names = world.bodies([row])[0][0].tolist(), item_names()
    for slot, kind in zip(_WORN_SLOTS, worn[1:], strict=True):
        name = names[kind]
        if kind and left.get(name, 0) > 0:
            made.append((slot, name, left[name]))
            left[name] = 0
    return sorted(made)


def told_equipment(world: HostWorld, row: int, dialect: Dialect) -> dict[str, Worn]:
    """Return what a player holds and wears, with uses; a world without its arrays tells no uses."""
    kinds, names = world.bodies([row])[0][0].tolist(), item_names()
    uses = _uses(world, row)
    made = {}
    for place, kind, used in zip(EQUIPMENT, kinds, uses, strict=True):
        if kind:
            name, variant = told_item(names[kind], dialect.old_names)
            most = items()[names[kind]].max_durability
            made[place] = Worn(name, used, most, variant)
    return made


def _uses(world: HostWorld, row: int) -> list[int]:
    """Return the uses so far of what is in `EQUIPMENT`'s places."""
    arrays: Any = getattr(world, "worlds", None) if "arrays" in world.can else None
    if arrays is None:
        return [0] * len(EQUIPMENT)
    slots = (int(arrays.players["hotbar"][row]), *_WORN_SLOTS)
    return [int(arrays.slots["damage"][row, slot]) for slot in slots]


def told_life(world: HostWorld, row: int) -> PlayerLife:
    """Return a player's vitals; a world without its arrays tells the points of whole levels alone."""
    health, food, saturation, air, _, level = world.bodies([row])[1][0].tolist()
    arrays: Any = getattr(world, "worlds", None) if "arrays" in world.can else None
    points = points_of(int(level)) if arrays is None else int(arrays.players["experience"][row])
    return PlayerLife(
        health=health,
        food=int(food),
        saturation=saturation,
        air=int(air),
        experience=points,
        score=points,
        alive=bool(world.alive([row])[0]),
    )


def points_of(level: int) -> int:
    """Return the experience points of a level.

    >>> points_of(0), points_of(17), points_of(32)
    (0, 394, 1628)
    """
    return sum(
        next(factor * each + rest for bound, factor, rest in _LEVELS if each < bound)
        for each in range(level)
    )


def told_location(world: HostWorld, row: int, pose: NDArray[np.float64]) -> Location:
    """Return a player's place (pose: float64[5]) with light and weather, as far as the world knows them."""
    known = "surroundings" in world.can
    here = (
        world.conditions(row) if known else Conditions(world.biome(row), True, False, 15, 1.0, 1.0)
    )
    climate = biome_climate(here.biome if here.biome in BIOMES else _USUAL_BIOME)
    x, y, z, yaw, pitch = pose.tolist()
    return Location(
        x=x,
        y=y,
        z=z,
        yaw=(yaw + 180.0) % 360.0 - 180.0,
        pitch=pitch,
        biome_id=climate.number,
        rainfall=climate.rainfall,
        temperature=climate.temperature,
        sees_sky=here.sees_sky,
        rains=here.rains,
        light=here.light,
        sky_light=here.sky_light,
        sun=here.sun,
    )


def told_blocks(
    near: Surroundings, box: WireBox, pose: NDArray[np.float64]
) -> tuple[NearBlock, ...]:
    """Return the known blocks of a box relative to the player's block, x slowest and z fastest."""
    here = [int(place // 1) for place in pose[:3]]
    names = block_names()
    made = []
    x0, x1, y0, y1, z0, z1 = ordered(box)
    first = [corner - place for corner, place in zip(near.corner, here, strict=True)]
    size = near.blocks.shape
    for x in range(max(x0, first[0]), min(x1 + 1, first[0] + size[0])):
        for y in range(max(y0, first[1]), min(y1 + 1, first[1] + size[1])):
            column = near.blocks[x - first[0], y - first[1]]
            for z in range(max(z0, first[2]), min(z1 + 1, first[2] + size[2])):
                number = int(column[z - first[2]])
                if number >= 0:
                    made.append(NearBlock(names[number], x, y, z))
    return tuple(made)


def told_creatures(
    near: Surroundings, box: WireBox, pose: NDArray[np.float64]
) -> tuple[NearCreature, ...]:
    """Return the creatures of a box relative to the player's feet."""
    x0, x1, y0, y1, z0, z1 = ordered(box)
    here = pose[:3].tolist()
    made = []
    for one in near.creatures:
        x, y, z = one.x - here[0], one.y - here[1], one.z - here[2]
        if x0 <= x <= x1 and y0 <= y <= y1 and z0 <= z <= z1:
            made.append(NearCreature(one.name, x, y, z, one.health))
    return tuple(made)


def ordered(box: WireBox) -> WireBox:
    """Return a box whose first corner of each axis is the lesser one.

    >>> ordered((2, -2, 0, 1, 0, 0))
    (-2, 2, 0, 1, 0, 0)
    """
    x0, x1, y0, y1, z0, z1 = box
    return min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1), min(z0, z1), max(z0, z1)
