"""Milestones and ObtainDiamond pay for what is held, each thing once or each piece once."""

import numpy as np
import pytest

from optimus_gym.core.actions import CONTROL_SIZES, DROP, PITCH
from optimus_gym.core.errors import UnknownName
from optimus_gym.envs.rewards.possessions import (
    Milestones,
    ObtainDiamond,
    ObtainDiamondDense,
)
from tests.envs.conftest import make
from tests.envs.rewards.changes import Row, attached


def paid(reward, row, *gains):
    return [reward.pay(row.change(**gained)) for gained in gains]


def test_a_milestone_pays_its_depth_once():
    found = paid(
        attached(Milestones()),
        Row(birch_log=1),
        {"oak_log": 2},
        {"oak_log": -2},
        {"oak_log": 2},
        {"oak_planks": 1, "diamond": 1, "dirt": 1},
        {"birch_log": 1},
    )
    assert found == [1, 0, 0, 12, 0]


def test_equal_weights_pay_one_for_each_item():
    assert paid(attached(Milestones("equal")), Row(), {"oak_log": 3, "diamond": 1}) == [2]


def test_unknown_weights_are_refused():
    with pytest.raises(UnknownName, match="weights"):
        Milestones("depht")


def test_obtain_diamond_pays_each_entry_once_whatever_the_wood():
    gains = ({"oak_log": 2}, {"birch_log": 1}, {"spruce_planks": 4, "stick": 1}, {"diamond": 2})
    assert paid(attached(ObtainDiamond()), Row(), *gains) == [1, 0, 6, 1024]


def test_the_dense_reward_pays_for_new_pieces_alone():
    gains = ({"oak_log": 2}, {"birch_log": 1}, {"oak_log": -2}, {"oak_log": 3}, {"stick": 4})
    assert paid(attached(ObtainDiamondDense()), Row(), *gains) == [2, 1, 0, 1, 16]


def test_what_crafting_turns_back_pays_once():
    reward, row = attached(ObtainDiamondDense()), Row(iron_nugget=9)
    packed = {"events": [("crafted", "iron_ingot")], "iron_nugget": -9, "iron_ingot": 1}
    unpacked = {"events": [("crafted", "iron_nugget")], "iron_nugget": 9, "iron_ingot": -1}
    assert paid(reward, row, packed, unpacked, packed, unpacked, packed) == [128, 0, 0, 0, 0]
    smelted = {"events": [("smelted", "iron_ingot")], "iron_ore": -1, "iron_ingot": 1}
    assert paid(reward, row, {"iron_ore": 1}, smelted) == [64, 128], "another ingot"
    used = {"events": [("crafted", "iron_pickaxe")], "iron_ingot": -3, "iron_pickaxe": 1}
    assert paid(reward, row, used, {"iron_ingot": 1}) == [256, 128], "used ingots are gone"


def test_the_dense_reward_pays_nothing_for_a_pickaxe_dropped_while_crafting():
    reward, row = attached(ObtainDiamondDense()), Row(iron_pickaxe=1, oak_planks=2)
    sticks = {"events": [("crafted", "stick", 4)], "oak_planks": -2, "iron_pickaxe": -1, "stick": 4}
    assert paid(reward, row, sticks, {"iron_pickaxe": 1}) == [16, 0]


@pytest.mark.parametrize("name", ["obtain-diamond", "obtain-diamond-dense"])
def test_dropping_and_picking_up_pays_nothing_in_the_embedded_world(name):
    env = make("OptimusFlat-Diamond-v0", reward=name).unwrapped
    _, info = env.reset(seed=1, options={"inventory": {"oak_log": 1}})
    logs = env.item_names.index("oak_log")
    total, held = 0.0, []
    for tick in range(120):
        action = env.noop()
        action[PITCH] = (
            CONTROL_SIZES[PITCH] - 1 if tick < 20 else action[PITCH]
        )  # looks straight down
        action[DROP] = tick == 20
        _, reward, _, _, info = env.step(action)
        total += reward
        held.append(int(info["held"][logs]))
    assert 0 in held, "the log was dropped"
    assert held[-1] == 1, "the log was picked up again"
    assert total == 0


def test_the_schedule_is_that_of_minerl():
    """Sum of the table in MineRL's documentation: 1,571 for each entry once."""
    everything = np.ones(976, np.int32)
    row = Row()
    row.held, before = everything, row.held
    change = row.change()
    change = type(change)(
        **{
            **{name: getattr(change, name) for name in change.__slots__},
            "before": before,
            "had": before > 0,
            "has": everything > 0,
        }
    )
    assert attached(ObtainDiamond()).pay(change) == 1571
