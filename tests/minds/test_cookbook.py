"""Requests list the ways to the items on the way to a goal, whatever is held."""

import pytest

from optimus_gym.core.types import SubGoal
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.minds.cookbook import Cookbook
from optimus_gym.prompts.code_plans import Call, calls_in, told_calls
from tests.minds.plans import GRAPH

BOOK = Cookbook(abilities_of("voxel").graph)
STICKS = SubGoal("craft", "stick", 4)


def test_ways_lead_from_nothing_to_the_goal_with_collective_words():
    ways = BOOK.ways(SubGoal("craft", "stone_pickaxe"))
    assert ways[:2] == (Call("mine", "log"), Call("craft", "planks", 4, {"log": 1}))
    assert ways[6] == Call(
        "craft", "stone_pickaxe", 1, {"cobblestone": 3, "stick": 2}, "crafting_table"
    )


def test_quick_other_ways_are_stated_with_the_ways_to_their_materials():
    ways = BOOK.ways(SubGoal("kill", "white_wool"))
    assert [str(way) for way in ways] == [
        'kill(obj={"white_wool": 1}, tool=None)  # from sheep',
        'craft(obj={"white_wool": 1}, materials={"string": 4}, tool=None)',
        'kill(obj={"string": 1}, tool=None)  # from spider',
    ]


def test_a_way_names_the_place_the_kind_of_wood_and_the_chosen_material():
    assert "y 0 to 15" in str(BOOK.ways(SubGoal("mine", "diamond")))
    door = BOOK.ways(SubGoal("craft", "birch_door"))
    assert Call("craft", "birch_planks", 4, {"birch_log": 1}) in door
    dye = BOOK.ways(SubGoal("craft", "red_dye"))
    assert dye[-1].materials.keys() <= {way.item for way in dye}


def test_fuel_is_stated_only_for_goals_that_are_smelted():
    assert BOOK.fuel(BOOK.ways(SubGoal("craft", "stick"))) == {}
    smelted = BOOK.ways(SubGoal("smelt", "iron_ingot"))
    assert BOOK.fuel(smelted) == {"planks": 1, "coal": 8, "charcoal": 8}
    assert {"coal", "charcoal"} <= {way.item for way in smelted}


@pytest.mark.parametrize("item", ["bedrock", "sheep"])
def test_a_goal_without_a_way_has_no_ways(item):
    assert BOOK.ways(SubGoal("find", item)) == ()


def test_held_pieces_do_not_shorten_the_ways():
    goal = SubGoal("craft", "stone_pickaxe")
    assert BOOK.ways(goal, {"oak_planks": 20, "stick": 9}) == BOOK.ways(goal)


def test_a_goal_that_empty_hands_cannot_reach_has_the_ways_from_the_held_pieces():
    book = Cookbook(KnowledgeGraph(one for one in GRAPH.sources if one.verb == "craft"))
    assert [way.item for way in book.ways(STICKS, {"oak_log": 3})][:2] == ["planks", "stick"]
    assert book.ways(STICKS) == ()
    assert book.ways(STICKS, {"stick": 4}) == ()


@pytest.mark.parametrize("suite", SUITES)
def test_the_ways_of_every_task_survive_as_lines(suite):
    for task in tasks(suite).values():
        ways = BOOK.ways(task.goal)
        assert calls_in(told_calls(ways)) == ways
