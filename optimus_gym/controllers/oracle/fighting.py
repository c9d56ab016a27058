"""Fighting monsters by low-level actions: fully charged blows, and distance from creepers.

References: Minecraft Wiki, "Damage" (cooldown), "Creeper" (fuse), "Skeleton".
"""

import numpy as np

from optimus_gym.controllers.keys import press
from optimus_gym.controllers.oracle.cover import take_cover
from optimus_gym.controllers.oracle.goals import TOUCH_DROP
from optimus_gym.controllers.oracle.grid import HOT, PASS, STAND
from optimus_gym.controllers.oracle.miner import ON_FOOT, Miner
from optimus_gym.controllers.oracle.moves import STEP_DOWN, STEP_LEVEL, STEP_UP
from optimus_gym.controllers.oracle.path_search import FOUND
from optimus_gym.controllers.oracle.travel import follow_path
from optimus_gym.controllers.oracle.walls import is_on_tower, is_open, openings_towards, screen_off
from optimus_gym.controllers.script import Action, Steps
from optimus_gym.controllers.threats import Threat, aim_at, monsters_near, threats
from optimus_gym.core.actions import ATTACK, JUMP
from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.tables.hurt_time import IMMUNE
from optimus_gym.worlds.voxel.tables.properties import BLOW_DAMAGE, BLOW_PAUSE

FIGHT_RANGE = 6.0
"""Blocks within which a monster is fought; a threatening archer is fought at any distance."""
TOO_CLOSE = 2.0
"""Level distance in blocks below which the player steps back from a melee monster."""
_FULL = 0.98
"""Attack charge (0 to 1) from which a blow counts as fully charged."""
_LONGEST_FIGHT = 300
WAITS = 60
"""Ticks to wait for a monster that the player cannot strike."""
SAFE_FROM_CREEPER = 7.5
"""Distance in blocks beyond which a creeper's fuse goes out."""
NEAR_CREEPER = 4.5
"""Blocks beyond which the player leaves a creeper alone while the creeper's fuse does not burn."""
HISSES = 3.0
"""Distance in blocks below which a creeper's fuse begins to burn."""
_WEAK = 9.0
"""Half-hearts at or below which the player hides instead of fighting."""
CROWD = 9.0
"""Blocks within which monsters count as a crowd."""
_MANY = 3
"""Number of monsters in a crowd from which the player hides instead of fighting."""
ARCHER = "skeleton"
WALKER = "zombie"
NEAR_ARCHER = 4.0
"""Blocks within which the player strikes an archer like other monsters."""
DODGE_FROM = 14
"""Ticks from an archer's drawing of its bow until the player steps aside."""
DODGE = 14
"""Maximum ticks of a step aside from an archer's arrow."""
BRAWL = 3.2
"""Blocks within which the player strikes another monster while a near creeper is still harmless."""
LONGEST_CHARGE = 16
"""Maximum number of cells of the path for a charge at an archer."""
CHASE_BUDGET = 1_500
STEADY = 10.0
"""Least health (half-hearts) with which the player charges at an archer."""
SOON_CLOSED = 2
"""Maximum number of open cells towards an archer that the player closes instead of going to cover."""
_ROUND = 15
"""Ticks of fighting or of following a path after which the script decides again."""
_ROOM = 4
"""Number of free blocks that a direction needs for the player to walk that way from a creeper."""
_WAYS = 16
"""Number of compass directions that are compared for a walk away from a creeper."""


def is_weak(miner: Miner) -> bool:
    """Return whether the player is too weak to fight."""
    return float(miner.player["health"]) <= _WEAK


def is_outmatched(miner: Miner) -> bool:
    """Return whether the player is weak or faces a crowd."""
    return is_weak(miner) or sum(foe.far < CROWD for foe in threats(miner)) >= _MANY


def best_weapon(miner: Miner) -> str | None:
    """Return the held item with the most damage over time, None for the hand."""
    held = (None, *miner.counts())
    return max(held, key=_strength)


def _strength(name: str | None) -> float:
    number = item(name).id if name else 0
    return float(BLOW_DAMAGE[number] / max(BLOW_PAUSE[number], IMMUNE))


def take_weapon(miner: Miner) -> Steps:
    """Bring the best weapon into the hand."""
    name = best_weapon(miner)
    if name is not None and miner.hand() != name and _strength(name) > _strength(miner.hand()):
        yield from miner.hold(name)
    return True


def is_charged(miner: Miner) -> bool:
    """Return whether the next blow is fully charged."""
    fauna = miner.worlds.fauna[miner.row]
    hand = miner.hand()
    number = item(hand).id if hand else 0
    same = int(fauna["charged_with"]) == number
    return same and (int(fauna["charge"]) + 1.5) / BLOW_PAUSE[number] >= _FULL


