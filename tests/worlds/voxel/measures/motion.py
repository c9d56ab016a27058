"""Measures of how the player moves."""

from itertools import pairwise

import numpy as np

from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.things.drops import drop_at
from tests.worlds.flat import FEET, Flat
from tests.worlds.voxel.measures.measuring import fill, measure, ticks_until

SECOND = 20
EDGE = 8
"""Coordinate z at which the ground before a gap ends."""


def _way(flat: Flat, ticks: int, **keys: int) -> float:
    x, z = flat.x, flat.z
    flat.tick(ticks, **keys)
    return float(np.hypot(flat.x - x, flat.z - z))


@measure
def speed(**keys):
    flat = Flat()
    flat.tick(60, **keys)
    flat.set(x=0.5, z=0.5)
    return _way(flat, 120, **keys) / 120 * SECOND


@measure
def swim_speed(at, **keys):
    flat = Flat()
    fill(flat, "water", range(-40, 40), range(20, 62), range(-40, 40))
    fill(flat, "air", range(-40, 40), range(62, FEET), range(-40, 40))
    flat.set(y=61.0 if at == "surface" else 40.0, z=-20, on_ground=0)
    flat.tick(60, **keys)
    return _way(flat, 200, **keys) / 200 * SECOND


@measure
def climb_speed(**keys):
    flat = Flat()
    for y in range(FEET, FEET + 40):
        flat.put(0, y, 1, "stone")
        flat.put(0, y, 0, "ladder", 2)
    flat.set(y=FEET + 20.0, z=0.7, on_ground=0)
    flat.tick(20, **keys)
    y = flat.y
    flat.tick(20, **keys)
    return (flat.y - y) / 20


@measure
def jump_height(ticks, pit=0):
    flat = Flat()
    heights = []
    for k in range(12 if ticks == "peak" else ticks):
        flat.tick(jump=int(k == 0))
        heights.append(flat.y - FEET)
        if pit:
            fill(flat, "air", range(-1, 2), range(FEET - pit, FEET), range(-1, 2))
    return max(heights) if ticks == "peak" else heights[-1]


def _room(ceiling: float) -> Flat:
    """Return a world with a ceiling; a height that ends in .5 has a floor of slabs."""
    flat = Flat()
    fill(flat, "stone", range(-9, 9), range(FEET + int(np.ceil(ceiling)), FEET + 5), range(-9, 9))
    if ceiling % 1:
        fill(flat, "stone_slab", range(-9, 9), range(FEET, FEET + 1), range(-9, 9))
        flat.set(y=FEET + 0.5)
    flat.tick(3)
    return flat


@measure
def jump_duration(ceiling=4, step=0):
    flat = _room(ceiling)
    if step:
        fill(
            flat,
            "stone" if step == 1 else "stone_slab",
            range(-2, 3),
            range(FEET, FEET + 1),
            range(1, 5),
        )
        flat.set(z=0.3)
    start = flat.y
    ahead = int(step > 0)
    flat.tick(forward=ahead, jump=1)
    assert flat.y > start
    ticks = 1 + ticks_until(flat, lambda: flat.on_ground, forward=ahead)
    assert flat.y == start + step
    return ticks


@measure
def jump_period(ceiling=4):
    flat = _room(ceiling)
    starts = []
    for tick in range(60):
        grounded = flat.on_ground
        flat.tick(jump=1)
        if grounded and flat.y > FEET:
            starts.append(tick)
    periods = {b - a for a, b in pairwise(starts)}
    assert len(periods) == 1
    return periods.pop()


def _crosses(flat: Flat, start: float, wait: int, beyond: float, up: int, **keys: int) -> bool:
    """Return whether a player that begins at z = start and jumps after `wait` ticks gets across."""
    flat.set(
        x=0.5, y=FEET, z=start, vx=0, vy=-0.0784, vz=0, on_ground=1, fall=0, health=20, alive=1
    )
    for tick in range(wait + 20):
        flat.tick(forward=1, jump=int(tick == wait), **keys)
        if flat.on_ground and flat.z > beyond - 0.3:
            return flat.y >= FEET + up
    return False


