"""Monsters that threaten the player, and the aim at one of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.keys import CAMERA_BINS, pitch_towards, turn, yaw_towards
from optimus_gym.controllers.rays import EYE_HEIGHT, first_block, look_ray
from optimus_gym.core.actions import PITCH, YAW
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.worlds.voxel.bodies.aim import enter_box
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.danger import DANGER_RANGE, find_threats
from optimus_gym.worlds.voxel.creatures.hitting import STRIKE_REACH
from optimus_gym.worlds.voxel.creatures.kinds import IS_MONSTER, TALL
from optimus_gym.worlds.voxel.creatures.population import box_of, distance2
from optimus_gym.worlds.voxel.state.worlds import Worlds

_MOST_THREATS = 12
_LEVEL_MARGIN = 0.2
_KINDS = tuple(creature_kinds())


@dataclass(frozen=True, slots=True)
class Threat:
    """A monster that hunts the player and sees it."""

    row: int
    kind: str
    far: float
    """Distance from the player's feet to the monster's feet, blocks."""
    dx: float
    """Distance in blocks from the player to the monster along x; `dy` and `dz` are along y and z."""
    dy: float
    dz: float
    fuse: int
    """Ticks for which a creeper has hissed."""
    drawn: int
    """Ticks for which an archer has drawn its bow; archers shoot after 20."""

    @property
    def flat(self) -> float:
        """Return the horizontal distance from the player to the monster, blocks."""
        return float(np.hypot(self.dx, self.dz))


def threats(body: Body) -> list[Threat]:
    """Return the monsters that see and hunt the player, the nearest first."""
    found = np.zeros((_MOST_THREATS, 8))
    count = find_threats(body.worlds, body.row, found)
    if not count:
        return []
    listed = [
        Threat(int(row), _KINDS[int(kind)], float(far), dx, dy, dz, int(fuse), int(drawn))
        for row, kind, far, dx, dy, dz, fuse, drawn in found[:count].tolist()
    ]
    return sorted(listed, key=lambda threat: threat.far)


@kernel
def monsters_near(worlds: Worlds, i: int, found: NDArray[np.float64]) -> int:
    """Write the positions x, y, z of living monsters up to DANGER_RANGE blocks away into `found`.

    Returns:
        Number of positions written, at most the n of `found` (float64[n, 3]).
    """
    count = 0
    for k in range(worlds.fauna[i].creatures):
        c = worlds.creatures[i, k]
        if count == found.shape[0] or not IS_MONSTER[c.kind] or c.health <= 0.0:
            continue
        if distance2(worlds, i, c.x, c.y, c.z) <= DANGER_RANGE * DANGER_RANGE:
            found[count, 0], found[count, 1], found[count, 2] = c.x, c.y, c.z
            count += 1
    return count


@kernel
def aim_at(worlds: Worlds, i: int, k: int, action: NDArray[np.int32]) -> bool:
    """Turn towards the world's creature k; return whether a blow in this tick would hit that creature."""
    p, c = worlds.players[i], worlds.creatures[i, k]
    eye_y = p.y + EYE_HEIGHT
    low, high = c.y + _LEVEL_MARGIN, c.y + TALL[c.kind] - _LEVEL_MARGIN
    dx, dz = c.x - p.x, c.z - p.z
    dy = min(max(eye_y, low), high) - eye_y
    turn(worlds, i, yaw_towards(dx, dz), pitch_towards(dx, dy, dz), action)
    pitch = min(max(p.pitch + CAMERA_BINS[action[PITCH]], -90.0), 90.0)
    way = look_ray(p.yaw + CAMERA_BINS[action[YAW]], pitch)
    far = enter_box(p.x, eye_y, p.z, way[0], way[1], way[2], box_of(worlds, i, k))
    if far > STRIKE_REACH - 0.05:
        return False
    return not first_block(worlds, i, (p.x, eye_y, p.z), way, far, np.zeros(4, np.int32))
