"""Observation and action spaces of the three views.

| key | dtype and shape | range | view |
| --- | --- | --- | --- |
| `pov` | uint8 (H, W, 3) | 0 to 255 | all |
| `inventory` | float32 (V,) | items held, 0 to 2,624 | all |
| `equipment` | float32 (6,) | hand, off-hand, feet, legs, chest, head: 0 nothing, 1 + index in \
the vocabulary, V + 1 another item | all |
| `vitals` | float32 (6,) | health, food, saturation 0 to 20; air -20 to 300; armour 0 to 20; \
experience level 0 to 21,863 | all |
| `subgoal` | float32 (11 + V + 1,) | verb and item one-hot, count still wanted | control, sub-goal |
| `subgoal_text` | float32 (256,) | embedding of the prompt, zeros until an aligner exists | \
control, sub-goal |
| `goal` | float32 (V,) | count of the task's item | with `suite` |
"""

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete, Space

from optimus_gym.core.actions import CONTROL_SIZES, Function
from optimus_gym.core.types import VERBS

MOST_HELD = 41 * 64.0
"""41 slots of 64."""
TEXT_LENGTH = 256
VITALS_LOW = np.array([0, 0, 0, -20, 0, 0], np.float32)
VITALS_HIGH = np.array([20, 20, 20, 300, 20, 21_863], np.float32)
"""The highest level that the game's experience counter reaches (Minecraft Wiki, "Experience")."""


def observation_space(
    resolution: tuple[int, int], vocabulary: int, hierarchical: bool, goal: bool
) -> Dict:
    """Build the observation space.

    Args:
        resolution: width and height of `pov`.
        vocabulary: V, items in the vocabulary.
        hierarchical: whether sub-goals are shown (control and sub-goal view).
        goal: whether the task's item is shown (one task of a suite an episode).
    """
    width, height = resolution
    spaces: dict[str, Space[object]] = {
        "pov": Box(0, 255, (height, width, 3), np.uint8),
        "inventory": Box(0, MOST_HELD, (vocabulary,), np.float32),
        "equipment": Box(0, vocabulary + 1, (6,), np.float32),
        "vitals": Box(VITALS_LOW, VITALS_HIGH, dtype=np.float32),
    }
    if hierarchical:
        high = np.ones(len(VERBS) + vocabulary + 1, np.float32)
        high[-1] = MOST_HELD
        spaces["subgoal"] = Box(np.zeros_like(high), high, dtype=np.float32)
        spaces["subgoal_text"] = Box(-1, 1, (TEXT_LENGTH,), np.float32)
    if goal:
        spaces["goal"] = Box(0, MOST_HELD, (vocabulary,), np.float32)
    return Dict(spaces)


def control_space() -> MultiDiscrete[np.int64]:
    """Return the control view's actions: keys, hotbar and camera of one tick.

    >>> control_space().nvec.tolist()
    [3, 3, 2, 3, 2, 2, 10, 11, 11]
    """
    return MultiDiscrete(list(CONTROL_SIZES))


def flat_space(vocabulary: int) -> MultiDiscrete[np.int64]:
    """Return the flat view's actions: the control view's, a function and its item."""
    return MultiDiscrete([*CONTROL_SIZES, len(Function), vocabulary])


def skill_space(skills: int) -> Discrete:
    """Return the sub-goal view's actions: 0 follows the plan, k pursues skill k."""
    return Discrete(1 + skills)
