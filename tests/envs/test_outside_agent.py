"""An agent from outside the package, of at most 60 lines, works in every view and in batches."""

import inspect
import pickle

import gymnasium
import numpy as np
import pytest

from optimus_gym.core.deliberation import TALLIED, Decision, Verdict
from optimus_gym.core.errors import BadValue
from optimus_gym.core.requests import Request
from optimus_gym.core.types import SubGoal
from tests.envs.conftest import make
from tests.envs.curious import Curious, Oracle

TASK = {"item": "planks"}
UNTOLD = {"unanswered": 0, **dict.fromkeys(TALLIED, 0)}
"""The counts that stay 0 for an agent without sources of its plans and verdicts."""


def play_to_the_end(env, action, most=3000):
    _, info = env.reset(seed=3)
    for _ in range(most):
        *_, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            return info
    raise AssertionError("the episode did not end")


def test_the_agent_has_at_most_60_lines():
    assert len(inspect.getsource(Curious).splitlines()) <= 60


def test_the_agent_plans_in_the_subgoal_view_and_learns_at_the_end():
    agent, backbone = Curious(), Oracle()
    env = make("Optimus-v0", task=TASK, agent=agent, backbone=backbone)
    info = play_to_the_end(env, 0)
    assert info["is_success"]
    assert info["backbone"] == {
        "calls": 2, "prompt_tokens": 14, "completion_tokens": 2, "latency_s": 0.5, "cost": 0.0, "faults": 0,
        "fault": "", "name": "Oracle", "models": ("tiny",), **UNTOLD,
    }  # fmt: skip
    (record,) = agent.lessons
    assert record.success
    assert [(outcome.end, outcome.subgoal.verb) for outcome in record.outcomes] == [
        ("reached", "mine"),
        ("reached", "craft"),
    ]
    assert record.outcomes[1].batches == 1
    assert sum(record.outcomes[1].consumed.values()) == 1
    assert [(answer.kind, answer.tick) for answer in record.answers] == [("what", 0), ("many", 0)]
    assert agent.watched > 0
    assert agent.minds == {}


def test_the_agent_plans_in_the_control_view():
    agent = Curious()
    env = make("OptimusControl-v0", task=TASK, agent=agent, backbone=Oracle(), ticks=60)
    info = play_to_the_end(env, env.unwrapped.noop())
    assert not info["is_success"]
    assert agent.watched == 1
    assert info["backbone"] == {
        "calls": 2, "prompt_tokens": 14, "completion_tokens": 2, "latency_s": 0.5,
        "cost": 0.0, "faults": 0, **UNTOLD,
    }  # fmt: skip
    (record,) = agent.lessons
    assert (record.status, record.ticks) == ("budget", 60)
    assert record.outcomes[-1].failure.reason == "timeout"


def test_the_flat_view_accepts_and_ignores_an_agent():
    agent = Curious()
    env = make("OptimusFlat-v0", task=TASK, agent=agent, backbone=Oracle(), ticks=5)
    play_to_the_end(env, env.unwrapped.noop())
    assert agent.lessons == []


def test_the_agent_plans_for_all_rows_of_a_batch_together():
    agent, backbone = Curious(), Oracle()
    env = gymnasium.make_vec(
        "Optimus-v0", 5, task=TASK, agent=agent, backbone=backbone, resolution=(16, 12)
    )
    env.reset(seed=20)
    assert backbone.together == [5, 5]
    for _ in range(3):
        env.step(np.zeros(5, np.int64))
    assert len(agent.lessons) == 5
    assert backbone.together == [5, 5, 5, 5]
    assert {record.row for record in agent.lessons} == set(range(5))


def test_a_reset_records_the_running_episode_as_abandoned():
    agent = Curious()
    env = make("Optimus-v0", task=TASK, agent=agent, backbone=Oracle())
    env.reset(seed=1)
    env.reset(seed=2)
    assert [record.status for record in agent.lessons] == ["abandoned"]


def test_the_agent_never_hears_of_an_episode_that_ends_in_its_reset():
    agent = Curious()
    env = make("Optimus-v0", task=TASK, agent=agent, backbone=Oracle())
    env.reset(seed=1, options={"inventory": {"oak_planks": 1}})
    *_, terminated, _, info = env.step(0)
    assert terminated
    assert info["is_success"]
    assert agent.lessons == []
    env.reset(seed=2)
    env.reset(seed=3)
    assert [record.status for record in agent.lessons] == ["abandoned"]


def test_questions_at_an_episodes_end_do_not_count_for_the_next():
    agent, backbone = Curious(), Oracle()
    finish = agent.finish
    agent.finish = lambda records: (
        finish(records)
        or agent.setting.backbone.complete(
            [Request("what", "why?", row=record.row) for record in records]
        )
    )
    env = make("Optimus-v0", task=TASK, agent=agent, backbone=backbone)
    env.reset(seed=1)
    _, info = env.reset(seed=2)
    assert info["backbone"]["calls"] == 2
    assert backbone.together == [1, 1, 1, 1, 1]


def test_the_agent_is_asked_again_after_an_exception():
    agent = Curious()
    env = make("Optimus-v0", task=TASK, agent=agent, backbone=Oracle())
    env.reset(seed=3)
    decide, agent.decide = agent.decide, lambda situations: 1 / 0
    with pytest.raises(ZeroDivisionError):
        env.step(0)
    agent.decide = decide
    assert env.step(0)[4]["subgoal"] == "craft 4 oak_planks"


