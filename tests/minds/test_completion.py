"""The knowledge graph completes a plan's sub-goals."""

import pytest

from optimus_gym.core.types import SubGoal
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.knowledge.requirements import Requirements, Step
from optimus_gym.minds.completion import complete

PLANKS = ("oak_planks", "birch_planks", "acacia_planks")
ANY = Step("craft", "oak_planks", PLANKS, 8, 2, station="any")
OF_BIRCH = Step("craft", "birch_planks", ("birch_planks",), 4, 1, station="of birch")
FOUR = Step("craft", "oak_planks", PLANKS, 4, 1, station="four")
OF_BIRCH_OR_OAK = Step("craft", "birch_planks", PLANKS[:2], 8, 2, station="of birch or oak")
MINED = Step("mine", "oak_planks", PLANKS, 8, 8, station="mined")


@pytest.mark.parametrize(
    ("steps", "subgoal", "station"),
    [
        ((MINED, ANY), SubGoal("craft", "oak_planks", 8, PLANKS), "any"),
        ((ANY, OF_BIRCH), SubGoal("craft", "birch_planks", 8), "of birch"),
        ((OF_BIRCH, ANY), SubGoal("craft", "birch_planks", 4, PLANKS), "any"),
        ((ANY, OF_BIRCH_OR_OAK), SubGoal("craft", "birch_planks", 4), "of birch or oak"),
        ((OF_BIRCH_OR_OAK, ANY), SubGoal("craft", "oak_planks", 4), "any"),
        ((ANY, FOUR), SubGoal("craft", "oak_planks", 4, PLANKS), "four"),
        ((FOUR, ANY), SubGoal("craft", "oak_planks", 9, PLANKS), "four"),
    ],
    ids=["verb", "kinds", "any kind", "item", "item again", "count", "first"],
)
def test_a_sub_goal_matches_a_step_by_kinds_then_item_then_count(steps, subgoal, station):
    """Each step has its own station as a mark."""
    needed = Requirements("stick", 1, steps, {}, 0.0, optimal=True)
    (made,) = complete([subgoal], full_graph(), needed, SubGoal("craft", "stick"))
    assert made.station == station
    (step,) = (step for step in steps if step.station == station)
    assert (made.item, made.kinds) == (step.item, step.kinds)
