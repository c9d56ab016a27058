"""Read the truth about a frame from the world itself: its environment, and the things in sight.

The environment is the one that most of the land's pixels show, not the one at the player's feet. With the
eye in water it is "under water". Land with hardly any light from the sky is "cave". Other land is "night"
during the game's night, else the biome of the columns in the pixels.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.blocks import block
from optimus_gym.vision.environments import ENVIRONMENTS, HIDING_PLACES
from optimus_gym.worlds.voxel.render.frame import FRAME, RAY
from optimus_gym.worlds.voxel.render.look import block_look
from optimus_gym.worlds.voxel.render.picture import set_frame
from optimus_gym.worlds.voxel.render.plain_rays import render_plain
from optimus_gym.worlds.voxel.state.worlds import HEIGHT
from optimus_gym.worlds.voxel.world import VoxelWorld

CAVE, UNDER_WATER, NIGHT = (ENVIRONMENTS.index(name) for name in HIDING_PLACES)
SIZE: Final = (64, 36)
"""Width and height of the grid of rays."""
DIM: Final = 4
"""Level of sky light below which land counts as underground; the open sky has level 15."""
LEAST_LAND: Final = 0.1
"""Least share of a frame's pixels with land; frames with less land have no environment."""
NIGHT_TICKS: Final = (12_542, 23_459)
"""Ticks of the day between which beds work; Minecraft Wiki, "Daylight cycle" (clear weather)."""
DAY_TICKS: Final = 24_000
_WATER: Final = {block("water").id}


class Shown(NamedTuple):
    """An environment's index, and the share of the land's pixels that show it."""

    environment: int
    share: float


def environment_of(world: VoxelWorld, row: int) -> Shown | None:
    """Return the environment in a row's drawn frame; None if the frame shows hardly any land."""
    frame, depth = _measured(world, row)
    if int(frame["eye_block"]) in _WATER:
        return Shown(UNDER_WATER, 1.0)
    near = depth < world.view_distance
    if near.mean() < LEAST_LAND:
        return None
    x, y, z = _cells(frame, depth, near)
    worlds = world.worlds
    light = worlds.field[row, x, z, y] >> 28
    dim = light < DIM
    if dim.mean() >= 0.5:
        return Shown(CAVE, float(dim.mean()))
    time = int(worlds.skies["time"][row]) % DAY_TICKS
    if NIGHT_TICKS[0] <= time <= NIGHT_TICKS[1]:
        return Shown(NIGHT, float(1 - dim.mean()))
    counts = np.bincount(worlds.biomes[row, x, z][~dim], minlength=len(BIOMES))
    return Shown(int(counts.argmax()), float(counts.max() / counts.sum()))


def _measured(world: VoxelWorld, row: int) -> tuple[Any, NDArray[np.float32]]:
    """Return the frame's parameters, and the length of each pixel's ray in blocks."""
    frames, rays = np.zeros(1, FRAME), np.zeros(1, RAY)
    voxels = world.worlds.voxels[row].reshape(-1)
    field = world.worlds.field[row].reshape(-1)
    view = float(world.view_distance)
    set_frame(frames, world.worlds, row, block_look(), voxels, view, *SIZE)
    image = np.empty((SIZE[1], SIZE[0], 3), np.uint8)
    depth = np.empty(SIZE[0] * SIZE[1], np.float32)
    render_plain(frames, block_look(), rays, voxels, field, image, depth)
    return frames[0], depth


def _cells(
    frame: Any, depth: NDArray[np.float32], near: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], ...]:
    """Return the cells (x, y, z in the window) in front of the surfaces hit by rays of `near` pixels."""
    columns, rows = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    ways = np.stack(
        [
            frame[f"b{axis}"] + columns * frame[f"r{axis}"] + rows * frame[f"u{axis}"]
            for axis in "xyz"
        ],
        -1,
    ).reshape(-1, 3)
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    eye = np.array([frame["ox"], frame["oy"], frame["oz"]])
    points = eye + ways[near] * (depth[near, None] - 0.02)
    x, y, z = np.floor(points).astype(np.int64).T
    window = int(frame["window"])
    return (
        (x + int(frame["shift_x"])) % window,
        np.clip(y, 0, HEIGHT - 1),
        (z + int(frame["shift_z"])) % window,
    )
