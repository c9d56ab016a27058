"""The game's screens: inventory, crafting table, ovens, chest and other benches, and where their slots lie.

Each slot of each screen is a place. A place has one number in all screens:

| places | what lies there |
| --- | --- |
| 0 to 40 | the player's slots: 0-8 hotbar, 9-35 main, 36-39 feet, legs, chest, head, 40 off-hand |
| `GRID_PLACE` to `GRID_PLACE + 8` | the crafting grid, row by row; inputs of stonecutter and smithing table |
| `RESULT_PLACE` | what the grid, the stonecutter or the smithing table makes |
| `INPUT_PLACE`, `FUEL_PLACE`, `OUTPUT_PLACE` | the slots of an oven |
| `STORE_PLACE` to `STORE_PLACE + 26` | the slots of a chest or barrel |

Positions are pixels of the game's picture of 640x360 at GUI scale 1, right and down from its upper left
corner.
"""

from dataclasses import dataclass
from functools import cache

from optimus_gym.core.situation import PICTURE_SIZE
from optimus_gym.game.rows import Row, rows

GRID_PLACE = 41
RESULT_PLACE = 50
INPUT_PLACE = 51
FUEL_PLACE = 52
OUTPUT_PLACE = 53
STORE_PLACE = 54
PLACE_COUNT = STORE_PLACE + 27
"""Number of places."""
PANEL_WIDTH = 176
"""Width of each screen's panel, pixels; Minecraft Wiki, "Inventory"."""
SLOT_ICON = 16
"""Side of a slot's icon, pixels."""
SLOT_STEP = 18
"""Distance between neighbouring slots, and side of the square in which the cursor hits a slot, pixels."""
DEGREES_A_PIXEL = 360.0 / 2400.0
"""Turn of the camera, in degrees, that moves the cursor by one pixel; MineRL 1.0: 2,400 pixels a turn."""
BUTTONS = (52, 14)
"""Left and upper edge of a stonecutter's first recipe button in its panel, pixels."""
BUTTON_SIZE = (16, 18)
"""Width and height of a stonecutter's recipe button, pixels."""
BUTTON_COLUMNS = 4
BUTTON_ROWS = 3
"""Rows of recipe buttons of a stonecutter; no item of 1.16 has more recipes than fit."""

_FIRST_PLACES = {
    "grid": GRID_PLACE, "second": GRID_PLACE + 1, "result": RESULT_PLACE, "input": INPUT_PLACE,
    "fuel": FUEL_PLACE, "output": OUTPUT_PLACE, "store": STORE_PLACE, "main": 9, "hotbar": 0, "feet": 36,
    "legs": 37, "chest": 38, "head": 39, "offhand": 40,
}  # fmt: skip
"""First place of each part of a screen, by the part's name in `data/screens.json`."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot of a screen.

    Attributes:
        place: number of the slot's place.
        x: left edge of the slot's icon, pixels of the whole picture.
        y: upper edge of the slot's icon, pixels of the whole picture.
    """

    place: int
    x: int
    y: int

    @property
    def middle(self) -> tuple[float, float]:
        """Return the middle of the slot's icon, pixels of the whole picture."""
        return self.x + SLOT_ICON / 2, self.y + SLOT_ICON / 2


@dataclass(frozen=True, slots=True)
class GameScreen:
    """One of the game's screens.

    Attributes:
        code: the screen's number, from 1; 0 stands for no screen.
        name: "inventory", or the name of the block that opens the screen.
        left: left edge of the panel, pixels of the whole picture.
        top: upper edge of the panel.
        height: height of the panel, pixels.
        columns: columns (and rows) of the crafting grid, 0 without a grid.
        slots: the slots, in the order in which the game numbers them.
    """

    code: int
    name: str
    left: int
    top: int
    height: int
    columns: int
    slots: tuple[Slot, ...]

    def slot(self, place: int) -> Slot:
        """Return the slot of a place; the screen must show the place."""
        return next(slot for slot in self.slots if slot.place == place)


@cache
def game_screens() -> tuple[GameScreen, ...]:
    """Return the game's screens in the order of their codes. Source: `data/screens.json`."""
    return tuple(_screen(code, row) for code, row in enumerate(rows("screens"), 1))


@cache
def screen_names() -> tuple[str, ...]:
    """Return the screens' names by code; the first, of no screen, is empty.

    >>> screen_names()[:4]
    ('', 'inventory', 'crafting_table', 'furnace')
    """
    return ("", *(screen.name for screen in game_screens()))


def game_screen(name: str) -> GameScreen:
    """Return the screen with a name, which must be one of `screen_names`.

    >>> game_screen("furnace").slot(FUEL_PLACE)
    Slot(place=52, x=288, y=150)
    """
    return game_screens()[screen_names().index(name) - 1]


def _screen(code: int, row: Row) -> GameScreen:
    height = row["height"]
    left, top = (PICTURE_SIZE[0] - PANEL_WIDTH) // 2, (PICTURE_SIZE[1] - height) // 2
    slots = tuple(
        Slot(
            _FIRST_PLACES[part["place"]] + line * part["columns"] + column,
            left + part["x"] + column * SLOT_STEP,
            top + part["y"] + line * SLOT_STEP,
        )
        for part in row["parts"]
        for line in range(part["rows"])
        for column in range(part["columns"])
    )
    return GameScreen(code, row["name"], left, top, height, row["columns"], slots)
