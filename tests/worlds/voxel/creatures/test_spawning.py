"""Numbers of creatures by day and night, against the expectation of the rules."""

import numpy as np
import pytest

from optimus_gym.core.actions import noop
from optimus_gym.core.types import Setup
from optimus_gym.game.biomes import BIOMES
from optimus_gym.worlds.voxel.creatures.kinds import IS_MONSTER, LEAST_PACK, MOST_PACK, WEIGHTS
from optimus_gym.worlds.voxel.creatures.living_land import LOADED_CHUNKS
from optimus_gym.worlds.voxel.creatures.peopling import ground_of, pack_chance
from optimus_gym.worlds.voxel.creatures.spawning import MONSTERS_CAP, choose_kind
from optimus_gym.worlds.voxel.terrain.biomes import DESERT, OCEAN, PLAINS, SNOWY_PLAINS
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.flat import FEET
from tests.worlds.voxel.pen import KINDS, MIDNIGHT, NOON, Pen

ROW = np.zeros(1, np.int64)
MOST_AT_ONCE = 4
"""Maximum number of monsters that spawn together around one place; Minecraft Wiki, "Spawn"."""
_HERE, _CIRCLE = 25 * (1 - np.pi * 24**2 / 80**2), 201
"""Chunks of the loaded land beyond 24 blocks from the player, and chunks of the game's circle."""
ON_OPEN_LAND = 70 * _HERE / (_HERE + _CIRCLE - 25)
"""Monsters expected in the loaded land if all land is alike and no monster has left yet: 6.5."""
STILL = noop()[None]


def kinds_of(worlds):
    return worlds.creatures["kind"][0, : worlds.fauna["creatures"][0]]


def monsters_of_circle(pen: Pen) -> int:
    """Return how many monsters there are, in the loaded land and beyond."""
    return int(IS_MONSTER[kinds_of(pen.worlds)].sum() + pen.worlds.fauna["beyond"][0])


def stay(pen: Pen, ticks: int) -> None:
    for _ in range(ticks):
        pen.tick()
        pen.set(health=20, alive=1, x=0.5, y=FEET, z=0.5, vx=0, vy=0, vz=0)


def test_monsters_reach_their_cap_by_night_and_stay_away_by_day():
    night, day = Pen("stone"), Pen("stone", time=NOON)
    for pen in (night, day):
        stay(pen, 600)
    assert MONSTERS_CAP - 1 <= monsters_of_circle(night) < MONSTERS_CAP + MOST_AT_ONCE
    assert IS_MONSTER[kinds_of(night.worlds)].any()
    assert monsters_of_circle(day) == 0


def test_light_keeps_monsters_away():
    pen = Pen("stone")
    pen.worlds.players["y"] = FEET
    pen.tick()
    pen.worlds.creatures[:] = np.zeros((), pen.worlds.creatures.dtype)
    pen.worlds.fauna["creatures"] = 0
    for _ in range(200):
        pen.worlds.field[:] = pen.worlds.field & np.uint32(0xF0FFFFFF) | np.uint32(8 << 24)
        stay(pen, 1)
    assert len(kinds_of(pen.worlds)) == 0


def test_kinds_are_chosen_by_their_weights():
    rng = np.random.default_rng(0)
    for biome in (PLAINS, DESERT, SNOWY_PLAINS, OCEAN):
        for monsters in (True, False):
            weights = np.where(monsters == IS_MONSTER, WEIGHTS[biome], 0)
            drawn = [choose_kind(biome, monsters, draw) for draw in rng.random(4000)]
            if not weights.any():
                assert set(drawn) == {-1}
                continue
            shares = np.bincount(drawn, minlength=len(KINDS)) / len(drawn)
            assert shares == pytest.approx(weights / weights.sum(), abs=0.03)
    assert BIOMES[DESERT] == "desert"
    assert WEIGHTS[DESERT, KINDS.index("rabbit")] > 0
    assert WEIGHTS[DESERT, KINDS.index("cow")] == 0


def test_packs_have_the_game_s_sizes():
    sizes = set()
    for seed in range(1, 200):
        pen = Pen("grass_block", seed=seed, time=NOON)
        pen.worlds.biomes[:] = SNOWY_PLAINS
        pen.set(seed=seed * 31)
        pen.tick()
        chunks = {(int(c["x"]) >> 4, int(c["z"]) >> 4) for c in pen.creatures}
        for chunk in chunks:
            sizes.add(sum((int(c["x"]) >> 4, int(c["z"]) >> 4) == chunk for c in pen.creatures))
    most = int(MOST_PACK[KINDS.index("rabbit")])
    assert {2, most} <= sizes
    assert pack_chance(SNOWY_PLAINS) < pack_chance(PLAINS)


