"""The scripts of craft, smelt and equip sub-goals by mouse, in any world with the power "mouse".

After each deed the script looks at what is held: a screen that a blow closed, a full inventory or a lost item
shows there, and the script begins again or ends with the reason.
"""

from collections.abc import Mapping

from optimus_gym.controllers.helper.functions import (
    is_on,
    smelting_inputs,
    why_not_crafted,
    why_not_smelted,
)
from optimus_gym.controllers.helper.mouse.benches import open_bench
from optimus_gym.controllers.helper.mouse.laying import Laying, laying_for
from optimus_gym.controllers.helper.mouse.pointing import ByMouse, Pocket
from optimus_gym.controllers.script import Script, Steps
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.equipment import EQUIPMENT_PLACES, equipment_place
from optimus_gym.game.items import items
from optimus_gym.game.makings import makings_for
from optimus_gym.game.screens import (
    FUEL_PLACE,
    INPUT_PLACE,
    OUTPUT_PLACE,
    RESULT_PLACE,
    GameScreen,
    game_screen,
)
from optimus_gym.game.smelting import OVENS, SMELTING_TICKS, fuel_preference, fuels, ovens_for

_TRIES = 5
"""Number of tries in a row without effect after which a script gives up."""
_LATE = 100
"""Ticks beyond the smelting time after which the script looks what lies in the oven."""
_WORN = {"offhand": 40, "feet": 36, "legs": 37, "chest": 38, "head": 39}
"""Place in the inventory screen of each worn item."""
_AT_ONCE = 2
"""Number of cooked pieces for which the script waits before it takes them out."""
_FULL_STACK = 64
_NO_ROOM = "no room in the inventory"


def craft_by_mouse(hands: ByMouse, subgoal: SubGoal) -> Script:
    """Craft until `subgoal.count` more pieces of the sub-goal's items are held."""
    if not any(makings_for(kind) for kind in subgoal.kinds):
        return Failure("missing_item", subgoal.item, subgoal.count, "no recipe makes it")
    goal = hands.count(subgoal.kinds) + subgoal.count
    idle = 0
    yield from hands.close()
    while (left := goal - hands.count(subgoal.kinds)) > 0:
        if not hands.alive():
            return Failure("died", subgoal.item, left)
        held, near = hands.counts(), hands.stations()
        laying = laying_for(subgoal.kinds, left, held, near)
        if laying is None:
            return why_not_crafted(subgoal.kinds, left, held, near)
        if idle >= _TRIES:
            return Failure("stuck", laying.product, left, _why_stuck(hands, laying))
        before = hands.count(subgoal.kinds)
        yield from _make(hands, laying)
        yield from hands.leave()
        idle = idle + 1 if hands.count(subgoal.kinds) <= before else 0
    return None


def _why_stuck(hands: ByMouse, laying: Laying) -> str:
    if not hands.empty_pockets():
        return _NO_ROOM
    return f"the screen of the {laying.screen.name} does not open or closes"


def _make(hands: ByMouse, laying: Laying) -> Steps:
    """Open the screen, lay the recipe out, and take the product; return False if that was interrupted."""
    if not (yield from open_bench(hands, laying.screen)):
        return False
    for name in dict.fromkeys(laying.cells.values()):
        if not (yield from _lay(hands, laying, name)):
            return False
    if laying.button is not None and not (yield from hands.click(laying.button)):
        return False
    return (yield from _take_product(hands, laying))


def _lay(hands: ByMouse, laying: Laying, name: str) -> Steps:
    """Put the pieces of one item into its places; put what is left back into its pocket.

    A whole stack goes into the only place, which is quicker, if its rest finds a pocket at the closing.
    """
    places = laying.places_of(name)
    source = 0
    for place in places:
        missing = laying.batches
        while missing > 0:
            if hands.carried == 0:
                pocket = _largest(hands, name)
                if pocket is None or not (yield from _pick_up(hands, laying.screen, pocket)):
                    return False
                source = pocket.slot
            spare = len(places) == 1 and len(hands.empty_pockets()) > 1
            whole = hands.carried == missing or (hands.carried > missing and spare)
            if not (yield from hands.click(laying.screen.slot(place).middle, right=not whole)):
                return False
            missing, hands.carried = (0, 0) if whole else (missing - 1, hands.carried - 1)
    return (yield from _put_back(hands, laying.screen, source))


