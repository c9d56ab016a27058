"""The picture of the item in the player's hand, in the lower right of a frame.

Rays through the item's boxes paint one picture for each item, tick of the arm's swing and size of the frame.
Pictures for frames smaller than 640x360 are painted for 640x360 and squeezed. The picture of the held item is
laid over every frame. The poses are fitted to positions measured on frames of the game's client
(docs/looks.md); a swing takes six ticks (Minecraft Wiki, "Mining": the arm's swing).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.squeezing import mixed, read_places
from optimus_gym.worlds.voxel.art.held import ARM, BLOCKY, FLAT, held
from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed, flat
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.screen.layer import CANVAS_HEIGHT, CANVAS_WIDTH, byte_of, layer_taps
from optimus_gym.worlds.voxel.tables.hurt_time import view_roll
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine

SWING = 6
"""Ticks of a swing of the arm."""
_TAN_HALF_HEIGHT = 0.7002075382097097
"""Tangent of half the view's 70 degrees."""
_WIDE = 16.0 / 9.0
"""Ratio of the picture's width to its height, before the picture is squeezed."""

_FROM = 0.25
"""Held items show only below this share of the screen's height and right of this share of its width."""

Matrix = NDArray[np.float64]


class Pose(NamedTuple):
    """Position and rotation of a held item; the axes point right, up and towards the eye; in blocks."""

    hand: tuple[float, float, float]
    """Vector from the eye to the hand, which is the centre of a swing."""
    middle: tuple[float, float, float]
    """Vector from the hand to the item's middle."""
    turns: tuple[tuple[str, float], ...]
    """Axis and degrees of each rotation of the item; the last rotation is applied first."""
    size: float
    """Length in the view of an edge of the item's cell (16 texels), blocks."""
    swings: float
    """Rotation of the item in a swing, as a share of a tool's rotation."""
    sinks: float
    """Depth of the hand's fall in a swing, blocks."""
    shades: tuple[float, ...]
    """Brightness of the item's west, east, lower, upper, north and south side."""


_HAND = (0.56, -0.52, -0.72)
_BLOCK_SHADES = (0.6, 0.6, 0.5, 1.0, 0.8, 0.8)
"""Brightness of each side of a held block; Minecraft Wiki, "Light" (directional shading)."""
_ARM_SHADES = (0.8, 0.9, 0.5, 0.8, 0.8, 0.74)
"""Brightness of each side of the arm; the visible right side has 0.82 of the left side's (measured)."""
_POSES = {
    ARM: Pose(
        (0.592, -0.717, -0.842),
        (0.0, 0.0, 0.0),
        (("y", 204.0), ("x", 220.8), ("z", -38.9)),
        1.0,
        0.4,
        0.0,
        _ARM_SHADES,
    ),
    BLOCKY: Pose(_HAND, (0.0, 0.0, 0.0), (("y", 45.0),), 0.4, 1.0, 0.08, _BLOCK_SHADES),
    FLAT: Pose(
        _HAND, (0.07, 0.2, 0.07), (("y", -90.0), ("z", 25.0)), 0.68, 1.0, 0.16, _BLOCK_SHADES
    ),
}
_SWEEP = (("y", 45.0), ("z", -20.0), ("x", -80.0), ("y", -45.0))
"""Axes and degrees of an item's rotation at the farthest point of a swing; the first and last entry only
rotate the axes."""


