"""Measures of fights between creatures and the player."""

import numpy as np

from optimus_gym.worlds.voxel.creatures.arrows import shoot
from optimus_gym.worlds.voxel.creatures.explosion import explode
from optimus_gym.worlds.voxel.creatures.fights import FUSE
from optimus_gym.worlds.voxel.creatures.hitting import strike
from tests.worlds.flat import FEET
from tests.worlds.voxel.measures.creatures import measure
from tests.worlds.voxel.pen import Pen, calm

ARMOUR = ("boots", "leggings", "chestplate", "helmet")
LEVEL = {"pitch": 0.0, "yaw": 0.0}


def _hurts(pen, row, ticks):
    """Return ticks and half-hearts of the player's hurts; player and creature are held in place."""
    found = []
    for tick in range(ticks):
        pen.set(health=20)
        pen.pinned(row)
        if pen.health < 20:
            found.append((tick, 20 - pen.health))
    return found


@measure
def melee_hurt(kind, difficulty, armour=None):
    pen = Pen(difficulty=difficulty)
    if armour:
        for k, part in enumerate(ARMOUR):
            pen.give(36 + k, f"{armour}_{part}")
    row = pen.hunter(kind, 0.5, 1.7)
    return _hurts(pen, row, 30)[0][1]


@measure
def melee_period(kind):
    pen = Pen()
    ticks = [tick for tick, _ in _hurts(pen, pen.hunter(kind, 0.5, 1.5), 150)]
    (period,) = set(np.diff(ticks).tolist())
    return period


@measure
def fuse():
    pen = Pen()
    row = pen.hunter("creeper", 0.5, 2.5)
    for tick in range(1, 80):
        pen.pinned(row)
        if pen.health < 20:
            return tick
    return None


@measure
def fuse_begins():
    farthest = 0.0
    for far in np.arange(2, 4, 0.05):
        pen = Pen()
        row = pen.hunter("creeper", 0.5, 0.5 + far)
        pen.pinned(row, 2)
        farthest = far if row["fuse"][0] else farthest
    return farthest


@measure
def fuse_stops():
    farthest = 0.0
    for far in np.arange(5, 9, 0.1):
        pen = Pen()
        row = pen.hunter("creeper", 0.5, 0.5 + far, drawn=1, fuse=10)
        pen.pinned(row, 3)
        farthest = far if row["fuse"][0] > 10 else farthest
    return farthest


def _explode(pen):
    """Let a creeper explode at the player's feet."""
    pen.hunter("creeper", 0.5, 0.5, drawn=1, fuse=FUSE - 1)
    pen.tick()


@measure
def blast_hurt(difficulty):
    pen = Pen(difficulty=difficulty)
    pen.set(health=1000)
    _explode(pen)
    return 1000 - pen.health


@measure
def blast_drops():
    broken = left = 0
    for seed in range(1, 21):
        pen = Pen("dirt", seed=seed)
        explode(pen.worlds, 0, 10.5, float(FEET), 10.5, 3.0, 0)
        broken += int(pen.edits)
        left += sum(pen.lying().values())
    return left / broken


@measure
def blast_radius(block):
    """Return the depth of the hole that a creeper on the ground makes."""
    pen = Pen(block)
    explode(pen.worlds, 0, 10.5, float(FEET), 10.5, 3.0, 0)
    depth = 0
    while pen.at(10, FEET - 1 - depth, 10) == "air":
        depth += 1
    return depth


@measure
def arrow_hurt(difficulty):
    amounts = []
    for far in (2, 8, 14):
        pen = Pen(difficulty=difficulty, seed=far)
        row = pen.hunter("skeleton", 0.5, 0.5 + far)
        amounts += [amount for _, amount in _hurts(pen, row, 1200)]
    assert len(amounts) > 30
    return [min(amounts), max(amounts)]


