"""With `thinking="ticks"` the world goes on while the backbone answers, and the ticks count."""

import numpy as np
import pytest

from optimus_gym.core.deliberation import Decision, Verdict
from optimus_gym.core.errors import BadValue
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.types import SubGoal
from optimus_gym.game.items import item
from tests.envs.conftest import make
from tests.envs.curious import LOGS


class Slow:
    """A backbone with the latency that its request's text names, in seconds."""

    name = "slow"
    takes_pictures = False

    def complete(self, requests):
        return [Reply("", latency_s=float(request.text)) for request in requests]


class Asker:
    """Asks before each decision and each verdict; a question takes the given seconds."""

    name, needs, period, judge = "asker", frozenset(), 10, "both"

    def __init__(self, deciding=0.0, watching=0.0, verdict="CONTINUE"):
        self.deciding, self.watching, self.verdict = deciding, watching, verdict
        self.outcomes, self.records = [], []

    def attach(self, setting):
        self.backbone = setting.backbone

    def begin_episodes(self, situations):
        pass

    def ask(self, situations, seconds):
        seconds = seconds if isinstance(seconds, list) else [seconds] * len(situations)
        self.backbone.complete(
            [Request("plan", str(seconds[one.row]), row=one.row) for one in situations]
        )

    def decide(self, situations):
        self.ask(situations, self.deciding)
        return [Decision(SubGoal("mine", "oak_log", 64, LOGS)) for _ in situations]

    def watch(self, situations):
        self.ask(situations, self.watching)
        return [Verdict(self.verdict) for _ in situations]

    def ended(self, outcomes):
        self.outcomes += outcomes

    def finish(self, records):
        self.records += records


def thinking(agent, env_id="Optimus-Wood-v0", **arguments):
    given = {"controller": "random", "backbone": Slow(), "subgoal_ticks": 25, "thinking": "ticks"}
    if env_id.startswith("OptimusControl"):
        del given["controller"]
    return make(env_id, agent=agent, **{**given, **arguments})


def test_a_paused_world_waits_for_answers():
    env = thinking(Asker(deciding=3.0), thinking="paused")
    assert env.reset(seed=1)[1]["ticks"] == 0
    assert env.step(0)[4]["ticks"] == 25


def test_thinking_takes_20_ticks_a_second():
    agent = Asker(deciding=3.0)
    env = thinking(agent)
    assert env.reset(seed=1)[1]["ticks"] == 60
    *_, info = env.step(0)
    assert info["ticks"] == 60 + 25 + 60
    assert info["smdp"]["duration"] == len(info["smdp"]["rewards"]) == 60 + 25 + 60
    assert agent.outcomes[0].ticks == 25
    assert agent.outcomes[0].tick == 60 + 25
    env.reset(seed=2)
    assert (agent.records[0].thought, agent.records[0].ticks) == (120, 145)


def test_fractions_of_ticks_are_carried_over():
    env = thinking(Asker(deciding=0.03), subgoal_ticks=1)
    env.reset(seed=1)
    ticks = [0] + [env.step(0)[4]["ticks"] for _ in range(5)]
    assert np.diff(ticks).tolist() == [2, 1, 2, 2, 1]  # 0.6 of a tick before each of them


def test_the_player_stands_still_while_the_agent_thinks():
    env = thinking(Asker(deciding=5.0))
    still = make("Optimus-Wood-v0", controller="random", agent=Asker())
    seen, _ = env.reset(seed=1)
    before, _ = still.reset(seed=1)
    world = env.unwrapped._view.runtime.world.worlds
    assert world.players["tick"][0] == 100
    assert (
        np.abs(world.players["x"][0] - still.unwrapped._view.runtime.world.worlds.players["x"][0])
        == 0
    )
    assert np.array_equal(seen["inventory"], before["inventory"])


def test_the_time_of_a_verdict_does_not_count_for_the_subgoal():
    agent = Asker(watching=1.0)
    env = thinking(agent)
    env.reset(seed=1)
    *_, info = env.step(0)
    assert info["ticks"] == 25 + 2 * 20
    assert [(one.ticks, one.tick) for one in agent.outcomes] == [(25, 65)]


