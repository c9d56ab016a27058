"""Plans of the tasks, their exact inventory, the facts behind them, corrections and replanning."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from optimus_gym.agents.optimus1 import Optimus1
from optimus_gym.agents.unplanned import Unplanned
from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.protocols import Backbone, Planner
from optimus_gym.core.types import Failure, PlannerView, SubGoal
from optimus_gym.game.tags import tag
from optimus_gym.game.tasks import headline_tasks, task, tasks
from optimus_gym.memory.abilities import graph_of
from optimus_gym.memory.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.memory.learning import Seen
from optimus_gym.planner.check import fault_of, first_fault, rules_for
from optimus_gym.planner.hdkg import HdkgPlanner
from optimus_gym.prompts.template import render
from optimus_gym.worlds.symbolic.pack import Pack

GRAPH = graph_of("voxel", verbs=("mine", "craft", "smelt"))
RULES = rules_for(GRAPH)
NOTHING = PlannerView({})
GOLDEN = Path(__file__).parent / "golden" / "plan_stone_pickaxe.md"


def goal_of(name):
    return task(name).goal


def plan(goal, view=NOTHING):
    return HdkgPlanner(RulesBackbone(), GRAPH).plan(goal, view)


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
            assert fault_of(rest, goal, NOTHING, RULES) is not None, str(subgoal)


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
    view = PlannerView(
        {"iron_ingot": 3, "stick": 2}, equipped="stick", stations=("crafting_table",)
    )
    assert words(plan(goal_of("Iron"), view)) == ["craft 1 iron_pickaxe"]


def test_a_tool_in_hand_is_not_equipped_again():
    view = PlannerView({"iron_pickaxe": 1}, equipped="iron_pickaxe")
    assert words(plan(goal_of("Diamond"), view)) == ["mine 1 diamond"]


def test_a_station_that_is_used_up_is_taken_up_first():
    made = words(plan(SubGoal("craft", "blast_furnace")))
    assert made[-4:] == [
        "equip 1 stone_pickaxe",
        "mine 1 furnace",
        "place 1 crafting_table",
        "craft 1 blast_furnace",
    ]


def test_a_reached_goal_needs_no_plan():
    made = plan(goal_of("Diamond"), PlannerView({"diamond": 1}))
    assert made.subgoals == made.problems == ()


def test_an_impossible_goal_says_what_is_missing():
    made = plan(SubGoal("smelt", "cooked_beef"))
    assert made.subgoals == ()
    assert "no source of beef" in made.problems[0]


def test_a_replan_holds_only_what_is_still_needed():
    planner = HdkgPlanner(RulesBackbone(), GRAPH)
    view = PlannerView({"iron_ingot": 3, "oak_planks": 6, "crafting_table": 1, "cobblestone": 2})
    failed = SubGoal("craft", "iron_pickaxe", station="crafting_table")
    made = planner.replan(goal_of("Iron"), view, failed, Failure("missing_item", "stick", 2))
    assert words(made) == ["craft 2 stick", "place 1 crafting_table", "craft 1 iron_pickaxe"]


def test_other_kinds_that_are_held_count_for_the_goal():
    goal = SubGoal("craft", "oak_planks", 8, tag("planks"))
    made = plan(goal, PlannerView({"birch_planks": 6}))
    assert (made.problems, words(made)) == ((), ["mine 1 oak_log", "craft 2 oak_planks"])


def test_each_of_two_ways_to_an_item_has_its_own_station():
    held = {"iron_block": 7, "oak_log": 3, "iron_ore": 4}
    made = FULL.plan(SubGoal("craft", "brick_slab", 10), PlannerView(held))
    slabs = [(s.count, s.station) for s in made.subgoals if s.item == "brick_slab"]
    assert slabs == [(4, "stonecutter"), (6, "crafting_table")]


def test_a_broken_tool_is_made_again():
    planner = HdkgPlanner(RulesBackbone(), GRAPH)
    view = PlannerView({"cobblestone": 20, "stick": 3, "crafting_table": 1})
    failed = SubGoal("mine", "iron_ore", 3, tool="stone_pickaxe")
    why = Failure("missing_tool", "stone_pickaxe", 1)
    made = words(planner.replan(SubGoal("mine", "iron_ore", 3), view, failed, why))
    assert made == [
        "place 1 crafting_table",
        "craft 1 stone_pickaxe",
        "equip 1 stone_pickaxe",
        "mine 3 iron_ore",
    ]


def test_what_was_not_found_is_got_another_way():
    planner = HdkgPlanner(RulesBackbone(), GRAPH)
    failed = SubGoal("mine", "coal", 1, tool="wooden_pickaxe")
    made = planner.replan(SubGoal("craft", "torch"), NOTHING, failed, Failure("not_found", "coal"))
    assert "smelt 1 charcoal" in words(made)


class Listening(RulesBackbone):
    def __init__(self):
        self.request = None

    def complete(self, request):
        self.request = request
        return super().complete(request)


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
    view = PlannerView(
        {"iron_ingot": 2, "birch_log": 17}, equipped="birch_log", stations=("furnace",)
    )
    failed, why = SubGoal("mine", "redstone", 1), Failure("not_found", "redstone", 1, "too dark")
    planner.replan(goal_of("Redstone"), view, failed, why)
    assert set(listening.request.facts) == {
        "verbs", "goal", "inventory", "equipped", "stations", "steps", "failed", "failure"
    }  # fmt: skip
    for name, fact in listening.request.facts.items():
        for leaf in values(fact):
            if not (name == "steps" and leaf in KEYS_OF_ROWS):
                assert leaf in listening.request.text, (name, leaf)


def test_the_rules_answer_from_the_facts_alone():
    listening = Listening()
    made = HdkgPlanner(listening, GRAPH).plan(goal_of("Stone"), NOTHING)
    blind = type(listening.request)("plan", "", (), listening.request.facts)
    assert RulesBackbone().complete(blind).text == made.text
    assert len(json.loads(made.text)) == 10


GOOD = "1. mine 1 log\n2. craft 4 planks\n3. craft 4 stick"


def test_a_wrong_plan_goes_back_with_its_first_fault():
    backbone = ScriptedBackbone(["1. craft 4 stick", GOOD])
    made = HdkgPlanner(backbone, GRAPH).plan(SubGoal("craft", "stick", 4), NOTHING)
    assert [s.verb for s in made.subgoals] == ["mine", "craft", "craft"]
    assert len(made.problems) == 1
    assert "step 1 (craft 4 stick) cannot work: 2 more oak_planks" in made.problems[0]
    assert made.problems[0].removeprefix("answer 1: ") in backbone.requests[1].text


def test_a_plan_that_stays_wrong_is_returned_with_its_problems():
    backbone = ScriptedBackbone(["no", "1. craft 1 warp drive", "1. craft 4 stick"])
    made = HdkgPlanner(backbone, GRAPH).plan(SubGoal("craft", "stick", 4), NOTHING)
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
    HdkgPlanner(backbone, GRAPH).plan(SubGoal("craft", "stick", 4), NOTHING)
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
    made = HdkgPlanner(backbone, GRAPH).plan(SubGoal("craft", "chest"), NOTHING)
    assert fault in made.problems[0]


FULL = HdkgPlanner(RulesBackbone(), full_graph())


def test_verbs_of_the_whole_game_are_planned_and_tried():
    made = FULL.plan(SubGoal("craft", "cake"), NOTHING)
    assert made.problems == ()
    verbs = [subgoal.verb for subgoal in made.subgoals]
    assert {"mine", "craft", "smelt", "milk", "find"} <= set(verbs)
    milk = next(subgoal for subgoal in made.subgoals if subgoal.verb == "milk")
    assert (milk.item, milk.creature, milk.text) == (
        "milk_bucket", "cow", "milk cow for 3 milk bucket"
    )  # fmt: skip


def test_a_sub_goal_says_where_to_go():
    places = {s.item: s.place for s in FULL.plan(goal_of("Diamond"), NOTHING).subgoals}
    assert places["diamond"] == "y 0 to 15"
    assert places["oak_log"] is None


def test_what_the_graph_learns_is_planned_with():
    graph = KnowledgeGraph.empty()
    planner = HdkgPlanner(RulesBackbone(), graph)
    assert "no source of beef" in planner.plan(SubGoal("kill", "beef"), NOTHING).problems[0]
    graph.learn(Seen("kill", "beef", ticks=100))
    made = planner.plan(SubGoal("kill", "beef"), NOTHING)
    assert words(made) == ["kill 1 beef"]
    assert made.problems == ()


def test_a_goal_to_find_is_its_own_plan():
    made = FULL.plan(SubGoal("find", "cow"), NOTHING)
    assert made.problems == ()
    assert words(made) == ["find 1 cow"]


def test_to_find_logs_is_to_mine_them():
    backbone = ScriptedBackbone(["1. find 2 logs\n2. craft 8 planks"])
    made = HdkgPlanner(backbone, full_graph()).plan(SubGoal("craft", "oak_planks", 8), NOTHING)
    assert made.problems == ()
    assert words(made) == ["mine 2 oak_log", "craft 8 oak_planks"]


def test_a_prompt_names_the_verbs_that_the_graph_knows():
    for graph, listed in ((GRAPH, "words mine, craft, smelt, equip, place."), (
        full_graph(), "place, kill, shear, milk, fill, grow, find."
    )):  # fmt: skip
        listening = Listening()
        HdkgPlanner(listening, graph).plan(goal_of("Wood"), NOTHING)
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
    made = HdkgPlanner(ScriptedBackbone([lines] * 3), full_graph()).plan(
        SubGoal("craft", "chest"), NOTHING
    )
    assert fault in made.problems[0]


def test_what_fails_is_tried_again_if_every_other_way_is_long():
    failed = SubGoal("mine", "oak_log", 3, task("Mp5MineLog").kinds)
    made = FULL.replan(goal_of("Wood"), NOTHING, failed, Failure("not_found", "oak_log", 3))
    assert words(made)[0] == "mine 3 oak_log"


def test_without_planning_the_goal_is_the_plan():
    made = Unplanned().planner.plan(goal_of("Stone"), NOTHING)
    assert words(made) == ["craft 1 stone_pickaxe"]
    assert made.subgoals[0].station == "crafting_table"


def test_agents_are_made_of_names_or_parts():
    assert isinstance(Optimus1("rules").planner, HdkgPlanner)
    own = ScriptedBackbone([GOOD])
    assert Optimus1(own).backbone is own
    with pytest.raises(UnknownName, match="unknown backbone 'gpt-9'"):
        Optimus1("gpt-9")


def test_parts_have_the_methods_of_their_protocols():
    for protocol, part in (
        (Backbone, RulesBackbone()),
        (Planner, Optimus1().planner),
        (Planner, Unplanned().planner),
    ):
        for name in ("complete",) if protocol is Backbone else ("plan", "replan"):
            assert callable(getattr(part, name))


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
        "from optimus_gym.agents.optimus1 import Optimus1\n"
        "from optimus_gym.core.types import PlannerView, SubGoal\n"
        "assert Optimus1().planner.plan(SubGoal('mine', 'diamond'), PlannerView({})).subgoals\n"
        "assert not {'networkx', 'numba', 'torch'} & set(sys.modules)\n"
    )
    path = {"PYTHONPATH": ":".join(sys.path)}
    run = subprocess.run([sys.executable, "-c", code], env=path, timeout=60, check=False)
    assert run.returncode == 0


def test_the_prompt_is_the_golden_one():
    listening = Listening()
    view = PlannerView({"birch_log": 2, "stick": 1}, equipped="stick", stations=("crafting_table",))
    HdkgPlanner(listening, GRAPH).plan(goal_of("Stone"), view)
    assert listening.request.text == GOLDEN.read_text(encoding="utf-8")
