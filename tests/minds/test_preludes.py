"""The rules begin a plan with a recovery if the screen asks for it, but not twice."""

import pytest

from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.minds.eyes import Seen
from optimus_gym.minds.planning import Setback
from tests.minds.plans import GRAPH, goal_of, plan_by, planner_of, words

WELL = {"health": "20 of 20", "food": "20 of 20", "hotbar": "nothing", "environment": "plains"}


class Seeing:
    def __init__(self, **words):
        self.words = {**WELL, **words}

    def look(self, situations):
        return [Seen(self.words) for _ in situations]


def begins(recovers=True, setback=None, held=None, goal="Stone", vain=(), **seen):
    """Return the first step of the rules' plan, which must be sound."""
    planner = planner_of(RulesBackbone(), GRAPH, recovers=recovers)
    made = plan_by(planner, goal_of(goal), held, setback, Seeing(**seen), vain=vain)
    assert made.problems == ()
    return words(made)[0]


@pytest.mark.parametrize(
    ("seen", "first"),
    [
        ({}, "mine 3 oak_log"),
        ({"health": "8 of 20"}, "recover 1 hurt"),
        ({"health": "9 of 20"}, "mine 3 oak_log"),
        ({"food": "6 of 20"}, "recover 1 hungry"),
        ({"food": "7 of 20"}, "mine 3 oak_log"),
        ({"environment": "cave"}, "recover 1 drop_down"),
        ({"environment": "under_water", "food": "1 of 20"}, "recover 1 in_water"),
        ({"environment": "night"}, "mine 3 oak_log"),
        ({"environment": "night", "health": "10 of 20"}, "recover 1 night"),
        ({"health": "not seen", "food": "not seen"}, "mine 3 oak_log"),
    ],
)
def test_the_screen_decides_the_first_step_of_the_plan(seen, first):
    assert begins(**seen) == first


def test_a_plan_for_items_of_the_cave_does_not_leave_the_cave():
    held = {"wooden_pickaxe": 1, "crafting_table": 1, "stick": 2}
    assert begins(held=held, environment="cave").startswith("equip 1 wooden_pickaxe")


def test_a_planner_that_cannot_recover_plans_no_recovery():
    assert begins(recovers=False, health="1 of 20") == "mine 3 oak_log"


def test_a_recovery_that_just_failed_is_not_repeated():
    setback = Setback(SubGoal("recover", "hungry"), Failure("not_found"))
    assert begins(setback=setback, food="3 of 20") == "mine 3 oak_log"
    assert begins(setback=setback, food="3 of 20", health="3 of 20") == "recover 1 hurt"


def test_a_recovery_in_vain_is_not_planned():
    assert begins(vain=("hungry",), food="3 of 20") == "mine 3 oak_log"
    assert begins(vain=("hungry",), food="3 of 20", health="3 of 20") == "recover 1 hurt"


@pytest.mark.parametrize("said", ["recover drop_down", "leave the cave", "escape from the pit"])
def test_a_model_may_plan_a_recovery_in_its_own_words(said):
    lines = f"1. {said}\n2. mine 1 log\n3. craft 4 planks\n4. craft 4 stick"
    planner = planner_of(ScriptedBackbone([lines]), GRAPH, recovers=True)
    made = plan_by(planner, SubGoal("craft", "stick", 4))
    assert made.problems == ()
    assert words(made)[0] == "recover 1 drop_down"
