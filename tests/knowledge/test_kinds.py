"""A plan names interchangeable kinds after their source and keeps kinds that the goal wants by name."""

import pytest

from optimus_gym.core.types import SubGoal
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.knowledge.rehearsal import works_out
from optimus_gym.knowledge.requirements import Step, Use
from optimus_gym.minds.self_check import faults_of, judging_by
from optimus_gym.testing.situations import situation
from tests.minds.plans import plan_of

FULL = full_graph()
WOODS = ("oak", "spruce", "birch", "jungle", "acacia", "dark_oak")


def wood_of(name):
    """Return the species of a log, a piece of wood or planks, or None."""
    for end in ("_log", "_wood", "_planks"):
        if name.endswith(end):
            return name.removeprefix("stripped_").removesuffix(end)
    return None


@pytest.mark.parametrize("wood", WOODS)
@pytest.mark.parametrize("made", ["stripped_{}_log", "stripped_{}_wood", "{}_boat", "{}_sign"])
def test_planks_are_named_after_the_wood_of_the_goal(wood, made):
    item = made.format(wood)
    found = FULL.requirements(item)
    planks = [step.item for step in found.steps if step.item.endswith("_planks")]
    assert planks == [f"{wood}_planks"]
    assert found.amounts[f"{wood}_planks"] == FULL.requirements(item).step(f"{wood}_planks").count
    for step in found.steps:
        woods = {wood_of(use.item) for use in step.uses} | {wood_of(step.item)}
        assert len(woods - {None}) < 2, step


def test_planks_are_named_after_the_held_log():
    held = {"birch_log": 1, "crafting_table": 1}
    step = FULL.requirements("stick", 2, held).step("birch_planks")
    assert (step.item, [use.item for use in step.uses]) == ("birch_planks", ["birch_log"])


@pytest.mark.parametrize("wood", WOODS)
@pytest.mark.parametrize("count", [1, 2, 8, 64])
def test_wood_that_the_goal_wants_by_name_is_not_made_into_planks(wood, count):
    goal = SubGoal("mine", f"stripped_{wood}_wood", count)
    assert faults_of(plan_of(goal).subgoals, situation(goal), judging_by(FULL)) == ([], None)


def test_a_rehearsal_uses_up_the_kind_that_is_held_most():
    logs = ("oak_log", "oak_wood")
    steps = [
        Step("craft", "oak_planks", ("oak_planks",), 8, 2, uses=(Use("oak_log", logs, 2),)),
        Step("mine", "stripped_oak_wood", ("stripped_oak_wood",), 2, 2,
             uses=(Use("oak_wood", ("oak_wood",), 2),)),
    ]  # fmt: skip
    assert works_out(steps, {"oak_log": 2, "oak_wood": 2}) is False
    assert works_out(steps, {"oak_log": 4, "oak_wood": 2})
    assert works_out(steps[::-1], {"oak_log": 2, "oak_wood": 2})
