"""Measures of the blocks that act, one for each check of data/published_blocks.json; see `measuring`.

Ovens and benches.
"""

from optimus_gym.game.items import item as item_named
from optimus_gym.worlds.voxel.land.light_traits import TRAIT_MASK, TRAITS
from tests.worlds.flat import FEET, Flat
from tests.worlds.voxel.measures.measuring import Measure, ticks_until

ACTING_MEASURES: dict[str, Measure] = {}
PLACE = (3, FEET, 3)


def measure(made: Measure) -> Measure:
    """Register a measure of acting blocks under its name."""
    ACTING_MEASURES[made.__name__] = made
    return made


def kitchen(oven: str, **stacks: int) -> Flat:
    """Return a world with a block near the player, who holds some items."""
    flat = Flat()
    flat.put(*PLACE, oven)
    for k, (name, number) in enumerate(stacks.items()):
        flat.give(k, name, number)
    return flat


@measure
def oven_ticks(oven, item, product):
    """Return the ticks from the call to the item in the hands."""
    flat = kitchen(oven, **{item: 1, "coal": 1})
    flat.tick(smelt=product)
    return 1 + ticks_until(flat, lambda: product in flat.held())


@measure
def oven_takes(oven, item, product):
    flat = kitchen(oven, **{item: 1, "coal": 1})
    flat.tick(smelt=product)
    return int(item not in flat.held())


@measure
def oven_burns(oven, item, fuel):
    """Return the ticks for which an oven with one piece of fuel shows fire."""
    flat = kitchen(oven)
    row = flat.worlds.furnaces[0, 0]
    row["used"], row["x"], row["y"], row["z"] = 1, *PLACE
    row["input"] = (item_named(item).id, 64, 0)
    row["fuel"] = (item_named(fuel).id, 1, 0)
    flat.tick()
    assert flat.state_at(*PLACE) & 1
    return ticks_until(flat, lambda: not flat.state_at(*PLACE) & 1)


@measure
def oven_light(oven):
    """Return the light that an oven gives once something cooks in it."""
    product, item = ("cooked_beef", "beef") if oven == "smoker" else ("iron_ingot", "iron_ore")
    flat = kitchen(oven, **{item: 1, "coal": 1})
    assert not TRAITS[flat.voxel_at(*PLACE) & TRAIT_MASK] & 15
    flat.tick(2, smelt=product)
    return int(TRAITS[flat.voxel_at(*PLACE) & TRAIT_MASK] & 15)


@measure
def made_at(**given):
    """Return how many pieces one call makes with a station in reach."""
    flat = kitchen(given["station"] or "air", **given["from"])
    flat.tick(craft=given["product"])
    return flat.held().get(given["product"], 0)


@measure
def wear_kept(item, addition, product, wear):
    flat = kitchen("smithing_table", **{addition: 1})
    flat.give(5, item, 1, wear)
    flat.tick(craft=product)
    return next(flat.slot(k)[2] for k in range(9) if flat.slot(k)[0] == product)
