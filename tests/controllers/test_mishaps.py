"""Mishaps throw players into the nearest water or into pits, where the land allows it."""

from dataclasses import fields

import numpy as np
import pytest

from optimus_gym.controllers.mishaps import (
    INTO_PIT,
    INTO_WATER,
    PIT_DEPTH,
    WATER_RANGE,
    befall,
    nearest_water,
)
from optimus_gym.controllers.unreliable import UnreliableController
from optimus_gym.core.actions import noop
from optimus_gym.core.types import Setup, SubGoal
from optimus_gym.game.blocks import block_names
from optimus_gym.worlds.voxel.land.window import ensure_area
from optimus_gym.worlds.voxel.predicaments import predicaments_of
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.controllers.play import setting_of
from tests.controllers.rescue import Idle, Land
from tests.worlds.flat import FEET, Flat
from tests.worlds.voxel.test_invariants import (
    assert_equals_a_rebuild,
    assert_outside_of_blocks,
    assert_within_bounds,
)

FIRST = 420_000
IN_WATER = ("kelp", "kelp_plant", "seagrass", "tall_seagrass")
"""Plants that grow only in water."""


def land_of(seed, view_distance=64, **setup):
    world = VoxelWorld(1, view_distance)
    world.reset(0, Setup(seed, **setup))
    return world


def water_by_search(world):
    """Return the distance of the nearest open water two blocks deep and all such cells.

    The search reads all cells within 50 blocks by their names.

    Returns:
        The distance, infinite if there is none, and the cells as a set of (x, y, z).
    """
    player = world.worlds.players[0]
    ensure_area(world.worlds, 0, float(player["x"]), float(player["z"]), 4)
    around = [np.arange(-50, 51) + int(np.floor(player[axis])) for axis in "xz"]
    width = world.worlds.voxels.shape[1]
    voxels = world.worlds.voxels[0][np.ix_(around[0] % width, around[1] % width)]
    names, states = np.array(block_names())[voxels & BLOCK_MASK], voxels >> BLOCK_BITS
    still = (names == "water") & (states == 0)
    wet, air = still | np.isin(names, IN_WATER), np.isin(names, ("air", "cave_air"))
    xs, zs, ys = np.nonzero(still[..., 1:-1] & air[..., 2:] & wet[..., :-2])
    cells = np.stack([around[0][xs], ys + 1, around[1][zs]], axis=1)
    feet = np.array([player["x"], player["y"], player["z"]])
    away = np.linalg.norm(cells + np.array([0.5, 0.0, 0.5]) - feet, axis=1)
    least = away.min(initial=np.inf)
    return least, {tuple(cell) for cell in cells[away == least].tolist()}


def test_the_nearest_water_does_not_depend_on_loaded_land():
    distances = []
    for seed in range(FIRST, FIRST + 12):
        found = nearest_water(land_of(seed, 16).worlds, 0)
        world = land_of(seed)
        away, cells = water_by_search(world)
        distances.append(away)
        assert found == nearest_water(world.worlds, 0)
        assert found in cells if away <= WATER_RANGE else found is None
    assert min(distances) < 16 < max(d for d in distances if d <= WATER_RANGE)
    assert max(distances) > WATER_RANGE


def test_changed_water_is_found_in_its_present_state():
    world = land_of(FIRST, biome="ocean")
    land = Land(world, 0)
    for _ in range(6):
        x, y, z = nearest_water(world.worlds, 0)
        assert (x, y, z) in water_by_search(world)[1]
        land.put(x, y + 1, z, "glass")
        assert nearest_water(world.worlds, 0) != (x, y, z)


@pytest.fixture
def flat():
    """Return flat ground without water in reach."""
    made = Flat()
    made.set(seed=DRY)
    assert nearest_water(made.worlds, 0) is None
    return made


DRY = 3
"""A seed whose land beyond the flat ground is dry."""


def pour(flat, x, top, deep=2, z=0):
    for y in range(top - deep + 1, top + 1):
        flat.put(x, y, z, "water")


