"""Every registered agent keeps the contract, and each rule names the agents that break it."""

import pickle
from copy import deepcopy

import pytest

from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.core.registry import load, names
from optimus_gym.core.types import SubGoal
from optimus_gym.game.tasks import task
from optimus_gym.testing import agent_rules, contract_of
from optimus_gym.testing.agent_contract import GOALS, HELD, AgentCase, bare, fail_all
from optimus_gym.testing.situations import CountingBackbone, attached, finished_record, situation
from tests.agents.backbones import MAKERS
from tests.agents.faulty import FAULTY
from tests.envs.conftest import make
from tests.envs.curious import Curious
from tests.envs.curious import Oracle as TwoAnswers

LEARNED = "sb3"
"""The agent that needs a policy's file; tests/agents/test_learned.py has its tests."""
AGENTS = sorted(names("agent").keys() - {LEARNED})
each_agent = pytest.mark.parametrize("name", AGENTS)
each_rule = pytest.mark.parametrize("rule", agent_rules(), ids=str)
COPIES = (deepcopy, lambda agent: pickle.loads(pickle.dumps(agent)))
each_copy = pytest.mark.parametrize("copied", COPIES, ids=["deepcopy", "pickle"])


@each_rule
@each_agent
def test_an_agent_keeps_the_contract(name, rule):
    assert rule(load("agent", name)) == ""


@each_rule
def test_an_agent_that_sees_keeps_the_contract_except_for_one_inapplicable_rule(rule):
    reason = rule(lambda: Optimus1(sees=True))
    assert bool(reason) == (rule.name == "plays_an_environment")


@each_rule
def test_an_agent_of_a_user_keeps_the_contract(rule):
    assert rule(AgentCase(Curious, Curious, make_backbone=TwoAnswers)) == ""


@pytest.mark.parametrize(
    ("agent", "rules"), FAULTY.items(), ids=lambda one: getattr(one, "__name__", "")
)
def test_exactly_the_broken_rules_name_a_faulty_agent(agent, rules):
    findings = contract_of("agent").findings(agent)
    assert tuple(one.rule.name for one in findings if one.verdict == "failed") == rules


def test_every_rule_is_broken_by_a_faulty_agent():
    broken = {name for names in FAULTY.values() for name in names}
    assert {rule.name for rule in agent_rules()} == broken


def begun(name, rows=range(5), **options):
    """Return an agent with episodes begun in some rows, and their situations."""
    agent = attached(load("agent", name)(**options))
    situations = [situation(GOALS[row], HELD[row], row=row) for row in rows]
    agent.begin_episodes(situations)
    return agent, situations


@each_agent
def test_an_agent_has_its_registered_name(name):
    assert load("agent", name)().name == name


STEP_BY_STEP = ("react", "inner-monologue")
"""Agents that ask for one action at a time: their plan is the action."""


@each_agent
def test_a_first_plan_ends_with_the_goal(name):
    agent, situations = begun(name)
    for decision, goal in zip(agent.decide(situations), GOALS, strict=True):
        assert decision.subgoal == decision.plan[decision.position]
        assert decision.problems == ()
        assert len(decision.plan) == 1 or name not in STEP_BY_STEP
        assert decision.plan[-1].item == goal.item or name in STEP_BY_STEP


@each_agent
def test_the_agent_gives_up_an_unreachable_goal_with_a_reason(name):
    agent = attached(load("agent", name)())
    goal = situation(SubGoal("kill", "beef"))
    agent.begin_episodes([goal])
    decisions = agent.decide([goal])
    for _ in range(100):
        if decisions[0].subgoal is None:
            break
        decisions = fail_all(agent, [goal], decisions)
    assert decisions[0].subgoal is None
    assert decisions[0].reason


@each_agent
def test_a_failure_leads_to_a_new_plan_in_each_episode(name):
    agent, situations = begun(name, max_replans=1)
    first = agent.decide(situations)
    for _ in range(2):
        assert bare(agent.decide(situations)) == bare(first)
        assert all(decision.replanned for decision in fail_all(agent, situations, first))
        agent.begin_episodes(situations)


@each_agent
def test_a_finished_row_is_unknown_to_the_agent(name):
    agent, situations = begun(name)
    agent.decide(situations)
    agent.finish([finished_record(row) for row in range(5)])
    with pytest.raises(KeyError):
        agent.decide(situations)


@each_agent
@each_copy
def test_a_copy_keeps_its_options_and_knows_no_row(name, copied):
    agent, situations = begun(name, max_replans=3)
    first = agent.decide(situations)
    copy = attached(copied(agent))
    assert copy.max_replans == 3
    with pytest.raises(KeyError):
        copy.decide(situations)
    copy.begin_episodes(situations)
    assert bare(copy.decide(situations)) == bare(first)
    assert all(decision.replanned for decision in fail_all(copy, situations, first))
    assert bare(agent.decide(situations)) == bare(first)


@each_agent
def test_an_agent_in_another_environment_forgets_its_rows(name):
    agent, situations = begun(name)
    fail_all(agent, situations, agent.decide(situations))
    attached(agent)
    with pytest.raises(KeyError):
        agent.decide(situations)


@each_agent
def test_an_agent_in_an_environment_is_copied_with_its_options(name):
    env = make("Optimus-Wood-v0", world="symbolic", agent={"name": name, "max_replans": 3})
    env.reset(seed=0)
    agent = env.unwrapped._view.agent
    for copied in COPIES:
        assert copied(agent).max_replans == 3


class Patient(Optimus1):
    """An agent whose constructor takes other arguments."""

    def __init__(self, patience, *, name):
        super().__init__(max_replans=patience)
        self.name = name


@each_copy
def test_a_subclass_with_its_own_arguments_is_copied_with_them(copied):
    copy = attached(copied(attached(Patient(7, name="patient"))))
    assert (copy.max_replans, copy.name) == (7, "patient")


@pytest.mark.parametrize("name", sorted(set(names("backbone")) - {"transformers"}))  # it babbles
@pytest.mark.parametrize(
    ("planner", "options"), [("optimus-1", {}), ("jarvis-1", {"switches": "no-wording"})]
)
def test_the_plans_of_each_backbone_can_be_read(name, planner, options, tmp_path):
    with MAKERS[name](tmp_path) as maker:
        counting = CountingBackbone(maker())
        agent = attached(load("agent", planner)(**options), counting)
        situations = [situation(GOALS[row], HELD[row], row=row) for row in range(5)]
        agent.begin_episodes(situations)
        for decision in agent.decide(situations):
            assert decision.subgoal
            assert not decision.problems
        for requests in counting.calls:
            assert len({reply.text for reply in maker().complete(requests)}) == len(requests)


def test_the_diamond_goal_is_the_goal_of_its_task():
    assert GOALS[3] == task("Diamond").goal
