"""Observation and action spaces of the three views.

New versions of the package only add keys; existing keys keep order and shape. V is the size of the vocabulary
(the items that observations name), 12 the number of verbs. By default, vectors are scaled: the formulas and
their inverses are in `optimus_gym.core.scaling`.

| key | dtype and shape | scaled | raw | view |
| --- | --- | --- | --- | --- |
| `pov` | uint8 (H, W, 3) | 0 to 255 | 0 to 255 | all |
| `inventory` | float32 (V,) | logarithm of the count, 0 to 1 | items held, 0 to 2,624 | all |
| `equipment` | float32 (6,) | k / (V + 1) | k of hand, off-hand, feet, legs, chest, head: 0 nothing, \
1 + index in the vocabulary, V + 1 another item | all |
| `vitals` | float32 (6,) | -0.07 to 1 | health, food, saturation 0 to 20; air -20 to 300; armour 0 to \
20; experience level 0 to 21,863 | all |
| `subgoal` | float32 (17 + V + 1,) | verb and item one-hot, logarithm of the count still wanted | the \
same, the count as it is | control, sub-goal |
| `subgoal_text` | float32 (256,) | vector of the prompt by the aligner `mini`, or zeros | the same | \
control, sub-goal |
| `goal` | float32 (V,) | logarithm of the count of the task's items | the count | with `suite` |
"""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete, Space

from optimus_gym.core.actions import CONTROL_SIZES, Function
from optimus_gym.core.scaling import MOST_HELD, MOST_LEVELS, scale_vitals
from optimus_gym.core.types import VERBS

TEXT_LENGTH = 256
VITALS_LOW = np.array([0, 0, 0, -20, 0, 0], np.float32)
VITALS_HIGH = np.array([20, 20, 20, 300, 20, MOST_LEVELS], np.float32)


def observation_space(
    resolution: tuple[int, int], vocabulary: int, hierarchical: bool, goal: bool, scaled: bool
) -> Dict:
    """Build the observation space.

    Args:
        resolution: width and height of `pov`.
        vocabulary: V, items in the vocabulary.
        hierarchical: whether observations show sub-goals (control and sub-goal view).
        goal: whether observations show the task's item (each episode draws one task of a suite).
        scaled: whether vectors are scaled to about 0 to 1.
    """
    width, height = resolution
    most = 1.0 if scaled else float(MOST_HELD)
    low, high = VITALS_LOW, VITALS_HIGH
    if scaled:
        low, high = scale_vitals(low), scale_vitals(high)
    spaces: dict[str, Space[Any]] = {
        "pov": Box(0, 255, (height, width, 3), np.uint8),
        "inventory": Box(0, most, (vocabulary,), np.float32),
        "equipment": Box(0, 1.0 if scaled else vocabulary + 1, (6,), np.float32),
        "vitals": Box(low, high, dtype=np.float32),
    }
    if hierarchical:
        top = np.ones(len(VERBS) + vocabulary + 1, np.float32)
        top[-1] = most
        spaces["subgoal"] = Box(np.zeros_like(top), top, dtype=np.float32)
        spaces["subgoal_text"] = Box(-1, 1, (TEXT_LENGTH,), np.float32)
    if goal:
        spaces["goal"] = Box(0, most, (vocabulary,), np.float32)
    return Dict(spaces)


def control_space() -> MultiDiscrete:
    """Return the space of the control view's actions: keys, hotbar and camera of one tick.

    >>> control_space().nvec.tolist()
    [3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 10, 11, 11]
    """
    return MultiDiscrete(list(CONTROL_SIZES))


def flat_space(vocabulary: int) -> MultiDiscrete:
    """Return the flat view's action space: the control view's entries, a function (like craft), its item."""
    return MultiDiscrete([*CONTROL_SIZES, len(Function), vocabulary])


def skill_space(skills: int) -> Discrete:
    """Return the space of the sub-goal view's actions: 0 follows the plan, k pursues skill k."""
    return Discrete(1 + skills)