def test_each_row_waits_for_its_own_answers_only():
    import gymnasium

    agent = Asker(deciding=[0.0, 2.0, 0.5])
    env = gymnasium.make_vec(
        "Optimus-Wood-v0", 3, agent=agent, backbone=Slow(), controller="random",
        subgoal_ticks=25, thinking="ticks", resolution=(16, 12),
    )  # fmt: skip
    assert env.reset(seed=1)[1]["ticks"].tolist() == [0, 40, 10]
    assert env.step(np.zeros(3, np.int64))[4]["ticks"].tolist() == [25, 105, 45]


def test_the_budget_may_end_an_episode_while_the_agent_thinks():
    agent = Asker(deciding=1000.0)
    env = thinking(agent, ticks=50)
    assert env.reset(seed=1)[1]["ticks"] == 50
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated, info["status"]) == (0.0, False, True, "budget")
    assert [record.thought for record in agent.records] == [50]


def test_a_death_during_thinking_fails_the_episode():
    agent = Asker(watching=1.0, verdict="COMPLETE")
    env = thinking(agent).unwrapped
    env.reset(seed=1)
    worlds = env._view.runtime.world.worlds

    def drop(row):
        if worlds.players["tick"][row] == 13:
            worlds.needs["safe"], worlds.players["y"], worlds.players["health"] = 0, -70.0, 1.0

    env.watch(drop)
    _, _, terminated, _, info = env.step(0)
    assert (terminated, info["status"], info["failure"][0]) == (True, "died", "died")
    assert 13 < info["ticks"] < 30


def test_a_death_during_thinking_with_respawn_fails_the_subgoal():
    agent = Asker(watching=1.0, verdict="COMPLETE")
    env = thinking(agent, protocol="optimus-1-code").unwrapped
    env.reset(seed=1)
    worlds = env._view.runtime.world.worlds

    def drop(row):
        if worlds.players["tick"][row] == 13:
            worlds.needs["safe"], worlds.players["y"], worlds.players["health"] = 0, -70.0, 1.0

    env.watch(drop)
    *_, info = env.step(0)
    assert (info["status"], info["failure"][0], info["ticks"]) == ("running", "died", 30)


def test_progress_during_thinking_is_rewarded_in_its_tick():
    agent = Asker(watching=1.0)
    env = thinking(agent, "OptimusControl-Diamond-v0").unwrapped
    agent.decide = lambda situations: [Decision(SubGoal("mine", "dirt", 4)) for _ in situations]
    env.reset(seed=1)
    slot = env._view.runtime.world.worlds.slots[0, 20:21]

    def pay(row):
        if env._view.runtime.episode(row).ticks == 15:
            slot[0] = (item("dirt").id, 2, 0)

    env.watch(pay)
    steps = [env.step(env.noop()) for _ in range(10)]
    assert [reward for _, reward, *_ in steps] == [0.0] * 9 + [0.5]
    paid = steps[-1][4]["smdp"]
    assert (paid["duration"], steps[-1][4]["ticks"]) == (21, 30)
    assert env._view.courses[0].pursuit.ticks == 10


def test_thinking_takes_ticks_in_the_symbolic_world_too():
    env = thinking(Asker(deciding=2.0), "Optimus-Wood-v0@symbolic")
    assert env.reset(seed=1)[1]["ticks"] == 40


def test_the_same_latencies_give_the_same_picture():
    seen = []
    for _ in range(2):
        env = thinking(Asker(deciding=0.7, watching=0.35))
        env.reset(seed=4)
        seen.append(env.step(0)[0]["pov"])
    assert np.array_equal(*seen)


def test_unknown_values_of_thinking_are_refused():
    with pytest.raises(BadValue, match="thinking: expected 'paused' or 'ticks', got 'slow'"):
        thinking(Asker(), thinking="slow")