def _shots(pen, row, ticks):
    found = []
    for tick in range(ticks):
        pen.worlds.fauna["arrows"] = 0
        pen.set(health=20)
        pen.pinned(row)
        if len(pen.arrows):
            found.append(tick)
    return found


@measure
def shot_period(difficulty):
    pen = Pen(difficulty=difficulty)
    periods = set(np.diff(_shots(pen, pen.hunter("skeleton", 0.5, 10.5), 400)).tolist())
    assert len(periods) == 1
    return periods.pop()


@measure
def shot_range():
    farthest = 0.0
    for far in np.arange(12, 20, 0.5):
        pen = Pen(seed=int(far * 2))
        if _shots(pen, pen.add("skeleton", 0.5, 0.5 + far), 250):
            farthest = far
    return farthest


@measure
def arrow_speed():
    speeds = []
    pen = Pen()
    pen.hunter("skeleton", 0.5, 10.5)
    for _ in range(200):
        pen.worlds.fauna["arrows"] = 0
        shoot(pen.worlds, 0, 0)
        arrow = pen.arrows[0]
        speeds.append(20 * np.sqrt(arrow["vx"] ** 2 + arrow["vy"] ** 2 + arrow["vz"] ** 2))
    return np.mean(speeds)


def _target(item="", far=1.5, kind="zombie"):
    """Return a pen with a creature before the player's eyes, an item in the hand, a full charge."""
    pen = Pen()
    pen.set(**LEVEL)
    if item:
        pen.give(0, item)
    row = pen.add(kind, 0.5, 0.5 + far + (0.3 if kind == "zombie" else 0.45), health=100)
    pen.pinned(row)
    pen.worlds.fauna["charge"] = 100
    return pen, row


def _blow(pen, row):
    """Strike once and return the half-hearts before the zombie's armour."""
    before = row["health"][0]
    pen.pinned(row, attack=1)
    return _raw(before - row["health"][0])


def _raw(taken):
    """Return the hurt that becomes `taken` behind a zombie's two armour points."""
    points = 2.0
    low, high = 0.0, 50.0
    for _ in range(60):
        middle = (low + high) / 2
        kept = max(points / 5, points - middle / 2)
        low, high = (middle, high) if middle * (1 - kept / 25) < taken else (low, middle)
    return low


@measure
def hit_damage(item, waited=None):
    pen, row = _target(item)
    if waited is not None:
        _blow(pen, row)
        row["hurt_wait"] = 0
        pen.pinned(row, waited - 1)
        row["hurt_wait"] = 0
    return _blow(pen, row)


@measure
def hit_cooldown(item):
    full = hit_damage(item)
    for ticks in range(1, 40):
        pen, row = _target(item)
        pen.worlds.fauna["charge"] = ticks - 1
        if _blow(pen, row) > full - 1e-4:
            return ticks
    return None


@measure
def critical():
    plain = hit_damage("iron_sword")
    pen, row = _target("iron_sword")
    pen.set(y=FEET + 0.4, vy=-0.1, fall=0.2, on_ground=0)
    return _blow(pen, row) / plain


@measure
def hit_reach():
    farthest = 0.0
    for far in np.arange(2.5, 3.6, 0.02):
        pen, row = _target(far=far)
        farthest = far if _blow(pen, row) > 0 else farthest
    return farthest


@measure
def knockback():
    pen, row = _target()
    calm(row)
    row["vx"] = row["vz"] = 0
    assert strike(pen.worlds, 0, True)
    return row["vz"][0]


@measure
def shorn_wool():
    counts = []
    for seed in range(1, 40):
        pen = Pen(seed=seed)
        pen.set(pitch=20.0, yaw=0.0)
        pen.give(0, "shears")
        row = pen.add("sheep", 0.5, 2.5, colour=0)
        pen.pinned(row)
        pen.pinned(row, use=1)
        assert row["shorn"][0] == 1
        counts.append((pen.lying() | pen.held())["white_wool"])
    return [min(counts), max(counts)]
