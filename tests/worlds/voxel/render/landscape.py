"""A small made-up land for the renderer's and the field's tests: hills, trees, plants, sea, caves."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block_names
from optimus_gym.worlds.voxel.land.chunks import chunk_key
from optimus_gym.worlds.voxel.land.field import build_field
from optimus_gym.worlds.voxel.land.light import light_rows
from optimus_gym.worlds.voxel.state.worlds import CHUNK, HEIGHT, Worlds, make_worlds

ID = {name: number for number, name in enumerate(block_names())}
SIDE = 160
NOON = 6000
_PLANTS = ("grass", "grass", "fern", "poppy", "dandelion", "oak_sapling", "torch", "chest")


def _smooth(random: np.random.Generator, cell: int) -> NDArray[np.float64]:
    grid = random.random((SIDE // cell + 3, SIDE // cell + 3))
    at = np.arange(SIDE) / cell
    low = at.astype(int)
    part = at - low
    part = part * part * (3 - 2 * part)
    rows = grid[low] * (1 - part[:, None]) + grid[low + 1] * part[:, None]
    return rows[:, low] * (1 - part) + rows[:, low + 1] * part


def land(seed: int = 0) -> NDArray[np.uint16]:
    """Return voxels, uint16[160, 160, 128] indexed (x, z, y); a clearing at height 66 in the middle."""
    random = np.random.default_rng(seed)
    heights = (48 + 26 * _smooth(random, 48) + 8 * _smooth(random, 16)).astype(int)
    heights[74:86, 74:86] = 66
    voxels = np.zeros((SIDE, SIDE, HEIGHT), np.uint16)
    y, top = np.arange(HEIGHT), heights[..., None]
    voxels[y < top] = ID["stone"]
    voxels[(y < top) & (y >= top - 4)] = ID["dirt"]
    voxels[y == top - 1] = ID["grass_block"]
    voxels[(y >= top) & (y < 63)] = ID["water"]
    voxels[(y == top - 1) & (top < 64)] = ID["sand"]
    hollow = random.random(voxels.shape) < 0.02
    voxels[hollow & (voxels == ID["stone"])] = 0
    for _ in range(40):
        x, z, deep = (
            random.integers(4, SIDE - 20),
            random.integers(4, SIDE - 20),
            random.integers(8, 40),
        )
        room = voxels[x : x + 14, z : z + 5, deep : deep + 4]
        room[room == ID["stone"]] = 0
    voxels[(y < 10) & (voxels == 0)] = ID["lava"]
    voxels[:, :, 0] = ID["bedrock"]
    for x, z in np.argwhere(random.random((SIDE, SIDE)) < 0.12):
        if voxels[x, z, heights[x, z] - 1] == ID["grass_block"]:
            voxels[x, z, heights[x, z]] = ID[_PLANTS[random.integers(len(_PLANTS))]]
    for x, z in random.integers(3, SIDE - 3, (150, 2)):
        ground = heights[x, z]
        if voxels[x, z, ground - 1] != ID["grass_block"] or max(abs(x - 80), abs(z - 80)) < 4:
            continue
        crown = voxels[x - 2 : x + 3, z - 2 : z + 3, ground + 2 : ground + 5]
        crown[crown == 0] = ID["oak_leaves"]
        voxels[x, z, ground : ground + 4] = ID["oak_log"]
    for part in range(3):
        voxels[78 + part, 86, 66:69] = ID[("glass", "ice", "red_stained_glass")[part]]
    return voxels


def world_of(voxels: NDArray[np.uint16], cx0: int = -5, cz0: int = -5, view: int = 64) -> Worlds:
    """Return one world that holds the land, its first chunk at (cx0, cz0)."""
    worlds = make_worlds(1, view)
    width, side = worlds.voxels.shape[1], worlds.chunks.shape[1]
    long = voxels.shape[0]
    xs = (cx0 * CHUNK + np.arange(long)) % width
    zs = (cz0 * CHUNK + np.arange(long)) % width
    worlds.voxels[0][np.ix_(xs, zs)] = voxels
    filled = voxels != 0
    tops = np.where(filled.any(2), HEIGHT - np.argmax(filled[:, :, ::-1], axis=2), 0)
    worlds.tops[0][np.ix_(xs, zs)] = tops
    for cx in range(cx0, cx0 + long // CHUNK):
        for cz in range(cz0, cz0 + long // CHUNK):
            worlds.chunks[0, cx % side, cz % side] = chunk_key(cx, cz)
    x0, z0 = cx0 * CHUNK, cz0 * CHUNK
    build_field(worlds, 0, x0, x0 + long, z0, z0 + long)
    light_rows(worlds, np.zeros(1, np.int64))
    worlds.players[0]["aim_face"] = -1
    worlds.skies[0]["time"] = NOON
    return worlds


def stand(worlds: Worlds, x: float, y: float, z: float, yaw: float, pitch: float) -> None:
    """Put the player at a place with a view direction."""
    player = worlds.players[0]
    player["x"], player["y"], player["z"] = x, y, z
    player["yaw"], player["pitch"] = yaw, pitch
