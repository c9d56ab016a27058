"""Death: the items and experience that a dead player loses, and the player's revival.

References: Minecraft Wiki, "Death" (dropped items), "Spawn" (3 seconds without harm), "Item (entity)",
"Experience".
"""

import numpy as np

from optimus_gym.worlds.voxel.bodies.aim import NO_FACE
from optimus_gym.worlds.voxel.bodies.posture import PLAYER_EYE
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.player.accounts import level_and_share
from optimus_gym.worlds.voxel.player.burning import FIREPROOF_FOR
from optimus_gym.worlds.voxel.player.effects import EFFECTS, end_effect, end_night_vision
from optimus_gym.worlds.voxel.player.hunger import START_SATURATION
from optimus_gym.worlds.voxel.player.mining import NO_BLOCK
from optimus_gym.worlds.voxel.player.vitals import MOST_AIR, MOST_FOOD, MOST_HEALTH
from optimus_gym.worlds.voxel.state.chance import fraction
from optimus_gym.worlds.voxel.state.worlds import SLOTS, STANDING, Worlds
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine
from optimus_gym.worlds.voxel.things.drops import LIFETIME, THROWN_DELAY, drop_at
from optimus_gym.worlds.voxel.things.inventory import set_stack

SAFE_FOR = 60
"""Ticks after a spawn in which only the void hurts the player."""
_LOST_A_LEVEL = 7.0
"""Points of experience that a dead player leaves behind for each level; Minecraft Wiki, "Experience"."""
_MOST_LOST = 100.0
"""Maximum points of experience that a dead player leaves behind; Minecraft Wiki, "Experience"."""
_ORBS_COME = 8.0
"""Range in blocks at which a player attracts experience; Minecraft Wiki, "Experience" (orbs)."""
_BELOW_EYE = 0.3
_TOSS = 0.5
"""Largest horizontal speed of a dead player's items, blocks a tick."""
_TOSS_UP = 0.2
"""Upward speed of a dead player's items, blocks a tick."""


@kernel
def leave_behind(worlds: Worlds, i: int) -> None:
    """Drop a dead player's items where it died, if the world has survival rules and no `keep_inventory`."""
    p = worlds.players[i]
    if not worlds.rules[i].survival or worlds.assists[i].keep_inventory:
        return
    for k in range(SLOTS):
        stack = worlds.slots[i, k]
        if stack.item == 0:
            continue
        y = p.y + PLAYER_EYE - _BELOW_EYE
        row = drop_at(worlds, i, p.x, y, p.z, stack.item, stack.count, stack.damage)
        drop = worlds.drops[i, row]
        speed, turn = _TOSS * fraction(worlds, i), 360.0 * fraction(worlds, i)
        drop.vx, drop.vy, drop.vz = -sine(turn) * speed, _TOSS_UP, cosine(turn) * speed
        drop.delay = THROWN_DELAY
        set_stack(stack, 0, 0, 0)
    if p.experience > 0.0:
        _lose_experience(worlds, i)


@kernel
def _lose_experience(worlds: Worlds, i: int) -> None:
    """Leave part of a dead player's experience where it died; move earlier lost experience there, too."""
    p, needs = worlds.players[i], worlds.needs[i]
    points = min(_LOST_A_LEVEL * level_and_share(p.experience)[0], _MOST_LOST)
    needs.lost = np.float32(points + (needs.lost if needs.lost_for > 0 else 0.0))
    needs.lost_for = LIFETIME
    needs.lost_x, needs.lost_y, needs.lost_z = p.x, p.y, p.z
    p.experience = 0.0


@kernel
def find_lost(worlds: Worlds, i: int) -> None:
    """Give lost experience back to a living player who is near the place where it lies."""
    p, needs = worlds.players[i], worlds.needs[i]
    if needs.lost_for == 0:
        return
    needs.lost_for -= 1
    dx, dy, dz = needs.lost_x - p.x, needs.lost_y - p.y, needs.lost_z - p.z
    if dx * dx + dy * dy + dz * dz < _ORBS_COME * _ORBS_COME:
        p.experience += needs.lost
        needs.lost_for = 0


@kernel
def revive(worlds: Worlds, i: int, x: float, y: float, z: float) -> None:
    """Revive a player at a place (middle of the feet), in full health and fed."""
    p, needs = worlds.players[i], worlds.needs[i]
    p.alive = 1
    p.x, p.y, p.z = x, y, z
    p.vx, p.vy, p.vz, p.fall = 0.0, 0.0, 0.0, 0.0
    p.on_ground, p.against_wall, p.sneaking, p.sprinting = 0, 0, 0, 0
    p.in_water, p.in_lava, p.head_in_water, p.submerged = 0, 0, 0, 0
    p.sprinted, p.swimming, p.pose = 0, 0, STANDING
    p.health, p.food, p.saturation, p.air = MOST_HEALTH, MOST_FOOD, START_SATURATION, MOST_AIR
    p.hurt_wait, p.heal_wait, p.hurt_last = 0, 0, 0.0
    p.jump_wait, p.use_wait, p.swing = 0, 0, 0
    p.dig_y, p.dig_held, p.dig_progress, p.dig_wait, p.miss_wait = NO_BLOCK, 0, 0.0, 0, 0
    p.aim_face = NO_FACE
    for effect in range(EFFECTS):
        end_effect(worlds, i, effect)
    end_night_vision(worlds, i)
    needs.exhaustion, needs.absorption, needs.meal, needs.chewed = 0.0, 0.0, 0, 0
    if worlds.rules[i].survival:
        needs.fire, needs.safe = -FIREPROOF_FOR, SAFE_FOR
