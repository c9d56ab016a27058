"""The dialogue with a backbone: facts, prompts, faults, corrections and many rows at once."""

import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from optimus_gym.backbones.rules import RulesBackbone, answer_to
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.errors import BadValue
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.situation import Picture
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.tasks import tasks
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.minds.eyes import Seen
from optimus_gym.minds.facts import MIND_PROMPTS
from optimus_gym.minds.planning import Ask, Setback
from optimus_gym.minds.recall import Lessons
from optimus_gym.prompts.lines import facts_in
from optimus_gym.prompts.template import render
from optimus_gym.testing.situations import situation
from tests.minds.plans import (
    GRAPH,
    Listening,
    goal_of,
    plan_by,
    plan_of,
    planner_of,
    plans_by,
    words,
)

GOLDEN = Path(__file__).parent / "golden"


def test_the_request_contains_all_known_facts():
    listening = Listening()
    held = {"iron_ingot": 2, "birch_log": 17}
    failed, why = SubGoal("mine", "redstone", 1), Failure("not_found", "redstone", 1, "too dark")
    here = {"equipped": "birch_log", "stations": ("furnace",), "vain": ("hungry",)}
    planner = planner_of(listening, GRAPH, recovers=True)
    plan_by(planner, goal_of("Redstone"), held, Setback(failed, why), **here)
    facts = facts_in(listening.request.text)
    assert set(facts) == {
        "verbs", "goal", "inventory", "equipped", "stations", "screen", "pictures", "vain",
        "experiences", "replans", "steps", "unknown", "failed", "failure", "left", "biome", "takes"
    }  # fmt: skip
    assert facts["inventory"] == held
    assert (facts["equipped"], facts["stations"], facts["vain"]) == (
        "birch_log", ("furnace",), ("hungry",)
    )  # fmt: skip
    assert facts["failure"] == "not_found: 1 redstone (too dark)"
    assert {row["item"] for row in facts["steps"]} >= {"redstone", "piston"}
    assert int(facts["takes"]) > 0


@pytest.mark.parametrize(("biome", "told"), [("desert", "desert"), (None, "not known")])
def test_the_request_contains_the_biome_if_it_is_known(biome, told):
    listening = Listening()
    here = replace(situation(goal_of("Stone")), biome=biome)
    plans_by(planner_of(listening), [Ask(here)])
    assert facts_in(listening.request.text)["biome"] == told


@pytest.mark.parametrize("knows", [True, False])
@pytest.mark.parametrize("name", [found.id for found in tasks().values()][::5])
def test_a_correction_contains_the_facts_of_the_first_request(name, knows):
    for setback in (
        None,
        Setback(SubGoal("mine", "coal"), Failure("not_found", "coal", 1, "dark\nhere")),
    ):
        listening = Listening()
        planner = planner_of(listening, full_graph(), knows=knows)
        held = {"birch_log": 3, "stick": 1}
        made = plan_by(planner, goal_of(name), held, setback, stations=("furnace",))
        asked = listening.request
        assert asked.kind == ("plan" if setback is None else "replan")
        values = {"request": asked.text, "answer": "${no}\nGoal: mine 3 dirt", "problems": "none"}
        corrected = render(MIND_PROMPTS, "correct", values)
        assert facts_in(corrected) == facts_in(asked.text)
        assert answer_to(corrected) == made.text


def test_the_rules_report_a_request_that_they_cannot_answer():
    for text, kind in (("", "plan"), ("Goal: stick", "plan"), ("?", "sing")):
        (reply,) = RulesBackbone().complete([Request(kind, text)])
        assert reply.text.startswith("The rules answer a question for a plan or ")


GOOD = "1. mine 1 log\n2. craft 4 planks\n3. craft 4 stick"


def test_a_wrong_plan_is_sent_back_with_its_first_fault():
    backbone = ScriptedBackbone(["1. craft 4 stick", GOOD])
    made = plan_by(planner_of(backbone, GRAPH), SubGoal("craft", "stick", 4))
    assert [s.verb for s in made.subgoals] == ["mine", "craft", "craft"]
    assert len(made.problems) == 1
    assert "step 1 (craft 4 stick) cannot work: 2 more oak_planks" in made.problems[0]
    assert made.problems[0].removeprefix("answer 1: ") in backbone.requests[1].text


