"""JARVIS-1 chooses the text that a sub-goal gives to the controller by the situation, before each try."""

import json
from dataclasses import replace
from importlib.resources import files

import pytest

from optimus_gym.agents.jarvis1.questions import wording_question
from optimus_gym.agents.jarvis1.wording import choice_in, wordings_for
from optimus_gym.backbones.rules import RulesBackbone, answer_to
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.items import items
from optimus_gym.prompts.lines import facts_in
from optimus_gym.testing.situations import situation
from tests.agents.jarvis1.asking import JarvisRow, facts_that_matter
from tests.agents.jarvis1.test_questions import golden

IRON = SubGoal("mine", "iron_ore", 3)
SHEEP = SubGoal("kill", "white_wool", 3, creature="sheep")
LOGS = SubGoal("mine", "oak_log", 3)
GATHERED = situation(SubGoal("mine", "oak_log", 2))


def question(subgoal=IRON, held=None, height=64.0, sees=(), equipped=None):
    here = replace(situation(subgoal, held, equipped), height=height)
    return wording_question(here, subgoal, wordings_for(subgoal), sees).text


def chosen(**told):
    """Return the text that the rules choose."""
    subgoal = told.get("subgoal", IRON)
    options = wordings_for(subgoal)
    number = choice_in(answer_to(question(**told)), len(options))
    return options[number - 1]["text"]


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ({}, "dig down to find iron ore"),
        ({"height": 40.0}, "dig a tunnel and mine iron ore"),
        ({"height": 40.0, "held": {"iron_ore": 1}}, "mine more iron ore of the same vein"),
        ({"sees": ("I see iron ore",)}, "mine the iron ore in front of you"),
        ({"subgoal": LOGS}, "find a tree and chop it down"),
        ({"subgoal": LOGS, "equipped": "iron_axe"}, "chop the tree with the axe"),
        ({"subgoal": LOGS, "equipped": "iron_pickaxe"}, "find a tree and chop it down"),
        ({"subgoal": LOGS, "height": 12.0}, "climb out to the surface and chop a tree"),
        ({"subgoal": SubGoal("mine", "diamond"), "height": 11.0}, "dig a tunnel and mine diamonds"),
        ({"subgoal": SubGoal("mine", "diamond"), "height": 40.0}, "dig down to find diamonds"),
        ({"subgoal": SHEEP}, "find a sheep and kill it"),
        ({"subgoal": SHEEP, "sees": ("I see sheep",)}, "kill the sheep in front of you"),
    ],
)
def test_the_rules_choose_the_text_that_fits_the_situation(told, text):
    assert chosen(**told) == text


def test_every_fact_of_a_request_for_a_wording_changes_the_choice():
    texts = [
        question(),
        question(height=40.0),
        question(held={"iron_ore": 1}),
        question(sees=("I see iron ore",)),
        question(LOGS, equipped="iron_axe"),
    ]
    names = set(facts_in(texts[0]))
    assert names == {"subgoal", "inventory", "equipped", "height", "sees", "options"}
    assert facts_that_matter(texts, names) == names


def test_the_request_for_a_wording_equals_its_golden_file():
    assert question(SHEEP, {"stick": 2}, 70.0, ("I see plains",), "stick") == golden("wording")


def test_the_controller_gets_the_chosen_text_and_the_plan_keeps_the_sub_goal():
    row = JarvisRow(here=GATHERED, wording=True)
    assert row.kinds == ["plan", "wording"]
    assert row.decision.subgoal.text == "find a tree and chop it down"
    assert row.decision.plan[row.decision.position] == row.decision.subgoal
    plain = JarvisRow(here=GATHERED, wording=True, switches="no-wording")
    assert (plain.decision.subgoal.text, plain.kinds) == ("mine 2 oak log", ["plan"])
    assert replace(row.decision.subgoal, text="") == replace(plain.decision.subgoal, text="")


def test_each_try_is_worded_once():
    row = JarvisRow(here=GATHERED, wording=True)
    row.agent.decide([GATHERED])
    assert row.kinds == ["plan", "wording"]
    row.ends(Failure("stuck"), replace(GATHERED, height=30.0))
    assert row.kinds == ["plan", "wording", "explain", "replan", "wording"]
    assert row.decision.subgoal.text == "climb out to the surface and chop a tree"
    assert facts_in(row.asked[-2].text)["action"].item == "oak_log"


class Vague(RulesBackbone):
    def complete(self, requests):
        replies = super().complete(requests)
        pairs = zip(requests, replies, strict=True)
        return [replace(two, text="both") if one.kind == "wording" else two for one, two in pairs]


def test_an_answer_without_a_number_leaves_the_sub_goals_own_text_and_is_noted():
    row = JarvisRow(here=GATHERED, wording=True, backbone=Vague())
    assert row.decision.subgoal.text == "mine 2 oak log"
    assert row.decision.problems == ("wording: expected a number from 1 to 4, got 'both'",)


def test_sub_goals_without_a_choice_are_not_asked_about():
    row = JarvisRow(here=situation(SubGoal("craft", "stick", 4), {"oak_planks": 2}), wording=True)
    assert row.kinds == ["plan"]
    assert wordings_for(SubGoal("mine", "dirt")) == ()


@pytest.mark.parametrize(
    ("text", "number"),
    [("Text: 3", 3), ("**Action**: 2", 2), ("1", 1), ("option 1\nText: 2", 2), ("Text: 9", None),
     ("I like 3 of them", None), ("", None), ("Text: two", None)],
)  # fmt: skip
def test_the_number_of_a_choice_is_read(text, number):
    assert choice_in(text, 3) == number


def test_every_row_of_the_table_is_usable():
    table = files("optimus_gym.agents.jarvis1.data").joinpath("wordings.json")
    for row in json.loads(table.read_text("utf-8")):
        assert row["source"]
        for item in row["items"]:
            assert item in items()
            options = wordings_for(SubGoal(row["verb"], item))
            assert options[-1]["when"] == "else"
            assert len({one["text"] for one in options}) == len(options) > 1
            assert not any("{" in one["text"] for one in options)
