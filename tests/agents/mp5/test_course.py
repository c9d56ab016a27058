"""MP5's course: sub-objectives, actions, checks before and after, setbacks to planner and to parser."""

from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.testing.situations import situation
from tests.agents.mp5.marching import Marching, words

LOG, PLANKS = {"oak_log": 3}, {"oak_planks": 12}


def test_the_task_becomes_sub_objectives_and_the_first_of_them_actions():
    row = Marching()
    assert row.kinds == ["parse", "plan", "check"]
    assert words(row.decision) == [
        "mine 3 oak_log",
        "craft 12 oak_planks",
        "craft 4 stick",
        "craft 1 crafting_table",
        "craft 1 wooden_pickaxe",
    ]


def test_each_sub_objective_gets_actions_of_its_own():
    row = Marching()
    assert str(row.ends(held=LOG, gained=LOG).subgoal) == "craft 12 oak_planks"
    assert row.kinds[3:] == ["check", "plan", "check"]
    assert row.last("plan")["ways"][0].materials == {"log": 3}


def test_a_platform_is_placed_before_the_action_at_it():
    row = Marching(
        here=situation(SubGoal("craft", "chest"), {"oak_planks": 8, "crafting_table": 1})
    )
    assert words(row.decision) == ["place 1 crafting_table", "craft 1 chest"]


def test_a_failure_for_want_of_another_item_asks_the_parser_for_more_sub_objectives():
    row = Marching(here=situation(SubGoal("craft", "stick", 4), {"oak_planks": 2}))
    decision = row.ends(Failure("missing_item", "oak_planks", 1), held={"oak_log": 1})
    assert row.kinds[-3:] == ["parse", "plan", "check"]
    assert words(decision) == ["craft 4 oak_planks", "craft 4 stick"]
    assert decision.replanned
    assert "lacks 1 oak_planks" in row.last("parse")["explanation"]


def test_another_failure_asks_the_planner_for_other_actions():
    row = Marching()
    decision = row.ends(Failure("not_found", "oak_log", 3))
    assert row.kinds[-3:] == ["check", "replan", "check"]
    assert decision.replanned
    assert row.last("replan")["failed_step"] == ("mine", "log", 3)


def test_the_check_before_an_action_stops_it_without_a_tick():
    here = situation(SubGoal("craft", "stick", 4), {})
    parsed = '[{"task": "craft stick", "quantity": 4, "material": {"planks": 2}, "tool": null}]'
    act = '{"workflow": [{"actions": [{"name": "craft", "args": {"obj": {"stick": 4}}}]}]}'
    more = '[{"task": "mine log", "quantity": 1, "material": {}, "tool": null}]'
    mine = '{"workflow": [{"actions": [{"name": "mine", "args": {"obj": {"log": 1}}}]}]}'
    lacks = "Success: no\nMissing: 2 planks\nFeedback: get planks"
    row = Marching(parsed, act, lacks, more, "Enough: no", mine, "Success: yes", here=here)
    assert str(row.decision.subgoal) == "mine 1 oak_log"
    assert row.kinds == ["parse", "plan", "check", "parse", "plan", "check"]


def test_pieces_that_are_left_are_planned_again():
    row = Marching()
    row.ends(held={"oak_log": 2}, gained={"oak_log": 2})
    assert row.last("replan")["goal"] == ("mine", "log", 1)
    assert str(row.decision.subgoal) == "mine 1 oak_log"


def test_without_checks_a_failure_goes_unnoticed():
    row = Marching(switches="no-patroller")
    assert row.kinds == ["parse", "plan"]
    assert str(row.ends(Failure("not_found", "oak_log", 3)).subgoal) == "craft 12 oak_planks"


def test_without_checks_the_agent_gives_up_after_its_last_sub_objective():
    here = situation(SubGoal("craft", "stick", 4), {"oak_planks": 2})
    row = Marching(here=here, switches="no-patroller")
    decision = row.ends(Failure("missing_item", "oak_planks", 1))
    assert decision.subgoal is None
    assert "the goal is not reached" in decision.reason


def test_without_a_parser_the_goal_is_the_only_sub_objective():
    row = Marching(switches="no-parser")
    assert row.kinds == ["plan", "check"]
    assert words(row.decision) == ["craft 1 wooden_pickaxe"]
    assert "ways" not in row.last("plan")


def test_without_knowledge_the_parser_gets_no_ways():
    assert "ways" not in Marching(switches="no-knowledge").last("parse")
    assert Marching().last("parse")["ways"]


def test_a_check_that_cannot_be_read_is_corrected_once_and_then_left_to_the_world():
    here = situation(SubGoal("mine", "log", 1, ("oak_log", "birch_log")))
    parsed = '[{"task": "mine log", "quantity": 1, "material": {}, "tool": null}]'
    act = '{"workflow": [{"actions": [{"name": "mine", "args": {"obj": {"log": 1}}}]}]}'
    row = Marching(parsed, "Enough: yes", act, "Hm.", "Hm!", here=here)
    assert str(row.decision.subgoal) == "mine 1 oak_log"
    assert row.decision.corrections == 1
    assert len(row.decision.problems) == 2


def test_an_agent_gives_up_after_its_new_plans():
    row = Marching(max_replans=2)
    for _ in range(3):
        row.ends(Failure("not_found", "oak_log", 3))
    assert row.decision.subgoal is None
    assert "not_found" in row.decision.reason


def test_an_action_that_the_planner_insists_on_is_left_to_the_world():
    here = situation(SubGoal("craft", "stick", 4), {"oak_planks": 2})
    parsed = '[{"task": "craft stick", "quantity": 4, "material": {"planks": 2}, "tool": null}]'
    act = '{"workflow": [{"actions": [{"name": "craft", "args": {"obj": {"stick": 4}}}]}]}'
    row = Marching(parsed, act, "Success: no", act, here=here)
    assert row.kinds == ["parse", "plan", "check", "replan"]
    assert str(row.decision.subgoal) == "craft 4 stick"


def test_a_check_after_an_action_that_cannot_be_read_follows_the_world():
    here = situation(SubGoal("craft", "stick", 4), {"oak_planks": 4})
    parsed = '[{"task": "craft stick", "quantity": 4}, {"task": "craft chest", "quantity": 1}]'
    act = '{"workflow": [{"actions": [{"name": "craft", "args": {"obj": {"stick": 4}}}]}]}'
    row = Marching(parsed, act, "Success: yes", "Hm.", "Hm!", act, "Success: yes", here=here)
    assert row.ends(gained={"stick": 4}).position == 0
    assert row.agent.campaigns[0].place == 1
