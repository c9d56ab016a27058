"""Requests list one way for each item on the way to the goal, whatever is held."""

from optimus_gym.core.types import SubGoal
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.minds.known_ways import ways_for
from optimus_gym.minds.planning import Ask
from optimus_gym.prompts.way_lines import told_ways, ways_in
from optimus_gym.testing.situations import situation
from tests.minds.plans import GRAPH, goal_of


def ways(goal, held=None, graph=GRAPH):
    return ways_for(Ask(situation(goal, held)), graph)


def test_the_ways_to_a_stone_pickaxe():
    assert told_ways(ways(goal_of("Stone"))).splitlines() == [
        "- mine 1 cobblestone: with wooden_pickaxe or better",
        "- craft 1 crafting_table: uses 4 planks",
        "- mine 1 log",
        "- craft 4 planks: uses 1 log",
        "- craft 4 stick: uses 2 planks",
        "- craft 1 stone_pickaxe: uses 3 cobblestone, 2 stick; at crafting_table",
        "- craft 1 wooden_pickaxe: uses 3 planks, 2 stick; at crafting_table",
    ]


def test_held_items_do_not_shorten_the_ways():
    assert ways(goal_of("Stone"), {"oak_planks": 20, "stone_pickaxe": 0}) == ways(goal_of("Stone"))


def test_smelting_names_the_fuel_and_what_a_piece_of_fuel_smelts():
    (smelting,) = (row for row in ways(goal_of("Iron")) if row["verb"] == "smelt")
    assert smelting["fuel"] == ("planks", 1.5)


def test_a_goal_that_empty_hands_cannot_reach_has_the_ways_from_the_held_items():
    graph = KnowledgeGraph(one for one in GRAPH.sources if one.verb == "craft")
    held = {"oak_log": 3}
    assert ways(SubGoal("craft", "stick", 4), held, graph)[0]["item"] == "planks"
    assert ways(SubGoal("craft", "stick", 4), {}, graph) == ()


def test_the_ways_of_every_task_survive_as_lines():
    for suite in SUITES:
        for task in tasks(suite).values():
            rows = ways(task.goal)
            assert ways_in(told_ways(rows)) == rows
