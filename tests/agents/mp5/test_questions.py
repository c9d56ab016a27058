"""The requests of MP5: their golden texts, and each of their facts changes an answer of the rules."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from optimus_gym.agents.mp5.questions import (
    check_question,
    inquiry_question,
    parser_question,
    planner_question,
    sight_question,
)
from optimus_gym.core.situation import Picture
from optimus_gym.core.types import SubGoal
from optimus_gym.prompts.code_plans import Call
from optimus_gym.prompts.lines import facts_in
from optimus_gym.testing.situations import situation
from tests.agents.removing import unread_facts

GOLDEN = Path(__file__).parents[2] / "minds" / "golden"
WAYS = (
    Call("mine", "log"),
    Call("craft", "planks", 4, {"log": 1}),
    Call("craft", "crafting_table", 1, {"planks": 4}),
    Call("craft", "chest", 1, {"planks": 8}, "crafting_table"),
    Call("mine", "diamond", tool="iron_pickaxe", note="from diamond ore, y 0 to 15"),
)
CHEST = SubGoal("craft", "chest")
HERE = replace(
    situation(CHEST, {"oak_log": 1, "iron_pickaxe": 1}, "stick", ["crafting_table"]), height=64.0
)
VERBS = ("mine", "craft", "kill", "find", "fight", "move", "dig_down")
PAST = [("craft", "planks", 12), ("craft", "chest", 1)]
LACKS = "craft 8 planks fails; the agent lacks 1 log."
SEEN = {"mob": "cow: yes"}
COW = (Call("kill", "beef", note="from cow"),)
REFERENCE = {
    "goal": "mine 2 log",
    "environment": "plains",
    "inventory": {},
    "plan": (Call("mine", "log", 2),),
}
FOUND = "Find a pig near a grass in the plains"
LOOKING = replace(HERE, task=replace(HERE.task, instruction=FOUND))
PARSE = parser_question(HERE, {"verbs": VERBS, "ways": WAYS})
REPARSE = parser_question(
    HERE, {"verbs": VERBS, "ways": WAYS, "past_plan": PAST, "explanation": LACKS}
)
HELD = replace(HERE, equipment={"hand": "iron_pickaxe"})
PLAN = planner_question(
    HELD, ("mine", "diamond", 1), {"verbs": VERBS, "ways": WAYS[-1:], "screen": SEEN}
)
BARE = planner_question(HERE, ("mine", "diamond", 1), {"verbs": VERBS, "ways": WAYS[-1:]})
BENCH = planner_question(HERE, ("craft", "chest", 1), {"verbs": VERBS, "ways": (WAYS[3],)})
FEW = parser_question(HERE, {"verbs": VERBS, "ways": WAYS[:4]})
HUNT = planner_question(HERE, ("kill", "beef", 2), {"verbs": VERBS, "ways": COW, "screen": SEEN})
REPLAN = planner_question(
    HERE,
    ("kill", "beef", 2),
    {
        "verbs": VERBS,
        "ways": COW,
        "failed_step": ("find", "cow", 1),
        "explanation": "find 1 cow fails; the agent lacks 1 iron_sword.",
    },
)
FELL = planner_question(
    HERE, ("mine", "log", 2), {"verbs": VERBS, "references": (REFERENCE,), "screen": {}}
)
BESIDE = planner_question(LOOKING, ("find", "pig", 1), {"verbs": VERBS, "task": FOUND})
BEFORE = check_question(HERE, "before", CHEST, {"ways": (WAYS[3],)})
DIG = check_question(HERE, "before", SubGoal("mine", "diamond"), {"ways": (WAYS[4],)})
HAND = check_question(HELD, "before", SubGoal("mine", "diamond"), {"ways": (WAYS[4],)})
AFTER = check_question(
    HERE,
    "after",
    SubGoal("mine", "oak_log", 3),
    {"gained": {"oak_log": 3}, "failure": "missing_tool: 1 stone_axe"},
)
SHORT = check_question(HERE, "after", SubGoal("mine", "oak_log", 3), {"gained": {"oak_log": 1}})
PIG = ("find", "pig", 1)
NEXT = inquiry_question(LOOKING, "next question", PIG, {"screen": {"mob": "pig: yes"}})
ALL = inquiry_question(LOOKING, "all questions", PIG, {"screen": {}})
MATCH = inquiry_question(
    LOOKING, "match", PIG, {"screen": {"mob": "pig: yes", "object": "grass: no"}}
)
DESCRIBED = inquiry_question(LOOKING, "match", PIG, {"sees": ("I see pig",)})


@pytest.mark.parametrize(
    ("name", "request_"),
    [
        ("mp5_parse", REPARSE),
        ("mp5_plan", REPLAN),
        ("mp5_check", AFTER),
        ("mp5_inquire", NEXT),
        ("mp5_match", MATCH),
    ],
)
def test_the_requests_equal_their_golden_files(name, request_):
    assert request_.text == (GOLDEN / f"{name}.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "asked"), [("mp5_answer", [("mob", "pig"), ("time", "day")]), ("mp5_describe", [])]
)
def test_the_percipients_requests_equal_their_golden_files(name, asked):
    picture = Picture(lambda: np.zeros((2, 2, 3), np.uint8), lambda: True)
    request_ = sight_question(replace(LOOKING, picture=picture), asked)
    assert request_.text == (GOLDEN / f"{name}.md").read_text("utf-8")
    assert request_.kind == "perceive"


@pytest.mark.parametrize(
    "group",
    [
        (PARSE, REPARSE, FEW),
        (PLAN, BARE, HUNT, REPLAN, FELL, BESIDE, BENCH),
        (BEFORE, DIG, HAND),
        (AFTER, SHORT),
        (NEXT, ALL, MATCH, DESCRIBED),
    ],
    ids=["parse", "plan", "before", "after", "inquire"],
)
def test_every_fact_of_a_request_matters_to_the_rules(group):
    named = {name for one in group for name in facts_in(one.text)}
    read = {name for one in group for name in set(facts_in(one.text)) - {*unread_facts(one)}}
    assert named - read == set()


def test_requests_name_their_kind_and_their_row():
    assert [one.kind for one in (PARSE, PLAN, REPLAN, BEFORE, NEXT)] == [
        "parse", "plan", "replan", "check", "inquire"
    ]  # fmt: skip
    question = parser_question(replace(HERE, row=3, tick=7), {})
    assert (question.row, question.tick) == (3, 7)
