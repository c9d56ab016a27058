"""The rules reason backward over the calls of a request, and write plans of code."""

import pytest

from optimus_gym.backbones.code_rules import code_plan
from optimus_gym.prompts.code_plans import Call, program_in

LOG = Call("mine", "log")
PLANKS = Call("craft", "planks", 4, {"log": 1})
STICK = Call("craft", "stick", 4, {"planks": 2})
TABLE = Call("craft", "crafting_table", 1, {"planks": 4})
PICKAXE = Call("craft", "wooden_pickaxe", 1, {"planks": 3, "stick": 2}, "crafting_table")
STONE = Call("mine", "cobblestone", 1, {}, "wooden_pickaxe")
FURNACE = Call("craft", "furnace", 1, {"cobblestone": 8}, "crafting_table")
SMELT = Call("smelt", "iron_ingot", 1, {"iron_ore": 1}, "furnace")
COAL = Call("mine", "coal", 1, {}, "wooden_pickaxe")
WAYS = (LOG, PLANKS, STICK, TABLE, PICKAXE, STONE, FURNACE, SMELT, COAL)
FUEL = {"planks": 1, "coal": 8}
ALL = ("mine", "craft", "smelt", "kill")


def plan(verb, item, count=1, held=None, ways=WAYS, text="", **facts):
    """Return the calls of the rules' plan in short: verb, count, item, tool."""
    asked = {"goal": (verb, item, count), "ways": ways, "references": (), "verbs": ALL, **facts}
    return program_in(code_plan({"inventory": held or {}, **asked}, text))


def short(calls):
    return [f"{call.verb} {call.count} {call.item}" for call in calls]


def test_each_item_is_got_once_for_all_its_uses():
    assert short(plan("mine", "cobblestone", 3)) == [
        "mine 3 log", "craft 12 planks", "craft 4 stick", "craft 1 crafting_table",
        "craft 1 wooden_pickaxe", "mine 3 cobblestone",
    ]  # fmt: skip


def test_held_pieces_of_any_wood_and_stations_in_reach_are_deducted():
    held = {"birch_planks": 4, "oak_planks": 1, "stick": 2}
    made = plan("craft", "wooden_pickaxe", 1, held, stations=("crafting_table",))
    assert short(made) == ["craft 1 wooden_pickaxe"]
    assert short(plan("craft", "stick", 6, {"stick": 1, "oak_planks": 4})) == ["craft 8 stick"]


def test_a_stronger_held_tool_serves_and_is_named():
    (mined,) = plan("mine", "cobblestone", 3, {"iron_pickaxe": 1})
    assert mined.tool == "iron_pickaxe"


def test_a_tool_that_wears_out_is_made_again():
    made = plan("mine", "cobblestone", 100)
    assert "craft 2 wooden_pickaxe" in short(made)


@pytest.mark.parametrize(
    ("held", "fuel", "count"),
    [({}, "planks", 9), ({"coal": 1}, "coal", 2), ({"coal": 2}, "coal", 2)],
)
def test_smelting_burns_a_held_fuel_or_the_first_one(held, fuel, count):
    things = {"iron_ore": 9, "furnace": 1, "oak_log": 9, **held}
    made = plan("smelt", "iron_ingot", 9, things, fuel=FUEL)
    assert made[-1].materials == {"iron_ore": 9, fuel: count}


def test_a_fuel_that_was_sought_in_vain_is_left_out():
    things = {"iron_ore": 8, "furnace": 1, "wooden_pickaxe": 1}
    failed = {"action": COAL, "explanation": "So get coal in another way."}
    made = plan("smelt", "iron_ingot", 8, things, fuel={"coal": 8, "planks": 1}, **failed)
    assert made[-1].materials["planks"] == 8
    assert plan("smelt", "iron_ingot", 8, things, fuel={"coal": 8, "planks": 1})[-1].materials == {
        "iron_ore": 8,
        "coal": 1,
    }


def test_circles_are_not_followed():
    block = (
        Call("craft", "coal", 9, {"coal_block": 1}),
        Call("craft", "coal_block", 1, {"coal": 9}),
    )
    assert short(plan("craft", "coal", 1, ways=block)) == ["craft 1 coal"]
    assert short(plan("craft", "coal", 2, {"coal_block": 1}, ways=block)) == ["craft 9 coal"]


@pytest.mark.parametrize(
    ("goal", "calls"),
    [
        (("equip", "shield", 1), ["craft 1 shield", "equip 1 shield"]),
        (("find", "sheep", 1), ["find 1 sheep"]),
        (("place", "furnace", 1), ["craft 1 furnace", "place 1 furnace"]),
        (("smelt", "glass", 3), ["smelt 3 glass"]),
    ],
)
def test_a_goal_without_a_stated_way_is_guessed(goal, calls):
    assert short(plan(*goal, ways=())) == calls


