"""The flat world with screens: a player who opens, clicks and drags, with words instead of numbers."""

import numpy as np

from optimus_gym.core.actions import camera_turns
from optimus_gym.game.items import item, item_names
from optimus_gym.game.screens import (
    BUTTON_SIZE,
    BUTTONS,
    DEGREES_A_PIXEL,
    GRID_PLACE,
    STORE_PLACE,
    GameScreen,
    game_screens,
    screen_names,
)
from optimus_gym.worlds.voxel.clicking.places import put_stack_at, stack_at
from optimus_gym.worlds.voxel.state.screen_row import LAID_CURSOR
from optimus_gym.worlds.voxel.tick import tick_rows, with_screens
from tests.worlds.flat import FEET, Flat, action_of

FIRST = {
    "hotbar": 0, "main": 9, "feet": 36, "legs": 37, "chest": 38, "head": 39, "offhand": 40,
    "grid": GRID_PLACE, "second": GRID_PLACE + 1, "result": 50, "input": 51, "fuel": 52, "output": 53,
    "store": STORE_PLACE,
}  # fmt: skip
"""Number of the first place of each part of a screen."""
SCREENS = screen_names()[1:]
BLOCKS = SCREENS[1:]
X, Y, Z = 0, FEET + 1, 2
"""Cell of the block before the player's eyes."""
DOWN = 8.0
"""Pitch at which the player aims at the cell, even at the low stonecutter, degrees."""
OFF = (20.0, 20.0)
"""Point of the picture off every panel."""
BARE = (322.0, 100.0)
"""Point of every panel without a slot, pixels."""
EMPTY = ("air", 0, 0)
_ROW = np.zeros(1, np.int64)


