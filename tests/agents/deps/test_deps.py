"""DEPS describes, explains, plans and selects; each of its mechanisms changes what comes out."""

import json
from dataclasses import replace

import pytest

from optimus_gym.agents.deps.agent import MOST_ROUNDS, Deps
from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.minds.self_check import faults_of, judging_by
from optimus_gym.prompts.lines import facts_in
from optimus_gym.testing.situations import CountingBackbone, attached, outcome, situation
from tests.agents.playing import last_info
from tests.agents.removing import unread_facts, without
from tests.envs.conftest import make

ABLE = abilities_of("voxel")
PICKAXE = situation(SubGoal("craft", "wooden_pickaxe"))
STONE = situation(SubGoal("craft", "stone_pickaxe"))
LACKS_PLANKS = situation(PICKAXE.goal, {"oak_log": 2, "stick": 2}, stations=["crafting_table"])
LOST_PICKAXE = situation(STONE.goal, {"oak_planks": 3, "stick": 4}, stations=["crafting_table"])
MISSING = Failure("missing_item", "oak_planks", 3)


class Row:
    """One row of DEPS; the backbone's requests and answers are kept."""

    def __init__(self, here, backbone=None, **options):
        self.backbone = CountingBackbone(backbone or RulesBackbone())
        self.agent = attached(Deps(**options), self.backbone, abilities=ABLE)
        self.here = here
        self.agent.begin_episodes([here])
        self.decision = self.agent.decide([here])[0]

    def ends(self, end="reached", failure=None, here=None):
        """End the sub-goal, and return the next decision."""
        self.agent.ended([outcome(0, self.decision.subgoal, end, failure)])
        self.decision = self.agent.decide([here or self.here])[0]
        return self.decision

    def fails_at(self, step, here, failure=MISSING):
        """Reach all sub-goals before `step`, let `step` fail, and return the next decision."""
        while str(self.decision.subgoal) != step:
            assert self.decision.subgoal, "the plan lacks the step"
            self.ends()
        return self.ends("failed", failure, here)

    @property
    def asked(self):
        return [request for call in self.backbone.calls for request in call]


def words(decision):
    return [str(subgoal) for subgoal in decision.remaining]


@pytest.mark.parametrize("suite", SUITES)
def test_the_rules_plan_in_calls_works_on_paper_for_every_task(suite):
    judging = judging_by(ABLE.graph)
    for task in tasks(suite).values():
        row = Row(situation(task.goal), horizon=False, proximity=False)
        assert row.decision.problems == ()
        assert faults_of(row.decision.plan, row.here, judging) == ([], None), task.id


def test_a_failure_is_explained_and_mended():
    row = Row(PICKAXE)
    mended = row.fails_at("craft 1 wooden_pickaxe", LACKS_PLANKS)
    assert [request.kind for request in row.asked] == ["plan", "explain", "replan"]
    told = facts_in(row.asked[-1].text)
    assert told["explanation"].endswith("the agent lacks 3 planks.")
    assert told["reached"] == (1, 2, 3, 4, 5)
    assert words(mended) == ["craft 4 oak_planks", "craft 1 wooden_pickaxe"]
    assert mended.replanned


def test_without_description_the_planner_does_not_know_what_is_done():
    row = Row(PICKAXE, describes=False)
    again = row.fails_at("craft 1 wooden_pickaxe", LACKS_PLANKS)
    for request in row.asked:
        assert not {"inventory", "stations", "reached"} & set(facts_in(request.text))
    assert words(again)[0] == "mine 3 oak_log"


def test_without_explanation_the_planner_repeats_its_fault():
    row = Row(PICKAXE, explains=False)
    again = row.fails_at("craft 1 wooden_pickaxe", LACKS_PLANKS)
    assert [request.kind for request in row.asked] == ["plan", "replan"]
    assert words(again) == ["craft 1 wooden_pickaxe"]


def test_pieces_that_a_failed_step_has_gathered_are_not_gathered_again():
    row = Row(STONE)
    some = situation(STONE.goal, {"cobblestone": 2, "wooden_pickaxe": 1, "stick": 2})
    again = row.fails_at("mine 3 cobblestone", some, Failure("timeout"))
    assert words(again)[:2] == ["equip 1 wooden_pickaxe", "mine 1 cobblestone"]


def test_a_plan_that_ends_without_the_goal_is_explained_by_the_goal():
    scripted = ScriptedBackbone(['mine({"log": 1}, null)', "why not", 'mine({"log": 1}, null)'])
    row = Row(PICKAXE, scripted)
    row.ends()
    assert facts_in(row.asked[1].text)["failed_step"] == ("craft", "wooden_pickaxe", 1)
    assert facts_in(row.asked[2].text)["explanation"] == "why not"


def test_an_explanation_without_text_is_left_out():
    row = Row(PICKAXE, ScriptedBackbone(['mine({"log": 1}, null)', "", 'mine({"log": 1}, null)']))
    row.ends("failed", MISSING)
    assert "explanation" not in facts_in(row.asked[2].text)


@pytest.mark.parametrize("rounds", [0, 2, MOST_ROUNDS])
def test_the_agent_gives_up_after_its_rounds(rounds):
    row = Row(PICKAXE, max_replans=rounds)
    for _ in range(rounds):
        assert row.ends("failed", MISSING).replanned
    assert row.ends("failed", MISSING).subgoal is None
    assert row.decision.reason == str(MISSING)
    assert sum(request.kind == "replan" for request in row.asked) == rounds


def test_there_are_twelve_rounds():
    assert Deps().max_replans == 12


