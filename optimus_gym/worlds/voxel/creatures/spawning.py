"""The spawning of creatures: monsters in the dark, animals on grass, in packs, up to a cap.

As in the game, each tick tries one random place in every chunk; the embedded world tries only the lit chunks
(those with computed light) around the player. Each try for monsters stands for a random chunk within 128
blocks of the player: mostly for an unlit chunk, whose new monsters are only counted (`ring`). Monsters
therefore spawn as often and as densely as in the game. Animals spawn until the lit chunks hold their share of
the game's cap on animals.

Reference: Minecraft Wiki, "Spawn" (Java Edition 1.16: spawn cycle, mob cap, pack spawning).
"""

import numpy as np

from optimus_gym.game.blocks import block as block_named
from optimus_gym.worlds.voxel.bodies.collision import is_blocked
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.kinds import (
    IS_MONSTER,
    LEAST_PACK,
    MOST_PACK,
    RABBIT,
    WEIGHTS,
)
from optimus_gym.worlds.voxel.creatures.living_land import LIT_CHUNKS, is_lit
from optimus_gym.worlds.voxel.creatures.population import add_creature, box_at, distance2
from optimus_gym.worlds.voxel.creatures.ring import (
    CHUNKS_HERE,
    CHUNKS_IN_REACH,
    follow_player,
    is_new_land,
    standing_in_chunk,
    turn_over,
)
from optimus_gym.worlds.voxel.land.cells import biome_in, block_at
from optimus_gym.worlds.voxel.land.clock import darkness, storm
from optimus_gym.worlds.voxel.land.light import light_at
from optimus_gym.worlds.voxel.state.chance import fraction, roll
from optimus_gym.worlds.voxel.state.fauna import PEACEFUL
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, CHUNK, Worlds
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS, FLUIDS, OPAQUE
from optimus_gym.worlds.voxel.terrain.noise import hash2, salted

