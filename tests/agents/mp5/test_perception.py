"""Active perception in rounds and in one round, global perception, chance, and the verdicts on a search."""

from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.agents.mp5.campaign import Campaign
from optimus_gym.agents.mp5.patroller import MOST_LOOKS, MOST_ROUNDS_OF_QUESTIONS, Patroller
from optimus_gym.agents.mp5.percipient import AlignedPercipient, AskedPercipient
from optimus_gym.agents.mp5.switches import Mp5Switches, mp5_switches
from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.situation import Picture
from optimus_gym.core.types import SubGoal
from optimus_gym.minds.eyes import Seen
from optimus_gym.minds.mind import Patience
from optimus_gym.testing.situations import CountingBackbone, attached, situation
from optimus_gym.vision.screen import Screen
from tests.agents.mp5.marching import Marching

PIG = SubGoal("find", "pig")
TASK = "Find a pig near a grass in the plains during the daytime"
ACT = ("find", "pig", 1)
GOOD = {"mob": "pig: yes", "object": "grass: yes", "ecology": "plains", "time": "day"}


def here(task=TASK, **more):
    one = situation(PIG)
    return replace(one, task=replace(one.task, instruction=task), subgoal=PIG, **more)


class Answering:
    """A percipient that answers by aspect and describes in given sentences."""

    def __init__(self, answers=None, sentences=()):
        self.answers, self.sentences = answers or GOOD, sentences
        self.asked = []

    def answer(self, situations, asked):
        self.asked += [list(one) for one in asked]
        return [[self.answers[aspect] for aspect, _ in questions] for questions in asked]

    def describe(self, situations):
        return [tuple(self.sentences) for _ in situations]


def patrol(percipient, backbone=None, **switches):
    return Patroller(backbone or RulesBackbone(), percipient, Mp5Switches(**switches))


def seen(percipient, backbone=None, task=TASK, **switches):
    return patrol(percipient, backbone, **switches).perceive([here(task)], [ACT])[0]


def test_active_perception_asks_one_question_after_the_other_until_it_has_everything():
    eyes = Answering()
    one = seen(eyes)
    assert one.enough
    assert one.answers == GOOD
    assert eyes.asked == [
        [("mob", "pig")], [("object", "grass")], [("ecology", "plains")], [("time", "day")]
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("aspect", "answer", "missing"),
    [("mob", "pig: no", "pig"), ("ecology", "desert", "plains"), ("time", "night", "day")],
)
def test_active_perception_stops_at_the_first_thing_that_is_missing(aspect, answer, missing):
    eyes = Answering({**GOOD, aspect: answer})
    one = seen(eyes)
    assert (one.enough, one.missing) == (False, missing)
    assert eyes.asked[-1][0][0] == aspect


def test_what_the_percipient_cannot_tell_does_not_count_against_the_picture():
    assert seen(Answering({**GOOD, "time": "not known"})).enough


def test_a_question_that_comes_twice_ends_the_rounds_without_success():
    asks = ScriptedBackbone(["Question: mob: pig", "Question: mob: pig"])
    one = seen(Answering(), asks)
    assert one.enough is False


def test_the_rounds_are_bounded():
    aspects = "abcdefghijk"
    asks = ScriptedBackbone([f"Question: {aspect}: pig" for aspect in aspects])
    one = seen(Answering(dict.fromkeys(aspects, "yes")), asks)
    assert one.enough is False
    assert len(asks.requests) == MOST_ROUNDS_OF_QUESTIONS


def test_all_questions_can_be_asked_in_one_round():
    eyes = Answering({**GOOD, "time": "night"})
    counting = CountingBackbone()
    one = seen(eyes, counting, questions="single")
    assert [len(asked) for asked in eyes.asked] == [4]
    assert (one.enough, one.missing) == (False, "day")
    assert len(counting.calls) == 2


@pytest.mark.parametrize(
    ("sentences", "enough"),
    [
        (("I see pig", "I see grass", "plains"), True),
        (("I see pig", "plains"), False),
        (("I see pig", "I see grass", "I see desert"), False),
        (("I see pig", "I see grass", "I see night"), False),
        ((), False),
    ],
)
def test_global_perception_judges_one_description(sentences, enough):
    assert seen(Answering(sentences=sentences), perception="global").enough is enough


def test_chance_is_drawn_from_seed_and_tick_without_a_request():
    counting = CountingBackbone()
    one = patrol(Answering(), counting, perception="chance")
    said = [one.perceive([here(tick=tick)], [ACT])[0].enough for tick in range(40)]
    assert said == [one.perceive([here(tick=tick)], [ACT])[0].enough for tick in range(40)]
    assert 10 < sum(said) < 30
    assert counting.calls == []


def verdict(eyes, looks=0, situation_=None, **switches):
    campaign = Campaign(PIG, Patience(), looks=looks)
    return patrol(eyes, **switches).watch([(situation_ or here(), campaign)])[0]


def test_a_search_is_done_when_all_is_in_view_and_goes_on_else():
    assert verdict(Answering()).judgement == "COMPLETE"
    assert verdict(Answering({**GOOD, "mob": "pig: no"})).judgement == "CONTINUE"


