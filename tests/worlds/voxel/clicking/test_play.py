"""Random clicks, keys, drags and closings in every screen lose nothing, double nothing and fit snapshots."""

import numpy as np
import pytest

from optimus_gym.core.actions import ACTION_LENGTH, camera_turns
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import Setup
from optimus_gym.game.blocks import block
from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.land.cells import set_block
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.voxel.clicking.random_clicks import (
    INERT,
    Clicker,
    consistent,
    weight,
    weights,
    with_smelting,
)

SHARES = {"inert": 0.5, "crafting": 0.35, "smelting": 0.15}
"""Share of the steps of each kind of contents."""
SMELTING = ("iron_ore", "iron_ingot", "beef", "cooked_beef", "bucket", "lava_bucket", "dirt")


def clicker(kind, seed):
    """Return a player amid contents that do not change, that grids change or that ovens change."""
    if kind == "inert":
        return Clicker(seed, INERT)
    known = weights()
    if kind == "smelting":
        return Clicker(seed, SMELTING, weight(with_smelting(known)))
    return Clicker(seed, consistent(known), weight(known), ovens=False)


@pytest.mark.parametrize("kind", SHARES)
def test_random_clicks_conserve_all_items(kind):
    player = clicker(kind, 1)
    player.play(int(30_000 * SHARES[kind]))
    assert min(player.opened.values()) > 10


@pytest.mark.slow
@pytest.mark.parametrize("kind", SHARES)
def test_200_000_random_clicks_conserve_all_items(kind):
    player = clicker(kind, 2)
    player.play(int(200_000 * SHARES[kind]))
    assert min(player.opened.values()) > 100


def test_crafted_weights_cover_grids_of_both_sizes_and_both_benches():
    names = consistent(weights())
    for name in (
        "oak_planks",
        "stick",
        "chest",
        "stone_stairs",
        "netherite_axe",
        "diamond_axe",
        "repeater",
    ):
        assert name in names, name


def acts(rng, steps):
    """Return random keys and turns for some ticks."""
    actions = np.zeros((steps, ACTION_LENGTH), np.int32)
    for place, share in ((3, 0.1), (5, 0.5), (6, 0.4), (7, 0.05), (8, 0.05), (9, 0.05)):
        actions[:, place] = rng.random(steps) < share
    actions[:, 10] = rng.integers(0, 10, steps) * (rng.random(steps) < 0.1)
    turns = rng.normal(0, 12, (steps, 2)) * (rng.random((steps, 1)) < 0.6)
    return actions, turns


def small_world():
    """Return two worlds with screens, the first with a chest before the player."""
    world = VoxelWorld(2, view_distance=16, threads=1)
    kit = {"oak_log": 30, "iron_ingot": 20, "stone": 64, "iron_boots": 1, "stick": 40}
    for row in (0, 1):
        world.reset(row, Setup(seed=5 + row, biome="plains", inventory=kit, screens=True))
    player = world.worlds.players[0]
    player["yaw"] = player["pitch"] = 0
    x, y, z = (int(np.floor(player[name])) for name in ("x", "y", "z"))
    for ahead, name in ((1, "air"), (2, "chest")):
        set_block(world.worlds, 0, x, y + 1, z + ahead, block(name).id)
    return world


def test_a_restored_world_with_an_open_screen_goes_on_alike():
    world, rng = small_world(), np.random.default_rng(3)
    opened = set()
    for _ in range(6):
        for name, turn in (("inventory", 8), ("use", 6)):
            actions, turns = acts(rng, 60)
            world.worlds.players["yaw"][0] = world.worlds.players["pitch"][0] = 0
            actions[0, turn] = 1
            for k in range(30):
                world.tick([0], actions[k : k + 1], turns[k : k + 1])
            opened.add(int(world.screens([0])[0]))
            saved = world.snapshot(0)
            world.restore(1, Snapshot.from_bytes(saved.to_bytes()))
            assert world.snapshot(1) == saved, name
            for k in range(30, 60):
                both = np.repeat(actions[k : k + 1], 2, 0)
                world.tick([0, 1], both, np.repeat(turns[k : k + 1], 2, 0))
            assert world.snapshot(0) == world.snapshot(1), name
    assert {1, 4} <= opened
    world.close()


def test_counts_and_pockets_agree_and_leave_out_what_a_screen_holds():
    world = small_world()
    actions, turns = acts(np.random.default_rng(4), 200)
    actions[0, 8] = 1
    for k in range(200):
        world.tick([0], actions[k : k + 1], turns[k : k + 1])
        pockets, counts = world.pockets([0])[0], world.counts([0])[0]
        offhand = world.worlds.slots[0, 36:]
        sums = np.bincount(pockets[:, 0], pockets[:, 1], 976)
        sums += np.bincount(offhand["item"], offhand["count"], 976)
        assert np.array_equal(sums[1:], counts[1:])
    world.close()


def test_a_player_that_dies_and_respawns_at_once_has_no_open_screen():
    world = small_world()
    still = np.zeros((1, ACTION_LENGTH), np.int32)
    turns = camera_turns(np.full((1, ACTION_LENGTH), 5))
    still[0, 8] = 1
    world.tick([0], still, turns)
    assert world.screens([0])[0] == 1
    world.worlds.laid[0, 9] = item("dirt").id, 7, 0
    world.worlds.players["alive"][0] = 0
    world.respawn(0)
    assert world.screens([0])[0] == 0
    drops = world.worlds.drops[0]
    assert drops["count"][drops["item"] == item("dirt").id].sum() == 7
    world.close()
