"""Wrappers of observation, action and reward (installed as `optimus_gym.wrappers`)."""

if __name__ != "optimus_gym.wrappers":
    raise ImportError(f"import optimus_gym.wrappers, not {__name__}")

from optimus_gym.wrappers.frame_skip import FrameSkip
from optimus_gym.wrappers.key_set import KeySet
from optimus_gym.wrappers.minerl_dict import KeyActions, MineRLActions
from optimus_gym.wrappers.record_ticks import RecordTicks
from optimus_gym.wrappers.subgoal_set import SubgoalSet
from optimus_gym.wrappers.tool_env import ToolEnv, ToolSpec, ToolState
from optimus_gym.wrappers.vpt_joint import VPTActions

__all__ = [
    "FrameSkip",
    "KeyActions",
    "KeySet",
    "MineRLActions",
    "RecordTicks",
    "SubgoalSet",
    "ToolEnv",
    "ToolSpec",
    "ToolState",
    "VPTActions",
]
