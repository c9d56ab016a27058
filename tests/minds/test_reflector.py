"""The reflector builds requests, reads verdicts and lets the rules vote."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from optimus_gym.agents.optimus1.questions import CASE_NAMES, reflection_question
from optimus_gym.backbones.parse.verdicts import verdict_in
from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.backbones.signs import SIGNS, is_idle, signs_of
from optimus_gym.backbones.verdict import likely, predicament_in, verdict_on, votes
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.requests import Reply, request_parts
from optimus_gym.core.situation import Picture
from optimus_gym.core.types import SubGoal
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.memory.experience import Case, Image
from optimus_gym.memory.pictures import packed
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.minds.eyes import Seen
from optimus_gym.minds.recall import CASES_LEFT_OUT, Recall
from optimus_gym.minds.reflecting import Moment, verdict_of, verdicts_of
from optimus_gym.prompts.lines import facts_in
from optimus_gym.testing.situations import situation
from optimus_gym.vision.change import Change
from optimus_gym.vision.environments import ENVIRONMENTS
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
    hud = Hud(health, food, air, 0, slots, 0)
    return Screen(hud, environment, np.zeros(len(ENVIRONMENTS), np.float32), vector(tone))


def sight(seen, tone=None):
    """Return a look with a picture of one tone."""
    picture = None if tone is None else Picture(lambda: frame(tone), lambda: True)
    return Seen(picture=picture, screen=seen)


def moment(
    now,
    before=None,
    ticks=200,
    subgoal="mine 3 log",
    tick=0,
    cases=(),
    tones=(None, None),
    change=None,
    still=0,
):
    then = None if before is None else sight(before, tones[0])
    here = sight(now, tones[1])
    return Moment(0, 7, tick, subgoal, ticks, then, then, here, cases, None, change, still)


def asked_of(now, before=None, sees=False, **rest):
    """Return the request about a moment."""
    return reflection_question(moment(now, before, **rest), sees)


def seen(tone):
    return Image(tone, packed(frame(tone)[:128, :128]), vector(tone))


def remembered():
    """Return an episode with a case of each situation."""
    labels = (("COMPLETE", ""), ("CONTINUE", ""), ("REPLAN", "hurt"))
    cases = tuple(
        Case(0, "mine 3 log", "forest", seen(40 + k), seen(90 + k), name, "CONTINUE", label)
        for k, (label, name) in enumerate(labels)
    )
    return an_experience(cases=cases, pursuits=(), first=None)


def cases_in(pool, which):
    """Return the cases most similar to mining logs, one of each situation."""
    recall = Recall(pool, KnowledgeGraph(()), which, pictured=True)
    doing = replace(
        situation(SubGoal("mine", "oak_log", 3)),
        subgoal=SubGoal("mine", "oak_log", 3, text="mine 3 log"),
    )
    return recall.cases([doing], [sight(screen())])[0]


def test_cases_with_world_labels_are_left_out_with_one_warning(tmp_path, caplog):
    wood = SubGoal("mine", "oak_log", 3, text="mine 3 log")
    doing, looks = replace(situation(wood), subgoal=wood), [sight(screen())]
    with ExperiencePool(tmp_path, ALIGNER) as pool:
        pool.add(replace(remembered(), told={"labels": "truth"}))
        recall = Recall(pool, KnowledgeGraph(()))
        for _ in range(2):
            assert recall.cases([doing], looks) == [()]
        assert [one.getMessage() for one in caplog.records] == [CASES_LEFT_OUT % tmp_path]
        caplog.clear()
        asked = Recall(pool, KnowledgeGraph(()), by_world=True)
        assert len(asked.cases([doing], looks)[0]) == 3
        assert not caplog.records


class Listening(RulesBackbone):
    def complete(self, requests):
        self.requests = list(requests)
        return super().complete(requests)


def told(now, before=None, **rest):
    """Return the facts of a moment from the text of its request."""
    return facts_in(asked_of(now, before, **rest).text)


def test_a_request_names_its_row_and_hides_the_inventory():
    before, now = screen(), screen(120, 13, oak_log=3, environment="cave")
    asked = asked_of(now, before, tick=640)
    assert (asked.kind, asked.row, asked.seed, asked.tick, asked.images) == (
        "reflect",
        0,
        7,
        640,
        (),
    )
    (said,) = verdicts_of(RulesBackbone(), [asked])
    assert "(cave)" in said.reflection
    assert said.judged_by == "backbone"
    assert "inventory" not in facts_in(asked.text)


def test_a_request_describes_the_screens_in_words():
    facts = told(screen(120, 13, 6, 3, "cave", oak_log=3, stick=1), screen(), ticks=450)
    assert facts["before"] == {
        "health": "20 of 20", "food": "20 of 20", "air": "10 of 10", "hotbar": "nothing",
        "environment": "forest",
    }  # fmt: skip
    assert facts["now"]["hotbar"] == "3 oak_log in hand, 1 stick"
    assert facts["now"]["air"] == "3 of 10"
    assert facts["seconds"] == 22
    assert facts["predicaments"] == tuple(PREDICAMENTS)
    percent = 100 * (1 - float(vector(90) @ vector(120)))
    assert facts["changed_before"] == f"{percent:.2g} %"
    assert facts["came"] == {"oak_log": 3, "stick": 1}
    assert facts["usual"] == "not known"
    assert (facts["used"], facts["changed_second"], facts["still"]) == ({}, "not seen", 0)


def test_a_request_contains_used_ingredients_and_a_still_picture():
    facts = told(
        screen(iron_ore=1, coal=2),
        screen(iron_ore=8, coal=3),
        subgoal="smelt 7 iron ingot",
        change=Change(0.25, 0.0),
        still=140,
    )
    assert facts["used"] == {"iron_ore": 7, "coal": 1}
    assert (facts["changed_second"], facts["still"]) == ("25 %, of its middle 0 %", 7)
    signs = dict(zip(SIGNS, signs_of(facts), strict=True))
    assert (signs["fed"], signs["frozen"]) == (1, 0), "who smelts stands still"
    unfed = signs_of({**facts, "used": {}})
    assert dict(zip(SIGNS, unfed, strict=True))["fed"] == 0


@pytest.mark.parametrize(
    ("subgoal", "still", "idle"),
    [("mine 3 log", 6, True), ("mine 3 log", 5, False), ("smelt 3 iron ingot", 60, False)],
)
def test_a_miner_with_a_still_picture_for_six_seconds_is_idle(subgoal, still, idle):
    stands = told(screen(120), screen(), subgoal=subgoal, change=Change(0, 0), still=20 * still)
    assert is_idle(signs_of(stands)) == idle
    assert dict(zip(SIGNS, signs_of(stands), strict=True))["frozen"] == idle


def test_motion_in_the_middle_of_the_picture_is_a_separate_sign():
    moves, cracks = (
        dict(zip(SIGNS, signs_of(told(screen(), screen(), change=change)), strict=True))
        for change in (Change(0.1, 0.0), Change(0.1, 0.1))
    )
    assert moves["moved"] == cracks["moved"] == pytest.approx(1)
    assert (moves["moved_middle"], cracks["moved_middle"]) == (5, pytest.approx(1))


def test_a_missing_earlier_screen_gives_no_comparison():
    facts = told(screen())
    assert (facts["before"], facts["changed_before"], facts["changed_last"]) == (
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
def test_items_that_came_into_the_hotbar_count(subgoal, before, now, share):
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
        (screen(health=17), screen(), "danger"),
        (screen(health=18), screen(), "stuck"),
        (screen(health=12), None, "stuck"),
        (screen(health=8), screen(), "hurt"),
        (screen(environment="cave", health=12), screen(), "danger"),
        (screen(environment="cave"), screen(), "drop_down"),
        (screen(environment="cave"), screen(environment="cave"), "stuck"),
        (screen(environment="night"), None, "night"),
        (screen(), None, "stuck"),
    ],
)
def test_the_predicament_follows_from_the_screen(now, before, name):
    assert predicament_in(told(now, before)) == name


def certain(facts, monkeypatch):
    """Return the rules' judgement when the vote is certain of a replan."""
    monkeypatch.setattr(
        "optimus_gym.backbones.verdict.likely", lambda facts: np.array([0, 0.1, 0.9])
    )
    return verdict_in(verdict_on(facts), PREDICAMENTS).judgement


