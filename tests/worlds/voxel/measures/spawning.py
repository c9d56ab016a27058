"""Measures of how creatures come and go."""

import numpy as np

from optimus_gym.worlds.voxel.creatures.spawning import _suits
from optimus_gym.worlds.voxel.terrain.biomes import PLAINS
from tests.worlds.flat import FEET
from tests.worlds.voxel.measures.creatures import measure
from tests.worlds.voxel.pen import Pen, number_of


def _night(pen, ticks):
    """Let a night pass for a player that nothing kills."""
    for _ in range(ticks):
        pen.tick()
        pen.set(health=20, alive=1, x=0.5, y=FEET, z=0.5, vx=0, vy=0, vz=0)


@measure
def spawn_distance():
    nearest = 1e9
    for seed in range(1, 20):
        pen = Pen("stone", seed=seed)
        pen.set(seed=seed)
        for _ in range(40):
            before = len(pen.creatures)
            _night(pen, 1)
            new = pen.creatures[before:]
            far = np.sqrt((new["x"] - 0.5) ** 2 + (new["y"] - FEET) ** 2 + (new["z"] - 0.5) ** 2)
            nearest = min([nearest, *far])
    assert nearest >= 24
    return nearest


@measure
def spawn_light():
    pen = Pen("stone")
    pen.tick()
    brightest = -1
    for light in range(16):
        pen.worlds.field[0, 5, 5] = light << 24
        if any(_suits(pen.worlds, 0, number_of("zombie"), 5, FEET, 5) for _ in range(300)):
            brightest = light
    return brightest


@measure
def monster_cap():
    """Return how many monsters are within 128 blocks, in the loaded land and beyond."""
    pen = Pen("stone")
    _night(pen, 1500)
    return len(pen.creatures) + int(pen.worlds.fauna["beyond"][0])


@measure
def despawn(kind, distance):
    pen = Pen()
    count = 200
    for _ in range(count):
        pen.add(kind, 0.5 + distance, 0.5)
    gone = []
    for tick in range(1, 12_000):
        pen.tick()
        gone += [tick] * (count - len(gone) - len(pen.creatures))
        if tick == 1000 and not gone:
            return None
        if len(gone) == count:
            return [min(gone), sum(gone) / count]
    raise AssertionError(f"{count - len(gone)} are still there")


@measure
def animal_packs():
    packs = 0.0
    seeds = 60
    for seed in range(1, seeds + 1):
        pen = Pen("grass_block", seed=seed, time=6000)
        pen.worlds.biomes[:] = PLAINS
        pen.set(seed=seed * 7919)
        pen.tick()
        packs += len(pen.creatures) / 4
    return packs / (seeds * 49)


@measure
def peaceful():
    pen = Pen("stone", difficulty="peaceful")
    pen.add("zombie", 8.5, 8.5)
    pen.tick(200)
    return len(pen.creatures)
