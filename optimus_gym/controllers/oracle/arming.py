"""Making a stone sword before mining, in worlds with monsters, from one log and two cobblestones.

A stone sword deals 5 half-hearts every 12.5 ticks, a stone pickaxe 3 every 16.7 (Minecraft Wiki,
"Damage"), so fights with the sword last half as long.
"""

from optimus_gym.controllers.helper.functions import craft_by_function
from optimus_gym.controllers.helper.putting import place
from optimus_gym.controllers.oracle.gathering import Errand, gather, lacking_tool, mine
from optimus_gym.controllers.oracle.miner import Miner
from optimus_gym.controllers.oracle.packing_up import take_up_stations
from optimus_gym.controllers.script import Script, Steps
from optimus_gym.core.types import SubGoal
from optimus_gym.game.sources import CRAFTING_TABLE

_SWORD = "stone_sword"
_STONE = "cobblestone"
_LOGS = tuple(f"{wood}_log" for wood in ("oak", "birch", "spruce", "jungle", "acacia", "dark_oak"))
_LONGEST_ERRAND = 500
"""Maximum ticks for fetching one ingredient of the sword."""
_MOST_TROUBLES = 3


def armed_mine(miner: Miner, subgoal: SubGoal) -> Script:
    """Carry out a mine sub-goal; in a world with monsters, first make a sword if none is held."""
    if _is_needed(miner) and lacking_tool(miner, subgoal) is None:
        if _STONE in subgoal.kinds:
            yield from take_up_stations(miner)
            yield from _fetch(miner, _LOGS, 1)
        elif not set(subgoal.kinds) & set(_LOGS) and "stone_pickaxe" in miner.tools():
            yield from _make_sword(miner)
    outcome = yield from mine(miner, subgoal)
    return outcome


def _is_needed(miner: Miner) -> bool:
    """Return whether the world has monsters and the player holds no sword."""
    rules = miner.worlds.rules[miner.row]
    lively = bool(rules["creatures"]) and int(rules["difficulty"]) > 0
    return lively and not any(name.endswith("_sword") for name in miner.tools())


def _fetch(miner: Miner, kinds: tuple[str, ...], count: int) -> Steps:
    """Gather `count` more of the items `kinds`; return False if that takes too long or fails too often."""
    errand = Errand(miner, SubGoal("mine", kinds[0], count, kinds))
    until = miner.tick() + _LONGEST_ERRAND
    while errand.missing() > 0:
        before = miner.tick()
        done = yield from gather(errand)
        errand.troubles += not done
        if miner.tick() == before:
            yield miner.fresh()
        if miner.tick() > until or errand.troubles > _MOST_TROUBLES:
            return False
    return True


def _make_sword(miner: Miner) -> Steps:
    """Make a stone sword from a held log and two cobblestones; return False if something is missing."""
    log = next((name for name in _LOGS if miner.count([name])), None)
    if log is None:
        return False
    yield from take_up_stations(miner)
    if not miner.count([CRAFTING_TABLE]) or not (yield from _fetch(miner, (_STONE,), 2)):
        return False
    if CRAFTING_TABLE not in miner.stations():
        yield from place(miner, SubGoal("place", CRAFTING_TABLE))
    planks = log.replace("_log", "_planks")
    for name, count in ((planks, 4), ("stick", 4), (_SWORD, 1)):
        failure = yield from craft_by_function(miner, SubGoal("craft", name, count))
        if failure is not None:
            return False
    return True
