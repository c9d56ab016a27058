"""A rule about a world's power "messages"."""

from typing import Final

import numpy as np

from optimus_gym.testing.contract import Contract, expect
from optimus_gym.testing.world_case import WorldCase
from optimus_gym.testing.world_play import tick_idly

TELLING: Final = Contract(WorldCase)
"""The rules about messages."""
_TICKS: Final = 12
"""Ticks of play before the pictures are compared: a toast has then come."""


@TELLING.rule
def shows_messages(case: WorldCase) -> None:
    """With `Setup.messages`, pictures of a player that has just got items show something more."""
    case.need("messages", "pictures")
    images = np.zeros((2, 90, 160, 3), np.uint8)
    for image, messages in zip(images, (False, True), strict=True):
        with case.begun(1, messages=messages) as world:
            for _ in range(_TICKS):
                tick_idly(world)
            world.frames([0], image[None])
    differ = bool((images[0] != images[1]).any())
    expect(differ, "other pictures with messages", "the same pictures", world, "frames")
