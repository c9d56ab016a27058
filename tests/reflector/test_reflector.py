"""What a reflection is told and how it is understood; the rules' vote over it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.backbones.signs import SIGNS, signs_of
from optimus_gym.backbones.verdict import likely, predicament_in, verdict_on
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.memory.experience import Case, Image
from optimus_gym.memory.pictures import packed
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.prompts.lines import facts_in
from optimus_gym.reflector.reflector import Moment, Reflector
from optimus_gym.vision.hud_reader import Hud, Stack
from optimus_gym.vision.mini_aligner import MiniAligner
from optimus_gym.vision.screen import Screen
from tests.memory.making import an_experience

ALIGNER = MiniAligner()
GOLDEN = Path(__file__).parent / "golden"


def frame(tone):
    return np.full((360, 640, 3), tone, np.uint8)


def vector(tone):
    features = ALIGNER.frames(frame(tone)[None])[0]
    return features / np.linalg.norm(features)


def screen(tone=90, health=20, food=20, air=10, environment="forest", **held):
    hotbar = [Stack(item, count) for item, count in held.items()]
    slots = (*hotbar, *[None] * (9 - len(hotbar)))
    return Screen(Hud(health, food, air, 0, slots, 0), environment, vector(tone))


def moment(now, before=None, ticks=200, subgoal="mine 3 log", **rest):
    return Moment(0, 7, subgoal, ticks, before, before, now, **rest)


def seen(tone):
    return Image(tone, packed(frame(tone)[:128, :128]), vector(tone))


def remembered():
    """An episode with a case of each situation."""
    labels = ("COMPLETE", "CONTINUE", "REPLAN")
    cases = tuple(
        Case(
            0, "mine 3 log", "forest", seen(40 + k), seen(90 + k), "hurt, badly", "CONTINUE", label
        )
        for k, label in enumerate(labels)
    )
    return an_experience(cases=cases, pursuits=(), first=None)


class Listening(RulesBackbone):
    def complete(self, requests):
        self.requests = list(requests)
        return super().complete(requests)


def told(now, before=None, **rest):
    """The facts of a moment."""
    return Reflector(RulesBackbone()).question(moment(now, before, **rest)).facts


def test_the_text_tells_every_fact_and_the_rules_read_nothing_else():
    listening = Listening()
    reflector = Reflector(listening)
    before, now = screen(), screen(120, 13, oak_log=3, environment="cave")
    (said,) = reflector.reflect([moment(now, before, tick=640)])
    (request,) = listening.requests
    assert (request.kind, request.row, request.seed, request.images) == ("reflect", 0, 7, ())
    assert request.tick == 640
    bare = replace(request, facts={})
    assert facts_in(bare) == request.facts
    assert RulesBackbone().complete([bare]) == RulesBackbone().complete([request])
    assert said.environment == "cave"
    assert "inventory" not in request.facts


def test_the_screens_are_told_in_words():
    facts = told(screen(120, 13, 6, 3, "cave", oak_log=3, stick=1), screen(), ticks=450)
    assert facts["before"] == {
        "health": "20 of 20", "food": "20 of 20", "air": "10 of 10", "hotbar": "nothing",
        "environment": "forest",
    }  # fmt: skip
    assert facts["now"]["hotbar"] == "3 oak_log in hand, 1 stick"
    assert facts["now"]["air"] == "3 of 10"
    assert facts["seconds"] == 22
    assert facts["predicaments"] == tuple(PREDICAMENTS)
    assert float(facts["alike_before"]) == pytest.approx(float(vector(90) @ vector(120)), abs=6e-4)


def test_nothing_before_is_nothing_to_compare_with():
    facts = told(screen())
    assert (facts["before"], facts["alike_before"], facts["alike_last"]) == (
        {},
        "not seen",
        "not seen",
    )
    assert dict(zip(SIGNS, signs_of(facts), strict=True))["got"] == 0


@pytest.mark.parametrize(
    ("subgoal", "before", "now", "share"),
    [
        ("mine 3 log", {}, {"birch_log": 2, "oak_log": 1}, 1),
        ("mine 3 log", {"oak_log": 2}, {"oak_log": 3}, 1 / 3),
        ("mine 3 log", {"oak_log": 3}, {"stick": 3}, 0),
        ("craft 4 stick", {}, {"stick": 64}, 1),
        ("equip stone pickaxe", {}, {"stone_pickaxe": 1}, 1),
        ("place crafting table", {"crafting_table": 1}, {}, 1),
        ("sing a song", {}, {"stick": 1}, 0),
    ],
)
def test_what_came_to_the_hotbar_counts(subgoal, before, now, share):
    facts = told(screen(**now), screen(**before), subgoal=subgoal)
    signs = dict(zip(SIGNS, signs_of(facts), strict=True))
    assert signs["got"] == pytest.approx(share)
    assert signs["all_got"] == (share == 1)


@pytest.mark.parametrize(
    ("now", "before", "name"),
    [
        (screen(air=9), None, "in_water"),
        (screen(environment="under_water"), None, "in_water"),
        (screen(health=8), None, "hurt"),
        (screen(food=6), None, "hungry"),
        (screen(environment="cave"), screen(), "drop_down"),
        (screen(environment="cave"), screen(environment="cave"), "stuck"),
        (screen(environment="night"), None, "night"),
        (screen(), None, "stuck"),
    ],
)
def test_the_predicament_is_what_the_screen_shows(now, before, name):
    assert predicament_in(told(now, before)) == name


def test_the_vote_is_a_distribution_and_its_verdict_the_likeliest():
    facts = told(screen(), screen())
    odds = likely(facts)
    assert odds.shape == (3,)
    assert odds.sum() == pytest.approx(1)
    word = ("done", "continue", "replan")[int(odds.argmax())]
    assert f"Situation: {word}" in verdict_on(facts)


@pytest.mark.parametrize(
    ("answer", "judgement", "predicament"),
    [
        ("Environment: river\nSituation: replan\nPredicament: in_water", "REPLAN", "in_water"),
        ("Situation: done\nPredicament: hurt", "COMPLETE", ""),
        ("situation: **continue**", "CONTINUE", ""),
        ("I do not know.", "CONTINUE", ""),
        ("", "CONTINUE", ""),
    ],
)
def test_answers_are_understood_or_let_it_go_on(answer, judgement, predicament):
    (said,) = Reflector(ScriptedBackbone([answer])).reflect([moment(screen())])
    assert (said.judgement, said.predicament) == (judgement, predicament)
    assert bool(said.problems) == (answer in ("I do not know.", ""))


@pytest.mark.parametrize(
    ("which", "labels"),
    [("both", {"done", "continue", "replan"}), ("none", set())],
)
def test_like_cases_are_told_and_shown(tmp_path, which, labels):
    with ExperiencePool(tmp_path, ALIGNER) as pool:
        pool.add(remembered())
        now = moment(screen(), screen(), pictures=(frame(1), frame(2)))
        facts = Reflector(RulesBackbone(), pool, which).question(now).facts
        assert {row["situation"] for row in facts["cases"]} == labels
        assert bool(facts["cases"]) == bool(labels)
        seeing = Reflector(RulesBackbone(), pool, which, sees=True).question(now)
        assert len(seeing.images) == 2 * len(seeing.facts["cases"]) + 2
        assert (seeing.images[-2] == frame(1)).all()
        assert (seeing.images[-1] == frame(2)).all()
        if labels:
            assert facts_in(replace(seeing, facts={})) == seeing.facts
            assert f"of each of the {len(seeing.facts['cases'])} cases above" in seeing.text


def test_the_question_is_the_golden_one(tmp_path):
    with ExperiencePool(tmp_path, ALIGNER) as pool:
        pool.add(remembered())
        now = moment(screen(oak_log=2), screen(), pictures=(frame(1), frame(2)))
        asked = Reflector(RulesBackbone(), pool, "both", sees=True).question(now)
    assert asked.text == (GOLDEN / "reflect.md").read_text()


def test_all_moments_are_asked_about_at_once():
    listening = Listening()
    said = Reflector(listening).reflect([moment(screen(tone)) for tone in (10, 60, 200)])
    assert len(said) == len(listening.requests) == 3
    assert Reflector(listening).reflect([]) == []
