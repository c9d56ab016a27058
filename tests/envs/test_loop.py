"""The loop: verdicts are acted on, ticks are paid, pictures are of their tick, learning is at the end."""

import json
import pickle

import numpy as np
import pytest

from optimus_gym.core.deliberation import Decision, Verdict
from optimus_gym.core.errors import StalePicture
from optimus_gym.core.types import SubGoal
from optimus_gym.game.items import item
from tests.envs.conftest import make
from tests.envs.curious import LOGS


class Judge:
    """Mines logs; its verdicts are given beforehand, every 10 ticks."""

    name, needs, period = "judge", frozenset(), 10

    def __init__(self, *verdicts):
        self.verdicts, self.outcomes, self.situations, self.records = list(verdicts), [], [], []

    def attach(self, setting):
        self.setting = setting

    def begin(self, situations):
        self.situations += situations

    def decide(self, situations):
        self.situations += situations
        return [Decision(SubGoal("mine", "oak_log", 64, LOGS)) for _ in situations]

    def watch(self, situations):
        self.situations += situations
        return [self.verdicts.pop(0) if self.verdicts else Verdict() for _ in situations]

    def ended(self, outcomes):
        self.outcomes += outcomes

    def finish(self, records):
        self.records += records


@pytest.mark.parametrize(
    ("verdict", "end", "outcome"),
    [
        (Verdict("COMPLETE"), "complete", "complete"),
        (Verdict("REPLAN", "in_water"), "replan", "judged: 64 oak_log (in_water)"),
    ],
)
def test_a_verdict_ends_the_subgoal_at_its_tick(verdict, end, outcome):
    agent = Judge(Verdict(), verdict)
    env = make("Optimus-Wood-v0", agent=agent, controller="random")
    env.reset(seed=1)
    *_, info = env.step(0)
    assert info["ticks"] == 20
    assert info["outcome"] == outcome
    assert info["reflection"] == f"{verdict.judgement} {verdict.predicament}".strip()
    assert [(o.end, o.ticks, o.chosen) for o in agent.outcomes] == [(end, 20, False)]


def test_nobody_is_asked_without_a_period():
    agent = Judge(Verdict("COMPLETE"))
    agent.period = None
    env = make("Optimus-Wood-v0", agent=agent, controller="random", subgoal_ticks=25)
    env.reset(seed=1)
    assert env.step(0)[4]["ticks"] == 25
    assert len(agent.verdicts) == 1


def test_a_chosen_skill_is_told_as_chosen_and_watched_too():
    agent = Judge()
    env = make("Optimus-Wood-v0", agent=agent, controller="random", subgoal_ticks=25)
    env.reset(seed=1)
    env.step(1 + next(k for k, s in enumerate(env.unwrapped._view.skills) if s.verb == "mine"))
    assert [outcome.chosen for outcome in agent.outcomes] == [True]
    assert agent.outcomes[0].failure.reason == "timeout"


def test_a_subgoal_that_fails_at_once_costs_a_tick_in_every_view():
    for view in ("Optimus", "OptimusControl"):
        agent = Judge()
        agent.decide = lambda situations: [
            Decision(SubGoal("craft", "furnace")) for _ in situations
        ]
        env = make(f"{view}-Wood-v0", agent=agent, ticks=7)
        env.reset(seed=1)
        while not env.step(env.unwrapped.noop())[3]:
            pass
        assert [outcome.ticks for outcome in agent.outcomes] == [1] * 7
        assert agent.records[0].ticks == 7


def test_situations_are_of_their_tick_and_so_are_their_pictures():
    agent = Judge()
    env = make("Optimus-Wood-v0", agent=agent, controller="random", subgoal_ticks=30)
    env.reset(seed=1)
    now = agent.situations[-1]
    picture = now.picture.look()
    assert picture.shape == (360, 640, 3)
    with pytest.raises(ValueError, match="read-only"):
        picture[0] = 0
    env.step(0)
    assert now.picture.look() is picture
    unseen = next(s for s in agent.situations if s.tick == 10)
    with pytest.raises(StalePicture, match="after the world went on"):
        unseen.picture.look()
    assert np.array_equal(pickle.loads(pickle.dumps(now)).picture.look(), picture)
    with pytest.raises(StalePicture):
        pickle.loads(pickle.dumps(agent.situations[-1])).picture.look()


class Starer(Judge):
    """Looks at every picture that it may see."""

    period = 1

    def watch(self, situations):
        assert all(situation.picture.look().any() for situation in situations)
        return super().watch(situations)


def test_looking_changes_nothing():
    runs = []
    for agent in (Judge(), Starer()):
        env = make("Optimus-Wood-v0", agent=agent, controller="random", subgoal_ticks=30)
        env.reset(seed=1)
        runs.append(env.step(0)[0]["pov"])
    assert np.array_equal(*runs)


