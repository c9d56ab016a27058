"""Row types of a player's needs, effects and spawn point.

Units as in `worlds`. Without survival in `RULES` only the spawn point has an effect.
"""

import numpy as np

NEEDS = np.dtype(
    [
        ("exhaustion", "f4"),  # [0, 40]; 4 are a point of saturation or food
        (
            "fire",
            "i4",
        ),  # ticks for which the player burns on; below 0, ticks of fire it still bears
        ("meal", "u2"),  # item that is being eaten, 0 = none
        ("chewed", "i4"),  # ticks for which it has been
        ("absorption", "f4"),  # half-hearts that are lost before the player's own
        ("safe", "i4"),  # ticks for which nothing but the void hurts
        ("lost", "f4"),  # points of experience that lie where the player died
        ("lost_for", "i4"),  # ticks for which they still do
        ("lost_x", "f8"),
        ("lost_y", "f8"),
        ("lost_z", "f8"),
    ]
)

EFFECT_NAMES = ("hunger", "poison", "regeneration", "resistance", "fire_resistance", "absorption")
"""Status effects by their number."""
# Numbers of the effects: the index in `EFFECT_NAMES`.
HUNGER = 0
POISON = 1
REGENERATION = 2
RESISTANCE = 3
FIRE_RESISTANCE = 4
ABSORPTION = 5

EFFECT = np.dtype([("ticks", "i4"), ("level", "u1")])
"""Remaining ticks of an effect (0 = does not act), and its level less one."""

SPAWN = np.dtype([("x", "f8"), ("y", "f8"), ("z", "f8")])
"""Spawn point of a dead player: middle of the feet. Using a bed moves the spawn point."""
