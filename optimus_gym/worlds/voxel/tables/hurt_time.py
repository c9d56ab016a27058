"""Ticks for which a hurt protects the player from further hurts and shows on the screen.

A player's `hurt_wait` counts down from SHOWS after a hurt. A hurt shows on the screen for 20 ticks. In the
first 10 ticks after a hurt, a further hurt costs only the excess of its damage over the earlier hurt's damage
(Minecraft Wiki, "Damage", immunity).
"""

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.tables.trigonometry import sine

SHOWS = 20
"""Ticks after a hurt in which the hearts blink; Minecraft Wiki, "Heads-up display" (health)."""
IMMUNE = 10
"""Ticks after a hurt in which a further hurt costs only the excess of its damage over the earlier
hurt's damage."""
MOST_ROLL = 14.0
"""Maximum roll of the view after a hurt, degrees; the roll is MOST_ROLL * sin(pi t^4), t from 1 to 0 in 10
ticks."""
_BLINK = 3
"""Ticks for which the hearts stay with or without white rims while they blink."""


@kernel
def is_immune(hurt_wait: int) -> bool:
    """Return whether the player, with this `hurt_wait`, ignores a smaller hurt than the latest one."""
    return bool(hurt_wait > SHOWS - IMMUNE)


@kernel
def view_roll(hurt_wait: int) -> float:
    """Return the view's roll to the left after a hurt, at the end of a tick, degrees, 0 to 14.

    The game's versions 1.3.1 to 1.19.3 roll the view to the left for a hurt from any side (bug tracker of
    the game, MC-26678).
    """
    left = hurt_wait - (SHOWS - IMMUNE) - 1
    if left <= 0:
        return 0.0
    share = left / IMMUNE
    return MOST_ROLL * float(sine(180.0 * share * share * share * share))


@kernel
def hearts_blink(hurt_wait: int) -> bool:
    """Return whether the hearts have white rims: after a hurt, three times for three ticks each."""
    return bool(hurt_wait // _BLINK % 2 == 1)
