"""The self-check agrees with the second interpreter of plans, and knows when a plan is over."""

import ast
from pathlib import Path

import pytest

from benchmarks.reference.plans import Player, Step
from benchmarks.self_check import MUTATIONS, SOUND, drawn
from optimus_gym.core.types import SubGoal
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.minds.self_check import faults_of, judging_by
from optimus_gym.testing.situations import situation

REFERENCE = Path(__file__).resolve().parents[2] / "benchmarks" / "reference"
PLANS = 200
LOGS = Step("mine", ("oak_log",), 3)
TABLE = (Step("craft", ("crafting_table",)), Step("place", ("crafting_table",)))
PICKAXE = Step("craft", ("wooden_pickaxe",))
WOOD = (LOGS, Step("craft", ("oak_planks",), 12), Step("craft", ("stick",), 4), *TABLE, PICKAXE)


@pytest.fixture(scope="module")
def judged():
    cases = [drawn(number) for number in range(PLANS)]
    return [(case, case.truth(), case.accepted()[0]) for case in cases]


def test_nearly_all_broken_plans_are_caught_and_nearly_no_sound_plan_is_refused(judged):
    missed = [case for case, sound, accepted in judged if accepted and not sound]
    refused = [case for case, sound, accepted in judged if sound and not accepted]
    assert len(missed) <= 1, missed
    assert len(refused) <= 1, refused


def test_the_plans_are_of_all_kinds_and_equal_numbers_give_equal_plans(judged):
    assert {case.mutation for case, _, _ in judged} == set(MUTATIONS)
    assert {sound for case, sound, _ in judged if case.mutation != SOUND} == {True, False}
    assert drawn(PLANS - 1) == judged[-1][0]


@pytest.mark.parametrize("name", ["plans", "tables"])
def test_the_second_interpreter_imports_no_module_of_the_package(name):
    source = (REFERENCE / f"{name}.py").read_text("utf-8")
    assert len(source.splitlines()) <= 150
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            assert "optimus_gym" not in ast.unparse(node)


@pytest.mark.parametrize(
    ("held", "plan", "is_sound"),
    [
        ({}, WOOD, True),
        ({}, (LOGS, *WOOD[2:]), False),
        ({}, WOOD[:-2] + WOOD[-1:], False),
        ({}, (Step("mine", ("oak_log",), 1), *WOOD[1:]), False),
        ({"oak_planks": 6, "stick": 2}, (*TABLE, PICKAXE), False),
        ({"oak_planks": 7, "stick": 2}, (*TABLE, PICKAXE), True),
        ({"oak_planks": 7, "stick": 2}, (*TABLE, LOGS, PICKAXE), False),
    ],
    ids=["whole", "no planks", "no table", "too few", "one short", "held", "walked off"],
)
def test_the_second_interpreter_tells_sound_plans_from_broken_ones(held, plan, is_sound):
    assert Player(held).reaches(PICKAXE, plan) is is_sound


@pytest.mark.parametrize("verb", ["equip", "place"])
def test_the_second_interpreter_wants_more_than_a_held_thing(verb):
    goal = Step(verb, ("crafting_table",))
    assert not Player({"oak_planks": 4}).reaches(goal, TABLE[:1])
    assert Player({"oak_planks": 4}).reaches(goal, (TABLE[0], goal))


@pytest.mark.parametrize(("stone", "works"), [(59, True), (60, False)])
def test_the_second_interpreters_tools_wear_out(stone, works):
    wanted = Step("mine", ("cobblestone",), stone)
    assert Player({"wooden_pickaxe": 1}).reaches(wanted, [wanted]) is works


@pytest.mark.parametrize(("pieces", "works"), [(3, True), (4, False)])
def test_the_second_interpreters_fuel_runs_out(pieces, works):
    held = {"furnace": 1, "iron_ore": 9, "oak_planks": 2}
    plan = [Step("place", ("furnace",)), Step("smelt", ("iron_ingot",), pieces)]
    assert Player(held).reaches(plan[-1], plan) is works


def faults(goal, held, *plan):
    here = situation(SubGoal(*goal), held)
    return faults_of([SubGoal(*one) for one in plan], here, judging_by(full_graph()))


def test_steps_after_the_goal_are_no_faults():
    """The episode ends when the goal is reached, so nothing carries out the later steps."""
    found, missed = faults(
        ("craft", "stick", 4), {"oak_planks": 2}, ("craft", "stick", 4), ("mine", "diamond", 1)
    )
    assert (found, missed) == ([], None)
