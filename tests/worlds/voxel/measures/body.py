"""Measures of damage, healing and items."""

from itertools import pairwise

from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.things.drops import drop_at
from tests.worlds.flat import FEET, Flat
from tests.worlds.voxel.measures.measuring import fill, measure, ticks_until


def _victim(by: str) -> Flat:
    flat = Flat()
    flat.set(food=10)
    if by == "drowning":
        fill(flat, "water", range(-2, 3), range(FEET, FEET + 5), range(-2, 3))
        fill(flat, "stone", range(-2, 3), range(FEET + 2, FEET + 3), range(-2, 3))
    elif by == "lava":
        fill(flat, "lava", range(-2, 3), range(FEET, FEET + 2), range(-2, 3))
    elif by == "suffocation":
        flat.put(0, FEET, 0, "stone")
        flat.put(0, FEET + 1, 0, "stone")
    else:
        assert by == "void"
        flat.set(y=-200, on_ground=0)
    return flat


def _hurts(by: str, times: int) -> list[tuple[int, int]]:
    """Return the ticks of the first hurts, counted from 1, and their half-hearts."""
    flat = _victim(by)
    found, tick = [], 0
    while len(found) < times:
        tick += ticks_until(flat, lambda: flat.health < 20, 1000)
        found.append((tick, 20 - flat.health))
        flat.set(health=20)
    return found


@measure
def first_hurt(by):
    return _hurts(by, 1)[0][0]


@measure
def hurt_period(by):
    periods = {b - a for (a, _), (b, _) in pairwise(_hurts(by, 5))}
    assert len(periods) == 1
    return periods.pop()


@measure
def hurt_amount(by):
    amounts = {amount for _, amount in _hurts(by, 3)}
    assert len(amounts) == 1
    return amounts.pop()


@measure
def breath():
    """Return the ticks in which all air comes back."""
    flat = Flat()
    flat.set(air=0)
    return ticks_until(flat, lambda: flat.air == 300)


@measure
def healing_period(food):
    flat = Flat()
    flat.set(food=food, saturation=0, health=5)
    healed = []
    for tick in range(400):
        before = flat.health
        flat.tick()
        if flat.health > before:
            healed.append(tick)
    periods = {b - a for a, b in pairwise(healed)}
    assert len(periods) == 1
    return periods.pop()


def _lying(flat: Flat, x: float) -> None:
    drop_at(flat.worlds, 0, x, float(FEET), 0.5, item("dirt").id, 1, 0)
    for part in ("vx", "vy", "vz"):
        flat.worlds.drops[0, 0][part] = 0


@measure
def pick_up_delay():
    flat = Flat()
    _lying(flat, 0.5)
    return ticks_until(flat, flat.held)


@measure
def pick_up_reach():
    """Return how far beyond the player's box the box of an item may end."""
    farthest = 0.0
    for step in range(80, 120):
        flat = Flat()
        gap = step / 100
        _lying(flat, 0.5 + 0.3 + gap + 0.125 - 1e-6)
        flat.tick(20)
        farthest = gap if flat.held() else farthest
    return farthest


@measure
def despawn():
    flat = Flat()
    _lying(flat, 8.5)
    return ticks_until(flat, lambda: not flat.lying())
