"""Optimus-1 reflects at its rhythm and acts on the verdicts."""

from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.requests import Reply
from optimus_gym.core.situation import Picture
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.prompts.lines import facts_in
from optimus_gym.testing.situations import attached, outcome, situation

ABLE = abilities_of("voxel", verbs=("mine", "craft", "smelt", "recover"))
LOGS = SubGoal("mine", "oak_log", 3)


class Saying(RulesBackbone):
    """Plans by the rules and gives scripted verdicts on sub-goals, by row."""

    def __init__(self, **said):
        self.said = {int(row.removeprefix("row")): text for row, text in said.items()}
        self.reflected, self.asked = [], []

    def complete(self, requests):
        reflections = [request for request in requests if request.kind == "reflect"]
        if reflections:
            self.reflected.append([request.row for request in reflections])
            return [
                Reply(self.said.get(request.row, "Situation: continue")) for request in requests
            ]
        self.asked += requests
        return super().complete(requests)


class Asked(Saying):
    """Keeps the requests about sub-goals."""

    def __init__(self):
        super().__init__()
        self.reflections = []

    def complete(self, requests):
        self.reflections += [request for request in requests if request.kind == "reflect"]
        return super().complete(requests)


def seen(row, tone=90, **rest):
    def draw(height, width):
        return Picture(lambda: np.full((height, width, 3), tone, np.uint8), lambda: True)

    here = situation(LOGS, row=row, picture=draw(360, 640), **rest)
    return replace(here, pov=draw(128, 128))


class Play:
    """Rows of an agent that mines logs and looks at grey screens."""

    def __init__(self, backbone, rows=1, **options):
        options = {"every": 20, "eyes": "none", **options}
        self.agent = attached(Optimus1(**options), backbone, abilities=ABLE, pictures=True)
        self.here = [seen(row) for row in range(rows)]
        self.agent.begin_episodes(self.here)
        self.decide()

    def decide(self):
        self.decisions = self.agent.decide(self.here)
        return self.decisions

    def watch(self):
        doing = [
            replace(one, subgoal=decision.subgoal)
            for one, decision in zip(self.here, self.decisions, strict=True)
        ]
        return self.agent.watch(doing)

    def ends(self, end, failure=None):
        subgoal = self.decisions[0].subgoal
        self.agent.ended([outcome(0, subgoal, end, failure)])
        return self.decide()[0]


def judged(predicament):
    return Failure("judged", "oak_log", 3, predicament)


def test_all_rows_reflect_in_one_call():
    backbone = Saying(row1="Situation: replan\nPredicament: in_water")
    play = Play(backbone, rows=3)
    assert play.agent.period == 20
    verdicts = play.watch()
    assert backbone.reflected == [[0, 1, 2]]
    assert [one.judgement for one in verdicts] == ["CONTINUE", "REPLAN", "CONTINUE"]
    assert verdicts[1].predicament == "in_water"
    assert verdicts[1].reflection == "REPLAN in_water"


