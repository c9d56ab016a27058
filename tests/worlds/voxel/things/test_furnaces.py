"""Furnaces cook an item in 200 ticks and burn fuels for their published times."""

import numpy as np
import pytest

from optimus_gym.game.items import item
from tests.worlds.flat import FEET, Flat

PLACE = (0, FEET, 2)


def kitchen(**stacks: int) -> Flat:
    flat = Flat()
    flat.put(*PLACE, "furnace", 2 << 1)
    for k, (name, count) in enumerate(stacks.items()):
        flat.give(k, name, count)
    return flat


def ticks_until(flat: Flat, name: str, count: int, most: int = 3000) -> int:
    for ticks in range(1, most):
        flat.tick()
        if flat.held().get(name, 0) >= count:
            return ticks
    raise AssertionError(f"no {count} {name} in {most} ticks")


def test_a_furnace_smelts_an_item_in_200_ticks():
    flat = kitchen(iron_ore=1, coal=1)
    flat.tick(smelt="iron_ingot")
    assert flat.held() == {}
    assert flat.state_at(*PLACE) == 1 | 2 << 1
    assert ticks_until(flat, "iron_ingot", 1) == 199
    assert ("smelted", item("iron_ingot").id, 1) in flat.events()


def test_a_piece_of_coal_smelts_eight_items():
    flat = kitchen(iron_ore=9, coal=2)
    for _ in range(8):
        flat.tick(smelt="iron_ingot")
    assert flat.held() == {"iron_ore": 1, "coal": 1}
    ticks_until(flat, "iron_ingot", 8)
    flat.tick()
    assert flat.state_at(*PLACE) == 2 << 1
    assert flat.cooking() == {}


def test_heat_is_kept_for_the_next_item():
    flat = kitchen(iron_ore=2, coal=1)
    flat.tick(smelt="iron_ingot")
    flat.tick(300)
    flat.tick(smelt="iron_ingot")
    assert flat.held() == {"iron_ingot": 1}
    assert ticks_until(flat, "iron_ingot", 2) <= 201


def test_planks_are_burnt_as_needed():
    flat = kitchen(cobblestone=3, oak_planks=5)
    for _ in range(3):
        flat.tick(smelt="stone")
    ticks_until(flat, "stone", 3)
    assert flat.held() == {"stone": 3, "oak_planks": 3}


def test_a_furnace_takes_coal_before_planks():
    flat = kitchen(cobblestone=1, oak_planks=5, coal=1)
    flat.tick(smelt="stone")
    assert flat.held() == {"oak_planks": 5}


def test_a_single_log_is_not_burnt_as_fuel_for_charcoal():
    flat = kitchen(oak_log=1)
    flat.tick(smelt="charcoal")
    assert flat.held() == {"oak_log": 1}
    flat = kitchen(oak_log=2)
    flat.tick(smelt="charcoal")
    assert flat.held() == {}
    ticks_until(flat, "charcoal", 1)


def test_smelting_needs_fuel_ore_and_a_furnace_in_reach():
    for flat in (kitchen(iron_ore=1), kitchen(coal=1)):
        before = flat.held()
        flat.tick(smelt="iron_ingot")
        assert flat.held() == before
    far = kitchen(iron_ore=1, coal=1)
    far.put(*PLACE, "air")
    far.put(0, FEET, 7, "furnace")
    far.tick(smelt="iron_ingot")
    assert far.held() == {"iron_ore": 1, "coal": 1}


def test_a_busy_furnace_rejects_another_product():
    flat = kitchen(iron_ore=1, gold_ore=1, coal=1)
    flat.tick(smelt="iron_ingot")
    flat.tick(smelt="gold_ingot")
    assert flat.held() == {"gold_ore": 1}
    ticks_until(flat, "iron_ingot", 1)
    flat.tick(smelt="gold_ingot")
    ticks_until(flat, "gold_ingot", 1)


def test_products_wait_for_the_player():
    flat = kitchen(iron_ore=1, coal=1)
    flat.tick(smelt="iron_ingot")
    flat.set(x=12.5)
    flat.tick(400)
    assert flat.cooking() == {"iron_ingot": 1}
    flat.set(x=0.5)
    flat.tick()
    assert flat.held() == {"iron_ingot": 1}


def test_breaking_a_furnace_gives_everything_back():
    flat = kitchen(wooden_pickaxe=1, iron_ore=3, coal=2)
    for _ in range(3):
        flat.tick(smelt="iron_ingot")
    flat.set(pitch=35.0)
    flat.tick(100, attack=1)
    flat.tick(60)
    assert flat.at(*PLACE) == "air"
    lying = flat.lying()
    total = {
        name: lying.get(name, 0) + flat.held().get(name, 0) for name in ("iron_ore", "furnace")
    }
    assert total == {"iron_ore": 3, "furnace": 1}
    assert not flat.worlds.furnaces[0]["used"].any()


