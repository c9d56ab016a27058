"""Inner Monologue hears of success and scene; each feedback changes the next action."""

from dataclasses import replace
from pathlib import Path

import pytest

from optimus_gym.agents.inner_monologue import InnerMonologue
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.testing.situations import situation
from tests.agents.removing import unread_facts
from tests.agents.stepping import Stepping

GOLDEN = Path(__file__).parents[1] / "minds" / "golden"
TABLE = situation(SubGoal("craft", "crafting_table"))
RICH = replace(TABLE, inventory={"oak_planks": 4})
NOT_HERE = Failure("not_found", "oak_log", 1)


def test_each_request_tells_action_and_success_of_all_turns_and_the_scene():
    row = Stepping("inner-monologue", TABLE)
    row.ends(here=replace(TABLE, inventory={"oak_log": 1}))
    row.ends("failed", NOT_HERE)
    assert row.told["turns"] == (
        (1, "action", "mine 1 log"),
        (1, "success", "yes"),
        (2, "action", "craft 4 planks"),
        (2, "success", "no"),
    )
    assert row.told["inventory"] == {}
    assert row.asked[-1].text == (GOLDEN / "inner_monologue.md").read_text(encoding="utf-8")


def test_without_the_scene_the_planner_misses_what_came_by_itself():
    assert Stepping("inner-monologue", TABLE).ends(here=RICH) == "craft 1 crafting_table"
    row = Stepping("inner-monologue", TABLE, scene=False)
    assert row.ends(here=RICH) == "craft 4 oak_planks"
    assert not {"inventory", "equipped", "stations"} & set(row.told)


def test_without_success_and_scene_the_planner_takes_a_failed_action_for_done():
    row = Stepping("inner-monologue", TABLE, scene=False)
    assert row.ends("failed", NOT_HERE) == "mine 1 oak_log"
    row = Stepping("inner-monologue", TABLE, scene=False, success=False)
    assert row.ends("failed", NOT_HERE) == "craft 4 oak_planks"
    assert row.told["turns"] == ((1, "action", "mine 1 log"),)


def unread(held):
    goal = SubGoal("craft", "wooden_pickaxe")
    here = situation(goal, held, stations=["crafting_table"])
    return set(unread_facts(Stepping("inner-monologue", here).asked[0]))


def test_the_rules_read_every_fact_of_a_request():
    ready, lacking = unread({"oak_planks": 3, "stick": 2}), unread({"oak_planks": 5})
    assert ready & lacking == {"turns", "equipped"}


@pytest.mark.parametrize("switch", ["success", "scene", "recipes"])
def test_a_wrong_switch_is_named(switch):
    with pytest.raises(BadValue, match=f"{switch}: expected True or False, got 1"):
        InnerMonologue(**{switch: 1})
