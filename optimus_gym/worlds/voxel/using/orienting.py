"""States of placed blocks that have a facing: doors, trapdoors, gates, beds, chests, barrels.

Reference: Minecraft Wiki, "Door" (hinge), "Trapdoor", "Fence Gate", "Bed", "Chest", "Barrel" (placement).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block as block_named
from optimus_gym.worlds.voxel.blocks.halves import AHEAD
from optimus_gym.worlds.voxel.bodies.aim import DOWN, UP, distance_along
from optimus_gym.worlds.voxel.bodies.posture import eye_height
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.panels import DOOR, DOOR_FACING, DOOR_RIGHT, TRAPDOOR, UPPER
from optimus_gym.worlds.voxel.tables.properties import ACTS, BED, COLLISION_HEIGHTS, PANELS
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine

FACINGS: NDArray[np.int64] = np.array([1, 3, 0, 0, 2, 0])
"""Facing (0 south, 1 west, 2 north, 3 east) of a block hung on another block, by the face that it hangs
on."""
FACING_UP = 4
"""Facing of a barrel that looks up."""
_FACING_DOWN = 5
"""Facing of a barrel that looks down."""
_STEEP = 45.0
_BARREL = block_named("barrel").id


@kernel
def ahead_of(worlds: Worlds, i: int) -> int:
    """Return the facing (0 south, 1 west, 2 north, 3 east) in which the player looks."""
    return int(np.floor(worlds.players[i].yaw / 90.0 + 0.5)) & 3


@kernel
def standing_state(worlds: Worlds, i: int, block: int, face: int, x: int, y: int, z: int) -> int:
    """Return the state of a door, trapdoor, gate, bed, chest or barrel that is placed on a block's face."""
    ahead = ahead_of(worlds, i)
    if PANELS[block] == DOOR:
        right = _hinge_is_right(worlds, i, ahead, block, x, y, z)
        return ahead << DOOR_FACING | (DOOR_RIGHT if right else 0)
    if PANELS[block] == TRAPDOOR:
        if face in (UP, DOWN):
            return (ahead + 2) & 3 | (UPPER if face == DOWN else 0)
        return int(FACINGS[face]) | (UPPER if _hit_point(worlds, i)[1] - y > 0.5 else 0)
    if PANELS[block]:
        return ahead
    if ACTS[block] == BED:
        return ahead << 1
    pitch = worlds.players[i].pitch
    if block == _BARREL and abs(pitch) > _STEEP:
        return FACING_UP if pitch > 0.0 else _FACING_DOWN
    return (ahead + 2) & 3


@kernel
def _hit_point(worlds: Worlds, i: int) -> tuple[float, float, float]:
    """Return the point at which the crosshair meets the aimed block."""
    p = worlds.players[i]
    far, level = distance_along(worlds, i), cosine(p.pitch)
    eye = p.y + eye_height(worlds, i)
    return (
        p.x - sine(p.yaw) * level * far,
        eye - sine(p.pitch) * far,
        p.z + cosine(p.yaw) * level * far,
    )


@kernel
def _hinge_is_right(worlds: Worlds, i: int, ahead: int, block: int, x: int, y: int, z: int) -> bool:
    """Return whether a placed door has its hinge on the right.

    The hinge is on the side away from a neighbouring door, or on the side with more wall next to the door;
    without such neighbours the hinge is on the side at which the player aims.
    """
    left_side = (ahead + 3) & 3
    sx, sz = AHEAD[left_side, 0], AHEAD[left_side, 1]
    walls, left_door, right_door = 0, False, False
    for up in range(2):
        left = block_at(worlds, i, x + sx, y + up, z + sz) & BLOCK_MASK
        right = block_at(worlds, i, x - sx, y + up, z - sz) & BLOCK_MASK
        walls += 1 if COLLISION_HEIGHTS[right] == 1.0 else 0
        walls -= 1 if COLLISION_HEIGHTS[left] == 1.0 else 0
        if up == 0:
            left_door, right_door = PANELS[left] == DOOR, PANELS[right] == DOOR
    if (left_door and not right_door) or walls > 0:
        return True
    if (right_door and not left_door) or walls < 0:
        return False
    px, _, pz = _hit_point(worlds, i)
    return bool((px - x - 0.5) * sx + (pz - z - 0.5) * sz < 0.0)
