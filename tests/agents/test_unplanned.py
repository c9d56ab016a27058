"""The agent without a planner pursues the bare task until it is done."""

from optimus_gym.agents.unplanned import Unplanned
from optimus_gym.testing.situations import NOT_FOUND, situation
from tests.agents.optimus1.test_agent import STICKS, Told, words


def test_without_planning_the_goal_is_handed_out_again_and_again():
    told = Told(agent=Unplanned(max_replans=2))
    assert words(told.decision) == ["craft 4 stick"]
    assert [told.ends("failed", NOT_FOUND).replanned for _ in range(2)] == [True, True]
    assert told.ends("failed", NOT_FOUND).reason == str(NOT_FOUND)
    half = Told(agent=Unplanned(), here=situation(STICKS.goal, {"stick": 1}))
    assert words(half.decision) == ["craft 3 stick"]
    assert half.ends(here=situation(STICKS.goal, {"stick": 3})).replanned
    assert words(half.decision) == ["craft 1 stick"]
    assert told.asked == half.asked == []