def test_only_open_still_water_two_blocks_deep_counts(flat):
    pour(flat, 5, FEET - 1, deep=1)
    assert nearest_water(flat.worlds, 0) is None
    pour(flat, 7, FEET - 1)
    flat.put(7, FEET, 0, "oak_slab")
    assert nearest_water(flat.worlds, 0) is None
    pour(flat, 8, FEET - 1)
    flat.put(8, FEET - 1, 0, "water", 1)  # it flows
    assert nearest_water(flat.worlds, 0) is None
    pour(flat, 12, FEET - 1)
    assert nearest_water(flat.worlds, 0) == (12, FEET - 1, 0)
    pour(flat, 9, FEET - 1)
    flat.put(9, FEET - 2, 0, "seagrass")
    assert nearest_water(flat.worlds, 0) == (9, FEET - 1, 0)


def test_water_counts_up_to_forty_eight_blocks_away(flat):
    pour(flat, 20, FEET)
    flat.set(x=20.5 - WATER_RANGE)
    assert nearest_water(flat.worlds, 0) == (20, FEET, 0)
    flat.set(x=20.5 - WATER_RANGE - 0.01)
    assert nearest_water(flat.worlds, 0) is None


def everything(flat):
    return {f.name: getattr(flat.worlds, f.name).copy() for f in fields(flat.worlds)}


def changed(flat, before):
    """Return the names of the changed arrays."""
    return {name for name, array in everything(flat).items() if (array != before[name]).any()}


def test_a_player_thrown_into_water_is_unhurt_and_in_water_at_the_next_tick(flat):
    pour(flat, 12, FEET - 1)
    flat.set(fall=40, vy=-2, on_ground=0)
    before = everything(flat)
    assert befall(flat.worlds, 0, INTO_WATER) == INTO_WATER
    assert changed(flat, before) == {"players"}
    assert (flat.x, flat.y, flat.z) == (12.5, FEET - 2, 0.5)
    flat.tick()
    assert flat.in_water
    assert predicaments_of(flat.worlds, 0) == {"in_water"}
    flat.tick(20)
    assert flat.health == 20


def test_a_pit_is_five_blocks_deep_drops_nothing_costs_one_heart_and_holds_its_player(flat):
    flat.set(x=0.9, z=0.1, fall=40, vx=0.3, vy=-2)
    before = flat.worlds.voxels[0].copy()
    assert befall(flat.worlds, 0, INTO_PIT) == INTO_PIT
    gone = np.argwhere(flat.worlds.voxels[0] != before).tolist()
    assert gone == [[0, 0, y] for y in range(FEET - PIT_DEPTH, FEET)]
    assert {flat.at(*(x, y, z)) for x, z, y in gone} == {"air"}
    assert (flat.x, flat.y, flat.z) == (0.5, FEET, 0.5)
    flat.tick(40)
    assert (flat.y, flat.health, flat.on_ground) == (FEET - 5, 18, 1)
    assert predicaments_of(flat.worlds, 0) == {"drop_down"}
    assert flat.lying() == flat.held() == {}
    assert (flat.worlds.voxels[0] != before).sum() == 5


def test_a_pit_replaces_water_that_is_out_of_reach(flat):
    assert befall(flat.worlds, 0, INTO_WATER) == INTO_PIT
    assert flat.at(0, FEET - 1, 0) == "air"


def test_the_contents_of_an_oven_in_a_pits_place_drop_once(flat):
    flat.put(0, FEET - 2, 0, "furnace", 2 << 1)
    for slot, (name, count) in enumerate({"iron_ore": 3, "coal": 1}.items()):
        flat.give(slot, name, count)
    flat.tick(5, smelt="iron_ingot")
    owned = flat.cooking()
    for name, count in flat.held().items():
        owned[name] = owned.get(name, 0) + count
    assert flat.cooking()
    assert befall(flat.worlds, 0, INTO_PIT) == INTO_PIT
    flat.tick(60)
    assert flat.cooking() == {}
    total = flat.held()
    for name, count in flat.lying().items():
        total[name] = total.get(name, 0) + count
    assert total == owned


def test_a_torch_in_a_pits_place_drops_once(flat):
    flat.put(0, FEET, 0, "torch")
    assert befall(flat.worlds, 0, INTO_PIT) == INTO_PIT
    flat.tick(60)
    assert flat.at(0, FEET, 0) == "air"
    assert [*flat.held().items(), *flat.lying().items()] == [("torch", 1)]


