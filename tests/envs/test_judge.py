"""Whose word ends a sub-goal as done: the world's, the agent's, or whichever comes first."""

import pytest

from optimus_gym.core.deliberation import Decision, Verdict
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import SubGoal
from optimus_gym.envs.reaching import ending_by_agent
from optimus_gym.game.items import item
from tests.envs.conftest import make
from tests.envs.test_loop import Judge

DIRT = SubGoal("mine", "dirt", 4)
PLANKS = SubGoal("craft", "oak_planks", 4)
PAID_AT = 3
LIMIT = 25


def played(judge, *verdicts, subgoal=DIRT, pays=True, task="Diamond", **arguments):
    """Play one sub-goal; with `pays` the player is given four pieces of dirt in its third tick."""
    agent = Judge(*verdicts)
    agent.judge = judge
    agent.decide = lambda situations: [Decision(subgoal) for _ in situations]
    arguments = {"controller": "random", "subgoal_ticks": LIMIT, "info": "full", **arguments}
    env = make("Optimus-v0", task=task, agent=agent, **arguments).unwrapped
    env.reset(seed=1, options={"inventory": {"oak_log": 1}})
    slots = env._view.runtime.world.worlds.slots[0]

    def pay(row):
        if pays and env._view.runtime.episode(row).ticks == PAID_AT - 1:
            slots[20] = (item("dirt").id, 4, 0)

    env.watch(pay)
    *_, info = env.step(0)
    (outcome,) = agent.outcomes
    return (outcome.end, outcome.ticks, outcome.contradicted), info


@pytest.mark.parametrize(
    ("judge", "expected"),
    [
        ("inventory", ("reached", PAID_AT, False)),
        ("reflector", ("complete", 20, False)),
        ("both", ("reached", PAID_AT, False)),
    ],
)
def test_what_is_held_ends_a_sub_goal_unless_the_agent_has_the_word(judge, expected):
    assert played(judge, Verdict(), Verdict("COMPLETE"))[0] == expected


@pytest.mark.parametrize(
    ("judge", "expected"),
    [
        ("inventory", ("failed", LIMIT, False)),
        ("reflector", ("complete", 10, True)),
        ("both", ("complete", 10, True)),
    ],
)
def test_the_agent_s_word_ends_a_sub_goal_unless_the_inventory_has_it(judge, expected):
    ending, info = played(judge, Verdict("COMPLETE"), pays=False)
    assert ending == expected
    assert info["complete_wrong"] == expected[2]
    assert info["reflection"] == "COMPLETE"


def test_time_runs_out_without_the_agent_s_word():
    ending, info = played("reflector")
    assert ending == ("failed", LIMIT, False)
    assert info["failure"] == ("timeout", "dirt", 4)
    assert sum(info["smdp"]["rewards"]) == 2.0  # what is held is paid all the same


def test_the_task_s_success_needs_no_word():
    ending, info = played("reflector", task={"item": "dirt", "count": 4})
    assert ending == ("reached", PAID_AT, False)
    assert info["is_success"]


def test_the_task_s_success_is_not_the_agent_s_error():
    """The task is reached by another way than the sub-goal that was pursued."""
    logs = SubGoal("mine", "oak_log", 64)
    ending, info = played("both", subgoal=logs, task={"item": "dirt", "count": 4})
    assert ending == ("complete", PAID_AT, False)
    assert info["is_success"]


@pytest.mark.parametrize("judge", ["inventory", "reflector", "both"])
def test_another_plan_is_made_on_any_agent_s_word(judge):
    ending, _ = played(judge, Verdict("REPLAN", "in_water"), pays=False)
    assert ending == ("replan", 10, False)


@pytest.mark.parametrize("controller", ["random", "oracle"])
def test_what_the_helper_can_do_ends_when_it_is_done(controller):
    """The oracle crafts by itself."""
    ending, _ = played("reflector", subgoal=PLANKS, controller=controller)
    assert ending == ("reached", 1, False)


@pytest.mark.parametrize(
    ("judge", "verb", "ends"),
    [
        ("inventory", "mine", False),
        ("reflector", "mine", True),
        ("reflector", "smelt", False),
        ("both", "smelt", True),
    ],
)
def test_whose_word_complete_is(judge, verb, ends):
    ending = ending_by_agent(SubGoal(verb, "charcoal"), Verdict("COMPLETE"), judge)
    assert ending == (("complete", None) if ends else None)


def test_a_world_that_carries_out_sub_goals_needs_no_word():
    agent = Judge()
    agent.judge, agent.period = "reflector", None
    agent.decide = lambda situations: [Decision(PLANKS) for _ in situations]
    env = make("Optimus-Wood-v0@symbolic", agent=agent)
    env.reset(seed=1, options={"inventory": {"oak_log": 1}})
    env.step(0)
    assert [outcome.end for outcome in agent.outcomes] == ["reached"]


@pytest.mark.parametrize(
    ("judge", "period", "message"),
    [
        ("loud", 10, "judge: expected one of inventory, reflector, both, got 'loud'"),
        (None, 10, "judge: expected one of inventory, reflector, both, got None"),
        ("reflector", None, "expected a period of ticks with judge 'reflector', got None"),
    ],
)
def test_a_word_that_cannot_be_followed_is_refused(judge, period, message):
    agent = Judge()
    agent.judge, agent.period = judge, period
    with pytest.raises(BadValue, match=f"agent 'Judge': {message}"):
        make("Optimus-Wood-v0", agent=agent)


def test_a_policy_outside_goes_on_until_the_agent_s_word():
    agent = Judge(Verdict(), Verdict("COMPLETE"))
    agent.judge = "reflector"
    agent.decide = lambda situations: [Decision(DIRT) for _ in situations]
    env = make("OptimusControl-Diamond-v0", agent=agent).unwrapped
    env.reset(seed=1)
    env._view.runtime.world.worlds.slots[0, 20] = (item("dirt").id, 4, 0)
    rewards = [env.step(env.noop())[1] for _ in range(20)]
    assert rewards == [2.0, *[0.0] * 19]
    assert [(one.end, one.ticks) for one in agent.outcomes] == [("complete", 20)]