WOOL_FIRST = 'kill({"wool": 1}, null)\nmine({"log": 1}, null)\ncraft({"stick": 4}, {}, null)'
PAINTING = situation(SubGoal("craft", "painting"))
SAND_LAST = 'mine({"log": 1}, null)\nmine({"sand": 1}, null)'
DESERT = replace(situation(SubGoal("mine", "sand")), biome="desert")
COAL_LAST = 'mine({"log": 1}, null)\nmine({"coal": 1}, "wooden_pickaxe")'
CAVE = replace(situation(SubGoal("mine", "coal"), {"wooden_pickaxe": 1}), height=40.0)


def first(text, here, **switches):
    return words(Row(here, ScriptedBackbone([text]), **switches).decision)[0]


@pytest.mark.parametrize(
    ("text", "here", "neither", "by_horizon", "by_proximity", "by_both"),
    [
        (WOOL_FIRST, PAINTING, "kill", "mine", "kill", "mine"),
        (SAND_LAST, DESERT, "mine 1 oak_log", "mine 1 oak_log", "mine 1 sand", "mine 1 sand"),
        (COAL_LAST, CAVE, "mine", "mine", "equip", "equip"),
    ],
    ids=["quick", "in the biome", "at the height"],
)
def test_horizon_and_proximity_select_the_next_sub_goal(
    text, here, neither, by_horizon, by_proximity, by_both
):
    assert first(text, here, horizon=False, proximity=False).startswith(neither)
    assert first(text, here, proximity=False).startswith(by_horizon)
    assert first(text, here, horizon=False).startswith(by_proximity)
    assert first(text, here).startswith(by_both)


def test_only_sub_goals_that_can_be_done_now_are_selected():
    text = 'kill({"wool": 1}, null)\nmine({"cobblestone": 1}, "wooden_pickaxe")'
    assert first(text, PAINTING) == "kill 1 white_wool"
    held = replace(PAINTING, inventory={"wooden_pickaxe": 1})
    assert first(text, held) == "equip 1 wooden_pickaxe"


def test_a_quick_sub_goal_that_takes_the_others_materials_waits():
    sticks = 'craft({"stick": 8}, {"planks": 4}, null)\nmine({"log": 1}, null)\n'
    table = (
        'craft({"planks": 4}, {"log": 1}, null)\ncraft({"crafting_table": 1}, {"planks": 4}, null)'
    )
    here = situation(SubGoal("craft", "crafting_table"), {"oak_planks": 4})
    assert first(sticks + table, here) == "craft 8 stick"


def test_a_prepared_action_is_not_put_off():
    row = Row(CAVE, ScriptedBackbone([COAL_LAST]))
    assert str(row.decision.subgoal) == "equip 1 wooden_pickaxe"
    assert str(row.ends(here=replace(CAVE, height=64.0)).subgoal) == "mine 1 coal"


def test_the_rules_read_every_fact_of_a_plan_request():
    row = Row(situation(PICKAXE.goal, {"oak_planks": 3, "stick": 2}, stations=["crafting_table"]))
    assert unread_facts(row.asked[0]) == []


class Generous(RulesBackbone):
    """Plans to mine more cobblestone than the goal takes, and then follows the rules."""

    def complete(self, requests):
        replies = super().complete(requests)
        return [
            replace(one, text=one.text.replace('stone": 3}, "w', 'stone": 5}, "w'))
            for one in replies
        ]


def test_the_rules_read_every_fact_of_a_replan_request():
    row = Row(STONE, Generous())
    row.fails_at("mine 5 cobblestone", LOST_PICKAXE, Failure("missing_tool", "wooden_pickaxe", 1))
    assert unread_facts(row.asked[-1]) == []


def test_the_rules_read_every_fact_of_a_request_for_an_explanation():
    row = Row(PICKAXE)
    row.fails_at("craft 1 wooden_pickaxe", LACKS_PLANKS)
    explain = row.asked[1]
    assert unread_facts(explain) == ["failure"]
    held = {"oak_planks": 3, "stick": 2}
    row = Row(PICKAXE)
    row.fails_at("craft 1 wooden_pickaxe", replace(LACKS_PLANKS, inventory=held))
    assert "failure" not in unread_facts(row.asked[1])
    assert (
        "missing_item"
        not in RulesBackbone()
        .complete([replace(row.asked[1], text=without(row.asked[1].text, "failure"))])[0]
        .text
    )


def test_without_recipes_the_requests_list_no_way():
    assert "ways" not in facts_in(Row(PICKAXE, recipes=False).asked[0].text)


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"describes": 1}, BadValue, "describes: expected True or False"),
        ({"explains": "no"}, BadValue, "explains: expected True or False"),
        ({"horizon": None}, BadValue, "horizon: expected True or False"),
        ({"proximity": 0}, BadValue, "proximity: expected True or False"),
        ({"recipes": 2}, BadValue, "recipes: expected True or False"),
        ({"max_replans": -1}, BadValue, "max_replans"),
        ({"aligner": "eagle"}, UnknownName, "eagle"),
    ],
)
def test_a_wrong_option_is_named(options, error, said):
    with pytest.raises(error, match=said):
        Deps(**options)


def test_a_memory_folder_is_refused(tmp_path):
    with pytest.raises(
        BadValue, match="memory: expected none, as the agent 'deps' keeps no memory"
    ):
        attached(Deps(), memory=tmp_path)


@pytest.mark.parametrize("world", ["symbolic", "voxel"])
def test_deps_crafts_its_wooden_task(world):
    env = make("Optimus-Wood-v0", world=world, agent="deps")
    info = last_info(env)
    assert info["is_success"], json.dumps(info["reason"])
    assert info["backbone"]["own_plans"] >= 1
