"""Blocks as small solid icons: boxes seen from the north-west and above, without perspective."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.art.grain import TEXELS

_WEST, _UP, _NORTH = 0, 3, 4
_SHADE = {_UP: 1.0, _NORTH: 0.8, _WEST: 0.6}
"""Brightness of the three visible faces; Minecraft Wiki, "Light" (directional shading)."""
_PIXELS_PER_BLOCK = 10.0
"""Length of a block's edge, pixels of an icon: the corners of a cube then just touch the icon's border."""
_AXIS_FACE = (_WEST, _UP, _NORTH)
_NOTHING = -1


_FINE = 2
"""Number of samples along each edge of one pixel of an icon."""
_SIDE = TEXELS * _FINE


def _rays() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the start of the ray of each sample (float64[1024, 3], texels) and the direction of all rays."""
    half, rise = np.sqrt(0.5), np.sqrt(0.75)
    right = np.array([-half, 0.0, half])
    forward = np.array([half * rise, -0.5, half * rise])
    up = np.array([half * 0.5, rise, half * 0.5])
    row, column = np.indices((_SIDE, _SIDE)).reshape(2, -1)
    scale = TEXELS / _PIXELS_PER_BLOCK
    across = ((column + 0.5) / _FINE - TEXELS / 2)[:, None] * right * scale
    down = ((row + 0.5) / _FINE - TEXELS / 2)[:, None] * up * scale
    return TEXELS / 2 + across - down - forward * 64, forward


@cache
def _seen(boxes: tuple[tuple[int, ...], ...]) -> tuple[NDArray[np.int64], ...]:
    """Find the face of a box, and the texel on the face, that each sample of an icon shows.

    Returns:
        for each sample: number of the face (-1 = none), texel row and texel column, each int64[1024].
    """
    start, direction = _rays()
    nearest = np.full(_SIDE * _SIDE, np.inf)
    face = np.full(_SIDE * _SIDE, _NOTHING)
    hit = np.zeros((_SIDE * _SIDE, 3))
    for box in boxes:
        low, high = np.array(box[:3]), np.array(box[3:])
        near_wall = np.where(direction > 0, low, high)
        far_wall = np.where(direction > 0, high, low)
        enter = (near_wall - start) / direction
        leave = ((far_wall - start) / direction).min(axis=1)
        first = enter.max(axis=1)
        better = (first < leave) & (first < nearest)
        nearest[better] = first[better]
        face[better] = np.array(_AXIS_FACE)[enter.argmax(axis=1)[better]]
        hit[better] = start[better] + first[better, None] * direction
    texel = np.clip(np.floor(hit + 1e-6), 0, TEXELS - 1).astype(np.int64)
    x, y, z = texel[:, 0], texel[:, 1], texel[:, 2]
    row = np.where(face == _UP, z, TEXELS - 1 - y)
    column = np.where(face == _UP, x, np.where(face == _NORTH, TEXELS - 1 - x, z))
    return face, row, column


def solid_icon(
    textures: NDArray[np.uint8], faces: NDArray[np.int32], boxes: Sequence[Sequence[int]]
) -> NDArray[np.uint8]:
    """Draw the icon of a block: boxes covered with the textures of the block's faces.

    Args:
        textures: uint8[F, 16, 16, 4] of `block_faces`.
        faces: int32[6], the block's row of `face_table`.
        boxes: [x0, y0, z0, x1, y1, z1] each, in texels, 0..16.

    Returns:
        uint8[16, 16, 4]. A texture with fewer holes than solid texels (leaves) has its holes filled with its
        darkened mean colour.
    """
    face, row, column = _seen(tuple(tuple(box) for box in boxes))
    samples = textures[faces[face], row, column].astype(np.float32)
    for side, shade in _SHADE.items():
        samples[face == side, :3] *= np.float32(shade)
        texture = textures[faces[side]]
        open_share = float((texture[:, :, 3] == 0).mean())
        if 0 < open_share < 0.5:
            inside = texture[texture[:, :, 3] > 0][:, :3].mean(axis=0) * np.float32(0.4 * shade)
            samples[(face == side) & (samples[:, 3] == 0)] = [*inside, 255]
    samples[face == _NOTHING] = 0
    return _averaged(samples)


def _averaged(samples: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Average the samples of each pixel; a pixel is solid if at least half of its samples are solid."""
    grid = samples.reshape(TEXELS, _FINE, TEXELS, _FINE, 4)
    alpha = grid[..., 3:]
    weight = (alpha > 0).astype(np.float32)
    share = weight[:, 0, :, 0] + weight[:, 0, :, 1] + weight[:, 1, :, 0] + weight[:, 1, :, 1]
    weighted = grid * weight
    total = (
        weighted[:, 0, :, 0] + weighted[:, 0, :, 1] + weighted[:, 1, :, 0] + weighted[:, 1, :, 1]
    )
    icon = total / np.maximum(share, 1)
    icon[share[..., 0] < _FINE] = 0
    pixels: NDArray[np.uint8] = np.floor(icon + np.float32(0.5)).astype(np.uint8)
    return pixels
