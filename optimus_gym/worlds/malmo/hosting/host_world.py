"""The interface of a world that plays the game's part, with all powers that missions may need."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from optimus_gym.core.errors import BadValue
from optimus_gym.core.world_powers import (
    CameraWorld,
    CommandWorld,
    MouseWorld,
    RespawnWorld,
    SurroundingsWorld,
)

NEEDED_POWERS = frozenset({"keys", "camera", "pictures"})
"""Powers that each world needs to play the game's part; missions may need more."""
Teller: TypeAlias = Callable[[str], None]
"""Takes a line for the game's log, such as a command's refusal."""


class HostWorld(CameraWorld, MouseWorld, CommandWorld, SurroundingsWorld, RespawnWorld, Protocol):
    """A world with the powers of `NEEDED_POWERS`; callers ask `can` before they use another power."""


def check_host(world: HostWorld) -> None:
    """Check that a world can play the game's part.

    Raises:
        BadValue: it lacks powers; the message names them.
    """
    lacking = sorted(NEEDED_POWERS - world.can)
    if lacking:
        raise BadValue(
            f"world: expected the powers {', '.join(map(repr, lacking))}, "
            f"got {type(world).__name__} without"
        )
