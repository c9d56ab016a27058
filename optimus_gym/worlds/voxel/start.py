"""The start of an episode: no land loaded, the player on the ground, the given items in the slots."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.game.blocks import block, block_names
from optimus_gym.game.creatures import difficulty_number
from optimus_gym.game.items import check_fits, item
from optimus_gym.game.tags import select
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.assists import set_assists
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.land.window import ensure_area
from optimus_gym.worlds.voxel.player.burning import FIREPROOF_FOR
from optimus_gym.worlds.voxel.player.death import SAFE_FOR, revive
from optimus_gym.worlds.voxel.player.hunger import START_SATURATION
from optimus_gym.worlds.voxel.player.vitals import MOST_AIR, MOST_FOOD, MOST_HEALTH
from optimus_gym.worlds.voxel.state.worlds import (
    BLOCK_MASK,
    CHUNK,
    HEIGHT,
    SEA_LEVEL,
    Worlds,
    wipe,
)
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS, FLUIDS
from optimus_gym.worlds.voxel.terrain.biome_start import find_in_biome
from optimus_gym.worlds.voxel.terrain.biomes import WET
from optimus_gym.worlds.voxel.terrain.spawn_point import find_spawn

_LAST = CHUNK - 1
_BEARS = COLLISION_HEIGHTS > 0.0
"""bool[1024]: whether a player may start on a block: all blocks that stop bodies, except leaves, logs and
cactus."""
_BEARS[
    [block(name).id for name in select(["*_leaves", "*_log", "cactus"], block_names(), "start.py")]
] = False


def stacks_of(inventory: Mapping[str, int]) -> NDArray[np.int64]:
    """Return the stacks (int64[n, 2]: item id, count) that hold an inventory.

    Raises:
        UnknownName: no such item.
        BadValue: more than 36 stacks.
    """
    check_fits(inventory)
    stacks: list[tuple[int, int]] = []
    for name, count in inventory.items():
        entry = item(name)
        for first in range(0, count, entry.stack_size):
            stacks.append((entry.id, min(entry.stack_size, count - first)))
    return np.array(stacks, np.int64).reshape(-1, 2)


def begin(
    worlds: Worlds,
    row: int,
    seed: np.uint64,
    biome: int,
    position: tuple[float, float, float] | None,
    stacks: NDArray[np.int64],
    assists: Sequence[str] = (),
) -> None:
    """Put world `row` at the start of an episode.

    Args:
        worlds: the arrays.
        row: number of the world.
        seed: the seed of the terrain and of all random draws.
        biome: the biome to start in, or -1 for any.
        position: the position of the feet, or None for the spawn.
        stacks: int64[n, 2] of item id and count, put into the slots from the first on.
        assists: names of assists, checked by `check_assists`.

    Raises:
        BadValue: the spawn search finds no place to start within its reach, in the biome (-1: in any).
    """
    if position is None:
        try:
            column = find_spawn(seed) if biome < 0 else find_in_biome(seed, biome)
        except ValueError as error:
            raise BadValue(f"biome: {error}") from error
        wipe(worlds, row)
        set_assists(worlds, row, assists)
        new_player(worlds, row, seed)
        x, z = column
        ensure_area(worlds, row, float(x), float(z), 0)
        x, y, z = room_near(worlds, row, x, z)
        place = (x + 0.5, float(y), z + 0.5)
    else:
        wipe(worlds, row)
        set_assists(worlds, row, assists)
        new_player(worlds, row, seed)
        place = position
    player = worlds.players[row : row + 1]
    player["x"], player["y"], player["z"] = place
    worlds.spawns[row] = place
    for slot, (item_id, count) in enumerate(stacks.tolist()):
        worlds.slots[row, slot] = (item_id, count, 0)


def new_player(worlds: Worlds, row: int, seed: np.uint64) -> None:
    """Give the wiped world `row` its seed and a healthy, fed player without items."""
    player = worlds.players[row]
    player["seed"] = seed
    player["random"] = seed ^ np.uint64(0x9E3779B97F4A7C15)
    player["alive"] = 1
    player["health"], player["food"], player["air"] = MOST_HEALTH, MOST_FOOD, MOST_AIR
    player["saturation"] = START_SATURATION
    player["aim_face"] = -1


def set_rules(
    worlds: Worlds,
    row: int,
    difficulty: str | None,
    creatures: bool,
    screens: bool,
    messages: bool,
) -> None:
    """Set the difficulty ("peaceful" to "hard") of the wiped world `row`, and the three other rules.

    creatures: whether animals and monsters spawn.
    screens: whether the player crafts on the game's screens.
    messages: whether the player's screen shows toasts, chat and names of held items.

    Without a difficulty (None) there is no hunger, and creatures behave as on normal difficulty.

    Set the world's assists before this call: the assist "peaceful" makes the world peaceful.

    Raises:
        UnknownName: no such difficulty.
    """
    peaceful = bool(worlds.assists["peaceful"][row])
    worlds.rules["difficulty"][row] = difficulty_number(
        "peaceful" if peaceful else difficulty or "normal"
    )
    worlds.rules["creatures"][row] = creatures
    worlds.rules["screens"][row] = screens
    worlds.rules["messages"][row] = messages
    worlds.rules["survival"][row] = difficulty is not None
    if difficulty is not None:
        worlds.needs["fire"][row], worlds.needs["safe"][row] = -FIREPROOF_FOR, SAFE_FOR


def respawn(worlds: Worlds, row: int) -> None:
    """Revive the dead player of world `row` at its spawn point, or near the point if it has no room.

    The revived player has full health and food. `death.leave_behind` has already dropped the items that
    death costs.
    """
    spawn = worlds.spawns[row]
    x, y, z = float(spawn["x"]), float(spawn["y"]), float(spawn["z"])
    ensure_area(worlds, row, x, z, 0)
    x, y, z = room_at(worlds, row, x, y, z)
    revive(worlds, row, x, y, z)


def set_sky(worlds: Worlds, row: int, time: int, weather: str) -> None:
    """Set the time (ticks since the first day began) and the weather ("clear", "rain" or "thunder").

    The first tick draws the duration of the weather, as in a new world of the game.
    """
    sky = worlds.skies[row : row + 1]
    sky[:] = np.zeros((), sky.dtype)
    sky["time"] = time
    sky["raining"] = sky["rain"] = weather != "clear"
    sky["thundering"] = sky["thunder"] = weather == "thunder"


@kernel
def room_at(worlds: Worlds, i: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return x, y, z (feet, in a loaded chunk) if a player has room there, else a near position with room."""
    kx, ky, kz = int(np.floor(x)), int(np.floor(y)), int(np.floor(z))
    if _has_room(worlds, i, kx, ky, kz):
        return x, y, z
    kx, ky, kz = room_near(worlds, i, kx, kz)
    return kx + 0.5, float(ky), kz + 0.5


