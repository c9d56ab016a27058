"""Plans that models write are understood."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.backbones.parse.plans import parse_plan
from optimus_gym.game.items import items
from optimus_gym.prompts.words import kinds_of

STEPS = (
    '{"step 1": {"task": "chop a tree", "goal": ["logs", 3]}, '
    '"step 2": {"task": "craft planks", "goal": ["oak_planks", 12]}}'
)


def said(text):
    subgoals, problems = parse_plan(text)[:2]
    assert problems == ()
    return [(s.verb, s.item, s.count) for s in subgoals]


BOTH = [("mine", "oak_log", 3), ("craft", "oak_planks", 12)]


@pytest.mark.parametrize(
    "text",
    [
        STEPS,
        f"```json\n{STEPS}\n```",
        f"Sure! Here is the plan:\n{STEPS}\nGood luck.",
        STEPS[:-1] + ",}",
        STEPS.replace("12]", "12,]"),
        STEPS.replace("12", '"12"').replace("3]", "3.0]"),
        "{" + STEPS + "}",
        "[" + ", ".join(json.dumps(step) for step in json.loads(STEPS).values()) + "]",
        '{"plan": ' + "[" + ", ".join(json.dumps(s) for s in json.loads(STEPS).values()) + "]}",
        "1. Mine 3 logs\n2. Craft 12 oak planks with the logs.",
        "Plan:\nStep 1: chop 3 log (any kind)\nStep 2: craft 12 oak_planks",
        "1) **collect 3 oak logs**\n2) make 12 oak planks",
        '{"step 1": "chop 3 oak log", "step 2": "craft 12 oak_planks"}',
    ],
)
def test_messy_texts_are_understood(text):
    assert said(text) == BOTH


def test_steps_are_read_in_the_order_of_their_numbers():
    steps = {f"step {k}": {"task": f"mine {k} sand", "goal": ["sand", k]} for k in (10, 2, 1)}
    assert [count for _, _, count in said(json.dumps(steps))] == [1, 2, 10]


def test_a_collective_name_accepts_every_kind_and_a_specific_name_only_itself():
    (log, planks, named), problems, _ = parse_plan(
        "1. mine 1 log\n2. craft 4 planks\n3. craft 4 oak planks"
    )
    assert problems == ()
    assert "birch_log" in log.accepts
    assert "birch_planks" in planks.accepts
    assert named.accepts == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected a JSON object of steps or numbered lines"),
        ("I cannot help with that.", "expected a JSON object"),
        (
            '{"step 1": {"task": "craft 1 flux capacitor", "goal": ["flux_capacitor", 1]}}',
            "flux_cap",
        ),
        ('{"step 1": {"task": "fly home", "goal": ["stick", 1]}}', "begins with one of mine"),
        ('{"step 1": {"task": "craft stick", "goal": ["stick", -4]}}', "count from 1"),
        ('{"step 1": {"task": "craft stick", "goal": ["stick", 0]}}', "count from 1"),
        ('{"step 1": {"task": "craft stick", "goal": ["stick", true]}}', "count from 1"),
        ('{"step 1": {"task": "craft stick", "goal": ["stick", 1e99]}}', "count from 1"),
        ('{"step 1": {"task": "craft stick", "goal": 5}}', "a goal \\[item, count\\]"),
        ("1. mine 99999999 dirt", "count from 1"),
    ],
)
def test_an_unreadable_plan_is_a_problem(text, words):
    subgoals, problems = parse_plan(text)[:2]
    assert subgoals == ()
    with pytest.raises(ValueError, match=words):
        raise ValueError(problems[0])


def test_a_bad_step_does_not_hide_the_good_steps():
    subgoals, problems = parse_plan("1. mine 3 log\n2. craft 1 warp drive\n3. craft 4 planks")[:2]
    assert [s.verb for s in subgoals] == ["mine", "craft"]
    assert len(problems) == 1


@given(st.text(max_size=300))
def test_random_texts_never_raise_and_give_a_sub_goal_or_a_problem(text):
    subgoals, problems = parse_plan(text)[:2]
    assert subgoals or problems


json_like = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["task", "goal", "step 1", "x"]), inner, max_size=3)
    ),
    max_leaves=9,
)


@given(json_like)
def test_random_json_never_raises(value):
    for subgoal in parse_plan(json.dumps(value))[0]:
        assert subgoal.item in items()


def test_the_cache_of_item_names_is_bounded():
    most = kinds_of.cache_info().maxsize
    for number in range(most + 100):
        kinds_of(f"thing {number} of a model")
    assert kinds_of.cache_info().currsize <= most
