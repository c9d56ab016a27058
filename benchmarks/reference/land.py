"""The reference ray caster's land: hills, caves, ore, lakes, trees, and 32 places to look from."""

import math

import numba
import numpy as np
from numpy.typing import NDArray

WIDE = 192
"""Cells along x; arrays are indexed (x, z, y)."""
HIGH = 128
"""Cells along y."""
DEEP = 192
"""Cells along z."""
LONGEST = 7
STONE, DIRT, GRASS, LOG, LEAVES, ORE, WATER, BEDROCK = range(1, 9)
KINDS = 16
POSES, IN_CAVES = 32, 4
_SEA, _EYE = 58, 1.62


def _smooth(random: np.random.Generator, shape: tuple[int, ...], cell: int) -> NDArray[np.float32]:
    """Return smooth noise in [0, 1): random numbers `cell` apart, blended between."""
    noise = random.random([size // cell + 3 for size in shape]).astype(np.float32)
    for axis, size in enumerate(shape):
        at = np.arange(size) / cell
        low = at.astype(int)
        part = at - low
        part = (part * part * (3 - 2 * part)).astype(np.float32)
        part = part.reshape([-1 if k == axis else 1 for k in range(len(shape))])
        noise = np.take(noise, low, axis) * (1 - part) + np.take(noise, low + 1, axis) * part
    return noise


def make_land(seed: int = 0) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """Return voxels (uint16[192, 192, 128]) and the height of the ground (int64[192, 192])."""
    random = np.random.default_rng(seed)
    flat = (WIDE, DEEP)
    heights = 40 + 34 * _smooth(random, flat, 64) + 14 * _smooth(random, flat, 24)
    heights = np.clip((heights + 5 * _smooth(random, flat, 9)).astype(int), 4, HIGH - 30)
    y, top = np.arange(HIGH), heights[..., None]
    voxels = np.zeros((WIDE, DEEP, HIGH), np.uint16)
    voxels[y < top] = DIRT
    voxels[y < top - 4] = STONE
    voxels[y == top - 1] = GRASS
    one, two = _smooth(random, voxels.shape, 12), _smooth(random, voxels.shape, 12)
    voxels[(abs(one - 0.5) < 0.07) & (abs(two - 0.5) < 0.09)] = 0
    voxels[(random.random(voxels.shape, np.float32) < 0.01) & (voxels == STONE)] = ORE
    voxels[(voxels == 0) & (y < _SEA) & (y >= top)] = WATER
    for _ in range(WIDE * DEEP // 90):
        x, z, tall = (
            random.integers(3, WIDE - 3),
            random.integers(3, DEEP - 3),
            random.integers(4, 7),
        )
        ground = heights[x, z]
        if voxels[x, z, ground - 1] == GRASS:
            for reach, low in ((2, -3), (1, -1)):
                ahead = slice(ground + tall + low, ground + tall + low + 2)
                crown = voxels[x - reach : x + reach + 1, z - reach : z + reach + 1, ahead]
                crown[crown == 0] = LEAVES
            voxels[x, z, ground : ground + tall] = LOG
    voxels[:, :, 0] = BEDROCK
    return voxels, heights


def make_texels(seed: int = 1) -> NDArray[np.int32]:
    """Return a random texture for each face of each kind (int32[16 * 6 * 256], RGB, red lowest)."""
    random = np.random.default_rng(seed)
    base = random.integers(40, 216, (KINDS, 6, 1, 1, 3))
    colours = np.clip(base + random.integers(-40, 40, (KINDS, 6, 16, 16, 3)), 0, 255)
    texels = np.zeros((KINDS * 6 * 256, 4), np.uint8)
    texels[:, :3] = colours.reshape(-1, 3)
    return texels.view(np.int32).ravel()


@numba.njit
def _largest_cubes(solid: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return the largest empty cube, at most 7, that ends at each cell and begins at lower ones."""
    size = np.zeros(solid.shape, np.uint8)
    for x in range(solid.shape[0]):
        for z in range(solid.shape[1]):
            for y in range(solid.shape[2]):
                if solid[x, z, y]:
                    continue
                least = LONGEST - 1
                for corner in range(1, 8):
                    i, j, k = x - (corner & 1), z - (corner >> 1 & 1), y - (corner >> 2)
                    if i >= 0 and j >= 0 and k >= 0:
                        least = min(least, size[i, j, k])
                size[x, z, y] = least + 1
    return size


def make_field(voxels: NDArray[np.uint16]) -> NDArray[np.int32]:
    """Return for each voxel the largest empty cube towards each octant, four bits each (int32)."""
    field = np.zeros(voxels.shape, np.uint32)
    for octant in range(8):
        turned = tuple(slice(None, None, -1 if octant >> k & 1 else 1) for k in (0, 2, 1))
        sizes = _largest_cubes(np.ascontiguousarray(voxels[turned] > 0))[turned]
        field |= sizes.astype(np.uint32) << np.uint32(4 * octant)
    return field.ravel().view(np.int32)


def make_poses(
    voxels: NDArray[np.uint16], heights: NDArray[np.int64], seed: int = 5
) -> NDArray[np.float64]:
    """Return places to look from (float64[32, 5]: x, y, z, yaw and pitch in degrees): 28 on land."""
    random = np.random.default_rng(seed)
    poses: list[tuple[float, ...]] = []
    while len(poses) < POSES:
        x, z = (int(n) for n in random.integers(66, 126, 2))
        above = len(poses) < POSES - IN_CAVES
        top = int(np.flatnonzero(voxels[x, z]).max())
        y = int(random.integers(8, 45))
        if above:
            y = top + 1 if voxels[x, z, top] != LEAVES else int(heights[x, z])
        if voxels[x, z, y : y + 2].any():
            continue
        yaw = random.uniform(0, 360)
        pitch = np.clip(random.normal(-8, 18), -60, 40) if above else random.uniform(-20, 20)
        poses.append((x + 0.47, y + (_EYE if above else 1.12), z + 0.53, yaw, float(pitch)))
    return np.array(poses)


def make_eye(pose: NDArray[np.float64], width: int, height: int) -> NDArray[np.float32]:
    """Return eye, the first pixel's ray, and the steps to the right and down (float32[12])."""
    yaw, pitch = math.radians(pose[3]), math.radians(pose[4])
    ahead = np.array(
        [math.cos(pitch) * math.cos(yaw), math.sin(pitch), math.cos(pitch) * math.sin(yaw)]
    )
    right = np.array([-math.sin(yaw), 0.0, math.cos(yaw)])
    up = np.cross(right, ahead)
    high = math.tan(math.radians(35))
    wide = high * width / height
    first = ahead - right * wide * (1 - 1 / width) + up * high * (1 - 1 / height)
    steps = (right * (2 * wide / width), -up * (2 * high / height))
    return np.concatenate([pose[:3], first, *steps]).astype(np.float32)
