"""Getting out of monsters' sight, in the nearest cell that no hunting monster sees, dug out if necessary."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.oracle.goals import STAND_IN
from optimus_gym.controllers.oracle.grid import (
    BY_WATER,
    DIG,
    HOT,
    IS_WATER,
    LOOSE,
    MOST_GOALS,
    PASS,
    SIX_SIDES,
    STAND,
    Ground,
    flags_of,
)
from optimus_gym.controllers.oracle.miner import ON_FOOT, Miner
from optimus_gym.controllers.oracle.path_search import FOUND
from optimus_gym.controllers.oracle.travel import follow_path
from optimus_gym.controllers.oracle.walls import screen_off, shut_in
from optimus_gym.controllers.script import Steps
from optimus_gym.controllers.threats import threats
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.danger import DANGER_RANGE
from optimus_gym.worlds.voxel.creatures.kinds import CHASES, EYE, IS_MONSTER
from optimus_gym.worlds.voxel.creatures.population import distance2
from optimus_gym.worlds.voxel.creatures.sight import is_clear
from optimus_gym.worlds.voxel.state.worlds import Worlds

_ASIDE = 6
"""Distance in blocks sideways within which the player looks for cover."""
_UPWARDS = 3
"""Distance in blocks up and down within which the player looks for cover."""
_BUDGET = 3_000
"""Maximum number of cells that the path search for a way to cover may look at."""
LONGEST_WAY = 45
"""Maximum ticks of the way to cover: archers shoot every 40 ticks (Minecraft Wiki, "Skeleton")."""


def take_cover(miner: Miner) -> Steps:
    """Go to a cell out of sight of all hunting monsters, and close the open cells around the player.

    Returns:
        False if the body did not move.
    """
    before = miner.feet()[0]
    found = np.zeros((MOST_GOALS, 4))
    count = find_cover(miner.worlds, miner.row, miner.ground, before, found)
    if not count or miner.search(found[:count], STAND_IN, ON_FOOT, _BUDGET, shy=False) != FOUND:
        return False
    if miner.answer[3] > LONGEST_WAY:
        return False
    yield from follow_path(miner)
    foes = threats(miner)
    if foes:  # monsters see the player along the tunnel that it dug
        yield from screen_off(miner, (foes[0].dx, foes[0].dy, foes[0].dz))
    else:
        yield from shut_in(miner)
    return miner.feet()[0] != before


@kernel
def find_cover(
    worlds: Worlds, i: int, ground: Ground, feet: tuple[int, int, int], found: NDArray[np.float64]
) -> int:
    """List cells out of hunting monsters' sight where a body can stand, perhaps after digging, nearest first.

    Args:
        worlds: the arrays of the embedded worlds.
        i: the player's row in these arrays.
        ground: tables of blocks' properties, for the held tools.
        feet: the cell to search around.
        found: float64[n, 4] that gets the cells as goals of a path search: x, y, z of the floor's centre,
            and 0 for the ticks to spend there.

    Returns:
        Number of cells listed, at most n.
    """
    count = 0
    for ring in range(1, _ASIDE + 1):
        for dx in range(-ring, ring + 1):
            for dz in range(-ring, ring + 1):
                for dy in range(-min(ring, _UPWARDS), min(ring, _UPWARDS) + 1):
                    if max(abs(dx), abs(dz), abs(dy)) != ring or count == found.shape[0]:
                        continue
                    x, y, z = feet[0] + dx, feet[1] + dy, feet[2] + dz
                    if _has_room(worlds, i, ground, x, y, z) and not _is_exposed(
                        worlds, i, ground, x, y, z
                    ):
                        found[count] = x + 0.5, float(y), z + 0.5, 0.0
                        count += 1
    return count


@kernel
def _has_room(worlds: Worlds, i: int, ground: Ground, x: int, y: int, z: int) -> bool:
    """Return whether a body can stand with its feet in a cell, perhaps after digging."""
    floor = flags_of(worlds, i, ground, x, y - 1, z)
    if floor & (STAND | HOT) != STAND:
        return False
    for up in range(2):
        here = flags_of(worlds, i, ground, x, y + up, z)
        if here & (HOT | IS_WATER | BY_WATER | LOOSE) or here & (PASS | DIG) == 0:
            return False
    return flags_of(worlds, i, ground, x, y + 2, z) & (LOOSE | BY_WATER) == 0


@kernel
def _is_exposed(worlds: Worlds, i: int, ground: Ground, x: int, y: int, z: int) -> bool:
    """Return whether a hunting monster would see a body with its feet in a cell.

    A body fills two cells; if either cell is still blocked, the free neighbours of both are checked instead.
    """
    open_feet = flags_of(worlds, i, ground, x, y, z) & PASS != 0
    open_head = flags_of(worlds, i, ground, x, y + 1, z) & PASS != 0
    if open_feet and open_head:
        return _is_seen(worlds, i, x, y, z) or _is_seen(worlds, i, x, y + 1, z)
    for up in range(2):
        for side in range(6):
            bx, by, bz = x + SIX_SIDES[side, 0], y + up + SIX_SIDES[side, 1], z + SIX_SIDES[side, 2]
            if flags_of(worlds, i, ground, bx, by, bz) & PASS and _is_seen(worlds, i, bx, by, bz):
                return True
    return False


@kernel
def _is_seen(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether a hunting monster sees the middle of a cell."""
    for k in range(worlds.fauna[i].creatures):
        c = worlds.creatures[i, k]
        if not IS_MONSTER[c.kind] or c.health <= 0.0 or c.mood != CHASES:
            continue
        if distance2(worlds, i, c.x, c.y, c.z) <= DANGER_RANGE * DANGER_RANGE and is_clear(
            worlds, i, c.x, c.y + EYE[c.kind], c.z, x + 0.5, y + 0.6, z + 0.5
        ):
            return True
    return False
