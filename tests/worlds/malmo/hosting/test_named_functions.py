"""Functions by old names become functions on items that are there."""

import pytest

from optimus_gym.core.actions import Function
from optimus_gym.game.items import item
from optimus_gym.worlds.malmo.hosting.named_functions import (
    Means,
    chosen_function,
    wants_bare_hand,
)

TABLE, FURNACE = ("crafting_table",), ("furnace",)


@pytest.mark.parametrize(
    ("word", "name", "held", "stations", "made"),
    [
        ("craft", "planks", {"acacia_log": 1}, (), "acacia_planks"),
        ("craft", "planks", {"dirt": 1}, (), None),
        ("craft", "stick", {"birch_planks": 1, "oak_planks": 1}, (), "stick"),
        ("craft", "stick", {"birch_planks": 1}, (), None),
        ("craft", "wooden_pickaxe", {"oak_planks": 3, "stick": 2}, (), None),
        ("craftNearby", "wooden_pickaxe", {"oak_planks": 3, "stick": 2}, TABLE, "wooden_pickaxe"),
        ("craftNearby", "wooden_pickaxe", {"oak_planks": 3, "stick": 2}, FURNACE, None),
        ("craftNearby", "stick", {"oak_planks": 3}, (), None),
        ("smeltNearby", "iron_ingot", {"iron_ore": 1}, FURNACE, "iron_ingot"),
        ("smeltNearby", "iron_ingot", {"iron_ore": 1}, TABLE, None),
        ("smeltNearby", "coal", {"oak_log": 1}, FURNACE, "charcoal"),
        ("smeltNearby", "coal", {"dirt": 1}, FURNACE, None),
        ("place", "planks", {"spruce_planks": 1}, (), "spruce_planks"),
        ("place", "planks#2", {"spruce_planks": 1}, (), None),
        ("place", "stone", {"granite": 1}, (), "granite"),
        ("equip", "stone_axe", {"stone_axe": 1}, (), "stone_axe"),
        ("equip", "stone_axe", {}, (), None),
        ("equip", "no_such_item", {}, (), None),
    ],
)
def test_a_function_takes_the_first_possible_item(word, name, held, stations, made):
    meanings = {"place": Function.PLACE, "equip": Function.EQUIP, "smeltNearby": Function.SMELT}
    wanted = None if made is None else (meanings.get(word, Function.CRAFT), item(made).id)
    assert chosen_function(((word, name),), Means(held, stations)) == wanted


def test_of_several_functions_the_first_possible_one_counts():
    functions = (("smeltNearby", "iron_ingot"), ("craft", "planks"), ("place", "dirt"))
    means = Means({"oak_log": 1, "iron_ore": 1}, FURNACE)
    assert chosen_function(functions, means) == (Function.CRAFT, item("oak_planks").id)
    assert chosen_function((), means) is None


def test_equip_air_wants_a_bare_hand():
    assert wants_bare_hand((("equip", "air"),))
    assert not wants_bare_hand((("place", "air"),))
    assert chosen_function((("equip", "air"),), Means({}, ())) is None
