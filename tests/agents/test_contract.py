"""What every registered agent and backbone must keep; a new one is tested by being registered."""

import pickle
from copy import deepcopy
from dataclasses import replace

import pytest

from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.core.deliberation import Decision
from optimus_gym.core.interfaces import POWERS
from optimus_gym.core.registry import load, names
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.types import SubGoal
from optimus_gym.game.tasks import task
from tests.agents.backbones import MAKERS
from tests.agents.settings import NOT_FOUND, Counting, attached, outcome, record
from tests.envs.conftest import make
from tests.minds.situations import situation

AGENTS = sorted(names("agent"))
each_agent = pytest.mark.parametrize("name", AGENTS)
each_backbone = pytest.mark.parametrize("name", sorted(names("backbone")))
COPIES = (deepcopy, lambda agent: pickle.loads(pickle.dumps(agent)))
each_copy = pytest.mark.parametrize("copied", COPIES, ids=["deepcopy", "pickle"])
GOALS = [task(name).goal for name in ("Wood", "Stone", "Iron", "Diamond", "Redstone")]
HELD = ({}, {"oak_log": 3}, {"cobblestone": 5}, {"iron_ingot": 3, "stick": 2}, {"coal": 1})


def begun(name, rows=range(5), **options):
    """An agent with episodes begun in some rows, and their situations."""
    agent = attached(load("agent", name)(**options))
    situations = [situation(GOALS[row], HELD[row], row=row) for row in rows]
    agent.begin_episodes(situations)
    return agent, situations


def fail_all(agent, situations, decisions):
    """Every row's sub-goal fails; return what is decided then."""
    agent.ended(
        [
            outcome(one.row, decision.subgoal, "failed", NOT_FOUND)
            for one, decision in zip(situations, decisions, strict=True)
        ]
    )
    return agent.decide(situations)


def bare(decisions):
    """Decisions without what they say of a plan that was just made."""
    return [replace(one, replanned=False, planned_by="", corrections=0) for one in decisions]


@each_agent
def test_an_agent_says_what_it_is(name):
    agent = load("agent", name)()
    assert agent.name == name
    assert isinstance(agent.needs, frozenset)
    assert agent.needs <= set(POWERS)
    assert agent.period is None or agent.period > 0


@each_agent
def test_it_decides_for_many_rows_each_its_own(name):
    agent, situations = begun(name)
    decisions = agent.decide(situations)
    for decision, goal in zip(decisions, GOALS, strict=True):
        assert isinstance(decision, Decision)
        assert decision.subgoal == decision.plan[decision.position] == decision.remaining[0]
        assert decision.plan[-1].item == goal.item
        assert (decision.reason, decision.problems, decision.replanned) == ("", (), False)


@each_agent
def test_a_row_alone_decides_as_it_does_among_others(name):
    agent, situations = begun(name)
    first = agent.decide(situations)
    then = fail_all(agent, situations, first)
    for row in range(5):
        alone, (one,) = begun(name, [row])
        decided = alone.decide([one])
        assert decided == [first[row]]
        assert fail_all(alone, [one], decided) == [then[row]]


@each_agent
def test_what_cannot_be_had_is_given_up_with_a_reason(name):
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
def test_a_decision_without_news_is_the_same(name):
    agent, situations = begun(name)
    assert bare(agent.decide(situations)) == bare(agent.decide(situations))


@each_agent
def test_it_watches_every_row(name):
    agent, situations = begun(name)
    agent.decide(situations)
    verdicts = agent.watch(situations)
    assert len(verdicts) == 5
    assert {verdict.judgement for verdict in verdicts} <= {"CONTINUE", "COMPLETE", "REPLAN"}


@each_agent
def test_ends_are_taken_in_and_a_new_beginning_forgets_them(name):
    agent, situations = begun(name, max_replans=1)
    first = agent.decide(situations)
    for _ in range(2):
        assert bare(agent.decide(situations)) == bare(first)
        assert all(decision.replanned for decision in fail_all(agent, situations, first))
        agent.begin_episodes(situations)


@each_agent
def test_a_finished_row_leaves_nothing_behind(name):
    agent, situations = begun(name)
    agent.decide(situations)
    agent.finish([record(row) for row in range(5)])
    with pytest.raises(KeyError):
        agent.decide(situations)
    agent.begin_episodes(situations)
    assert agent.decide(situations) == begun(name)[0].decide(situations)


@each_agent
@each_copy
def test_copies_have_met_no_environment(name, copied):
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
def test_attached_anew_it_has_forgotten_the_former_environment(name):
    agent, situations = begun(name)
    fail_all(agent, situations, agent.decide(situations))
    attached(agent)
    with pytest.raises(KeyError):
        agent.decide(situations)
    agent.begin_episodes(situations)
    assert agent.decide(situations) == begun(name)[0].decide(situations)


@each_agent
def test_one_that_serves_an_environment_can_be_copied(name):
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
def test_a_subclass_with_arguments_of_its_own_is_copied_with_them(copied):
    copy = attached(copied(attached(Patient(7, name="patient"))))
    assert (copy.max_replans, copy.name) == (7, "patient")


@pytest.fixture
def maker(name, tmp_path):
    """A function that makes the backbone of a name."""
    with MAKERS[name](tmp_path) as made:
        yield made


@each_backbone
def test_backbones_answer_all_at_once_in_order_and_alike(name, maker):
    counting = Counting(maker())
    assert counting.name == name
    agent = attached(load("agent", "optimus-1")(), counting)
    situations = [situation(GOALS[row], HELD[row], row=row) for row in range(5)]
    agent.begin_episodes(situations)
    decisions = agent.decide(situations)
    if name != "transformers":  # it babbles, and writes no plan
        assert all(decision.subgoal for decision in decisions)
    for requests in counting.calls:
        replies = maker().complete(requests)
        assert all(isinstance(reply, Reply) for reply in replies)
        together = [reply.text for reply in replies]
        assert [maker().complete([one])[0].text for one in requests] == together
        turned = [reply.text for reply in maker().complete(requests[::-1])]
        assert turned[::-1] == together
        if name != "transformers":  # it babbles
            assert len(set(together)) == len(requests)
            assert not any(decision.problems for decision in decisions)


@each_backbone
def test_backbones_answer_nothing_with_nothing_and_leave_requests_alone(name, maker):
    backbone = maker()
    assert list(backbone.complete([])) == []
    counting = Counting(backbone)
    agent = attached(load("agent", "optimus-1")(), counting)
    one = situation(GOALS[3], {"oak_log": 2}, stations=("crafting_table",))
    agent.begin_episodes([one])
    agent.decide([one])
    request = counting.calls[0][0]
    before = deepcopy(request)
    backbone.complete([request, replace(request, row=7)])
    assert request == before


@each_backbone
@each_copy
def test_a_copy_of_a_backbone_answers_too(name, maker, copied):
    asked = Request("plan", "What now?")
    assert len(copied(maker()).complete([asked])) == 1
