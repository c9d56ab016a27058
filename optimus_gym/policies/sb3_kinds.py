"""The kinds of policies that the controller and the agent `sb3` play, and the kinds rejected by name.

The JSON in a model's file names the module of the policy's class, which tells the algorithm. The JSON does
not show whether a model was trained through `VecNormalize`; a file of statistics next to the model shows it.
"""

import os
import re
from collections.abc import Collection, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal

from optimus_gym.core.errors import BadValue, MissingExtra
from optimus_gym.policies.sb3_training import KEPT_AS

PolicyKind = Literal["actor-critic", "q-values", "recurrent", "masked"]
"""The policies of PPO and A2C, of DQN, of RecurrentPPO, and of MaskablePPO."""
KEY_KINDS: Final[frozenset[PolicyKind]] = frozenset({"actor-critic", "q-values", "recurrent"})
"""Kinds of policies that press keys, which are never masked."""
SUBGOAL_KINDS: Final[frozenset[PolicyKind]] = frozenset({*KEY_KINDS, "masked"})
"""Kinds of policies that choose sub-goals."""
_MODULES: Final[Mapping[str, PolicyKind]] = MappingProxyType(
    {
        "stable_baselines3.common.policies": "actor-critic",
        "stable_baselines3.dqn.policies": "q-values",
        "sb3_contrib.common.recurrent.policies": "recurrent",
        "sb3_contrib.common.maskable.policies": "masked",
    }
)
"""The kind of the policies in each module."""
_CLASSES: Final[Mapping[PolicyKind, Mapping[str, str]]] = MappingProxyType(
    {
        "actor-critic": {
            "MultiInputPolicy": "MultiInputActorCriticPolicy",
            "CnnPolicy": "ActorCriticCnnPolicy",
            "MlpPolicy": "ActorCriticPolicy",
        },
        "q-values": {
            "MultiInputPolicy": "MultiInputPolicy",
            "CnnPolicy": "CnnPolicy",
            "MlpPolicy": "DQNPolicy",
        },
        "recurrent": {
            "MultiInputPolicy": "RecurrentMultiInputActorCriticPolicy",
            "CnnPolicy": "RecurrentActorCriticCnnPolicy",
            "MlpPolicy": "RecurrentActorCriticPolicy",
        },
        "masked": {
            "MultiInputPolicy": "MaskableMultiInputActorCriticPolicy",
            "CnnPolicy": "MaskableActorCriticCnnPolicy",
            "MlpPolicy": "MaskableActorCriticPolicy",
        },
    }
)
"""The class of each kind of policy by the policy's name; all but the first read only one observation key."""
POLICY_NAMES: Final = tuple(_CLASSES["actor-critic"])
_REJECTED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "sb3_contrib.qrdqn.policies": "a policy of QR-DQN",
        "stable_baselines3.sac.policies": "a policy of SAC",
        "stable_baselines3.td3.policies": "a policy of TD3 or DDPG",
    }
)
"""Names, for messages, of the policies that nothing here plays, by their modules."""
_TRAINED: Final[Mapping[bool, str]] = MappingProxyType(
    {
        False: "PPO, A2C, DQN or RecurrentPPO trained on the control view's observations and actions",
        True: "MaskablePPO, PPO, A2C, DQN or RecurrentPPO trained in the sub-goal view",
    }
)
"""The wanted training in words, by whether the policy is to choose sub-goals."""
_BOX = re.compile(r"'(\w+)': Box\([^()]*, \(([\d, ]+)\), (\w+)\)")
_STATISTICS = re.compile(r"vec_?normalize", re.IGNORECASE)


def policy_class(kind: PolicyKind, name: str) -> Any:
    """Return the class of a kind of policy.

    Args:
        kind: the kind.
        name: one of `POLICY_NAMES`.

    Raises:
        MissingExtra: the library of the class is not installed.
    """
    (module,) = (path for path, found in _MODULES.items() if found == kind)
    try:
        return getattr(import_module(module), _CLASSES[kind][name])
    except ImportError as error:
        raise MissingExtra("controller 'sb3'", "train") from error


def kind_of(
    words: Mapping[str, Any], file: Path, normalized: bool, kinds: Collection[PolicyKind]
) -> PolicyKind:
    """Return the kind of a saved policy, or reject a model that would not be played as it was trained.

    Args:
        words: the JSON of the model's file.
        file: the model's file.
        normalized: whether the caller has the statistics of `VecNormalize`.
        kinds: the kinds of policies that the caller plays.

    Raises:
        BadValue: the caller does not play this kind of model; the message names the kind.
    """
    found = _policy(words, kinds) or _actions(words) or _observation(words)
    if found:
        trained = _TRAINED["masked" in kinds]
        raise BadValue(f"model: expected a policy that {trained}, got {found} ({file})")
    beside = sorted(name for name in os.listdir(file.parent) if _STATISTICS.search(name))
    if beside and not normalized:
        raise BadValue(
            f"model: expected the option `normalize` for a model that was trained with VecNormalize, got "
            f"{beside[0]!r} next to {file}; `save_statistics` writes a file for the option; move the model "
            f"elsewhere if it was trained without VecNormalize"
        )
    return kind_of_module(str(_module(words)))


def kind_of_module(module: str) -> PolicyKind:
    """Return the kind of the policies in a module; "actor-critic" for an unknown module."""
    return _MODULES.get(module, "actor-critic")


def _module(words: Mapping[str, Any]) -> str | None:
    told = words.get("policy_class")
    module = told.get("__module__") if isinstance(told, dict) else None
    return module if isinstance(module, str) else None


def _policy(words: Mapping[str, Any], kinds: Collection[PolicyKind]) -> str:
    module = _module(words)
    if module is None or _MODULES.get(module) in kinds:
        return ""
    if module in _MODULES:
        return "a masked policy (MaskablePPO), which an agent plays"
    return _REJECTED.get(module, f"a policy of another class, from {module[:100]!r}")


def _actions(words: Mapping[str, Any]) -> str:
    space = words.get("action_space")
    if not isinstance(space, dict):
        return ""
    kind = str(space.get(":type:"))
    told = words.get(KEPT_AS)
    if isinstance(told, dict) and "actions" in told and not kind.endswith(".Discrete'>"):
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
        if len(shape) > 3:
            return f"a policy that sees a stack of frames along an axis of their own {tuple(shape)}"
        if len(shape) == 3 and dtype != "uint8":
            return f"a policy that sees pictures of {dtype[:20]}, as VecNormalize makes them"
    return ""