def on_the_ground(worlds) -> int:
    """Return how many monsters stand on the land's surface or above it."""
    found = 0
    for c in worlds.creatures[0, : worlds.fauna["creatures"][0]]:
        surface = ground_of(worlds, 0, int(np.floor(c["x"])), int(np.floor(c["z"])))
        found += bool(IS_MONSTER[c["kind"]] and c["y"] >= surface - 1)
    return found


@pytest.mark.slow
def test_creature_counts_over_fifty_seeds_match_the_rules():
    """About 49 chunks of 0.111 packs of four where all is grass; monsters up to the cap, day and night.

    By day they come in caves alone.
    """
    world = VoxelWorld(1)
    seen = {14_000: [], 2_000: []}
    for seed in range(50):
        for time, found in seen.items():
            world.reset(0, Setup(seed=seed, biome="plains", time=time, creatures=True))
            for _ in range(600):
                world.tick(ROW, STILL)
                world.worlds.players["health"] = 20
                world.worlds.players["alive"] = 1
            monsters = int(IS_MONSTER[kinds_of(world.worlds)].sum())
            found.append(
                (len(kinds_of(world.worlds)) - monsters, monsters, on_the_ground(world.worlds))
            )
    night, day = (np.mean(found, axis=0) for found in seen.values())
    assert 4.0 < day[0] < 49 * 4 / 9 + 2.0
    for _, monsters, _ in (night, day):
        assert 0.5 * ON_OPEN_LAND < monsters < 2.0 * ON_OPEN_LAND
    assert night[2] > 1.5
    assert day[2] < 0.5


def animals_expected(biome: int, seeds: int) -> tuple[float, float]:
    """Return mean and deviation of the number of animals of new land, all grass, over some worlds.

    A chunk has k packs with probability c^k (1 - c) of its biome's chance c; a pack's size is even
    between the kind's least and most, and the kind is drawn by its weight.
    """
    weights = np.where(IS_MONSTER, 0.0, WEIGHTS[biome])
    weights /= weights.sum()
    sizes = (LEAST_PACK + MOST_PACK) / 2
    squares = ((MOST_PACK - LEAST_PACK + 1) ** 2 - 1) / 12 + sizes**2
    size, square = float(weights @ sizes), float(weights @ squares)
    chance = pack_chance(biome)
    packs, spread = chance / (1 - chance), chance / (1 - chance) ** 2
    chunks = seeds * (2 * LOADED_CHUNKS + 1) ** 2
    return chunks * packs * size, np.sqrt(chunks * (packs * (square - size**2) + spread * size**2))


def counted(seeds: int, biome: int, time: int, ticks: int) -> np.ndarray:
    """Return the animals of new land and the monsters after some ticks for each seed (int64[seeds, 2])."""
    found = []
    for seed in range(1, seeds + 1):
        pen = Pen("grass_block", seed=seed, time=time)
        pen.worlds.biomes[:] = biome
        pen.set(seed=seed * 7919)
        pen.tick()
        animals = int((~IS_MONSTER[kinds_of(pen.worlds)]).sum())
        stay(pen, ticks)
        found.append((animals, int(IS_MONSTER[kinds_of(pen.worlds)].sum())))
    return np.array(found)


@pytest.mark.parametrize("biome", [PLAINS, SNOWY_PLAINS])
def test_open_grass_has_the_expected_numbers_of_creatures(biome):
    """Over fifty seeds, within four deviations; no monster comes by day."""
    seeds = 50
    night, day = (counted(seeds, biome, time, 400) for time in (MIDNIGHT, NOON))
    mean, deviation = animals_expected(biome, seeds)
    assert abs(night[:, 0].sum() - mean) < 4 * deviation
    assert (night[:, 0] == day[:, 0]).all()  # the animals of new land do not depend on the time
    assert (day[:, 1] == 0).all()
    # Packs of four at most come together: a count's variance is at most four times its mean.
    assert abs(night[:, 1].mean() - ON_OPEN_LAND) < 4 * np.sqrt(4 * ON_OPEN_LAND / seeds)