WRONG = [
    (lambda: None, "expected 1 answers of decide, got None"),
    (lambda: [None], r"expected a Decision, got None \(decide\)"),
    (lambda: [SubGoal("mine", "dirt")], r"expected a Decision, got SubGoal"),
    (lambda: [Decision("mine dirt")], "expected a SubGoal or None, got 'mine dirt'"),
    (lambda: [Decision(SubGoal("fly", "dirt"))], "expected a verb of mine, .* got 'fly'"),
    (
        lambda: [Decision(SubGoal("mine", "unobtainium"))],
        "expected an item or thing of the game, got 'unob",
    ),
    (
        lambda: [Decision(SubGoal("mine", "dirt", 0))],
        r"count \(decide\): expected an integer from 1 to 2624, got 0",
    ),
    (
        lambda: [Decision(SubGoal("mine", "dirt", 1.5))],
        r"count \(decide\): expected an integer from 1 to 2624, got 1.5",
    ),
]


@pytest.mark.parametrize(("answer", "message"), WRONG)
def test_the_error_for_a_wrong_decision_names_the_agent(answer, message):
    agent = Curious()
    agent.decide = lambda situations: answer()
    env = make("Optimus-v0", task=TASK, agent=agent, backbone=Oracle())
    with pytest.raises(BadValue, match=f"agent 'curious': {message}"):
        env.reset(seed=1)


def test_an_unknown_verdict_is_refused():
    agent = Curious()
    agent.watch = lambda situations: [Verdict("complete") for _ in situations]
    env = make("Optimus-v0", task=TASK, agent=agent, backbone=Oracle())
    env.reset(seed=1)
    with pytest.raises(
        BadValue, match="expected one of CONTINUE, COMPLETE, REPLAN, got 'complete'"
    ):
        env.step(0)


class Mute:
    """An agent with a name only."""

    name = "mute"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"agent": Mute()},
            "agent 'Mute': expected an object with name, needs, .* a Mute without needs, period, judge, at",
        ),
        (
            {"agent": Curious},
            "agent: expected an object, got its class; make an object, or pass the name",
        ),
        (
            {"backbone": Mute()},
            "backbone 'Mute': expected an object with name, complete, got a Mute without comp",
        ),
        (
            {"controller": Mute()},
            "controller 'Mute': expected an object with privileged, .* without privileged",
        ),
    ],
)
def test_objects_without_their_kinds_members_are_refused(arguments, message):
    with pytest.raises(BadValue, match=message):
        make("Optimus-v0", task=TASK, **arguments)


@pytest.mark.parametrize(("period", "got"), [(0, "0"), (-1, "-1"), ("3", "'3'"), (2.5, "2.5")])
def test_a_period_is_an_integer_of_at_least_1(period, got):
    agent = Curious()
    agent.period = period
    with pytest.raises(BadValue, match=f"period: expected an integer of at least 1, got {got}"):
        make("Optimus-v0", task=TASK, agent=agent)


def test_closing_records_the_running_episode_as_abandoned_once():
    agent = Curious()
    env = make("Optimus-v0", task=TASK, agent=agent, backbone=Oracle())
    env.reset(seed=1)
    env.close()
    env.unwrapped.close()
    assert [record.status for record in agent.lessons] == ["abandoned"]


def test_the_error_for_a_missing_answer_names_the_backbone():
    backbone = Oracle()
    backbone.complete = lambda requests: []
    env = make("Optimus-v0", task=TASK, agent=Curious(), backbone=backbone)
    with pytest.raises(
        BadValue, match="backbone 'two answers': expected 1 answers of complete, got 0"
    ):
        env.reset(seed=1)


def test_the_rules_backbone_does_not_answer_another_agents_questions():
    env = make("Optimus-v0", task=TASK, agent=Curious())
    with pytest.raises(ValueError, match="invalid literal"):
        env.reset(seed=1)


def test_the_agent_gives_up_with_a_reason():
    env = make(
        "Optimus-v0",
        task=TASK,
        agent={"name": "tests.envs.curious:Curious", "patience": 1},
        backbone="tests.envs.curious:Oracle",
        controller="random",
        subgoal_ticks=3,
    )
    info = play_to_the_end(env, 0)
    assert (info["status"], info["reason"]) == ("gave_up", "it has had enough")


def test_a_specification_with_the_agent_rebuilds_the_same_environment():
    arguments = {
        "task": TASK,
        "agent": {"name": "tests.envs.curious:Curious", "patience": 2},
        "backbone": "tests.envs.curious:Oracle",
    }
    env = make("Optimus-v0", **arguments)
    again = gymnasium.make(type(env.spec).from_json(env.spec.to_json()))
    copied = pickle.loads(pickle.dumps(env.unwrapped))
    ends = [play_to_the_end(one, 0)["ticks"] for one in (env, again, copied)]
    assert len(set(ends)) == 1
    assert again.unwrapped._view.agent.patience == 2


@pytest.mark.parametrize("answers", [0, 2])
def test_a_wrong_number_of_decisions_is_refused(answers):
    agent = Curious()
    decide = agent.decide
    agent.decide = lambda situations: [*decide(situations), *decide(situations)][:answers]
    env = make("Optimus-v0", task=TASK, agent=agent, backbone=Oracle())
    with pytest.raises(
        ValueError, match=f"agent 'curious': expected 1 answers of decide, got {answers}"
    ):
        env.reset(seed=1)
