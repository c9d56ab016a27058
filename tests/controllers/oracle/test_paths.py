"""Paths have the right costs and never lead into harm."""

import itertools

import numpy as np
import pytest

from optimus_gym.controllers.oracle.goals import DIG_BLOCK, TOUCH_DROP
from optimus_gym.controllers.oracle.grid import HOT, IS_WATER, PASS, STAND, make_scratch
from optimus_gym.controllers.oracle.miner import Miner
from optimus_gym.controllers.oracle.moves import DIG_DOWN, PILLAR, STEP_LEVEL, STEP_UP, SWIM
from optimus_gym.controllers.oracle.path_search import FOUND, NO_WAY
from optimus_gym.controllers.oracle.travel import _is_safe_below, cells_to_clear, follow_path
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.worlds.voxel.creatures.population import add_creature
from tests.controllers.play import FlatWorld
from tests.worlds.flat import FEET, tick_world

WEIGHTS = (4.2, 9.0, 5.0)


@pytest.fixture(scope="module")
def scratch():
    return make_scratch()


def miner_on(flat, scratch):
    return Miner(flat, 0, scratch, np.random.default_rng(0))


def path_to(miner, point, mode=TOUCH_DROP, budget=20_000):
    state = miner.search(np.array([[*point, 0.0]]), mode, WEIGHTS, budget)
    return state, [tuple(row) for row in miner.path[: int(miner.answer[1])].tolist()]


def walk(flat, miner):
    steps = follow_path(miner)
    for _ in range(4000):
        try:
            action = next(steps)
        except StopIteration as end:
            return end.value
        tick_world(flat.worlds, 0, action)
    raise AssertionError("the path was not walked in 4000 ticks")


def test_flat_ground_is_walked_straight(scratch):
    flat = FlatWorld()
    miner = miner_on(flat, scratch)
    state, path = path_to(miner, (8.5, FEET + 0.1, 0.5))
    assert state == FOUND
    assert [cell[3] for cell in path[1:]] == [STEP_LEVEL] * (len(path) - 1)
    assert len(path) <= 9
    assert walk(flat, miner)
    assert abs(flat.x - 8.5) <= 1.7


def test_a_wall_is_climbed_without_a_tool_to_dig(scratch):
    flat = FlatWorld()
    for z in range(-20, 21):
        for y in (FEET, FEET + 1, FEET + 2):
            flat.put(4, y, z, "obsidian")
    flat.give(0, "dirt", 10)
    miner = miner_on(flat, scratch)
    state, path = path_to(miner, (8.5, FEET + 0.1, 0.5))
    assert state == FOUND
    assert PILLAR in [cell[3] for cell in path]
    assert walk(flat, miner)
    assert flat.x > 6.0
    assert flat.health == 20


def test_a_step_is_jumped_and_a_pit_of_four_blocks_is_avoided(scratch):
    flat = FlatWorld()
    for z in range(-30, 31):
        flat.put(3, FEET, z, "stone")
        for y in range(FEET - 4, FEET):
            for x in (6, 7):
                flat.put(x, y, z, "air")
    miner = miner_on(flat, scratch)
    state, path = path_to(miner, (4.5, FEET + 0.1, 0.5))
    assert state == FOUND
    assert STEP_UP in [cell[3] for cell in path]
    state, path = path_to(miner, (8.5, FEET - 0.9, 0.5))
    falls = [a[1] - b[1] for a, b in itertools.pairwise(path)]
    assert max(falls, default=0) <= 3


def test_a_path_digs_down_to_deep_blocks(scratch):
    flat = FlatWorld()
    flat.give(0, "iron_pickaxe")
    flat.put(3, 50, 3, "diamond_ore")
    miner = miner_on(flat, scratch)
    state, path = path_to(miner, (3.5, 50.5, 3.5), DIG_BLOCK, 60_000)
    assert state == FOUND
    assert DIG_DOWN in [cell[3] for cell in path]
    assert walk(flat, miner)
    assert flat.health == 20
    assert flat.y < 54


def test_a_pond_is_crossed_by_swimming(scratch):
    flat = FlatWorld()
    for x in range(3, 8):
        for z in range(-30, 31):
            for y in range(FEET - 3, FEET):
                flat.put(x, y, z, "water")
    miner = miner_on(flat, scratch)
    state, path = path_to(miner, (10.5, FEET + 0.1, 0.5))
    assert state == FOUND
    assert SWIM in [cell[3] for cell in path]
    assert walk(flat, miner)
    assert flat.x > 8.5


