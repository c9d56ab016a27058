"""A sub-goal is done by the inventory, by the agent's verdict, or by the earlier of both."""

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
    """Play one sub-goal; with `pays` the player gets four pieces of dirt in the third tick."""
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
def test_the_inventory_ends_a_subgoal_unless_the_reflector_judges(judge, expected):
    assert played(judge, Verdict(), Verdict("COMPLETE"))[0] == expected


@pytest.mark.parametrize(
    ("judge", "expected"),
    [
        ("inventory", ("failed", LIMIT, False)),
        ("reflector", ("complete", 10, True)),
        ("both", ("complete", 10, True)),
    ],
)
def test_the_agents_verdict_ends_a_subgoal_unless_the_inventory_judges(judge, expected):
    ending, info = played(judge, Verdict("COMPLETE"), pays=False)
    assert ending == expected
    assert info["complete_wrong"] == expected[2]
    assert info["reflection"] == "COMPLETE"


def test_a_subgoal_times_out_without_the_reflectors_verdict():
    ending, info = played("reflector")
    assert ending == ("failed", LIMIT, False)
    assert info["failure"] == ("timeout", "dirt", 4)
    assert sum(info["smdp"]["rewards"]) == 2.0  # the held dirt is still rewarded


def test_the_tasks_success_needs_no_verdict():
    ending, info = played("reflector", task={"item": "dirt", "count": 4})
    assert ending == ("reached", PAID_AT, False)
    assert info["is_success"]


def test_a_complete_verdict_is_not_wrong_when_the_task_succeeds():
    """The task succeeds while the agent pursues an unrelated sub-goal."""
    logs = SubGoal("mine", "oak_log", 64)
    ending, info = played("both", subgoal=logs, task={"item": "dirt", "count": 4})
    assert ending == ("complete", PAID_AT, False)
    assert info["is_success"]


@pytest.mark.parametrize("judge", ["inventory", "reflector", "both"])
def test_a_replan_verdict_counts_under_every_judge(judge):
    ending, _ = played(judge, Verdict("REPLAN", "in_water"), pays=False)
    assert ending == ("replan", 10, False)


@pytest.mark.parametrize("controller", ["random", "oracle"])
def test_the_helpers_subgoals_end_without_a_verdict(controller):
    """The oracle crafts without the helper."""
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
def test_the_judge_and_the_verb_decide_whether_complete_ends_a_subgoal(judge, verb, ends):
    ending = ending_by_agent(SubGoal(verb, "charcoal"), Verdict("COMPLETE"), judge)
    assert ending == (("complete", None) if ends else None)


def test_a_world_that_carries_out_subgoals_needs_no_verdict():
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
def test_bad_judges_and_periods_are_refused(judge, period, message):
    agent = Judge()
    agent.judge, agent.period = judge, period
    with pytest.raises(BadValue, match=f"agent 'Judge': {message}"):
        make("Optimus-Wood-v0", agent=agent)


def test_an_outside_policys_subgoal_lasts_until_the_agents_verdict():
    agent = Judge(Verdict(), Verdict("COMPLETE"))
    agent.judge = "reflector"
    agent.decide = lambda situations: [Decision(DIRT) for _ in situations]
    env = make("OptimusControl-Diamond-v0", agent=agent).unwrapped
    env.reset(seed=1)
    env._view.runtime.world.worlds.slots[0, 20] = (item("dirt").id, 4, 0)
    rewards = [env.step(env.noop())[1] for _ in range(20)]
    assert rewards == [2.0, *[0.0] * 19]
    assert [(one.end, one.ticks) for one in agent.outcomes] == [("complete", 20)]
