"""The planner's plans of all tasks work on paper, and replans hold only the rest."""

import subprocess
import sys
from pathlib import Path

import pytest

from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.sources import Place
from optimus_gym.game.tags import tag
from optimus_gym.game.tasks import headline_tasks, task, tasks
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.knowledge.learning import SeenWay
from optimus_gym.knowledge.simulate.pack import Pack
from optimus_gym.minds.completion import place_in_words
from optimus_gym.minds.instead import goal_as_plan
from optimus_gym.minds.planning import Setback
from optimus_gym.minds.self_check import faults_in, faults_of, judging_by
from optimus_gym.testing.situations import situation
from tests.minds.plans import GRAPH, goal_of, plan_by, plan_of, planner_of, words

RULES = judging_by(GRAPH)
ROOT = Path(__file__).resolve().parents[2]


def plan(goal, held=None, **rest):
    return plan_of(goal, held, GRAPH, **rest)


@pytest.mark.parametrize("name", [found.id for found in tasks().values()])
def test_the_plan_of_every_task_works_on_paper(name):
    goal = goal_of(name)
    made = plan(goal)
    assert made.problems == ()
    pack = Pack()
    assert faults_in(made.subgoals, pack, RULES) == []
    assert pack.held[goal.item] >= goal.count


@pytest.mark.parametrize("found", headline_tasks(), ids=lambda found: found.id)
def test_no_step_of_a_headline_plan_can_be_left_out(found):
    goal = found.goal
    subgoals = plan(goal).subgoals
    for number, subgoal in enumerate(subgoals):
        if subgoal.verb != "equip":
            rest = subgoals[:number] + subgoals[number + 1 :]
            assert faults_of(rest, situation(goal), RULES) != ([], None), str(subgoal)


def test_the_diamond_plan_step_by_step():
    assert words(plan(goal_of("Diamond"))) == [
        "mine 4 oak_log",
        "craft 13 oak_planks",
        "craft 6 stick",
        "craft 1 crafting_table",
        "place 1 crafting_table",
        "craft 1 wooden_pickaxe",
        "equip 1 wooden_pickaxe",
        "mine 11 cobblestone",
        "place 1 crafting_table",
        "craft 1 stone_pickaxe",
        "craft 1 furnace",
        "equip 1 stone_pickaxe",
        "mine 3 iron_ore",
        "place 1 furnace",
        "smelt 3 iron_ingot",
        "place 1 crafting_table",
        "craft 1 iron_pickaxe",
        "equip 1 iron_pickaxe",
        "mine 1 diamond",
    ]


def test_sub_goals_carry_kinds_tools_and_stations():
    by_text = {subgoal.text: subgoal for subgoal in plan(goal_of("Diamond")).subgoals}
    assert "birch_log" in by_text["mine 4 log"].accepts
    assert "birch_planks" in by_text["craft 13 planks"].accepts
    assert by_text["mine 3 iron ore"].tool == "stone_pickaxe"
    assert by_text["smelt 3 iron ingot"].station == "furnace"
    assert by_text["craft 6 stick"].station is None
    assert by_text["craft 1 iron pickaxe"].station == "crafting_table"


def test_held_items_and_stations_in_reach_are_used():
    held = {"iron_ingot": 3, "stick": 2}
    made = plan(goal_of("Iron"), held, equipped="stick", stations=("crafting_table",))
    assert words(made) == ["craft 1 iron_pickaxe"]


def test_a_tool_in_hand_is_not_equipped_again():
    made = plan(goal_of("Diamond"), {"iron_pickaxe": 1}, equipped="iron_pickaxe")
    assert words(made) == ["mine 1 diamond"]


def test_a_placed_station_is_taken_up_before_a_recipe_uses_it():
    made = words(plan(SubGoal("craft", "blast_furnace")))
    assert made[-4:] == [
        "equip 1 stone_pickaxe",
        "mine 1 furnace",
        "place 1 crafting_table",
        "craft 1 blast_furnace",
    ]


def test_a_reached_goal_needs_no_plan():
    made = plan(goal_of("Diamond"), {"diamond": 1})
    assert made.subgoals == made.problems == ()