def _is_crossed(gap: int, up: int, **keys: int) -> bool:
    flat = Flat()
    fill(flat, "air", range(-2, 3), range(40, FEET), range(EDGE, EDGE + gap))
    fill(flat, "stone", range(-2, 3), range(FEET, FEET + up), range(EDGE + gap, EDGE + gap + 5))
    for start in np.arange(0, 1, 0.05):
        flat.set(x=0.5, y=FEET, z=start, vx=0, vy=-0.0784, vz=0, on_ground=1, fall=0)
        ticks = ticks_until(flat, lambda: not flat.on_ground, forward=1, **keys)
        for wait in range(ticks - 2, ticks + 1):
            if _crosses(flat, start, wait, EDGE + gap, up, **keys):
                return True
    return False


@measure
def widest_gap(up=0, **keys):
    """Return how wide a gap is jumped with the best of many run-ups."""
    crossed = [gap for gap in range(1, 8) if _is_crossed(gap, up, **keys)]
    assert crossed == list(range(1, len(crossed) + 1))
    return crossed[-1]


@measure
def climbs(block, jump=0):
    flat = Flat()
    fill(flat, block, range(-2, 3), range(FEET, FEET + 1), range(3, 4))
    flat.tick(60, forward=1, jump=jump)
    return int(flat.z > 4)


@measure
def width():
    flat = Flat()
    fill(flat, "stone", range(-2, 3), range(FEET, FEET + 2), range(3, 4))
    fill(flat, "stone", range(-2, 3), range(FEET, FEET + 2), range(-3, -2))
    flat.tick(40, forward=1)
    ahead = flat.z
    flat.tick(60, forward=2)
    return (3 - -2) - (ahead - flat.z)


@measure
def passes(opening, **keys):
    flat = Flat()
    fill(flat, "stone", range(-2, 3), range(FEET + 2, FEET + 4), range(3, 6))
    if opening == 1.5:
        fill(flat, "stone_slab", range(-2, 3), range(FEET, FEET + 1), range(3, 6))
    flat.tick(150, forward=1, **keys)
    return int(flat.z > 6)


@measure
def falls_off_edge(**keys):
    flat = Flat()
    fill(flat, "air", range(-2, 3), range(50, FEET), range(3, 9))
    flat.tick(120, forward=1, **keys)
    return int(flat.y < FEET)


@measure
def terminal_fall(what):
    assert what == "player"
    flat = Flat()
    flat.set(y=3000, on_ground=0)
    flat.tick(600)
    y = flat.y
    flat.tick()
    return (y - flat.y) * SECOND


@measure
def fall_time(what, blocks):
    flat = Flat()
    if what == "player":
        flat.set(y=FEET + blocks, on_ground=0)
        return ticks_until(flat, lambda: flat.on_ground)
    if what == "item":
        drop_at(flat.worlds, 0, 8.5, float(FEET + blocks), 0.5, item("dirt").id, 1, 0)
        drop = flat.worlds.drops[0, 0]
        drop["vx"] = drop["vz"] = 0
        drop["vy"] = -1e-12
        return ticks_until(flat, lambda: drop["y"] == FEET)
    assert what == "sand"
    flat.put(8, FEET + blocks - 1, 0, "dirt")
    flat.put(8, FEET + blocks, 0, "sand")
    flat.tick(5)
    flat.put(8, FEET + blocks - 1, 0, "air")
    flat.settle(8, FEET + blocks - 1, 0)
    return ticks_until(flat, lambda: flat.at(8, FEET, 0) == "sand")


@measure
def fall_damage(blocks, onto=None):
    flat = Flat()
    if onto == "water":
        flat.put(0, FEET - 1, 0, "water")
    if onto == "ladder":
        for y in range(FEET, FEET + 3):
            flat.put(0, y, 1, "stone")
            flat.put(0, y, 0, "ladder", 2)
    flat.set(y=FEET + blocks, on_ground=0, food=10)
    flat.tick(80)
    return 20 - flat.health
