"""Collisions: upright boxes that move until blocks stop them.

Every block stops bodies like a box of its cell's full width and of the height in
`properties.COLLISION_HEIGHTS` (docs/deviations.md: narrower shapes are filled up). Doors, trapdoors and gates
stop bodies only with the thin boxes of `properties.PANEL_SOLIDS`. The order of axes, the steps up and the
caution of a sneaking player follow the game (Minecraft Wiki, "Entity", "Solid block", "Sneaking").
"""

import numpy as np

from optimus_gym.game.border import BORDER
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, place_of, voxel_in
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import (
    COLLISION_HEIGHTS,
    PANEL,
    PANEL_SOLIDS,
    PANELS,
)

CLOSE = 1e-7
"""Largest overlap (blocks) of two boxes that does not count as an overlap, as in the game."""
STEP_HEIGHT = 0.6
"""Blocks that a player walks up without a jump; Minecraft Wiki, "Player"."""
_ROUNDING = 1e-5
"""Largest difference (blocks) between wanted and possible move at which the move counts as unstopped."""
CAUTION = 0.05
"""Length of the steps (blocks) that shorten a sneaking player's move over an edge."""

Box = tuple[float, float, float, float, float, float]
"""Least x, y, z and greatest x, y, z of an upright box."""
Move = tuple[float, float, float]


@kernel
def height_at(worlds: Worlds, i: int, x: int, y: int, z: int) -> float:
    """Return the collision height (blocks, 0 = passable) of the block in a cell."""
    return float(COLLISION_HEIGHTS[block_at(worlds, i, x, y, z) & BLOCK_MASK])


@kernel
def is_blocked(worlds: Worlds, i: int, box: Box) -> bool:
    """Return whether a block reaches into the box."""
    x0, y0, z0, x1, y1, z1 = box
    for x in range(int(np.floor(x0 + CLOSE)), int(np.floor(x1 - CLOSE)) + 1):
        for z in range(int(np.floor(z0 + CLOSE)), int(np.floor(z1 - CLOSE)) + 1):
            place = place_of(worlds, i, x, z)
            for y in range(int(np.floor(y0)) - 1, int(np.floor(y1 - CLOSE)) + 1):
                voxel = voxel_in(worlds, i, place, y)
                height = COLLISION_HEIGHTS[voxel & BLOCK_MASK]
                if height > 0.0 and y + height > y0 + CLOSE:
                    return True
                if height == PANEL and _overlaps(panel_at(voxel, x, y, z), box):
                    return True
    return False


@kernel
def slide(worlds: Worlds, i: int, box: Box, axis: int, way: float) -> float:
    """Return how much of `way` (blocks along axis 0 x, 1 y, 2 z) the box can go.

    A block that the box already overlaps along the axis does not stop the box.
    """
    if way == 0.0:
        return 0.0
    x0, y0, z0, x1, y1, z1 = box
    ax, bx = x0 + CLOSE, x1 - CLOSE
    ay, by = y0 + CLOSE, y1 - CLOSE
    az, bz = z0 + CLOSE, z1 - CLOSE
    if axis == 0:
        ax, bx = min(x0, x0 + way), max(x1, x1 + way)
    elif axis == 1:
        ay, by = min(y0, y0 + way), max(y1, y1 + way)
    else:
        az, bz = min(z0, z0 + way), max(z1, z1 + way)
    for x in range(int(np.floor(ax)), int(np.floor(bx)) + 1):
        for z in range(int(np.floor(az)), int(np.floor(bz)) + 1):
            place = place_of(worlds, i, x, z)
            for y in range(int(np.floor(ay)) - 1, int(np.floor(by)) + 1):
                voxel = voxel_in(worlds, i, place, y)
                height = COLLISION_HEIGHTS[voxel & BLOCK_MASK]
                if height == PANEL:
                    way = _slide_along(panel_at(voxel, x, y, z), box, axis, way)
                    continue
                if height == 0.0 or y + height <= ay:
                    continue
                if axis == 0:
                    gap = x - x1 if way > 0.0 else x + 1 - x0
                elif axis == 1:
                    gap = y - y1 if way > 0.0 else y + height - y0
                else:
                    gap = z - z1 if way > 0.0 else z + 1 - z0
                if way > 0.0 and gap >= -CLOSE:
                    way = min(way, max(gap, 0.0))
                elif way < 0.0 and gap <= CLOSE:
                    way = max(way, min(gap, 0.0))
    return way if axis == 1 else within_border(box[axis], box[axis + 3], way)


@kernel
def within_border(low: float, high: float, way: float) -> float:
    """Return how much of `way` a body that reaches from `low` to `high` can go before the world's border."""
    return min(way, max(BORDER - high, 0.0)) if way > 0.0 else max(way, min(-BORDER - low, 0.0))


@kernel
def panel_at(voxel: int, x: int, y: int, z: int) -> Box:
    """Return the box of a door, trapdoor or gate in a cell; a box with x0 above x1 stops no body."""
    b = PANEL_SOLIDS[PANELS[voxel & BLOCK_MASK], voxel >> BLOCK_BITS]
    return x + b[0], y + b[1], z + b[2], x + b[3], y + b[4], z + b[5]


@kernel
def _overlaps(a: Box, b: Box) -> bool:
    return (
        a[3] > b[0] + CLOSE
        and a[0] < b[3] - CLOSE
        and a[4] > b[1] + CLOSE
        and a[1] < b[4] - CLOSE
        and a[5] > b[2] + CLOSE
        and a[2] < b[5] - CLOSE
    )