class Page(Flat):
    """A player in a flat world with screens, who looks at a cell two blocks ahead."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__("stone", seed)
        self.worlds.rules["screens"] = 1
        self.worlds.rules["survival"] = 1
        self.set(pitch=DOWN)
        self.worlds.skies["rain_wait"] = self.worlds.skies["thunder_wait"] = 10**6

    def tick(self, count: int = 1, turn: tuple[float, float] = (0.0, 0.0), **keys) -> None:
        """Tick with keys by name and a turn of the camera (pitch and yaw, degrees)."""
        action = action_of(**keys)[None]
        turns = camera_turns(action) + np.array([turn])
        for _ in range(count):
            tick_rows(self.worlds, _ROW, *with_screens(self.worlds, _ROW, action, turns))

    @property
    def screen(self) -> str:
        """Return the name of the open screen, "" if none is open."""
        return screen_names()[self.worlds.screens["kind"][0]]

    @property
    def shown(self) -> GameScreen:
        """Return the open screen."""
        return game_screens()[self.worlds.screens["kind"][0] - 1]

    def open(self, name: str) -> None:
        """Open a screen by its key, or by the use key on its block before the player."""
        if name == "inventory":
            self.tick(inventory=1)
        else:
            self.put(X, Y, Z, name)
            self.tick()
            self.tick(use=1)
        self.tick()
        assert self.screen == name

    def close(self) -> None:
        """Close the open screen by its key."""
        self.tick(inventory=1)
        self.tick()
        assert self.screen == ""

    def move_to(self, x: float, y: float, **keys) -> None:
        """Move the cursor to a point of the picture, pixels, in one tick."""
        row = self.worlds.screens[0]
        turn = ((y - row["cursor_y"]) * DEGREES_A_PIXEL, (x - row["cursor_x"]) * DEGREES_A_PIXEL)
        self.tick(turn=turn, **keys)

    def hover(self, part: str, k: int = 0, **keys) -> None:
        """Move the cursor onto a slot."""
        self.move_to(*self.shown.slot(FIRST[part] + k).middle, **keys)

    def press(self, button: str = "attack", **keys) -> None:
        """Press and release a button of the mouse (or a key) where the cursor is."""
        self.tick(**{button: 1}, **keys)
        self.tick(**keys)

    def click(self, part: str, k: int = 0, button: str = "attack", **keys) -> None:
        """Click a slot, long after the click before."""
        self.hover(part, k)
        self.tick(5)
        self.press(button, **keys)

    def right_click(self, part: str, k: int = 0) -> None:
        self.click(part, k, "use")

    def shift_click(self, part: str, k: int = 0, button: str = "attack") -> None:
        self.click(part, k, button, sneak=1)

    def double_click(self, part: str, k: int = 0, **keys) -> None:
        self.click(part, k, **keys)
        self.press(**keys)

    def key(self, part: str, k: int = 0, **keys) -> None:
        """Press a key over a slot."""
        self.hover(part, k)
        self.tick(**keys)
        self.tick()

    def click_off(self, button: str = "attack") -> None:
        """Click off the panel."""
        self.move_to(*OFF)
        self.press(button)

    def click_recipe(self, k: int) -> None:
        """Click a recipe's button of the stonecutter."""
        x = self.shown.left + BUTTONS[0] + k % 4 * BUTTON_SIZE[0] + 8
        self.move_to(x, self.shown.top + BUTTONS[1] + k // 4 * BUTTON_SIZE[1] + 9)
        self.press()

    def drag(self, places: list[tuple[str, int]], button: str = "attack") -> None:
        """Drag the stack at the cursor over slots."""
        self.hover(*places[0])
        self.tick(**{button: 1})
        self.tick(turn=(DEGREES_A_PIXEL, 0.0), **{button: 1})
        for place in places[1:]:
            self.hover(*place, **{button: 1})
        self.tick()

    def lay(self, part: str, k: int, name: str, count: int = 1, damage: int = 0) -> None:
        """Let a stack lie in a slot of the open screen."""
        put_stack_at(self.worlds, 0, FIRST[part] + k, id_of(name), count, damage)

    def take_up(self, name: str, count: int = 1, damage: int = 0) -> None:
        """Let a stack hang at the cursor."""
        self.worlds.laid[0, LAID_CURSOR] = id_of(name), count, damage

    def lies(self, part: str, k: int = 0) -> tuple[str, int, int]:
        """Return item, pieces and uses of the stack in a slot of the open screen."""
        number, count, damage = stack_at(self.worlds, 0, FIRST[part] + k)
        return item_names()[number], count, damage

    @property
    def cursor(self) -> tuple[str, int, int]:
        """Return item, pieces and uses of the stack at the cursor."""
        stack = self.worlds.laid[0, LAID_CURSOR]
        return item_names()[stack["item"]], int(stack["count"]), int(stack["damage"])

    def laid(self) -> dict[str, int]:
        """Return the items in the grid and at the cursor."""
        return self._sum(self.worlds.laid[0])

    def stored(self) -> dict[str, int]:
        """Return the items in chests and barrels."""
        return self._sum(self.worlds.stored[0].ravel())

    def everything(self) -> dict[str, int]:
        """Return all items: held, laid, stored, in ovens and lying about."""
        parts = (self.held(), self.laid(), self.stored(), self.cooking(), self.lying())
        names = sorted({name for part in parts for name in part})
        return {name: sum(part.get(name, 0) for part in parts) for name in names}

    def made(self) -> list[tuple[str, int]]:
        """Return product and pieces of each event "crafted" of the latest tick."""
        return [(item_names()[s], n) for kind, s, n in self.events() if kind == "crafted"]

    def fill_pockets(self, name: str = "stone_sword", count: int = 1) -> None:
        """Fill each empty pocket with a stack."""
        for k in range(36):
            if self.slot(k)[0] == "air":
                self.give(k, name, count)

    def air(self) -> None:
        """Remove the block before the player."""
        self.put(X, Y, Z, "air")


def id_of(name: str) -> int:
    """Return the id of an item, 0 for air."""
    return 0 if name == "air" else item(name).id
