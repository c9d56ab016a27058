"""Measures of creatures, one for each check of data/published_creatures.json; see `measuring`.

Bodies, motion, senses and what the land does to them.
"""

import numpy as np

from optimus_gym.worlds.voxel.creatures.harm import hurt_creature
from optimus_gym.worlds.voxel.creatures.kinds import CHASES, STROLLS
from optimus_gym.worlds.voxel.creatures.population import box_of
from optimus_gym.worlds.voxel.terrain.biomes import biome_index
from tests.worlds.flat import FEET
from tests.worlds.voxel.measures.measuring import Measure, fill
from tests.worlds.voxel.pen import NOON, Pen

CREATURE_MEASURES: dict[str, Measure] = {}
FRICTION, INPUT = 0.6 * 0.91, 0.98
STROLLS_AT = {"rabbit": 0.6, "creeper": 0.8, "spider": 0.8}
"""Factor on the speed of a strolling creature, by kind; other kinds stroll at full speed."""


def measure(made: Measure) -> Measure:
    """Register a measure of creatures under its name."""
    CREATURE_MEASURES[made.__name__] = made
    return made


@measure
def health(kind):
    return Pen().add(kind)["health"][0]


@measure
def size(kind):
    pen = Pen()
    pen.add(kind, 0, 0)
    x0, y0, _, x1, y1, _ = box_of(pen.worlds, 0, 0)
    return [x1 - x0, y1 - y0]


@measure
def speed_attribute(kind):
    """Return the speed attribute that follows from a creature's walk (see `motion`)."""
    pen = Pen()
    row = pen.add(kind, -40, 8.5, mood=STROLLS, steps=1, step_x=1000, step_y=FEET, step_z=8)
    pen.tick(60)
    before = row["x"][0]
    pen.tick(20)
    speed = (row["x"][0] - before) / 20
    return np.sqrt(speed * (1 - FRICTION) / INPUT) / STROLLS_AT.get(kind, 1.0)


@measure
def follow_range(kind):
    farthest = 0.0
    for far in np.arange(10, 40, 0.5):
        pen = Pen(seed=int(far * 2))
        row = pen.add(kind, 0.5 + far, 0.5)
        for _ in range(160):
            pen.pinned(row)
            if row["mood"] == CHASES:
                farthest = far
                break
    return farthest


@measure
def spider_attacks(light):
    pen = Pen()
    row = pen.add("spider", 0.5, 6.5)
    pen.pinned(row)
    width = pen.worlds.field.shape[1]
    for dx in (-1, 0, 1):
        column = pen.worlds.field[0, dx % width, 6]
        column[:] = column & ~np.uint32(15 << 24) | np.uint32(light << 24)
    pen.pinned(row, 160)
    return bool(row["mood"] == CHASES)


@measure
def burn_period(kind):
    pen = Pen()
    row = pen.add(kind, 8.5, 8.5, fire=500)
    hurts = []
    for tick in range(100):
        before = row["health"][0]
        pen.tick()
        if row["health"][0] < before:
            hurts.append(tick)
    (period,) = set(np.diff(hurts).tolist())
    return period


@measure
def burns_on(kind, rains):
    pen = Pen()
    row = pen.add(kind, 8.5, 8.5, fire=100)
    pen.worlds.skies["rain"] = pen.worlds.skies["raining"] = rains
    pen.worlds.biomes[:] = biome_index("plains")
    for ticks in range(200):
        if row["fire"][0] == 0:
            return ticks
        pen.tick()
    raise AssertionError("it burns for ever")


@measure
def burns_by_day(kind):
    pen = Pen(time=NOON)
    row = pen.add(kind, 20.5, 20.5)
    before = row["health"][0]
    pen.tick(400)
    return pen.count(kind) == 0 or bool(row["health"][0] < before)


@measure
def fall_hurt(kind, blocks):
    pen = Pen()
    row = pen.add(kind, 8.5, 8.5, FEET + blocks, on_ground=0)
    row["health"] = 100
    pen.tick(200)
    assert row["y"][0] == FEET
    return 100 - row["health"][0]


@measure
def drowns_after(kind):
    pen = Pen()
    fill(pen, "water", range(4, 10), range(FEET, FEET + 5), range(4, 10))
    fill(pen, "glass", range(4, 10), range(FEET + 3, FEET + 5), range(4, 10))
    row = pen.add(kind, 7.0, 7.0)
    full = row["health"][0]
    for tick in range(1, 600):
        pen.pinned(row)
        if row["health"][0] < full:
            return tick
    return None


@measure
def egg_pause():
    pen = Pen()
    pauses = [pen.add("chicken", 8.5, 8.5)["egg"][0] for _ in range(200)]
    hen = pen.worlds.creatures[0, :1]
    hen["egg"] = 1
    pen.tick()
    assert pen.lying() == {"egg": 1}
    return [min(*pauses, hen["egg"][0]), max(*pauses, hen["egg"][0])]


def kills(kind, times, **values):
    """Kill creatures as a player does; return the items that each left, and the experience."""
    found = []
    for seed in range(times):
        pen = Pen(seed=seed + 1)
        pen.add(kind, 8.5, 8.5, **values)
        hurt_creature(pen.worlds, 0, 0, 1000.0, True)
        found.append((pen.lying(), pen.experience))
    return found


@measure
def drop(kind, item):
    counts = [left.get(item, 0) for left, _ in kills(kind, 60, colour=0)]
    return [min(counts), max(counts)]


@measure
def rare_drop(kind, item):
    left = kills(kind, 300)
    return sum(item in items for items, _ in left) / len(left)


@measure
def experience(kind):
    gains = [gain for _, gain in kills(kind, 40)]
    return [min(gains), max(gains)]


@measure
def immunity():
    pen = Pen()
    pen.add("cow", 8.5, 8.5, health=100)
    assert hurt_creature(pen.worlds, 0, 0, 5.0, True)
    for tick in range(1, 40):
        pen.tick()
        if hurt_creature(pen.worlds, 0, 0, 5.0, True):
            return tick
    return None
