"""The blocks, creatures and lying items in reach of a player."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block_names
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.items import item_names
from optimus_gym.worlds.voxel.bodies.aim import REACH
from optimus_gym.worlds.voxel.bodies.posture import eye_height
from optimus_gym.worlds.voxel.creatures.hitting import STRIKE_REACH
from optimus_gym.worlds.voxel.creatures.kinds import HALF_WIDTH, TALL
from optimus_gym.worlds.voxel.nearby import surroundings_of
from optimus_gym.worlds.voxel.state.worlds import Worlds

_BOX = (-5, 5, -4, 7, -5, 5)
"""Box of blocks about the feet that holds all blocks in reach of the eye."""


def things_in_reach(worlds: Worlds, row: int) -> tuple[str, ...]:
    """Return the blocks, creatures and lying items in reach of the player of world `row`, by name, sorted."""
    player = worlds.players[row]
    eye = np.array([player["x"], player["y"] + eye_height(worlds, row), player["z"]])
    return tuple(
        sorted(
            {*_blocks(worlds, row, eye), *_creatures(worlds, row, eye), *_lying(worlds, row, eye)}
        )
    )


def _blocks(worlds: Worlds, row: int, eye: NDArray[np.float64]) -> set[str]:
    """Return the names of the blocks within `REACH` of an eye (float64[3])."""
    near = surroundings_of(worlds, row, _BOX)
    axes = [
        _gap(eye[k], np.arange(size) + near.corner[k], np.arange(size) + near.corner[k] + 1.0)
        for k, size in enumerate(near.blocks.shape)
    ]
    far2 = sum(gap**2 for gap in np.ix_(*axes))
    names = block_names()
    return {names[k] for k in np.unique(near.blocks[far2 <= REACH**2]).tolist()}


def _creatures(worlds: Worlds, row: int, eye: NDArray[np.float64]) -> set[str]:
    """Return the names of the living creatures whose boxes are within `STRIKE_REACH` of an eye."""
    table = worlds.creatures[row, : worlds.fauna["creatures"][row]]
    half, names = HALF_WIDTH[table["kind"]], tuple(creature_kinds())
    far2 = (
        _gap(eye[0], table["x"] - half, table["x"] + half) ** 2
        + _gap(eye[1], table["y"], table["y"] + TALL[table["kind"]]) ** 2
        + _gap(eye[2], table["z"] - half, table["z"] + half) ** 2
    )
    return {names[k] for k in table["kind"][(far2 <= STRIKE_REACH**2) & (table["health"] > 0)]}


def _lying(worlds: Worlds, row: int, eye: NDArray[np.float64]) -> set[str]:
    """Return the names of the items on the ground within `STRIKE_REACH` of an eye."""
    drops = worlds.drops[row]
    far2 = sum((drops[axis] - eye[k]) ** 2 for k, axis in enumerate("xyz"))
    names = item_names()
    return {names[k] for k in drops["item"][(far2 <= STRIKE_REACH**2) & (drops["item"] > 0)]}


def _gap(at: float, low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distance from a point to each of some intervals, along one axis."""
    return np.maximum(np.maximum(low - at, at - high), 0.0)
