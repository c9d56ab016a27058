"""The player's poses, with their boxes and eye heights.

Sizes: Minecraft Wiki, "Player" (hitbox, eye height), "Sneaking", "Swimming", "Bed".
"""

from optimus_gym.worlds.voxel.bodies.collision import CLOSE, Box, is_blocked
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import CROUCHING, STANDING, SWIMMING, Worlds
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS

PLAYER_HALF_WIDTH = 0.3
PLAYER_TALL, SNEAKING_TALL, SWIMMING_TALL = 1.8, 1.5, 0.6
PLAYER_EYE, SNEAKING_EYE, SWIMMING_EYE = 1.62, 1.27, 0.4
LYING = 0.2
"""Height of a player in bed, and of that player's eye (blocks); Minecraft Wiki, "Bed"."""


@kernel
def player_height(worlds: Worlds, i: int) -> float:
    """Return the height of the player's box in blocks."""
    return LYING if worlds.sleeps[i].ticks > 0 else height_in(worlds.players[i].pose)


@kernel
def height_in(pose: int) -> float:
    """Return the height (blocks) of a player's box in a pose."""
    if pose == SWIMMING:
        return SWIMMING_TALL
    return SNEAKING_TALL if pose == CROUCHING else PLAYER_TALL


@kernel
def eye_height(worlds: Worlds, i: int) -> float:
    """Return the height of the player's eye above its feet in blocks."""
    if worlds.sleeps[i].ticks > 0:
        return LYING
    pose = worlds.players[i].pose
    if pose == SWIMMING:
        return SWIMMING_EYE
    return SNEAKING_EYE if pose == CROUCHING else PLAYER_EYE


@kernel
def body(worlds: Worlds, i: int) -> Box:
    """Return the player's box."""
    return _box(worlds, i, player_height(worlds, i))


@kernel
def _box(worlds: Worlds, i: int, height: float) -> Box:
    """Return the player's box with a height (blocks)."""
    p = worlds.players[i]
    return (
        p.x - PLAYER_HALF_WIDTH,
        p.y,
        p.z - PLAYER_HALF_WIDTH,
        p.x + PLAYER_HALF_WIDTH,
        p.y + height,
        p.z + PLAYER_HALF_WIDTH,
    )


@kernel
def fits(worlds: Worlds, i: int, pose: int) -> bool:
    """Return whether the player has room for a pose at its place."""
    return not is_blocked(worlds, i, _box(worlds, i, height_in(pose)))


@kernel
def take_pose(worlds: Worlds, i: int) -> None:
    """Let the player take the pose that its keys ask for, or else the tallest lower pose that fits.

    If no pose fits, not even lying flat, the player keeps its pose.
    """
    p = worlds.players[i]
    wanted = STANDING
    if p.swimming:
        wanted = SWIMMING
    elif p.sneaking:
        wanted = CROUCHING
    if fits(worlds, i, wanted):
        p.pose = wanted
    elif fits(worlds, i, CROUCHING):
        p.pose = CROUCHING
    elif fits(worlds, i, SWIMMING):
        p.pose = SWIMMING


@kernel
def is_in_body(worlds: Worlds, i: int, x: int, y: int, z: int, block: int) -> bool:
    """Return whether a new block would overlap the player's body; a door counts as a full block."""
    return block_meets(x, y, z, block, body(worlds, i))


@kernel
def block_meets(x: int, y: int, z: int, block: int, box: Box) -> bool:
    """Return whether a new block in a cell would overlap a box."""
    height = abs(COLLISION_HEIGHTS[block])
    if height == 0.0:
        return False
    x0, y0, z0, x1, y1, z1 = box
    return bool(
        x1 > x + CLOSE
        and x0 < x + 1 - CLOSE
        and z1 > z + CLOSE
        and z0 < z + 1 - CLOSE
        and y1 > y + CLOSE
        and y0 < y + height - CLOSE
    )
