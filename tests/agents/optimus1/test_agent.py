"""Optimus-1 follows its plan, replans and gives up; one call asks for the plans of all rows."""

import pytest

from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.tasks import task
from optimus_gym.prompts.lines import facts_in
from optimus_gym.testing.situations import NOT_FOUND, CountingBackbone, attached, outcome, situation

STICKS = situation(SubGoal("craft", "stick", 4))
PLAN = "1. mine 1 log\n2. craft 4 planks\n3. craft 4 stick"
SHORT = "1. craft 4 stick"
LOG = {"oak_log": 1}


class ScriptedRow:
    """One row of an agent whose backbone gives scripted answers and records its requests."""

    def __init__(self, *answers, agent=None, here=STICKS):
        self.backbone = CountingBackbone(ScriptedBackbone(answers))
        self.agent = attached(agent or Optimus1(), self.backbone)
        self.here = here
        self.agent.begin_episodes([here])
        self.decision = self.agent.decide([here])[0]

    def ends(self, end="reached", failure=None, here=None, **rest):
        """End the sub-goal; return the next decision."""
        self.agent.ended([outcome(0, self.decision.subgoal, end, failure, **rest)])
        self.decision = self.agent.decide([here or self.here])[0]
        return self.decision

    @property
    def asked(self):
        """Return the requests of the calls so far."""
        return [request for call in self.backbone.calls for request in call]


def words(decision):
    return [str(subgoal) for subgoal in decision.plan]


def test_the_first_decision_brings_the_plan():
    row = ScriptedRow("no", PLAN)
    assert words(row.decision) == ["mine 1 oak_log", "craft 4 oak_planks", "craft 4 stick"]
    assert row.decision.position == 0
    assert len(row.decision.problems) == 1
    assert [request.kind for request in row.asked] == ["plan", "plan"]


@pytest.mark.parametrize("end", ["reached", "complete"])
def test_a_finished_sub_goal_is_followed_by_the_next(end):
    row = ScriptedRow(PLAN)
    second = row.ends(end)
    assert (second.position, str(second.subgoal)) == (1, "craft 4 oak_planks")
    assert not second.replanned
    assert len(row.asked) == 1


def test_a_plan_that_ends_without_the_goal_leads_to_a_replan():
    row = ScriptedRow(PLAN, PLAN)
    row.ends()
    row.ends()
    again = row.ends()
    assert (again.position, again.replanned) == (0, True)
    assert row.asked[-1].kind == "replan"
    assert facts_in(row.asked[-1].text)["failed"] == "craft 4 stick"
    assert facts_in(row.asked[-1].text)["failure"] == "missing_item: 1 stick"


def test_a_failure_leads_to_exactly_one_replan():
    row = ScriptedRow(PLAN, PLAN)
    again = row.ends("failed", Failure("stuck", detail="in a hole"))
    assert (again.position, again.replanned) == (0, True)
    assert facts_in(row.asked[-1].text)["failed"] == "mine 1 oak_log"
    assert facts_in(row.asked[-1].text)["failure"] == "stuck (in a hole)"
    assert not row.agent.decide([STICKS])[0].replanned
    assert not row.ends().replanned
    assert len(row.asked) == 2


def test_a_replan_verdict_replans_with_the_predicament():
    row = ScriptedRow(PLAN, PLAN)
    assert row.ends("replan", Failure("judged", detail="night falls")).replanned
    assert facts_in(row.asked[-1].text)["failure"] == "judged (night falls)"


@pytest.mark.parametrize("end", ["reached", "failed"])
def test_a_new_plan_after_a_chosen_sub_goal_does_not_count_as_a_replan(end):
    row = ScriptedRow(PLAN, SHORT, agent=Optimus1(max_replans=0))
    held = situation(STICKS.goal, {"oak_planks": 2})
    failure = Failure("stuck") if end == "failed" else None
    again = row.ends(end, failure, held, chosen=True)
    assert (words(again), again.position, again.replanned) == (["craft 4 stick"], 0, False)
    assert row.asked[-1].kind == "plan"


def test_the_agent_gives_up_with_the_failure_after_too_many_replans():
    row = ScriptedRow(*[PLAN] * 3, agent=Optimus1(max_replans=2))
    why = Failure("not_found", "oak_log", 1)
    assert [row.ends("failed", why).replanned for _ in range(2)] == [True, True]
    last = row.ends("failed", why)
    assert (last.subgoal, last.reason, last.replanned) == (None, "not_found: 1 oak_log", False)
    assert len(row.asked) == 3
    assert row.agent.decide([STICKS]) == [last]


