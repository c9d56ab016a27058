"""The loop acts on verdicts, rewards ticks, keeps pictures to their tick and lets agents learn at the end."""

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.core.deliberation import Decision, Verdict
from optimus_gym.core.errors import StalePicture
from optimus_gym.core.types import Event, SubGoal
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.courses import Course, Pursuit
from optimus_gym.envs.reaching import share_reached
from optimus_gym.envs.subgoal import SubGoalView
from optimus_gym.game.items import item
from tests.envs.conftest import make
from tests.envs.curious import LOGS


class Judge:
    """Mines logs and returns the given verdicts, one every 10 ticks."""

    name, needs, period, judge = "judge", frozenset(), 10, "both"

    def __init__(self, *verdicts):
        self.verdicts, self.outcomes, self.situations, self.records = list(verdicts), [], [], []

    def attach(self, setting):
        self.setting = setting

    def begin_episodes(self, situations):
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


def test_an_agent_without_a_period_is_not_asked_for_verdicts():
    agent = Judge(Verdict("COMPLETE"))
    agent.period = None
    env = make("Optimus-Wood-v0", agent=agent, controller="random", subgoal_ticks=25)
    env.reset(seed=1)
    assert env.step(0)[4]["ticks"] == 25
    assert len(agent.verdicts) == 1


def test_the_outcome_of_a_chosen_skill_is_marked_as_chosen():
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


def test_a_situation_shows_its_tick_and_its_read_only_picture():
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
    """Looks at the picture of every situation."""

    period = 1

    def watch(self, situations):
        assert all(situation.picture.look().any() for situation in situations)
        return super().watch(situations)


def test_looking_at_pictures_changes_no_observation():
    runs = []
    for agent in (Judge(), Starer()):
        env = make("Optimus-Wood-v0", agent=agent, controller="random", subgoal_ticks=30)
        env.reset(seed=1)
        runs.append(env.step(0)[0]["pov"])
    assert np.array_equal(*runs)


def test_a_situation_lists_gained_and_consumed_items_and_the_protocols_words():
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


@pytest.mark.parametrize(("protocol", "told"), [("vanilla", True), ("mp5-paper", False)])
def test_each_rows_situation_has_its_own_biome_if_the_protocol_shows_it(
    monkeypatch, protocol, told
):
    agent = Judge()
    config = EnvConfig.of(
        {"task": "Wood", "world": "symbolic", "agent": agent, "protocol": protocol}
    )
    view = SubGoalView(config, 2)
    places = ("desert", "savanna")
    monkeypatch.setattr(view.runtime.world, "biome", places.__getitem__)
    view.begin([0, 1], [7, 8], {})
    assert [now.biome for now in agent.situations[:2]] == ([*places] if told else [None, None])


def test_items_held_before_a_subgoal_do_not_count_for_it():
    agent = Judge()
    env = make("Optimus-Wood-v0", agent=agent, controller="random", subgoal_ticks=4)
    env.reset(seed=1, options={"inventory": {"oak_log": 64, "birch_log": 64}})
    _, reward, *_, info = env.step(0)
    assert (info["ticks"], reward, info["failure"][0]) == (4, 0.0, "timeout")
    assert agent.outcomes[0].gained == {}


def test_repeated_progress_is_rewarded_once():
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


def test_a_death_ends_the_subgoal_under_a_protocol_with_respawn():
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


def test_equipping_an_equipped_item_again_earns_nothing():
    env = make("Optimus-Iron-v0")
    env.reset(seed=1, options={"inventory": {"dirt": 1, "wooden_pickaxe": 1}})
    skill = env.unwrapped.skill_names.index("equip wooden_pickaxe")
    earned = [env.step(skill)[1] for _ in range(3)]
    assert earned == [2.0, 0.0, 0.0]


def test_an_agent_learns_recipes_from_success_and_saves_them(tmp_path):
    folder = tmp_path / "memory"
    arguments = {"task": {"item": "stick"}, "memory": folder}
    start = {"inventory": {"oak_log": 1}}
    env = make("Optimus-v0", **arguments, learn=True)
    _, info = env.reset(seed=1, options=start)
    assert info["plan"] == ("craft 1 stick",)
    assert info["planned_by"] == "backbone"
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


def test_an_agent_writes_nothing_without_learn(tmp_path):
    env = make("Optimus-v0", task={"item": "oak_planks"}, memory=tmp_path)
    env.reset(seed=1, options={"inventory": {"oak_log": 1}})
    *_, info = env.step(env.unwrapped.skill_names.index("craft oak_planks"))
    assert info["is_success"]
    assert list(tmp_path.iterdir()) == []


def test_only_items_gained_since_its_start_count_for_a_subgoal():
    """The player holds two dirt; other items and a loss earn nothing, and two more dirt earn half."""
    agent = Judge()
    agent.decide = lambda situations: [Decision(SubGoal("mine", "dirt", 4)) for _ in situations]
    env = make("OptimusControl-Diamond-v0", agent=agent).unwrapped
    env.reset(seed=1, options={"inventory": {"dirt": 2}})
    slots = env._view.runtime.world.worlds.slots[0]
    rewards = []
    for stone, dirt in ((1, 2), (2, 0), (3, 2), (4, 4)):
        slots[20] = (item("cobblestone").id, stone, 0)
        slots[0] = (item("dirt").id if dirt else 0, dirt, 0)
        rewards.append(env.step(env.noop())[1])
    assert rewards == [0.0, 0.0, 0.0, 0.5]


