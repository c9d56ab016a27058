"""When Optimus-1 goes on in its plan, plans anew and gives up; that it asks for all rows at once."""

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


class Told:
    """One row of an agent whose backbone answers as it was told, and what it was asked."""

    def __init__(self, *answers, agent=None, here=STICKS):
        self.backbone = CountingBackbone(ScriptedBackbone(answers))
        self.agent = attached(agent or Optimus1(), self.backbone)
        self.here = here
        self.agent.begin_episodes([here])
        self.decision = self.agent.decide([here])[0]

    def ends(self, end="reached", failure=None, here=None, **rest):
        """The sub-goal ends; return what is decided next."""
        self.agent.ended([outcome(0, self.decision.subgoal, end, failure, **rest)])
        self.decision = self.agent.decide([here or self.here])[0]
        return self.decision

    @property
    def asked(self):
        """The requests of the calls so far."""
        return [request for call in self.backbone.calls for request in call]


def words(decision):
    return [str(subgoal) for subgoal in decision.plan]


def test_the_first_decision_brings_the_plan():
    told = Told("no", PLAN)
    assert words(told.decision) == ["mine 1 oak_log", "craft 4 oak_planks", "craft 4 stick"]
    assert told.decision.position == 0
    assert len(told.decision.problems) == 1
    assert [request.kind for request in told.asked] == ["plan", "plan"]


@pytest.mark.parametrize("end", ["reached", "complete"])
def test_what_is_done_is_followed_by_the_next(end):
    told = Told(PLAN)
    second = told.ends(end)
    assert (second.position, str(second.subgoal)) == (1, "craft 4 oak_planks")
    assert not second.replanned
    assert len(told.asked) == 1


def test_a_plan_that_ends_without_the_goal_is_made_anew():
    told = Told(PLAN, PLAN)
    told.ends()
    told.ends()
    again = told.ends()
    assert (again.position, again.replanned) == (0, True)
    assert told.asked[-1].kind == "replan"
    assert facts_in(told.asked[-1].text)["failed"] == "craft 4 stick"
    assert facts_in(told.asked[-1].text)["failure"] == "missing_item: 1 stick"


def test_what_fails_is_planned_anew_once():
    told = Told(PLAN, PLAN)
    again = told.ends("failed", Failure("stuck", detail="in a hole"))
    assert (again.position, again.replanned) == (0, True)
    assert facts_in(told.asked[-1].text)["failed"] == "mine 1 oak_log"
    assert facts_in(told.asked[-1].text)["failure"] == "stuck (in a hole)"
    assert not told.agent.decide([STICKS])[0].replanned
    assert not told.ends().replanned
    assert len(told.asked) == 2


def test_a_verdict_plans_anew_with_the_predicament():
    told = Told(PLAN, PLAN)
    assert told.ends("replan", Failure("judged", detail="night falls")).replanned
    assert facts_in(told.asked[-1].text)["failure"] == "judged (night falls)"


@pytest.mark.parametrize("end", ["reached", "failed"])
def test_after_a_chosen_sub_goal_the_plan_is_made_anew_and_not_counted(end):
    told = Told(PLAN, SHORT, agent=Optimus1(max_replans=0))
    held = situation(STICKS.goal, {"oak_planks": 2})
    failure = Failure("stuck") if end == "failed" else None
    anew = told.ends(end, failure, held, chosen=True)
    assert (words(anew), anew.position, anew.replanned) == (["craft 4 stick"], 0, False)
    assert told.asked[-1].kind == "plan"


def test_too_many_replans_give_up_with_the_failure():
    told = Told(*[PLAN] * 3, agent=Optimus1(max_replans=2))
    why = Failure("not_found", "oak_log", 1)
    assert [told.ends("failed", why).replanned for _ in range(2)] == [True, True]
    last = told.ends("failed", why)
    assert (last.subgoal, last.reason, last.replanned) == (None, "not_found: 1 oak_log", False)
    assert len(told.asked) == 3
    assert told.agent.decide([STICKS]) == [last]


def test_an_empty_first_plan_gives_up_with_its_problems():
    nothing = Told(here=situation(SubGoal("smelt", "cooked_beef"))).decision
    assert nothing.subgoal is None
    assert nothing.reason == "cooked_beef cannot be obtained: no source of beef"
    assert nothing.problems == (nothing.reason,)
    had = Told(here=situation(STICKS.goal, {"stick": 4})).decision
    assert (had.subgoal, had.reason) == (None, "the plan is empty")


def test_where_no_answer_can_be_used_it_gives_up_and_says_why():
    told = Told(PLAN, "no", "no")
    anew = told.ends("failed", Failure("stuck"))
    assert (anew.subgoal, anew.replanned, anew.planned_by) == (None, True, "")
    assert anew.reason.startswith("answer 1: expected a JSON object of steps or numbered lines")
    assert anew.reason.endswith("(after stuck)")


@pytest.mark.parametrize(
    ("instead", "first"), [("goal", "craft 4 stick"), ("rules", "mine 1 oak_log")]
)
def test_somebody_plans_instead_only_where_that_is_wanted_and_it_is_said(instead, first):
    told = Told(PLAN, "no", "no", agent=Optimus1(on_no_plan=instead))
    anew = told.ends("failed", Failure("stuck"))
    assert (words(anew)[0], anew.planned_by, anew.corrections) == (first, instead, 1)
    assert not told.agent.decide([STICKS])[0].planned_by


def test_where_a_plan_stops_the_next_one_is_told_why():
    plan = "1. mine 1 log\n2. craft 1 chest\n3. craft 4 stick"
    told = Told(plan, plan, PLAN)
    assert words(told.decision) == ["mine 1 oak_log"]
    anew = told.ends()
    assert anew.replanned
    facts = facts_in(told.asked[-1].text)
    assert (facts["failed"], facts["failure"][:15]) == ("craft 1 chest", "missing_station")


def test_an_empty_replan_gives_up_with_the_failure():
    told = Told(PLAN)
    empty = told.ends("failed", Failure("stuck"), situation(STICKS.goal, {"stick": 4}))
    assert (empty.subgoal, empty.reason, empty.replanned) == (
        None,
        "the plan is empty (after stuck)",
        True,
    )


def test_an_empty_plan_after_a_chosen_sub_goal_gives_up():
    told = Told(PLAN)
    had = told.ends(here=situation(STICKS.goal, {"stick": 4}), chosen=True)
    assert (had.subgoal, had.reason) == (None, "the plan is empty")


def test_options_are_checked():
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


def test_the_replans_of_all_rows_are_one_call_and_other_rows_are_left_alone():
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
