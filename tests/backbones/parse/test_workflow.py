"""Each of the nine actions of an MP5 workflow becomes sub-goals."""

import json

import pytest

from optimus_gym.backbones.parse.plans import parse_plan
from tests.backbones.parse.replies import read, said


def action(name, **args):
    return {"name": name, "args": args}


def group(times, *actions):
    return {"times": times, "actions": list(actions)}


def workflow(*groups):
    return json.dumps({"explanation": "", "thoughts": "", "workflow": list(groups)}, indent=2)


LOG = (
    action("find", obj="tree"),
    action("move_to", obj={"log": 1}),
    action("mine", obj={"log": 1}, tool=None),
)


@pytest.mark.parametrize(
    "text",
    [
        workflow(group(3, *LOG), group(2, action("craft", obj={"planks": 4}))),
        workflow(group("3", *LOG), group(1, action("craft", obj={"planks": 8}, platform=None))),
        workflow(group(1, *LOG, *LOG, *LOG, action("craft", obj={"planks": 8}))),
        workflow(group(2, *LOG), group(1, *LOG, action("craft", obj=["planks", 8]))),
        json.dumps([group(3, *LOG), group(1, action("craft", obj={"planks": 8}))]),
        json.dumps([*LOG, *LOG, *LOG, action("craft", obj={"planks": 8})]),
        workflow(group(3, *LOG), group(2, action("craft", obj={"planks": 4}))).replace("null", ""),
    ],
)
def test_workflows_are_read_and_their_counts_multiplied(text):
    subgoals, _ = read(text)
    assert subgoals == ["mine 3 oak_log", "craft 8 oak_planks"]


@pytest.mark.parametrize("thoughts", ['I need "wood" first.', "So:\n\nI need {wood}.\n", "It's"])
@pytest.mark.parametrize("quote", "\"'")
def test_quotes_and_line_breaks_in_thoughts_do_no_harm(thoughts, quote):
    text = workflow(group(3, *LOG)).replace('"thoughts": ""', f'"thoughts": "{thoughts}"')
    other = {"'": '"', '"': "'"}
    assert said("".join(other.get(c, c) if quote == "'" else c for c in text)) == ["mine 3 oak_log"]


def test_tools_and_platforms_of_a_workflow_are_equipped_and_placed():
    text = workflow(
        group(1, action("craft", obj={"wooden_pickaxe": 1}, platform="crafting_table")),
        group(1, action("equip", obj="wooden_pickaxe"), action("dig_down", y_level=60)),
        group(11, action("mine", obj={"cobblestone": 1}, tool="wooden_pickaxe")),
        group(1, action("craft", obj={"furnace": 1}, materials={}, platform="crafting_table")),
    )
    assert said(text) == [
        "place 1 crafting_table",
        "craft 1 wooden_pickaxe",
        "equip 1 wooden_pickaxe",
        "mine 11 cobblestone",
        "place 1 crafting_table",
        "craft 1 furnace",
    ]


def test_an_object_that_is_found_and_not_taken_becomes_a_find():
    text = workflow(group(1, action("find", obj="pig"), action("move_to", obj="pig")))
    assert said(text) == ["find 1 pig"]
    text = workflow(group(1, action("find", obj="diamond_ore"), *LOG))
    assert said(text) == ["find 1 diamond", "mine 1 oak_log"]


def test_digging_down_without_mining_or_a_height_is_a_problem():
    subgoals, problems = read(workflow(group(1, *LOG, action("dig_down", tool="iron_pickaxe"))))
    assert subgoals == ["mine 1 oak_log"]
    assert problems == ["step 1: expected mining after digging (dig_down)"]
    subgoals, problems = read(workflow(group(1, *LOG, action("dig_down", y_level=20))))
    assert (subgoals, problems) == (["mine 1 oak_log", "dig_down 20 height"], [])


@pytest.mark.parametrize(
    ("obj", "tool", "made"),
    [
        ("sheep", "shears", ["equip 1 shears", "shear 2 white_wool"]),
        ("cow", "bucket", ["milk 2 milk_bucket"]),
        ("water", "bucket", ["fill 2 water_bucket"]),
        ("water", "glass bottle", ["fill 2 potion"]),
        ("lava", "bucket", ["fill 2 lava_bucket"]),
        ("pumpkin", "shears", ["equip 1 shears", "shear 2 carved_pumpkin"]),
        ("mooshroom", "bowl", ["milk 2 mushroom_stew"]),
    ],
)
def test_applying_a_tool_becomes_shearing_milking_or_filling(obj, tool, made):
    steps = action("find", obj=obj), action("apply", obj={obj: 1}, tool=tool)
    subgoals, problems = read(workflow(group(2, *steps)))
    assert problems == []
    assert subgoals == made


def test_shearing_accepts_every_colour_of_wool():
    (subgoal,), *_ = parse_plan(json.dumps([action("apply", obj="sheep", tool="bucket"),
                                      action("shear", obj="wool")]))  # fmt: skip
    assert "black_wool" in subgoal.accepts


@pytest.mark.parametrize(("obj", "tool"), [("sheep", "bucket"), ("stone", "stick"), ("cow", None)])
def test_applying_a_tool_without_a_product_is_a_problem(obj, tool):
    subgoals, problems = read(json.dumps([action("apply", obj=obj, tool=tool), *LOG]))
    assert subgoals == ["mine 1 oak_log"]
    assert f"expected a tool that gets something of '{obj}'" in problems[0]


@pytest.mark.parametrize(
    ("obj", "made"),
    [
        ("cow", "kill 3 beef"),
        ("sheep", "kill 3 mutton"),
        ("chickens", "kill 3 chicken"),
        ("Polar Bear", "kill 3 cod"),
        ("leather", "kill 3 leather"),
    ],
)
def test_a_fight_becomes_killing_for_the_main_drop(obj, made):
    steps = action("find", obj=obj), action("fight", obj={obj: 1}, tool="stone_sword")
    assert said(workflow(group(3, *steps))) == ["equip 1 stone_sword", made]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (action("fight", obj="unicorn"), "expected an item of the game, got 'unicorn'"),
        (action("teleport", obj="log"), "expected an action, find, move_to, craft"),
        (action("mine"), 'expected what to mine, such as {"log": 3}'),
        (action("mine", obj={"log": "many"}), "expected a count from 1"),
        (group(0, action("mine", obj="log")), "expected times from 1"),
        (group(2, "mine"), 'expected an action {"name": ..., "args": ...}'),
    ],
)
def test_an_unreadable_action_is_a_problem(entry, words):
    _, problems = read(json.dumps([entry, *LOG]))
    assert len(problems) == 1
    assert words in problems[0]
