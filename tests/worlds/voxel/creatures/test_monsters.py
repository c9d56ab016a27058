"""Monsters apart from fights: calls for help, shade and fire; the meat of burnt animals."""

import numpy as np
import pytest

from optimus_gym.core.actions import noop
from optimus_gym.core.types import Setup
from optimus_gym.game.creatures import DIFFICULTIES
from optimus_gym.worlds.voxel.creatures.harm import hurt_creature, regional_difficulty
from optimus_gym.worlds.voxel.creatures.kinds import CHASES, IS_MONSTER, STILL
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.flat import FEET
from tests.worlds.voxel.measures.measuring import fill
from tests.worlds.voxel.pen import MIDNIGHT, NOON, Pen, number_of


def test_a_struck_zombie_calls_other_zombies():
    """Zombies within its follow range and 10 blocks up or down come; other kinds do not."""
    pen = Pen()
    struck = pen.add("zombie", 20.5, 0.5)
    near, far = pen.add("zombie", 50.5, 20.5), pen.add("zombie", -20.5, 0.5)
    low, other = pen.add("zombie", 20.5, 0.5, FEET - 11), pen.add("skeleton", 21.5, 0.5)
    hurt_creature(pen.worlds, 0, 0, 1.0, False)
    assert [row["mood"][0] for row in (struck, near)] == [STILL, STILL]
    hurt_creature(pen.worlds, 0, 0, 2.0, True)
    assert [row["mood"][0] for row in (struck, near)] == [CHASES, CHASES]
    assert [row["mood"][0] for row in (far, low, other)] == [STILL] * 3


def test_a_called_zombie_does_not_give_up_at_once():
    """A called zombie chases an unseen player for 15 seconds (Minecraft Wiki, "Zombie")."""
    for angry, comes in ((0, False), (300, True)):
        pen = Pen()
        fill(pen, "glass", range(-60, 61), range(FEET, FEET + 3), range(4, 5))
        row = pen.add("zombie", 0.5, 9.5, mood=CHASES, angry=angry)
        pen.tick(150)
        assert (row["mood"][0] == CHASES) == comes


@pytest.mark.parametrize(("kind", "flees"), [("skeleton", True), ("zombie", False)])
def test_a_burning_skeleton_seeks_the_shade(kind, flees):
    sheltered = 0
    for seed in range(1, 6):
        pen = Pen(time=NOON, seed=seed)
        fill(pen, "glass", range(20, 30), range(FEET + 3, FEET + 4), range(-5, 6))
        pen.worlds.tops[:] = FEET
        width = pen.worlds.tops.shape[1]
        pen.worlds.tops[0, 20:30, [z % width for z in range(-5, 6)]] = FEET + 4
        row = pen.add(kind, 17.5, 0.5, health=1000)
        pen.tick(200)
        sheltered += row["x"][0] >= 20
    assert (sheltered >= 4) == flees


def test_a_skeleton_stays_in_the_shade_by_day():
    """A skeleton hunts by night, and by day only as far as the roof reaches."""
    for time, leaves in ((NOON, False), (MIDNIGHT, True)):
        pen = Pen(time=time)
        width = pen.worlds.tops.shape[1]
        pen.worlds.tops[0, 20:30, [z % width for z in range(-5, 6)]] = FEET + 4
        pen.set(x=8.5)
        row = pen.hunter("skeleton", 22.5, 0.5)
        for _ in range(100):
            row["seen"] = 1
            pen.tick()
        assert (row["x"][0] < 20) == leaves


def regional(time: int, difficulty: str) -> float:
    pen = Pen(time=time, difficulty=difficulty)
    return regional_difficulty(pen.worlds, 0)


def test_regional_difficulty_has_the_published_values():
    """Minecraft Wiki, "Difficulty": base 0.75, 1.5, 2.25; most without lived-in chunks and by moon."""
    assert [regional(72_000, name) for name in DIFFICULTIES] == [0.0, 0.75, 1.5, 2.25]
    full = 64 * 24_000 + 6_000
    assert regional(full, "normal") == pytest.approx(2 * (0.75 + 0.25 + 0.25))
    assert regional(full, "easy") == pytest.approx(0.75 + 0.25 + 0.125)
    assert regional(full + 4 * 24_000, "hard") == pytest.approx(3 * (0.75 + 0.25))


