"""Getting out of the water: up for air, towards land in sight, and up the bank."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.clearing import dig_cell
from optimus_gym.controllers.helper.steering import feet_of, look, side_of, turn_to
from optimus_gym.controllers.keys import yaw_towards
from optimus_gym.controllers.rays import EYE_HEIGHT, first_block
from optimus_gym.controllers.script import Script, Steps
from optimus_gym.core.actions import FORWARD, JUMP
from optimus_gym.core.types import Failure
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.land.window import ensure_area
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, CHUNK, Worlds
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS, FLUIDS

_SEEN = 32
"""Horizontal distance in blocks within which a swimmer looks for land: two chunks."""
_LEG = 6
"""Rounds of swimming on the first leg of a search for land; each later leg is 6 rounds longer."""
BANK = 1
"""Highest bank that a floating player can climb, in blocks above its feet."""
_ROUND = 40
"""Ticks of one round of swimming, after which the swimmer looks for land again."""
GAIN = 1.0
"""Least blocks that a round of swimming must cover to count as progress."""
_TURN = 75.0
"""Angle in degrees of the turn after a round without progress; 24 turns lead back to the first direction."""
_MOST_TROUBLES = 40
"""Rounds without progress after which the script gives up."""
_CREEP = 0.01
"""Speed in blocks a tick below which the swimmer counts as stopped by a bank."""
_BLOCKED = 5
"""Ticks after which a stopped swimmer jumps."""
CEILING = 20
"""Ticks without rising after which the diver concludes that a block is overhead."""
_FURTHER = 0.5
"""Blocks that a swimmer rises further once its head is out of the water."""
_GENTLY = 0.06
"""Speed of rising (blocks a tick) from which a swimmer releases the jump key."""


class Float:
    """Keeps a swimmer's head above water and its feet in the water, judging by air and height alone.

    A swimmer that always holds the jump key leaps out of the water and falls back.

    Args:
        hands: the swimmer.
    """

    def __init__(self, hands: Hands) -> None:
        self._hands = hands
        self._air, self._height = hands.air(), float(hands.pose()[1])
        self._level: float | None = self._height
        """Height (y) of the feet to keep; None until the head is out of the water."""
        self.drowns = False
        """Whether the head is under water."""
        self._highest, self.held = self._height, 0
        """Greatest height (y) during a dive, and ticks since the swimmer last rose above that height."""

    def jumps(self) -> bool:
        """Return whether to press the jump key; call once a tick."""
        air, height = self._hands.air(), float(self._hands.pose()[1])
        rises = height - self._height
        self.drowns = air < self._air
        self._air, self._height = air, height
        if self.drowns:
            self._level = None
            self.held = self.held + 1 if height <= self._highest + 0.01 else 0
            self._highest = max(self._highest, height)
            return True
        if self._level is None:
            self._level = height + _FURTHER
        self._level = min(self._level, height + 2 * _FURTHER)
        self._highest, self.held = height, 0
        return height < self._level and rises < _GENTLY


def swim_ashore(hands: Hands) -> Script:
    """Swim to land in sight; if no land is in sight, swim along a square spiral of ever longer legs."""
    shunned: list[tuple[int, int]] = []
    yaw, troubles, stops = float(hands.pose()[3]), 0, 0
    leg, left = _LEG, _LEG
    while hands.alive() and "in_water" in hands.predicaments():
        shore = _nearest_shore(hands, shunned)
        if shore is not None:
            x, z = float(hands.pose()[0]), float(hands.pose()[2])
            yaw = yaw_towards(shore[0] + 0.5 - x, shore[1] + 0.5 - z)
        elif left == 0:
            leg += _LEG
            yaw, left = yaw + 90.0, leg
        left -= shore is None
        if (yield from swim(hands, yaw, _ROUND)):
            stops = 0
            continue
        troubles, stops = troubles + 1, stops + 1
        if stops == 1:
            yield from _cut_bank(hands, yaw)
        else:
            shunned += [shore] if shore is not None else []
            yaw += _TURN
        if troubles > _MOST_TROUBLES:
            return Failure("stuck", detail="no way out of the water")
    return None


def swim(hands: Hands, yaw: float, ticks: int) -> Steps:
    """Swim up for air, then in a direction (degrees); return False if the body made no progress."""
    start, afloat, stopped = hands.pose(), Float(hands), 0
    before = start
    for _ in range(ticks):
        if "in_water" not in hands.predicaments():
            return True
        jumps, pose = afloat.jumps(), hands.pose()
        moved = max(abs(pose[0] - before[0]), abs(pose[2] - before[2])) > _CREEP
        stopped, before = 0 if moved or afloat.drowns else stopped + 1, pose
        if afloat.held > CEILING:
            x, y, z = feet_of(hands)
            yield from dig_cell(hands, (x, y + 2, z))
            afloat = Float(hands)
        action = hands.fresh()
        turn_to(hands, yaw, 0.0, action)
        action[JUMP] = jumps or stopped > _BLOCKED
        action[FORWARD] = not afloat.drowns
        yield action
    return bool(np.abs(hands.pose()[:3] - start[:3]).max() > GAIN)


def _cut_bank(hands: Hands, yaw: float) -> Steps:
    """Dig away the blocks ahead that are two and one above the feet, so that a swimmer can climb the bank."""
    yield from look(hands, yaw, 0.0)
    x, y, z = feet_of(hands)
    dx, dz = side_of(yaw)
    for up in (2, 1):
        yield from dig_cell(hands, (x + dx, y + up, z + dz))
    return True


def _nearest_shore(hands: Hands, shunned: list[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the nearest column (x, z) with land in sight, None if there is none or no block can be read."""
    if not isinstance(hands, Body):
        return None
    player, found = hands.player, np.zeros(2, np.int64)
    ensure_area(hands.worlds, hands.row, float(player["x"]), float(player["z"]), _SEEN // CHUNK)
    avoided = np.array(shunned, np.int64).reshape(-1, 2)
    if not find_shore(hands.worlds, hands.row, avoided, found):
        return None
    return int(found[0]), int(found[1])


@kernel
def find_shore(
    worlds: Worlds, i: int, shunned: NDArray[np.int64], found: NDArray[np.int64]
) -> bool:
    """Find the nearest column with dry ground that the swimmer sees at about the height of its feet.

    Args:
        worlds: the arrays of the embedded worlds.
        i: the player's row in these arrays.
        shunned: int64[n, 2]: columns x, z to leave out, with their neighbours.
        found: int64[2] that gets the column.

    Returns:
        Whether a column with dry ground in sight lies within `_SEEN` blocks.
    """
    p = worlds.players[i]
    eye = (p.x, p.y + EYE_HEIGHT, p.z)
    fx, fy, fz = int(np.floor(p.x)), int(np.floor(p.y + 0.5)), int(np.floor(p.z))
    hit = np.zeros(4, np.int32)
    best = 1e9
    for x in range(fx - _SEEN, fx + _SEEN + 1):
        for z in range(fz - _SEEN, fz + _SEEN + 1):
            away = np.sqrt((x + 0.5 - p.x) ** 2 + (z + 0.5 - p.z) ** 2)
            if away >= best or _is_beside(shunned, x, z):
                continue
            for y in range(fy, fy + BANK + 1):
                if not _bears_dry(worlds, i, x, y, z):
                    continue
                wx, wy, wz = x + 0.5 - eye[0], y + 0.05 - eye[1], z + 0.5 - eye[2]
                far = np.sqrt(wx * wx + wy * wy + wz * wz)
                way = (wx / far, wy / far, wz / far)
                if not first_block(worlds, i, eye, way, far, hit) or (hit[0] == x and hit[2] == z):
                    best = away
                    found[0], found[1] = x, z
    return best < 1e9


@kernel
def _is_beside(shunned: NDArray[np.int64], x: int, z: int) -> bool:
    for k in range(shunned.shape[0]):
        dx, dz = abs(shunned[k, 0] - x), abs(shunned[k, 1] - z)
        if max(dx, dz) <= 1:
            return True
    return False


@kernel
def _bears_dry(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether the player can stand dry with the feet in a cell."""
    if COLLISION_HEIGHTS[block_at(worlds, i, x, y - 1, z) & BLOCK_MASK] <= 0.5:
        return False
    for up in range(2):
        block = block_at(worlds, i, x, y + up, z) & BLOCK_MASK
        if COLLISION_HEIGHTS[block] > 0.0 or FLUIDS[block]:
            return False
    return True
