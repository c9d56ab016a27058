"""The fallible backbone makes its errors in every form of the rules' plans."""

import numpy as np
import pytest

from optimus_gym.backbones.fallible import (
    FallibleBackbone,
    with_lower_tool,
    with_missing_step,
    with_other_count,
    with_other_station,
)
from optimus_gym.backbones.plan_forms import action_in, calls_of, told_action, told_steps
from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.requests import Request

CALLS = """\
mine({"log": 3}, null)
craft({"stone_pickaxe": 1}, {"cobblestone": 3, "stick": 2}, "crafting_table")
mine({"iron_ore": 3}, "stone_pickaxe")
equip("shield")"""


def chance():
    return np.random.default_rng(0)


def test_calls_are_read_and_written_unchanged():
    steps = calls_of(CALLS)
    assert [step["task"] for step in steps] == [
        "mine 3 log",
        "craft 1 stone pickaxe",
        "mine 3 iron ore",
        "equip shield",
    ]
    assert told_steps(steps, CALLS) == CALLS


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1. mine 3 log",
        "mine({'log': 3}, null)",
        'mine({"log": 0}, null)',
        'mine({"log": 3, "dirt": 1}, null)',
        'mine({"log": 3}, 4)',
        "mine()",
        CALLS + "\nGood luck!",
    ],
)
def test_another_text_is_no_plan_of_calls(text):
    assert calls_of(text) is None


@pytest.mark.parametrize(
    ("error", "changed"),
    [
        (with_missing_step, 3),
        (with_other_count, 4),
        (with_other_station, 4),
        (with_lower_tool, 4),
    ],
)
def test_each_error_changes_a_plan_of_calls(error, changed):
    spoiled = told_steps(error(calls_of(CALLS), chance()), CALLS)
    assert len(spoiled.splitlines()) == changed
    assert spoiled != CALLS


def test_the_errors_reach_the_tools_and_stations_that_calls_name():
    (craft,) = calls_of(CALLS.splitlines()[1])
    assert with_other_station([craft], chance())[0]["aid"] == "furnace"
    (mine,) = calls_of(CALLS.splitlines()[2])
    assert with_lower_tool([mine], chance())[0]["aid"] == "wooden_pickaxe"
    assert with_lower_tool([craft], chance())[0]["goal"] == ["wooden_pickaxe", 1]


def test_the_fallible_backbone_spoils_calls_by_its_seed():
    def spoiled(seed, scale=3):
        backbone = FallibleBackbone(ScriptedBackbone([CALLS]), scale, seed)
        return backbone.complete([Request("plan", "?")])[0].text

    assert [spoiled(seed) for seed in range(20)] == [spoiled(seed) for seed in range(20)]
    assert len({spoiled(seed) for seed in range(20)}) > 4
    assert spoiled(0, 0) == CALLS


ACT = "Thought: wood.\nAction: mine 3 log"


def test_an_action_is_read_and_written_unchanged():
    assert told_action(action_in(ACT), ACT) == ACT
    assert told_action(action_in("Action: equip shield"), "?") == "Action: equip shield"
    for text in ("", "mine 3 log", "Action: mine 0 log", ACT + "\nGood luck!"):
        assert action_in(text) is None


def test_the_fallible_backbone_spoils_actions():
    def spoiled(seed):
        backbone = FallibleBackbone(ScriptedBackbone([ACT]), 3, seed)
        return backbone.complete([Request("act", "?")])[0].text

    answers = {spoiled(seed) for seed in range(30)}
    assert {ACT, "Thought: wood.\nAction: none"} < answers
    assert all(text.startswith("Thought: wood.\nAction: ") for text in answers)


def test_the_rules_refuse_a_form_without_its_facts():
    for form in ("calls", "explanation", "steps", "action", "thought, action", "verdict", "poem"):
        text = f"Form of the answer: {form}\n"
        said = RulesBackbone().complete([Request("plan", text)])[0].text
        assert said.startswith("The rules answer")
