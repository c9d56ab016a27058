"""What the state of a world holds of a player's needs, effects and place of return.

Units as in `worlds`. All of it is idle where `RULES` has no survival, but for the place of return.
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
HUNGER, POISON, REGENERATION, RESISTANCE, FIRE_RESISTANCE, ABSORPTION = range(6)
EFFECT = np.dtype([("ticks", "i4"), ("level", "u1")])
"""Ticks that an effect still acts (0 = it does not), and its level less one."""

SPAWN = np.dtype([("x", "f8"), ("y", "f8"), ("z", "f8")])
"""Where a player who died comes back: middle of the feet. A bed sets it anew."""
