"""The zero-shot agent plans from the task, and judges sub-goals from words or from pictures."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from optimus_gym.agents.zero_shot import ZeroShot
from optimus_gym.backbones.rules import RulesBackbone, answer_to
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.requests import Reply
from optimus_gym.core.situation import Picture
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.tasks import tasks
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.minds.self_check import faults_of, judging_by
from optimus_gym.prompts.lines import facts_in
from optimus_gym.testing.situations import CountingBackbone, attached, outcome, situation
from tests.agents.playing import last_info
from tests.agents.removing import unread_facts
from tests.agents.stepping import Stepping
from tests.envs.conftest import make

ABLE = abilities_of("voxel", verbs=("mine", "craft", "smelt", "recover"))


GOLDEN = Path(__file__).parents[1] / "minds" / "golden"


def drawn(tone, height, width):
    return Picture(lambda: np.full((height, width, 3), tone, np.uint8), lambda: True)


def seen(tone, **rest):
    here = situation(SubGoal("mine", "oak_log", 3), picture=drawn(tone, 360, 640), **rest)
    return replace(here, pov=drawn(tone, 128, 128))


class Sighted(RulesBackbone):
    """Plans by the rules; wants another plan if the last of a request's pictures is dark."""

    takes_pictures = True

    def __init__(self):
        self.asked = []

    def complete(self, requests):
        self.asked += requests
        return [self.reply(request) for request in requests]

    def reply(self, request):
        if request.kind != "reflect" or not request.images:
            return Reply(answer_to(request.text))
        dark = request.images[-1].mean() < 50
        return Reply("Situation: replan\nPredicament: night" if dark else "Situation: continue")


def judged(reflects, tones):
    """Return the verdict on a sub-goal that began at the first tone, and the backbone."""
    backbone = Sighted()
    agent = ZeroShot(reflects=reflects, every=20)
    attached(agent, backbone, abilities=ABLE, pictures=True)
    first, now = (seen(tone) for tone in tones)
    agent.begin_episodes([first])
    (decision,) = agent.decide([first])
    return agent.watch([replace(now, subgoal=decision.subgoal, tick=20)])[0], backbone


def test_reflection_from_pictures_sees_what_words_do_not_say():
    by_image, asked = judged("image", (200, 10))
    assert (by_image.judgement, by_image.predicament) == ("REPLAN", "night")
    assert [len(request.images) for request in asked.asked] == [1, 2]
    assert facts_in(asked.asked[0].text)["pictures"] == "the screen now [picture 1]"
    told = facts_in(asked.asked[1].text)
    assert told["pictures"] == "the screen before [picture 1]; the screen now [picture 2]"
    assert not {"before", "now"} & set(told)
    assert judged("image", (200, 200))[0].judgement == "CONTINUE"


def test_reflection_from_text_carries_words_and_no_picture():
    verdict, backbone = judged("text", (200, 10))
    assert (verdict.judgement, verdict.judged_by) == ("CONTINUE", "backbone")
    assert all(request.images == () for request in backbone.asked)
    told = facts_in(backbone.asked[1].text)
    assert set(told["now"]) == {"health", "food", "air", "hotbar", "environment"}


def test_without_reflection_the_agent_is_never_asked_for_a_verdict():
    backbone = Sighted()
    agent = attached(ZeroShot(reflects="none"), backbone, abilities=ABLE, pictures=True)
    assert agent.period is None
    here = seen(200)
    agent.begin_episodes([here])
    agent.decide([here])
    assert agent.watch([here])[0].judged_by == ""
    assert [request.kind for request in backbone.asked] == ["plan"]


def test_pictures_need_a_backbone_that_takes_them():
    with pytest.raises(BadValue, match="backbone 'rules', which takes no pictures, got 'image'"):
        attached(ZeroShot(reflects="image"), pictures=True)
    assert ZeroShot(reflects="image").needs == {"pictures"}


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"reflects": "sound"}, UnknownName, "sound"),
        ({"every": 30}, BadValue, "every: expected a multiple of 20"),
        ({"aligner": "eagle"}, UnknownName, "eagle"),
    ],
)
def test_a_wrong_option_is_named(options, error, said):
    with pytest.raises(error, match=said):
        ZeroShot(**options)


def test_plans_by_the_rules_work_on_paper_for_every_task():
    judging = judging_by(ABLE.graph)
    agent = attached(ZeroShot(), abilities=ABLE)
    for task in tasks().values():
        here = situation(task.goal)
        agent.begin_episodes([here])
        assert faults_of(agent.decide([here])[0].plan, here, judging) == ([], None), task.id


