"""Item entities lie, float, merge, burn, age and are picked up."""

import numpy as np
import pytest

from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.snapshot import read, take
from optimus_gym.worlds.voxel.things.drops import drop_at
from tests.worlds.flat import FEET, Flat


def drop(flat: Flat, name: str, count: int = 1, at: tuple[float, float, float] = (8.5, 65, 0.5)):
    drop_at(flat.worlds, 0, *[float(part) for part in at], item(name).id, count, 0)


def lie(flat: Flat, ticks: int = 40):
    flat.tick(ticks)
    return flat.worlds.drops[0]


def test_an_item_comes_to_rest_on_the_ground():
    flat = Flat()
    drop(flat, "dirt")
    row = lie(flat, 60)[0]
    assert row["y"] == FEET
    assert (row["vx"], row["vz"]) == pytest.approx((0, 0), abs=1e-3)


def test_an_item_is_picked_up_after_ten_ticks():
    flat = Flat()
    drop(flat, "dirt", 3, (0.5, 64.5, 0.5))
    flat.tick(9)
    assert flat.held() == {}
    flat.tick()
    assert flat.held() == {"dirt": 3}
    assert flat.events() == [("picked_up", item("dirt").id, 3)]


def test_the_pick_up_reach_is_one_block_to_the_side():
    near, far = Flat(), Flat()
    for flat, x in ((near, 0.5 + 0.3 + 1.0 + 0.12), (far, 0.5 + 0.3 + 1.0 + 0.13)):
        drop(flat, "dirt", 1, (x, 64, 0.5))
        flat.worlds.drops[0]["vx"] = flat.worlds.drops[0]["vz"] = 0
        flat.tick(12)
    assert near.held() == {"dirt": 1}
    assert far.held() == {}


def test_the_player_picks_up_only_as_many_items_as_fit():
    flat = Flat()
    for k in range(36):
        flat.give(k, "stone", 64)
    flat.give(3, "dirt", 62)
    drop(flat, "dirt", 5, (0.5, 64.5, 0.5))
    flat.tick(12)
    assert flat.slot(3) == ("dirt", 64, 0)
    assert flat.lying() == {"dirt": 3}


def test_like_stacks_merge():
    flat = Flat()
    for _ in range(5):
        drop(flat, "dirt", 2)
    drop(flat, "sand", 2)
    drops = lie(flat, 80)
    assert sorted(drops["count"][drops["item"] > 0].tolist()) == [2, 10]


def test_an_item_vanishes_after_five_minutes():
    flat = Flat()
    drop(flat, "dirt")
    flat.tick(5999)
    assert flat.lying() == {"dirt": 1}
    flat.tick()
    assert flat.lying() == {}


def test_items_burn_in_lava_and_float_in_water():
    flat = Flat()
    for z in range(-2, 3):
        for x in range(6, 11):
            flat.put(x, FEET - 1, z, "lava")
            flat.put(-x, FEET - 2, z, "water")
            flat.put(-x, FEET - 1, z, "water")
    drop(flat, "dirt")
    drop(flat, "sand", 1, (-7.5, FEET - 1.5, 0.5))
    drops = lie(flat, 200)
    assert flat.lying() == {"sand": 1}
    assert drops["y"][drops["item"] > 0][0] > FEET - 0.6


def test_an_item_under_a_new_block_moves_up():
    flat = Flat()
    drop(flat, "dirt")
    row = lie(flat, 60)[0]
    x, z = int(np.floor(row["x"])), int(np.floor(row["z"]))
    flat.put(x, FEET, z, "stone")
    assert lie(flat, 20)[0]["y"] == FEET + 1


def test_the_oldest_item_makes_room_for_a_new_one():
    flat = Flat()
    drop(flat, "diamond")
    flat.tick()
    most = flat.worlds.drops.shape[1]
    for _ in range(most):
        drop(flat, "stone_axe")
    assert flat.lying() == {"stone_axe": most}


def test_distant_items_neither_move_nor_age():
    flat = Flat()
    drop(flat, "dirt", 1, (30.5, 65, 0.5))
    row = lie(flat, 60)[0]
    assert (row["y"], row["age"]) == (65, 0)


def put_around(flat: Flat, name: str):
    """Put blocks where an item dropped at x = 8.5, z = 0.5 lands."""
    for x in range(7, 10):
        for z in range(-1, 2):
            flat.put(x, FEET, z, name)


