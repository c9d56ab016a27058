"""Plans of calls by DEPS and JARVIS-1 are read, with their tools and stations."""

import json

import pytest

from optimus_gym.backbones.parse.plans import parse_plan
from tests.backbones.parse.replies import read, said

PAPER = """\
The code is as follows:
def craft_wooden_axe(initial_inventory={}):
    mine(obj = {"log":4}, tool = None) # step 1: go and get
    4 logs from trees
    craft(obj = {"planks":9}, materials = {"log":4}, tool = None) # step 2
    craft(obj = {"stick":4}, materials = {"planks":2}, tool = None)
    craft(obj = {"crafting_table":1}, {"planks":4}, null) # step 4
    craft(obj = {"wooden_axe":1}, {"planks": 3, "stick": 2}, "crafting_table") # step 5
    return "wooden_axe"

User: and now?
mine({"dirt": 5}, null)
"""
AXE = [
    "mine 4 oak_log",
    "craft 9 oak_planks",
    "craft 4 stick",
    "craft 1 crafting_table",
    "place 1 crafting_table",
    "craft 1 wooden_axe",
]
BARE = """\
mine({'log': 4}, null);
craft({'planks': 9}, {'log': 4}, null);
craft({'stick': 4}, {'planks': 2}, null);
craft({'crafting_table': 1}, {'planks': 4}, null);
craft({'wooden_axe': 1}, {'planks': 3, 'stick': 2}, 'crafting_table');
"""


@pytest.mark.parametrize(
    "text",
    [
        PAPER,
        BARE,
        BARE.replace("'", '"'),
        BARE.replace(", null)", ", None)").replace(";", ""),
        BARE.replace(", null)", ")"),
        BARE.replace("(", "(\n    ").replace(", {", ",  # so\n    {"),
        BARE.replace("\n", " "),
        BARE.replace("mine(", "- 1. `agent.mine(").replace("\n", "`\n"),
        BARE.replace("'crafting_table')", "platform='crafting table')"),
        BARE.replace("{'log': 4}, null", "'log', 4").replace("{'stick': 4}", "'4 sticks'"),
        "# mine({'dirt': 1}, null)\n" + BARE,
        "def mine(obj, tool=None):\n    pass\n" + BARE,
        json.dumps(BARE.splitlines()),
    ],
)
def test_calls_are_read(text):
    assert said(text) == AXE


def test_a_named_tool_is_equipped_unless_it_is_in_hand():
    text = """mine({'cobblestone': 3}, 'wooden_pickaxe')
    mine({'coal': 1}, tool='wooden_pickaxe')
    mine({'iron_ore': 1}, 'stone_pickaxe')
    smelt({'iron_ingot': 1}, {'iron_ore': 1}, 'furnace')
    equip('stone_pickaxe')
    mine({'coal': 1}, 'stone_pickaxe')"""
    assert said(text) == [
        "equip 1 wooden_pickaxe",
        "mine 3 cobblestone",
        "mine 1 coal",
        "equip 1 stone_pickaxe",
        "mine 1 iron_ore",
        "place 1 furnace",
        "smelt 1 iron_ingot",
        "equip 1 stone_pickaxe",
        "mine 1 coal",
    ]


def test_armour_is_equipped_without_emptying_the_hand():
    text = "equip('iron_axe'); equip('iron_helmet'); mine({'log': 1}, 'iron_axe')"
    assert said(text) == ["equip 1 iron_axe", "equip 1 iron_helmet", "mine 1 oak_log"]


def test_placing_a_block_takes_the_tool_out_of_the_hand():
    text = "mine({'coal': 1}, 'stone_pickaxe'); place('torch'); mine({'coal': 1}, 'stone_pickaxe')"
    assert said(text).count("equip 1 stone_pickaxe") == 2


def test_a_named_station_is_placed_again_only_after_the_agent_left():
    text = """craft({'stick': 4}, {'planks': 2}, 'crafting_table')
    craft({'torch': 4}, {'stick': 1}, 'crafting_table')
    {between}
    craft({'chest': 1}, {'planks': 8}, 'crafting_table')"""
    assert said(text.replace("{between}", "")).count("place 1 crafting_table") == 1
    near = text.replace("{between}", "smelt({'charcoal': 1}, {'log': 1}, 'furnace')")
    assert said(near).count("place 1 crafting_table") == 1
    for gone in ("mine({'log': 2}, null)", "kill({'beef': 1}, null)", "find('village_bell')"):
        away, _ = read(text.replace("{between}", gone.replace("village_bell", "bell")))
        assert away.count("place 1 crafting_table") == 2


def test_a_named_station_in_reach_is_placed_only_after_the_agent_left():
    text = """craft({'stick': 4}, {'planks': 2}, 'crafting_table')
    smelt({'charcoal': 1}, {'log': 1}, 'furnace')
    mine({'log': 2}, null)
    craft({'chest': 1}, {'planks': 8}, 'crafting_table')"""
    subgoals, problems = parse_plan(text, near=("crafting_table",))[:2]
    assert problems == ()
    assert [str(s) for s in subgoals] == [
        "craft 4 stick",
        "place 1 furnace",
        "smelt 1 charcoal",
        "mine 2 oak_log",
        "place 1 crafting_table",
        "craft 1 chest",
    ]
    own, *_ = parse_plan("place('crafting_table')", near=("crafting_table",))
    assert [str(s) for s in own] == ["place 1 crafting_table"]  # the plan's own word


def test_crafting_at_a_furnace_becomes_smelting():
    text = "craft({'iron_ingot': 2}, {'iron_ore': 2}, 'furnace')"
    assert said(text) == ["place 1 furnace", "smelt 2 iron_ingot"]


@pytest.mark.parametrize("word", ["bare hands", "none", "", "inventory", "None"])
def test_a_word_for_no_tool_is_no_problem(word):
    assert said(f"mine({{'log': 1}}, '{word}')") == ["mine 1 oak_log"]


def test_an_unknown_tool_is_a_problem_and_all_sub_goals_are_kept():
    subgoals, problems = read("mine({'log': 1}, 'laser'); mine({'dirt': 1}, null)")
    assert subgoals == ["mine 1 oak_log", "mine 1 dirt"]
    assert "expected a tool or a station of the game, got 'laser'" in problems[0]


def test_an_unclosed_call_does_not_hide_the_other_calls():
    subgoals, problems = read("mine({'log': 3}, null;\ncraft({'planks': 4}, {'log': 1}, null)")
    assert subgoals == ["craft 4 oak_planks"]
    assert "expected ')' before the next call" in problems[0]
    subgoals, problems = read("mine({'log': 3}, null)\ncraft({'planks': 4}, {'lo")
    assert subgoals[0] == "mine 3 oak_log"
    assert "before the end of the text" in " ".join(problems)