def test_only_the_subgoals_own_item_counts_as_placed_or_found():
    env = make("Optimus-Wood-v0", agent=Judge()).unwrapped
    env.reset(seed=1)
    ids = np.zeros(0, np.int64)
    for verb, event in (("place", "used"), ("find", "found")):
        pursuit = Pursuit(SubGoal(verb, "chest", 1), False, ids)
        for subject, reached in (("furnace", 0.0), ("chest", 1.0)):
            env._view.runtime.happened[0] = (Event(event, subject, 1),)
            course = Course(pursuit=pursuit)
            assert share_reached(env._view.runtime, course, 0) == reached


def test_only_crafted_batches_of_the_subgoals_own_item_count():
    agent = Judge()
    agent.decide = lambda situations: [Decision(SubGoal("craft", "furnace")) for _ in situations]
    env = make("Optimus-Wood-v0", agent=agent, controller="random").unwrapped
    runtime = env._view.runtime
    told = [
        ("crafted", "stick"),
        ("smelted", "furnace"),
        ("used", "furnace"),
        ("crafted", "furnace"),
    ]
    env.watch(lambda row: runtime.happened.__setitem__(row, tuple(Event(*one, 1) for one in told)))
    env.reset(seed=1)
    env.step(0)
    assert [outcome.batches for outcome in agent.outcomes] == [1]


def test_replans_count_new_plans_without_the_first():
    agent = Judge()
    again = iter((False, True, True))
    agent.decide = lambda situations: [
        Decision(SubGoal("craft", "furnace"), replanned=next(again)) for _ in situations
    ]
    env = make("Optimus-Wood-v0", agent=agent, ticks=50)
    _, info = env.reset(seed=1)
    counted = [info["replans"], *(env.step(0)[4]["replans"] for _ in range(2))]
    assert counted == [0, 1, 2]


def test_every_episode_is_recorded_once():
    agent = Judge()
    env = make("Optimus-Wood-v0", agent=agent, controller="random", ticks=3)
    for _ in range(2):
        env.reset(seed=1)
        env.step(0)
    env.reset(seed=2)
    env.close()
    assert [record.status for record in agent.records] == ["budget", "budget", "abandoned"]


def test_a_step_rewards_all_its_ticks_and_discounts_from_the_second_on():
    """Sutton, Precup and Singh (1999), "Between MDPs and semi-MDPs": r1 + g r2 + g g r3 + ..."""
    agent = Judge()
    agent.decide = lambda situations: [
        Decision(SubGoal("mine", "dirt", 4), replanned=False) for _ in situations
    ]
    env = make(
        "Optimus-Diamond-v0", agent=agent, controller="random", subgoal_ticks=4, discount=0.5
    ).unwrapped
    env.reset(seed=1)
    slot = env._view.runtime.world.worlds.slots[0, 20:21]

    def pay(row):
        ticks = env._view.runtime.episode(row).ticks
        slot[0] = (item("dirt").id, ticks, 0) if ticks < 4 else slot[0]

    env.watch(pay)
    _, reward, *_, info = env.step(0)
    paid = info["smdp"]["rewards"]
    assert reward == sum(paid) > 0
    assert info["smdp"]["discounted_reward"] == sum(r * 0.5**k for k, r in enumerate(paid))
    assert sum(r > 0 for r in paid) > 1


def test_an_agents_seed_is_drawn_from_the_episodes_seed():
    """An agent's seed is drawn from the episode's seed."""
    seeds = []
    for _ in range(2):
        agent = Judge()
        make("Optimus-Wood-v0", agent=agent, controller="random").reset(seed=77)
        seeds.append(agent.situations[0].seed)
    assert seeds[0] == seeds[1]
    assert seeds[0] != 77


@pytest.mark.parametrize("world", ["symbolic", "voxel"])
def test_followed_rows_end_independently_with_the_same_records(world):
    """Three rows play one task each; a free row begins the next task while the others go on."""
    tasks = ("CraftStick", "CraftWoodenAxe", "CraftBowl", "CraftCraftingTable")
    view = SubGoalView(EnvConfig.of({"task": tasks, "world": world}), 3)
    playing, left, records = {}, list(tasks), {}
    while left or playing:
        for row in range(3):
            if row not in playing and left:
                playing[row] = left.pop(0)
                view.begin([row], [7], {"task": playing[row]})
        for row in view.follow(sorted(playing)):
            records[playing.pop(row)] = view.record(row)
    view.close()
    for task, record in records.items():
        env = make(f"Optimus-{task}-v0", world=world)
        env.reset(seed=7)
        over = False
        while not over:
            _, _, terminated, truncated, info = env.step(0)
            over = terminated or truncated
        assert (record.status, record.ticks) == (info["status"], info["ticks"])
        assert [outcome.row for outcome in record.outcomes]
        alone = env.unwrapped._view.record(0)
        assert [replace(one, row=0) for one in record.outcomes] == list(alone.outcomes)


def test_the_events_of_a_followed_subgoal_are_dropped_at_its_end():
    view = SubGoalView(EnvConfig.of({"task": "Diamond", "world": "symbolic"}), 1)
    view.begin([0], [7], {})
    view.follow([0])
    events = view.runtime.episode(0).events
    assert {event.kind for event in events} == {"picked_up"}
    assert "diamond" in {event.subject for event in events}
    assert len(view.ledger.rewards(0)) <= view.record(0).outcomes[-1].ticks