class HeldPicture(NamedTuple):
    """The picture of an item in the hand, cut to its visible part."""

    top: int
    left: int
    length: int
    """Number of bytes in a row of w pixels: 3 w."""
    colours: NDArray[np.uint8]
    """uint8[h * 3 w], red, green and blue of each pixel, premultiplied by alpha, in full light."""
    behind: NDArray[np.uint8]
    """uint8[h * 3 w], transparency of each pixel (255 - alpha), repeated for the three channels."""

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """Return the picture as uint8[h, w, 4], premultiplied by alpha, in full light."""
        channels = [self.colours[k::3] for k in range(3)]
        pixels = np.stack([*channels, 255 - self.behind[::3]], axis=-1)
        return pixels.reshape(-1, self.length // 3, 4)


def _turn(axis: str, degrees: float) -> Matrix:
    s, c = sine(degrees), cosine(degrees)
    a, b = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    matrix = np.eye(3)
    matrix[a, a], matrix[a, b], matrix[b, a], matrix[b, b] = c, -s, s, c
    return matrix


def _times(a: Matrix, b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Multiply two matrices without a library, because a library's last bit depends on the machine."""
    return np.asarray(a[:, 0:1] * b[0:1] + a[:, 1:2] * b[1:2] + a[:, 2:3] * b[2:3])


def _swung(pose: Pose, phase: int) -> tuple[Matrix, NDArray[np.float64]]:
    """Return an item's rotation at tick `phase` of a swing (float64[3, 3]), and the hand's position."""
    part = phase / (SWING + 1)
    early = 180.0 * float(np.sqrt(part))
    """Angle in degrees, 0 to 180, whose sine is the arm's distance from rest: the angle grows fast at first,
    so that the arm strikes fast and comes back slowly."""
    swept = sine(early)
    hand = np.array(pose.hand)
    hand += [-0.4 * swept, 0.12 * sine(2.0 * early) - pose.sinks * swept, -0.2 * sine(180.0 * part)]
    matrix = np.eye(3)
    for axis, degrees in _SWEEP:
        share = 1.0 if axis == "y" else swept * pose.swings
        matrix = _times(matrix, _turn(axis, degrees * share))
    return matrix, hand


def _placed(kind: int, phase: int, hurt_wait: int) -> tuple[Matrix, NDArray[np.float64]]:
    """Return the matrix from the view's axes to the item's axes, and the eye in the item's axes (texels)."""
    pose = _POSES[kind]
    matrix, hand = _swung(pose, phase)
    middle = hand + _times(matrix, np.array(pose.middle)[:, None])[:, 0]
    leaning = _turn("z", -view_roll(hurt_wait))
    matrix, middle = _times(leaning, matrix), _times(leaning, middle[:, None])[:, 0]
    for axis, degrees in pose.turns:
        matrix = _times(matrix, _turn(axis, degrees))
    back = matrix.T * (16.0 / pose.size)
    return back, 8.0 - _times(back, middle[:, None])[:, 0]


def held_picture(item: int, phase: int, height: int, width: int, hurt_wait: int = 0) -> HeldPicture:
    """Return the picture of `item` (id, 0 = bare arm) at a tick of a swing (0 = rest), for a frame's size.

    The item leans with the view as long as a hurt rolls the view (`hurt_time.view_roll`).
    """
    thing = held(item)
    back, eye = _placed(thing.kind, phase, hurt_wait)
    rows, down = read_places(layer_taps(height, max(height, CANVAS_HEIGHT)))
    columns, across = read_places(layer_taps(width, max(width, CANVAS_WIDTH)))
    painted = np.zeros((len(rows), len(columns), 4), np.uint8)
    places = (rows + 0.5) / max(height, CANVAS_HEIGHT), (columns + 0.5) / max(width, CANVAS_WIDTH)
    boxes = thing.boxes.astype(np.float64)
    whole = np.concatenate([boxes[:, :3].min(axis=0), boxes[:, 3:].max(axis=0)])
    back = np.ascontiguousarray(back)
    shades = np.array(_POSES[thing.kind].shades)
    paint_held(painted, *places, eye, back, whole, boxes, thing.sides, shades, thing.kind == FLAT)
    is_whole = painted.shape[:2] == (height, width)
    pixels = painted if is_whole else mixed(painted, down, across)
    filled = pixels[..., 3] > 0
    rows, columns = np.flatnonzero(filled.any(axis=1)), np.flatnonzero(filled.any(axis=0))
    if rows.size == 0:
        return HeldPicture(height, width, 3, *np.zeros((2, 0), np.uint8))
    top, left = int(rows[0]), int(columns[0])
    cut = pixels[top : int(rows[-1]) + 1, left : int(columns[-1]) + 1]
    behind = (255 - cut[..., 3]).repeat(3)
    return HeldPicture(top, left, 3 * cut.shape[1], cut[..., :3].ravel(), behind)


@kernel
def paint_held(
    pixels: NDArray[np.uint8],
    downs: NDArray[np.float64],
    acrosses: NDArray[np.float64],
    eye: NDArray[np.float64],
    back: Matrix,
    whole: NDArray[np.float64],
    boxes: NDArray[np.float64],
    sides: NDArray[np.uint8],
    shades: NDArray[np.float64],
    flat: bool,
) -> None:
    """Draw boxes, seen from the eye, into a picture (uint8[h, w, 4], premultiplied).

    Args:
        pixels: the picture, changed in place.
        downs: float64[h], positions of rows between the screen's upper and lower edge, [0, 1].
        acrosses: float64[w], positions of columns between the screen's left and right edge, [0, 1].
        eye: float64[3], the eye in the boxes' coordinates (texels).
        back: float64[3, 3], the turn from the view's axes to the boxes' axes.
        whole: float64[6], lower and upper corner of a box around all boxes (texels).
        boxes: float64[n, 6], the item's boxes: lower and upper corner (texels).
        sides: uint8[6, 16, 16, 4], the texture of each side.
        shades: float64[6], brightness of each side.
        flat: whether the item is a flat picture; its edges then show the picture's texels next to them.
    """
    total = np.zeros(4)
    ray = np.zeros(3)
    for row in range(np.searchsorted(downs, _FROM), len(downs)):
        for column in range(np.searchsorted(acrosses, _FROM), len(acrosses)):
            total[:] = 0.0
            right = (2.0 * acrosses[column] - 1.0) * _TAN_HALF_HEIGHT * _WIDE
            up = (1.0 - 2.0 * downs[row]) * _TAN_HALF_HEIGHT
            for a in range(3):
                ray[a] = back[a, 0] * right + back[a, 1] * up - back[a, 2]
            if _enter(eye, ray, whole)[0] >= 0.0:
                _add_nearest(eye, ray, boxes, sides, shades, flat, total)
            for channel in range(4):
                pixels[row, column, channel] = int(total[channel] + 0.5)


@kernel
def _enter(
    eye: NDArray[np.float64], ray: NDArray[np.float64], box: NDArray[np.float64]
) -> tuple[float, int]:
    """Return the distance at which a ray enters a box, and the entered side's axis; (-1.0, 0) for a miss."""
    first, last, axis = 0.0, 1e30, 0
    for a in range(3):
        slow = ray[a] if abs(ray[a]) > 1e-12 else 1e-12
        one, two = (box[a] - eye[a]) / slow, (box[a + 3] - eye[a]) / slow
        if min(one, two) > first:
            first, axis = min(one, two), a
        last = min(last, max(one, two))
    if first >= last or first == 0.0:
        return -1.0, 0
    return first, axis


@kernel
def _add_nearest(
    eye: NDArray[np.float64],
    ray: NDArray[np.float64],
    boxes: NDArray[np.float64],
    sides: NDArray[np.uint8],
    shades: NDArray[np.float64],
    flat: bool,
    total: NDArray[np.float64],
) -> None:
    """Add the premultiplied colour of the nearest box that the ray meets to `total` (float64[4])."""
    nearest, axis = 1e30, -1
    for n in range(boxes.shape[0]):
        t, side = _enter(eye, ray, boxes[n])
        if 0.0 <= t < nearest:
            nearest, axis = t, side
    if axis < 0:
        return
    x = _texel(eye[0] + nearest * ray[0], ray[0] if axis == 0 else 0.0)
    y = 15 - _texel(eye[1] + nearest * ray[1], ray[1] if axis == 1 else 0.0)
    z = _texel(eye[2] + nearest * ray[2], ray[2] if axis == 2 else 0.0)
    side = 2 * axis + (1 if ray[axis] < 0.0 else 0)
    row, column = y, x
    if axis == 0 and not flat:
        column = z
    elif axis == 1 and not flat:
        row = z
    texel = sides[side, row, column]
    alpha = float(texel[3])
    for channel in range(3):
        total[channel] += texel[channel] * shades[side] * alpha / 255.0
    total[3] += alpha


@kernel
def _texel(place: float, along: float) -> int:
    """Return the number (0 to 15) of the texel at a coordinate; between texels, the one towards `along`."""
    inward = 0.001 if along > 0.0 else (-0.001 if along < 0.0 else 0.0)
    return min(max(int(np.floor(place + inward)), 0), 15)


@kernel
def blend_held(picture: HeldPicture, light: int, image: NDArray[np.uint8]) -> None:
    """Lay a held item's picture over a frame (uint8[h, w, 3]); `light` is red | green << 8 | blue << 16."""
    length = picture.length
    gains = np.empty(length, np.uint32)
    for k in range(length):
        gains[k] = light >> (8 * (k % 3)) & 255
    colours, shares, gains = borrowed(picture.colours), borrowed(picture.behind), borrowed(gains)
    left = 3 * picture.left
    for y in range(colours.size // length):
        over = colours[y * length : (y + 1) * length]
        behind = shares[y * length : (y + 1) * length]
        under = flat(image[picture.top + y])[left : left + length]
        for k in range(length):
            own = np.uint32(over[k]) * gains[k]
            seen = np.uint32(under[k]) * np.uint32(behind[k])
            under[k] = byte_of(own + seen + np.uint32(127))
