"""Where creatures come: monsters in the dark, animals on grass, in packs, up to a cap.

As in the game one place of every chunk is tried each tick; here of the chunks whose light is right. The
cap is the game's for the part of its circle of 128 blocks that these chunks are, so that monsters come
as densely as there.

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
from optimus_gym.worlds.voxel.land.cells import biome_in, block_at
from optimus_gym.worlds.voxel.land.clock import darkness, storm
from optimus_gym.worlds.voxel.land.light import light_at
from optimus_gym.worlds.voxel.state.chance import fraction, roll
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, CHUNK, Worlds
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS, FLUIDS, OPAQUE
from optimus_gym.worlds.voxel.terrain.noise import hash2, salted

_CHUNKS_IN_REACH = 201
"""Chunks in a circle of 128 blocks, in which the game's creatures come."""
_CHUNKS = (2 * LIT_CHUNKS + 1) ** 2
MONSTERS_CAP, ANIMALS_CAP = 70, 10
MOST_MONSTERS = MONSTERS_CAP * _CHUNKS // _CHUNKS_IN_REACH
MOST_ANIMALS = max(ANIMALS_CAP * _CHUNKS // _CHUNKS_IN_REACH, 1)
"""Creatures from which on no more come."""
_ANIMALS_EVERY = 400
NEAREST_SPAWN, FARTHEST_SPAWN = 24.0, 128.0
_PACKS = 3
_SCATTER = 5
DARKEST, _SKY_DRAW = 7, 31
"""Monsters come where the light is at most a draw of 0 to 7, and the sky's at most one of 0 to 31."""
_STORM, _STORM_DARKNESS = 0.9, 10
_BRIGHT = 8
"""Animals come where it is brighter."""
_SALT = 131
_LOW, _WORD = np.uint64(15), np.uint64(0xFFFF)
_FOUR, _EIGHT = np.uint64(4), np.uint64(8)
_GRASS, _SAND, _SNOW = (block_named(n).id for n in ("grass_block", "sand", "snow_block"))


@kernel
def spawn(worlds: Worlds, i: int, monsters: int, animals: int) -> None:
    """Let creatures come, of which there are so many now."""
    p = worlds.players[i]
    if worlds.rules[i].difficulty > 0 and monsters < MOST_MONSTERS:
        _try_chunks(worlds, i, True, MOST_MONSTERS - monsters)
    if p.tick % _ANIMALS_EVERY == 0 and animals < MOST_ANIMALS:
        _try_chunks(worlds, i, False, MOST_ANIMALS - animals)


@kernel
def _try_chunks(worlds: Worlds, i: int, monsters: bool, room: int) -> None:
    """Try a place of every chunk around; stop when `room` creatures have come."""
    p = worlds.players[i]
    cx, cz = p.middle_x, p.middle_z
    width = worlds.tops.shape[1]
    seed = salted(salted(p.seed, _SALT + monsters), p.tick)
    for kx in range(cx - LIT_CHUNKS, cx + LIT_CHUNKS + 1):
        for kz in range(cz - LIT_CHUNKS, cz + LIT_CHUNKS + 1):
            bits = hash2(seed, kx, kz)
            x = kx * CHUNK + int(bits & _LOW)
            z = kz * CHUNK + int((bits >> _FOUR) & _LOW)
            top = worlds.tops[i, x % width, z % width]
            y = int((bits >> _EIGHT) & _WORD) * (top + 2) >> 16
            if y < 1 or OPAQUE[block_at(worlds, i, x, y, z) & BLOCK_MASK]:
                continue
            room -= _try_packs(worlds, i, x, y, z, monsters, room)
            if room <= 0:
                return


@kernel
def _try_packs(worlds: Worlds, i: int, x: int, y: int, z: int, monsters: bool, room: int) -> int:
    """Let up to three packs come about a place; return how many creatures have come."""
    come = 0
    for _ in range(_PACKS):
        px, pz, kind = x, z, -1
        left = int(np.ceil(fraction(worlds, i) * 4.0))
        while left > 0:
            left -= 1
            px += roll(worlds, i, 0, _SCATTER) - roll(worlds, i, 0, _SCATTER)
            pz += roll(worlds, i, 0, _SCATTER) - roll(worlds, i, 0, _SCATTER)
            far2 = distance2(worlds, i, px + 0.5, float(y), pz + 0.5)
            if (
                not NEAREST_SPAWN * NEAREST_SPAWN < far2 <= FARTHEST_SPAWN * FARTHEST_SPAWN
                or not is_lit(worlds, i, px, pz)
            ):
                continue
            if kind < 0:
                draw = fraction(worlds, i)
                kind = choose_kind(biome_in(worlds, i, px, pz), monsters, draw)
                if kind < 0:
                    break
                left = roll(worlds, i, LEAST_PACK[kind], MOST_PACK[kind])
            if can_stand(worlds, i, kind, px, y, pz) and _suits(worlds, i, kind, px, y, pz):
                come += add_creature(worlds, i, kind, px + 0.5, float(y), pz + 0.5) >= 0
                if come >= room:
                    return come
    return come


@kernel
def choose_kind(biome: int, monsters: bool, draw: float) -> int:
    """Return a kind for a draw of [0, 1), by its weight in the biome; -1 = none lives there."""
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
    """Tell whether a kind of creature may stand in the middle of a cell: ground, room, no fluid."""
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
    """Tell whether the light of a cell lets a kind of creature come."""
    sky, block = light_at(worlds, i, x, y, z)
    dark = darkness(worlds, i)
    if not IS_MONSTER[kind]:
        return max(sky - dark, block) > _BRIGHT
    if sky > roll(worlds, i, 0, _SKY_DRAW):
        return False
    if storm(worlds, i) > _STORM:
        dark = max(dark, _STORM_DARKNESS)
    return max(sky - dark, block) <= roll(worlds, i, 0, DARKEST)
