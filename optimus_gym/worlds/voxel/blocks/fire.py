"""Fire: a fire ages, spreads to flammable blocks, burns them away, and goes out.

Fires act only near the player, like all cells with a scheduled tick (see the module `turns`). The module
`player.burning` holds the rules of a burning player.

Reference: Minecraft Wiki, "Fire" (Java Edition 1.16: spread, burning out, extinguishing, burn odds).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.blocks import block as block_named
from optimus_gym.worlds.voxel.blocks.support import feeds_fire, fire_holds
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import biome_in, block_at, set_block
from optimus_gym.worlds.voxel.land.notes import note_change
from optimus_gym.worlds.voxel.land.precipitation import is_rained_on, is_raining
from optimus_gym.worlds.voxel.land.schedule import schedule
from optimus_gym.worlds.voxel.state.chance import fraction, roll
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.properties import BLOCKS, COLLISION_HEIGHTS, FLAMMABLE, IGNITES

_FIRE = block_named("fire").id
_DELAY = 30
"""Minimum ticks between two scheduled ticks of a fire."""
_MORE_DELAY = 9
"""Maximum ticks that chance adds to the delay between two scheduled ticks of a fire."""
_OLDEST, _YOUNG = 15, 3
_SIDE_ODDS, _UP_ODDS, _HUMID_ODDS = 300, 250, 50
_HIGHEST = 4
_BASE, _BY_DIFFICULTY, _BY_AGE = 40, 7, 30
_AROUND: NDArray[np.int64] = np.array(
    [[1, 0, 0], [-1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]]
)
_HUMID: NDArray[np.int64] = np.array([name in ("jungle", "swamp") for name in BIOMES], np.int64)
"""1 for biomes in which fire spreads more slowly; Minecraft Wiki, "Biome" (downfall above 0.85)."""
_ENDLESS: NDArray[np.uint8] = np.zeros(BLOCKS, np.uint8)
"""1 for blocks that keep a fire above them from going out."""
_ENDLESS[[block_named("netherrack").id, block_named("magma_block").id]] = 1


@kernel
def light_fire(worlds: Worlds, i: int, x: int, y: int, z: int, age: int) -> None:
    """Set a cell on fire."""
    set_block(worlds, i, x, y, z, _FIRE | age << BLOCK_BITS)
    note_change(worlds, i, x, y, z, 0)
    schedule(worlds, i, x, y, z, _DELAY + roll(worlds, i, 0, _MORE_DELAY))


@kernel
def _put_out(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    set_block(worlds, i, x, y, z, 0)
    note_change(worlds, i, x, y, z, 0)


@kernel
def _is_by_rain(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    return is_raining(worlds, i) and (
        is_rained_on(worlds, i, x, y, z)
        or is_rained_on(worlds, i, x - 1, y, z)
        or is_rained_on(worlds, i, x + 1, y, z)
        or is_rained_on(worlds, i, x, y, z - 1)
        or is_rained_on(worlds, i, x, y, z + 1)
    )


@kernel
def _goes_out(worlds: Worlds, i: int, x: int, y: int, z: int, age: int) -> bool:
    """Return whether a fire that is not endless goes out, because it is old or has nothing left to burn."""
    below = block_at(worlds, i, x, y - 1, z) & BLOCK_MASK
    if not feeds_fire(worlds, i, x, y, z):
        return bool(COLLISION_HEIGHTS[below] < 1.0 or age > _YOUNG)
    return bool(age == _OLDEST and FLAMMABLE[below] == 0 and roll(worlds, i, 0, 3) == 0)


@kernel
def burn(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> None:
    """Run the scheduled tick of a fire, which goes out, or ages, burns its neighbours away and spreads."""
    age = voxel >> BLOCK_BITS & _OLDEST
    endless = _ENDLESS[block_at(worlds, i, x, y - 1, z) & BLOCK_MASK]
    by_rain = _is_by_rain(worlds, i, x, y, z)
    drowned = by_rain and not endless and fraction(worlds, i) < 0.2 + age * 0.03
    if drowned or not fire_holds(worlds, i, x, y, z):
        _put_out(worlds, i, x, y, z)
        return
    older = min(age + roll(worlds, i, 0, 2) // 2, _OLDEST)
    if older != age:
        set_block(worlds, i, x, y, z, _FIRE | older << BLOCK_BITS)
    if not endless and _goes_out(worlds, i, x, y, z, age):
        _put_out(worlds, i, x, y, z)
        return
    schedule(worlds, i, x, y, z, _DELAY + roll(worlds, i, 0, _MORE_DELAY))
    humid = _HUMID[biome_in(worlds, i, x, z)]
    for side in range(6):
        odds = _UP_ODDS if _AROUND[side, 1] else _SIDE_ODDS
        bx, by, bz = x + _AROUND[side, 0], y + _AROUND[side, 1], z + _AROUND[side, 2]
        _burn_away(worlds, i, bx, by, bz, odds - humid * _HUMID_ODDS, age)
    _spread(worlds, i, x, y, z, age, humid, by_rain)


@kernel
def _burn_away(worlds: Worlds, i: int, x: int, y: int, z: int, odds: int, age: int) -> None:
    """Let fire burn a neighbouring block away by chance; fire or air takes the block's place."""
    burns = FLAMMABLE[block_at(worlds, i, x, y, z) & BLOCK_MASK]
    if burns == 0 or roll(worlds, i, 0, odds - 1) >= burns:
        return
    if roll(worlds, i, 0, age + 9) < 5 and not is_rained_on(worlds, i, x, y, z):
        light_fire(worlds, i, x, y, z, min(age + roll(worlds, i, 0, 4) // 4, _OLDEST))
    else:
        _put_out(worlds, i, x, y, z)


@kernel
def _spread(
    worlds: Worlds, i: int, x: int, y: int, z: int, age: int, humid: int, by_rain: bool
) -> None:
    """Let fire spread by chance to air next to flammable blocks, up to four blocks higher."""
    for bx in range(x - 1, x + 2):
        for bz in range(z - 1, z + 2):
            for up in range(-1, _HIGHEST + 1):
                by = y + up
                if not 0 < by < HEIGHT or block_at(worlds, i, bx, by, bz) != 0:
                    continue
                ignites = _ease(worlds, i, bx, by, bz)
                if ignites == 0:
                    continue
                easy = ignites + _BASE + worlds.rules[i].difficulty * _BY_DIFFICULTY
                easy = easy // (age + _BY_AGE) // (1 + humid)
                against = 100 + max(up - 1, 0) * 100
                if easy > 0 and roll(worlds, i, 0, against - 1) <= easy and not by_rain:
                    light_fire(
                        worlds, i, bx, by, bz, min(age + roll(worlds, i, 0, 4) // 4, _OLDEST)
                    )


@kernel
def _ease(worlds: Worlds, i: int, x: int, y: int, z: int) -> int:
    """Return the odds that a cell catches fire: the largest odds of the blocks on its six sides."""
    most = 0
    for side in range(6):
        bx, by, bz = x + _AROUND[side, 0], y + _AROUND[side, 1], z + _AROUND[side, 2]
        most = max(most, IGNITES[block_at(worlds, i, bx, by, bz) & BLOCK_MASK])
    return most