@kernel
def _slide_along(wall: Box, box: Box, axis: int, way: float) -> float:
    """Return how much of `way` a box can go before a wall; see `slide`."""
    wx0, wy0, wz0, wx1, wy1, wz1 = wall
    x0, y0, z0, x1, y1, z1 = box
    beside_x = axis != 0 and (wx1 <= x0 + CLOSE or wx0 >= x1 - CLOSE)
    beside_y = axis != 1 and (wy1 <= y0 + CLOSE or wy0 >= y1 - CLOSE)
    beside_z = axis != 2 and (wz1 <= z0 + CLOSE or wz0 >= z1 - CLOSE)
    if beside_x or beside_y or beside_z or wx0 > wx1:
        return way
    if axis == 0:
        gap = wx0 - x1 if way > 0.0 else wx1 - x0
    elif axis == 1:
        gap = wy0 - y1 if way > 0.0 else wy1 - y0
    else:
        gap = wz0 - z1 if way > 0.0 else wz1 - z0
    if way > 0.0 and gap >= -CLOSE:
        return min(way, max(gap, 0.0))
    if way < 0.0 and gap <= CLOSE:
        return max(way, min(gap, 0.0))
    return way


@kernel
def shifted(box: Box, dx: float, dy: float, dz: float) -> Box:
    """Return the box moved by (dx, dy, dz)."""
    x0, y0, z0, x1, y1, z1 = box
    return x0 + dx, y0 + dy, z0 + dz, x1 + dx, y1 + dy, z1 + dz


@kernel
def collide(worlds: Worlds, i: int, box: Box, dx: float, dy: float, dz: float) -> Move:
    """Return the part of a move that blocks allow: along y, then the longer of x and z, then the shorter."""
    dy = slide(worlds, i, box, 1, dy)
    box = shifted(box, 0.0, dy, 0.0)
    first = 2 if abs(dx) < abs(dz) else 0
    for turn in range(2):
        axis = first if turn == 0 else 2 - first
        if axis == 0:
            dx = slide(worlds, i, box, 0, dx)
            box = shifted(box, dx, 0.0, 0.0)
        else:
            dz = slide(worlds, i, box, 2, dz)
            box = shifted(box, 0.0, 0.0, dz)
    return dx, dy, dz


@kernel
def collide_stepping(worlds: Worlds, i: int, box: Box, move: Move, on_ground: bool) -> Move:
    """Return the part of a body's move that blocks allow, with steps up of at most STEP_HEIGHT.

    A stopped body on the ground tries two steps up: one as high as blocks above its place allow, one as high
    as blocks above its whole path allow. The body takes the move that leads farthest.
    """
    dx, dy, dz = move
    gx, gy, gz = collide(worlds, i, box, dx, dy, dz)
    grounded = on_ground or (gy != dy and dy < 0.0)
    if not grounded or (gx == dx and gz == dz):
        return gx, gy, gz
    best = collide(worlds, i, box, dx, STEP_HEIGHT, dz)
    x0, y0, z0, x1, y1, z1 = box
    wide = (min(x0, x0 + dx), y0, min(z0, z0 + dz), max(x1, x1 + dx), y1, max(z1, z1 + dz))
    rise = slide(worlds, i, wide, 1, STEP_HEIGHT)
    if rise < STEP_HEIGHT:
        sx, sy, sz = collide(worlds, i, shifted(box, 0.0, rise, 0.0), dx, 0.0, dz)
        best = _farther((sx, sy + rise, sz), best)
    sx, sy, sz = _farther(best, (gx, gy, gz))
    if sx == gx and sz == gz:
        return gx, gy, gz
    down = slide(worlds, i, shifted(box, sx, sy, sz), 1, dy - sy)
    return sx, sy + down, sz


@kernel
def _farther(move: Move, other: Move) -> Move:
    """Return the move that leads farther horizontally; `other` wins a tie."""
    way, least = move[0] * move[0] + move[2] * move[2], other[0] * other[0] + other[2] * other[2]
    return move if way > least else other


@kernel
def is_stopped(wish: Move, gone: Move) -> bool:
    """Return whether something stopped the horizontal part of a move."""
    return bool(abs(gone[0] - wish[0]) > _ROUNDING or abs(gone[2] - wish[2]) > _ROUNDING)


@kernel
def speed_left(speed: Move, wish: Move, gone: Move) -> Move:
    """Return a body's speed after a move: 0 along each axis that a block stopped.

    If blocks stopped the body along both x and z, only the speed along z becomes 0: a fault of the game's
    versions 1.14 to 1.16.
    """
    stops_z = gone[2] != wish[2]
    return (
        0.0 if gone[0] != wish[0] and not stops_z else speed[0],
        0.0 if gone[1] != wish[1] else speed[1],
        0.0 if stops_z else speed[2],
    )


@kernel
def keep_off_edges(worlds: Worlds, i: int, box: Box, dx: float, dz: float) -> tuple[float, float]:
    """Shorten a sneaking player's move until it ends above ground."""
    while dx != 0.0 and not is_blocked(worlds, i, shifted(box, dx, -STEP_HEIGHT, 0.0)):
        dx = _nearer(dx)
    while dz != 0.0 and not is_blocked(worlds, i, shifted(box, 0.0, -STEP_HEIGHT, dz)):
        dz = _nearer(dz)
    while dx != 0.0 and dz != 0.0 and not is_blocked(worlds, i, shifted(box, dx, -STEP_HEIGHT, dz)):
        dx, dz = _nearer(dx), _nearer(dz)
    return dx, dz


@kernel
def _nearer(way: float) -> float:
    if -CAUTION <= way < CAUTION:
        return 0.0
    return way - CAUTION if way > 0.0 else way + CAUTION