BELOW = [(down, name) for down in (1, 3, 5) for name in ("bedrock", "air", "water", "ice", "chest")]
BESIDE = [(1, "water"), (2, "air"), (5, "lava"), (5, "oak_slab")]
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        *(((0, -down, 0), name) for down, name in BELOW),
        *(((dx, -down, dz), name) for down, name in BESIDE for dx, dz in SIDES),
        *(((0, -6, 0), name) for name in ("air", "water", "sand", "oak_slab")),
        *(((0, 0, 0), name) for name in ("water", "oak_slab")),
        *(((0, 1, 0), name) for name in ("water", "oak_leaves")),
    ],
)
def test_a_pit_needs_solid_ground_and_solid_walls(flat, cell, name):
    flat.put(cell[0], FEET + cell[1], cell[2], name)
    before = everything(flat)
    for kind in (INTO_PIT, INTO_WATER):
        assert befall(flat.worlds, 0, kind) is None
    assert changed(flat, before) == set()


def test_a_pit_does_not_reach_the_bottom_of_the_world(flat):
    for up in (5, 6, 7, 8):
        flat.put(0, up, 0, "air")
    flat.set(y=5)
    assert befall(flat.worlds, 0, INTO_PIT) is None
    flat.set(y=6)
    flat.put(0, 5, 0, "stone")
    assert befall(flat.worlds, 0, INTO_PIT) == INTO_PIT
    assert (flat.at(0, 1, 0), flat.at(0, 0, 0)) == ("air", "bedrock")


@pytest.mark.parametrize("kind", [INTO_WATER, INTO_PIT])
def test_dead_and_sleeping_players_meet_no_mishap(flat, kind):
    pour(flat, 12, FEET - 1)
    flat.worlds.sleeps["ticks"] = 1
    before = everything(flat)
    assert befall(flat.worlds, 0, kind) is None
    flat.worlds.sleeps["ticks"] = 0
    flat.set(alive=0)
    assert befall(flat.worlds, 0, kind) is None
    flat.set(alive=1)
    assert changed(flat, before) == {"sleeps"}
    assert befall(flat.worlds, 0, kind) == kind


def test_the_world_reports_the_predicament_of_a_mishap():
    """The controller causes mishaps on generated land and then lets its players recover."""
    told = {INTO_WATER: "in_water", INTO_PIT: "drop_down"}
    rows = list(range(16))
    world = VoxelWorld(len(rows))
    controller = UnreliableController(Recovering(), idle=0.0, abandon=0.0, mishaps=1.0)
    controller.attach(setting_of(world, len(rows)))
    for row in rows:
        world.reset(row, Setup(FIRST + row))
    controller.begin_episodes(rows, [FIRST + row for row in rows])
    for verb, ticks in (("mine", 1), ("recover", 40)):
        controller.begin_subgoals(
            rows, [SubGoal(verb, "oak_log" if verb == "mine" else "hurt")] * len(rows)
        )
        for _ in range(ticks):
            actions, _ = controller.act(rows, {}, np.ones(len(rows), np.bool_))
            world.tick(rows, actions)
    befallen = [controller.mishaps_of(row) for row in rows]
    assert {kind for one in befallen for _, kind in one} == set(told)
    for row, mishaps in enumerate(befallen):
        assert len(mishaps) <= 1
        for tick, kind in mishaps:
            assert tick == 1
            assert told[kind] in world.predicaments(row)
            assert_equals_a_rebuild(world.worlds, row, 64)
    assert_outside_of_blocks(world.worlds)
    assert_within_bounds(world.worlds)


class Recovering(Idle):
    """Stands still, also during a recovery."""

    verbs = frozenset({"mine", "recover"})


def test_a_player_at_sea_is_thrown_into_the_nearest_water():
    world = land_of(FIRST, biome="ocean")
    away, cells = water_by_search(world)
    assert away <= WATER_RANGE
    assert befall(world.worlds, 0, INTO_WATER) == INTO_WATER
    x, y, z = world.poses([0])[0, :3].tolist()
    assert (x - 0.5, y + 1, z - 0.5) in cells
    world.tick([0], noop()[None])
    assert "in_water" in world.predicaments(0)
