"""The rules chain known ways from a goal back to the held items."""

from optimus_gym.backbones.call_plans import call_of
from optimus_gym.backbones.chaining import ChainStep, Known, chain
from optimus_gym.prompts.code_plans import Call

VERBS = ("mine", "craft", "smelt")
WAYS = (
    Call("mine", "log"),
    Call("craft", "planks", 4, {"log": 1}),
    Call("craft", "stick", 4, {"planks": 2}),
    Call("craft", "crafting_table", 1, {"planks": 4}),
    Call("craft", "wooden_pickaxe", 1, {"planks": 3, "stick": 2}, "crafting_table"),
    Call("mine", "cobblestone", tool="wooden_pickaxe"),
    Call("craft", "furnace", 1, {"cobblestone": 8}, "crafting_table"),
    Call("smelt", "iron_ingot", 1, {"iron_ore": 1}, "furnace"),
    Call("smelt", "charcoal", 1, {"log": 1}, "furnace"),
)
CIRCLE = (
    Call("craft", "coal", 9, {"coal_block": 1}),
    Call("craft", "coal_block", 1, {"coal": 9}),
)
FUEL = {"planks": 2, "coal": 8}


def chained(wanted, held=None, near=(), ways=WAYS, verbs=VERBS):
    things = {"inventory": held or {}, "stations": near}
    facts = {"ways": ways, "fuel": FUEL, "verbs": verbs, **things}
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


def test_a_way_that_was_sought_in_vain_comes_last():
    wool = (Call("kill", "white_wool"), Call("craft", "white_wool", 1, {"string": 4}))
    facts = {"ways": wool, "verbs": ("kill", "craft"), "failed_step": ("kill", "white_wool", 1)}
    assert Known({**facts, "failure": "not_found: 1 white_wool"}).way("white_wool") == wool[1]
    assert Known({**facts, "failure": "stuck: 1 white_wool"}).way("white_wool") == wool[0]
    only = Known({**facts, "ways": wool[:1], "failure": "not_found"})
    assert only.way("white_wool") == wool[0]


def test_fuel_is_counted_in_whole_pieces():
    held = {"furnace": 1, "iron_ore": 3}
    assert chained({"iron_ingot": 3}, held) == [
        "mine 1 log",
        "craft 4 planks",
        "smelt 3 iron_ingot",
    ]


def test_the_first_fuel_that_is_held_or_can_be_had_burns():
    def burnt(**facts):
        step = Known({"ways": WAYS, "fuel": FUEL, "verbs": VERBS, **facts}).step("iron_ingot", 9)
        return {name: count for name, count in step.uses.items() if name != "iron_ore"}

    assert burnt() == {"planks": 5}
    assert burnt(inventory={"coal": 1}) == {"coal": 2}
    coal = Call("mine", "coal", tool="wooden_pickaxe")
    assert burnt(ways=(WAYS[-2], coal)) == {"coal": 2}
    assert burnt(ways=WAYS[-2:-1]) == {"planks": 5}
    assert burnt(fuel={}) == {}


def test_the_first_of_several_ways_is_taken():
    wool = (Call("kill", "white_wool"), Call("craft", "white_wool", 1, {"string": 4}))
    kinds = ("kill", "craft")
    assert chained({"white_wool": 2}, ways=wool, verbs=kinds) == ["kill 2 white_wool"]
    assert chained({"white_wool": 2}, ways=wool, verbs=kinds[1:])[-1] == "craft 2 white_wool"


def test_a_placed_station_that_is_used_up_counts_once():
    ways = (*WAYS, Call("craft", "oak_sign", 1, {"crafting_table": 1}, "crafting_table"))
    assert "craft 1 crafting_table" in chained({"oak_sign": 1}, {}, ["crafting_table"], ways)


def test_an_item_without_an_allowed_way_is_mined_or_if_made_crafted():
    assert chained({"diamond": 1, "furnace": 1}, ways=()) == [
        "mine 1 diamond",
        "craft 1 furnace",
    ]
    assert chained({"planks": 4}, verbs=("craft",)) == ["mine 1 log", "craft 4 planks"]
    assert chained({"planks": 4}, verbs=("mine",)) == ["mine 4 planks"]


def test_ways_in_a_circle_end():
    assert chained({"coal": 1}, ways=CIRCLE)[-1] == "craft 9 coal"


def test_the_calls_of_some_steps():
    assert call_of(ChainStep("equip", "shield", 1)) == 'equip("shield")'
    assert call_of(ChainStep("craft", "torch", 4, {"coal": 1, "stick": 1})) == (
        'craft({"torch": 4}, {"coal": 1, "stick": 1}, null)'
    )