MONSTERS_CAP = 70
"""Number of monsters within 128 blocks of the player at which no more monsters spawn."""
ANIMALS_CAP = 10
"""Number of animals within 128 blocks of the player at which the game spawns no more animals."""
MOST_ANIMALS = max(ANIMALS_CAP * CHUNKS_HERE // CHUNKS_IN_REACH, 1)
"""Number of animals around the player at which no more animals spawn: the lit chunks' share of the game's
cap."""
_ANIMALS_EVERY = 400
NEAREST_SPAWN, FARTHEST_SPAWN = 24.0, 128.0
_PACKS = 3
"""Packs of creatures that are tried around one place."""
_MOST_AT_ONCE = 4
"""Maximum number of monsters that spawn in the packs around one place."""
_SCATTER = 5
_TRIES = 200
"""Maximum number of places tried for monsters that enter the land whose light is computed (see `ring`)."""
DARKEST = 7
"""Maximum of a random light limit: monsters spawn where the light is at most a random number from 0 to 7."""
_SKY_DRAW = 31
"""Maximum of a random limit: monsters spawn where the sky light is at most a random number from 0 to 31."""
_STORM, _STORM_DARKNESS = 0.9, 10
_BRIGHT = 8
"""Light level above which animals spawn."""
_SALT = 131
_LOW, _WORD = np.uint64(15), np.uint64(0xFFFF)
_FOUR, _EIGHT, _TWENTY_FOUR = np.uint64(4), np.uint64(8), np.uint64(24)
_HERE = (CHUNKS_HERE << 16) // CHUNKS_IN_REACH
"""A spawn try whose 16-bit random number is below this bound counts as made in one of the lit chunks around
the player."""
_GRASS, _SAND, _SNOW = (block_named(n).id for n in ("grass_block", "sand", "snow_block"))


@kernel
def spawn(worlds: Worlds, i: int, monsters: int, animals: int) -> None:
    """Spawn creatures for a tick; `monsters` and `animals` are the numbers of creatures before the tick."""
    p, fauna = worlds.players[i], worlds.fauna[i]
    turn_over(worlds, i)
    if worlds.rules[i].difficulty != PEACEFUL:
        _bring_with_land(worlds, i)
        _try_chunks(worlds, i, True, MONSTERS_CAP - monsters - fauna.beyond)
    if p.tick % _ANIMALS_EVERY == 0:
        _try_chunks(worlds, i, False, MOST_ANIMALS - animals)


@kernel
def _bring_with_land(worlds: Worlds, i: int) -> None:
    """In newly lit chunks, turn monsters that were only counted into creatures, where it is dark enough."""
    p, fauna = worlds.players[i], worlds.fauna[i]
    from_x, from_z = follow_player(worlds, i)
    if from_x == p.middle_x and from_z == p.middle_z:
        return
    for kx in range(p.middle_x - LIT_CHUNKS, p.middle_x + LIT_CHUNKS + 1):
        for kz in range(p.middle_z - LIT_CHUNKS, p.middle_z + LIT_CHUNKS + 1):
            if not is_new_land(kx, kz, from_x, from_z):
                continue
            left = standing_in_chunk(worlds, i)
            for number in range(_TRIES if left > 0 else 0):
                x, y, z, _ = _place_in(worlds, i, kx, kz, number)
                come = _try_packs(worlds, i, x, y, z, True, True, left) if y > 0 else 0
                fauna.beyond, left = fauna.beyond - come, left - come
                if left == 0:
                    break


@kernel
def _try_chunks(worlds: Worlds, i: int, monsters: bool, room: int) -> None:
    """Try one place in each chunk whose light is known, until `room` creatures have spawned."""
    p = worlds.players[i]
    for kx in range(p.middle_x - LIT_CHUNKS, p.middle_x + LIT_CHUNKS + 1):
        for kz in range(p.middle_z - LIT_CHUNKS, p.middle_z + LIT_CHUNKS + 1):
            if room <= 0:
                return
            x, y, z, draw = _place_in(worlds, i, kx, kz, -1 - monsters)
            if y < 1:
                continue
            # The chunk stands for a random chunk of the circle, which is mostly beyond the land here.
            here = not monsters or draw < _HERE
            come = _try_packs(
                worlds, i, x, y, z, monsters, here, _MOST_AT_ONCE if monsters else room
            )
            if not here:
                worlds.fauna[i].beyond += come
            room -= come


@kernel
def _place_in(worlds: Worlds, i: int, kx: int, kz: int, number: int) -> tuple[int, int, int, int]:
    """Draw a place in a chunk (y = 0 if an opaque block fills the place) and a random number of 16 bits.

    Calls with different `number` draw different places in one chunk in one tick.
    """
    p = worlds.players[i]
    # One hash gives all four draws, because 25 chunks draw in every tick.
    bits = hash2(salted(salted(p.seed, _SALT + number), p.tick), kx, kz)
    x, z = kx * CHUNK + int(bits & _LOW), kz * CHUNK + int((bits >> _FOUR) & _LOW)
    width = worlds.tops.shape[1]
    top = worlds.tops[i, x % width, z % width]
    # As in the game, the height is drawn up to just above the land's top.
    y = int((bits >> _EIGHT) & _WORD) * (top + 2) >> 16
    if OPAQUE[block_at(worlds, i, x, y, z) & BLOCK_MASK]:
        y = 0
    return x, y, z, int((bits >> _TWENTY_FOUR) & _WORD)


@kernel
def _try_packs(
    worlds: Worlds, i: int, x: int, y: int, z: int, monsters: bool, here: bool, most: int
) -> int:
    """Spawn up to three packs, at most `most` creatures, around a place; return the number of new creatures.

    If `here` is false, the function only counts the creatures, which stand for creatures in unlit chunks.
    """
    come = 0
    for _ in range(_PACKS):
        px, pz, kind = x, z, -1
        left = int(np.ceil(fraction(worlds, i) * 4.0))
        while left > 0:
            left -= 1
            # The difference of two draws: near cells are likelier, as in the game.
            px += roll(worlds, i, 0, _SCATTER) - roll(worlds, i, 0, _SCATTER)
            pz += roll(worlds, i, 0, _SCATTER) - roll(worlds, i, 0, _SCATTER)
            if not is_lit(worlds, i, px, pz) or (here and not _is_far_enough(worlds, i, px, y, pz)):
                continue
            if kind < 0:
                draw = fraction(worlds, i)
                kind = choose_kind(biome_in(worlds, i, px, pz), monsters, draw)
                if kind < 0:
                    break
                # The first draw bounds the tries until a kind is chosen; then the kind sets the pack's size.
                left = roll(worlds, i, LEAST_PACK[kind], MOST_PACK[kind])
            if can_stand(worlds, i, kind, px, y, pz) and _suits(worlds, i, kind, px, y, pz):
                if here:
                    add_creature(worlds, i, kind, px + 0.5, float(y), pz + 0.5)
                come += 1
                if come >= most:
                    return come
    return come


@kernel
def _is_far_enough(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether a cell's distance from the player lies in the range in which creatures spawn."""
    far2 = distance2(worlds, i, x + 0.5, float(y), z + 0.5)
    return NEAREST_SPAWN * NEAREST_SPAWN < far2 <= FARTHEST_SPAWN * FARTHEST_SPAWN


@kernel
def choose_kind(biome: int, monsters: bool, draw: float) -> int:
    """Return the kind of creature for a draw in [0, 1), by weights in the biome; -1 = no kind lives there."""
    total = 0.0
    for kind in range(WEIGHTS.shape[1]):
        if IS_MONSTER[kind] == monsters:
            total += WEIGHTS[biome, kind]
    draw *= total
    for kind in range(WEIGHTS.shape[1]):
        if IS_MONSTER[kind] == monsters:
            draw -= WEIGHTS[biome, kind]
            if draw < 0.0:
                return kind
    return -1


@kernel
def can_stand(worlds: Worlds, i: int, kind: int, x: int, y: int, z: int) -> bool:
    """Return whether a kind of creature may stand in the middle of a cell: ground, room, no fluid."""
    below = block_at(worlds, i, x, y - 1, z) & BLOCK_MASK
    feet = block_at(worlds, i, x, y, z) & BLOCK_MASK
    head = block_at(worlds, i, x, y + 1, z) & BLOCK_MASK
    if FLUIDS[feet] or FLUIDS[head] or COLLISION_HEIGHTS[feet] > 0.0:
        return False
    if IS_MONSTER[kind]:
        if not OPAQUE[below]:
            return False
    elif below != _GRASS and not (kind == RABBIT and below in (_SAND, _SNOW)):
        return False
    return not is_blocked(worlds, i, box_at(kind, x + 0.5, float(y), z + 0.5))


@kernel
def _suits(worlds: Worlds, i: int, kind: int, x: int, y: int, z: int) -> bool:
    """Return whether the light of a cell lets a kind of creature spawn."""
    sky, block = light_at(worlds, i, x, y, z)
    dark = darkness(worlds, i)
    if not IS_MONSTER[kind]:
        return max(sky - dark, block) > _BRIGHT
    if sky > roll(worlds, i, 0, _SKY_DRAW):
        return False
    if storm(worlds, i) > _STORM:
        dark = max(dark, _STORM_DARKNESS)
    return max(sky - dark, block) <= roll(worlds, i, 0, DARKEST)
