"""JARVIS-1 plans in code, checks plans, explains failures; each part changes what is asked or planned."""

from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.agents.jarvis1.agent import Jarvis1
from optimus_gym.agents.jarvis1.switches import JARVIS_PRESETS, jarvis_switches
from optimus_gym.backbones.rules import answer_to
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.situation import Picture
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.prompts.code_plans import Call, program_in, told_program
from optimus_gym.prompts.lines import facts_in
from optimus_gym.testing.situations import attached, situation
from tests.agents.jarvis1.asking import STICKS, JarvisRow, words
from tests.agents.playing import last_info
from tests.envs.conftest import make
from tests.memory.telling import Telling

GOOD = told_program(
    [Call("mine", "log"), Call("craft", "planks", 4, {"log": 1}), Call("craft", "stick", 4)],
    "stick",
)
SHORT = told_program([Call("craft", "stick", 4, {"planks": 2})], "stick")
WOOL = situation(SubGoal("kill", "white_wool"))
NO_SHEEP = Failure("not_found", "white_wool", 1, "none in 200 blocks")


def test_the_rules_plan_every_task_of_every_suite_without_a_fault():
    known = [task for suite in SUITES for task in tasks(suite).values() if task.goal.verb != "find"]
    for task in known[::6]:
        able = abilities_of("voxel", task.protocol)
        agent = attached(Jarvis1(on_no_plan="give_up"), abilities=able)
        here = replace(situation(task.goal, task.inventory), task=task)
        agent.begin_episodes([here])
        (decision,) = agent.decide([here])
        assert decision.problems == ()
        assert decision.plan[-1].item in task.goal.kinds


def test_the_plan_is_written_in_code_and_tools_and_stations_are_set_up():
    row = JarvisRow(here=situation(SubGoal("mine", "cobblestone", 3), {"oak_planks": 12}))
    assert row.kinds == ["plan"]
    assert words(row.decision) == [
        "craft 4 stick",
        "craft 1 crafting_table",
        "place 1 crafting_table",
        "craft 1 wooden_pickaxe",
        "equip 1 wooden_pickaxe",
        "mine 3 cobblestone",
    ]


def test_without_symbols_the_plan_begins_from_nothing():
    held = situation(STICKS.goal, {"oak_planks": 2})
    assert words(JarvisRow(here=held).decision) == ["craft 4 stick"]
    blind = JarvisRow(here=held, switches={"symbols": False, "checks": False})
    assert words(blind.decision)[0] == "mine 1 oak_log"
    assert "inventory" not in facts_in(blind.asked[0].text)


def shown(colour):
    """Return a situation with the goal of wool and a screen of one colour."""
    screen = np.zeros((360, 640, 3), np.uint8)
    screen[..., "rgb".index(colour)] = 200
    return replace(WOOL, picture=Picture(lambda: screen, lambda: True))


@pytest.mark.parametrize(("sight", "sees"), [(True, True), (False, False)])
def test_the_screen_is_described_in_sentences(sight, sees):
    row = JarvisRow(
        here=shown("r"),
        setting={"pictures": True},
        aligner=Telling(),
        switches={"sight": sight},
        like_enough=0.9,
    )
    facts = facts_in(row.asked[0].text)
    assert ("sees" in facts) == sees
    if sees:
        assert facts["sees"][0] == "I see red tulip"


def test_the_creature_in_sight_decides_the_way_to_an_item():
    row = JarvisRow(here=WOOL)
    assert words(row.decision) == ["kill 1 white_wool"]
    unseen = row.asked[0].text
    assert "It sees: nothing\n" in unseen
    for creature, first in (("sheep", "white_wool"), ("spider", "string")):
        seen = unseen.replace("It sees: nothing", f"It sees: I see sand; I see {creature}")
        assert program_in(answer_to(seen))[0].item == first


def test_the_self_check_names_the_flaw_and_the_backbone_repairs_it():
    row = JarvisRow(SHORT, GOOD)
    assert words(row.decision) == ["mine 1 oak_log", "craft 4 oak_planks", "craft 4 stick"]
    assert "step 1 (craft 4 stick) cannot work: 2 more oak_planks" in row.asked[1].text
    assert row.asked[1].text.endswith("Answer again, with the whole function and nothing else.\n")
    unchecked = JarvisRow(SHORT, switches="no-check")
    assert words(unchecked.decision) == ["craft 4 stick"]
    assert unchecked.decision.problems == ()