@pytest.mark.parametrize("harm", ["fire", "cactus", "lava"])
def test_fire_lava_and_cactus_destroy_items(harm):
    flat = Flat("netherrack" if harm == "fire" else "sand")
    put_around(flat, harm)
    drop(flat, "dirt", 3, (8.5, FEET + 1.5, 0.5))
    drop(flat, "dirt", 2, (15.5, FEET + 1.5, 0.5))
    flat.tick(60)
    assert flat.lying() == {"dirt": 2}


def test_netherite_items_survive_fire_and_lava_but_no_cactus():
    for harm, left in (
        ("fire", {"netherite_ingot": 1}),
        ("lava", {"netherite_ingot": 1}),
        ("cactus", {}),
    ):
        flat = Flat("netherrack" if harm == "fire" else "sand")
        put_around(flat, harm)
        drop(flat, "netherite_ingot", 1, (8.5, FEET + 1.5, 0.5))
        flat.tick(60)
        assert flat.lying() == left


def test_an_item_survives_a_moment_in_fire():
    flat = Flat("netherrack")
    drop(flat, "dirt", 1, (8.5, FEET + 0.1, 0.5))
    flat.tick(30)
    flat.put(8, FEET, 0, "fire")
    flat.tick(4)
    flat.put(8, FEET, 0, "air")
    flat.tick(20)
    assert flat.lying() == {"dirt": 1}


def test_the_pick_up_reach_is_half_a_block_down():
    """Minecraft Wiki, "Drops": 1 block to the sides, half a block up and down from the player's box."""
    for ground, reached in (("smooth_stone_slab", True), ("stone", False)):
        flat = Flat()
        flat.put(0, FEET, 0, ground)
        flat.set(y=FEET + (0.5 if reached else 1.0))
        drop(flat, "dirt", 1, (1.5, FEET, 0.5))
        flat.worlds.drops[0]["vx"] = flat.worlds.drops[0]["vz"] = 0
        flat.tick(20)
        assert flat.held() == ({"dirt": 1} if reached else {})


def test_a_thrown_item_cannot_be_picked_up_for_two_seconds():
    """Minecraft Wiki, "Item (entity)": 40 ticks after a throw, 10 after anything else."""
    flat = Flat()
    flat.give(0, "dirt")
    flat.set(pitch=90.0)
    flat.tick(drop=1)
    flat.tick(38)
    assert flat.held() == {}
    flat.tick(3)
    assert flat.held() == {"dirt": 1}


def test_worn_and_new_tools_do_not_merge():
    flat = Flat()
    for damage in (0, 7):
        drop(flat, "wooden_hoe", 1, (4.5, FEET, 0.5))
        flat.worlds.drops[0, 1 if damage else 0]["damage"] = damage
    flat.tick(40)
    lying = flat.worlds.drops[0][flat.worlds.drops[0]["item"] > 0]
    assert sorted(lying["damage"]) == [0, 7]


@pytest.mark.parametrize("way", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_the_pick_up_reach_is_the_same_on_all_sides(way):
    """Minecraft Wiki, "Drops": a block from the player's box: 1.3 and half an item from its middle."""
    for far, held in ((1.4, {"dirt": 1}), (1.45, {})):
        flat = Flat()
        drop(flat, "dirt", 1, (0.5 + far * way[0], 64, 0.5 + far * way[1]))
        flat.worlds.drops[0]["vx"] = flat.worlds.drops[0]["vz"] = 0
        flat.tick(12)
        assert flat.held() == held


@pytest.mark.parametrize("way", ["picked up", "burnt"])
def test_a_worn_tool_that_is_gone_leaves_no_wear_behind(way):
    """An empty row with wear left made a world that could be saved and not restored."""
    flat = Flat()
    worn = item("iron_pickaxe").id
    for k in range(2):
        drop_at(flat.worlds, 0, 3.5 if k else 0.5, FEET, 0.5, worn, 1, 7)
    drops = flat.worlds.drops[0]
    if way == "burnt":
        flat.put(3, FEET, 0, "lava")
    flat.tick(60)
    gone = drops["item"] == 0
    assert gone.sum() == len(drops) - (way != "burnt")
    assert not drops["damage"][gone].any()
    assert not drops["count"][gone].any()
    read(take(flat.worlds, 0))
