"""Plans after setbacks are recorded with their cause and their success."""

from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.memory.experience import Replan
from optimus_gym.minds.setbacks import LaterPlan, replans_of
from optimus_gym.testing.situations import outcome

WHY = Failure("timeout", "log", 3)


def replans(*ended, made, status="success"):
    """Return an episode's plans after setbacks; "!" marks the texts of failed sub-goals."""
    outcomes = []
    for text in ended:
        verb, item = text.lstrip("!").split()
        failure = WHY if text[0] == "!" else None
        outcomes.append(
            outcome(0, SubGoal(verb, item), "failed" if failure else "reached", failure)
        )
    texts = [text.lstrip("!") for text in ended]
    return replans_of(
        [LaterPlan(place, tuple(plan)) for place, plan in made], outcomes, texts, status
    )


def test_a_plan_with_all_sub_goals_reached_worked_even_if_the_task_failed():
    made = [(1, ["mine a", "craft b"])]
    whole = Replan(1, "mine a", "timeout: 3 log", ("mine a", "craft b"), 2, True)
    assert replans("!mine a", "mine a", "craft b", made=made) == (whole,)
    assert replans("!mine a", "mine a", "craft b", made=made, status="budget") == (whole,)


def test_the_next_setback_ends_the_count_of_reached_sub_goals():
    made = [(1, ["mine a", "craft b", "craft c"]), (3, ["craft b", "craft c"])]
    first, second = replans("!mine a", "mine a", "!craft b", "craft b", "craft c", made=made)
    assert (first.failed, first.reached, first.worked) == ("mine a", 1, False)
    assert (second.failed, second.reached, second.worked) == ("craft b", 2, True)


def test_a_task_that_succeeds_early_counts_as_success_of_its_plan():
    made = [(1, ["mine a", "craft b", "craft c"])]
    (won,) = replans("!mine a", "mine a", "craft b", made=made)
    (lost,) = replans("!mine a", "mine a", "craft b", made=made, status="budget")
    assert (won.reached, won.worked, lost.reached, lost.worked) == (2, True, 2, False)


def test_a_plan_after_a_failed_recovery_names_the_failure_before_it():
    made = [(2, ["mine a"])]
    assert replans("!mine a", "!recover hurt", "mine a", made=made)[0].failed == "mine a"
    assert replans("mine b", "!recover hurt", "mine a", made=made)[0].failed == "recover hurt"


def test_a_plan_without_a_preceding_failure_or_without_sub_goals_is_not_recorded():
    assert replans("mine a", "craft b", made=[(1, ["craft b"])]) == ()
    assert replans("!mine a", made=[(1, [])]) == ()
    again = [(1, ["mine b"]), (2, ["mine c"])]
    assert len(replans("!mine a", "mine b", "mine c", made=again)) == 1
