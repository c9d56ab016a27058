"""Counts that no player can hold are rejected by name and number."""

import re

import pytest

from optimus_gym.core.types import SubGoal
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.knowledge.pockets import TooMuch
from tests.minds.plans import plan_of

FULL = full_graph()


@pytest.mark.parametrize(
    ("item", "most", "size"), [("stick", 2304, 64), ("oak_boat", 36, 1), ("oak_sign", 576, 16)]
)
def test_a_goal_must_fit_into_36_slots(item, most, size):
    found = FULL.requirements(item, most)
    assert found.steps[-1].count == most
    refused = f"count: expected at most {most} {item} (36 slots of {size}), got {most + 1}"
    with pytest.raises(TooMuch, match=f"^{re.escape(refused)}$"):
        FULL.requirements(item, most + 1)


def test_the_tool_for_the_last_pieces_needs_a_slot_of_its_own():
    held = {"diamond_pickaxe": 2}
    assert FULL.requirements("cobblestone", 35 * 64, held).steps[-1].count == 2240
    with pytest.raises(TooMuch, match="holds 2241 cobblestone at once, and only 2240 fit into 36"):
        FULL.requirements("cobblestone", 2241, held)


def test_items_that_are_made_on_the_way_must_fit_too():
    with pytest.raises(
        TooMuch, match=r"expected fewer than 60 poisonous_potato: .* fit into 36 slots"
    ):
        FULL.requirements("poisonous_potato", 60)
    assert FULL.detour("stick", 2304, {}, avoid=("bamboo",), most=1e9).steps
    assert FULL.detour("cobblestone", 2304, {}, avoid=("coal",), most=1e9) is None


def test_the_planner_gives_an_oversized_goal_no_plan_and_a_reason():
    made = plan_of(SubGoal("craft", "stick", 2305))
    assert made.subgoals == ()
    assert made.problems == ("count: expected at most 2304 stick (36 slots of 64), got 2305",)
    made = plan_of(SubGoal("craft", "stick", 2304))
    assert made.problems == ()
    assert str(made.subgoals[-1]) == "craft 2304 stick"
