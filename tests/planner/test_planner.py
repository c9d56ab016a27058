"""Plans of the tasks, their exact inventory, the facts behind them, corrections and replanning."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.situation import Picture
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.tags import tag
from optimus_gym.game.tasks import headline_tasks, task, tasks
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.knowledge.learning import Seen
from optimus_gym.planner.ask import Ask, Setback
from optimus_gym.planner.check import fault_of, first_fault, rules_for
from optimus_gym.planner.hdkg import HdkgPlanner
from optimus_gym.planner.unplanned import NoPlanner
from optimus_gym.prompts.template import render
from optimus_gym.worlds.symbolic.pack import Pack
from tests.planner.situations import situation

GRAPH = abilities_of("voxel", verbs=("mine", "craft", "smelt")).graph
RULES = rules_for(GRAPH)
ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(__file__).parent / "golden" / "plan_stone_pickaxe.md"


def goal_of(name):
    return task(name).goal


def plan_by(planner, goal, held=None, setback=None, **rest):
    """The plan of one row."""
    return planner.plan([Ask(situation(goal, held, **rest), setback)])[0]


def plan(goal, held=None, **rest):
    return plan_by(HdkgPlanner(RulesBackbone(), GRAPH), goal, held, **rest)


def words(made):
    return [str(subgoal) for subgoal in made.subgoals]


@pytest.mark.parametrize("name", [found.id for found in tasks().values()])
def test_the_plan_of_every_task_works_on_paper(name):
    goal = goal_of(name)
    made = plan(goal)
    assert made.problems == ()
    pack = Pack()
    assert first_fault(made.subgoals, pack, RULES) is None
    assert pack.held[goal.item] >= goal.count


@pytest.mark.parametrize("found", headline_tasks(), ids=lambda found: found.id)
def test_no_step_of_a_headline_plan_can_be_left_out(found):
    goal = found.goal
    subgoals = plan(goal).subgoals
    for number, subgoal in enumerate(subgoals):
        if subgoal.verb != "equip":
            rest = subgoals[:number] + subgoals[number + 1 :]
            assert fault_of(rest, situation(goal), RULES) is not None, str(subgoal)


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


def test_sub_goals_carry_what_executors_need():
    by_text = {subgoal.text: subgoal for subgoal in plan(goal_of("Diamond")).subgoals}
    assert "birch_log" in by_text["mine 4 log"].accepts
    assert "birch_planks" in by_text["craft 13 planks"].accepts
    assert by_text["mine 3 iron ore"].tool == "stone_pickaxe"
    assert by_text["smelt 3 iron ingot"].station == "furnace"
    assert by_text["craft 6 stick"].station is None
    assert by_text["craft 1 iron pickaxe"].station == "crafting_table"


def test_what_is_held_and_in_reach_is_used():
    held = {"iron_ingot": 3, "stick": 2}
    made = plan(goal_of("Iron"), held, equipped="stick", stations=("crafting_table",))
    assert words(made) == ["craft 1 iron_pickaxe"]


def test_a_tool_in_hand_is_not_equipped_again():
    made = plan(goal_of("Diamond"), {"iron_pickaxe": 1}, equipped="iron_pickaxe")
    assert words(made) == ["mine 1 diamond"]


def test_a_station_that_is_used_up_is_taken_up_first():
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


def test_an_impossible_goal_says_what_is_missing():
    made = plan(SubGoal("smelt", "cooked_beef"))
    assert made.subgoals == ()
    assert "no source of beef" in made.problems[0]


def test_a_replan_holds_only_what_is_still_needed():
    planner = HdkgPlanner(RulesBackbone(), GRAPH)
    held = {"iron_ingot": 3, "oak_planks": 6, "crafting_table": 1, "cobblestone": 2}
    failed = SubGoal("craft", "iron_pickaxe", station="crafting_table")
    setback = Setback(failed, Failure("missing_item", "stick", 2))
    made = plan_by(planner, goal_of("Iron"), held, setback)
    assert words(made) == ["craft 2 stick", "place 1 crafting_table", "craft 1 iron_pickaxe"]


def test_other_kinds_that_are_held_count_for_the_goal():
    goal = SubGoal("craft", "oak_planks", 8, tag("planks"))
    made = plan(goal, {"birch_planks": 6})
    assert (made.problems, words(made)) == ((), ["mine 1 oak_log", "craft 2 oak_planks"])


def test_each_of_two_ways_to_an_item_has_its_own_station():
    held = {"iron_block": 7, "oak_log": 3, "iron_ore": 4}
    made = plan_by(FULL, SubGoal("craft", "brick_slab", 10), held)
    slabs = [(s.count, s.station) for s in made.subgoals if s.item == "brick_slab"]
    assert slabs == [(4, "stonecutter"), (6, "crafting_table")]


def test_a_broken_tool_is_made_again():
    planner = HdkgPlanner(RulesBackbone(), GRAPH)
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


def test_what_was_not_found_is_got_another_way():
    planner = HdkgPlanner(RulesBackbone(), GRAPH)
    failed = SubGoal("mine", "coal", 1, tool="wooden_pickaxe")
    setback = Setback(failed, Failure("not_found", "coal"))
    made = plan_by(planner, SubGoal("craft", "torch"), setback=setback)
    assert "smelt 1 charcoal" in words(made)


class Listening(RulesBackbone):
    def __init__(self):
        self.calls = []

    @property
    def request(self):
        return self.calls[-1][-1]

    def complete(self, requests):
        self.calls.append(tuple(requests))
        return super().complete(requests)


def values(fact):
    if isinstance(fact, dict):
        return [leaf for key, value in fact.items() for leaf in (*values(value), str(key))]
    if isinstance(fact, tuple):
        return [leaf for value in fact for leaf in values(value)]
    return [] if fact is None else [str(fact)]


KEYS_OF_ROWS = {
    "verb", "item", "count", "tool", "station", "uses", "holds", "creature", "place"
}  # fmt: skip


def test_every_fact_stands_in_the_text():
    listening = Listening()
    planner = HdkgPlanner(listening, GRAPH)
    held = {"iron_ingot": 2, "birch_log": 17}
    failed, why = SubGoal("mine", "redstone", 1), Failure("not_found", "redstone", 1, "too dark")
    setback = Setback(failed, why)
    plan_by(
        planner, goal_of("Redstone"), held, setback, equipped="birch_log", stations=("furnace",)
    )
    assert set(listening.request.facts) == {
        "verbs", "goal", "inventory", "equipped", "stations", "steps", "failed", "failure"
    }  # fmt: skip
    for name, fact in listening.request.facts.items():
        for leaf in values(fact):
            if not (name == "steps" and leaf in KEYS_OF_ROWS):
                assert leaf in listening.request.text, (name, leaf)


def test_the_rules_answer_from_the_facts_alone():
    listening = Listening()
    made = plan_by(HdkgPlanner(listening, GRAPH), goal_of("Stone"))
    blind = Request("plan", "", (), listening.request.facts)
    assert RulesBackbone().complete([blind])[0].text == made.text
    assert len(json.loads(made.text)) == 10


GOOD = "1. mine 1 log\n2. craft 4 planks\n3. craft 4 stick"


def test_a_wrong_plan_goes_back_with_its_first_fault():
    backbone = ScriptedBackbone(["1. craft 4 stick", GOOD])
    made = plan_by(HdkgPlanner(backbone, GRAPH), SubGoal("craft", "stick", 4))
    assert [s.verb for s in made.subgoals] == ["mine", "craft", "craft"]
    assert len(made.problems) == 1
    assert "step 1 (craft 4 stick) cannot work: 2 more oak_planks" in made.problems[0]
    assert made.problems[0].removeprefix("answer 1: ") in backbone.requests[1].text


def test_a_plan_that_stays_wrong_is_returned_with_its_problems():
    backbone = ScriptedBackbone(["no", "1. craft 1 warp drive", "1. craft 4 stick"])
    made = plan_by(HdkgPlanner(backbone, GRAPH), SubGoal("craft", "stick", 4))
    assert words(made) == ["craft 4 stick"]
    assert [problem[:8] for problem in made.problems] == [
        "answer 1",
        "answer 1",
        "answer 2",
        "answer 2",
        "answer 3",
    ]
    assert "at its end 0 of 4 stick would be held" in made.problems[1]
    assert "'warp drive'" in made.problems[2]


def test_the_same_wrong_answer_twice_ends_the_asking():
    backbone = ScriptedBackbone(["1. craft 4 stick"] * 3)
    plan_by(HdkgPlanner(backbone, GRAPH), SubGoal("craft", "stick", 4))
    assert len(backbone.requests) == 2


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ("1. mine 3 iron ore", "needs at least a stone_pickaxe"),
        ("1. equip iron pickaxe", "no iron_pickaxe is held"),
        ("1. mine 1 log\n2. craft 4 planks\n3. craft 1 chest", "no crafting_table is in reach"),
        ("1. mine 1 log\n2. smelt 1 charcoal", "no furnace is in reach"),
        ("1. mine 1 bedrock", "no known block gives bedrock"),
        ("1. mine 1 log\n2. craft 5 planks", "1 more oak_log would be needed"),
        ("1. mine 1 log", "at its end 0 of 1 chest would be held"),
    ],
)
def test_the_first_step_that_cannot_work_is_named(lines, fault):
    backbone = ScriptedBackbone([lines] * 3)
    made = plan_by(HdkgPlanner(backbone, GRAPH), SubGoal("craft", "chest"))
    assert fault in made.problems[0]


FULL = HdkgPlanner(RulesBackbone(), full_graph())


def test_verbs_of_the_whole_game_are_planned_and_tried():
    made = plan_by(FULL, SubGoal("craft", "cake"))
    assert made.problems == ()
    verbs = [subgoal.verb for subgoal in made.subgoals]
    assert {"mine", "craft", "smelt", "milk", "find"} <= set(verbs)
    milk = next(subgoal for subgoal in made.subgoals if subgoal.verb == "milk")
    assert (milk.item, milk.creature, milk.text) == (
        "milk_bucket", "cow", "milk cow for 3 milk bucket"
    )  # fmt: skip


def test_a_sub_goal_says_where_to_go():
    places = {s.item: s.place for s in plan_by(FULL, goal_of("Diamond")).subgoals}
    assert places["diamond"] == "y 0 to 15"
    assert places["oak_log"] is None


def test_what_the_graph_learns_is_planned_with():
    graph = KnowledgeGraph.empty()
    planner = HdkgPlanner(RulesBackbone(), graph)
    assert "no source of beef" in plan_by(planner, SubGoal("kill", "beef")).problems[0]
    graph.learn(Seen("kill", "beef", ticks=100))
    made = plan_by(planner, SubGoal("kill", "beef"))
    assert words(made) == ["kill 1 beef"]
    assert made.problems == ()


def test_a_goal_to_find_is_its_own_plan():
    made = plan_by(FULL, SubGoal("find", "cow"))
    assert made.problems == ()
    assert words(made) == ["find 1 cow"]


def test_to_find_logs_is_to_mine_them():
    backbone = ScriptedBackbone(["1. find 2 logs\n2. craft 8 planks"])
    made = plan_by(HdkgPlanner(backbone, full_graph()), SubGoal("craft", "oak_planks", 8))
    assert made.problems == ()
    assert words(made) == ["mine 2 oak_log", "craft 8 oak_planks"]


def test_a_prompt_names_the_verbs_that_the_graph_knows():
    for graph, listed in ((GRAPH, "words mine, craft, smelt, equip, place."), (
        full_graph(), "place, kill, shear, milk, fill, grow, find."
    )):  # fmt: skip
        listening = Listening()
        plan_by(HdkgPlanner(listening, graph), goal_of("Wood"))
        assert listed in listening.request.text


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ("1. milk 1 milk bucket", "1 more bucket would be needed"),
        ("1. shear 1 white wool", "needs at least a shears"),
        ("1. kill 1 diamond", "no known way to kill diamond"),
        ("1. mine 1 log\n2. craft 4 planks\n3. craft 1 crafting table\n4. smelt 1 glass",
         "step 4 (smelt 1 glass) cannot work: no furnace is in reach"),
    ],
)  # fmt: skip
def test_the_first_impossible_step_of_any_verb_is_named(lines, fault):
    planner = HdkgPlanner(ScriptedBackbone([lines] * 3), full_graph())
    made = plan_by(planner, SubGoal("craft", "chest"))
    assert fault in made.problems[0]


def test_what_fails_is_tried_again_if_every_other_way_is_long():
    failed = SubGoal("mine", "oak_log", 3, task("Mp5MineLog").kinds)
    setback = Setback(failed, Failure("not_found", "oak_log", 3))
    made = plan_by(FULL, goal_of("Wood"), setback=setback)
    assert words(made)[0] == "mine 3 oak_log"


def test_without_planning_the_goal_is_the_plan():
    made = plan_by(NoPlanner(full_graph()), goal_of("Stone"))
    assert words(made) == ["craft 1 stone_pickaxe"]
    assert made.subgoals[0].station == "crafting_table"


def test_a_prompt_with_a_missing_or_spare_value_is_an_error():
    with pytest.raises(BadValue, match="expected values for answer, problems, request"):
        render("correct", request="", answer="")
    with pytest.raises(BadValue, match="got answer, extra"):
        render("correct", request="", answer="", problems="", extra="")
    with pytest.raises(UnknownName, match="unknown prompt 'plna'"):
        render("plna")


def test_planning_needs_no_networkx():
    code = (
        "import sys\n"
        "from optimus_gym.backbones.rules import RulesBackbone\n"
        "from optimus_gym.core.types import SubGoal\n"
        "from optimus_gym.knowledge.knowledge_graph import full_graph\n"
        "from optimus_gym.planner.ask import Ask\n"
        "from optimus_gym.planner.hdkg import HdkgPlanner\n"
        "from tests.planner.situations import situation\n"
        "ask = Ask(situation(SubGoal('mine', 'diamond')))\n"
        "assert HdkgPlanner(RulesBackbone(), full_graph()).plan([ask])[0].subgoals\n"
        "assert not {'networkx', 'numba', 'torch'} & set(sys.modules)\n"
    )
    path = {"PYTHONPATH": ":".join((str(ROOT), *sys.path))}
    run = subprocess.run([sys.executable, "-c", code], env=path, timeout=60, check=False)
    assert run.returncode == 0


def test_the_prompt_is_the_golden_one():
    listening = Listening()
    held = {"birch_log": 2, "stick": 1}
    planner = HdkgPlanner(listening, GRAPH)
    plan_by(planner, goal_of("Stone"), held, equipped="stick", stations=("crafting_table",))
    assert listening.request.text == GOLDEN.read_text(encoding="utf-8")


def test_the_rows_that_need_a_plan_ask_together_and_are_answered_in_order():
    listening = Listening()
    goals = [goal_of("Wood"), SubGoal("smelt", "cooked_beef"), goal_of("Stone"), goal_of("Iron")]
    asks = [Ask(situation(goal, row=row + 5)) for row, goal in enumerate(goals)]
    made = HdkgPlanner(listening, GRAPH).plan(asks)
    assert made == [plan(goal) for goal in goals]
    assert [[request.row for request in call] for call in listening.calls] == [[5, 7, 8]]


def test_only_the_rows_with_faults_are_asked_again():
    backbone = ScriptedBackbone(["1. craft 4 stick", GOOD, "no", GOOD, "1. mine 1 log", GOOD])
    asks = [Ask(situation(SubGoal("craft", "stick", 4), row=row)) for row in range(3)]
    made = HdkgPlanner(backbone, GRAPH).plan(asks)
    assert [request.row for request in backbone.requests] == [0, 1, 2, 0, 2, 2]
    assert [len(one.problems) for one in made] == [1, 0, 3]
    assert {words(one)[-1] for one in made} == {"craft 4 stick"}


def test_a_scripted_backbone_has_as_many_replies_as_it_was_given():
    backbone = ScriptedBackbone(["a", "b"])
    request = Request("plan", "?")
    assert backbone.complete([request]) == [Reply("a", 0.0, "scripted")]
    with pytest.raises(BadValue, match="expected at most 2 questions, got 3"):
        backbone.complete([request] * 2)


@pytest.mark.parametrize("sees", [False, True])
def test_the_picture_goes_along_where_it_is_wanted(sees):
    listening = Listening()
    drawn = np.zeros((360, 640, 3), np.uint8)
    picture = Picture(lambda: drawn, lambda: True)
    planner = HdkgPlanner(listening, GRAPH, sees=sees)
    plan_by(planner, goal_of("Wood"), picture=picture)
    assert len(listening.request.images) == sees
    assert all(image is drawn for image in listening.request.images)
    plan_by(planner, goal_of("Wood"))
    assert listening.request.images == ()
