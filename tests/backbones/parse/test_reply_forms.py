"""Each form of reply in `reply_forms.json` gives its plan or its problem."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from optimus_gym.backbones.parse.counts import named
from optimus_gym.backbones.parse.nearness import NEAR_WORDS_FILE as NEAR
from optimus_gym.backbones.parse.nearness import near_names
from optimus_gym.backbones.parse.plans import MOST_SAID, parse_plan
from optimus_gym.backbones.parse.thoughts import answer_of, is_mark, opens_thought
from optimus_gym.core.rng import generator
from optimus_gym.prompts.words import kinds_of
from tests.backbones.parse.replies import mutated, read

FORMS = json.loads((Path(__file__).parent / "reply_forms.json").read_text("utf-8"))
PLAN = "1. mine 3 oak_log\n2. craft 12 oak_planks"
WRONG = "1. mine 9 sand"


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form["name"])
def test_a_reply_gives_a_plan_or_a_problem(form):
    assert read(form["text"]) == (form["subgoals"], form["problems"])
    assert form["problems"] or len(form["subgoals"]) in (1, 2)
    assert not any("sand" in subgoal for subgoal in form["subgoals"])


def test_spoiled_forms_never_raise_and_give_a_sub_goal_or_a_problem():
    rng = generator(11, "spoiled forms")
    for number in range(1_500):
        subgoals, problems, steps = parse_plan(mutated(FORMS[number % len(FORMS)]["text"], rng))
        assert subgoals or problems
        assert len(steps) == len(subgoals)
        assert all(0 < len(said) <= MOST_SAID for said in problems)


MARKS = ("think", "thinking", "thought", "reasoning", "reflection", "scratchpad", "analysis")
BRACKETS = ("<{}>", "[{}]", "<|{}|>", "\u25c1{}\u25b7", "<seed:{}>", "< {} >")


@pytest.mark.parametrize("name", MARKS)
@pytest.mark.parametrize("bracket", BRACKETS)
def test_a_thought_is_removed_for_every_kind_of_mark(name, bracket):
    begin, end = bracket.format(name.upper()), bracket.format(f"/{name}")
    if bracket.startswith("<seed"):
        end = f"</seed:{name}>"
    plan = (["mine 3 oak_log", "craft 12 oak_planks"], [])
    assert read(f"{begin}{WRONG}{end}{PLAN}") == plan
    assert read(f"{begin}{WRONG} {begin} {WRONG}{end}{PLAN}") == plan
    assert read(f"{WRONG}{end}\n{PLAN}") == plan or bracket == "[{}]"
    assert read(f"{PLAN}\n{begin}{WRONG}{end}") == plan
    if bracket != "[{}]" or name == "think":
        subgoals, (problem,) = read(f"{begin}{WRONG}")
        assert subgoals == []
        assert problem.startswith(
            "expected an answer after the thoughts, got thoughts without an end"
        )


def test_a_nested_thought_does_not_end_the_outer_thought():
    text = f"<think>a <reflection>b</reflection>\n{WRONG}"
    assert read(text)[0] == []
    assert read(f"{text}</think>{PLAN}")[0] == ["mine 3 oak_log", "craft 12 oak_planks"]


def test_a_lone_closing_mark_ends_all_text_before_it():
    text = f"{WRONG}\n<think>b</think>\n{WRONG}\n</think>\n{PLAN}"
    assert read(text) == (["mine 3 oak_log", "craft 12 oak_planks"], [])
    subgoals, problems = read(
        f"{WRONG}\n<think>b</think>\n2. mine 8 sand\n</think>\nNow that is it."
    )
    assert (subgoals, bool(problems)) == ([], True)


def test_the_last_plan_wins_only_if_it_has_steps():
    assert read(f"{PLAN}\n\nFinal answer: that is it!")[0] == [
        "mine 3 oak_log",
        "craft 12 oak_planks",
    ]
    assert (
        read(f"{WRONG}\nRevised plan:\n1. mine 8 dirt\nFinal plan:\n{PLAN}")[0][0]
        == "mine 3 oak_log"
    )


def test_thought_marks_are_recognised_at_a_prompts_end_and_as_tokens():
    assert opens_thought("What now?\n<|assistant|>\n<think>\n") == "<think>"
    assert (
        opens_thought("<think>\n</think>\n")
        == opens_thought("<think> now")
        == opens_thought("")
        == ""
    )
    assert [
        is_mark(token) for token in ("[THINK]", "</think>", "<|channel|>", "<|im_end|>", "log")
    ] == [
        True,
        True,
        True,
        False,
        False,
    ]


COUNTED = (
    "{n} oak_log", "x{n} oak_log", "{n}x oak_log", "{n} x oak_log", "\u00d7{n} oak_log", "oak_log x{n}",
    "oak_log x {n}", "oak_log \u00d7{n}", "oak_log *{n}", "oak_log: {n}", "oak_log = {n}", "oak_log - {n}",
    "oak_log, {n}", "oak_log {n}", "oak_log ({n})", "oak_log [{n}]", "oak_log (x{n})",
    "oak_log (quantity: {n})",
    "oak_log (count = {n})", "oak_log, quantity {n}", "{n} of oak_log", "{n} pieces of oak_log",
    "({n}) oak_log",
    "at least {n} oak_log", "exactly {n} oak_log", "a total of {n} oak_log", "oak_log (at least {n})",
    "oak_log ({n} pieces)", "oak_log ({n} total)", "oak_log until you have {n}", "oak_log, you need {n}",
    "**{n}** oak_log", "{n} `oak_log`", "{n} oak logs with an axe", "{n} oak logs (any will do)",
    "{n} more oak_log",
    "{n} oak_log at y 63", "{n} oak_log (4 planks each)", "up to {n} oak_log", "{n}+ oak_log",
    "{n} (oak_log)", "oak_log (x {n})", "oak_log (x{n})", "oak_log (x {n}",
    "{{oak_log: {n}}}",
)  # fmt: skip


@pytest.mark.parametrize("form", COUNTED)
@given(n=st.integers(1, 2304))
def test_a_count_is_read_in_every_form(form, n):
    assert read(f"1. mine {form.format(n=n)}") == ([f"mine {n} oak_log"], [])


@given(st.text("0123456789 oaklgx()*:,-", max_size=20))
@example("(x 0")
def test_a_number_is_never_ignored_silently(words):
    assume(not re.search(r"[0-9][^(]*\(", words))  # brackets after a count explain the count
    assume(not re.search(r"[0-9]\s*x\s*[0-9]", words))  # the size of a grid
    subgoals, problems = read(f"1. mine oak_log {words}")
    digits = [part for part in words.replace(",", " ").split() if part.isdecimal()]
    if digits and int(digits[0]) != 1 and not problems:
        assert subgoals != ["mine 1 oak_log"]


@pytest.mark.parametrize(
    "words",
    [
        *("0 oak_log", "-3 oak_log", "2.5 oak_log", "99999 oak_log", "3 or 4 oak_log"),
        *("3 oak_log (5)", "several oak_log", "oak_log from 3 trees"),
    ],
)
def test_an_impossible_count_is_a_problem(words):
    subgoals, (problem,) = read(f"1. mine {words}")
    assert subgoals == []
    assert "expected " in problem


def test_numbers_of_places_and_times_are_no_counts():
    for words in (
        "diamond at y 11",
        "diamond (y=11)",
        "diamond (level 5 to 16)",
        "diamond for 20 seconds",
    ):
        assert named(words).many == 1


def test_suggested_names_are_names_of_the_game():
    rows = json.loads(
        (Path(parse_plan.__code__.co_filename).parents[1] / "data" / NEAR).read_text("utf-8")
    )
    for row in rows:
        assert not any(kinds_of(word) for word in row["words"])
        assert all(kinds_of(name) for name in row["near"])
        assert all(row["near"][0] in near_names(word) for word in row["words"])
    assert near_names("irn_ore").startswith(", near 'iron_ore'")
    assert near_names("flux capacitor") == near_names("x" * 50) == near_names("") == ""


def test_thoughts_are_in_no_part_of_an_answer():
    for form in FORMS:
        assert not any(
            "sand" in part and "think" in form["name"] for part in answer_of(form["text"]).parts
        )