@pytest.mark.parametrize(("every", "calls"), [(20, 20), (100, 4), (400, 1)])
def test_the_agent_reflects_once_every_given_number_of_ticks(every, calls, tmp_path):
    backbone = Saying()
    play = Play(backbone, every=every)
    for _ in range(400 // play.agent.period):
        play.watch()
    assert len(backbone.reflected) == calls


@pytest.mark.parametrize(
    ("tones", "still", "change"),
    [
        ([90] * 10, 9, "0 %, of its middle 0 %"),
        ([90, 120] + [90] * 8, 7, "0 %, of its middle 0 %"),
        ([90] * 9 + [120], 0, "100 %, of its middle 100 %"),
    ],
)
def test_a_request_says_how_long_the_picture_has_stood_still(tones, still, change):
    backbone = Asked()
    play = Play(backbone, every=200)
    for tone in tones:
        play.here = [seen(0, tone)]
        play.watch()
    (request,) = backbone.reflections
    facts = facts_in(request.text)
    assert (facts["still"], facts["changed_second"]) == (still, change)


def test_a_new_sub_goal_restarts_the_rhythm():
    backbone = Saying()
    play = Play(backbone, every=60)
    play.watch(), play.watch()
    play.decide()
    play.watch(), play.watch()
    assert backbone.reflected == []
    play.watch()
    assert backbone.reflected == [[0]]


@pytest.mark.parametrize("judge", ["inventory", "reflector", "both"])
def test_the_verdict_is_passed_on_with_its_judge(judge):
    play = Play(Saying(row0="Environment: forest\nSituation: done"), judge=judge)
    (verdict,) = play.watch()
    assert play.agent.judge == judge
    assert (verdict.judgement, verdict.judged_by) == ("COMPLETE", "backbone")
    assert verdict.reflection.startswith("COMPLETE (forest)")


def test_a_replan_verdict_leads_to_a_recovery_and_then_a_replan():
    backbone = Saying()
    play = Play(backbone)
    recovery = play.ends("replan", judged("in_water"))
    assert (recovery.subgoal.verb, recovery.subgoal.item) == ("recover", "in_water")
    assert recovery.subgoal.text == "recover in water"
    assert not recovery.replanned
    assert len(backbone.asked) == 1
    again = play.ends("reached")
    assert again.replanned
    assert again.subgoal.verb == "mine"
    facts = facts_in(backbone.asked[-1].text)
    assert facts["failed"] == "mine 3 oak_log"
    assert facts["failure"] == "judged: 3 oak_log (in_water)"


@pytest.mark.parametrize("reason", ["missing_item", "not_found"])
def test_a_recovery_that_lacked_food_is_not_repeated_until_food_is_gained(reason):
    backbone = Saying()
    play = Play(backbone)
    assert play.ends("replan", judged("hungry")).subgoal.item == "hungry"
    play.ends("failed", Failure(reason, None, 0, "nothing to eat is held"))
    assert facts_in(backbone.asked[-1].text)["vain"] == ("hungry",)
    assert play.ends("replan", judged("hungry")).subgoal.verb == "mine"
    play.agent.ended(
        [outcome(0, play.decisions[0].subgoal, "replan", judged("hungry"), gained={"apple": 1})]
    )
    assert play.decide()[0].subgoal.item == "hungry"


def test_a_failed_recovery_still_leads_to_a_replan():
    play = Play(Saying())
    play.ends("replan", judged("hurt"))
    again = play.ends("failed", Failure("stuck"))
    assert (again.replanned, again.subgoal.verb) == (True, "mine")


@pytest.mark.parametrize("why", [judged("lost in thought"), Failure("not_found", "oak_log", 3)])
def test_an_unknown_predicament_leads_to_a_replan_without_recovery(why):
    again = Play(Saying()).ends("replan", why)
    assert again.replanned


def test_a_world_without_recovery_leads_to_an_immediate_replan():
    agent = attached(Optimus1(every=20), Saying(), pictures=True)
    agent.begin_episodes([seen(0)])
    (first,) = agent.decide([seen(0)])
    agent.ended([outcome(0, first.subgoal, "replan", judged("in_water"))])
    assert agent.decide([seen(0)])[0].replanned


def test_the_agent_keeps_its_first_plan_and_judges_nothing_without_reflection():
    backbone = Saying(row0="Situation: replan\nPredicament: hurt")
    play = Play(backbone, switches="planning")
    assert play.agent.period is None
    assert play.ends("failed", Failure("stuck")).subgoal is None


def test_an_agent_without_pictures_does_not_reflect():
    agent = attached(Optimus1(), Saying(), abilities=ABLE)
    assert agent.period is None


def test_the_agent_gives_up_after_the_same_failure_too_often():
    play = Play(Saying(), max_repeats=2)
    for _ in range(2):
        assert play.ends("failed", Failure("stuck")).subgoal is not None
    assert play.ends("failed", Failure("not_found", "oak_log", 3)).subgoal is not None
    last = play.ends("failed", Failure("stuck"))
    assert (last.subgoal, last.reason) == (None, "stuck")


@pytest.mark.parametrize("every", [0, 30, 36_020, "often"])
def test_an_impossible_rhythm_is_rejected(every):
    with pytest.raises(BadValue, match="every: expected"):
        Optimus1(every=every)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"switches": "plannning"}, "did you mean 'planning'"),
        ({"switches": {"reflects": False}}, "did you mean 'reflection'"),
        ({"switches": {"cases": "some"}}, "unknown value of the switch cases 'some'"),
        ({"switches": {"planning": 1}}, "planning: expected True or False, got 1"),
        ({"switches": 3}, "expected a preset's name or a mapping, got 3"),
        ({"judge": "nobody"}, "unknown judge 'nobody'"),
        ({"eyes": "four"}, "unknown eyes 'four'"),
    ],
)
def test_unknown_options_are_rejected_by_name(options, message):
    with pytest.raises((BadValue, UnknownName), match=message):
        Optimus1(**options)
