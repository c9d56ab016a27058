"""Assists, which make a world easier than the game: set a world's assists, and change its land by them."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import UnknownName
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import ASSISTS, Worlds
from optimus_gym.worlds.voxel.terrain.diamonds import scatter_diamonds

STARTING_AXE = "iron_axe"


def check_assists(names: Sequence[str]) -> None:
    """Reject names that are no assist of this world.

    Raises:
        UnknownName: a name is no assist; the message names the nearest assist.
    """
    known = ASSISTS.names
    assert known is not None, "ASSISTS has fields"
    for name in names:
        if name not in known:
            raise UnknownName("assist", name, known)


def set_assists(worlds: Worlds, row: int, names: Sequence[str]) -> None:
    """Switch on assists in world `row`, whose state has just been cleared, before any of its land is made."""
    for name in names:
        worlds.assists[name][row] = 1


def with_axe(inventory: Mapping[str, int], assists: Sequence[str]) -> Mapping[str, int]:
    """Return an episode's inventory; if `starting_axe` is on, a missing iron axe is added last."""
    if "starting_axe" not in assists or STARTING_AXE in inventory:
        return inventory
    return {**inventory, STARTING_AXE: 1}


@kernel
def assist_land(worlds: Worlds, i: int, cx: int, cz: int, blocks: NDArray[np.uint16]) -> None:
    """Apply the world's assists to the blocks of a chunk that has just been made from the seed.

    A caller that makes a chunk calls `generate_chunk`, then this function, and `lay_edits` last.

    Args:
        worlds: the worlds.
        i: number of the world.
        cx: x of the chunk, in chunks.
        cz: z of the chunk, in chunks.
        blocks: uint16[16, 16, 128], voxels, indexed x, z, y; changed in place.
    """
    if worlds.assists[i].diamonds_20_percent:
        scatter_diamonds(worlds.players[i].seed, cx, cz, blocks)