def _pick_up(hands: ByMouse, screen: GameScreen, pocket: Pocket) -> Steps:
    """Pick up the stack in a pocket."""
    hands.carried = pocket.count
    return (yield from hands.click(screen.slot(pocket.slot).middle))


def _put_back(hands: ByMouse, screen: GameScreen, slot: int) -> Steps:
    """Put the pieces at the cursor, if there are any, back into the pocket from which they came."""
    if hands.carried and not (yield from hands.click(screen.slot(slot).middle)):
        return False
    hands.carried = 0
    return True


def _largest(hands: ByMouse, name: str) -> Pocket | None:
    """Return the pocket with the most pieces of an item, None if there is none."""
    mine = [pocket for pocket in hands.pockets() if pocket.name == name]
    return max(mine, key=lambda pocket: pocket.count, default=None)


def _take_product(hands: ByMouse, laying: Laying) -> Steps:
    """Take the product of all batches out of the result slot, and put it into pockets."""
    most = items()[laying.product].stack_size
    for _ in range(laying.batches):
        if hands.carried + laying.count > most and not (
            yield from _put_down(hands, laying.screen, laying.product)
        ):
            return False
        if _pocket_for(hands, laying.product) is None:
            return False
        if not (yield from hands.click(laying.screen.slot(RESULT_PLACE).middle)):
            return False
        hands.carried += laying.count
    return (yield from _put_down(hands, laying.screen, laying.product))


def _put_down(hands: ByMouse, screen: GameScreen, name: str) -> Steps:
    """Put the pieces at the cursor into pockets; return False if they do not fit or the screen closes."""
    most = items()[name].stack_size
    while hands.carried > 0:
        slot = _pocket_for(hands, name)
        if slot is None:
            return False
        there = sum(pocket.count for pocket in hands.pockets() if pocket.slot == slot)
        if not (yield from hands.click(screen.slot(slot).middle)):
            return False
        hands.carried -= min(hands.carried, most - there)
    return True


def _pocket_for(hands: ByMouse, name: str) -> int | None:
    """Return the slot of the first pocket with room for an item: one that holds it, else an empty one."""
    most = items()[name].stack_size
    for pocket in hands.pockets():
        if pocket.name == name and pocket.count < most:
            return pocket.slot
    return next(iter(hands.empty_pockets()), None)


def smelt_by_mouse(hands: ByMouse, subgoal: SubGoal) -> Script:
    """Smelt until `subgoal.count` more pieces of the sub-goal's item are held."""
    product, inputs = subgoal.item, smelting_inputs(subgoal.item)
    if not inputs:
        return Failure("missing_item", product, subgoal.count, "no smelting recipe makes it")
    goal = hands.count([product]) + subgoal.count
    idle = 0
    yield from hands.close()
    while (left := goal - hands.count([product])) > 0:
        if not hands.alive():
            return Failure("died", product, left)
        oven = next((name for name in ovens_for(product) if name in hands.stations()), None)
        if oven is None or idle >= _TRIES:
            return why_not_smelted(hands, product, inputs, left)
        before = hands.count([product]), hands.count(inputs)
        yield from _cook(hands, oven, product, inputs, left)
        yield from hands.leave()
        after = hands.count([product]), hands.count(inputs)
        idle = idle + 1 if after[0] <= before[0] else 0
        if after == before and not _can_fire(hands, inputs):
            return why_not_smelted(hands, product, inputs, left)
    return None


def _can_fire(hands: ByMouse, inputs: tuple[str, ...]) -> bool:
    """Return whether something to smelt and some fuel are held."""
    return hands.count(inputs) > 0 and any(name in fuels() for name in hands.counts())


