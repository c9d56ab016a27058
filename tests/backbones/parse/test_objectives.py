"""Sub-objectives of MP5's parser in the forms of models, and the lines of its patroller."""

import pytest

from optimus_gym.backbones.parse.objectives import found_objectives, objectives_in
from optimus_gym.backbones.parse.patrol_lines import check_in, inquiry_in

PUBLIC = """Sure:
```json
{"sub_objectives": [
  {"task": "mine log", "quantity": 2, "material": null, "tool": "none", "platform": "", "tips": "a  forest"},
  {"name": "craft stone pickaxe", "quantity": "1", "material": {"Cobblestone": 3, "sticks": 2, "luck": 1},
   "tool": null, "platform": "Crafting Table"},
]}
```"""


def test_the_public_files_fields_are_read():
    (log, pickaxe), problems = objectives_in(PUBLIC)
    assert problems == ()
    assert (str(log.subgoal), log.tool, log.platform, log.tips) == (
        "mine 2 oak_log", None, None, "a forest"
    )  # fmt: skip
    assert str(pickaxe.subgoal) == "craft 1 stone_pickaxe"
    assert pickaxe.materials == {"cobblestone": 3, "stick": 2}
    assert pickaxe.platform == "crafting_table"


def test_another_format_gives_sub_objectives_without_ways():
    read, problems = objectives_in("1. mine 3 log\n2. craft 4 planks")
    assert [str(one.subgoal) for one in read] == ["mine 3 oak_log", "craft 4 oak_planks"]
    assert [one.materials for one in read] == [{}, {}]
    assert problems == ()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("I cannot.", "expected"),
        ('[{"task": "mine log", "quantity": 0}]', "expected"),
        ("x" * 100_001, "expected at most 100000 characters, got 100001"),
    ],
)
def test_unreadable_texts_have_problems(text, problem):
    read, problems = objectives_in(text)
    assert read == ()
    assert problem in problems[0]


def test_a_faulty_sub_objective_is_named_and_the_others_kept():
    text = '[{"task": "mine log", "quantity": 1}, {"task": "mine luck", "quantity": 1}]'
    found = found_objectives(text)
    assert [str(one) for one in found.subgoals] == ["mine 1 oak_log"]
    assert found.problems[0].startswith("step 2: expected an item")


@pytest.mark.parametrize(
    ("text", "success", "missing"),
    [
        ("Success: yes\nMissing: nothing", True, {}),
        ("**Success**: No, alas\n- Missing: 2 planks, a thing, 1 Stick", False, {"planks": 2, "stick": 1}),
        ("<think>Success: yes</think>success = failed", False, {}),
        ("All is well.", None, {}),
        ("Success: perhaps", None, {}),
    ],
)  # fmt: skip
def test_a_verdict_is_read(text, success, missing):
    read = check_in(text)
    assert (read.success, read.missing) == (success, missing)
    assert bool(read.problems) == (success is None)


def test_feedback_and_suggestion_are_one_text():
    text = "Success: no\nFeedback: no table.\nSuggestion: place one."
    assert check_in(text).feedback == "no table. place one."


def test_questions_and_the_word_enough_are_read():
    assert inquiry_in("Question: Mob: Pig\nQuestion: time: night").questions == (
        ("mob", "pig"), ("time", "night")
    )  # fmt: skip
    read = inquiry_in("Enough: no\nMissing: a pig")
    assert (read.enough, read.missing) == (False, "a pig")
    assert inquiry_in("Question: pig").problems
    assert inquiry_in("Well.").problems
