"""Acts in a plan's text: each action of MP5 is a sub-goal of its own if that is asked for."""

import json

import pytest

from optimus_gym.backbones.parse.plans import parse_plan
from tests.backbones.parse.replies import read


def action(name, **args):
    return {"name": name, "args": args}


def acts(*actions):
    """Return the sub-goals of a workflow whose actions are sub-goals of their own."""
    found = parse_plan(
        json.dumps({"workflow": [{"times": 1, "actions": list(actions)}]}), acts=True
    )
    return [str(one) for one in found.subgoals], list(found.problems)


HUNT = (
    action("find", obj="pig"),
    action("move_to", obj="pig"),
    action("fight", obj={"pig": 2}, tool="stone_sword"),
)
SHAFT = (
    action("equip", obj="iron_pickaxe"),
    action("dig_down", y_level=11, tool="iron_pickaxe"),
    action("mine", obj={"diamond": 1}, tool="iron_pickaxe"),
    action("dig_up", tool="iron_pickaxe"),
)


def test_each_action_is_a_sub_goal_only_if_that_is_asked_for():
    assert acts(*HUNT) == (
        ["find 1 pig", "move 1 pig", "equip 1 stone_sword", "fight 2 pig"],
        [],
    )
    assert read(json.dumps(HUNT)) == (["equip 1 stone_sword", "kill 2 porkchop"], [])


def test_a_shaft_is_part_of_mining_unless_each_action_is_a_sub_goal():
    ends = ["equip 1 iron_pickaxe", "dig_down 11 height", "mine 1 diamond", "dig_up 1 sky"]
    assert acts(*SHAFT) == (ends, [])
    assert read(json.dumps(SHAFT))[0] == ["equip 1 iron_pickaxe", "mine 1 diamond", "dig_up 1 sky"]


def test_a_fight_for_an_item_is_a_kill_under_both_readings():
    fight = action("fight", obj={"leather": 2})
    assert acts(fight)[0] == read(json.dumps([fight]))[0] == ["kill 2 leather"]


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("use(bucket)", "use 1 bucket"),
        ("dig_down(11, iron_pickaxe)", "equip 1 iron_pickaxe"),
        ("dig_down(y_level=11)", "dig_down 11 height"),
        ("1. Dig down to y 11", "dig_down 11 height"),
        ("1. dig_down 30", "dig_down 30 height"),
        ("1. Dig up to the surface", "dig_up 1 sky"),
        ("1. Fight 3 zombies", "fight 3 zombie"),
        ("1. Attack a creeper", "fight 1 creeper"),
        ("1. Move to the cow", "move 1 cow"),
        ("1. Use the bucket", "use 1 bucket"),
        ("1. Find 2 cows", "find 2 cow"),
        ('{"step 1": {"task": "fight a zombie", "goal": ["zombie", 2]}}', "fight 2 zombie"),
    ],
)
def test_acts_are_read_from_calls_and_words(text, step):
    subgoals, problems = read(text)
    assert (subgoals[0], problems) == (step, [])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1. fight a unicorn", "step 1: expected a creature of the game, got 'unicorn'"),
        ("1. dig down to y 300", "expected a height from y 1 to y 255"),
        ("1. dig down to y 0", "expected a count from 1 to 2304, got '0'"),
        ("1. dig down to the end", "expected a height from y 1 to y 255, got 'end'"),
        ("dig_down(tool=iron_pickaxe)", "expected mining after digging"),
    ],
)
def test_an_act_without_an_end_is_a_problem(text, problem):
    subgoals, problems = read(text)
    assert subgoals == []
    assert problem in problems[0]


@pytest.mark.parametrize(
    "text",
    [
        "1. Mine 3 logs. Use your hands.",
        "1. Use a wooden pickaxe to mine 3 logs",
        "1. Mine 3 logs\n   - use an axe if there is one",
        "1. Mine 3 logs. Move on when done. Fight any monsters you meet.",
    ],
)
def test_words_about_acts_that_explain_a_step_are_no_steps(text):
    assert read(text)[0] == ["mine 3 oak_log"]
