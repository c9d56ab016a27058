"""Creatures find ways: around walls, through open doors, down falls that they bear, away from dangers."""

from collections import deque

import numpy as np
import pytest

from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.creatures.kinds import CHASES, FOLLOWS
from optimus_gym.worlds.voxel.creatures.paths import MOST_SPENT, seek_way
from optimus_gym.worlds.voxel.tables.panels import DOOR_OPEN
from tests.worlds.flat import FEET
from tests.worlds.voxel.measures.measuring import fill
from tests.worlds.voxel.pen import NOON, Pen, number_of

FOREVER = 10**6
UPPER_HALF = 1


def way_to(pen, row, x, y, z):
    """Let a creature look for a way; return the cells of its steps, and whether it arrives."""
    k = int(np.flatnonzero(pen.creatures["x"] == row["x"][0])[0])
    seek_way(pen.worlds, 0, k, x, y, z)
    c = row[0]
    cells = [(int(c["step_x"]), int(c["step_y"]), int(c["step_z"]))] if c["steps"] else []
    for step in c["way"][1 : c["steps"]]:
        cells.append(tuple(int(n) for n in np.add(cells[-1], step)))
    return cells, bool(c["arrives"])


def arrives_within(pen, ticks):
    """Return whether the player, held in place, is hurt within some ticks."""
    place = pen.x, pen.y, pen.z
    for _ in range(ticks):
        pen.tick()
        if pen.health < 20:
            return True
        pen.set(x=place[0], y=place[1], z=place[2], vx=0, vz=0)
    return False


def fence(pen, xs, zs):
    fill(pen, "oak_fence", xs, range(FEET, FEET + 1), zs)


def wall(pen, height):
    """Put walls of a height around the player, 2 cells away each way."""
    fill(pen, "stone", range(-2, 3), range(FEET, FEET + height), range(-2, 3))
    fill(pen, "air", range(-1, 2), range(FEET, FEET + height), range(-1, 2))


def test_a_zombie_finds_the_way_out_of_a_u_shaped_fence():
    pen = Pen()
    for xs, zs in (
        (range(-4, -3), range(3, 12)),
        (range(4, 5), range(3, 12)),
        (range(-4, 5), range(3, 4)),
    ):
        fence(pen, xs, zs)
    pen.hunter("zombie", 0.5, 6.5)
    assert arrives_within(pen, 600)


@pytest.mark.parametrize("kind", ["oak_door", "iron_door"])
def test_a_zombie_passes_an_open_door_and_no_closed_door(kind):
    for state, comes in ((0, False), (DOOR_OPEN, True)):
        pen = Pen()
        wall(pen, 3)
        pen.put(0, FEET, 2, kind, state)
        pen.put(0, FEET + 1, 2, kind, state | UPPER_HALF)
        row = pen.hunter("zombie", 0.5, 7.5, angry=FOREVER)
        assert arrives_within(pen, 500) == comes
        assert comes or row["z"][0] > 3.0


def test_a_zombie_passes_an_open_gate_and_no_closed_gate():
    for state, comes in ((0, False), (4, True)):
        pen = Pen()
        wall(pen, 1)
        fence(pen, range(-2, 3), range(2, 3))
        fence(pen, range(-2, 3), range(-2, -1))
        fence(pen, range(-2, -1), range(-2, 3))
        fence(pen, range(2, 3), range(-2, 3))
        pen.put(0, FEET, 2, "oak_fence_gate", state)
        pen.hunter("zombie", 0.5, 7.5)
        assert arrives_within(pen, 500) == comes


def tower(height):
    """Return a pen with a tower of glass of a height, three cells wide, around x 20."""
    pen = Pen()
    fill(pen, "glass", range(19, 22), range(FEET, FEET + height), range(-1, 2))
    return pen


@pytest.mark.parametrize(
    ("kind", "values", "deepest"),
    [
        ("cow", {}, 3),
        ("zombie", {}, 3),
        ("zombie", {"mood": CHASES}, 3 + 9),
        ("zombie", {"mood": CHASES, "health": 11}, 3),
        ("zombie", {"mood": CHASES, "health": 12}, 4),
        ("creeper", {"mood": CHASES, "health": 6}, 3 + 5),
    ],
)
def test_a_creature_takes_falls_up_to_its_limit(kind, values, deepest):
    """Three blocks; a hunter adds its health, less a third of the full health and 4 half-hearts on normal."""
    for height in (deepest, deepest + 1):
        pen = tower(height)
        row = pen.add(kind, 20.5, 0.5, FEET + height, **values)
        cells, arrives = way_to(pen, row, 25, FEET, 0)
        assert arrives == (height == deepest)
        assert all(y == FEET + height for _, y, _ in cells) != arrives


