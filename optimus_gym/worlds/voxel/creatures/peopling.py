"""The animals of new land: packs that are added once, when their chunk is first loaded for creatures.

The seed and the chunk's position alone decide which packs of animals a chunk has. A pack appears when its
chunk enters the land that is loaded for creatures (`living_land`). A list of the chunks with packs keeps
packs from appearing twice.

Reference: Minecraft Wiki, "Spawn" (animals at world generation), "Biome" (creature spawn probability).
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.kinds import LEAST_PACK, MOST_PACK
from optimus_gym.worlds.voxel.creatures.living_land import LOADED_CHUNKS
from optimus_gym.worlds.voxel.creatures.population import add_creature
from optimus_gym.worlds.voxel.creatures.spawning import can_stand, choose_kind
from optimus_gym.worlds.voxel.land.cells import biome_in, block_at
from optimus_gym.worlds.voxel.land.chunks import chunk_key
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, CHUNK, Worlds
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS, FLUIDS, LEAF, LIVES
from optimus_gym.worlds.voxel.terrain.biomes import SNOWY_PLAINS
from optimus_gym.worlds.voxel.terrain.noise import hash2, salted

_CHANCE = 0.1
"""Chance of a first pack in a chunk; each further pack has the same chance."""
_SNOWY_CHANCE = 0.07
"""Chance of a pack in a chunk of snowy plains."""
_TRIES = 4
_SALT = 137
_SHIFT, _UNIT = np.uint64(11), 1.0 / 9007199254740992.0
_MOST_DRAWS = 400


@kernel
def settle(worlds: Worlds, i: int) -> None:
    """Add the animals of new chunks around the player, once after the player enters another chunk."""
    p, fauna = worlds.players[i], worlds.fauna[i]
    if fauna.settled:
        return
    fauna.settled = 1
    cx, cz = p.middle_x, p.middle_z
    for kx in range(cx - LOADED_CHUNKS, cx + LOADED_CHUNKS + 1):
        for kz in range(cz - LOADED_CHUNKS, cz + LOADED_CHUNKS + 1):
            biome = biome_in(worlds, i, kx * CHUNK + CHUNK // 2, kz * CHUNK + CHUNK // 2)
            if _draw(worlds, i, kx, kz, 0) < pack_chance(biome) and _note(worlds, i, kx, kz):
                _people(worlds, i, kx, kz, biome)


@kernel
def pack_chance(biome: int) -> float:
    """Return the chance that a chunk of a biome has a first pack of animals, and of each further pack."""
    return _SNOWY_CHANCE if biome == SNOWY_PLAINS else _CHANCE


@kernel
def _draw(worlds: Worlds, i: int, cx: int, cz: int, number: int) -> float:
    """Return random number `number` of a chunk, [0, 1), which depends only on seed, chunk and `number`."""
    bits = hash2(salted(worlds.players[i].seed, _SALT) + np.uint64(number), cx, cz)
    return np.float64(bits >> _SHIFT) * _UNIT


@kernel
def _note(worlds: Worlds, i: int, cx: int, cz: int) -> bool:
    """Record that a chunk's animals have been added; return False if the record exists already."""
    fauna = worlds.fauna[i]
    most = worlds.peopled.shape[1]
    key = chunk_key(cx, cz)
    for k in range(min(fauna.peopled, most)):
        if worlds.peopled[i, k] == key:
            return False
    worlds.peopled[i, fauna.peopled % most] = key
    fauna.peopled += 1
    return True


@kernel
def _people(worlds: Worlds, i: int, cx: int, cz: int, biome: int) -> None:
    """Add the packs of animals of a chunk."""
    number = 1
    while number < _MOST_DRAWS:
        kind = choose_kind(biome, False, _draw(worlds, i, cx, cz, number))
        if kind < 0:
            return
        size = LEAST_PACK[kind] + int(
            _draw(worlds, i, cx, cz, number + 1) * (MOST_PACK[kind] - LEAST_PACK[kind] + 1)
        )
        x = int(CHUNK * _draw(worlds, i, cx, cz, number + 2))
        z = int(CHUNK * _draw(worlds, i, cx, cz, number + 3))
        number += 4
        for _ in range(size):
            for _try in range(_TRIES):
                y = ground_of(worlds, i, cx * CHUNK + x, cz * CHUNK + z)
                stood = can_stand(worlds, i, kind, cx * CHUNK + x, y, cz * CHUNK + z)
                if stood:
                    add_creature(
                        worlds, i, kind, cx * CHUNK + x + 0.5, float(y), cz * CHUNK + z + 0.5
                    )
                x = (x + int(9.0 * _draw(worlds, i, cx, cz, number)) - 4) % CHUNK
                z = (z + int(9.0 * _draw(worlds, i, cx, cz, number + 1)) - 4) % CHUNK
                number += 2
                if stood:
                    break
        if _draw(worlds, i, cx, cz, number) >= pack_chance(biome):
            return
        number += 1


@kernel
def ground_of(worlds: Worlds, i: int, x: int, z: int) -> int:
    """Return the y above a column's highest block that is a fluid or stops bodies; leaves do not count."""
    width = worlds.tops.shape[1]
    y = int(worlds.tops[i, x % width, z % width])
    while y > 1:
        block = block_at(worlds, i, x, y - 1, z) & BLOCK_MASK
        if FLUIDS[block] or (COLLISION_HEIGHTS[block] > 0.0 and LIVES[block] != LEAF):
            return y
        y -= 1
    return 1