def _cook(hands: ByMouse, oven: str, product: str, inputs: tuple[str, ...], left: int) -> Steps:
    """Empty the oven, fill it, wait with its screen open, and take the product out."""
    screen = game_screen(oven)
    if not (yield from open_bench(hands, screen)):
        return False
    for place in (OUTPUT_PLACE, INPUT_PLACE, FUEL_PLACE):
        if not (yield from hands.click(screen.slot(place).middle, shift=True)):
            return False
    held = hands.counts()
    name = max(inputs, key=lambda kind: held.get(kind, 0))
    count = min(left, held.get(name, 0), _FULL_STACK)
    fuel, pieces, count = _fuel_for({**held, name: held.get(name, 0) - count}, count)
    if count == 0 or not (yield from _fill(hands, screen, FUEL_PLACE, fuel, pieces)):
        return False
    ticks = SMELTING_TICKS // next(one.speed for one in OVENS if one.name == oven)
    while count > 0:
        part = min(count, items()[name].stack_size)
        if not (yield from _fill(hands, screen, INPUT_PLACE, name, part)):
            return False
        if not (yield from _await_product(hands, screen, product, part, ticks)):
            return False
        count -= part
    return True


def _fuel_for(held: Mapping[str, int], count: int) -> tuple[str, int, int]:
    """Return the fuel, its pieces, and how many items it cooks: the first that suffices, else the hottest."""
    best = ("", 0, 0)
    for name in fuel_preference():
        have = held.get(name, 0)
        if have <= 0:
            continue
        need = -(-count * SMELTING_TICKS // fuels()[name])
        pieces = min(need, have, items()[name].stack_size)
        cooked = min(count, pieces * fuels()[name] // SMELTING_TICKS)
        if cooked == count:
            return name, pieces, count
        if cooked > best[2]:
            best = name, pieces, cooked
    return best


def _fill(hands: ByMouse, screen: GameScreen, place: int, name: str, count: int) -> Steps:
    """Put some pieces of an item into a place of an oven; put what is left back into its pocket."""
    missing = count
    while missing > 0:
        pocket = _largest(hands, name)
        if pocket is None or not (yield from _pick_up(hands, screen, pocket)):
            return False
        whole = pocket.count <= missing
        for _ in range(1 if whole else missing):
            if not (yield from hands.click(screen.slot(place).middle, right=not whole)):
                return False
        hands.carried -= min(missing, hands.carried)
        missing -= min(missing, pocket.count)
        if not (yield from _put_back(hands, screen, pocket.slot)):
            return False
    return True


def _await_product(
    hands: ByMouse, screen: GameScreen, product: str, count: int, ticks: int
) -> Steps:
    """Wait until an oven has cooked `count` pieces, and take them out by twos; wait longer if some are late.

    The products come into the pockets early, so that an agent that watches sees that the work goes on.
    """
    goal = hands.count([product]) + count
    patience = ticks * count + _LATE
    while (left := goal - hands.count([product])) > 0 and patience > 0:
        wait = min(left, _AT_ONCE) * ticks if patience > _LATE else _LATE
        patience -= wait
        for _ in range(wait):
            yield hands.fresh()
            if hands.screen() == 0:
                return False
        if not (yield from hands.click(screen.slot(OUTPUT_PLACE).middle, shift=True)):
            return False
    return hands.count([product]) >= goal


def equip_by_mouse(hands: ByMouse, subgoal: SubGoal) -> Script:
    """Take one of the sub-goal's items in hand, or wear it if it is armour or a shield."""
    yield from hands.close()
    for _ in range(_TRIES):
        if is_on(hands, subgoal.kinds):
            return None
        name = next((kind for kind in subgoal.kinds if hands.count([kind])), None)
        if name is None:
            return Failure("missing_item", subgoal.item, 1, "not held")
        if equipment_place(name) == 0:
            yield from hands.hold(name)
        else:
            yield from _wear(hands, name)
            yield from hands.close()
    if is_on(hands, subgoal.kinds):
        return None
    return Failure("stuck", subgoal.item, 1, "cannot be taken in hand")


def _wear(hands: ByMouse, name: str) -> Steps:
    """Put on a piece of armour or a shield by shift-click; swap it with a worn piece by two clicks."""
    screen = game_screen("inventory")
    pocket = _largest(hands, name)
    if pocket is None or not (yield from hands.open_inventory()):
        return False
    point = screen.slot(pocket.slot).middle
    if not (yield from hands.click(point, shift=True)):
        return False
    if is_on(hands, (name,)):
        return True
    where = next(iter(p.slot for p in hands.pockets() if p.name == name), None)
    if where is None:
        return False
    point = screen.slot(where).middle
    for target in (
        point,
        screen.slot(_WORN[EQUIPMENT_PLACES[equipment_place(name)]]).middle,
        point,
    ):
        if not (yield from hands.click(target)):
            return False
    return True
