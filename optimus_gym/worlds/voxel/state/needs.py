"""Row types (NumPy dtypes) of a player's needs, effects and spawn point.

Units are those of `state.worlds`. A world without survival rules uses the spawn point, but not needs and
effects.
"""

import numpy as np

NEEDS = np.dtype(
    [
        ("exhaustion", "f4"),  # [0, 40]; 4 of exhaustion cost a point of saturation or food
        (
            "fire",
            "i4",
        ),  # ticks of burning left; < 0: ticks in fire until it catches fire
        ("meal", "u2"),  # item that is being eaten, 0 = none
        ("chewed", "i4"),  # ticks for which the item has been eaten
        ("absorption", "f4"),  # half-hearts of absorption, lost before health
        ("safe", "i4"),  # ticks for which only the void hurts
        ("lost", "f4"),  # points of experience that lie where the player died
        ("lost_for", "i4"),  # ticks for which these points still lie there
        ("lost_x", "f8"),
        ("lost_y", "f8"),
        ("lost_z", "f8"),
    ]
)

EFFECT_NAMES = ("hunger", "poison", "regeneration", "resistance", "fire_resistance", "absorption")
"""Names of the status effects; an index in this tuple is the number of an effect."""
# Numbers of the effects: the index in `EFFECT_NAMES`.
HUNGER = 0
POISON = 1
REGENERATION = 2
RESISTANCE = 3
FIRE_RESISTANCE = 4
ABSORPTION = 5

EFFECT = np.dtype([("ticks", "i4"), ("level", "u1")])
"""Remaining ticks of a status effect (0 = does not act), and its level less one."""

SPAWN = np.dtype([("x", "f8"), ("y", "f8"), ("z", "f8")])
"""Position at which a dead player is revived (middle of the feet). Using a bed moves this spawn point."""