def test_the_rules_read_every_fact_of_a_plan_request():
    counting = CountingBackbone()
    agent = attached(ZeroShot(), counting, abilities=ABLE)
    held = {"oak_planks": 5}
    here = situation(SubGoal("craft", "wooden_pickaxe"), held, stations=["crafting_table"])
    agent.begin_episodes([here])
    agent.decide([here])
    assert unread_facts(counting.calls[0][0]) == []


def test_the_request_for_a_new_plan_says_what_failed_and_the_rules_seek_another_way():
    wool = situation(SubGoal("kill", "white_wool"))
    row = Stepping("zero-shot", wool, reflects="none")
    assert str(row.decision.subgoal) == "kill 1 white_wool"
    assert row.ends("failed", Failure("not_found", "white_wool", 1)) == "kill 4 string"
    assert row.told["failed_step"] == ("kill", "white_wool", 1)
    assert row.told["failure"] == "not_found: 1 white_wool"
    assert set(unread_facts(row.asked[-1])) <= {"inventory", "stations"}


SCREEN = {"health": "20 of 20", "food": "20 of 20", "air": "10 of 10", "environment": "forest"}


@pytest.mark.parametrize(
    ("change", "seconds", "said"),
    [
        ({}, 10, "continue"),
        ({}, 400, "replan\nPredicament: stuck"),
        ({"hotbar": "2 oak_log, 1 birch_log"}, 10, "done"),
        ({"hotbar": "2 oak_log"}, 400, "continue"),
        ({"health": "16 of 20"}, 10, "replan\nPredicament: danger"),
        ({"health": "6 of 20"}, 10, "replan\nPredicament: hurt"),
        ({"food": "5 of 20"}, 10, "replan\nPredicament: hungry"),
        ({"environment": "under_water"}, 10, "replan\nPredicament: in_water"),
        ({"environment": "cave"}, 10, "continue"),
    ],
)
def test_the_rules_judge_by_the_words_of_two_screens(change, seconds, said):
    assert answer_to(verdict_text(SCREEN | change, seconds)).endswith(f"Situation: {said}")


def verdict_text(now, seconds, subgoal="mine 3 log", before=SCREEN):
    told = [
        "; ".join(f"{name} {what}" for name, what in ({"hotbar": "nothing"} | one).items())
        for one in (before, now)
    ]
    return (
        f"Form of the answer: verdict\nSub-goal: {subgoal}\nSeconds since it began: {seconds}\n"
        f"Predicaments: in_water, hurt, hungry, stuck, danger\nThe screen before: {told[0]}\n"
        f"The screen now: {told[1]}\n"
    )


def test_the_rules_let_a_recovery_go_on():
    text = verdict_text(SCREEN | {"environment": "under_water"}, 10, "recover in water")
    assert "Situation: continue" in answer_to(text)


@pytest.mark.parametrize(
    ("name", "now", "seconds"),
    [
        ("answer", {}, 10),
        ("subgoal", {"hotbar": "3 oak_log"}, 10),
        ("seconds", {}, 400),
        ("predicaments", {}, 400),
        ("before", {"health": "16 of 20"}, 10),
        ("now", {"hotbar": "3 oak_log"}, 10),
    ],
)
def test_the_rules_read_every_fact_of_a_request_for_a_verdict(name, now, seconds):
    request = replace(asked_for_a_verdict(), text=verdict_text(SCREEN | now, seconds))
    assert set(facts_in(request.text)) == set(facts_in(asked_for_a_verdict().text))
    assert name not in unread_facts(request)


def asked_for_a_verdict():
    return judged("text", (200, 200))[1].asked[-1]


def test_a_predicament_is_recovered_from_before_the_next_plan():
    backbone = Sighted()
    agent = attached(ZeroShot(), backbone, abilities=ABLE, pictures=True)
    here = seen(200)
    agent.begin_episodes([here])
    (decision,) = agent.decide([here])
    why = replace(outcome(0, decision.subgoal, "replan"), failure=judgement("in_water"))
    agent.ended([why])
    assert str(agent.decide([here])[0].subgoal) == "recover 1 in_water"


def judgement(predicament):
    return Failure("judged", "oak_log", 3, predicament)


def test_the_requests_equal_their_golden_files():
    plan, reflection = judged("text", (200, 200))[1].asked
    assert plan.text == (GOLDEN / "zero_shot_plan.md").read_text(encoding="utf-8")
    told = re.sub("environment .*", "environment forest", reflection.text)  # the aligner's guess
    assert told == (GOLDEN / "zero_shot_reflect.md").read_text(encoding="utf-8")


def test_the_zero_shot_agent_crafts_its_wooden_task_in_the_voxel_world():
    env = make("Optimus-Wood-v0", agent="zero-shot")
    info = last_info(env)
    assert info["is_success"], info["reason"]
    assert info["backbone"]["own_plans"] >= 1
    assert info["backbone"]["own_verdicts"] >= 1