def test_an_impossible_goal_names_the_missing_source():
    made = plan(SubGoal("smelt", "cooked_beef"))
    assert made.subgoals == ()
    assert "no source of beef" in made.problems[0]


def test_a_replan_holds_only_the_steps_that_are_still_needed():
    planner = planner_of(RulesBackbone(), GRAPH)
    held = {"iron_ingot": 3, "oak_planks": 6, "crafting_table": 1, "cobblestone": 2}
    failed = SubGoal("craft", "iron_pickaxe", station="crafting_table")
    setback = Setback(failed, Failure("missing_item", "stick", 2))
    made = plan_by(planner, goal_of("Iron"), held, setback)
    assert words(made) == ["craft 2 stick", "place 1 crafting_table", "craft 1 iron_pickaxe"]


def test_held_items_of_other_accepted_kinds_count_for_the_goal():
    goal = SubGoal("craft", "oak_planks", 8, tag("planks"))
    made = plan(goal, {"birch_planks": 6})
    assert (made.problems, words(made)) == ((), ["mine 1 oak_log", "craft 2 oak_planks"])


def test_two_ways_to_one_item_keep_their_own_stations():
    held = {"iron_block": 7, "oak_log": 3, "iron_ore": 4}
    made = plan_by(FULL, SubGoal("craft", "brick_slab", 10), held)
    slabs = [(s.count, s.station) for s in made.subgoals if s.item == "brick_slab"]
    assert slabs == [(4, "stonecutter"), (6, "crafting_table")]


def test_a_broken_tool_is_made_again():
    planner = planner_of(RulesBackbone(), GRAPH)
    held = {"cobblestone": 20, "stick": 3, "crafting_table": 1}
    failed = SubGoal("mine", "iron_ore", 3, tool="stone_pickaxe")
    setback = Setback(failed, Failure("missing_tool", "stone_pickaxe", 1))
    made = words(plan_by(planner, SubGoal("mine", "iron_ore", 3), held, setback))
    assert made == [
        "place 1 crafting_table",
        "craft 1 stone_pickaxe",
        "equip 1 stone_pickaxe",
        "mine 3 iron_ore",
    ]


def test_an_item_that_was_not_found_is_obtained_another_way():
    planner = planner_of(RulesBackbone(), GRAPH)
    failed = SubGoal("mine", "coal", 1, tool="wooden_pickaxe")
    setback = Setback(failed, Failure("not_found", "coal"))
    made = plan_by(planner, SubGoal("craft", "torch"), setback=setback)
    assert "smelt 1 charcoal" in words(made)


FULL = planner_of(RulesBackbone(), full_graph())


def test_verbs_of_the_whole_game_are_planned():
    made = plan_by(FULL, SubGoal("craft", "cake"))
    assert made.problems == ()
    verbs = [subgoal.verb for subgoal in made.subgoals]
    assert {"mine", "craft", "smelt", "milk", "find"} <= set(verbs)
    milk = next(subgoal for subgoal in made.subgoals if subgoal.verb == "milk")
    assert (milk.item, milk.creature, milk.text) == (
        "milk_bucket", "cow", "milk cow for 3 milk bucket"
    )  # fmt: skip


def test_a_sub_goal_names_the_heights_of_its_place():
    places = {s.item: s.place for s in plan_by(FULL, goal_of("Diamond")).subgoals}
    assert places["diamond"] == "y 0 to 15"
    assert places["oak_log"] is None


def test_newly_learned_ways_are_planned():
    graph = KnowledgeGraph.empty()
    planner = planner_of(RulesBackbone(), graph)
    assert "no source of beef" in plan_by(planner, SubGoal("kill", "beef")).problems[0]
    graph.learn(SeenWay("kill", "beef", ticks=100))
    made = plan_by(planner, SubGoal("kill", "beef"))
    assert words(made) == ["kill 1 beef"]
    assert made.problems == ()


def test_a_goal_to_find_is_its_own_plan():
    made = plan_by(FULL, SubGoal("find", "cow"))
    assert made.problems == ()
    assert words(made) == ["find 1 cow"]


