"""The controller keeps the best tool for a sub-goal in hand."""

from dataclasses import replace

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces

import optimus_gym  # noqa: F401
from optimus_gym.controllers.vpt.tool_in_hand import ToolInHand
from optimus_gym.controllers.vpt.vpt import VPTController
from optimus_gym.core.actions import FUNCTION, ITEM, Function, noop
from optimus_gym.core.scaling import scale_counts, scale_indices
from optimus_gym.core.types import SubGoal
from optimus_gym.game.items import item, item_names
from tests.controllers.play import setting_of
from tests.controllers.vpt.files import write_vpt

NAMES = ("stone_pickaxe", "oak_log", "iron_pickaxe", "wooden_pickaxe", "iron_axe")
IRON = SubGoal("mine", "iron_ore", tool="stone_pickaxe")
LOG = SubGoal("mine", "oak_log")


def pressed(subgoal, inventory, hand, scaled=True):
    """Return the item that is equipped instead of a policy's action, or None if the action stays."""
    most = 1.0 if scaled else len(NAMES) + 1.0
    space = spaces.Dict({"equipment": spaces.Box(0, most, (6,), np.float32)})
    tool = ToolInHand(replace(setting_of(), vocabulary=NAMES, observation_space=space))
    tool.begin(0, subgoal)
    counts = np.array([[inventory.get(name, 0) for name in NAMES]])
    worn = np.zeros((1, 6), np.float32)
    worn[0, 0] = NAMES.index(hand) + 1 if hand in NAMES else len(NAMES) + 1 if hand else 0
    if scaled:
        counts, worn = scale_counts(counts), scale_indices(worn, len(NAMES))
    actions = noop()[None]
    actions[0, 0] = 1
    tool.equip([0], {"inventory": counts, "equipment": worn}, actions)
    if not actions[0, FUNCTION]:
        assert actions[0, 0] == 1
        return None
    equips = noop()
    equips[[FUNCTION, ITEM]] = Function.EQUIP, actions[0, ITEM]
    assert actions[0].tolist() == equips.tolist()
    return next(name for name in NAMES if item(name).id == actions[0, ITEM])


@pytest.mark.parametrize("scaled", [True, False])
def test_the_strongest_suitable_tool_is_equipped(scaled):
    both = {"stone_pickaxe": 1, "iron_pickaxe": 1, "wooden_pickaxe": 2, "iron_axe": 1}
    assert pressed(IRON, both, None, scaled) == "iron_pickaxe"
    assert pressed(IRON, both, "iron_axe", scaled) == "iron_pickaxe"
    assert pressed(IRON, both, "elytra", scaled) == "iron_pickaxe"
    assert pressed(IRON, both, "iron_pickaxe", scaled) is None
    assert pressed(IRON, {"stone_pickaxe": 1}, "oak_log", scaled) == "stone_pickaxe"


def test_the_hand_stays_without_a_suitable_tool_or_a_required_tool():
    assert pressed(IRON, {"wooden_pickaxe": 1}, "oak_log") is None
    assert pressed(LOG, {"iron_axe": 1}, "iron_pickaxe") is None


@pytest.mark.parametrize("holds", [True, False])
def test_the_tool_stays_in_hand_in_a_world_despite_the_policys_keys(tmp_path, holds):
    """The stronger of two pickaxes stays in hand although the policy presses slots."""
    env = gym.make(
        "Optimus-v0",
        task={"item": "cobblestone", "count": 5},
        controller={
            "name": "vpt",
            "source": str(write_vpt(tmp_path / "vpt")),
            "holds_tool": holds,
            "never": ["drop"],
        },
        resolution=(128, 128),
        ticks=60,
        vocabulary="all",
    )
    hands = []
    inside = env.unwrapped
    env.reset(seed=100, options={"inventory": {"stone_pickaxe": 1, "iron_pickaxe": 1}})

    def note(row):
        kind = int(inside._view.runtime.world.bodies(np.array([row]))[0][0, 0])
        hands.append(item_names()[kind] if kind else None)

    inside.watch(note)
    over = False
    while not over:
        *_, terminated, truncated, _ = env.step(0)
        over = terminated or truncated
    env.close()
    away = sum(hand != "iron_pickaxe" for hand in hands[5:])
    assert (away < len(hands) / 2) is holds


def test_holding_a_tool_needs_the_functions_of_the_world(tmp_path):
    """Only a controller that holds a tool needs the functions of the world."""
    source = str(write_vpt(tmp_path / "vpt"))
    assert "functions" in VPTController(source, holds_tool=True).needs
    assert "functions" not in VPTController(source).needs
