"""Food: eat held food, and get meat from animals near by.

Reference: Minecraft Wiki, "Hunger" (wounds heal from food 18 on), "Food".
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.oracle.collecting import collect, lying
from optimus_gym.controllers.oracle.fighting import is_charged, take_weapon
from optimus_gym.controllers.oracle.goals import TOUCH_DROP
from optimus_gym.controllers.oracle.miner import ON_FOOT, Miner
from optimus_gym.controllers.oracle.path_search import FOUND
from optimus_gym.controllers.oracle.travel import follow_path
from optimus_gym.controllers.provisions import HEALS_FROM, is_bad, provisions
from optimus_gym.controllers.script import Steps
from optimus_gym.controllers.threats import aim_at, threats
from optimus_gym.core.actions import ATTACK, USE
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.foods import Food, foods
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.population import distance2
from optimus_gym.worlds.voxel.state.worlds import Worlds

_FULL = 20
"""The highest food level."""
HUNGRY = 14
"""Food level at or below which the player eats."""
STARVING = 6
"""Food level at or below which the player eats harmful food, too."""
WOUNDED = 16.0
"""Health (half-hearts) at or below which the player eats to heal."""
PROVISION = 12
"""Food points of the held food that the player wants before it goes underground."""
BY_THE_WAY = 32.0
"""Greatest distance (blocks) of an animal for a player with other work to hunt it."""
_FAR = 40.0
"""Blocks within which a hungry player hunts animals."""
_LEVEL = 8.0
"""Greatest height difference (blocks) of an animal for a player with other work to hunt it."""
HUNT_BUDGET = 6_000
_PAUSE = 200
"""Ticks between two searches for animals."""
LONG_PAUSE = 2400
"""Ticks from a failed hunt to the next search for animals."""
LONGEST_HUNT = 500
_MOST_DROPS = 8
"""Maximum number of trips to pick up drops after a hunt."""
_ROUND = 24
"""Maximum number of ticks of striking before the player looks for the animal again."""
_ASTRAY = 4.0
"""Distance in blocks that an animal may move before the player searches a new path to the animal."""
STRIKING = 2.6
"""Distance in blocks within which the player strikes at an animal instead of walking on."""
NO_ANIMAL = -1


@cache
def meats() -> dict[int, tuple[str, ...]]:
    """Return the foods that each kind of animal drops, by the kind's number."""
    table = {}
    for number, kind in enumerate(creature_kinds().values()):
        left = tuple(drop.item for drop in kind.loot if drop.item in foods())
        if kind.kind == "animal" and left:
            table[number] = left
    return table


def stock(miner: Miner) -> int:
    """Return the food points of all harmless food in the inventory."""
    held = miner.counts()
    return sum(held[food.item] * food.points for food in provisions(miner) if not is_bad(food))


def meal(miner: Miner) -> Food | None:
    """Return the held food that the player should eat now, None if it need not or cannot eat."""
    player = miner.player
    food = float(player["food"])
    wounded = float(player["health"]) <= WOUNDED and food < _FULL
    if food > HUNGRY and not wounded:
        return None
    for choice in provisions(miner):
        if is_bad(choice) and food > STARVING and not (wounded and food < HEALS_FROM):
            continue
        return choice
    return None


def eat_meal(miner: Miner, food: Food) -> Steps:
    """Eat one piece of a food, unless a monster comes."""
    yield from miner.hold(food.item)
    before = miner.count([food.item])
    for _ in range(2 * food.ticks):
        if miner.count([food.item]) < before:
            return True
        if miner.hand() != food.item or threats(miner):
            return False
        action = miner.fresh()
        action[USE] = 1
        yield action
    return False


def forage(miner: Miner) -> Steps:
    """Hunt an animal near by if the player needs food; return False if no animal was killed."""
    food, held = float(miner.player["food"]), stock(miner)
    pale = float(miner.player["health"]) <= WOUNDED and food < HEALS_FROM
    needy = held == 0 and (pale or food < HUNGRY)
    provident = held < PROVISION and any(name.startswith("stone_") for name in miner.tools())
    if not needy and not provident:
        return False
    reach, rise = (_FAR, _FAR) if needy else (BY_THE_WAY, _LEVEL)
    if miner.tick() < miner.hunts_again:
        return False
    miner.hunts_again = miner.tick() + _PAUSE
    prey = nearest_animal(miner.worlds, miner.row, edible(), reach, rise)
    if prey == NO_ANIMAL:
        return False
    kind = int(miner.worlds.creatures[miner.row, prey]["kind"])
    done = yield from hunt(miner, kind, meats()[kind])
    miner.hunts_again = miner.tick() + (_PAUSE if done else LONG_PAUSE)
    return done


