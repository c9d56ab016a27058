"""Agents that ask for one action at a time note every turn, and survive answers without an action."""

from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.minds import step_by_step
from optimus_gym.minds.step_by_step import first_action, thought_in
from optimus_gym.testing.situations import situation
from tests.agents.stepping import Stepping

TABLE = situation(SubGoal("craft", "crafting_table"))
STUCK = Failure("stuck")


def test_answers_without_an_action_become_turns_and_are_asked_again():
    answers = ["Thought: hm", "Thought: hm", "Action: mine 1 log"]
    row = Stepping("react", TABLE, ScriptedBackbone(answers))
    assert str(row.decision.subgoal) == "mine 1 oak_log"
    assert row.told["turns"] == (
        (1, "thought", "hm"),
        (1, "action", "none"),
        (1, "observation", "failed (the answer named no action)"),
    )
    assert row.decision.corrections == 1
    assert row.decision.problems


def test_an_agent_without_any_action_gives_up_with_the_reason():
    row = Stepping("react", TABLE, ScriptedBackbone(["Thought: hm"] * 6))
    assert row.decision.subgoal is None
    assert row.decision.reason.startswith("answer 1: ")


def test_an_agent_without_an_answer_gives_up_at_once():
    row = Stepping("react", TABLE, ScriptedBackbone(["", ""]))
    assert row.decision.subgoal is None


def test_a_sub_goal_of_the_caller_interrupts_the_turn():
    row = Stepping("react", TABLE)
    row.ends(chosen=True)
    assert row.told["turns"][-1] == (1, "observation", "interrupted")


def test_the_agent_gives_up_after_its_turns(monkeypatch):
    monkeypatch.setattr(step_by_step, "MOST_TURNS", 2)
    row = Stepping("react", TABLE)
    row.ends()
    row.ends()
    assert (row.decision.subgoal, row.decision.reason) == (None, "2 actions were taken")
    assert len(row.asked) == 2


def test_a_turn_of_several_sub_goals_ends_with_the_last_or_with_a_failure():
    answers = ['Action: mine({"cobblestone": 1}, "wooden_pickaxe")'] * 3
    row = Stepping("react", TABLE, ScriptedBackbone(answers))
    assert [str(one) for one in row.decision.plan] == [
        "equip 1 wooden_pickaxe",
        "mine 1 cobblestone",
    ]
    row.ends()
    assert len(row.asked) == 1
    row.ends("failed", STUCK)
    assert row.told["turns"][-1] == (1, "observation", "failed (stuck)")
    row.ends("failed", STUCK)
    assert len(row.asked) == 3


def test_the_words_of_an_answer():
    assert thought_in("Thought:  wood \nAction: mine 1 log") == "wood"
    assert first_action("nothing").subgoals == ()
