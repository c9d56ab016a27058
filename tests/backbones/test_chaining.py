"""The rules chain known ways from a goal back to the held items."""

from optimus_gym.backbones.call_plans import call_of
from optimus_gym.backbones.chaining import ChainStep, Known, chain
from optimus_gym.prompts.way_lines import ways_in

VERBS = ("mine", "craft", "smelt")
WAYS = """\
- mine 1 log
- craft 4 planks: uses 1 log
- craft 4 stick: uses 2 planks
- craft 1 crafting_table: uses 4 planks
- craft 1 wooden_pickaxe: uses 3 planks, 2 stick; at crafting_table
- mine 1 cobblestone: with wooden_pickaxe or better
- craft 1 furnace: uses 8 cobblestone; at crafting_table
- smelt 1 iron_ingot: uses 1 iron_ore; at furnace; burns 1 planks for 1.5"""


def chained(wanted, held=None, near=(), ways=WAYS, verbs=VERBS):
    facts = {"known_ways": ways_in(ways), "verbs": verbs, "inventory": held or {}, "stations": near}
    return [f"{one.verb} {one.count} {one.item}" for one in chain(Known(facts), wanted)]


def test_a_chain_counts_surplus_pieces_once():
    assert chained({"wooden_pickaxe": 1}) == [
        "mine 3 log",
        "craft 12 planks",
        "craft 4 stick",
        "craft 1 crafting_table",
        "craft 1 wooden_pickaxe",
    ]


def test_held_pieces_and_stations_in_reach_are_used():
    assert chained({"wooden_pickaxe": 1}, {"birch_planks": 3, "stick": 1}, ["crafting_table"]) == [
        "mine 1 log",
        "craft 4 planks",
        "craft 4 stick",
        "craft 1 wooden_pickaxe",
    ]
    assert chained({"planks": 2}, {"oak_planks": 1, "birch_planks": 1}) == []


def test_a_better_tool_serves():
    assert chained({"cobblestone": 2}, {"iron_pickaxe": 1}) == ["mine 2 cobblestone"]
    assert chained({"cobblestone": 2}, {"golden_axe": 1})[-2:] == [
        "craft 1 wooden_pickaxe",
        "mine 2 cobblestone",
    ]


def test_fuel_is_counted_in_whole_pieces():
    held = {"furnace": 1, "iron_ore": 3}
    assert chained({"iron_ingot": 3}, held) == [
        "mine 1 log",
        "craft 4 planks",
        "smelt 3 iron_ingot",
    ]
    step = Known({"known_ways": ways_in(WAYS), "verbs": VERBS}).step("iron_ingot", 4)
    assert step.uses == {"iron_ore": 4, "planks": 3}


def test_a_placed_station_that_is_used_up_counts_once():
    ways = WAYS + "\n- craft 1 oak_sign: uses 1 crafting_table; at crafting_table"
    assert "craft 1 crafting_table" in chained({"oak_sign": 1}, {}, ["crafting_table"], ways)


def test_an_item_without_an_allowed_way_is_mined_or_if_made_crafted():
    assert chained({"diamond": 1, "furnace": 1}, ways="nothing") == [
        "mine 1 diamond",
        "craft 1 furnace",
    ]
    assert chained({"planks": 4}, verbs=("craft",)) == ["mine 1 log", "craft 4 planks"]
    assert chained({"planks": 4}, verbs=("mine",)) == ["mine 4 planks"]


def test_ways_in_a_circle_end():
    circle = "- craft 9 coal: uses 1 coal_block\n- craft 1 coal_block: uses 9 coal"
    assert chained({"coal": 1}, ways=circle)[-1] == "craft 9 coal"


def test_the_calls_of_some_steps():
    assert call_of(ChainStep("equip", "shield", 1)) == 'equip("shield")'
    assert call_of(ChainStep("craft", "torch", 4, {"coal": 1, "stick": 1})) == (
        'craft({"torch": 4}, {"coal": 1, "stick": 1}, null)'
    )