def hunt(miner: Miner, kind: int, left: tuple[str, ...]) -> Steps:
    """Run after a creature of a kind, kill it and pick up its drops, the items `left`."""
    yield from take_weapon(miner)
    begun = miner.tick()
    while miner.tick() < begun + LONGEST_HUNT:
        prey = nearest_animal(miner.worlds, miner.row, _only(kind), _FAR, _FAR)
        if prey == NO_ANIMAL:
            return False
        c, p = miner.worlds.creatures[miner.row, prey], miner.player
        if (
            np.hypot(c["x"] - p["x"], c["z"] - p["z"]) < STRIKING
            and abs(c["y"] - p["y"]) < STRIKING
        ):
            yield from _strike(miner, prey)
        elif not (yield from _approach(miner, prey)):
            return False
        if lying(miner, left, set()):
            yield from _pick_up(miner, left)
            return True
    return False


def _pick_up(miner: Miner, kinds: tuple[str, ...]) -> Steps:
    """Pick up dropped items of the given kinds near the player; return True."""
    ignored: set[tuple[int, int]] = set()
    for _ in range(_MOST_DROPS):
        drops = lying(miner, kinds, ignored)
        if not drops:
            break
        yield from collect(miner, drops, ignored)
    return True


def _approach(miner: Miner, prey: int) -> Steps:
    """Walk towards an animal until it is near or has moved off; return False if there is no way."""
    c = miner.worlds.creatures[miner.row, prey]
    x, y, z = float(c["x"]), float(c["y"]), float(c["z"])
    goal = np.array([(x, y, z, 0.0)])
    if miner.search(goal, TOUCH_DROP, ON_FOOT, HUNT_BUDGET) != FOUND:
        return False
    steps = follow_path(miner)
    for tick in range(LONGEST_HUNT):
        c, p = miner.worlds.creatures[miner.row, prey], miner.player
        near = np.hypot(c["x"] - p["x"], c["z"] - p["z"]) < STRIKING
        if tick > 0 and (near or np.hypot(c["x"] - x, c["z"] - z) > _ASTRAY):
            return True
        try:
            action = next(steps)
        except StopIteration as end:
            arrived: bool = end.value
            return arrived and tick > 0
        yield action
    return False


def _strike(miner: Miner, prey: int) -> Steps:
    """Strike at an animal for `_ROUND` ticks; return whether it is dead or gone."""
    for _ in range(_ROUND):
        c = miner.worlds.creatures[miner.row, prey]
        if c["health"] <= 0.0 or prey >= miner.worlds.fauna["creatures"][miner.row]:
            yield miner.fresh()
            return True
        action = miner.fresh()
        hits = aim_at(miner.worlds, miner.row, prey, action)
        if hits and is_charged(miner) and not miner.worlds.fauna[miner.row]["pressed"]:
            action[ATTACK] = 1
        yield action
    return False


@cache
def edible() -> NDArray[np.bool_]:
    """Return whether each kind of creature drops food (a read-only array by the kind's number)."""
    table = np.zeros(len(creature_kinds()), np.bool_)
    table[list(meats())] = True
    return table


@cache
def _only(kind: int) -> NDArray[np.bool_]:
    """Return a read-only array that is True at one kind of creature only."""
    table: NDArray[np.bool_] = np.arange(len(creature_kinds())) == kind
    return table


@kernel
def nearest_animal(
    worlds: Worlds, i: int, kinds: NDArray[np.bool_], reach: float, rise: float
) -> int:
    """Return the index of the nearest living creature of the given kinds, -1 if there is none.

    Only creatures within `reach` blocks and at most `rise` blocks higher or lower count.
    """
    best, found = reach * reach, NO_ANIMAL
    for k in range(worlds.fauna[i].creatures):
        c = worlds.creatures[i, k]
        if kinds[c.kind] and c.health > 0.0 and abs(c.y - worlds.players[i].y) <= rise:
            far2 = distance2(worlds, i, c.x, c.y, c.z)
            if far2 < best:
                best, found = far2, k
    return found
