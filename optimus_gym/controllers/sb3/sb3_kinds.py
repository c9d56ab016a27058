"""Rejects saved models that the controller `sb3` would not play as they were trained, and says why.

The JSON in a model's file shows most reasons to reject the model. The JSON does not show whether a model was
trained through `VecNormalize` or `FrameSkip`. A file of statistics next to the model shows `VecNormalize`;
the key `optimus_gym` in the JSON or the controller's option `ticks` says how `FrameSkip` was used.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from optimus_gym.controllers.sb3_training import KEPT_AS
from optimus_gym.core.errors import BadValue

PLAYED = "stable_baselines3.common.policies"
"""Module of stable-baselines3 with the policies of PPO and A2C, which the controller plays."""
_POLICIES: Mapping[str, str] = MappingProxyType(
    {
        "sb3_contrib.common.recurrent.policies": "a recurrent policy (RecurrentPPO)",
        "sb3_contrib.common.maskable.policies": "a masked policy (MaskablePPO)",
        "stable_baselines3.dqn.policies": "a policy of DQN",
        "stable_baselines3.sac.policies": "a policy of SAC",
        "stable_baselines3.td3.policies": "a policy of TD3 or DDPG",
    }
)
"""Names, for messages, of the policies that the controller does not play, by their modules."""
_COLOURS = 3
"""Number of colour channels of one frame."""
_BOX = re.compile(r"'(\w+)': Box\([^()]*, \(([\d, ]+)\), (\w+)\)")
_STATISTICS = re.compile(r"vec_?normalize", re.IGNORECASE)


def refuse_others(words: Mapping[str, Any], file: Path) -> None:
    """Reject a model that would not be played as it was trained; `words` is the JSON of the model's file.

    Raises:
        BadValue: the controller does not play this kind of model; the message names the kind.
    """
    found = _policy(words) or _extractor(words) or _actions(words) or _observation(words)
    if found:
        raise BadValue(
            f"model: expected a policy that PPO or A2C trained on the control view's observations and "
            f"actions, got {found} ({file})"
        )
    found_next = sorted(name for name in os.listdir(file.parent) if _STATISTICS.search(name))
    if found_next:
        raise BadValue(
            f"model: expected a model trained without VecNormalize (its statistics are not applied), got "
            f"{found_next[0]!r} next to {file}; move the model elsewhere if it was trained without"
        )


def _policy(words: Mapping[str, Any]) -> str:
    told = words.get("policy_class")
    module = told.get("__module__") if isinstance(told, dict) else None
    if not isinstance(module, str) or module == PLAYED:
        return ""
    return _POLICIES.get(module, f"a policy of another class, from {module[:100]!r}")


def _extractor(words: Mapping[str, Any]) -> str:
    kwargs = words.get("policy_kwargs")
    own = isinstance(kwargs, dict) and "features_extractor_class" in kwargs
    return "a policy with another features extractor (features_extractor_class)" if own else ""


def _actions(words: Mapping[str, Any]) -> str:
    space = words.get("action_space")
    if not isinstance(space, dict):
        return ""
    kind = str(space.get(":type:"))
    told = words.get(KEPT_AS)
    has_set = isinstance(told, dict) and "actions" in told
    if kind.endswith(".Discrete'>"):
        own = f"a policy with a set of {str(space.get('n'))[:9]} actions of its own (Discrete)"
        silent = f"whose keys the file does not name (under {KEPT_AS!r})"
        return "" if has_set else f"{own}, {silent}"
    if has_set:
        return f"a policy whose key {KEPT_AS!r} names actions that its action space does not have"
    if kind.endswith(".MultiBinary'>"):
        return "a policy with keys that are pressed or not (MultiBinary)"
    return "a policy with continuous actions (Box)" if kind.endswith(".Box'>") else ""


def _observation(words: Mapping[str, Any]) -> str:
    space = words.get("observation_space")
    if not isinstance(space, dict):
        return ""
    boxes = [(shape, dtype) for _, shape, dtype in _BOX.findall(str(space.get("spaces")))]
    if isinstance(space.get("_shape"), list):
        boxes.append((str(space["_shape"]), str(space.get("dtype"))))
    for told, dtype in boxes:
        shape = [int(number[:9]) for number in re.findall(r"\d+", told)]
        if len(shape) < 3:
            continue
        channels = min(shape[0], shape[-1])
        if len(shape) > 3 or (channels > _COLOURS and channels % _COLOURS == 0):
            return f"a policy that sees a stack of frames (a picture of shape {tuple(shape)})"
        if dtype != "uint8":
            return f"a policy that sees pictures of {dtype[:20]}, as VecNormalize makes them"
    return ""
