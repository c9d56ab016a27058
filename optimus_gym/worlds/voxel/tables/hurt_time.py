"""Ticks for which a hurt protects the player and shows on the screen.

`hurt_wait` of a player counts down from SHOWS. Minecraft Wiki, "Damage" (immunity): a hurt counts for 20
ticks, and in the first 10 of them only the excess of a greater hurt counts.
"""

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.tables.trigonometry import sine

SHOWS = 20
"""Ticks after a hurt in which the hearts blink; Minecraft Wiki, "Heads-up display" (health)."""
IMMUNE = 10
"""Ticks after a hurt in which only the excess of a greater hurt counts."""
MOST_ROLL = 14.0
"""Largest roll of the view, degrees; the roll is its share sin(pi t^4), t from 1 to 0 in 10 ticks."""
_BLINK = 3
"""Ticks for which the hearts keep one look."""


@kernel
def is_immune(hurt_wait: int) -> bool:
    """Return whether a smaller hurt is ignored."""
    return bool(hurt_wait > SHOWS - IMMUNE)


@kernel
def view_roll(hurt_wait: int) -> float:
    """Return the view's roll to the left at the end of a tick, degrees, 0 to 14.

    From 1.3.1 to 1.19.3 the game's client leans to the left for a hurt from any side (bug tracker of the
    game, MC-26678).
    """
    left = hurt_wait - (SHOWS - IMMUNE) - 1
    if left <= 0:
        return 0.0
    share = left / IMMUNE
    return MOST_ROLL * float(sine(180.0 * share * share * share * share))


@kernel
def hearts_blink(hurt_wait: int) -> bool:
    """Return whether the hearts have white rims: three times for three ticks."""
    return bool(hurt_wait // _BLINK % 2 == 1)
