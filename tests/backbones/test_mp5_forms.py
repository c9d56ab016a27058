"""The fallible backbone spoils MP5's sub-objectives, workflows and verdicts."""

import json

import numpy as np
import pytest

from optimus_gym.backbones.fallible import (
    FallibleBackbone,
    with_lower_tool,
    with_missing_step,
    with_other_count,
    with_other_station,
    with_other_word,
)
from optimus_gym.backbones.mp5_forms import (
    entries_of,
    told_entries,
    told_workflow,
    workflow_actions,
)
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.requests import Request


def entry(task, quantity=1, tool=None, platform=None):
    return {
        "task": task,
        "quantity": quantity,
        "material": {},
        "tool": tool,
        "platform": platform,
        "tips": "",
    }


ENTRIES = json.dumps(
    [
        entry("mine iron ore", 3, tool="stone_pickaxe"),
        entry("craft furnace", platform="crafting_table"),
    ]
)
ACTIONS = (
    {"name": "find", "args": {"obj": "log"}},
    {"name": "mine", "args": {"obj": {"log": 3}, "tool": "stone_axe"}},
    {"name": "craft", "args": {"obj": {"chest": 1}, "platform": "crafting_table"}},
    {"name": "dig_down", "args": {"y_level": 11, "tool": None}},
)
WORKFLOW = json.dumps({"workflow": [{"times": 1, "actions": [one]} for one in ACTIONS]})


def chance():
    return np.random.default_rng(0)


def test_sub_objectives_are_read_and_written_unchanged():
    steps = entries_of(ENTRIES)
    assert [step["task"] for step in steps] == ["mine 3 iron ore", "craft 1 furnace"]
    assert told_entries(steps, ENTRIES) == ENTRIES


def test_workflows_are_read_and_written_unchanged():
    steps = workflow_actions(WORKFLOW)
    assert [step["goal"] for step in steps] == [
        ["log", 1],
        ["log", 3],
        ["chest", 1],
        ["y_level", 11],
    ]
    assert told_workflow(steps, WORKFLOW) == WORKFLOW


@pytest.mark.parametrize(
    "text", ["", "[]", "1. mine 3 log", '[{"task": "mine log"}]', '{"workflow": [{"actions": 3}]}']
)
def test_other_texts_have_neither_form(text):
    assert entries_of(text) is None
    assert not workflow_actions(text)


def test_each_error_changes_sub_objectives():
    steps = entries_of(ENTRIES)
    assert len(entries_of(told_entries(with_missing_step(steps, chance()), ""))) == 1
    assert '"tool": "wooden_pickaxe"' in told_entries(with_lower_tool(steps, chance()), "")
    assert '"platform": "furnace"' in told_entries(with_other_station(steps, chance()), "")
    changed = json.loads(told_entries(with_other_count(steps, chance()), ""))
    assert [one["quantity"] for one in changed] != [3, 1]


def test_each_error_changes_workflows():
    steps = workflow_actions(WORKFLOW)
    assert len(workflow_actions(told_workflow(with_missing_step(steps, chance()), ""))) == 3
    assert '"tool": "wooden_axe"' in told_workflow(with_lower_tool(steps, chance()), "")
    assert '"platform": "furnace"' in told_workflow(with_other_station(steps, chance()), "")
    counts = [step["goal"][1] for step in with_other_count(steps, chance())]
    assert counts != [1, 3, 1, 11]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Success: no\nMissing: 2 log", "Success: yes\nMissing: 2 log"),
        ("Enough: yes", "Enough: no"),
        ("Question: mob: pig", "Question: mob: pig"),
    ],
)
def test_a_patrollers_word_turns_round(text, other):
    assert with_other_word(text) == other


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("parse", ENTRIES),
        ("replan", WORKFLOW),
        ("check", "Success: yes"),
        ("inquire", "Enough: no"),
    ],
)
def test_the_backbone_errs_in_each_kind_of_request(kind, text):
    requests = [Request(kind, f"request {n}") for n in range(60)]
    replies = FallibleBackbone(ScriptedBackbone([text] * 60), 3.0).complete(requests)
    changed = sum(reply.text != text for reply in replies)
    assert 5 < changed < 60
    right = FallibleBackbone(ScriptedBackbone([text] * 60), 0.0).complete(requests)
    assert {reply.text for reply in right} == {text}
