"""Repeatable noise for textures, computed from a name alone, and the same on every machine.

The noise comes from an integer hash, because the stream of a random generator may change between versions
of NumPy.
"""

from zlib import crc32

import numpy as np
from numpy.typing import NDArray

TEXELS = 16
"""Texels along an edge of a block face, as in the game."""


def grain(key: str, rows: int = TEXELS, columns: int = TEXELS) -> NDArray[np.float32]:
    """Return white noise that depends only on the name `key`: float32[rows, columns], in [0, 1)."""
    seed = np.uint32(crc32(key.encode()))
    value = np.arange(rows * columns, dtype=np.uint32) * np.uint32(0x9E3779B1) ^ seed
    value = (value ^ (value >> np.uint32(16))) * np.uint32(0x7FEB352D)
    value = (value ^ (value >> np.uint32(15))) * np.uint32(0x846CA68B)
    value ^= value >> np.uint32(16)
    unit = (value >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24)
    return unit.reshape(rows, columns)


def cloud(key: str, height: int, width: int) -> NDArray[np.float32]:
    """Return tileable noise in soft patches: float32[16, 16], in [0, 1).

    Args:
        key: name of the noise.
        height: rows of a patch, a divisor of 16.
        width: columns of a patch, a divisor of 16.
    """
    coarse = grain(key, TEXELS // height, TEXELS // width)
    field = coarse.repeat(height, axis=0).repeat(width, axis=1)
    for axis, size in ((0, height), (1, width)):
        for step in range(1, size):
            field = field + (np.roll(field, step % 2 * 2 - 1, axis) - field) * np.float32(0.375)
    return field


def cells(key: str, count: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Divide a face into cells around `count` scattered centres, so that copies of the face fit side by side.

    Returns:
        For each texel the number of the nearest centre (int64[16, 16], 0..count-1), and the distance to the
        second nearest centre less the distance to the nearest centre (float32[16, 16], texels).
    """
    side = 1
    while side * side < count:
        side += 1
    jitter = grain(key, side * side, 2)[:count]
    slot = np.arange(count)
    pitch = np.float32(TEXELS / side)
    centre_y = (slot // side + jitter[:, 0] * np.float32(0.9)) * pitch
    centre_x = (slot % side + jitter[:, 1] * np.float32(0.9) + slot // side % 2 * 0.5) * pitch
    axis = np.arange(TEXELS, dtype=np.float32) + np.float32(0.5)
    half = np.float32(TEXELS / 2)
    apart_y = (np.abs(axis[:, None] - centre_y[None, :]) + half) % TEXELS - half
    apart_x = (np.abs(axis[:, None] - centre_x[None, :]) + half) % TEXELS - half
    squared = (apart_y**2)[:, None, :] + (apart_x**2)[None, :, :]
    distance = np.sqrt(squared.astype(np.float32))
    order = np.argsort(distance, axis=2, kind="stable")
    nearest = np.take_along_axis(distance, order[:, :, :2], axis=2)
    return order[:, :, 0], nearest[:, :, 1] - nearest[:, :, 0]