def test_a_hunting_zombie_jumps_down_and_is_hurt():
    pen = tower(8)
    row = pen.hunter("zombie", 20.5, 0.5, y=FEET + 8)
    pen.set(x=25.5)
    assert arrives_within(pen, 300)
    assert 20 - 5 <= row["health"][0] < 20


def test_a_zombie_climbs_one_block_and_not_two():
    for height, arrives in ((1, True), (2, False)):
        pen = Pen()
        fill(pen, "glass", range(5, 6), range(FEET, FEET + height), range(-60, 60))
        row = pen.add("zombie", 2.5, 0.5)
        cells, reached = way_to(pen, row, 8, FEET, 0)
        assert reached == arrives
        assert max(y for _, y, _ in cells) == (FEET + 1 if arrives else FEET)


def test_a_zombie_on_a_slab_climbs_half_a_block_and_not_one_and_a_half():
    for height, arrives in ((1, True), (2, False)):
        pen = Pen()
        fill(pen, "stone_slab", range(4, 5), range(FEET, FEET + 1), range(-60, 60))
        fill(pen, "glass", range(5, 20), range(FEET, FEET + height), range(-60, 60))
        row = pen.add("zombie", 2.5, 0.5)
        assert way_to(pen, row, 8, FEET + height, 0)[1] == arrives


def test_a_zombie_cannot_step_up_under_a_low_ceiling():
    pen = Pen()
    fill(pen, "glass", range(5, 6), range(FEET, FEET + 1), range(-60, 60))
    fill(pen, "glass", range(4, 5), range(FEET + 2, FEET + 3), range(-60, 60))
    row = pen.add("zombie", 2.5, 0.5)
    assert not way_to(pen, row, 8, FEET, 0)[1]


@pytest.mark.parametrize("danger", ["lava", "fire", "cactus", "sweet_berry_bush", "water"])
def test_a_way_keeps_away_from_dangers(danger):
    """A strip across the straight way leaves a gap at its end: the way leads there, a cell off."""
    pen = Pen()
    low = FEET - 1 if danger in ("lava", "water") else FEET
    fill(pen, danger, range(5, 6), range(low, low + 1), range(-4, 5))
    row = pen.add("zombie", 0.5, 0.5)
    cells, arrives = way_to(pen, row, 10, FEET, 0)
    assert arrives
    assert min(max(abs(x - 5), abs(z) - 4) for x, _, z in cells) > 1


def test_a_zombie_comes_around_lava_unhurt():
    pen = Pen()
    fill(pen, "lava", range(-3, 4), range(FEET - 1, FEET), range(3, 6))
    row = pen.hunter("zombie", 0.5, 9.5)
    assert arrives_within(pen, 600)
    assert row["health"][0] == 20
    assert row["fire"][0] == 0


def test_a_zombie_crosses_water_if_there_is_no_other_way():
    pen = Pen()
    fence(pen, range(-2, 16), range(-2, -1))
    fence(pen, range(-2, 16), range(2, 3))
    fill(pen, "water", range(5, 8), range(FEET - 2, FEET), range(-2, 3))
    row = pen.hunter("zombie", 0.5, 0.5)
    assert way_to(pen, row, 12, FEET, 0)[1]
    pen.set(x=12.5)
    assert arrives_within(pen, 500)


def test_monsters_walk_through_fire_if_necessary_and_animals_never_do():
    for kind, arrives in (("cow", False), ("zombie", True)):
        pen = Pen()
        fill(pen, "fire", range(5, 6), range(FEET, FEET + 1), range(-60, 60))
        row = pen.add(kind, 2.5, 0.5)
        assert way_to(pen, row, 8, FEET, 0)[1] == arrives


def test_a_way_to_an_unreachable_place_ends_as_near_as_possible():
    pen = Pen()
    fill(pen, "glass", range(0, 1), range(FEET, FEET + 4), range(0, 1))
    pen.set(y=FEET + 4)
    row = pen.hunter("zombie", 8.5, 8.5)
    cells, arrives = way_to(pen, row, 0, FEET + 4, 0)
    assert not arrives
    assert sorted(np.abs(cells[-1])[[0, 2]]) == [0, 1]
    assert not arrives_within(pen, 300)
    assert np.hypot(row["x"][0] - 0.5, row["z"][0] - 0.5) < 1.5


