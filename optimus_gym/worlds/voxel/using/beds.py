"""Beds: spawn points, and sleep through the night.

The use key on a bed moves the player's spawn point next to the bed. At night or in a thunderstorm, with no
monster near the bed, the player also lies down. After a hundred ticks in bed, morning comes and the sky is
clear. Damage, the loss of the bed or the sneak key wake a sleeping player earlier.

Reference: Minecraft Wiki, "Bed" (Java Edition 1.16: sleeping, spawn point).
"""

from optimus_gym.worlds.voxel.blocks.halves import SECOND, other_half
from optimus_gym.worlds.voxel.bodies.collision import is_blocked
from optimus_gym.worlds.voxel.bodies.posture import PLAYER_HALF_WIDTH, PLAYER_TALL
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.kinds import IS_MONSTER
from optimus_gym.worlds.voxel.creatures.population import box_of
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.land.clock import DAY, darkness
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, STANDING, Worlds
from optimus_gym.worlds.voxel.tables.properties import ACTS, BED, COLLISION_HEIGHTS, OPAQUE

LONG_ENOUGH = 100
"""Ticks of sleep until the morning."""
DARK_ENOUGH = 4
"""Light levels that the sky must have lost before a player can sleep: times 12,542 to 23,459 on a clear
night."""
_REACH_SIDE = 3.0
"""Maximum distance along x or z, in blocks, from the middle of a bed's half to the feet of its user."""
_REACH_UP = 2.0
"""Maximum distance up or down, in blocks, from a bed to the feet of its user."""
_UNSAFE_SIDE = 8.0
"""Distance in blocks along x or z from the bed within which a monster prevents sleep."""
_UNSAFE_UP = 5.0
"""Distance in blocks up or down from the bed's lower side within which a monster prevents sleep."""
_LYING = 0.6875
"""Height (blocks) of a lying player above the lower side of the bed's cell."""
_MATTRESS = 0.5625


@kernel
def use_bed(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> None:
    """Move the player's spawn point to a bed in reach, and let the player lie down if sleep is possible."""
    p, sleep = worlds.players[i], worlds.sleeps[i]
    ox, oy, oz = other_half(x, y, z, voxel)
    if block_at(worlds, i, ox, oy, oz) != voxel ^ SECOND << BLOCK_BITS:
        return
    if not _is_near(worlds, i, x, y, z) and not _is_near(worlds, i, ox, oy, oz):
        return
    for bx, bz in ((x, z), (ox, oz)):
        if OPAQUE[block_at(worlds, i, bx, y + 1, bz) & BLOCK_MASK]:
            return
    spawn = worlds.spawns[i]
    spawn.x, spawn.y, spawn.z = _place_beside(worlds, i, x, y, z)
    if darkness(worlds, i) < DARK_ENOUGH or _is_unsafe(worlds, i, x, y, z):
        return
    if not voxel >> BLOCK_BITS & SECOND:
        x, z = ox, oz
    sleep.ticks, sleep.x, sleep.y, sleep.z = 1, x, y, z
    sleep.health = p.health
    p.x, p.y, p.z = x + 0.5, y + _LYING, z + 0.5
    p.sneaking, p.sprinting, p.sprinted, p.swimming, p.pose = 0, 0, 0, 0, STANDING


@kernel
def lie(worlds: Worlds, i: int, leaves: bool) -> None:
    """Let a lying player sleep for a tick, or get up."""
    p, sleep = worlds.players[i], worlds.sleeps[i]
    if p.x != sleep.x + 0.5 or p.z != sleep.z + 0.5:
        sleep.ticks = 0  # the player died in the bed and was revived elsewhere
        return
    p.vx, p.vy, p.vz, p.fall = 0.0, 0.0, 0.0, 0.0
    bed = block_at(worlds, i, sleep.x, sleep.y, sleep.z) & BLOCK_MASK
    slept = sleep.ticks >= LONG_ENOUGH
    if slept and p.alive:
        _bring_morning(worlds, i)
    woken = leaves or slept or ACTS[bed] != BED or p.health < sleep.health
    if woken or not p.alive or darkness(worlds, i) < DARK_ENOUGH:
        sleep.ticks = 0
        if p.alive:
            p.x, p.y, p.z = _place_beside(worlds, i, sleep.x, sleep.y, sleep.z)
        return
    sleep.ticks += 1
    sleep.health = p.health


@kernel
def _bring_morning(worlds: Worlds, i: int) -> None:
    """Let the next day begin, with a clear sky."""
    sky = worlds.skies[i]
    sky.time = (sky.time // DAY + 1) * DAY
    sky.raining, sky.thundering, sky.rain_wait, sky.thunder_wait = 0, 0, 0, 0


@kernel
def _is_near(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    p = worlds.players[i]
    return bool(
        abs(p.x - x - 0.5) <= _REACH_SIDE
        and abs(p.y - y) <= _REACH_UP
        and abs(p.z - z - 0.5) <= _REACH_SIDE
    )


@kernel
def _is_unsafe(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether a monster is within eight blocks sideways and five blocks up or down of the bed."""
    for k in range(worlds.fauna[i].creatures):
        c = worlds.creatures[i, k]
        if not IS_MONSTER[c.kind] or c.health <= 0.0:
            continue
        x0, y0, z0, x1, y1, z1 = box_of(worlds, i, k)
        aside = x0 >= x + 0.5 + _UNSAFE_SIDE or x1 <= x + 0.5 - _UNSAFE_SIDE
        behind = z0 >= z + 0.5 + _UNSAFE_SIDE or z1 <= z + 0.5 - _UNSAFE_SIDE
        if not aside and not behind and y0 < y + _UNSAFE_UP and y1 > y - _UNSAFE_UP:
            return True
    return False


@kernel
def _place_beside(worlds: Worlds, i: int, x: int, y: int, z: int) -> tuple[float, float, float]:
    """Return where a player can stand next to a bed: on its level, else below or above, else on the bed."""
    for up in (0, -1, 1):
        for dx in range(-1, 2):
            for dz in range(-1, 2):
                ground = block_at(worlds, i, x + dx, y + up - 1, z + dz) & BLOCK_MASK
                if COLLISION_HEIGHTS[ground] <= 0.0 or ACTS[ground] == BED:
                    continue
                px, pz = x + dx + 0.5, z + dz + 0.5
                py = y + up - 1 + COLLISION_HEIGHTS[ground]
                box = (
                    px - PLAYER_HALF_WIDTH,
                    py,
                    pz - PLAYER_HALF_WIDTH,
                    px + PLAYER_HALF_WIDTH,
                    py + PLAYER_TALL,
                    pz + PLAYER_HALF_WIDTH,
                )
                if not is_blocked(worlds, i, box):
                    return px, py, pz
    return x + 0.5, y + _MATTRESS, z + 0.5
