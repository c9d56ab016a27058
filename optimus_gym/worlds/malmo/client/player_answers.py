"""A world's answers about a player, from the game's latest report."""

from collections import Counter
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.squeezing import squeezed
from optimus_gym.game.biomes import ALIASES
from optimus_gym.game.dataset import dataset
from optimus_gym.game.items import HELD_SLOTS, item_names, items
from optimus_gym.worlds.malmo.reports import EQUIPMENT, Location, Report

_WORN: Final = ("offhand", "feet", "legs", "chest", "head")
"""Places of worn stacks, which no slot of the inventory holds."""


def item_number(name: str) -> int:
    """Return an item's id; 0 for air and for names that the game of this package lacks.

    >>> item_number("air"), item_number("no_such_item")
    (0, 0)
    """
    known = items().get(name)
    return 0 if known is None else known.id


def counts_in(report: Report, slots: bool) -> NDArray[np.int32]:
    """Return how many of each item a player holds or wears (int32[976], by item id).

    Args:
        report: the report.
        slots: whether the game tells slots, so that worn stacks are apart from the others; else its stacks
            may hold the worn ones or not, and an item counts at least as often as it is worn.
    """
    counts = np.zeros(len(item_names()), np.int32)
    for stack in report.stacks:
        counts[item_number(stack.item)] += max(stack.count, 0)
    worn = Counter(item_number(report.worn[place].item) for place in _WORN if place in report.worn)
    for number, pieces in worn.items():
        counts[number] = counts[number] + pieces if slots else max(counts[number], pieces)
    counts[0] = 0
    return counts


def pockets_in(report: Report) -> NDArray[np.int32]:
    """Return the inventory by slot (int32[36, 2]): item id and pieces, the hotbar first."""
    pockets = np.zeros((HELD_SLOTS, 2), np.int32)
    for stack in report.stacks:
        number = item_number(stack.item)
        if number and 0 <= stack.slot < HELD_SLOTS and stack.count > 0:
            pockets[stack.slot] = number, stack.count
    return pockets


def body_in(
    report: Report, counts: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return a player's equipment and vitals.

    Args:
        report: the report.
        counts: the result of `counts_in`; what is not held is not worn.

    Returns:
        item ids of hand, off-hand, feet, legs, chest, head (int32[6]), and health, food, saturation, air,
        armour points, level (float32[6]).
    """
    numbers = [
        item_number(report.worn[place].item) if place in report.worn else 0 for place in EQUIPMENT
    ]
    equipment = np.array([number if counts[number] else 0 for number in numbers], np.int32)
    names = item_names()
    armour = sum(items()[names[number]].defence for number in equipment[2:] if number)
    life = report.life
    level = level_with(life.experience)
    vitals = (life.health, life.food, life.saturation, life.air, armour, level)
    return equipment, np.array(vitals, np.float32)


def level_with(points: int) -> int:
    """Return the level of a player with some experience points; Minecraft Wiki, "Experience".

    >>> level_with(6), level_with(7), level_with(352), level_with(1395)
    (0, 1, 16, 30)
    """
    level = 0
    while points >= (step := _points_of_step(level)):
        points -= step
        level += 1
    return level


def _points_of_step(level: int) -> int:
    """Return the points from a level to the next."""
    if level < 16:
        return 2 * level + 7
    return 5 * level - 38 if level < 31 else 9 * level - 158


def pose_in(location: Location) -> tuple[float, float, float, float, float]:
    """Return x, y, z, yaw (0 to 360) and pitch (-90 to 90).

    >>> pose_in(Location(yaw=-90.0))[3]
    270.0
    """
    yaw = location.yaw % 360.0
    pitch = min(max(location.pitch, -90.0), 90.0)
    return location.x, location.y, location.z, 0.0 if yaw == 360.0 else yaw, pitch


def told_biome(location: Location) -> str | None:
    """Return the name of the biome in a report, None if the game has no biome of its number.

    >>> told_biome(Location(biome_id=12)), told_biome(Location(biome_id=255))
    ('snowy_plains', None)
    """
    return _biomes().get(location.biome_id)


@cache
def _biomes() -> dict[int, str]:
    """Return the names of biomes by their number in the game. Source: `minecraft-data`."""
    names = {int(entry["id"]): str(entry["name"]) for entry in dataset().biomes_list}
    return {number: ALIASES.get(name, name) for number, name in names.items()}


def resized(picture: NDArray[np.uint8], height: int, width: int) -> NDArray[np.uint8]:
    """Return a picture (uint8[H, W, 3]) in another size: squeezed as VPT does, or with repeated pixels.

    >>> resized(np.zeros((360, 640, 3), np.uint8), 720, 64).shape
    (720, 64, 3)
    """
    full = picture.shape[:2]
    if full == (height, width):
        return picture
    for axis, length in enumerate((height, width)):
        if length > full[axis]:
            picture = picture.take(np.arange(length) * full[axis] // length, axis)
    return squeezed(picture, (width, height))
