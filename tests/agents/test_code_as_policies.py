"""Code as Policies runs the model's program, and asks for another one after an error."""

from dataclasses import replace
from pathlib import Path

import pytest

from optimus_gym.agents.code_as_policies import CodeAsPolicies
from optimus_gym.backbones.fallible import FallibleBackbone
from optimus_gym.backbones.rules import answer_to
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.errors import BadValue
from optimus_gym.core.requests import Request
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.testing.situations import situation
from tests.agents.playing import last_info
from tests.agents.removing import unread_facts
from tests.agents.stepping import Stepping
from tests.envs.conftest import make

GOLDEN = Path(__file__).parents[1] / "minds" / "golden"
STICKS = situation(SubGoal("craft", "stick", 4))
LOG = replace(STICKS, inventory={"oak_log": 1})
PROGRAM = """\
while count("stick") < 4:
    if count("planks") < 2:
        if count("log") < 1:
            mine("log", 1)
        else:
            craft("planks", 4)
    else:
        craft("stick", 4)"""
CALLS = 'mine("log", 1)\ncraft("planks", 4)\ncraft("stick", 4)'


def row(here=STICKS, backbone=None, **options):
    return Stepping("code-as-policies", here, backbone, **options)


def test_the_rules_write_one_program_and_the_agent_asks_once():
    one = row()
    assert answer_to(one.asked[0].text) == PROGRAM
    assert str(one.decision.subgoal) == "mine 1 oak_log"
    assert one.ends(here=LOG) == "craft 4 oak_planks"
    assert not one.decision.replanned
    assert one.ends(here=replace(STICKS, inventory={"oak_planks": 4})) == "craft 4 stick"
    assert [request.kind for request in one.asked] == ["plan"]


def test_without_conditions_a_program_begins_with_empty_hands():
    assert str(row(LOG).decision.subgoal) == "craft 4 oak_planks"
    one = row(LOG, conditions=False)
    assert answer_to(one.asked[0].text) == CALLS
    assert str(one.decision.subgoal) == "mine 1 oak_log"
    scripted = ScriptedBackbone([PROGRAM, CALLS])
    assert "expected calls alone" in row(LOG, scripted, conditions=False).decision.problems[0]


def test_a_failed_call_ends_the_program_and_the_model_reads_the_error():
    one = row()
    one.ends(here=LOG)
    error = Failure("missing_item", "oak_log", 1)
    one.ends("failed", error, here=STICKS)
    assert one.decision.replanned
    assert one.told["failed_step"] == ("craft", "planks", 4)
    assert one.told["failure"] == "missing_item: 1 oak_log"
    assert 'if count("log") < 2:' in answer_to(one.asked[-1].text)


def test_a_program_that_ends_without_the_goal_is_followed_by_another():
    one = row(backbone=ScriptedBackbone(['mine("log")', CALLS]))
    assert one.ends() == "mine 1 oak_log"
    assert one.told["failure"] == "missing_item: 1 stick (the program ended)"
    assert one.told["failed_step"] == ("craft", "stick", 4)


def test_programs_without_any_call_to_run_end_with_the_last_new_program():
    idle = 'if 1 > 2:\n    mine("log")'
    one = row(backbone=ScriptedBackbone([idle] * 3), max_replans=2)
    assert one.decision.subgoal is None
    assert one.decision.reason == "missing_item: 1 stick (the program ended)"


def test_a_program_that_cannot_be_read_is_corrected():
    one = row(backbone=ScriptedBackbone(["import os", CALLS]))
    assert str(one.decision.subgoal) == "mine 1 oak_log"
    assert one.decision.corrections == 1
    assert one.decision.problems == (
        "answer 1: line 1: expected a call such as mine(\"log\", 3), got 'import os'",
    )


def test_a_sub_goal_of_the_caller_ends_the_program():
    one = row()
    one.ends(chosen=True)
    assert [request.kind for request in one.asked] == ["plan", "plan"]
    assert not one.decision.replanned


@pytest.mark.parametrize("conditions", [True, False])
def test_the_rules_read_every_fact_of_a_request(conditions):
    one = row(conditions=conditions)
    assert unread_facts(one.asked[0]) == []
    one.ends("failed", Failure("missing_item", "oak_log", 1))
    failed = replace(one.asked[-1], text=one.asked[-1].text.replace("mine 1 log", "craft 4 planks"))
    assert unread_facts(failed) == []


@pytest.mark.parametrize(("conditions", "page"), [(True, "program"), (False, "program_of_calls")])
def test_the_requests_equal_their_golden_files(conditions, page):
    one = row(conditions=conditions)
    one.ends("failed", Failure("not_found", "oak_log", 1))
    assert one.asked[-1].text == (GOLDEN / f"{page}.md").read_text(encoding="utf-8")


def test_the_fallible_backbone_spoils_programs():
    def spoiled(seed):
        backbone = FallibleBackbone(ScriptedBackbone([PROGRAM]), 3, seed)
        return backbone.complete([Request("plan", "?")])[0].text

    answers = {spoiled(seed) for seed in range(30)}
    assert PROGRAM in answers
    assert any("pass" in text for text in answers)
    assert all(len(text.splitlines()) == len(PROGRAM.splitlines()) for text in answers)


def test_a_wrong_switch_is_named():
    with pytest.raises(BadValue, match="conditions: expected True or False, got 1"):
        CodeAsPolicies(conditions=1)


@pytest.mark.parametrize("world", ["symbolic", "voxel"])
def test_code_as_policies_crafts_its_wooden_task(world):
    env = make("Optimus-Wood-v0", world=world, agent="code-as-policies")
    info = last_info(env)
    assert info["is_success"], info["reason"]