def test_smelting_uses_the_fastest_oven_in_reach_that_takes_the_item():
    flat = kitchen(iron_ore=1, beef=1, sand=1, coal=3)
    flat.put(-2, FEET, 2, "blast_furnace", 2 << 1)
    flat.put(2, FEET, 2, "smoker", 2 << 1)
    for product in ("iron_ingot", "cooked_beef", "glass"):
        flat.tick(smelt=product)
    assert flat.state_at(-2, FEET, 2) & flat.state_at(2, FEET, 2) & flat.state_at(*PLACE) & 1
    assert ticks_until(flat, "iron_ingot", 1) <= 100
    ticks_until(flat, "cooked_beef", 1, 2)
    assert ticks_until(flat, "glass", 1) > 90


def test_a_busy_blast_furnace_leaves_the_next_product_to_the_furnace():
    flat = kitchen(iron_ore=1, gold_ore=1, coal=2)
    flat.put(-2, FEET, 2, "blast_furnace")
    flat.tick(smelt="iron_ingot")
    flat.tick(smelt="gold_ingot")
    assert flat.state_at(*PLACE) & 1


def test_a_broken_smoker_gives_everything_back():
    flat = kitchen(wooden_pickaxe=1, beef=3, coal=2)
    flat.put(*PLACE, "smoker", 2 << 1)
    for _ in range(3):
        flat.tick(smelt="cooked_beef")
    flat.set(pitch=35.0)
    flat.tick(60, attack=1)
    flat.tick(60)
    assert flat.at(*PLACE) == "air"
    both = (flat.lying(), flat.held())
    assert [sum(part.get(name, 0) for part in both) for name in ("beef", "smoker")] == [3, 1]


def oven_row(flat: Flat):
    """Return the row of the only oven that is used."""
    (row,) = np.flatnonzero(flat.worlds.furnaces[0]["used"])
    return flat.worlds.furnaces[0, row : row + 1]


def test_a_lava_bucket_burns_for_a_hundred_items_and_leaves_its_bucket():
    """Minecraft Wiki, "Smelting" (fuel): 20,000 ticks; the bucket stays."""
    flat = kitchen(iron_ore=1, coal=1)
    flat.tick(smelt="iron_ingot")
    row = oven_row(flat)
    row["fuel"], row["burn"] = (item("lava_bucket").id, 1, 0), 0
    flat.tick(200)
    assert flat.held() == {"iron_ingot": 1, "bucket": 1}
    assert row["burn_total"] == 20_000


def test_progress_is_lost_twice_as_fast_when_the_fire_goes_out():
    """Minecraft Wiki, "Furnace": progress falls by 2 a tick while nothing burns."""
    flat = kitchen(iron_ore=1, coal=1)
    flat.tick(smelt="iron_ingot")
    row = oven_row(flat)
    flat.tick(100)
    row["burn"], row["fuel"] = 0, 0
    cooked = int(row["cook"][0])
    flat.tick(10)
    assert row["cook"] == cooked - 20
    flat.tick(100)
    assert row["cook"] == 0


def test_progress_is_lost_without_an_item_to_cook():
    flat = kitchen(iron_ore=1, coal=1)
    flat.tick(smelt="iron_ingot")
    row = oven_row(flat)
    flat.tick(100)
    row["input"], row["burn"], row["fuel"] = 0, 0, 0
    flat.tick()
    assert row["cook"] == 0


@pytest.mark.parametrize(("oven", "ticks"), [("furnace", 1600), ("blast_furnace", 800)])
def test_a_blast_furnace_burns_its_fuel_in_half_the_time(oven, ticks):
    """Minecraft Wiki, "Blast Furnace": twice as fast, for the same number of items a piece of fuel."""
    flat = Flat()
    flat.put(*PLACE, oven, 2 << 1)
    flat.give(0, "iron_ore")
    flat.give(1, "coal")
    flat.tick(smelt="iron_ingot")
    flat.tick()
    assert oven_row(flat)["burn_total"] == ticks


def test_smelting_earns_the_published_experience():
    """Minecraft Wiki, "Smelting": 0.7 an iron ingot; the fraction is the chance of one more point."""
    earned = []
    for seed in range(1, 41):
        flat = Flat(seed=seed)
        flat.worlds.rules["survival"] = 1
        flat.put(*PLACE, "furnace", 2 << 1)
        flat.give(0, "iron_ore")
        flat.give(1, "coal")
        flat.tick(smelt="iron_ingot")
        oven_row(flat)["output"] = (item("iron_ingot").id, 15, 0)
        flat.tick()
        assert flat.held()["iron_ingot"] == 15
        earned.append(flat.experience)
    assert set(earned) == {10, 11}  # 10.5
    assert 8 <= earned.count(11) <= 32  # of 40, a fair coin's 5 standard deviations
