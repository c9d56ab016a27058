"""The helper crafts, smelts, equips and places, or reports the missing item."""

import pytest

from optimus_gym.controllers.body import SHOWN_TICKS
from optimus_gym.core.actions import noop
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.items import item
from tests.controllers.play import FlatWorld, Play, act
from tests.worlds.flat import FEET


def flat_play(**inventory):
    flat = FlatWorld()
    for slot, (name, count) in enumerate(inventory.items()):
        flat.give(slot, name, count)
    return Play(flat)


def stands(play, name, around=4):
    return any(
        play.world.at(x, y, z) == name
        for x in range(-around, around + 1)
        for y in range(FEET - 2, FEET + 3)
        for z in range(-around, around + 1)
    )


def test_the_helper_places_a_table_on_open_ground_and_crafts_at_it():
    play = flat_play(crafting_table=1, oak_planks=3, stick=2)
    assert play.run(SubGoal("place", "crafting_table", station=None)) is None
    assert stands(play, "crafting_table")
    assert play.run(SubGoal("craft", "wooden_pickaxe")) is None
    assert play.held() == {"wooden_pickaxe": 1}
    assert play.ticks < 60


def test_the_helper_carves_a_hole_in_a_shaft_for_a_table():
    play = flat_play(crafting_table=1, wooden_pickaxe=1)
    for y in range(FEET - 4, FEET):
        play.world.put(0, y, 0, "air")
    play.world.set(y=FEET - 4)
    assert play.run(SubGoal("place", "crafting_table")) is None
    assert stands(play, "crafting_table", 2) or play.held().get("crafting_table", 0) == 0


def test_the_helper_places_a_furnace_in_a_tunnel():
    play = flat_play(furnace=1, stone_pickaxe=1)
    for z in range(-3, 4):
        for y in (40, 41):
            play.world.put(0, y, z, "air")
    play.world.set(y=40)
    assert play.run(SubGoal("place", "furnace")) is None
    assert "furnace" not in play.held()


@pytest.mark.parametrize("plant", ["tall_grass", "large_fern", "peony"])
def test_the_helper_places_a_table_from_within_tall_plants(plant):
    play = flat_play(crafting_table=1)
    for x in range(-6, 7):
        for z in range(-6, 7):
            play.world.put(x, FEET - 1, z, "grass_block")
            play.world.put(x, FEET, z, plant)
            play.world.put(x, FEET + 1, z, plant, 1)
    assert play.run(SubGoal("place", "crafting_table")) is None
    assert stands(play, "crafting_table")


def test_the_helper_crafts_planks_from_the_held_wood():
    play = flat_play(birch_log=2)
    kinds = ("oak_planks", "birch_planks")
    assert play.run(SubGoal("craft", "oak_planks", 5, kinds)) is None
    assert play.held() == {"birch_planks": 8}


def test_missing_ingredients_are_counted():
    play = flat_play(oak_planks=1)
    failure = play.run(SubGoal("craft", "crafting_table"))
    assert failure == Failure("missing_item", "oak_planks", 3, failure.detail)


def test_a_missing_table_is_reported_if_the_ingredients_are_held():
    play = flat_play(oak_planks=3, stick=2)
    assert play.run(SubGoal("craft", "wooden_pickaxe")).reason == "missing_station"


def test_the_helper_smelts_and_waits():
    play = flat_play(furnace=1, iron_ore=3, oak_planks=3)
    assert play.run(SubGoal("place", "furnace")) is None
    assert play.run(SubGoal("smelt", "iron_ingot", 3)) is None
    assert play.held() == {"iron_ingot": 3, "oak_planks": 1}
    assert 600 <= play.ticks < 660


@pytest.mark.parametrize(
    ("inventory", "reason", "item"),
    [
        ({"coal": 1}, "missing_item", "iron_ore"),
        ({"iron_ore": 1}, "missing_item", "coal"),
    ],
)
def test_a_failed_smelting_names_the_missing_item(inventory, reason, item):
    play = flat_play(furnace=1, **inventory)
    assert play.run(SubGoal("place", "furnace")) is None
    failure = play.run(SubGoal("smelt", "iron_ingot"))
    assert (failure.reason, failure.item) == (reason, item)


def test_smelting_without_a_furnace_reports_the_furnace():
    play = flat_play(iron_ore=1, coal=1)
    assert play.run(SubGoal("smelt", "iron_ingot")).item == "furnace"


@pytest.mark.parametrize(("oven", "ore", "product"), [
    ("blast_furnace", "iron_ore", "iron_ingot"), ("smoker", "beef", "cooked_beef"),
])  # fmt: skip
def test_the_helper_smelts_in_the_faster_ovens(oven, ore, product):
    play = flat_play(**{oven: 1, ore: 2, "coal": 1})
    assert play.run(SubGoal("place", oven)) is None
    assert play.run(SubGoal("smelt", product, 2)) is None
    assert play.held() == {product: 2}
    assert 200 <= play.ticks < 260


