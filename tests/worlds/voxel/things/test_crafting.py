"""Crafting takes the recipe's items from the inventory, with a table in reach if necessary."""

import pytest

from optimus_gym.game.items import item
from tests.worlds.flat import FEET, Flat


def made(flat: Flat, product: str) -> bool:
    flat.tick(craft=product)
    return ("crafted", item(product).id) in [(kind, subject) for kind, subject, _ in flat.events()]


def test_planks_sticks_and_tables_are_made_by_hand():
    flat = Flat()
    flat.give(0, "oak_log", 2)
    assert made(flat, "oak_planks")
    assert made(flat, "oak_planks")
    assert flat.held() == {"oak_planks": 8}
    assert made(flat, "stick")
    assert made(flat, "crafting_table")
    assert flat.held() == {"oak_planks": 2, "stick": 4, "crafting_table": 1}


def test_planks_may_be_mixed():
    flat = Flat()
    flat.give(0, "oak_planks", 2)
    flat.give(1, "birch_planks", 2)
    assert made(flat, "crafting_table")
    assert flat.held() == {"crafting_table": 1}


def test_crafting_uses_the_most_plentiful_kind():
    flat = Flat()
    flat.give(0, "oak_planks", 5)
    flat.give(1, "birch_planks", 6)
    assert made(flat, "crafting_table")
    assert flat.held() == {"crafting_table": 1, "oak_planks": 5, "birch_planks": 2}


@pytest.mark.parametrize("where", [(0, FEET, 3), (3, FEET + 2, 0), (-2, FEET, -2)])
def test_a_three_by_three_recipe_needs_a_table_in_reach(where):
    flat = Flat()
    flat.give(0, "oak_planks", 3)
    flat.give(1, "stick", 2)
    assert not made(flat, "wooden_pickaxe")
    assert flat.held() == {"oak_planks": 3, "stick": 2}
    flat.put(*where, "crafting_table")
    assert made(flat, "wooden_pickaxe")
    assert flat.held() == {"wooden_pickaxe": 1}


def test_a_table_six_blocks_away_is_too_far():
    flat = Flat()
    flat.give(0, "oak_planks", 3)
    flat.give(1, "stick", 2)
    flat.put(0, FEET, 6, "crafting_table")
    assert not made(flat, "wooden_pickaxe")


def test_a_recipe_without_its_ingredients_makes_nothing():
    flat = Flat()
    flat.put(0, FEET, 2, "crafting_table")
    flat.give(0, "diamond", 2)
    flat.give(1, "stick", 2)
    assert not made(flat, "diamond_pickaxe")
    assert flat.held() == {"diamond": 2, "stick": 2}
    assert not made(flat, "bedrock")


def test_torches_use_charcoal_if_there_is_more_charcoal_than_coal():
    flat = Flat()
    flat.give(0, "coal", 1)
    flat.give(1, "charcoal", 3)
    flat.give(2, "stick", 1)
    assert made(flat, "torch")
    assert flat.held() == {"coal": 1, "charcoal": 2, "torch": 4}


def test_cake_gives_the_buckets_back():
    flat = Flat()
    flat.put(0, FEET, 2, "crafting_table")
    for k in range(3):
        flat.give(k, "milk_bucket")
    flat.give(3, "sugar", 2)
    flat.give(4, "egg", 1)
    flat.give(5, "wheat", 3)
    assert made(flat, "cake")
    assert flat.held() == {"cake": 1, "bucket": 3}


def test_products_that_do_not_fit_fall_to_the_ground():
    flat = Flat()
    for k in range(36):
        flat.give(k, "cobblestone", 64)
    flat.give(0, "oak_log", 64)
    assert made(flat, "oak_planks")
    assert flat.lying() == {"oak_planks": 4}


def test_a_piston_is_made_from_items_in_the_inventory():
    flat = Flat()
    flat.put(0, FEET, 2, "crafting_table")
    for k, (name, count) in enumerate(
        {"oak_planks": 3, "cobblestone": 4, "iron_ingot": 1, "redstone": 1}.items()
    ):
        flat.give(k, name, count)
    assert made(flat, "piston")
    assert flat.held() == {"piston": 1}


def test_suspicious_stew_and_fireworks_can_be_crafted():
    flat = Flat()
    for place, name in enumerate(("bowl", "red_mushroom", "brown_mushroom", "poppy")):
        flat.give(place, name, 1)
    assert made(flat, "suspicious_stew")
    assert flat.held() == {"suspicious_stew": 1}
    flat.give(1, "paper", 1)
    flat.give(2, "gunpowder", 2)
    flat.give(3, "red_dye", 1)
    assert made(flat, "firework_rocket")
    assert made(flat, "firework_star")
    assert flat.held() == {"suspicious_stew": 1, "firework_rocket": 3, "firework_star": 1}
