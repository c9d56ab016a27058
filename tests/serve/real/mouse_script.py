"""Scripts for a player at the game's screens: keys and turns, tick by tick, without a look at the world."""

import numpy as np

from optimus_gym.core.situation import PICTURE_SIZE
from optimus_gym.game.screens import (
    DEGREES_A_PIXEL,
    GRID_PLACE,
    RESULT_PLACE,
    GameScreen,
    game_screen,
)

HOTBAR = range(9)
"""Places of the hotbar in each screen."""
USE_PAUSE = 4
"""Ticks until the use key acts again; Minecraft Wiki, "Controls"."""


class MouseScript:
    """Actions (keys, pitch, yaw) of a player who knows where the cursor is.

    The cursor begins in the middle of the picture whenever a screen opens.
    """

    def __init__(self):
        self.actions = []
        self._screen: GameScreen | None = None
        self._x = self._y = 0.0

    def press(self, *keys, pitch=0.0, yaw=0.0):
        """Press keys for a tick and release them for a tick; the view turns in the first tick."""
        self.actions += [
            (list(keys), float(np.float32(pitch)), float(np.float32(yaw))),
            ([], 0.0, 0.0),
        ]

    def wait(self, ticks):
        """Press nothing for some ticks."""
        self.actions += [([], 0.0, 0.0)] * ticks

    def open(self, name, key):
        """Open a screen by a key: the inventory, or that of the block ahead."""
        self.press(key)
        self._screen = game_screen(name)
        self._x, self._y = PICTURE_SIZE[0] / 2, PICTURE_SIZE[1] / 2

    def close(self):
        """Close the screen."""
        self.press("inventory")
        self._screen = None

    def click(self, place, key="attack"):
        """Move the cursor to a place of the screen and click."""
        x, y = self._screen.slot(place).middle
        turns = ((y - self._y) * DEGREES_A_PIXEL, (x - self._x) * DEGREES_A_PIXEL)
        self._x, self._y = x, y
        self.press(pitch=turns[0], yaw=turns[1])
        self.press(key)

    def lay(self, source, targets):
        """Take the stack of a slot, lay one piece into each target, and put the rest back."""
        self.click(source)
        for target in targets:
            self.click(target, "use")
        self.click(source)

    def take_result(self, target, times=1):
        """Take what the grid makes, some times, and put it into an empty slot."""
        for _ in range(times):
            self.click(RESULT_PLACE)
        self.click(target)


def pickaxe_script():
    """Return actions that make a crafting table and a wooden pickaxe of three logs in the first slot.

    At the end the planks lie in the first slot, sticks in the third, the pickaxe in the fourth.
    """
    script = MouseScript()
    planks, table, sticks, pickaxe = HOTBAR[:4]
    script.open("inventory", "inventory")
    grid = grid_places("inventory")
    script.click(planks)  # the logs
    script.click(grid[0])
    script.take_result(planks, times=3)
    script.lay(planks, grid)
    script.take_result(table)
    script.lay(planks, (grid[0], grid[2]))
    script.take_result(sticks)
    script.close()
    script.press("hotbar.2")
    script.press(pitch=180.0)
    script.press(pitch=-40.0)
    script.press("use")
    script.wait(USE_PAUSE)
    script.open("crafting_table", "use")
    grid = grid_places("crafting_table")
    script.lay(planks, grid[:3])
    script.lay(sticks, (grid[4], grid[7]))
    script.take_result(pickaxe)
    script.close()
    return script.actions


def grid_places(name):
    """Return the places of a screen's crafting grid, row by row."""
    return tuple(GRID_PLACE + number for number in range(game_screen(name).columns ** 2))
