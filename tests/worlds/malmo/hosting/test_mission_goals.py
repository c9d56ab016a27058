"""Rewards and ends of MineRL 0.4.4."""

from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.core.types import Event
from optimus_gym.core.world_powers import Surroundings
from optimus_gym.game.blocks import block
from optimus_gym.worlds.malmo.dialects import MINERL_0_4, MINESTUDIO
from optimus_gym.worlds.malmo.hosting.mission_goals import MissionGoals, TickState
from optimus_gym.worlds.malmo.hosting.navigating import CompassTarget
from optimus_gym.worlds.malmo.missions import BlockGoal, ItemGoal, Mission
from tests.worlds.malmo.hosting.missions_of_clients import NAVIGATE, OBTAIN_DIAMOND, TREECHOP

POSE = np.array([0.5, 64.0, 0.5, 0.0, 0.0])


def goals_of(mission, held=(), dialect=MINERL_0_4, target=None):
    return MissionGoals(mission, dialect, dict(held), target)


def state(held=(), events=(), pose=POSE, near=None):
    return TickState(dict(held), tuple(events), np.array(pose), near)


def test_a_first_possession_is_rewarded_once():
    goals = goals_of(OBTAIN_DIAMOND)
    assert goals.settle(state({"birch_log": 1})) == (1.0, False)
    assert goals.settle(state({"birch_log": 2})) == (0.0, False)
    assert goals.settle(state()) == (0.0, False)
    assert goals.settle(state({"oak_log": 1, "oak_planks": 4, "stick": 4})) == (6.0, False)
    assert goals.settle(state({"diamond": 1})) == (1024.0, True)
    assert goals.settle(state()) == (0.0, True)


def test_pieces_of_the_start_count_as_not_possessed():
    goals = goals_of(OBTAIN_DIAMOND, {"oak_log": 2})
    assert goals.settle(state({"oak_log": 2})) == (0.0, False)
    assert goals.settle(state({"oak_log": 3})) == (1.0, False)


def test_each_piece_more_than_ever_is_rewarded():
    goals = goals_of(TREECHOP)
    assert goals.settle(state({"oak_log": 2, "acacia_log": 1})) == (3.0, False)
    assert goals.settle(state({"oak_log": 1})) == (0.0, False)
    assert goals.settle(state({"oak_log": 3})) == (0.0, False)
    assert goals.settle(state({"oak_log": 64})) == (61.0, True)


def test_amounts_above_one_count_in_whole_amounts():
    mission = replace(TREECHOP, possessions=(ItemGoal("log", 4, 5.0),), ends_with=())
    goals = goals_of(mission)
    rewards = [goals.settle(state({"oak_log": n}))[0] for n in (3, 4, 7, 12)]
    assert rewards == [0.0, 5.0, 0.0, 10.0]
    once = goals_of(replace(mission, once=True))
    assert [once.settle(state({"oak_log": n}))[0] for n in (3, 4, 12)] == [0.0, 5.0, 0.0]


def test_crafting_ends_an_episode_when_the_pieces_suffice():
    goals = goals_of(replace(OBTAIN_DIAMOND, ends_crafting=(ItemGoal("planks", 8),)))
    crafted = Event("crafted", "birch_planks", 4)
    assert not goals.settle(state(events=[Event("picked_up", "birch_planks", 8)]))[1]
    assert not goals.settle(state(events=[crafted]))[1]
    assert goals.settle(state(events=[crafted]))[1]


def test_the_time_ends_an_episode():
    goals = goals_of(replace(OBTAIN_DIAMOND, seconds=0.2))
    assert [goals.settle(state())[1] for _ in range(4)] == [False, False, False, True]


def near(name, x, y, z):
    """Return the surroundings of a player at `POSE`: air, and one block at a place relative to its block."""
    blocks = np.zeros((3, 4, 3), np.int32)
    blocks[x + 1, y + 1, z + 1] = block(name).id
    return Surroundings((-1, 63, -1), blocks, ())


@pytest.mark.parametrize(
    ("place", "pose", "touches"),
    [
        ((0, -1, 0), POSE, True),
        ((1, -1, 0), POSE, False),
        ((1, 0, 0), [0.6995, 64.0, 0.5, 0.0, 0.0], True),
        ((1, 0, 0), [0.69, 64.0, 0.5, 0.0, 0.0], False),
        ((0, 2, 0), POSE, False),
        ((0, 2, 0), [0.5, 64.2, 0.5, 0.0, 0.0], True),
        ((0, -1, 0), [0.5, 64.2, 0.5, 0.0, 0.0], False),
    ],
)
def test_a_touched_block_is_rewarded_once_and_ends_the_episode(place, pose, touches):
    mission = replace(NAVIGATE, compass_reward=None)
    goals = goals_of(mission)
    told = state(pose=pose, near=near("diamond_block", *place))
    assert goals.settle(told) == (100.0 * touches, touches)
    assert goals.settle(told)[0] == 0.0


def test_a_constant_touch_is_rewarded_in_every_tick():
    mission = Mission(touched=(BlockGoal("planks", 2.0, once=False),))
    goals = goals_of(mission)
    told = state(near=near("spruce_planks", 0, -1, 0))
    assert [goals.settle(told) for _ in range(2)] == [(2.0, False)] * 2


def test_the_way_to_the_target_is_rewarded_after_the_first_tick():
    goals = goals_of(NAVIGATE, target=CompassTarget(0.5, 64.0, 10.5))
    rewards = [goals.settle(state(pose=[0.5, 64, z, 0, 0]))[0] for z in (1.5, 3.5, 3.0)]
    assert rewards == [0.0, 2.0, -0.5]


def test_only_clients_of_minerl_0_4_get_rewards():
    goals = goals_of(OBTAIN_DIAMOND, dialect=MINESTUDIO)
    assert goals.settle(state({"diamond": 1})) == (0.0, False)
    assert goals_of(NAVIGATE, dialect=MINESTUDIO).reach is None
    assert goals_of(NAVIGATE).reach is not None
    assert goals_of(OBTAIN_DIAMOND).reach is None