def test_a_situation_says_what_was_gained_and_used_up_and_what_the_protocol_tells():
    agent = Judge()
    agent.decide = lambda situations: [
        agent.situations.extend(situations) or Decision(SubGoal("craft", "oak_planks", 4))
        for _ in situations
    ]
    env = make("Optimus-v0", task={"item": "stick", "count": 9}, agent=agent)
    env.reset(seed=1, options={"inventory": {"oak_log": 2}})
    env.step(0)
    now = agent.situations[-1]
    assert (dict(now.gained), dict(now.consumed)) == ({"oak_planks": 4}, {"oak_log": 1})
    assert dict(now.inventory) == {"oak_planks": 4, "oak_log": 1}
    assert now.instruction == "Get 9 stick"
    assert now.vitals.health == 20
    assert now.biome is not None
    assert now.position is None
    assert now.subgoal == SubGoal("craft", "oak_planks", 4)


def test_what_was_held_before_counts_for_no_subgoal():
    agent = Judge()
    env = make("Optimus-Wood-v0", agent=agent, controller="random", subgoal_ticks=4)
    env.reset(seed=1, options={"inventory": {"oak_log": 64, "birch_log": 64}})
    _, reward, *_, info = env.step(0)
    assert (info["ticks"], reward, info["failure"][0]) == (4, 0.0, "timeout")
    assert agent.outcomes[0].gained == {}


def test_progress_is_paid_once_however_often_it_is_made():
    agent = Judge()
    agent.decide = lambda situations: [Decision(SubGoal("mine", "dirt", 4)) for _ in situations]
    env = make("OptimusControl-Diamond-v0", agent=agent, observation="raw").unwrapped
    env.reset(seed=1)
    slot = env._view.runtime.world.worlds.slots[0, 20]
    rewards, left = [], []
    for count in (2, 0, 2, 1, 3, 4):
        slot["item"], slot["count"] = (item("dirt").id, count) if count else (0, 0)
        seen, reward, *_ = env.step(env.noop())
        rewards.append(reward)
        left.append(seen["subgoal"][-1])
    assert rewards == [0.5, 0.0, 0.0, 0.0, 0.25, 1.25]
    assert left == [2, 2, 2, 2, 1, 4]


def test_a_death_ends_the_subgoal_where_the_dead_go_on():
    agent = Judge()
    env = make(
        "Optimus-Wood-v0",
        agent=agent,
        controller="random",
        protocol="optimus-1-code",
        subgoal_ticks=50,
    ).unwrapped
    env.reset(seed=1)
    worlds = env._view.runtime.world.worlds

    def drop(row):
        if worlds.players["tick"][row] == 3:
            worlds.needs["safe"], worlds.players["y"], worlds.players["health"] = 0, -70.0, 1.0

    env.watch(drop)
    *_, info = env.step(0)
    assert (info["outcome"], info["status"]) == ("died", "running")
    assert info["ticks"] == 4


def test_wearing_what_is_worn_earns_nothing():
    env = make("Optimus-Iron-v0")
    env.reset(seed=1, options={"inventory": {"dirt": 1, "wooden_pickaxe": 1}})
    skill = env.unwrapped.skill_names.index("equip wooden_pickaxe")
    earned = [env.step(skill)[1] for _ in range(3)]
    assert earned == [2.0, 0.0, 0.0]


def test_what_works_is_learned_from_nothing_and_kept_for_others(tmp_path):
    folder = tmp_path / "memory"
    arguments = {"task": {"item": "stick"}, "memory": folder}
    start = {"inventory": {"oak_log": 1}}
    env = make("Optimus-v0", **arguments, learn=True)
    _, info = env.reset(seed=1, options=start)
    assert info["plan"] == ("craft 1 stick",)
    assert "no source" in info["problems"][0]
    for name in ("craft oak_planks", "craft stick"):
        assert not folder.exists()
        *_, info = env.step(env.unwrapped.skill_names.index(name))
        assert info["outcome"] == "reached"
    assert info["is_success"]
    table = json.loads((folder / "hdkg.json").read_text())
    assert [row["verb"] for row in table["sources"]] == ["craft", "craft"]
    other = make("Optimus-v0", **arguments)
    _, info = other.reset(seed=1, options=start)
    assert info["plan"] == ("craft 2 oak_planks", "craft 1 stick")
    assert info["problems"] == ()


def test_nothing_is_written_without_leave(tmp_path):
    env = make("Optimus-v0", task={"item": "oak_planks"}, memory=tmp_path)
    env.reset(seed=1, options={"inventory": {"oak_log": 1}})
    *_, info = env.step(env.unwrapped.skill_names.index("craft oak_planks"))
    assert info["is_success"]
    assert list(tmp_path.iterdir()) == []
