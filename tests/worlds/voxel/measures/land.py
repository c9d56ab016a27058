"""Measures of containers, beds, fields and fire; see `acting`."""

import numpy as np

from optimus_gym.game.blocks import block as block_named
from optimus_gym.game.items import item as item_named
from optimus_gym.worlds.voxel.blocks.crops import dry_farmland, grow_crop, trample
from optimus_gym.worlds.voxel.blocks.fire import light_fire
from optimus_gym.worlds.voxel.blocks.loot import drop_loot
from optimus_gym.worlds.voxel.land.light import BLOCK_SHIFT
from optimus_gym.worlds.voxel.tables.properties import FLAMMABLE, IGNITES, MAX_AGE
from tests.worlds.flat import FEET, Flat, stock
from tests.worlds.voxel.measures.acting import measure
from tests.worlds.voxel.measures.measuring import ticks_until
from tests.worlds.voxel.using.test_beds import chamber, lies

TRIALS = 300
FIELD = (5, FEET - 1, 5)


@measure
def store_slots(store):
    """Return how many stacks come out of a container that is full."""
    flat = Flat()
    flat.put(0, FEET + 1, 2, store)
    stock(flat.worlds, 0, FEET + 1, 2)
    flat.worlds.stored[0, 0] = (item_named("wooden_sword").id, 1, 0)
    for count in range(100):
        flat.worlds.slots[0] = (0, 0, 0)
        flat.tick(use=1)
        flat.tick(4)
        if not flat.held():
            return count
    return None


@measure
def sleeps(time, weather):
    """Return whether a player that uses a bed lies down."""
    return int(can_sleep(wet_chamber(weather), time))


def wet_chamber(weather):
    """Return a room with a bed, in some weather."""
    flat = chamber()
    sky = flat.worlds.skies[0]
    sky["raining"] = sky["rain"] = weather != "clear"
    sky["thundering"] = sky["thunder"] = weather == "thunder"
    return flat


def can_sleep(flat, time):
    """Return whether the player lies down on the bed ahead at a time of day."""
    flat.worlds.sleeps["ticks"] = 0
    flat.worlds.skies["time"] = time
    flat.set(x=0.5, y=FEET, z=0.5, use_wait=0)
    flat.tick(use=1)
    return lies(flat)


@measure
def sleep_begins(weather):
    """Return the first time of day, near the published one, at which the player can sleep."""
    flat = wet_chamber(weather)
    return next(time for time in range(12_000, 12_560) if can_sleep(flat, time))


@measure
def sleep_ends(weather):
    """Return the last time of day at which the player can sleep."""
    flat = wet_chamber(weather)
    return next(time for time in range(23_999, 23_400, -1) if can_sleep(flat, time))


@measure
def sleep_ticks():
    flat = chamber()
    flat.tick(use=1)
    return 1 + ticks_until(flat, lambda: not lies(flat))


@measure
def bucket_stack():
    return item_named("bucket").stack_size


@measure
def farmland_drinks(away, up=0):
    """Return how wet farmland is after a turn near water."""
    flat = Flat()
    x, y, z = FIELD
    flat.put(*FIELD, "farmland")
    flat.put(x, y + 1, z, "wheat")
    flat.put(x + away, y + up, z, "water")
    dry_farmland(flat.worlds, 0, x, y, z, flat.voxel_at(*FIELD))
    return flat.state_at(*FIELD)


@measure
def trampled(fall):
    flat = Flat()
    trodden = 0
    for _ in range(TRIALS):
        flat.put(0, FEET - 1, 0, "farmland")
        flat.set(fall=fall, on_ground=1, noted=0)
        trample(flat.worlds, 0)
        trodden += flat.at(0, FEET - 1, 0) == "dirt"
    return trodden / TRIALS


@measure
def crop_stages(crop):
    return int(MAX_AGE[block_named(crop).id]) + 1


@measure
def crop_grows(crop, light):
    """Return whether a crop in a torch's light of some level ever gets older."""
    flat = Flat()
    x, y, z = FIELD
    flat.put(*FIELD, "farmland", 7)
    flat.put(x, y + 1, z, crop)
    flat.worlds.field[0, x, z, y + 1] = np.uint32(light << BLOCK_SHIFT)
    for _ in range(TRIALS):
        grow_crop(flat.worlds, 0, x, y + 1, z, flat.voxel_at(x, y + 1, z))
    return int(flat.state_at(x, y + 1, z) > 0)


@measure
def bone_meal_stages(crop):
    """Return the fewest and the most stages that one piece gives."""
    flat = Flat()
    flat.put(0, FEET - 1, 1, "farmland")
    flat.set(pitch=55.0)
    seen = set()
    for _ in range(60):
        flat.give(0, "bone_meal", 2)
        flat.put(0, FEET, 1, crop)
        flat.tick(2)
        flat.tick(use=1)
        flat.tick(4)
        seen.add(flat.state_at(0, FEET, 1))
    return [min(seen), max(seen)]


@measure
def crop_drops(age, item):
    flat = Flat()
    voxel = block_named("wheat").id | age << 10
    total = 0
    for _ in range(TRIALS):
        flat.worlds.drops["item"] = flat.worlds.drops["count"] = 0
        drop_loot(flat.worlds, 0, 5, FEET, 5, voxel, 0)
        total += flat.lying().get(item, 0)
    return total / TRIALS


@measure
def fire_waits():
    """Return the fewest and the most ticks until a fire's first turn."""
    flat = Flat()
    for k in range(TRIALS):
        flat.set(noted=0)
        light_fire(flat.worlds, 0, k % 20, FEET + k // 20, 8, 0)
    due = flat.worlds.scheduled["due"][0, : flat.scheduled] - flat.worlds.players["tick"][0]
    return [int(due.min()), int(due.max())]


@measure
def fire_odds(block):
    number = block_named(block).id
    return [int(IGNITES[number]), int(FLAMMABLE[number])]