@kernel
def room_near(worlds: Worlds, i: int, x: int, z: int) -> tuple[int, int, int]:
    """Return the cell (x, y, z) for a player's feet in the column with room that is nearest to x, z.

    The column is x, z itself if it has room, else a column of the same loaded chunk and biome: the spawn
    search that chose x, z ignores low leaves and cacti. The feet are in water only in a wet biome.
    """
    for ring in range(CHUNK):
        for kx in range(max(x - ring, x & ~_LAST), min(x + ring, x | _LAST) + 1):
            for kz in range(max(z - ring, z & ~_LAST), min(z + ring, z | _LAST) + 1):
                if max(abs(kx - x), abs(kz - z)) == ring and _is_like(worlds, i, x, z, kx, kz):
                    y = ground_above(worlds, i, kx, kz)
                    if _has_room(worlds, i, kx, y, kz):
                        return kx, y, kz
    return x, ground_above(worlds, i, x, z), z


@kernel
def _is_like(worlds: Worlds, i: int, x: int, z: int, kx: int, kz: int) -> bool:
    """Return whether two loaded columns have the same biome."""
    width = worlds.biomes.shape[1]
    here = worlds.biomes[i, x % width, z % width]
    return bool(worlds.biomes[i, kx % width, kz % width] == here)


@kernel
def _has_room(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether a body has room in a cell and the cell above; fluids leave no room in dry biomes."""
    width = worlds.biomes.shape[1]
    wet = WET[worlds.biomes[i, x % width, z % width]]
    for up in range(2):
        block = block_at(worlds, i, x, y + up, z) & BLOCK_MASK
        if COLLISION_HEIGHTS[block] > 0.0 or (FLUIDS[block] and not wet):
            return False
    return True


@kernel
def ground_above(worlds: Worlds, i: int, x: int, z: int) -> int:
    """Return the y at which a player can stand on the column's ground, under the crowns of trees."""
    for y in range(HEIGHT - 1, 0, -1):
        if _BEARS[block_at(worlds, i, x, y, z) & BLOCK_MASK]:
            return y + 1
    return SEA_LEVEL
