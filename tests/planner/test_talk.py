"""What a backbone is asked and told: the facts, the prompt, faults and corrections, many rows at once."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.situation import Picture
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.tasks import tasks
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.planner.ask import Ask, Setback
from optimus_gym.planner.hdkg import HdkgPlanner
from optimus_gym.planner.sight import Eyes, Sight
from optimus_gym.prompts.lines import facts_in
from optimus_gym.prompts.template import render
from tests.planner.plans import GRAPH, Listening, goal_of, plan_by, plan_of, words
from tests.planner.situations import situation

GOLDEN = Path(__file__).parent / "golden"


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
        "verbs", "goal", "inventory", "equipped", "stations", "health", "food", "hotbar",
        "environment", "experiences", "steps", "failed", "failure", "left"
    }  # fmt: skip
    for name, fact in listening.request.facts.items():
        for leaf in values(fact):
            if not (name == "steps" and leaf in KEYS_OF_ROWS):
                assert leaf in listening.request.text, (name, leaf)


@pytest.mark.parametrize("knows", [True, False])
@pytest.mark.parametrize("name", [found.id for found in tasks().values()][::5])
def test_the_text_tells_every_fact_and_the_rules_read_nothing_else(name, knows):
    for setback in (
        None,
        Setback(SubGoal("mine", "coal"), Failure("not_found", "coal", 1, "dark\nhere")),
    ):
        listening = Listening()
        planner = HdkgPlanner(listening, full_graph(), knows=knows)
        made = plan_by(
            planner, goal_of(name), {"birch_log": 3, "stick": 1}, setback, stations=("furnace",)
        )
        asked = listening.request
        assert asked.kind == ("plan" if setback is None else "replan") + (
            "" if knows else "_unaided"
        )
        bare = replace(asked, facts={})
        assert facts_in(bare) == asked.facts
        assert RulesBackbone().complete([bare])[0].text == made.text
        values = {"request": asked.text, "answer": "${no}", "problems": "none"}
        corrected = replace(bare, text=render("correct", values))
        assert facts_in(corrected) == asked.facts


def test_the_rules_say_so_where_they_are_asked_something_else():
    for text, kind in (("", "plan"), ("Goal: stick", "plan"), ("?", "sing")):
        (reply,) = RulesBackbone().complete([Request(kind, text)])
        assert reply.text.startswith("The rules answer plan, ")


GOOD = "1. mine 1 log\n2. craft 4 planks\n3. craft 4 stick"


def test_a_wrong_plan_goes_back_with_its_first_fault():
    backbone = ScriptedBackbone(["1. craft 4 stick", GOOD])
    made = plan_by(HdkgPlanner(backbone, GRAPH), SubGoal("craft", "stick", 4))
    assert [s.verb for s in made.subgoals] == ["mine", "craft", "craft"]
    assert len(made.problems) == 1
    assert "step 1 (craft 4 stick) cannot work: 2 more oak_planks" in made.problems[0]
    assert made.problems[0].removeprefix("answer 1: ") in backbone.requests[1].text


def test_where_the_answers_stay_wrong_the_rules_take_over():
    backbone = ScriptedBackbone(["no", "1. craft 1 warp drive", "1. craft 4 stick"])
    made = plan_by(HdkgPlanner(backbone, GRAPH), SubGoal("craft", "stick", 4))
    assert words(made) == ["mine 1 oak_log", "craft 2 oak_planks", "craft 4 stick"]
    assert made.taken_over
    assert [problem[:8] for problem in made.problems] == [
        "answer 1",
        "answer 2",
        "answer 3",
        "the rule",
    ]
    assert "'warp drive'" in made.problems[1]


def test_all_faults_of_a_plan_go_back_at_once_by_its_own_numbers():
    plan = "2. craft 12 planks\n4. craft 4 twigs\n6. mine 3 iron ore\n8. craft 1 iron pickaxe"
    backbone = ScriptedBackbone([plan] * 3)
    made = plan_by(HdkgPlanner(backbone, GRAPH), SubGoal("craft", "iron_pickaxe"))
    told = [problem.removeprefix("answer 1: ") for problem in made.problems[:-1]]
    assert told == [
        "step 4: expected an item of the game, got 'twigs', near 'stick' (craft 4 twigs)",
        "what follows takes the steps that could not be read as left out",
        "step 2 (craft 12 oak_planks) cannot work: 3 more oak_log would be needed",
        "step 6 (mine 3 iron_ore) cannot work: needs at least a stone_pickaxe, none is held",
        "step 8 (craft 1 iron_pickaxe) cannot work: no crafting_table is in reach, and 3 more iron_ingot "
        "would be needed, and 2 more stick would be needed",
    ]
    assert all(problem in backbone.requests[1].text for problem in told)


def test_a_plan_that_ends_short_of_the_goal_is_told_how_much_is_missing():
    made = plan_by(
        HdkgPlanner(ScriptedBackbone(["1. mine 2 log\n2. craft 4 planks"] * 3), GRAPH),
        SubGoal("craft", "oak_planks", 8),
    )
    assert made.problems[0] == (
        "answer 1: at its end 4 of 8 oak_planks would be held, 4 more are needed"
    )


def test_a_step_that_fails_halfway_is_tried_again_from_its_beginning():
    plan = "1. mine 1 log\n2. craft 12 planks"
    made = plan_by(
        HdkgPlanner(ScriptedBackbone([plan] * 3), GRAPH), SubGoal("craft", "oak_planks", 16)
    )
    assert [problem.removeprefix("answer 1: ") for problem in made.problems[:-1]] == [
        "step 2 (craft 12 oak_planks) cannot work: 2 more oak_log would be needed",
        "at its end 12 of 16 oak_planks would be held, 4 more are needed",
    ]


class Answering(ScriptedBackbone):
    """Gives replies as they are."""

    def complete(self, requests):
        self.requests += requests
        return [self.replies.pop(0) for _ in requests]


def test_an_answer_that_was_cut_off_is_no_plan_and_a_dead_server_is_asked_once():
    backbone = Answering([])
    backbone.replies = [Reply(GOOD[:27], cut=True), Reply(GOOD)]
    made = plan_by(HdkgPlanner(backbone, GRAPH), SubGoal("craft", "stick", 4))
    assert made.problems == (
        "answer 1: expected a whole answer, got one cut off at its limit of tokens; think less and answer "
        "shorter",
    )
    assert words(made)[-1] == "craft 4 stick"
    backbone.replies = [Reply("", faults=("http 400: no",))]
    made = plan_by(HdkgPlanner(backbone, GRAPH), SubGoal("craft", "stick", 4))
    assert made.problems == ("answer 1: no answer: http 400: no", "the rules took over")
    assert len(backbone.requests) == 3


def test_a_good_answer_counts_although_attempts_before_it_have_failed():
    backbone = Answering([])
    backbone.replies = [Reply(GOOD, faults=("http 503: busy", "cut connection"))]
    made = plan_by(HdkgPlanner(backbone, GRAPH), SubGoal("craft", "stick", 4))
    assert (words(made)[-1], made.problems, made.taken_over) == ("craft 4 stick", (), False)
    wrong = Reply("1. craft 4 stick", faults=("http 503: busy",))
    backbone.replies = [wrong, Reply(GOOD)]
    made = plan_by(HdkgPlanner(backbone, GRAPH), SubGoal("craft", "stick", 4))
    assert words(made)[-1] == "craft 4 stick"
    assert "step 1 (craft 4 stick) cannot work" in made.problems[0]
    assert "503" not in "".join(made.problems)


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


@pytest.mark.parametrize(
    "answer",
    [
        "craft({'chest': 1}, {'planks': 8}, 'crafting_table')",
        '{"workflow": [{"times": 1, "actions": [{"name": "craft", '
        '"args": {"obj": {"chest": 1}, "materials": {"planks": 8}, "platform": "crafting_table"}}]}]}',
    ],
)
def test_a_station_in_reach_that_an_answer_names_is_not_placed_and_need_not_be_held(answer):
    planner = HdkgPlanner(ScriptedBackbone([answer]), GRAPH)
    held, goal = {"oak_planks": 8}, SubGoal("craft", "chest")
    made = plan_by(planner, goal, held, stations=("crafting_table",))
    assert (words(made), made.problems) == (["craft 1 chest"], ())


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


def test_a_prompt_with_a_missing_or_spare_value_is_an_error():
    with pytest.raises(BadValue, match="expected values for answer, problems, request"):
        render("correct", {"request": "", "answer": ""})
    with pytest.raises(BadValue, match="got answer, extra"):
        render("correct", dict.fromkeys(("request", "answer", "problems", "extra"), ""))
    with pytest.raises(UnknownName, match="unknown prompt 'plna'"):
        render("plna", {})


SETBACK = Setback(SubGoal("mine", "coal", 2), Failure("not_found", "coal", 2, "none in 200 blocks"))


class Seen(Eyes):
    def see(self, situations):
        words = {
            "health": "20 of 20", "food": "13 of 20", "hotbar": "2 birch_log, 1 stick in hand",
            "environment": "cave",
        }  # fmt: skip
        return [Sight(words) for _ in situations]


class Told:
    def of(self, situations):
        rows = [("success", "Craft a stone sword", "forest", ("mine 4 log", "craft 12 planks"), ""),
                ("failure", "Craft a stone axe", "night", (), "died")]  # fmt: skip
        names = ("outcome", "goal", "environment", "plan", "end")
        return [tuple(dict(zip(names, row, strict=True)) for row in rows) for _ in situations]


@pytest.mark.parametrize(
    ("name", "setback", "knows"),
    [
        ("plan", None, True),
        ("plan_unaided", None, False),
        ("replan", SETBACK, True),
        ("replan_unaided", SETBACK, False),
    ],
)
def test_the_prompts_are_the_golden_ones(name, setback, knows):
    listening = Listening()
    planner = HdkgPlanner(listening, GRAPH, Seen(), Told(), knows=knows)
    held = {"birch_log": 2, "stick": 1}
    plan_by(
        planner, goal_of("Stone"), held, setback, equipped="stick", stations=("crafting_table",)
    )
    assert listening.request.kind == name
    assert facts_in(replace(listening.request, facts={})) == listening.request.facts
    assert listening.request.text == (GOLDEN / f"{name}.md").read_text(encoding="utf-8")


def test_the_question_about_the_screen_is_the_golden_one():
    values = {"task": "Craft a stone sword", "environments": "forest, cave"}
    assert render("see", values) == (GOLDEN / "see.md").read_text(encoding="utf-8")


def test_a_correction_is_the_golden_one():
    values = {"request": "Plan.\n", "answer": "no", "problems": "expected a plan\ngot none"}
    assert render("correct", values) == (GOLDEN / "correct.md").read_text(encoding="utf-8")


def test_the_rows_that_need_a_plan_ask_together_and_are_answered_in_order():
    listening = Listening()
    goals = [goal_of("Wood"), SubGoal("smelt", "cooked_beef"), goal_of("Stone"), goal_of("Iron")]
    asks = [Ask(situation(goal, row=row + 5)) for row, goal in enumerate(goals)]
    made = HdkgPlanner(listening, GRAPH).plan(asks)
    assert made == [plan_of(goal, graph=GRAPH) for goal in goals]
    assert [[request.row for request in call] for call in listening.calls] == [[5, 7, 8]]


def test_only_the_rows_with_faults_are_asked_again():
    backbone = ScriptedBackbone(["1. craft 4 stick", GOOD, "no", GOOD, "1. mine 1 log", GOOD])
    asks = [Ask(situation(SubGoal("craft", "stick", 4), row=row)) for row in range(3)]
    made = HdkgPlanner(backbone, GRAPH).plan(asks)
    assert [request.row for request in backbone.requests] == [0, 1, 2, 0, 2, 2]
    assert [len(one.problems) for one in made] == [1, 0, 2]
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