def test_the_rules_never_stop_a_recovery_or_judge_without_an_earlier_screen(monkeypatch):
    assert certain(told(screen(), screen()), monkeypatch) == "REPLAN"
    assert certain(told(screen(), screen(), subgoal="recover hurt"), monkeypatch) == "CONTINUE"
    assert certain(told(screen()), monkeypatch) == "CONTINUE"


def test_the_vote_is_a_distribution_and_the_verdict_its_most_likely_word():
    facts = told(screen(), screen())
    odds = likely(facts)
    assert odds.shape == (3,)
    assert odds.sum() == pytest.approx(1)
    word = ("done", "continue", "replan")[int(odds.argmax())]
    sure = votes()["without_cases"].least(signs_of(facts))
    expected = (
        word
        if word != "replan" or odds[2] >= sure
        else ("done", "continue")[int(odds[:2].argmax())]
    )
    assert f"Situation: {expected}" in verdict_on(facts)


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
def test_an_answer_that_cannot_be_read_means_continue(answer, judgement, predicament):
    backbone = ScriptedBackbone([answer, "Hm."])
    (said,) = verdicts_of(backbone, [asked_of(screen())])
    assert (said.judgement, said.predicament) == (judgement, predicament)
    unread = answer in ("I do not know.", "")
    assert said.judged_by == ("nobody" if unread else "backbone")
    assert bool(said.problems) == unread
    assert len(backbone.requests) == 1 + (answer == "I do not know.")


