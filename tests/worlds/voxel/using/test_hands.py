"""The keys that throw the held item and swap hand and off-hand."""

import math

import numpy as np
import pytest

from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.snapshot import read, take, write
from optimus_gym.worlds.voxel.state.worlds import OFFHAND, make_worlds
from optimus_gym.worlds.voxel.things.drops import THROWN_DELAY, drop_at
from tests.worlds.flat import FEET, Flat

EYE, SNEAKING_EYE = 1.62, 1.27
FAR = (30.5, 65.0, 0.5)
"""A place so far away that items there neither move nor age."""


def thrown(flat: Flat):
    """Return the rows of items that lie or fly."""
    drops = flat.worlds.drops[0]
    return drops[drops["item"] > 0]


def same_state(one: Flat, other: Flat) -> bool:
    """Return whether two worlds have the same bytes."""
    pairs = zip(one.worlds.arrays().values(), other.worlds.arrays().values(), strict=True)
    return all(a.tobytes() == b.tobytes() for a, b in pairs)


def throw(yaw: float = 0.0, pitch: float = 0.0, **keys: int):
    """Throw a piece of dirt in a direction; return its row after its first tick."""
    flat = Flat()
    flat.give(0, "dirt", 2)
    flat.set(yaw=yaw, pitch=pitch)
    flat.tick(drop=1, **keys)
    return thrown(flat)[0]


def test_each_tick_of_the_drop_key_throws_one_item():
    flat = Flat()
    flat.give(0, "dirt", 3)
    flat.set(pitch=-20)
    for left in (2, 1, 0, 0):
        flat.tick(drop=1)
        assert flat.held().get("dirt", 0) == left
        assert flat.lying() == {"dirt": 3 - left}
    assert flat.slot(0)[1:] == (0, 0)


@pytest.mark.parametrize(("yaw", "pitch"), [
    (0, 0), (90, 0), (200, -45), (310, 60), (0, 90), (45, -90),
])  # fmt: skip
def test_a_thrown_item_flies_along_the_view(yaw, pitch):
    flat = math.cos(math.radians(pitch)) * 0.3
    row = throw(yaw, pitch)
    ahead = (-math.sin(math.radians(yaw)) * flat, math.cos(math.radians(yaw)) * flat)
    assert row["x"] - 0.5 == pytest.approx(ahead[0], abs=0.021)
    assert row["z"] - 0.5 == pytest.approx(ahead[1], abs=0.021)
    up = 0.1 - math.sin(math.radians(pitch)) * 0.3 - 0.04
    assert row["y"] - (FEET + EYE - 0.3) == pytest.approx(up, abs=0.1)


def test_throws_differ_a_little():
    assert len({float(throw()["x"]), float(throw(yaw=1)["x"])}) == 2
    flat = Flat()
    flat.give(0, "dirt", 60)
    for _ in range(60):
        flat.worlds.drops["item"] = 0
        flat.tick(drop=1)
        row = thrown(flat)[0]
        assert math.hypot(row["x"] - 0.5, row["z"] - 0.8) <= 0.02
    assert flat.held() == {}


def test_a_sneaking_player_throws_from_lower():
    up = throw()["y"] - throw(sneak=1)["y"]
    assert up == pytest.approx(EYE - SNEAKING_EYE, abs=1e-9)


def test_a_thrown_item_can_be_picked_up_after_forty_ticks():
    flat = Flat()
    flat.give(0, "dirt", 1)
    flat.set(pitch=90)
    flat.tick(drop=1)
    flat.tick(THROWN_DELAY - 2)
    assert flat.held() == {}
    flat.tick()
    assert flat.held() == {"dirt": 1}
    assert flat.events() == [("picked_up", item("dirt").id, 1)]


def test_a_thrown_tool_keeps_its_wear():
    flat = Flat()
    flat.give(0, "iron_pickaxe", 1, 77)
    flat.set(pitch=90)
    flat.tick(drop=1)
    assert thrown(flat)[0]["damage"] == 77
    flat.tick(THROWN_DELAY)
    assert flat.slot(0) == ("iron_pickaxe", 1, 77)


def test_a_throw_uses_the_slot_selected_in_the_same_tick():
    flat = Flat()
    flat.give(0, "dirt", 1)
    flat.give(4, "sand", 2)
    flat.tick(drop=1, hotbar=5)
    assert flat.held() == {"dirt": 1, "sand": 1}


def test_an_empty_hand_throws_nothing():
    still, pressed = Flat(), Flat()
    for flat, key in ((still, 0), (pressed, 1)):
        flat.give(1, "dirt", 1)
        flat.tick(drop=key)
    assert same_state(still, pressed)


def test_a_throw_swings_the_arm():
    flat = Flat()
    flat.give(0, "dirt", 1)
    flat.tick(drop=1)
    assert flat.swing == 1


def test_a_full_table_of_items_keeps_the_item_in_the_hand():
    flat = Flat()
    for _ in range(flat.worlds.drops.shape[1]):
        drop_at(flat.worlds, 0, *FAR, item("stone_axe").id, 1, 0)
    before = flat.lying()
    flat.give(0, "dirt", 2)
    flat.tick(drop=1)
    assert flat.held() == {"dirt": 2}
    assert flat.lying() == before


