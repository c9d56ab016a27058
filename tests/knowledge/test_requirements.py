"""Amounts, deductions and chosen ways agree with calculations by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.game.sources import Need, Source
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.knowledge.cheapest import Unobtainable, cheapest_sources
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph

GRAPH = abilities_of("voxel", verbs=("mine", "craft", "smelt")).graph


def steps(*args, **kwargs):
    return {s.item: s.count for s in GRAPH.requirements(*args, **kwargs).steps}


def burnt(requirements, item):
    return sum(
        use.count
        for step in requirements.steps
        if step.verb == "smelt"
        for use in step.uses
        if use.item == item
    )


def test_iron_pickaxe_takes_eleven_planks_before_fuel():
    found = GRAPH.requirements("iron_pickaxe")
    # table 4, wooden pickaxe 3, six sticks for three pickaxes = two batches of 2 planks: 4 + 3 + 4
    assert found.amounts["oak_planks"] - burnt(found, "oak_planks") == 11
    assert burnt(found, "oak_planks") == 2  # 3 x 200 ticks of fire, 300 a plank
    assert found.amounts["stick"] == 6
    assert found.amounts["cobblestone"] == 11  # 3 the stone pickaxe, 8 the furnace
    assert found.amounts["iron_ore"] == found.amounts["iron_ingot"] == 3
    for once in ("crafting_table", "furnace", "wooden_pickaxe", "stone_pickaxe"):
        assert found.amounts[once] == 1


def test_eleven_planks_are_three_logs():
    assert steps("iron_pickaxe", 1, {"coal": 1})["oak_log"] == 3
    assert steps("iron_pickaxe", 1, {"coal": 1})["oak_planks"] == 11


BY_HAND = {
    # table 4 + pickaxe 3 + one batch of sticks 2 = 9 planks
    "wooden_pickaxe": {"oak_log": 3, "oak_planks": 9, "stick": 2, "crafting_table": 1},
    # four sticks are still one batch
    "stone_pickaxe": {"oak_log": 3, "oak_planks": 9, "stick": 4, "cobblestone": 3},
    # 11 + fuel for 3 iron
    "diamond": {"oak_log": 4, "oak_planks": 13, "iron_ore": 3, "cobblestone": 11, "diamond": 1},
    # sticks 8 in two batches, two firings of 2 planks: 4 + 3 + 4 + 4
    "golden_pickaxe": {"oak_planks": 15, "oak_log": 4, "stick": 8, "gold_ore": 3, "iron_ore": 3},
    # 4 + 3 + 4 + fuel for 4 iron (3) + piston 3; cobblestone 3 + 8 + 4
    "piston": {"oak_planks": 17, "oak_log": 5, "cobblestone": 15, "iron_ore": 4, "redstone": 1},
    # two stick batches are one: only two pickaxes; fuel for 8 iron is 6 planks: 4 + 3 + 2 + 6
    "iron_chestplate": {"oak_planks": 15, "iron_ore": 8, "stick": 4, "cobblestone": 11},
    # the furnace that smelts is the one built in: 3 + 8 + 3 stone
    "blast_furnace": {"cobblestone": 14, "furnace": 1, "smooth_stone": 3, "iron_ore": 5},
    "bucket": {"iron_ore": 3, "cobblestone": 11, "stick": 4},
    # eight planks and a table
    "chest": {"oak_planks": 12, "oak_log": 3, "crafting_table": 1},
}


@pytest.mark.parametrize("item", sorted(BY_HAND))
def test_amounts_agree_with_calculations_by_hand(item):
    found = steps(item)
    assert {name: found[name] for name in BY_HAND[item]} == BY_HAND[item]


def test_the_inventory_is_deducted():
    held = {"oak_log": 1, "birch_log": 1, "stick": 3, "crafting_table": 1}
    # one more stick: 2 planks, the pickaxe 3, no table: 5 planks = 2 logs
    assert steps("stone_pickaxe", 1, held) == {
        "oak_planks": 5,
        "stick": 1,
        "wooden_pickaxe": 1,
        "cobblestone": 3,
        "stone_pickaxe": 1,
    }


def test_a_better_tool_serves_in_place_of_a_worse_one():
    assert steps("cobblestone", 5, {"iron_pickaxe": 1}) == {"cobblestone": 5}
    assert "wooden_pickaxe" not in steps("furnace", 1, {"stone_pickaxe": 1})


def test_a_goal_that_is_held_takes_nothing():
    assert GRAPH.requirements("diamond", 2, {"diamond": 2}).steps == ()


def test_a_station_in_reach_is_not_made_again():
    assert "crafting_table" not in steps("chest", stations=("crafting_table",))


def test_tools_are_made_as_often_as_they_wear_out():
    assert steps("cobblestone", 59)["wooden_pickaxe"] == 1
    assert steps("cobblestone", 60)["wooden_pickaxe"] == 2


def test_the_fuel_that_costs_the_fewest_ticks_is_chosen():
    few, many = GRAPH.requirements("iron_ingot", 3), GRAPH.requirements("iron_ingot", 256)
    assert burnt(few, "coal") == 0
    assert burnt(few, "oak_planks") == 2
    # 256 ingots, 5 for the blast furnace that smelts them, 3 stone and 3 smooth stone: 267 x 200 ticks
    assert burnt(many, "coal") == 34
    held = GRAPH.requirements("iron_ingot", 3, {"coal": 1})
    assert burnt(held, "coal") == 1
    assert burnt(held, "oak_planks") == 0


def test_each_smelting_step_has_its_own_fuel():
    found = {s.item: s.uses for s in GRAPH.requirements("clock").steps}
    # 3 x 200 ticks of fire are two planks of 300, 4 x 200 are three
    assert [u.count for u in found["iron_ingot"] if u.item == "oak_planks"] == [2]
    assert [u.count for u in found["gold_ingot"] if u.item == "oak_planks"] == [3]


def test_ingots_and_blocks_are_not_converted_in_circles():
    assert steps("iron_ingot", 9, {"iron_block": 1}) == {"iron_ingot": 9}
    assert steps("iron_block", 1, {"iron_ingot": 9, "crafting_table": 1}) == {"iron_block": 1}
    assert "iron_block" not in steps("iron_ingot", 10)
    assert steps("iron_ingot", 12, {"iron_block": 1})["iron_ore"] == 3


def test_a_held_carrot_is_sown():
    found = full_graph().requirements("carrot", 9, {"carrot": 1, "wooden_hoe": 1})
    assert [(s.verb, s.item, s.count) for s in found.steps] == [("grow", "carrot", 8)]
    assert full_graph().requirements("carrot").steps[-1].verb == "kill"


def test_a_kind_that_the_goal_wants_by_name_is_used():
    found = {s.item: s for s in GRAPH.requirements("birch_boat").steps}
    assert "oak_log" not in found
    assert found["birch_planks"].count == 9  # five for the boat, four for the table
    assert "birch_log" in found["birch_log"].kinds
    assert "oak_log" not in found["birch_log"].kinds


def test_any_log_serves_where_any_planks_do():
    mine = GRAPH.requirements("chest").steps[0]
    assert (mine.verb, mine.item) == ("mine", "oak_log")
    assert {"birch_log", "spruce_log"} <= set(mine.kinds)


IRON_PICKAXE = [
    # 3 logs give 12 planks; 11 are used: table 4, wooden pickaxe 3, two batches of sticks 4
    ("mine", "oak_log", 3, {}),
    ("craft", "oak_planks", 11, {"oak_log": 3}),
    # two sticks each for three pickaxes: 6, in two batches of 4
    ("craft", "stick", 6, {"oak_planks": 4}),
    ("craft", "crafting_table", 1, {"oak_planks": 4}),
    ("craft", "wooden_pickaxe", 1, {"oak_planks": 3, "stick": 2}),
    # three for the pickaxe, eight for the furnace
    ("mine", "cobblestone", 11, {}),
    ("craft", "stone_pickaxe", 1, {"cobblestone": 3, "stick": 2}),
    ("craft", "furnace", 1, {"cobblestone": 8}),
    ("mine", "iron_ore", 3, {}),
    ("smelt", "iron_ingot", 3, {"iron_ore": 3, "coal": 1}),
    ("craft", "iron_pickaxe", 1, {"iron_ingot": 3, "stick": 2}),
]


def test_an_iron_pickaxe_is_planned_step_by_step():
    found = GRAPH.requirements("iron_pickaxe", 1, {"coal": 1})
    told = [(s.verb, s.item, s.count, {u.item: u.count for u in s.uses}) for s in found.steps]
    assert told == IRON_PICKAXE
    assert found.optimal


FULL_BY_HAND = {
    # four leather at a table
    "leather_boots": {"leather": 4, "crafting_table": 1, "oak_planks": 4, "oak_log": 1},
    # any three wools of a colour and three planks, four for the table
    "white_bed": {"white_wool": 3, "oak_planks": 7, "oak_log": 2},
    # four gold round a redstone; gold ore needs an iron pickaxe
    "clock": {"gold_ingot": 4, "redstone": 1, "iron_ingot": 3, "iron_pickaxe": 1, "furnace": 1},
    "compass": {"iron_ingot": 7, "redstone": 1, "iron_pickaxe": 1, "cobblestone": 11},
    # two iron: one in the crossbow, one in its tripwire hook; sticks 3 + 1 and 4 for two pickaxes
    "crossbow": {"iron_ingot": 2, "string": 2, "stick": 8, "tripwire_hook": 1},
    # three buckets at once in the grid: nine iron; milk 3, sugar 2, egg 1, wheat 3
    "cake": {"milk_bucket": 3, "bucket": 3, "iron_ingot": 9, "sugar": 2, "egg": 1, "wheat": 3},
    # obsidian by a water bucket (3 iron) and a diamond pickaxe (3 diamonds), 2 more for the table
    "enchanting_table": {"diamond": 5, "obsidian": 4, "book": 1, "iron_ingot": 6, "paper": 3},
}


@pytest.mark.parametrize("item", sorted(FULL_BY_HAND))
def test_amounts_in_the_full_graph_agree_with_calculations_by_hand(item):
    found = {s.item: s.count for s in full_graph().requirements(item).steps}
    assert {name: found.get(name) for name in FULL_BY_HAND[item]} == FULL_BY_HAND[item]


def test_the_rest_of_a_demand_is_obtained_another_way():
    plain = GRAPH.within(("mine", "craft", "smelt"), ("crafting_table", "furnace"))
    found = plain.requirements("iron_ingot", 12, {"iron_block": 1})
    assert GRAPH.requirements("iron_ingot", 12, {"iron_block": 1}).steps == found.steps
    assert {(s.verb, s.count) for s in found.steps if s.item == "iron_ingot"} == {
        ("craft", 9),
        ("smelt", 3),
    }
    assert found.optimal


LETTERS = ("dirt", "stone", "sand", "glass", "brick", "clay")


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(
        st.integers(0, 5),
        st.tuples(
            st.integers(1, 4),
            st.dictionaries(st.integers(0, 5), st.integers(1, 3), max_size=3),
        ),
        min_size=1,
    ),
    st.integers(1, 9),
    st.dictionaries(st.sampled_from(LETTERS), st.integers(1, 5), max_size=3),
)
def test_steps_find_their_ingredients_and_make_the_stated_counts(recipes, count, inventory):
    sources = [
        Source(
            "craft" if needs else "mine",
            LETTERS[product],
            yields if needs else 1,
            tuple(Need((LETTERS[name],), times) for name, times in sorted(needs.items())),
        )
        for product, (yields, needs) in sorted(recipes.items())
    ]
    by_item = {source.product: source for source in sources}
    for item in LETTERS:
        try:
            found = KnowledgeGraph(sources).requirements(item, count, inventory)
        except Unobtainable:
            continue
        held = dict.fromkeys(LETTERS, 0) | inventory
        for step in found.steps:
            source = by_item[step.item]
            for need in source.needs:
                held[need.choices[0]] -= need.count * step.batches
                assert held[need.choices[0]] >= 0
            held[step.item] += int(source.yields) * step.batches
            spare = int(source.yields) * step.batches - step.count
            assert 0 <= spare < source.yields
        assert held[item] >= count


@pytest.mark.parametrize(
    "held", [{"oak_log": 1}, {"oak_planks": 4}, {"cobblestone": 5}, {"stick": 2}]
)
def test_held_items_do_not_prevent_a_proof(held):
    assert GRAPH.requirements("iron_pickaxe", inventory=held).optimal


@pytest.mark.parametrize("item", ["stone_pickaxe", "iron_ingot", "bucket", "white_bed", "diamond"])
def test_the_ticks_of_the_steps_add_up_to_the_total(item):
    """The search time of a first find counts as part of its step."""
    found = full_graph().requirements(item)
    assert sum(step.ticks for step in found.steps) == pytest.approx(found.ticks)


def test_a_price_includes_the_tool_that_is_made_for_it():
    """Knuth (1977): the superior function of all needs gives an item's cost, its tool included."""
    dirt = Source("mine", "dirt", 1, ticks=10)
    pick = Source("craft", "wooden_pickaxe", 1, (Need(("dirt",), 3),), ticks=1)
    stone = Source("mine", "cobblestone", 1, tool="wooden_pickaxe", ticks=5)
    priced = cheapest_sources([dirt, pick, stone])
    assert priced.unit["cobblestone"] == 5.0
    assert priced.price["cobblestone"] == 5.0 + 31.0