WRONG = ("no", "1. craft 1 warp drive", "1. craft 4 stick")
STICKS = SubGoal("craft", "stick", 4)


def test_answers_without_a_working_step_give_no_plan():
    made = plan_by(planner_of(ScriptedBackbone(WRONG), GRAPH), STICKS)
    assert (made.subgoals, made.planned_by, made.corrections) == ((), "", 2)
    assert len(made.problems) == 3


def test_the_bare_goal_replaces_a_missing_plan_if_chosen():
    made = plan_by(planner_of(ScriptedBackbone(WRONG), GRAPH, instead="goal"), STICKS)
    assert (words(made), made.planned_by) == (["craft 4 stick"], "goal")
    assert made.problems[-1] == "the bare goal is pursued"


@pytest.mark.parametrize(
    ("lacked", "held", "first"),
    [
        (
            Failure("missing_station", "crafting_table", 1),
            {"crafting_table": 1},
            "place 1 crafting_table",
        ),
        (Failure("missing_station", "crafting_table", 1), {}, "craft 1 crafting_table"),
        (Failure("missing_tool", "stone_pickaxe", 1), {"iron_pickaxe": 1}, "equip 1 iron_pickaxe"),
        (
            Failure("missing_tool", "stone_pickaxe", 1),
            {"wooden_pickaxe": 1},
            "craft 1 stone_pickaxe",
        ),
        (Failure("not_found"), {"crafting_table": 1}, "craft 4 stick"),
    ],
)
def test_the_item_that_the_last_try_lacked_comes_before_the_bare_goal(lacked, held, first):
    planner = planner_of(ScriptedBackbone(["no"] * 2), GRAPH, instead="goal")
    made = plan_by(planner, STICKS, held, Setback(STICKS, lacked))
    assert words(made) == list(dict.fromkeys([first, "craft 4 stick"]))


def test_a_plan_is_cut_at_its_first_faulty_step_with_the_reason():
    plan = "1. mine 1 log\n2. craft 4 planks\n3. craft 1 chest\n4. craft 4 stick"
    made = plan_by(planner_of(ScriptedBackbone([plan] * 2), GRAPH), STICKS)
    assert (words(made), made.planned_by) == (["mine 1 oak_log", "craft 4 oak_planks"], "backbone")
    assert str(made.stops.failed) == "craft 1 chest"
    assert made.stops.why.reason == "missing_station"
    unchecked = planner_of(ScriptedBackbone([plan] * 2), GRAPH, checks=False)
    made = plan_by(unchecked, STICKS)
    assert (len(made.subgoals), made.stops) == (4, None)


@pytest.mark.parametrize(("knows", "station"), [(True, "crafting_table"), (False, None)])
def test_a_planner_without_knowledge_adds_no_station(knows, station):
    plan = "1. craft 1 stone pickaxe"
    planner = planner_of(ScriptedBackbone([plan] * 2), knows=knows, checks=False)
    (step,) = plan_by(planner, SubGoal("craft", "stone_pickaxe")).subgoals
    assert step.station == station


def test_a_learner_accepts_steps_that_its_graph_cannot_judge():
    known = KnowledgeGraph(one for one in full_graph().sources if one.product.endswith("_planks"))
    plan = "1. mine 1 log\n2. craft 4 planks\n3. craft 9 planks\n4. craft 4 stick"
    made = plan_by(planner_of(ScriptedBackbone([plan] * 2), known, is_whole=False), STICKS)
    assert made.problems == (
        "answer 1: step 3 (craft 9 oak_planks) cannot work: 3 more oak_log would be needed",
    )
    assert words(made) == ["mine 1 oak_log", "craft 4 oak_planks"]