def test_a_way_of_an_unlisted_verb_is_not_taken():
    way = Call("kill", "white_wool")
    assert short(plan("kill", "white_wool", ways=(way,), verbs=("mine",))) == ["kill 1 white_wool"]
    assert short(plan("craft", "string", ways=(Call("kill", "string"),), verbs=("mine",))) == [
        "craft 1 string"
    ]


FAULTS = """Plan.

Your answer was:
no

It cannot be used:
step 1 (craft 1 chest) cannot work: no crafting_table is in reach, and 8 more oak_planks would be needed
step 2 (equip 1 iron_axe) cannot work: no iron_axe is held
the plan ends with 0 of 1 chest, 1 more are needed

Answer again.
"""


def test_the_faults_of_an_answer_say_what_the_faulty_step_needs():
    made = plan("craft", "chest", ways=(LOG, PLANKS, TABLE), text=FAULTS)
    assert short(made) == [
        "mine 3 log",
        "craft 12 planks",
        "craft 1 crafting_table",
        "craft 1 chest",
    ]
    assert (made[-1].materials, made[-1].tool) == ({"planks": 8}, "crafting_table")


def test_a_stated_way_comes_before_a_named_fault():
    chest = Call("craft", "chest", 1, {"planks": 8}, "crafting_table")
    spoiled = FAULTS.replace("no crafting_table is in reach, and 8", "9")
    made = plan("craft", "chest", ways=(LOG, PLANKS, TABLE, chest), text=spoiled)
    assert (made[-1].materials, made[-1].tool) == ({"planks": 8}, "crafting_table")
    impossible = FAULTS.replace(
        "craft 1 chest) cannot work: no", "smelt 1 chest) cannot work: nothing"
    )
    assert plan("craft", "chest", ways=(LOG, PLANKS, TABLE, chest), text=impossible) == made


IMPOSSIBLE = """Plan.

Your answer was:
def obtain_stick():
    mine(obj={"oak_planks": 2}, tool=None)  # step 1
    craft(obj={"stick": 4}, materials={"oak_planks": 2}, tool=None)  # step 2
    return "stick"

It cannot be used:
step 1 (mine 2 oak_planks) cannot work: no known block gives oak_planks

Answer again.
"""


def test_an_impossible_guess_gives_way_to_the_next_and_the_rest_of_the_answer_is_kept():
    assert short(plan("craft", "stick", ways=(), text=IMPOSSIBLE)) == [
        "craft 2 oak_planks", "craft 4 stick",
    ]  # fmt: skip
    advised = {"action": Call("craft", "chest"), "explanation": "So get chest in another way."}
    assert short(plan("equip", "chest", ways=(), **advised))[0] == "mine 1 chest"


def test_a_craft_call_without_materials_is_no_way():
    rows = {
        "goal": "",
        "environment": "plains",
        "inventory": {},
        "plan": (Call("craft", "stick", 4),),
    }
    made = plan("craft", "stick", ways=(LOG, PLANKS, STICK), references=(rows,), biome="plains")
    assert short(made) == ["mine 1 log", "craft 4 planks", "craft 4 stick"]


def test_pieces_that_the_faulty_step_had_count_as_needed():
    made = plan("craft", "chest", 1, {"oak_planks": 3}, ways=(LOG, PLANKS, TABLE), text=FAULTS)
    assert made[-1].materials == {"planks": 11}


def test_a_raw_failure_names_one_missing_item_and_an_explanation_names_all():
    action = Call("craft", "torch", 4)
    raw = plan(
        "craft",
        "torch",
        4,
        ways=(COAL, LOG, PLANKS),
        action=action,
        failure="missing_item: 1 coal (why)",
    )
    assert raw[-1].materials == {"coal": 1}
    told = {
        "action": action,
        "failure": "missing_item: 1 coal",
        "explanation": "So first get 1 coal, 1 stick.",
    }
    assert plan("craft", "torch", 4, ways=WAYS, **told)[-1].materials == {"coal": 1, "stick": 1}


def test_a_remembered_plan_of_the_same_biome_comes_before_the_games_ways():
    row = {
        "goal": "Craft a stick", "environment": "desert", "inventory": {},
        "plan": (Call("mine", "stick", 2, note="from dead bush"),),
    }  # fmt: skip
    assert short(plan("craft", "stick", 2, references=(row,), biome="desert")) == ["mine 2 stick"]
    assert (
        short(plan("craft", "stick", 2, references=(row,), biome="plains"))[-1] == "craft 4 stick"
    )
    assert short(plan("craft", "stick", 2, references=(row,), ways=())) == ["mine 2 stick"]
