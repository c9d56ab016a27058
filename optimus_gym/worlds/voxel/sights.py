"""Blocks, creatures and items that a player sees, by name.

The kernels of this module compile at the first call of `sights_of`, not when a world is made.
"""

from functools import cache

import numpy as np

from optimus_gym.core.types import Sight, SightKind
from optimus_gym.game.blocks import block_names
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.items import item_names
from optimus_gym.worlds.voxel.compiling.first_use import compile_with_progress
from optimus_gym.worlds.voxel.land.window import ensure_view
from optimus_gym.worlds.voxel.render.look import block_look
from optimus_gym.worlds.voxel.render.tally import (
    FIRST_CREATURE,
    FIRST_ITEM,
    SUBJECTS,
    TALLY,
    tally_sights,
)
from optimus_gym.worlds.voxel.state.worlds import Worlds, make_worlds
from optimus_gym.worlds.voxel.warmup import SHORTEST_VIEW, compile_once


def sights_of(
    worlds: Worlds, row: int, view_distance: float, resolution: tuple[int, int]
) -> tuple[Sight, ...]:
    """Return the blocks, creatures and items in a picture of world `row`; the call changes no later tick."""
    compile_sights()
    ensure_view(worlds, row, view_distance)
    tally = np.zeros(SUBJECTS, TALLY)
    owners = np.empty(resolution[::-1], np.int32)
    tally_sights(worlds, row, block_look(), float(view_distance), owners, tally)
    seen = [
        Sight(*_name(subject), int(tally["pixels"][subject]), float(tally["distance"][subject]))
        for subject in np.flatnonzero(tally["pixels"]).tolist()
    ]
    return tuple(sorted(seen, key=lambda sight: (-sight.pixels, sight.name, sight.kind)))


def _name(subject: int) -> tuple[SightKind, str]:
    """Return kind ("block", "creature", "item") and name of a subject, given its number in `render.tally`."""
    if subject < FIRST_CREATURE:
        return "block", block_names()[subject]
    if subject < FIRST_ITEM:
        return "creature", tuple(creature_kinds())[subject - FIRST_CREATURE]
    return "item", item_names()[subject - FIRST_ITEM]


@cache
def compile_sights() -> None:
    """Compile the kernels of the world and of `sights_of`, unless this process has done so before."""
    compile_once()
    compile_with_progress(__file__, "optimus_gym.worlds.voxel.render", "what is in sight", _compile)


def _compile(_advance: object) -> None:
    worlds = make_worlds(1, SHORTEST_VIEW)
    tally = np.zeros(SUBJECTS, TALLY)
    tally_sights(worlds, 0, block_look(), float(SHORTEST_VIEW), np.empty((1, 1), np.int32), tally)