def test_a_learners_request_names_the_gap_in_its_graph():
    listening = Listening()
    made = plan_by(planner_of(listening, KnowledgeGraph(()), is_whole=False), STICKS)
    assert facts_in(listening.request.text)["unknown"].startswith("stick cannot be obtained")
    assert (words(made), made.planned_by) == (["craft 4 stick"], "backbone")


def test_the_rules_replace_answers_that_stay_wrong_if_chosen():
    backbone = ScriptedBackbone(WRONG)
    made = plan_by(planner_of(backbone, GRAPH, instead="rules"), STICKS)
    assert words(made) == ["mine 1 oak_log", "craft 2 oak_planks", "craft 4 stick"]
    assert made.planned_by == "rules"
    assert [problem[:8] for problem in made.problems] == [
        "answer 1",
        "answer 2",
        "answer 3",
        "the rule",
    ]
    assert "'warp drive'" in made.problems[1]


def test_all_faults_of_a_plan_are_sent_back_with_its_step_numbers():
    plan = "2. craft 12 planks\n4. craft 4 twigs\n6. mine 3 iron ore\n8. craft 1 iron pickaxe"
    backbone = ScriptedBackbone([plan] * 3)
    made = plan_by(planner_of(backbone, GRAPH), SubGoal("craft", "iron_pickaxe"))
    told = [problem.removeprefix("answer 1: ") for problem in made.problems]
    assert told == [
        "step 4: expected an item of the game, got 'twigs', near 'stick' (craft 4 twigs)",
        "the checks below skip the steps that could not be read",
        "step 2 (craft 12 oak_planks) cannot work: 3 more oak_log would be needed",
        "step 6 (mine 3 iron_ore) cannot work: needs at least a stone_pickaxe, none is held",
        "step 8 (craft 1 iron_pickaxe) cannot work: no crafting_table is in reach, and 3 more iron_ingot "
        "would be needed, and 2 more stick would be needed",
    ]
    assert all(problem in backbone.requests[1].text for problem in told)


def test_a_plan_that_ends_short_of_the_goal_names_the_missing_pieces():
    made = plan_by(
        planner_of(ScriptedBackbone(["1. mine 2 log\n2. craft 4 planks"] * 3), GRAPH),
        SubGoal("craft", "oak_planks", 8),
    )
    assert made.problems[0] == ("answer 1: the plan ends with 4 of 8 oak_planks, 4 more are needed")


def test_a_step_that_fails_halfway_is_checked_again_from_its_beginning():
    plan = "1. mine 1 log\n2. craft 12 planks"
    made = plan_by(
        planner_of(ScriptedBackbone([plan] * 3), GRAPH), SubGoal("craft", "oak_planks", 16)
    )
    assert [problem.removeprefix("answer 1: ") for problem in made.problems] == [
        "step 2 (craft 12 oak_planks) cannot work: 2 more oak_log would be needed",
        "the plan ends with 12 of 16 oak_planks, 4 more are needed",
    ]


class Answering(ScriptedBackbone):
    """Returns its replies unchanged."""

    def complete(self, requests):
        self.requests += requests
        return [self.replies.pop(0) for _ in requests]


def test_a_cut_answer_is_no_plan_and_a_dead_server_is_asked_once():
    backbone = Answering([])
    backbone.replies = [Reply(GOOD[:27], cut=True), Reply(GOOD)]
    made = plan_by(planner_of(backbone, GRAPH), SubGoal("craft", "stick", 4))
    assert made.problems == (
        "answer 1: expected a whole answer, got an answer cut off at its token limit; think less and answer "
        "shorter",
    )
    assert words(made)[-1] == "craft 4 stick"
    backbone.replies = [Reply("", faults=("http 400: no",))]
    made = plan_by(planner_of(backbone, GRAPH), SubGoal("craft", "stick", 4))
    assert made.problems == ("answer 1: no answer: http 400: no",)
    assert len(backbone.requests) == 3


