"""Verdicts are read from the replies of reflectors."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.backbones.parse.plans import MOST_TEXT
from optimus_gym.backbones.parse.verdicts import VerdictRead, verdict_in

KNOWN = ("in_water", "drop_down", "stuck")
PLAIN = "Environment: forest\nSituation: replan\nPredicament: in_water"
FIELDS = {"Environment": "forest", "Situation": "replan", "Predicament": "in_water"}


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.upper(),
        PLAIN.replace("\n", "\n\n") + "\n",
        PLAIN.replace("\n", ", "),
        PLAIN.replace(": ", ":\n"),
        PLAIN.replace("Situation:", "**Situation**:").replace("Environment:", "- **Environment:**"),
        PLAIN.replace("replan", "`failed` (it swims)").replace("in_water", "In water."),
        PLAIN.replace("in_water", "in-water \u2014 it fell in"),
        PLAIN.replace(": ", " = "),
        f"```\n{PLAIN}\n```",
        f"The situation: it swims.\n{PLAIN}",
        f"{PLAIN}\nSo, situation: replan.",
        f"<think>Situation: done</think>\n{PLAIN}",
        json.dumps(FIELDS),
        f"```json\n{json.dumps(FIELDS, indent=2).lower()}\n```",
        json.dumps({"verdict": dict(reversed(FIELDS.items()))}).replace('"', "'"),
    ],
)
def test_messy_replies_are_understood(text):
    assert verdict_in(text, KNOWN) == VerdictRead("REPLAN", "in_water", "forest")


@pytest.mark.parametrize(
    ("word", "judgement"),
    [
        *((word, "COMPLETE") for word in ("done", "Complete", "completed", "SUCCESS", "is done")),
        *((word, "CONTINUE") for word in ("continue", "Ongoing", "continue, it is not done yet")),
        *((word, "REPLAN") for word in ("replan", "fail", "Failed", "failed: replan")),
        ("done; nothing failed", "COMPLETE"),
    ],
)
def test_each_situation_has_several_words(word, judgement):
    assert verdict_in(f"Situation: {word}", KNOWN) == VerdictRead(judgement)


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("Situation: done\nSituation: replan", "'done' and 'replan'"),
        ("Situation: done/continue/replan", "'done' and 'continue' and 'replan'"),
        ("Situation: done or continue", "'done' and 'continue'"),
        ("Situation: done, replan", "'done' and 'replan'"),
        ("Situation: complete | failed", "'complete' and 'failed'"),
    ],
)
def test_contradictory_situations_give_no_verdict(text, got):
    problem = f"expected the situation done, continue or replan, got {got}"
    assert verdict_in(text, KNOWN) == VerdictRead(None, problems=(problem,))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected a line 'Situation: done', 'continue' or 'replan', got none"),
        ("done", "expected a line 'Situation: done'"),
        ("My situation is done.", "expected a line 'Situation: done'"),
        ("current_situation: done", "expected a line 'Situation: done'"),
        ("Situation:", "got ''"),
        ("Situation: unclear", "got 'unclear'"),
        ("Situation: not done", "got 'not done'"),
        ("Situation: it isn't complete", "got 'it isn't complete'"),
    ],
)
def test_an_unreadable_situation_is_a_problem(text, words):
    read = verdict_in(text, KNOWN)
    assert read.judgement is None
    (problem,) = read.problems
    assert words in problem.replace('"', "'")


@pytest.mark.parametrize("word", ["", "none", "None.", "null", "N/A", "no predicament", '""'])
def test_a_word_for_no_predicament_is_no_problem(word):
    assert verdict_in(f"Situation: continue\nPredicament: {word}", KNOWN) == VerdictRead("CONTINUE")


@pytest.mark.parametrize("text", [f"<think>{PLAIN}", f"{PLAIN}\n</think>", f"[THINK]{PLAIN}"])
def test_a_verdict_inside_thoughts_is_ignored(text):
    read = verdict_in(text, KNOWN)
    assert (read.judgement, read.predicament) == (None, "")
    assert read.problems[0].startswith("expected an answer after the thoughts")


def test_an_unknown_predicament_is_a_problem():
    read = verdict_in(PLAIN, ("stuck", "drop_down"))
    assert (read.judgement, read.predicament) == ("REPLAN", "")
    assert read.problems == ("expected one predicament of drop_down, stuck, got 'in_water'",)


def test_two_predicaments_are_a_problem():
    read = verdict_in(PLAIN.replace("in_water", "in_water, stuck"), KNOWN)
    assert read.predicament == ""
    assert read.problems[0].endswith("got 'in_water' and 'stuck'")
    assert verdict_in(PLAIN.replace("in_water", "stuck, as it seems"), KNOWN).predicament == "stuck"


def test_an_environment_may_have_several_words():
    read = verdict_in("environment: A Cave, dark\nsituation: done", KNOWN)
    assert read == VerdictRead("COMPLETE", "", "a cave, dark")


def test_a_reply_that_is_too_long_is_one_problem():
    assert verdict_in(PLAIN.ljust(MOST_TEXT), KNOWN).judgement == "REPLAN"
    read = verdict_in(PLAIN.ljust(MOST_TEXT + 1), KNOWN)
    assert read == VerdictRead(None, problems=("expected at most 100000 characters, got 100001",))


SAID = st.text(max_size=20) | st.sampled_from(
    ("Situation", "Predicament:", "Environment =", ":", "done", "replan", ",", "\n", "or", "in_water", '"')
)  # fmt: skip


@given(st.lists(SAID, max_size=20).map(" ".join))
def test_random_texts_never_raise_and_a_missing_judgement_is_a_problem(text):
    read = verdict_in(text, KNOWN)
    assert (read.judgement is None) <= bool(read.problems)
    assert read.predicament in ("", *KNOWN)
    assert all(len(said) <= 200 for said in read.problems)