def test_an_answer_that_cannot_be_read_is_corrected_once_with_its_fault():
    backbone = ScriptedBackbone(["It is fine.", "Situation: continue", "Situation: done"])
    first, second = verdicts_of(backbone, [asked_of(screen()), asked_of(screen(120))])
    assert (first.judgement, first.judged_by, first.corrections) == ("COMPLETE", "backbone", 1)
    assert (second.judgement, second.corrections) == ("CONTINUE", 0)
    assert first.problems[0] in backbone.requests[2].text
    assert "It is fine." in backbone.requests[2].text


def test_a_dead_server_and_a_cut_answer_give_no_verdict():
    dead = verdict_of(Reply("", faults=("http 500: no",)))
    assert (dead.judgement, dead.judged_by) == ("CONTINUE", "nobody")
    assert dead.problems == ("no answer: http 500: no",)
    assert verdict_of(Reply("Situation: replan", cut=True)).judged_by == "nobody"


@pytest.mark.parametrize(
    ("which", "labels"),
    [("both", {"done", "continue", "replan"}), ("none", set())],
)
def test_similar_cases_appear_in_words_and_pictures(tmp_path, which, labels):
    with ExperiencePool(tmp_path, ALIGNER) as pool:
        pool.add(remembered())
        like = cases_in(pool, which)
        facts = told(screen(), screen(), cases=like)
        assert {row["situation"] for row in facts["cases"]} == labels
        seeing = asked_of(screen(), screen(), sees=True, cases=like, tones=(1, 2))
        count = 2 * len(like) + 2
        assert len(seeing.images) == count
        assert (seeing.images[-2] == frame(1)).all()
        assert (seeing.images[-1] == frame(2)).all()
        marks = f"the screen before [picture {count - 1}]; the screen now [picture {count}]"
        assert facts_in(seeing.text)["pictures"].endswith(marks)
        for number, one in enumerate(like, 1):
            told_case = f"the sub-goal of case {number} ({CASE_NAMES[one.case.label]}) "
            marks = f"[picture {2 * number - 1}], then [picture {2 * number}]; "
            assert told_case + marks in seeing.text
        parts = request_parts(seeing)
        assert [one is two for one, two in zip(parts[1::2], seeing.images, strict=True)]
        assert "picture" not in facts_in(asked_of(screen(), screen(), cases=like).text)["pictures"]


def test_the_request_equals_its_golden_file(tmp_path):
    with ExperiencePool(tmp_path, ALIGNER) as pool:
        pool.add(remembered())
        like = cases_in(pool, "both")
        change = Change(0.0312, 0.0)
        asked = asked_of(
            screen(oak_log=2), screen(), sees=True, cases=like, tones=(1, 2), change=change
        )
    assert asked.text == (GOLDEN / "reflect.md").read_text()


def test_all_moments_are_asked_about_in_one_call():
    listening = Listening()
    said = verdicts_of(listening, [asked_of(screen(tone)) for tone in (10, 60, 200)])
    assert len(said) == len(listening.requests) == 3
    assert verdicts_of(ScriptedBackbone([]), []) == []
