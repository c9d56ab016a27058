"""The command `optimus-gym plan` through a real process."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest

from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.run.plan import drawing


def plan(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "optimus_gym.run.cli", "plan", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"PYTHONPATH": ":".join(sys.path), "COLUMNS": "200"},
    )


def test_a_plan_is_printed_step_by_step():
    run = plan("diamond pickaxe")
    assert (run.returncode, run.stderr) == (0, "")
    steps = full_graph().requirements("diamond_pickaxe").steps
    lines = run.stdout.splitlines()
    for number, (step, line) in enumerate(zip(steps, lines[1:], strict=False), start=1):
        assert line.split()[:4] == [str(number), step.verb, str(step.count), step.item]
    assert lines[-1].startswith(f"1 diamond_pickaxe: {len(steps)} steps, ")


def test_counts_and_held_items_may_be_written_in_two_ways():
    assert plan("chest", "--count", "2", "--have", "oak log=4,crafting_table").stdout.splitlines()[
        1:
    ] == [
        line
        for line in plan(
            "chest", "--have", "oak_log=4,crafting_table=1", "--count=2"
        ).stdout.splitlines()[1:]
    ]
    run = plan("chest", "--count", "2", "--have", "oak log=4", "--have", "crafting_table")
    assert "mine" not in run.stdout
    assert "craft 16 oak_planks" in run.stdout
    assert "craft 2 chest" in run.stdout


def test_the_graph_of_a_goal_is_drawn(tmp_path):
    file = tmp_path / "compass.svg"
    assert plan("compass", "--graph", str(file)).returncode == 0
    root = ElementTree.parse(file).getroot()
    words = {"".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")}
    for step in full_graph().requirements("compass").steps:
        assert step.item.replace("_", " ") in words
    steps = full_graph().requirements("compass").steps
    lines = [
        path for path in root.iter("{http://www.w3.org/2000/svg}path") if path.get("marker-end")
    ]
    held = sum(sum(map(bool, (step.tool, step.station))) + len(step.holds) for step in steps)
    assert sum(path.get("stroke-dasharray") is not None for path in lines) == held
    assert len(lines) == held + sum(len(step.uses) for step in steps)
    assert "4 iron ingot, 1 redstone" in words


def test_lines_run_down_from_parts_on_the_left_and_tools_on_the_right():
    drawn = ElementTree.fromstring(drawing(full_graph().requirements("stone_pickaxe")))
    parts = list(drawn)
    boxes = {
        name.text: {side: int(box.get(side)) for side in ("x", "y", "width")}
        for box, name in pairwise(parts)
        if box.get("rx")
    }
    assert list(boxes)[-1] == "stone pickaxe"
    pickaxe = boxes["stone pickaxe"]
    tops = [box["y"] for box in boxes.values()]
    assert tops == sorted(tops)
    sides = {True: pickaxe["x"] + pickaxe["width"], False: pickaxe["x"]}
    for path in drawn.findall("{*}path"):
        x, y, bend, *_, u, v = map(int, re.findall(r"-?\d+", path.get("d")))
        is_held = path.get("stroke-dasharray") is not None
        assert x == u == sides[is_held]
        assert (bend > x) == is_held
        assert y < v


def test_a_held_goal_is_drawn_alone(tmp_path):
    file = tmp_path / "stick.svg"
    run = plan("stick", "--have", "stick=3", "--graph", str(file))
    assert (run.returncode, run.stderr) == (0, "")
    assert file.read_text().count("<text") == 2  # its name and that it is held


def test_an_items_box_shows_both_ways_to_get_it():
    picture = drawing(full_graph().requirements("iron_ingot", 12, {"iron_block": 1}))
    assert ">craft 9, smelt 3<" in picture


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("dimond pickaxe",), "did you mean 'diamond_pickaxe'"),
        (("stick", "--count", "0"), "count: expected an integer from 1 to 1000000, got 0"),
        (("stick", "--have", "oak_log=x"), "have: oak_log: expected an integer from 1 to 1000000"),
        (("stick", "--have", "oak_logg=1"), "did you mean 'oak_log'"),
        (("stick", "--have", "stick=1,stick=2"), "expected each item once, got stick twice"),
        (
            ("stick", "--have", "stick=1", "--have", "stick"),
            "expected each item once, got stick twice",
        ),
        (("stick", "--count", "2305"), "expected at most 2304 stick (36 slots of 64), got 2305"),
        (("stick", "--graph", "plan.png"), "expected a file that ends in .svg"),
        (
            ("stick", "--graph", "no/such/plan.svg"),
            "expected a file to write, got 'no/such/plan.svg'",
        ),
        (("bedrock",), "bedrock cannot be obtained: no source of bedrock"),
        (("brewing stand",), "brewing_stand cannot be obtained: no source of blaze_rod"),
    ],
)
def test_bad_input_is_one_line_and_exit_status_2(arguments, why):
    run = plan(*arguments)
    assert run.returncode == 2
    assert why in run.stderr
    assert len(run.stderr.splitlines()) == 1