def test_a_player_between_bedrock_has_no_path(scratch):
    flat = FlatWorld()
    for dx in (-1, 0, 1):
        for dz in (-1, 0, 1):
            for y in range(FEET - 1, FEET + 4):
                if (dx, dz) != (0, 0) or y in (FEET - 1, FEET + 3):
                    flat.put(dx, y, dz, "bedrock")
    assert path_to(miner_on(flat, scratch), (8.5, FEET + 0.1, 0.5))[0] == NO_WAY


def test_a_path_avoids_a_cave(scratch):
    """The way through the cave is quicker, but monsters spawn and see there."""
    flat = FlatWorld()
    flat.give(0, "iron_pickaxe")
    hall = [(x, y, z) for x in range(3, 16) for y in range(40, 43) for z in range(-5, 6)]
    pockets = [(x, y, 0) for x in (0, 18) for y in (40, 41)]
    for x, y, z in (*hall, *pockets):
        flat.put(x, y, z, "air")
    flat.set(x=0.5, y=40.0, z=0.5)
    state, path = path_to(miner_on(flat, scratch), (18.5, 40.1, 0.5), budget=200_000)
    assert state == FOUND
    assert not {cell[:3] for cell in path} & set(hall)


def test_a_path_avoids_a_monster_except_for_a_fight(scratch):
    flat = FlatWorld()
    add_creature(flat.worlds, 0, list(creature_kinds()).index("zombie"), 8.5, float(FEET), 0.5)
    miner = miner_on(flat, scratch)
    for shy, nearest in ((True, 3), (False, 0)):
        goal = np.array([[16.5, FEET + 0.1, 0.5, 0.0]])
        assert miner.search(goal, TOUCH_DROP, WEIGHTS, 20_000, shy=shy) == FOUND
        path = miner.path[: int(miner.answer[1])].tolist()
        assert min(max(abs(x - 8), abs(z)) for x, _, z, _ in path) >= nearest
        assert shy or any(x == 8 for x, _, z, _ in path if abs(z) <= 1)


@pytest.mark.parametrize("seed", range(50))
def test_paths_never_touch_or_release_lava(seed, scratch):
    random = np.random.default_rng(seed)
    flat = FlatWorld()
    flat.give(0, "stone_pickaxe")
    flat.give(1, "dirt", 20)
    kinds = ["air", "air", "stone", "lava", "gravel", "water"]
    for x in range(-8, 9):
        for z in range(-8, 9):
            for y in range(FEET - 4, FEET + 3):
                if max(abs(x), abs(z)) > 1 or y == FEET - 4:
                    kind = kinds[random.integers(6)] if random.random() < 0.5 else "stone"
                    flat.put(x, y, z, kind if y > FEET - 4 or kind != "air" else "stone")
    for y in (FEET, FEET + 1):
        flat.put(0, y, 0, "air")
    miner = miner_on(flat, scratch)
    goal = (*(random.integers(5, 8, 2) * random.choice([-1, 1], 2)), FEET - 2)
    path_to(miner, (goal[0] + 0.5, goal[2] + 0.5, goal[1] + 0.5), DIG_BLOCK, 40_000)
    path = [tuple(row) for row in miner.path[: int(miner.answer[1])].tolist()]
    for before, after in itertools.pairwise(path):
        for cell in (*cells_to_clear(before[:3], after[:3], after[3]), after[:3]):
            assert not miner.flags(*cell) & HOT, f"{cell} of {before} -> {after}"
        assert miner.flags(*after[:3]) & (PASS | IS_WATER) or cells_to_clear(
            before[:3], after[:3], after[3]
        )
    if len(path) > 1:
        walk(flat, miner)
        assert not flat.in_lava
        assert flat.health == 20 or flat.head_in_water


def test_a_path_does_not_dig_down_into_lava_above_water():
    """The first blocks below the dug block decide."""

    class Ground:
        def __init__(self, *below):
            self.below = below

        def flags(self, x, y, z):
            return self.below[10 - y - 2] if y < 9 else 0

    safe = [
        _is_safe_below(Ground(*below), (0, 10, 0))
        for below in (
            (IS_WATER,),
            (STAND,),
            (PASS, STAND),
            (HOT, IS_WATER, STAND),
            (PASS, PASS, PASS),
        )
    ]
    assert safe == [True, True, True, False, False]