def test_the_helper_cuts_stone_and_forges_at_their_stations():
    play = flat_play(stonecutter=1, smithing_table=1, stone=1, diamond_axe=1, netherite_ingot=1)
    for station in ("stonecutter", "smithing_table"):
        assert play.run(SubGoal("place", station)) is None
    assert play.run(SubGoal("craft", "stone_brick_stairs")) is None
    assert play.run(SubGoal("craft", "netherite_axe")) is None
    assert play.held() == {"stone_brick_stairs": 1, "netherite_axe": 1}


def test_a_missing_smithing_table_is_reported():
    play = flat_play(diamond_axe=1, netherite_ingot=1)
    failure = play.run(SubGoal("craft", "netherite_axe"))
    assert failure == Failure("missing_station", "smithing_table", 1, failure.detail)


def test_the_helper_equips_into_the_hand_and_onto_the_body():
    play = flat_play(dirt=1, stone_pickaxe=1, iron_chestplate=1)
    assert play.run(SubGoal("equip", "stone_pickaxe")) is None
    assert play.world.slot(play.player["hotbar"])[0] == "stone_pickaxe"
    assert play.run(SubGoal("equip", "iron_chestplate")) is None
    assert play.world.slot(38)[0] == "iron_chestplate"
    assert play.run(SubGoal("equip", "diamond")).reason == "missing_item"


def test_an_ended_script_returns_idle_actions():
    play = flat_play(oak_log=1)
    assert play.run(SubGoal("craft", "oak_planks", 4)) is None
    actions, failures = act(play.helper)
    assert actions[0].tolist() == noop().tolist()
    assert failures == [None]


def test_held_items_do_not_count_towards_a_sub_goal():
    """The helper smelts one more ingot and crafts four more planks despite held ones."""
    play = flat_play(furnace=1, iron_ore=1, oak_planks=1, iron_ingot=5)
    assert play.run(SubGoal("place", "furnace")) is None
    assert play.run(SubGoal("smelt", "iron_ingot", 1)) is None
    assert play.held() == {"iron_ingot": 6}
    play = flat_play(oak_log=1, oak_planks=9)
    assert play.run(SubGoal("craft", "oak_planks", 4)) is None
    assert play.held() == {"oak_planks": 13}


def shaft(around: str, behind: str = "stone") -> Play:
    """Return a player with a table in a closed shaft between two layers of blocks."""
    play = flat_play(crafting_table=1, iron_pickaxe=1, wooden_axe=1)
    for y in range(FEET - 4, FEET):
        play.world.put(0, y, 0, "air")
        for dx, dz in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            play.world.put(dx, y, dz, around)
            play.world.put(2 * dx, y, 2 * dz, behind)
    play.world.put(0, FEET - 2, 0, "stone")
    play.world.set(y=FEET - 4)
    return play


def count_around(play: Play, name: str) -> int:
    return sum(
        play.world.at(x, y, z) == name
        for x in range(-3, 4)
        for y in range(FEET - 6, FEET + 2)
        for z in range(-3, 4)
    )


def test_stations_are_not_carved_away():
    play = shaft("furnace")
    assert play.run(SubGoal("place", "crafting_table")) is not None
    assert count_around(play, "furnace") == 16


def test_walls_that_hold_back_lava_are_not_carved():
    play = shaft("stone", "lava")
    failure = play.run(SubGoal("place", "crafting_table"))
    assert failure is not None
    assert failure.reason == "stuck"
    assert play.world.health == 20


@pytest.mark.parametrize(("fast_breaking", "swings"), [(0, True), (1, False)])
def test_the_arm_swings_at_the_table_and_the_tool_made_is_shown(fast_breaking, swings):
    play = flat_play(crafting_table=1, oak_planks=3, stick=2)
    play.world.worlds.assists["fast_breaking"] = fast_breaking
    assert play.run(SubGoal("place", "crafting_table")) is None
    play.world.set(hotbar=8, swing=0)
    play.helper.begin_subgoals([0], [SubGoal("craft", "wooden_pickaxe")])
    hands, swung = [], False
    while True:
        actions, failures = act(play.helper)
        if play.helper.has_ended(0):
            break
        play.world.tick([0], actions)
        swung |= play.player["swing"] > 0
        hands.append(play.world.worlds.slots[0, int(play.player["hotbar"])]["item"])
    assert failures == [None]
    assert swung == swings
    assert hands.count(item("wooden_pickaxe").id) == SHOWN_TICKS
    assert play.player["hotbar"] == 8
    assert stands(play, "crafting_table")
