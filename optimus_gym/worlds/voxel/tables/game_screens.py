"""The game's screens packed into arrays for kernels; `optimus_gym.game.screens` has their source."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block
from optimus_gym.game.screens import game_screens
from optimus_gym.worlds.voxel.tables.properties import BLOCKS

NO_SCREEN = 0
INVENTORY_SCREEN, TABLE_SCREEN = 1, 2
CUTTER_SCREEN, SMITHY_SCREEN = 8, 9
_MOST_SLOTS = max(len(screen.slots) for screen in game_screens())


def _pack() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    count = len(game_screens()) + 1
    slots = np.zeros((count, _MOST_SLOTS, 3), np.int64)
    lengths, panels = np.zeros(count, np.int64), np.zeros((count, 4), np.int64)
    for screen in game_screens():
        lengths[screen.code] = len(screen.slots)
        panels[screen.code] = screen.left, screen.top, screen.height, screen.columns
        for k, slot in enumerate(screen.slots):
            slots[screen.code, k] = slot.place, slot.x, slot.y
    return slots, lengths, panels


_PACKED = _pack()
SCREEN_SLOTS = _PACKED[0]
"""int64[10, 63, 3], by screen and slot: place, left edge and upper edge of the icon (pixels of 640x360)."""
SLOT_COUNTS = _PACKED[1]
"""int64[10]: number of slots of each screen."""
SCREEN_PANELS = _PACKED[2]
"""int64[10, 4]: left edge, upper edge and height of each screen's panel (pixels), columns of its grid."""


def _opened() -> NDArray[np.uint8]:
    codes = np.zeros(BLOCKS, np.uint8)
    for screen in game_screens()[1:]:
        codes[block(screen.name).id] = screen.code
    codes[block("trapped_chest").id] = codes[block("chest").id]
    return codes


SCREEN_OF_BLOCK: NDArray[np.uint8] = _opened()
"""uint8[1024]: code of the screen that the use key on each block opens, 0 = none."""
