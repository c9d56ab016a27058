"""The properties of creatures (`game.creatures`) as arrays for kernels, indexed by kind of creature."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.biomes import ALIASES, BIOMES
from optimus_gym.game.creatures import WOOL, creature_kinds, sheep_colours
from optimus_gym.game.items import items
from optimus_gym.game.smelting import smelting
from optimus_gym.worlds.voxel.state.worlds import HURT_NAMES

_KINDS = tuple(creature_kinds().values())
_NAMES = tuple(creature_kinds())
COW, SHEEP, CHICKEN, RABBIT, ZOMBIE, SKELETON, CREEPER, SPIDER = (
    _NAMES.index(name)
    for name in ("cow", "sheep", "chicken", "rabbit", "zombie", "skeleton", "creeper", "spider")
)
STILL = 0
"""Mood of a creature that stands."""
STROLLS = 1
"""Mood of a creature that walks to a random place."""
FLEES = 2
"""Mood of a creature that runs away."""
CHASES = 3
"""Mood of a creature that hunts the player."""


def _column(name: str) -> NDArray[np.float64]:
    """Return the field `name` of every kind of creature: float64[kinds]."""
    return np.array([getattr(kind, name) for kind in _KINDS], np.float64)


HEALTH: NDArray[np.float64] = _column("health")
HALF_WIDTH: NDArray[np.float64] = _column("width") / 2.0
TALL: NDArray[np.float64] = _column("height")
EYE: NDArray[np.float64] = _column("eye")
STROLL_SPEED: NDArray[np.float64] = _column("speed") * _column("strolls")
RUN_SPEED: NDArray[np.float64] = _column("speed") * _column("runs")
SIGHT: NDArray[np.float64] = _column("sight")
FOLLOWS: NDArray[np.float64] = np.where(SIGHT > 0.0, SIGHT, 16.0)
"""float64[kinds]: longest path in blocks that a kind of creature finds; Minecraft Wiki, "Attribute" (follow
range)."""
DAMAGE: NDArray[np.float64] = _column("damage")
ARMOUR: NDArray[np.float64] = _column("armour")
LEAST_EXPERIENCE: NDArray[np.int64] = np.array([kind.experience[0] for kind in _KINDS])
MOST_EXPERIENCE: NDArray[np.int64] = np.array([kind.experience[1] for kind in _KINDS])
LEAST_PACK: NDArray[np.int64] = np.array([kind.pack[0] for kind in _KINDS])
MOST_PACK: NDArray[np.int64] = np.array([kind.pack[1] for kind in _KINDS])
IS_MONSTER: NDArray[np.bool_] = np.array([kind.kind == "monster" for kind in _KINDS])
BURNS: NDArray[np.bool_] = np.array([kind.burns for kind in _KINDS])
"""bool[kinds]: 1 for undead, which burn by day; Minecraft Wiki, "Undead"."""
BREATHES: NDArray[np.bool_] = ~BURNS
"""bool[kinds]: 0 for undead, which do not drown; Minecraft Wiki, "Undead"."""
HURT_BY: NDArray[np.int64] = np.array(
    [HURT_NAMES.index(name) if name in HURT_NAMES else 0 for name in _NAMES]
)
"""int64[kinds]: index in `HURT_NAMES` of each kind of creature that attacks, else 0; HURT and DIED events
hold the index as the cause."""
COLOUR_CHANCES: NDArray[np.float64] = np.array(list(sheep_colours().values()))
WOOLS: NDArray[np.int64] = np.array([items()[name + WOOL].id for name in sheep_colours()])
"""int64[colours]: item id of the wool of each colour of sheep."""


def _weights() -> NDArray[np.float64]:
    """Return the weight with which each kind of creature spawns in each biome: float64[biomes, kinds]."""
    table = np.zeros((len(BIOMES), len(_KINDS)))
    for number, kind in enumerate(_KINDS):
        homes = {ALIASES.get(name, name) for name in kind.biomes}
        for biome, name in enumerate(BIOMES):
            if name in homes or not kind.biomes:
                table[biome, number] = kind.weight
    return table


WEIGHTS: NDArray[np.float64] = _weights()

_DROP = np.dtype(
    [
        ("item", "i8"),
        ("roast", "i8"),  # the item dropped instead if the creature dies on fire
        ("low", "i8"),
        ("high", "i8"),
        ("chance", "f8"),
    ]
)


def _roasts() -> dict[str, str]:
    """Return the cooked food for each raw food, as a smoker and fire make it; Minecraft Wiki, "Drops"."""
    return {raw: way.product for way in smelting() if way.faster == "smoker" for raw in way.choices}


def _loot() -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Return the first loot row of each kind of creature (int64[kinds + 1]), and the loot rows of all kinds.

    The last number of the int64 array is the number of all loot rows. The loot rows leave wool out, because
    the sheep's colour decides which wool it drops.
    """
    starts, packed = [0], []
    for kind in _KINDS:
        roasts = _roasts() if kind.kind == "animal" else {}
        packed += [
            (
                items()[drop.item].id,
                items()[roasts.get(drop.item, drop.item)].id,
                drop.low,
                drop.high,
                drop.chance,
            )
            for drop in kind.loot
            if not drop.item.endswith(WOOL)
        ]
        starts.append(len(packed))
    return np.array(starts), np.array(packed, _DROP)


DROP_STARTS, DROP_ROWS = _loot()
