"""The agent without a planner pursues the bare task until it is done."""

from optimus_gym.agents.unplanned import Unplanned
from optimus_gym.testing.situations import NOT_FOUND, situation
from tests.agents.optimus1.test_agent import STICKS, ScriptedRow, words


def test_the_agent_without_a_planner_repeats_the_remaining_goal():
    row = ScriptedRow(agent=Unplanned(max_replans=2))
    assert words(row.decision) == ["craft 4 stick"]
    assert [row.ends("failed", NOT_FOUND).replanned for _ in range(2)] == [True, True]
    assert row.ends("failed", NOT_FOUND).reason == str(NOT_FOUND)
    half = ScriptedRow(agent=Unplanned(), here=situation(STICKS.goal, {"stick": 1}))
    assert words(half.decision) == ["craft 3 stick"]
    assert half.ends(here=situation(STICKS.goal, {"stick": 3})).replanned
    assert words(half.decision) == ["craft 1 stick"]
    assert row.asked == half.asked == []
