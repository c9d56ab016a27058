"""How a world begins: nothing loaded, the player on the ground, the given items in the slots."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.game.blocks import block, block_names
from optimus_gym.game.items import item
from optimus_gym.game.tags import select
from optimus_gym.worlds.voxel.cells import block_at
from optimus_gym.worlds.voxel.kernels import kernel
from optimus_gym.worlds.voxel.state import BLOCK_MASK, HEIGHT, NO_CHUNK, POCKETS, SEA_LEVEL, Worlds
from optimus_gym.worlds.voxel.tables import COLLISION_HEIGHTS
from optimus_gym.worlds.voxel.terrain.spawn import find_spawn
from optimus_gym.worlds.voxel.window import ensure_area

FULL = 20.0
"""Health and food at the start; Minecraft Wiki, "Health", "Hunger"."""
START_SATURATION = 5.0
"""Minecraft Wiki, "Hunger": saturation of a new player."""
FULL_AIR = 300
_BEARS = COLLISION_HEIGHTS > 0.0
"""bool[1024]: what a player may begin upon: any block that stops a body but leaves and trunks."""
_BEARS[
    [block(name).id for name in select(["*_leaves", "*_log", "cactus"], block_names(), "start.py")]
] = False


def stacks_of(inventory: Mapping[str, int]) -> NDArray[np.int64]:
    """Return the stacks (int64[n, 2]: item id, count) that hold an inventory.

    Raises:
        UnknownName: no such item.
        BadValue: more than 36 stacks.
    """
    stacks: list[tuple[int, int]] = []
    for name, count in inventory.items():
        entry = item(name)
        for first in range(0, count, entry.stack_size):
            stacks.append((entry.id, min(entry.stack_size, count - first)))
    if len(stacks) > POCKETS:
        raise BadValue(
            f"inventory: expected at most {POCKETS} stacks, got {len(stacks)}: {dict(inventory)}"
        )
    return np.array(stacks, np.int64).reshape(-1, 2)


def begin(
    worlds: Worlds,
    row: int,
    seed: np.uint64,
    biome: int,
    position: tuple[float, float, float] | None,
    stacks: NDArray[np.int64],
) -> None:
    """Put world `row` at the start of an episode.

    Args:
        worlds: the arrays.
        row: which world.
        seed: of the terrain and of everything drawn.
        biome: to begin in, or -1.
        position: of the feet, or None for the spawn.
        stacks: int64[n, 2] of item id and count, put into the slots from the first on.

    Raises:
        BadValue: there is no such biome within reach of the spawn search.
    """
    if position is None:
        try:
            column = find_spawn(seed, biome)
        except ValueError as error:
            raise BadValue(f"biome: {error}") from error
        clear(worlds, row, seed)
        x, z = column
        ensure_area(worlds, row, float(x), float(z), 0)
        place = (x + 0.5, float(ground_above(worlds, row, x, z)), z + 0.5)
    else:
        clear(worlds, row, seed)
        place = position
    player = worlds.players[row : row + 1]
    player["x"], player["y"], player["z"] = place
    for slot, (item_id, count) in enumerate(stacks.tolist()):
        worlds.slots[row, slot] = (item_id, count, 0)


@kernel
def clear(worlds: Worlds, i: int, seed: np.uint64) -> None:
    """Empty every array of world `i` and give it a healthy player with nothing."""
    player = worlds.players[i]
    player.seed = seed
    player.random = seed ^ np.uint64(0x9E3779B97F4A7C15)
    player.tick = 0
    player.alive = 1
    player.x = player.y = player.z = 0.0
    player.vx = player.vy = player.vz = 0.0
    player.yaw = player.pitch = 0.0
    player.on_ground = player.against_wall = 0
    player.in_water = player.in_lava = player.head_in_water = 0
    player.sneaking = player.sprinting = 0
    player.fall = 0.0
    player.hurt_last = 0.0
    player.heal_wait = 0
    player.jump_wait = player.hurt_wait = player.dig_wait = player.use_wait = player.swing = 0
    player.health = player.food = FULL
    player.saturation = START_SATURATION
    player.air = FULL_AIR
    player.experience = 0.0
    player.hotbar = 0
    player.aim_x = player.aim_y = player.aim_z = 0
    player.aim_face = -1
    player.dig_x = player.dig_y = player.dig_z = 0
    player.dig_progress = 0.0
    player.events = player.edits = 0
    for k in range(worlds.slots.shape[1]):
        stack = worlds.slots[i, k]
        stack.item = stack.count = stack.damage = 0
    for k in range(worlds.drops.shape[1]):
        worlds.drops[i, k].item = 0
    for k in range(worlds.furnaces.shape[1]):
        worlds.furnaces[i, k].used = 0
    worlds.waiting[i] = 0
    worlds.chunks[i] = NO_CHUNK
    worlds.fresh[i] = 0


@kernel
def ground_above(worlds: Worlds, i: int, x: int, z: int) -> int:
    """Return the y at which a player can stand on the column's ground, under the crowns of trees."""
    for y in range(HEIGHT - 1, 0, -1):
        if _BEARS[block_at(worlds, i, x, y, z) & BLOCK_MASK]:
            return y + 1
    return SEA_LEVEL