def kindled(difficulty: str, blows: int, **values) -> list[int]:
    """Return the ticks for which the player burns after each blow of a zombie."""
    pen = Pen(difficulty=difficulty)
    pen.worlds.rules["survival"] = 1
    row = pen.hunter("zombie", 0.5, 1.5)
    found = []
    for _ in range(blows):
        pen.set(health=20, hurt_wait=0)
        pen.worlds.needs["fire"] = 0
        for name, value in values.items():
            row[name] = value
        row["pause"], row["health"] = 0, 20
        pen.pinned(row)
        found.append(int(pen.worlds.needs["fire"][0]))
    return found


def test_a_burning_zombie_sets_the_player_on_fire():
    """On normal difficulty 0.3 times 1.5 of the blows, for 2 seconds (Minecraft Wiki, "Zombie")."""
    blows = 400
    found = kindled("normal", blows, fire=10)
    share = sum(ticks > 0 for ticks in found) / blows
    assert share == pytest.approx(0.45, abs=4 * np.sqrt(0.45 * 0.55 / blows))
    assert max(found) == 39  # the tick has taken one
    assert max(kindled("normal", 50, fire=0)) <= 0
    assert max(kindled("easy", 50, fire=10)) <= 0  # regional difficulty below 1: for no time


@pytest.mark.parametrize("kind", ["cow", "pig", "sheep", "chicken", "rabbit"])
def test_an_animal_that_dies_on_fire_leaves_cooked_meat(kind):
    roast = {"cow": "beef", "pig": "porkchop", "sheep": "mutton"}.get(kind, kind)
    left = {}
    for fire in (0, 5):
        left[fire] = set()
        for seed in range(1, 6):
            pen = Pen(seed=seed)
            pen.add(kind, 8.5, 8.5, fire=fire)
            hurt_creature(pen.worlds, 0, 0, 100.0, False)
            left[fire] |= set(pen.lying())
    assert roast in left[0]
    assert left[5] == left[0] - {roast} | {f"cooked_{roast}"}


@pytest.mark.parametrize(("seed", "time"), [(5, MIDNIGHT), (6, 22_500)])
def test_creatures_vanish_only_for_a_reason(seed, time):
    """Only dead creatures and long idle or distant monsters go; the other creatures stay, each once.

    The field of a hen's eggs, unused by other kinds, holds each creature's mark.
    """
    world = VoxelWorld(1)
    world.reset(0, Setup(seed=seed, biome="plains", time=time, creatures=True))
    worlds, marks, player = world.worlds, 0, world.worlds.players[0]
    expected: set[int] = set()
    for _ in range(2000):
        world.tick(np.zeros(1, np.int64), noop()[None])
        player["health"], player["alive"] = 20, 1
        rows = worlds.creatures[0, : worlds.fauna["creatures"][0]]
        rows = rows[rows["kind"] != number_of("chicken")]
        found = rows["egg"][rows["egg"] != 0]
        assert len(set(found)) == len(found)
        assert expected <= set(found)
        for place in np.flatnonzero(worlds.creatures["egg"][0] == 0):
            if place < worlds.fauna["creatures"][0]:
                marks += 1
                worlds.creatures["egg"][0, place] = marks
        rows = worlds.creatures[0, : worlds.fauna["creatures"][0]]
        rows = rows[rows["kind"] != number_of("chicken")]
        far = np.sqrt(sum((rows[axis] - player[axis]) ** 2 for axis in "xyz"))
        leaves = IS_MONSTER[rows["kind"]] & ((rows["idle"] >= 600) | (far > 127))
        expected = set(rows["egg"][~leaves & (rows["health"] > 0)])
        assert IS_MONSTER[rows["kind"]].sum() + worlds.fauna["beyond"][0] < 70 + 4
    assert marks > 10
