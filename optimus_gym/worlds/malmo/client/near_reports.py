"""Blocks and creatures near a player: from the game's report to a world's answer."""

from functools import cache
from math import floor

import numpy as np

from optimus_gym.core.world_powers import UNKNOWN_BLOCK, NearbyCreature, Surroundings
from optimus_gym.game.blocks import block_names
from optimus_gym.worlds.malmo.reports import Location, Report
from optimus_gym.worlds.malmo.wire_actions import WireBox


def surroundings_in(report: Report, asked: WireBox) -> Surroundings:
    """Return the blocks and creatures of a box that a step asked for.

    Places in a report are relative to the player. If some of them lie outside the box, all are taken as
    absolute: the form that the game sends is not published.

    Args:
        report: the report of the step.
        asked: the box, relative to the player's block.
    """
    x0, x1, y0, y1, z0, z1 = asked
    here = _block_of(report.location)
    corner = here[0] + x0, here[1] + y0, here[2] + z0
    shape = x1 - x0 + 1, y1 - y0 + 1, z1 - z0 + 1
    blocks = np.full(shape, UNKNOWN_BLOCK, np.int32)
    near = report.voxels or ()
    relative = all(x0 <= b.x <= x1 and y0 <= b.y <= y1 and z0 <= b.z <= z1 for b in near)
    base = (x0, y0, z0) if relative else corner
    ids = _block_ids()
    for told in near:
        place = told.x - base[0], told.y - base[1], told.z - base[2]
        if all(0 <= axis < length for axis, length in zip(place, shape, strict=True)):
            blocks[place] = ids.get(told.name, UNKNOWN_BLOCK)
    return Surroundings(corner, blocks, _creatures(report, asked))


def _block_of(location: Location) -> tuple[int, int, int]:
    return floor(location.x), floor(location.y), floor(location.z)


def _creatures(report: Report, asked: WireBox) -> tuple[NearbyCreature, ...]:
    """Return the creatures of the box, at absolute positions."""
    mobs, place = report.mobs or (), report.location
    bounds = [(asked[k] - 1, asked[k + 1] + 2) for k in (0, 2, 4)]
    relative = all(
        low <= axis <= high
        for mob in mobs
        for axis, (low, high) in zip((mob.x, mob.y, mob.z), bounds, strict=True)
    )
    x, y, z = (place.x, place.y, place.z) if relative else (0.0, 0.0, 0.0)
    return tuple(
        NearbyCreature(mob.name, mob.x + x, mob.y + y, mob.z + z, mob.health) for mob in mobs
    )


@cache
def _block_ids() -> dict[str, int]:
    return {name: number for number, name in enumerate(block_names())}