def test_a_good_answer_counts_despite_earlier_failed_attempts():
    backbone = Answering([])
    backbone.replies = [Reply(GOOD, faults=("http 503: busy", "cut connection"))]
    made = plan_by(planner_of(backbone, GRAPH), SubGoal("craft", "stick", 4))
    assert (words(made)[-1], made.problems, made.planned_by) == ("craft 4 stick", (), "backbone")
    wrong = Reply("1. craft 4 stick", faults=("http 503: busy",))
    backbone.replies = [wrong, Reply(GOOD)]
    made = plan_by(planner_of(backbone, GRAPH), SubGoal("craft", "stick", 4))
    assert words(made)[-1] == "craft 4 stick"
    assert "step 1 (craft 4 stick) cannot work" in made.problems[0]
    assert "503" not in "".join(made.problems)


def test_a_repeated_wrong_answer_ends_the_dialogue():
    backbone = ScriptedBackbone(["1. craft 4 stick"] * 3)
    plan_by(planner_of(backbone, GRAPH), SubGoal("craft", "stick", 4))
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
        ("1. mine 1 log", "the plan ends with 0 of 1 chest"),
    ],
)
def test_the_first_step_that_cannot_work_is_named(lines, fault):
    backbone = ScriptedBackbone([lines] * 3)
    made = plan_by(planner_of(backbone, GRAPH), SubGoal("craft", "chest"))
    assert fault in made.problems[0]


@pytest.mark.parametrize(
    "answer",
    [
        "craft({'chest': 1}, {'planks': 8}, 'crafting_table')",
        '{"workflow": [{"times": 1, "actions": [{"name": "craft", '
        '"args": {"obj": {"chest": 1}, "materials": {"planks": 8}, "platform": "crafting_table"}}]}]}',
    ],
)
def test_a_named_station_in_reach_is_neither_placed_nor_needed(answer):
    planner = planner_of(ScriptedBackbone([answer]), GRAPH)
    held, goal = {"oak_planks": 8}, SubGoal("craft", "chest")
    made = plan_by(planner, goal, held, stations=("crafting_table",))
    assert (words(made), made.problems) == (["craft 1 chest"], ())


def test_the_prompt_lists_the_verbs_of_the_graph():
    for graph, listed in ((GRAPH, "Verbs: mine, craft, smelt, equip, place\n"), (
        full_graph(), "place, kill, shear, milk, fill, grow, find\n"
    )):  # fmt: skip
        listening = Listening()
        plan_by(planner_of(listening, graph), goal_of("Wood"))
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
    planner = planner_of(ScriptedBackbone([lines] * 3), full_graph())
    made = plan_by(planner, SubGoal("craft", "chest"))
    assert fault in made.problems[0]


SETBACK = Setback(SubGoal("mine", "coal", 2), Failure("not_found", "coal", 2, "none in 200 blocks"))


class Sighted:
    def look(self, situations):
        words = {
            "health": "20 of 20", "food": "13 of 20", "hotbar": "2 birch_log, 1 stick in hand",
            "environment": "cave",
        }  # fmt: skip
        return [Seen(words) for _ in situations]


def pursued(task, seconds, times=1, end="", why=""):
    """Return a pursued sub-goal as a row."""
    return {"task": task, "seconds": seconds, "times": times, "end": end, "why": why}


def told():
    """Return lessons of a success, of failures and of a plan after a setback."""
    rows = [
        ("success", "Craft a stone sword", "forest",
         (pursued("mine 4 log", 12, 2), pursued("craft 12 planks", 0)), ""),
        ("failure", "Craft a stone axe", "night", (), "died"),
        ("failure", "Craft a stone hoe", "plains",
         (pursued("mine 4 log", None),
          pursued("mine 2 stone", 120, 1, "failed", "not_found: 2 stone [none: why]")), "gave_up: lost"),
    ]  # fmt: skip
    names = ("outcome", "goal", "environment", "plan", "end")
    replan = {
        "outcome": "success",
        "failed": "mine 3 coal",
        "why": "timeout: 3 coal",
        "plan": ("mine 3 log", "smelt 3 charcoal"),
        "reached": 2,
    }
    return Lessons(tuple(dict(zip(names, row, strict=True)) for row in rows), (replan,))