def test_a_search_in_vain_asks_for_another_plan_after_its_looks():
    blind = Answering({**GOOD, "mob": "pig: no"})
    assert verdict(blind, MOST_LOOKS - 1).judgement == "REPLAN"
    assert verdict(blind, MOST_LOOKS - 2).judgement == "CONTINUE"


def test_a_verdict_says_whether_the_backbone_gave_it():
    own = verdict(Answering())
    assert (own.judged_by, own.corrections) == ("backbone", 0)
    lost = verdict(Answering(), backbone=ScriptedBackbone(["Hm.", "Hm!"]))
    assert (lost.judgement, lost.judged_by, lost.corrections) == ("CONTINUE", "nobody", 1)
    assert len(lost.problems) == 2
    assert verdict(Answering(), perception="chance").judged_by == ""


def test_without_embodied_execution_nothing_ends_by_the_agents_word():
    assert verdict(Answering(), during=False).judgement == "CONTINUE"


def test_without_perception_a_search_never_ends_by_the_agents_word():
    assert verdict(Answering(), perception="none").judgement == "CONTINUE"


def test_gathering_is_done_when_the_pieces_are_gained():
    mine = SubGoal("mine", "oak_log", 3)
    short, done = ({"oak_log": n} for n in (2, 3))
    for gained, said in ((short, "CONTINUE"), (done, "COMPLETE")):
        now = replace(here(), subgoal=mine, gained=gained)
        assert verdict(Answering(), situation_=now).judgement == said


def test_the_planner_learns_what_is_in_view_only_with_situation_aware_planning():
    assert "screen" in Marching().last("plan")
    assert "screen" not in Marching(switches="no-situation").last("plan")


class Telling:
    """An aligner whose texts have the likeness 1 to the frame if they name a pig."""

    name, width, longest, threshold, confidence = "telling", 2, 8, 0.5, 0.9

    def texts(self, texts):
        return np.array([[float("pig" in text), 0] for text in texts], np.float32)


class Looking:
    """A describer of a frame in a given environment."""

    def __init__(self, environment, bright=200):
        self.environment, self.bright, self.looks = environment, bright, 0

    def look(self, situations):
        self.looks += len(situations)
        vector = np.array([1, 0], np.float32)
        image = np.full((4, 4, 3), self.bright, np.uint8)
        screen = Screen(None, self.environment, vector, vector)
        return [Seen({}, (), Picture(lambda: image, lambda: True), screen) for _ in situations]

    def sentences(self, seen):
        return ("I see pig",)


def answers(questions, environment="plains", bright=200, biome=None):
    eyes = AlignedPercipient(Looking(environment, bright), Telling(), 0.5)
    return eyes.answer([here(biome=biome)], [questions])[0]


def test_the_aligner_tells_things_biome_time_and_brightness_but_no_weather():
    asked = [(one, "pig") for one in ("mob", "ecology", "time", "brightness", "weather")]
    assert answers(asked) == ["pig: yes", "plains", "day", "bright", "not known"]
    assert answers(asked, "night", 20) == ["pig: yes", "not known", "night", "dark", "not known"]
    assert answers([("mob", "cow")]) == ["cow: no"]
    assert answers([("time", "day")], "cave") == ["not known"]
    assert answers([("ecology", "desert")], biome="desert") == ["desert"]


def test_a_frame_is_read_once_in_all_rounds():
    describer = Looking("plains")
    eyes = AlignedPercipient(describer, Telling(), 0.5)
    for _ in range(3):
        eyes.answer([here()], [[("mob", "pig")]])
    assert describer.looks == 1
    eyes.answer([here(tick=20)], [[("mob", "pig")]])
    assert describer.looks == 2


def test_a_model_that_sees_gets_the_picture_and_all_questions_of_a_round():
    model = ScriptedBackbone(["pig: yes; day", "A pig; on grass.\nIt is day."])
    picture = Picture(lambda: np.zeros((2, 2, 3), np.uint8), lambda: True)
    eyes, now = AskedPercipient(model), here(picture=picture)
    asked = [("mob", "pig"), ("time", "day"), ("weather", "rain")]
    assert eyes.answer([now], [asked]) == [["pig: yes", "day", "not known"]]
    assert eyes.describe([now]) == [("A pig, on grass.", "It is day.")]
    assert all(len(request.images) == 1 for request in model.requests)


def test_a_backbone_that_takes_no_pictures_cannot_be_the_percipient():
    from optimus_gym.agents.mp5.agent import Mp5

    with pytest.raises(BadValue, match="expected a backbone that takes pictures, got 'rules'"):
        attached(Mp5(percipient="backbone"), RulesBackbone(), pictures=True)


@pytest.mark.parametrize(
    ("switches", "error"),
    [
        ("no-such", UnknownName),
        ({"perception": "x"}, UnknownName),
        ({"questions": "x"}, UnknownName),
        ({"before": 1}, BadValue),
        ({"sight": True}, UnknownName),
        (7, BadValue),
    ],
)
def test_bad_switches_are_named(switches, error):
    with pytest.raises(error):
        mp5_switches(switches)
