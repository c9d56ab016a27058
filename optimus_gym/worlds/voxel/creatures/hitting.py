"""The player's actions on creatures: blows, shears and buckets.

References: Minecraft Wiki, "Damage" (attack cooldown, critical hit), "Player" (reach), "Knockback",
"Durability", "Sheep" (shearing), "Bucket" (milk).
"""

from optimus_gym.game.items import item as item_named
from optimus_gym.worlds.voxel.bodies.aim import NO_FACE, distance_along, enter_box
from optimus_gym.worlds.voxel.bodies.exhaustion import BLOW_EFFORT, tire
from optimus_gym.worlds.voxel.bodies.posture import eye_height
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.harm import KNOCK, hurt_creature, knock_creature
from optimus_gym.worlds.voxel.creatures.kinds import COW, SHEEP, WOOLS
from optimus_gym.worlds.voxel.creatures.population import NOBODY, box_of, distance2, towards
from optimus_gym.worlds.voxel.player.mining import swing_arm
from optimus_gym.worlds.voxel.state.chance import roll
from optimus_gym.worlds.voxel.state.events import emit
from optimus_gym.worlds.voxel.state.worlds import USED, Worlds
from optimus_gym.worlds.voxel.tables.properties import BLOW_DAMAGE, BLOW_PAUSE, BLOW_WEAR
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine
from optimus_gym.worlds.voxel.things.drops import drop_at, drop_from_player
from optimus_gym.worlds.voxel.things.inventory import (
    add_items,
    held_item,
    take_from_slot,
    wear_held,
)

STRIKE_REACH = 3.0
_NEAR2 = 36.0
"""Squared distance (blocks squared) between the player's feet and a creature's feet beyond which the creature
is out of reach."""
_CHARGED = 0.9
_CRITICAL = 1.5
_SPRINT_KNOCK, _SPRINT_LOSS = 0.5, 0.6
_LEAST_WOOL, _MOST_WOOL = 1, 3
_PAUSE = 5
"""Ticks from the use of an item on a creature until the player may use an item again, the current tick
included."""
_SHEARS, _BUCKET, _MILK = (item_named(n).id for n in ("shears", "bucket", "milk_bucket"))


@kernel
def aimed_creature(worlds: Worlds, i: int) -> int:
    """Return the row of the nearest creature under the crosshair, in reach and not behind a block, or -1."""
    p = worlds.players[i]
    ox, oy, oz = p.x, p.y + eye_height(worlds, i), p.z
    level = cosine(p.pitch)
    dx, dy, dz = -sine(p.yaw) * level, -sine(p.pitch), cosine(p.yaw) * level
    nearest = (
        STRIKE_REACH if p.aim_face == NO_FACE else min(STRIKE_REACH, distance_along(worlds, i))
    )
    found = NOBODY
    for k in range(worlds.fauna[i].creatures):
        c = worlds.creatures[i, k]
        if c.health <= 0.0 or distance2(worlds, i, c.x, c.y, c.z) > _NEAR2:
            continue
        far = enter_box(ox, oy, oz, dx, dy, dz, box_of(worlds, i, k))
        if far <= nearest:
            found, nearest = k, far
    return found


@kernel
def strike(worlds: Worlds, i: int, pressed: bool) -> bool:
    """Strike the creature under the crosshair if the attack key has just been pressed.

    A held key strikes once, as in the game. Return whether the key is down and the crosshair on a creature.
    """
    fauna, p = worlds.fauna[i], worlds.players[i]
    item = held_item(worlds, i)
    fauna.charge += 1
    if item != fauna.charged_with:
        fauna.charge, fauna.charged_with = 0, item
    fresh = pressed and not fauna.pressed
    fauna.pressed = pressed
    k = aimed_creature(worlds, i) if pressed else NOBODY
    if fresh and k == NOBODY and p.aim_face == NO_FACE:
        fauna.charge = 0
    if fresh and k != NOBODY:
        _blow(worlds, i, k, item)
    return k != NOBODY


@kernel
def _blow(worlds: Worlds, i: int, k: int, item: int) -> None:
    """Strike the creature in row k: hurt it, less before the attack cooldown has ended, and push it."""
    fauna, p, c = worlds.fauna[i], worlds.players[i], worlds.creatures[i, k]
    charge = min((fauna.charge + 0.5) / BLOW_PAUSE[item], 1.0)
    fauna.charge = 0
    damage = BLOW_DAMAGE[item] * (0.2 + charge * charge * 0.8)
    charged = charge > _CHARGED
    if charged and p.fall > 0.0 and not p.on_ground and not p.in_water and not p.sprinting:
        damage *= _CRITICAL
    swing_arm(worlds, i)
    if not hurt_creature(worlds, i, k, damage, True):
        return
    tire(worlds, i, BLOW_EFFORT)
    way_x, way_z, _ = towards(c.x - p.x, c.z - p.z)
    knock_creature(worlds, i, k, way_x, way_z, KNOCK)
    if charged and p.sprinting:
        knock_creature(worlds, i, k, -sine(p.yaw), cosine(p.yaw), _SPRINT_KNOCK)
        p.vx, p.vz, p.sprinting = p.vx * _SPRINT_LOSS, p.vz * _SPRINT_LOSS, 0
    wear_held(worlds, i, BLOW_WEAR[item])


@kernel
def tend(worlds: Worlds, i: int, pressed: bool) -> bool:
    """Shear or milk the creature under the crosshair; return whether the player did either."""
    p = worlds.players[i]
    if not pressed or p.use_wait > 1:
        return False
    item = held_item(worlds, i)
    if item not in (_SHEARS, _BUCKET):
        return False
    k = aimed_creature(worlds, i)
    if k == NOBODY:
        return False
    c = worlds.creatures[i, k]
    if item == _SHEARS and c.kind == SHEEP and not c.shorn:
        c.shorn = 1
        for _ in range(roll(worlds, i, _LEAST_WOOL, _MOST_WOOL)):
            drop_at(worlds, i, c.x, c.y + 1.0, c.z, WOOLS[c.colour], 1, 0)
        wear_held(worlds, i, 1)
    elif item == _BUCKET and c.kind == COW:
        take_from_slot(worlds, i, p.hotbar, 1)
        if add_items(worlds, i, _MILK, 1, 0) > 0:
            drop_from_player(worlds, i, _MILK, 1, 0)
    else:
        return False
    emit(worlds, i, USED, item, 1)
    swing_arm(worlds, i)
    p.use_wait = _PAUSE
    return True