def test_the_swap_key_exchanges_whole_stacks():
    flat = Flat()
    flat.give(2, "iron_axe", 1, 9)
    flat.give(OFFHAND, "dirt", 40)
    flat.set(hotbar=2)
    flat.tick(swap_hands=1)
    assert flat.slot(2) == ("dirt", 40, 0)
    assert flat.slot(OFFHAND) == ("iron_axe", 1, 9)
    flat.tick(swap_hands=1)
    assert flat.slot(2) == ("iron_axe", 1, 9)


def test_the_swap_key_works_with_empty_hands():
    flat = Flat()
    flat.tick(swap_hands=1)
    assert flat.held() == {}
    flat.give(0, "shield", 1, 3)
    flat.tick(swap_hands=1)
    assert flat.slot(0)[1:] == (0, 0)
    assert flat.slot(OFFHAND) == ("shield", 1, 3)


def test_swap_and_drop_in_one_tick_throw_the_offhand_item():
    flat = Flat()
    flat.give(0, "dirt", 2)
    flat.give(OFFHAND, "sand", 2)
    flat.tick(swap_hands=1, drop=1)
    assert flat.lying() == {"sand": 1}
    assert flat.slot(OFFHAND) == ("dirt", 2, 0)


def test_picked_up_items_join_the_offhand_stack():
    flat = Flat()
    flat.give(0, "dirt", 3)
    flat.tick(swap_hands=1)
    drop_at(flat.worlds, 0, 0.5, FEET + 0.5, 0.5, item("dirt").id, 2, 0)
    flat.tick(12)
    assert flat.slot(OFFHAND) == ("dirt", 5, 0)


def test_an_equipped_shield_replaces_the_offhand_item():
    flat = Flat()
    flat.give(OFFHAND, "dirt", 40)
    flat.give(12, "shield")
    flat.tick(equip="shield")
    assert flat.slot(OFFHAND) == ("shield", 1, 0)
    assert flat.slot(12) == ("dirt", 40, 0)


@pytest.mark.parametrize("keys", [{"swap_hands": 1}, {"hotbar": 2}])
def test_digging_restarts_with_a_new_item_in_the_hand(keys):
    flat = Flat()
    flat.give(0, "stone_pickaxe")
    flat.give(1, "iron_pickaxe")
    flat.give(OFFHAND, "iron_pickaxe")
    flat.set(pitch=90)
    flat.tick(9, attack=1)
    assert flat.dig_progress > 0.5
    flat.tick(attack=1, **keys)
    assert flat.dig_progress == 0
    assert flat.dig_item == item("iron_pickaxe").id
    assert flat.at(0, FEET - 1, 0) == "stone"


def test_digging_restarts_when_the_tool_is_thrown_away():
    flat = Flat()
    flat.give(0, "stone_pickaxe")
    flat.set(pitch=90)
    flat.tick(9, attack=1)
    flat.tick(attack=1, drop=1)
    assert (flat.dig_progress, flat.dig_item) == (0, 0)


def test_a_meal_restarts_after_a_swap_of_the_same_food():
    flat = Flat()
    flat.worlds.rules["survival"] = 1
    flat.set(food=10)
    flat.give(0, "bread", 2)
    flat.give(OFFHAND, "bread", 3)
    flat.tick(30, use=1)
    assert flat.worlds.needs["chewed"][0] == 30
    flat.tick(use=1, swap_hands=1)
    assert flat.worlds.needs["chewed"][0] == 1
    flat.tick(40, use=1)
    assert (flat.slot(0)[1], flat.slot(OFFHAND)[1]) == (2, 2)


@pytest.mark.parametrize("state", [{"alive": 0}, {}], ids=["dead", "asleep"])
def test_dead_and_sleeping_players_neither_throw_nor_swap(state):
    flat = Flat()
    flat.put(0, FEET, 0, "red_bed", 1)
    flat.worlds.skies["time"] = 18_000
    flat.worlds.sleeps[0] = (0, 0, 0, 0, 0) if state else asleep(flat)
    flat.set(**state)
    flat.give(0, "dirt", 2)
    flat.give(OFFHAND, "sand", 2)
    before = flat.worlds.slots.copy()
    flat.tick(drop=1, swap_hands=1)
    assert flat.worlds.sleeps["ticks"][0] == (0 if state else 2)
    assert flat.worlds.slots.tobytes() == before.tobytes()
    assert flat.lying() == {}


def asleep(flat: Flat):
    """Lay the player into the bed at its feet; return the SLEEP row."""
    row = np.zeros((), flat.worlds.sleeps.dtype)
    row["ticks"], row["x"], row["y"], row["z"], row["health"] = 1, 0, FEET, 0, 20
    return row


def test_the_inventory_key_does_nothing():
    still, pressed = Flat(), Flat()
    for flat, key in ((still, 0), (pressed, 1)):
        flat.give(0, "dirt", 2)
        flat.give(OFFHAND, "sand", 2)
        flat.tick(5, inventory=key, attack=1, forward=1)
    assert same_state(still, pressed)


def test_a_snapshot_keeps_the_offhand_and_flying_items():
    flat = Flat()
    flat.give(0, "dirt", 2)
    flat.tick(swap_hands=1)
    flat.give(0, "sand", 2)
    flat.tick(drop=1)
    other = make_worlds(1, 64)
    write(other, 0, read(take(flat.worlds, 0)))
    for name in ("slots", "drops"):
        assert getattr(other, name).tobytes() == getattr(flat.worlds, name).tobytes()