def test_a_spider_needs_a_gap_of_two_cells():
    for width, arrives in ((1, False), (2, True)):
        pen = Pen()
        fence(pen, range(5, 6), range(-60, 60))
        fill(pen, "air", range(5, 6), range(FEET, FEET + 1), range(0, width))
        row = pen.add("spider", 2.5, 0.5)
        assert way_to(pen, row, 9, FEET, 0)[1] == arrives


def test_no_way_cuts_a_corner():
    pen = Pen()
    fence(pen, range(1, 60), range(0, 1))
    fence(pen, range(0, 1), range(1, 60))
    fence(pen, range(-60, 1), range(-20, -19))
    row = pen.add("zombie", 0.5, 0.5)
    assert not way_to(pen, row, 2, FEET, 2)[1]


def reachable(blocked, start):
    """Return the steps from one cell of a maze to each other cell (breadth first)."""
    steps = {start: 0}
    waiting = deque([start])
    while waiting:
        x, z = waiting.popleft()
        for dx in (-1, 0, 1):
            for dz in (-1, 0, 1):
                cell = x + dx, z + dz
                if cell in steps or blocked[cell] or blocked[x + dx, z] or blocked[x, z + dz]:
                    continue
                steps[cell] = steps[x, z] + 1
                waiting.append(cell)
    return steps


@pytest.mark.parametrize("seed", range(30))
def test_a_zombie_finds_a_way_through_every_solvable_maze(seed):
    """Every step is allowed, no way is much longer than the shortest, and no way is missed."""
    rng = np.random.default_rng(seed)
    size = 12
    blocked = np.ones((size, size), bool)
    blocked[1:-1, 1:-1] = rng.random((size - 2, size - 2)) < 0.35
    blocked[1, 1] = blocked[-2, -2] = False
    pen = Pen(time=NOON)
    pen.set(x=30.5)
    for x, z in np.argwhere(blocked):
        pen.put(int(x), FEET, int(z), "oak_fence")
    row = pen.add("zombie", 1.5, 1.5)
    cells, arrives = way_to(pen, row, size - 2, FEET, size - 2)
    steps = reachable(blocked, (1, 1))
    near = [(size - 2, size - 2), (size - 3, size - 2), (size - 2, size - 3)]
    expected = min((steps[cell] for cell in near if cell in steps), default=None)
    assert arrives == (expected is not None)
    at = (1, 1)
    for x, y, z in cells:
        assert y == FEET
        assert not blocked[[x, at[0], x], [z, z, at[1]]].any()
        assert max(abs(x - at[0]), abs(z - at[1])) == 1
        at = x, z
    if arrives:
        assert at in near
        assert len(cells) <= 1.5 * np.sqrt(2) * expected


def test_a_blocked_creature_gives_up_its_way():
    pen = Pen(time=NOON)
    row = pen.add("cow", 20.5, 0.5, mood=1)
    way_to(pen, row, 28, FEET, 0)
    assert row["steps"][0] > 5
    fence(pen, range(22, 23), range(-30, 30))
    for _ in range(400):
        pen.tick()
        if row["mood"][0] == 0:
            break
    assert row["mood"][0] == 0
    assert row["x"][0] < 22


def test_the_searches_of_a_tick_are_bounded():
    """Sixty hunters see a player out of their reach."""
    pen = Pen()
    fill(pen, "glass", range(0, 1), range(FEET, FEET + 4), range(0, 1))
    pen.set(y=FEET + 4)
    for n in range(60):
        pen.hunter("zombie", 8.5 + n % 8, 8.5 + n // 8)
    longest = int(16 * FOLLOWS[number_of("zombie")])
    spent = []
    for _ in range(60):
        pen.tick()
        spent.append(int(pen.worlds.searches["spent"][0]))
    assert MOST_SPENT <= max(spent) <= MOST_SPENT + longest
    assert np.mean(spent) < MOST_SPENT


def test_ways_stay_within_the_land_that_ticks():
    """A search reads no block beyond the land of the tick, even if a frame has loaded the block."""
    found = []
    for beyond in ("glass", "air"):
        pen = Pen()
        width = pen.worlds.voxels.shape[1]
        outside = [x % width for x in range(64, width - 48)]
        pen.worlds.voxels[0, outside, :, 1:FEET] = block(beyond).id
        row = pen.add("zombie", 57.5, 0.5)
        fence(pen, range(55, 56), range(-40, 61))
        found.append((way_to(pen, row, 40, FEET, 0), row["way"].tobytes()))
    assert found[0] == found[1]
