"""The requests of JARVIS-1: their golden texts, and that each of their facts matters to the rules."""

from dataclasses import replace
from pathlib import Path

from optimus_gym.agents.jarvis1.questions import Background, code_question, explain_question
from optimus_gym.agents.jarvis1.switches import JarvisSwitches
from optimus_gym.backbones.rules import answer_to
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.minds.facts import MIND_PROMPTS
from optimus_gym.minds.planning import Ask, Setback
from optimus_gym.prompts.code_plans import Call
from optimus_gym.prompts.lines import facts_in
from optimus_gym.prompts.template import render
from optimus_gym.testing.situations import situation
from tests.agents.jarvis1.asking import facts_that_matter

GOLDEN = Path(__file__).parents[2] / "minds" / "golden"
WAYS = (
    Call("kill", "white_wool", note="from sheep"),
    Call("mine", "log"),
    Call("craft", "planks", 4, {"log": 1}),
    Call("craft", "crafting_table", 1, {"planks": 4}),
    Call("mine", "iron_ore", 1, {}, "stone_pickaxe"),
    Call("smelt", "iron_ingot", 1, {"iron_ore": 1}, "furnace"),
    Call("craft", "shears", 1, {"iron_ingot": 2}),
    Call("shear", "white_wool", 1, {}, "shears"),
    Call("craft", "white_wool", 1, {"string": 4}),
    Call("kill", "string", note="from spider"),
    Call("craft", "white_bed", 1, {"white_wool": 3, "planks": 3}, "crafting_table"),
)
REFERENCE = {
    "goal": "Craft a white carpet",
    "environment": "plains",
    "inventory": {"stick": 2},
    "plan": (Call("kill", "string", 8), Call("craft", "white_wool", 2, {"string": 8})),
}
TOLD = Background(
    ("I see plains", "I see cow"),
    "",
    WAYS,
    {"planks": 1, "coal": 8},
    (REFERENCE,),
    ("mine", "craft", "smelt", "kill", "shear"),
)
BED = SubGoal("craft", "white_bed")
SETBACK = Setback(SubGoal("kill", "white_wool", 3), Failure("not_found", "white_wool", 3, "none"))
EXPLAINED = "Because I saw no sheep. So get white_wool in another way, or look for it elsewhere."


def here(goal=BED, held=None, stations=("crafting_table",), biome="plains"):
    inventory = {"birch_log": 2} if held is None else held
    return replace(situation(goal, inventory, stations=stations), biome=biome)


def asked(told=TOLD, setback=None, switches=None, **rest):
    return code_question(Ask(here(**rest), setback), told, switches or JarvisSwitches())


def golden(name):
    return (GOLDEN / f"{name}.md").read_text("utf-8")


def test_the_requests_equal_their_golden_files():
    again = replace(TOLD, explanation=EXPLAINED)
    assert asked().text == golden("plan_code")
    assert asked(again, SETBACK).text == golden("replan_code")
    assert explain_question(here(), SETBACK, WAYS[:3]).text == golden("explain")
    values = {"request": "Plan.\n", "answer": "no", "problems": "expected a plan\ngot none"}
    assert render(MIND_PROMPTS, "correct_code", values) == golden("correct_code")


def test_requests_name_their_kind_and_their_row():
    assert asked().kind == "plan"
    assert asked(setback=SETBACK).kind == "replan"
    question = explain_question(replace(here(), row=3, tick=7), SETBACK, ())
    assert (question.kind, question.row, question.tick) == ("explain", 3, 7)


def test_every_fact_of_a_request_for_a_plan_changes_the_plan_of_the_rules():
    again = replace(TOLD, explanation=EXPLAINED)
    lacked = Setback(SubGoal("craft", "white_bed"), Failure("missing_item", "lead", 2))
    iron = {"stone_pickaxe": 1, "furnace": 1, "coal": 1}
    texts = [
        asked().text,
        asked(again, SETBACK, biome="desert").text,
        asked(replace(TOLD, sentences=("I see sheep",))).text,
        asked(replace(TOLD, ways=WAYS[:4], references=()), lacked).text,
        asked(goal=SubGoal("smelt", "iron_ingot", 2), held=iron).text,
    ]
    names = {name for text in texts for name in facts_in(text)}
    assert facts_that_matter(texts, names) == names


def test_every_fact_of_a_request_for_an_explanation_changes_the_explanation():
    lacked = Setback(SubGoal("craft", "white_bed"), Failure("missing_item", "white_wool", 3))
    texts = [
        explain_question(here(), SETBACK, WAYS).text,
        explain_question(here(held={"white_wool": 1}), lacked, WAYS).text,
        explain_question(here(held={"planks": 3}), lacked, WAYS).text,
    ]
    names = {name for text in texts for name in facts_in(text)}
    assert facts_that_matter(texts, names) == names


def test_an_explanation_names_all_that_an_action_lacks():
    setback = Setback(SubGoal("craft", "white_bed"), Failure("missing_item", "white_wool", 2))
    text = explain_question(here(held={"white_wool": 1}, stations=()), setback, WAYS).text
    assert answer_to(text) == (
        "Because to craft white bed takes 2 white_wool, 3 planks, 1 crafting_table more, and I hold "
        "1 white_wool of that. So first get 2 white_wool, 3 planks, 1 crafting_table."
    )


def test_an_explanation_of_a_missing_tool_names_the_tool():
    setback = Setback(SubGoal("mine", "iron_ore", 3), Failure("missing_tool", "stone_pickaxe", 1))
    text = explain_question(here(), setback, WAYS).text
    assert answer_to(text).endswith("So first get 1 stone_pickaxe.")
    equip = Setback(SubGoal("equip", "shears"), Failure("missing_item", "shears", 1))
    assert answer_to(explain_question(here(), equip, WAYS).text).endswith("So first get 1 shears.")


def test_an_explanation_names_a_lacking_item_once_in_the_words_of_the_stated_way():
    planks = Setback(SubGoal("craft", "oak_planks", 8), Failure("missing_item", "oak_log", 1))
    text = explain_question(here(held={"spruce_log": 1}), planks, WAYS).text
    assert answer_to(text).endswith("So first get 1 log.")


def test_an_impossible_recipe_is_not_to_be_looked_for_elsewhere():
    smelted = Setback(SubGoal("smelt", "stone_pickaxe"), Failure("not_found", "stone_pickaxe", 1))
    told = answer_to(explain_question(here(), smelted, WAYS).text)
    assert told.startswith("Because there is no way to smelt stone pickaxe ")
    assert "in another way" in told
    assert "elsewhere" not in told


def test_other_failures_are_to_be_tried_again():
    setback = Setback(SubGoal("mine", "iron_ore", 3), Failure("died"))
    told = answer_to(explain_question(here(held={"stone_pickaxe": 1}), setback, WAYS).text)
    assert told == "Because my try to mine iron ore ended so: died. So try again."


def test_without_sight_and_symbols_a_request_says_nothing_about_the_situation():
    facts = facts_in(asked(switches=JarvisSwitches(sight=False, symbols=False)).text)
    assert facts.keys().isdisjoint({"inventory", "stations", "biome", "sees"})
    assert facts["goal"] == ("craft", "white_bed", 1)
