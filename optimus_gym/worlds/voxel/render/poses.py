"""Looks of a block in each of its states: turned boxes, lying logs, upper halves of plants."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block_names
from optimus_gym.worlds.voxel.art.blocks import face_index
from optimus_gym.worlds.voxel.art.palette import parts
from optimus_gym.worlds.voxel.tables.properties import ACTS, STORE

SIDES_BY_FACING = (5, 0, 4, 1)
"""Number of the face (0 west, 1 east, 4 north, 5 south) for each facing (0 south, 1 west, 2 north, 3
east)."""
_FACING_DOWN = 5
"""Facing of a barrel whose lid is below; facing 4 means that the lid is above."""
_WEST, _EAST, _DOWN, _UP, _NORTH, _SOUTH = range(6)
_ALONG_X = 1
"""State of a log that lies along x; Minecraft Wiki, "Log" (axis)."""
_ALONG_Z = 2
"""State of a log that lies along z; Minecraft Wiki, "Log" (axis)."""


def facing_of(state: int, turns: str) -> int:
    """Return a turning block's facing (0 south, 1 west, 2 north, 3 east) in a state.

    turns: the bits of the state that hold the facing: "facing" (bits 0 and 1) or "sides" (the lowest set bit
    of bits 0 to 3).
    """
    if turns == "facing":
        return state & 3
    return next((side for side in range(4) if state >> side & 1), 0)


def pose_faces(faces: NDArray[np.uint16]) -> None:
    """Set the textures of block states that do not look like the block's state 0.

    faces (uint16[64, 1024, 8], number of a texture by state, block and face): changed in place. Tall
        plants and doors: state bit 0 means the upper half. Rails: state bit 0 means rails along x. Logs:
        state 1 lies along x, state 2 along z. Crops: the state is the age. Farmland: states above 0 are wet.
        Beds: state bit 0 means the head. Chests and barrels: the state is the facing.
    """
    for block, name in enumerate(block_names()):
        named = parts(name)
        for state in range(len(faces)):
            here = faces[state, block]
            if "across" in named and state & 1:
                here[:6] = face_index(name, "across")
            elif "upper" in named and state & 1:
                here[:6] = face_index(name, "upper")
            elif f"age_{state}" in named:
                here[:6] = face_index(name, f"age_{state}")
            elif "wet" in named and state:
                here[_UP] = face_index(name, "wet")
            elif "pillow" in named and state & 1:
                here[_UP] = face_index(name, "pillow")
            elif ACTS[block] == STORE:
                _turn_store(here, state)
            elif "lying" in named and state in (_ALONG_X, _ALONG_Z):
                _lay_log(here, face_index(name, "lying"), state)


def _turn_store(here: NDArray[Any], state: int) -> None:
    """Turn a chest's front, or a barrel's lid, to the facing of its state."""
    side, front, lid, floor = (int(here[face]) for face in (_WEST, _NORTH, _UP, _DOWN))
    facing = state & 7
    if front == side and facing < len(SIDES_BY_FACING):
        here[:6] = side
        here[SIDES_BY_FACING[facing]] = lid
        here[SIDES_BY_FACING[facing ^ 2]] = floor
    elif front == side and facing == _FACING_DOWN:
        here[_DOWN], here[_UP] = lid, floor
    elif front != side:
        here[[_WEST, _EAST, _NORTH, _SOUTH]] = side
        here[SIDES_BY_FACING[facing & 3]] = front


def _lay_log(here: NDArray[Any], lying: int, state: int) -> None:
    """Set the faces of a lying log in one state: rings at the ends, bark along the sides."""
    rings, bark = int(here[_UP]), int(here[_WEST])
    if state == _ALONG_X:
        here[[_WEST, _EAST]] = rings
        here[[_DOWN, _UP, _NORTH, _SOUTH]] = lying
    else:
        here[[_NORTH, _SOUTH]] = rings
        here[[_WEST, _EAST]] = lying
        here[[_DOWN, _UP]] = bark