def test_an_empty_first_plan_gives_up_with_its_problems():
    nothing = ScriptedRow(here=situation(SubGoal("smelt", "cooked_beef"))).decision
    assert nothing.subgoal is None
    assert nothing.reason == "cooked_beef cannot be obtained: no source of beef"
    assert nothing.problems == (nothing.reason,)
    had = ScriptedRow(here=situation(STICKS.goal, {"stick": 4})).decision
    assert (had.subgoal, had.reason) == (None, "the plan is empty")


def test_unusable_answers_make_the_agent_give_up_with_a_reason():
    row = ScriptedRow(PLAN, "no", "no")
    again = row.ends("failed", Failure("stuck"))
    assert (again.subgoal, again.replanned, again.planned_by) == (None, True, "")
    assert again.reason.startswith("answer 1: expected a JSON object of steps or numbered lines")
    assert again.reason.endswith("(after stuck)")


@pytest.mark.parametrize(
    ("instead", "first"), [("goal", "craft 4 stick"), ("rules", "mine 1 oak_log")]
)
def test_the_goal_or_the_rules_replace_a_missing_plan_only_if_chosen(instead, first):
    row = ScriptedRow(PLAN, "no", "no", agent=Optimus1(on_no_plan=instead))
    again = row.ends("failed", Failure("stuck"))
    assert (words(again)[0], again.planned_by, again.corrections) == (first, instead, 1)
    assert not row.agent.decide([STICKS])[0].planned_by


def test_the_question_after_a_stopped_plan_names_the_step_and_its_fault():
    plan = "1. mine 1 log\n2. craft 1 chest\n3. craft 4 stick"
    row = ScriptedRow(plan, plan, PLAN)
    assert words(row.decision) == ["mine 1 oak_log"]
    again = row.ends()
    assert again.replanned
    facts = facts_in(row.asked[-1].text)
    assert (facts["failed"], facts["failure"][:15]) == ("craft 1 chest", "missing_station")


def test_an_empty_replan_gives_up_with_the_failure():
    row = ScriptedRow(PLAN)
    empty = row.ends("failed", Failure("stuck"), situation(STICKS.goal, {"stick": 4}))
    assert (empty.subgoal, empty.reason, empty.replanned) == (
        None,
        "the plan is empty (after stuck)",
        True,
    )


def test_an_empty_plan_after_a_chosen_sub_goal_gives_up():
    row = ScriptedRow(PLAN)
    had = row.ends(here=situation(STICKS.goal, {"stick": 4}), chosen=True)
    assert (had.subgoal, had.reason) == (None, "the plan is empty")


def test_bad_options_are_rejected_and_options_decide_the_needs():
    for wrong in (-1, 2.5, "many", True):
        with pytest.raises(BadValue, match="max_replans: expected an integer of at least 0"):
            Optimus1(max_replans=wrong)
    assert Optimus1().needs == frozenset()
    assert Optimus1(sees=True).needs == {"pictures"}


ROWS = range(64)


def diamonds(held=None):
    return [situation(task("Diamond").goal, held, row=row) for row in ROWS]


def test_the_first_plans_of_all_rows_are_one_call():
    counting = CountingBackbone()
    agent = attached(Optimus1(), counting)
    agent.begin_episodes(diamonds())
    decisions = agent.decide(diamonds())
    assert [[request.row for request in call] for call in counting.calls] == [list(ROWS)]
    assert {str(decision.subgoal) for decision in decisions} == {"mine 4 oak_log"}


def test_the_replans_of_all_rows_are_one_call_without_the_other_rows():
    counting = CountingBackbone()
    agent = attached(Optimus1(), counting)
    held = {"iron_pickaxe": 1}
    agent.begin_episodes(diamonds(held))
    mine = agent.decide(diamonds(held))[0].plan[-1]
    agent.ended([outcome(row, mine, "failed", NOT_FOUND) for row in ROWS])
    assert all(decision.replanned for decision in agent.decide(diamonds(held)))
    assert [len(call) for call in counting.calls] == [64, 64]
    agent.ended([outcome(row, mine, "failed", NOT_FOUND) for row in (3, 9)])
    decisions = agent.decide(diamonds(held))
    assert [row for row in ROWS if decisions[row].replanned] == [3, 9]
    assert [request.row for request in counting.calls[-1]] == [3, 9]