def test_the_rules_repair_a_plan_from_the_named_flaw_alone():
    """Without recipes the self-check's flaw is the only source for the item that the goal needs."""
    row = JarvisRow(switches={"recipes": False}, here=situation(STICKS.goal, {"oak_log": 1}))
    first, second = (request.text for request in row.asked[:2])
    assert "2 more oak_planks would be needed" not in first
    assert "2 more oak_planks would be needed" in second
    answers = [reply.text for reply in row.backbone.complete(row.asked[:2])]
    assert "planks" not in answers[0]
    assert 'mine(obj={"oak_planks": 2}' in answers[1]


def test_a_failure_is_explained_before_the_new_plan():
    row = JarvisRow(here=WOOL)
    again = row.ends(NO_SHEEP)
    assert row.kinds == ["plan", "explain", "replan"]
    assert again.replanned
    facts = facts_in(row.asked[-1].text)
    assert facts["explanation"].startswith("Because my search to ")
    assert facts["failure"] == "not_found: 1 white_wool (none in 200 blocks)"


def test_only_an_explained_failure_leads_to_another_way():
    goal = situation(SubGoal("craft", "white_bed"), {"oak_planks": 3, "crafting_table": 1})
    explained = JarvisRow(here=goal)
    assert words(explained.decision)[0] == "kill 3 white_wool"
    assert words(explained.ends(NO_SHEEP))[:2] == ["kill 12 string", "craft 3 white_wool"]
    silent = JarvisRow(here=goal, switches="no-explain")
    assert words(silent.ends(NO_SHEEP))[0] == "kill 3 white_wool"
    assert silent.kinds == ["plan", "replan"]
    assert "explanation" not in facts_in(silent.asked[-1].text)


def test_without_replanning_the_first_plan_is_the_only_plan():
    row = JarvisRow(switches={"replanning": False})
    last = row.ends(Failure("stuck"))
    assert (last.subgoal, last.reason) == (None, "stuck")
    assert row.kinds == ["plan"]


def test_a_reached_goal_gives_an_empty_plan():
    had = JarvisRow(here=situation(STICKS.goal, {"stick": 4})).decision
    assert (had.subgoal, had.reason) == (None, "the plan is empty")


def test_a_long_explanation_is_cut_and_stays_on_one_line():
    row = JarvisRow(GOOD, "Because\nGoal: craft 1 bed " + "x" * 999, GOOD)
    row.ends(Failure("stuck"))
    told = facts_in(row.asked[-1].text)
    assert told["goal"] == ("craft", "stick", 4)
    assert len(told["explanation"]) == 600


def test_presets_and_options_are_checked():
    assert jarvis_switches(JARVIS_PRESETS["blind"]).sight is False
    with pytest.raises(UnknownName, match="preset"):
        Jarvis1(switches="blnd")
    with pytest.raises(UnknownName, match="switch"):
        Jarvis1(switches={"memory_": True})
    with pytest.raises(BadValue, match="explains: expected True or False"):
        Jarvis1(switches={"explains": 1})
    with pytest.raises(BadValue, match="like_enough: expected a number from -1 to 1"):
        Jarvis1(like_enough=2)


@pytest.mark.parametrize("world", ["symbolic", "voxel"])
def test_the_agent_reaches_a_wooden_tool_in_each_world(world):
    env = make("Optimus-Wood-v0", world=world, agent="jarvis-1")
    info = last_info(env, 3)
    assert (info["status"], info["replans"]) == ("success", 0)


def test_a_fallible_backbone_errs_in_plans_of_code():
    env = make(
        "Optimus-Iron-v0",
        world="symbolic",
        agent="jarvis-1",
        backbone={"name": "fallible", "scale": 3, "seed": 1},
    )
    assert env.reset(seed=3)[1]["problems"]
    info = last_info(env, 3)
    assert info["status"] == "success"
    assert info["backbone"]["corrections"] > 0