def fight_monster(miner: Miner, foe: Threat) -> Steps:
    """Fight a monster for a while as suits its kind; return False if nothing could be done."""
    if foe.kind == "creeper":
        done = yield from _keep_off(miner)
    elif foe.kind == ARCHER and foe.far > NEAR_ARCHER:
        done = yield from _silence(miner, foe)
    else:
        done = yield from _strike_down(miner)
    return done


def _strike_down(miner: Miner) -> Steps:
    """Strike the nearest monster until none is near; return False after `WAITS` ticks without a blow.

    An outmatched player stops after `_ROUND` ticks so that it can hide, unless it is on a tower.
    """
    yield from take_weapon(miner)
    idle = 0
    for tick in range(_LONGEST_FIGHT):
        found = threats(miner)
        if not found or found[0].far > FIGHT_RANGE:
            return True
        if tick >= _ROUND and is_outmatched(miner) and not is_on_tower(miner):
            return True
        if any(foe.kind == "creeper" and foe.far < SAFE_FROM_CREEPER for foe in found):
            return True
        foe = found[0]
        if idle > WAITS or (foe.kind == ARCHER and foe.far > NEAR_ARCHER):
            return idle <= WAITS
        action = _blow(miner, foe)
        idle = 0 if action[ATTACK] else idle + 1
        yield action
    return True


def _blow(miner: Miner, foe: Threat) -> Action:
    """Return the player's action in a fight: aim, strike when charged, keep a suitable distance."""
    action = miner.fresh()
    hits = aim_at(miner.worlds, miner.row, foe.row, action)
    pressed = bool(miner.worlds.fauna[miner.row]["pressed"])
    if hits and not pressed and is_charged(miner):
        action[ATTACK] = 1
    elif foe.kind == ARCHER and foe.drawn >= DODGE_FROM and sidestep(miner, foe, action):
        pass
    elif foe.kind == ARCHER and foe.flat > TOO_CLOSE and _has_room(miner, foe.dx, foe.dz, 1):
        walk_off(miner, foe.dx, foe.dz, action)
    elif (
        foe.kind != ARCHER
        and foe.flat < TOO_CLOSE
        and _has_room(miner, -foe.dx, -foe.dz, 2)
        and not is_on_tower(miner)
    ):
        walk_off(miner, -foe.dx, -foe.dz, action)
    if miner.player["in_water"]:
        action[JUMP] = 1
    return action


def sidestep(miner: Miner, foe: Threat, action: Action) -> bool:
    """Press the keys to walk across an archer's line of fire; return False if neither side has room."""
    side = 1.0 if miner.tick() // 40 % 2 else -1.0
    for way in (side, -side):
        dx, dz = foe.dz * way, -foe.dx * way
        if _has_room(miner, dx, dz, 2):
            walk_off(miner, dx, dz, action)
            return True
    return False


def level_of_step(miner: Miner, x: float, z: float, y: int) -> int | None:
    """Return the feet's y after a step from y to the column of (x, z), None if no safe step leads there."""
    kx, kz = int(np.floor(x)), int(np.floor(z))
    for to in (y, y - 1, y + 1, y - 2):
        feet, head, floor = (miner.flags(kx, to + up, kz) for up in (0, 1, -1))
        tall = miner.flags(kx, y + 1, kz) if to < y else PASS
        if feet & PASS and head & PASS and tall & PASS and floor & STAND:
            return None if (feet | floor) & HOT else to
    return None


def _has_room(miner: Miner, dx: float, dz: float, steps: int) -> bool:
    """Return whether `steps` steps of one block in a direction lead over harmless, unobstructed ground."""
    length = float(np.hypot(dx, dz))
    if length < 1e-6:
        return False
    player = miner.player
    y = int(np.floor(player["y"] + 0.02))
    for step in range(1, steps + 1):
        x, z = float(player["x"]) + dx / length * step, float(player["z"]) + dz / length * step
        to = level_of_step(miner, x, z, y)
        if to is None:
            return False
        y = to
    return True


def walk_off(miner: Miner, dx: float, dz: float, action: Action) -> None:
    """Press the keys to walk in the direction (dx, dz), with a jump at a wall and in water."""
    press(miner.worlds, miner.row, dx, dz, action)
    if miner.player["against_wall"] or miner.player["in_water"]:
        action[JUMP] = 1