def test_a_step_to_find_logs_becomes_mining_them():
    backbone = ScriptedBackbone(["1. find 2 logs\n2. craft 8 planks"])
    made = plan_by(planner_of(backbone, full_graph()), SubGoal("craft", "oak_planks", 8))
    assert made.problems == ()
    assert words(made) == ["mine 2 oak_log", "craft 8 oak_planks"]


def test_a_failed_step_is_repeated_if_every_other_way_is_long():
    failed = SubGoal("mine", "oak_log", 3, task("Mp5MineLog").kinds)
    setback = Setback(failed, Failure("not_found", "oak_log", 3))
    made = plan_by(FULL, goal_of("Wood"), setback=setback)
    assert words(made)[0] == "mine 3 oak_log"


def test_the_goal_alone_is_a_plan_without_a_planner():
    made = goal_as_plan(situation(goal_of("Stone")), full_graph())
    assert words(made) == ["craft 1 stone_pickaxe"]
    assert made.subgoals[0].station == "crafting_table"


def test_planning_needs_no_networkx():
    code = (
        "import sys\n"
        "from optimus_gym.backbones.rules import RulesBackbone\n"
        "from optimus_gym.core.types import SubGoal\n"
        "from optimus_gym.knowledge.knowledge_graph import full_graph\n"
        "from optimus_gym.minds.planning import Ask\n"
        "from tests.minds.plans import planner_of, plans_by\n"
        "from optimus_gym.testing.situations import situation\n"
        "ask = Ask(situation(SubGoal('mine', 'diamond')))\n"
        "assert plans_by(planner_of(RulesBackbone(), full_graph()), [ask])[0].subgoals\n"
        "assert not {'networkx', 'numba', 'torch'} & set(sys.modules)\n"
    )
    path = {"PYTHONPATH": ":".join((str(ROOT), *sys.path))}
    run = subprocess.run([sys.executable, "-c", code], env=path, timeout=60, check=False)
    assert run.returncode == 0


@pytest.mark.parametrize(
    ("goal", "tool", "line"),
    [
        # iron ore takes 125 of the stone pickaxe's 131 uses, so the wooden pickaxe mines the coal
        (SubGoal("smelt", "iron_ingot", 120), "wooden_pickaxe", "mine 17 coal"),
        # a held stone pickaxe has 131 spare uses
        (SubGoal("mine", "cobblestone", 100), "stone_pickaxe", "mine 100 cobblestone"),
    ],
)
def test_the_plan_equips_the_tool_that_its_count_of_wear_assumes(goal, tool, line):
    made = plan_of(goal, {"stone_pickaxe": 1} if goal.item == "cobblestone" else {})
    assert made.problems == ()
    steps = words(made)
    before = steps[: steps.index(line)]
    assert [step for step in before if step.startswith("equip")][-1] == f"equip 1 {tool}"


def test_a_plan_in_which_a_tool_breaks_is_reported():
    lines = "1. equip wooden pickaxe\n2. mine 60 cobblestone"
    backbone = ScriptedBackbone([lines] * 2)
    held = {"wooden_pickaxe": 1}
    made = plan_by(planner_of(backbone, GRAPH), SubGoal("mine", "cobblestone", 60), held)
    assert made.problems[0] == (
        "answer 1: step 2 (mine 60 cobblestone) cannot work: needs at least a wooden_pickaxe, the last "
        "one breaks after 59 of 60 uses"
    )


@pytest.mark.parametrize("reason", ["stuck", "timeout"])
def test_an_item_that_could_not_be_reached_is_obtained_another_way(reason):
    planner = planner_of(RulesBackbone(), GRAPH)
    failed = SubGoal("mine", "coal", 1, tool="wooden_pickaxe")
    made = plan_by(
        planner, SubGoal("craft", "torch"), setback=Setback(failed, Failure(reason, "coal"))
    )
    assert "smelt 1 charcoal" in words(made)


def test_only_places_below_sea_level_are_put_into_words():
    assert place_in_words(Place((), 0, 15)) == "y 0 to 15"
    assert place_in_words(Place((), 60, 120)) is None


def test_at_most_three_biomes_are_put_into_words():
    biomes = ("savanna", "desert", "plains", "forest")
    assert place_in_words(Place(biomes[:3])) == "savanna or desert or plains"
    assert place_in_words(Place(biomes)) is None
