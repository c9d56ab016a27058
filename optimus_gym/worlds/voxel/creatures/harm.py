"""Damage to creatures, the loot of dead creatures, and damage from creatures to the player.

References: Minecraft Wiki, "Damage" (immunity), "Difficulty" (regional difficulty, 1.16), "Knockback",
"Experience", "Drops" (cooked by fire).
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.following import leave_way
from optimus_gym.worlds.voxel.creatures.hunting import provoke
from optimus_gym.worlds.voxel.creatures.kinds import (
    ARMOUR,
    DROP_ROWS,
    DROP_STARTS,
    FLEES,
    IS_MONSTER,
    LEAST_EXPERIENCE,
    MOST_EXPERIENCE,
    SHEEP,
    TALL,
    WOOLS,
)
from optimus_gym.worlds.voxel.creatures.population import towards
from optimus_gym.worlds.voxel.land.clock import moon_phase
from optimus_gym.worlds.voxel.player.armour import reduced
from optimus_gym.worlds.voxel.player.vitals import hurt
from optimus_gym.worlds.voxel.state.chance import fraction, roll
from optimus_gym.worlds.voxel.state.events import emit
from optimus_gym.worlds.voxel.state.fauna import EASY, HARD, PEACEFUL
from optimus_gym.worlds.voxel.state.worlds import DEALT, KILLED, Worlds
from optimus_gym.worlds.voxel.tables.hurt_time import IMMUNE
from optimus_gym.worlds.voxel.things.drops import drop_at

_BASE = 0.75
"""Regional difficulty at the start of a world, per level of difficulty (1 easy, 2 normal, 3 hard)."""
_GROWS_FROM = 72_000
"""Tick at which regional difficulty begins to grow."""
_GROWS_FOR = 1_440_000
"""Ticks for which regional difficulty grows."""
_MOST_GROWN = 0.25
"""Maximum that time adds to regional difficulty, per level of difficulty (1 easy, 2 normal, 3 hard)."""
_NEW_MOON = 4
"""Number of the new moon among the moon's eight phases (0 = full moon)."""
_MOST_MOON = 0.25
"""Maximum that a full moon adds to regional difficulty, per level of difficulty (2 normal, 3 hard)."""
KNOCK = 0.4
"""Speed that a blow without enchantment gives the struck body, blocks a tick."""
STRUCK_FOR = 100
"""Ticks after a player's blow in which a creature's death counts as the player's kill."""
PANIC = 100
"""Ticks for which hurt animals flee."""


@kernel
def hurt_creature(worlds: Worlds, i: int, k: int, amount: float, by_player: bool) -> bool:
    """Take half-hearts from the creature in row k; return whether the blow was new (met no immunity).

    If an earlier blow still protects the creature, a stronger blow takes only the difference between the two
    blows. A creature without health drops its loot at once; the next `tick_creatures` removes its row.
    """
    c = worlds.creatures[i, k]
    if c.health <= 0.0 or amount <= 0.0:
        return False
    new = bool(c.hurt_wait == 0)
    if not new and amount <= c.hurt_last:
        return False
    taken = amount if new else amount - c.hurt_last
    taken = reduced(taken, ARMOUR[c.kind], 0.0)
    if new:
        c.hurt_wait = IMMUNE
    c.hurt_last = np.float32(amount)
    if by_player:
        c.struck = STRUCK_FOR
        emit(worlds, i, DEALT, c.kind, int(np.ceil(min(taken, c.health))))
    c.health = np.float32(max(c.health - taken, 0.0))
    if not IS_MONSTER[c.kind]:
        c.mood, c.angry = FLEES, PANIC
        leave_way(worlds, i, k)
    elif by_player:
        provoke(worlds, i, k)
    if c.health <= 0.0:
        _die(worlds, i, k)
    return new


@kernel
def _die(worlds: Worlds, i: int, k: int) -> None:
    """Drop the loot of the creature in row k, and give the player experience for a kill."""
    c = worlds.creatures[i, k]
    killed = c.struck > 0
    y = c.y + TALL[c.kind] / 2.0
    for row in range(DROP_STARTS[c.kind], DROP_STARTS[c.kind + 1]):
        drop = DROP_ROWS[row]
        if drop.chance < 1.0 and not (killed and fraction(worlds, i) < drop.chance):
            continue
        item = drop.roast if c.fire > 0 else drop.item
        drop_at(worlds, i, c.x, y, c.z, item, roll(worlds, i, drop.low, drop.high), 0)
    if c.kind == SHEEP and not c.shorn:
        drop_at(worlds, i, c.x, y, c.z, WOOLS[c.colour], 1, 0)
    if killed:
        gain = roll(worlds, i, LEAST_EXPERIENCE[c.kind], MOST_EXPERIENCE[c.kind])
        worlds.players[i].experience += gain
        emit(worlds, i, KILLED, c.kind, 1)


@kernel
def knock_creature(
    worlds: Worlds, i: int, k: int, way_x: float, way_z: float, strength: float
) -> None:
    """Push the creature in row k with a speed `strength` (blocks a tick) in a direction of length 1."""
    c = worlds.creatures[i, k]
    c.vx, c.vy, c.vz = _knocked(c.vx, c.vy, c.vz, c.on_ground != 0, way_x, way_z, strength)


@kernel
def _knocked(
    vx: float, vy: float, vz: float, grounded: bool, way_x: float, way_z: float, strength: float
) -> tuple[float, float, float]:
    """Return a body's velocity (blocks a tick) after a push in a direction of length 1."""
    up = min(0.4, vy / 2.0 + strength) if grounded else vy
    return vx / 2.0 + way_x * strength, up, vz / 2.0 + way_z * strength


@kernel
def by_difficulty(worlds: Worlds, i: int, amount: float) -> float:
    """Return a creature's damage to the player (half-hearts), scaled by the world's difficulty."""
    difficulty = worlds.rules[i].difficulty
    if difficulty == PEACEFUL:
        return 0.0
    if difficulty == EASY:
        return min(amount / 2.0 + 1.0, amount)
    return amount * 1.5 if difficulty == HARD else amount


@kernel
def regional_difficulty(worlds: Worlds, i: int) -> float:
    """Return the regional difficulty now, 0 (peaceful) to 3.75, for a chunk with an inhabited time of 0."""
    time, difficulty = worlds.skies[i].time, worlds.rules[i].difficulty
    grown = min(max((time - _GROWS_FROM) / _GROWS_FOR, 0.0), 1.0) * _MOST_GROWN
    fullness = abs(_NEW_MOON - moon_phase(time)) / _NEW_MOON
    moon = min(fullness * _MOST_MOON, grown)
    return float(difficulty * (_BASE + grown + (moon / 2.0 if difficulty == EASY else moon)))


@kernel
def hurt_player(
    worlds: Worlds, i: int, source: int, amount: float, from_x: float, from_z: float
) -> bool:
    """Hurt and push the player, whose armour protects; return whether the blow was new (met no immunity).

    Args:
        worlds: the worlds.
        i: number of the world.
        source: the cause of damage that the events HURT and DIED name, an index into `HURT_NAMES`.
        amount: half-hearts, already scaled by the difficulty.
        from_x: x of the blow's origin, from which the blow pushes the player away.
        from_z: z of the blow's origin.
    """
    p = worlds.players[i]
    new = hurt(worlds, i, source, amount)
    if new:
        way_x, way_z, _ = towards(p.x - from_x, p.z - from_z)
        p.vx, p.vy, p.vz = _knocked(p.vx, p.vy, p.vz, p.on_ground != 0, way_x, way_z, KNOCK)
    return new