def _keep_off(miner: Miner) -> Steps:
    """Keep creepers from exploding near the player: strike before they hiss, walk off, or place blocks."""
    yield from take_weapon(miner)
    idle = 0
    for _ in range(_LONGEST_FIGHT):
        near = [foe for foe in threats(miner) if _is_creeper_near(foe)]
        if not near or not miner.player["alive"]:
            return True
        foe = max(near, key=lambda foe: (foe.fuse, -foe.far))
        idle = 0 if foe.far < NEAR_CREEPER or foe.fuse > 0 else idle + 1
        if idle > WAITS:
            return False
        retreat = _way_off(miner, near)
        if retreat is None:
            closed = yield from screen_off(miner, (foe.dx, foe.dy, foe.dz))
            if closed:
                continue
        yield _ward(miner, foe, retreat)
    return False


def _is_creeper_near(foe: Threat) -> bool:
    """Return whether a monster is a creeper near enough to hurt the player."""
    return foe.kind == "creeper" and foe.far <= SAFE_FROM_CREEPER


def _ward(miner: Miner, foe: Threat, retreat: tuple[float, float] | None) -> Action:
    """Return the action against a creeper: strike when that is safe, else walk away."""
    hissing = foe.fuse > 0 or (foe.flat < HISSES + 1.0 and not is_charged(miner))
    other = next((one for one in threats(miner) if one.kind != "creeper"), None)
    if other is not None and other.far < BRAWL and (not hissing or is_charged(miner)):
        return _blow(miner, other)
    action = miner.fresh()
    hits = aim_at(miner.worlds, miner.row, foe.row, action)
    pressed = bool(miner.worlds.fauna[miner.row]["pressed"])
    if hits and not pressed and (is_charged(miner) or (foe.fuse > 0 and retreat is None)):
        action[ATTACK] = 1
    if retreat is not None and hissing:
        walk_off(miner, *retreat, action)
    return action


def _way_off(miner: Miner, near: list[Threat]) -> tuple[float, float] | None:
    """Return the direction that leads farthest from all given monsters, None if none leads away.

    A direction counts only if it has room for `_ROOM` steps.
    """
    best, farthest = None, min(foe.flat for foe in near)
    for number in range(_WAYS):
        angle = number * 2 * np.pi / _WAYS
        dx, dz = float(np.cos(angle)), float(np.sin(angle))
        left = min(float(np.hypot(foe.dx - _ROOM * dx, foe.dz - _ROOM * dz)) for foe in near)
        if left > farthest and _has_room(miner, dx, dz, _ROOM):
            best, farthest = (dx, dz), left
    return best


def _silence(miner: Miner, foe: Threat) -> Steps:
    """Run at an archer if a short walk leads there and no other monster is near; else hide from it.

    Returns:
        Whether the player could run, hide or step aside.
    """
    if foe.drawn >= DODGE_FROM and (yield from _dodge(miner, foe)):
        return True
    alone = monsters_near(miner.worlds, miner.row, miner.scratch.foes) == 1
    if alone and float(miner.player["health"]) >= STEADY:
        player = miner.player
        goal = np.array(
            [(player["x"] + foe.dx, player["y"] + foe.dy, player["z"] + foe.dz, 0.0)], np.float64
        )
        reach = miner.search(goal, TOUCH_DROP, ON_FOOT, CHASE_BUDGET, shy=False)
        if reach == FOUND and _is_quick(miner):
            yield from take_weapon(miner)
            yield from _run_at(miner)
            return True
    way = (foe.dx, foe.dy, foe.dz)
    if len(openings_towards(miner, way)) > SOON_CLOSED and (yield from take_cover(miner)):
        return True
    done = yield from screen_off(miner, way)
    return done


def _dodge(miner: Miner, foe: Threat) -> Steps:
    """Step aside until an archer's arrow has flown past; return False if there is no room."""
    for tick in range(DODGE):
        found = [other for other in threats(miner) if other.row == foe.row]
        action = miner.fresh()
        if not found or not sidestep(miner, found[0], action):
            return tick > 0
        if tick > 2 and 2 < found[0].drawn < DODGE_FROM:
            return True
        yield action
    return True


def _is_quick(miner: Miner) -> bool:
    """Return whether the path in `miner.path` is short and needs only steps, no digging."""
    length = int(miner.answer[1])
    steps = miner.path[1:length].tolist()
    return length <= LONGEST_CHARGE and all(
        kind in (STEP_LEVEL, STEP_UP, STEP_DOWN)
        and is_open(miner, (x, y, z))
        and is_open(miner, (x, y + 1, z))
        for x, y, z, kind in steps
    )


def _run_at(miner: Miner) -> Steps:
    """Follow the path in `miner.path` for `_ROUND` ticks, or until a monster is near."""
    steps = follow_path(miner)
    for _ in range(_ROUND):
        if any(foe.far < NEAR_ARCHER for foe in threats(miner)):
            return True
        try:
            action = next(steps)
        except StopIteration:
            return True
        yield action
    return True
