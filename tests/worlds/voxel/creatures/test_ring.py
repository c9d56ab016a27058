"""Monsters of the game's circle beyond the loaded land: they come, go and follow the player."""

import numpy as np
import pytest

from optimus_gym.worlds.voxel.creatures.kinds import IS_MONSTER
from optimus_gym.worlds.voxel.creatures.ring import follow_player, turn_over
from optimus_gym.worlds.voxel.creatures.spawning import spawn
from tests.worlds.flat import FEET
from tests.worlds.voxel.creatures.test_spawning import (
    ON_OPEN_LAND,
    kinds_of,
    monsters_of_circle,
    stay,
)
from tests.worlds.voxel.pen import Pen

CAP = 70
STAYS = 600 + 800
"""Mean ticks for which a monster beyond 32 blocks stays; Minecraft Wiki, "Spawn" (despawning)."""


def beyond(pen: Pen) -> int:
    return int(pen.worlds.fauna["beyond"][0])


def test_distant_monsters_leave_at_the_game_s_rate():
    left = []
    for seed in range(1, 21):
        pen = Pen(seed=seed)
        pen.worlds.fauna["beyond"] = CAP
        for _ in range(STAYS):
            turn_over(pen.worlds, 0)
        left.append(beyond(pen))
    expected = CAP / np.e
    assert abs(np.mean(left) - expected) < 4 * np.sqrt(expected * (1 - 1 / np.e) / len(left))


def test_peaceful_difficulty_has_no_distant_monsters():
    pen = Pen(difficulty="peaceful")
    pen.worlds.fauna["beyond"] = CAP
    pen.tick()
    assert beyond(pen) == 0


def test_monsters_keep_coming_while_near_monsters_stay():
    """Eight monsters, as many as have room here, stand within 32 blocks and never leave."""
    pen = Pen("stone")
    for n in range(8):
        x, z = 10 + 2 * n, 20
        for dx, dz in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            pen.put(x + dx, FEET, z + dz, "glass")
            pen.put(x + dx, FEET + 1, z + dz, "glass")
        pen.add("zombie", x + 0.5, z + 0.5)
    pen.worlds.fauna["beyond"] = CAP - 8
    come = 0
    for _ in range(3000):
        before = len(pen.creatures)
        stay(pen, 1)
        come += max(len(pen.creatures) - before, 0)
    assert monsters_of_circle(pen) < CAP + 4
    assert come > 4


def test_as_many_monsters_come_as_leave():
    """New monsters are removed at once, so that others take their places anywhere."""
    come, ticks, seeds = 0, 4000, 3
    for seed in range(1, 1 + seeds):
        pen = Pen("stone", seed=seed)
        pen.tick()
        pen.worlds.fauna["creatures"] = 0
        pen.worlds.fauna["beyond"] = CAP
        for tick in range(ticks):
            pen.set(tick=tick)
            spawn(pen.worlds, 0, 0, 1)
            come += len(pen.creatures)
            pen.worlds.fauna["creatures"] = 0
    here = ON_OPEN_LAND / CAP
    expected = seeds * ticks * CAP / STAYS * here / (1 - here)
    # Packs of four at most: a count's variance is at most four times its mean.
    assert abs(come - expected) < 4 * np.sqrt(4 * expected)


def crossed(blocks: float, seed: int) -> Pen:
    """Return a pen at night after its player went some blocks, with 70 distant monsters before."""
    pen = Pen("stone", seed=seed)
    pen.set(x=8.5, z=8.5)
    pen.tick()
    pen.worlds.fauna["creatures"] = 0
    pen.worlds.fauna["beyond"] = CAP
    pen.set(x=8.5 + blocks, y=FEET)
    pen.worlds.fauna["settled"] = 1
    pen.tick()
    return pen


LEFT_BEHIND = 16 / (np.pi * 128 / 2)
"""Share of a circle of 128 blocks that a move by one chunk leaves behind."""


def test_a_move_by_one_chunk_leaves_some_monsters_behind():
    left, seeds = 0, 40
    for seed in range(1, 1 + seeds):
        pen = Pen(seed=seed)
        pen.worlds.fauna["beyond"] = CAP
        pen.set(middle_z=-1)
        assert follow_player(pen.worlds, 0) == (0, 0)
        assert follow_player(pen.worlds, 0) == (0, -1)
        left += CAP - beyond(pen)
    expected = seeds * CAP * LEFT_BEHIND
    assert left == pytest.approx(expected, abs=4 * np.sqrt(expected))


def test_new_land_holds_some_of_the_distant_monsters():
    """A move by one chunk loads five of the 176 distant chunks."""
    come, seeds = 0, 40
    for seed in range(1, 1 + seeds):
        monsters = crossed(16.0, seed).creatures
        come += int((IS_MONSTER[monsters["kind"]] & (monsters["x"] // 16 == 3)).sum())
    expected = seeds * CAP * (1 - LEFT_BEHIND) * 5 / 176
    assert come == pytest.approx(expected, abs=4 * np.sqrt(expected))


def test_a_sudden_long_move_leaves_most_monsters_behind():
    pen = crossed(400.0, 1)
    assert beyond(pen) + len(kinds_of(pen.worlds)) < CAP / 2
