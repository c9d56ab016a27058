"""The training of a policy, as the file of its model describes it.

stable-baselines3 keeps any attribute of a model in the file that `model.save` writes, plain values as JSON.
Set `model.optimus_gym = {...}` before saving to describe the training in the file. Each key of the
mapping `model.optimus_gym` may be left out:

| key | value |
| --- | --- |
| `actions` | for a `Discrete` set: what each action presses, a list of mappings from names of \
`core.actions.KEYS` to their values, such as `{"forward": 1, "attack": 1}`; other keys are not pressed |
| `subgoals` | for a `Discrete` set of sub-goals: their names in the sub-goal view, a list of texts such as \
"mine oak_log" |
| `hold` | ticks that each action is held; drop, inventory and swap hands act in the first tick alone |
| `stack` | number of observations that the policy sees at once, as `VecFrameStack` stacks them |
| `view_distance`, `pov` | the arguments of the environment that the policy was trained in |
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.checks import check_count, check_name
from optimus_gym.core.errors import BadValue, UnknownName, shown
from optimus_gym.core.types import VIEW_DISTANCES
from optimus_gym.policies.action_sets import check_action_set, check_hold

KEPT_AS: Final = "optimus_gym"
"""Name of the model's attribute, and of the key in its file, that describes the training."""
_MOST_STACKED: Final = 64
"""Maximum number of stacked observations."""


@dataclass(frozen=True, slots=True, eq=False)
class SavedTraining:
    """A policy's training as the model's file describes it; None for keys that the file lacks.

    Attributes:
        actions: values of the keys in each action of the policy's set (int32[n, 15]); None: the policy has no
            set.
        subgoals: names of the sub-goals in the policy's set; None: the policy has no such set.
        hold: ticks that each action is held.
        stack: number of observations that the policy sees at once.
        view_distance: view distance of the environment, blocks.
        pov: `pov` of the environment, "drawn" or "squeezed".
    """

    actions: NDArray[np.int32] | None = None
    subgoals: tuple[str, ...] | None = None
    hold: int | None = None
    stack: int | None = None
    view_distance: int | None = None
    pov: str | None = None


def training_of(told: object, path: str) -> SavedTraining:
    """Return the description of a policy's training in the model's file.

    Args:
        told: the value of `optimus_gym` in the file, None if there is none.
        path: the file, to name in error messages.

    Raises:
        BadValue: `told` is no mapping, or a value in it is invalid; the message names the value's key.
        UnknownName: a key, or a name in a value, is unknown.
    """
    if told is None:
        return SavedTraining()
    if not isinstance(told, dict):
        raise BadValue(
            f"model: expected the attribute {KEPT_AS} of {path!r} to be a mapping, got {shown(told)}"
        )
    for key in told:
        if key not in _CHECKS:
            raise UnknownName(f"key in {KEPT_AS} of the model {path!r}", key, _CHECKS)
    name = f"model: {KEPT_AS} of {path!r}: "
    return SavedTraining(**{key: _CHECKS[key](name + key, value) for key, value in told.items()})


def check_stack(name: str, value: object) -> int:
    """Return `value` as the number of observations that a policy sees at once.

    Raises:
        BadValue: the value is no integer from 1 to `_MOST_STACKED`.
    """
    return check_count(name, value, 1, _MOST_STACKED)


def _subgoals(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or len(set(map(str, value))) < len(value):
        raise BadValue(f"{name}: expected a list of names, each once, got {shown(value)}")
    return tuple(map(str, value))


def _view_distance(name: str, value: object) -> int:
    return check_count(name, value, *VIEW_DISTANCES)


def _pov(name: str, value: object) -> str:
    return check_name(name, value, ("drawn", "squeezed"))


_CHECKS: Final[Mapping[str, Callable[[str, object], Any]]] = MappingProxyType(
    {
        "actions": check_action_set,
        "subgoals": _subgoals,
        "hold": check_hold,
        "stack": check_stack,
        "view_distance": _view_distance,
        "pov": _pov,
    }
)
"""For each key of the description, the function that checks the key's value and returns it."""