@pytest.mark.parametrize(
    ("kind", "setback", "knows"),
    [
        ("plan", None, True),
        ("plan", None, False),
        ("replan", SETBACK, True),
        ("replan", SETBACK, False),
    ],
)
def test_the_prompts_equal_their_golden_files(kind, setback, knows):
    listening = Listening()
    planner = planner_of(listening, GRAPH, recovers=True, knows=knows)
    held = {"birch_log": 2, "stick": 1}
    here = {"equipped": "stick", "stations": ("crafting_table",), "vain": ("hungry",)}
    plan_by(planner, goal_of("Stone"), held, setback, Sighted(), told(), **here)
    assert listening.request.kind == kind
    facts = facts_in(listening.request.text) or {}
    assert facts["experiences"] == told().experiences
    assert facts.get("replans") == (None if setback is None else told().replans)
    name = kind if knows else f"{kind}_unaided"
    assert listening.request.text == (GOLDEN / f"{name}.md").read_text(encoding="utf-8")


def test_the_screen_question_equals_its_golden_file():
    values = {"task": "Craft a stone sword", "environments": "forest, cave"}
    assert render(MIND_PROMPTS, "see", values) == (GOLDEN / "see.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["correct", "correct_lines"])
def test_a_correction_equals_its_golden_file(page):
    values = {"request": "Plan.\n", "answer": "no", "problems": "expected a plan\ngot none"}
    assert render(MIND_PROMPTS, page, values) == (GOLDEN / f"{page}.md").read_text("utf-8")


def test_every_prompt_has_a_golden_file():
    """A page that fills a place of another page is part of the other page's golden file."""
    root = Path(str(files("optimus_gym")))
    pages = {path.stem: path.read_text("utf-8") for path in root.rglob("prompts/*.md")}
    parts = {place for text in pages.values() for place in re.findall(r"\$\{(\w+)\}", text)}
    assert pages.keys() - parts == {path.stem for path in GOLDEN.iterdir()}


def test_rows_that_need_a_plan_ask_together_and_get_answers_in_order():
    listening = Listening()
    goals = [goal_of("Wood"), SubGoal("smelt", "cooked_beef"), goal_of("Stone"), goal_of("Iron")]
    asks = [Ask(situation(goal, row=row + 5)) for row, goal in enumerate(goals)]
    made = plans_by(planner_of(listening, GRAPH), asks)
    assert made == [plan_of(goal, graph=GRAPH) for goal in goals]
    assert [[request.row for request in call] for call in listening.calls] == [[5, 7, 8]]


def test_only_rows_with_faults_are_asked_again():
    backbone = ScriptedBackbone(["1. craft 4 stick", GOOD, "no", GOOD, "1. mine 1 log", GOOD])
    asks = [Ask(situation(SubGoal("craft", "stick", 4), row=row)) for row in range(3)]
    made = plans_by(planner_of(backbone, GRAPH), asks)
    assert [request.row for request in backbone.requests] == [0, 1, 2, 0, 2, 2]
    assert [len(one.problems) for one in made] == [1, 0, 2]
    assert {words(one)[-1] for one in made} == {"craft 4 stick"}


def test_a_scripted_backbone_rejects_requests_beyond_its_replies():
    backbone = ScriptedBackbone(["a", "b"])
    request = Request("plan", "?")
    assert backbone.complete([request]) == [Reply("a", 0.0, "scripted")]
    with pytest.raises(BadValue, match="scripted: expected at most 2 requests, got 3"):
        backbone.complete([request] * 2)


@pytest.mark.parametrize("sees", [False, True])
def test_the_picture_is_sent_only_to_a_planner_that_sees(sees):
    listening = Listening()
    drawn = np.zeros((360, 640, 3), np.uint8)
    picture = Picture(lambda: drawn, lambda: True)
    planner = planner_of(listening, GRAPH, sees=sees)
    plan_by(planner, goal_of("Wood"), picture=picture)
    assert len(listening.request.images) == sees
    assert ("Pictures: the screen now [picture 1]\n" in listening.request.text) == sees
    assert all(image is drawn for image in listening.request.images)
    plan_by(planner, goal_of("Wood"))
    assert listening.request.images == ()
