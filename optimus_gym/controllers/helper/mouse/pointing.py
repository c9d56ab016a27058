"""A player whose scripts work the game's screens by mouse: cursor, clicks, and what lies in the pockets.

The script knows where the cursor is, because it starts in the middle of the picture and moves by the camera's
bins alone. All else comes from the world's power "mouse": the open screen and the slots of the inventory.
"""

from dataclasses import dataclass
from typing import Any, cast

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.script import Action, Steps
from optimus_gym.core.actions import (
    ATTACK,
    CAMERA_DEGREES,
    CAMERA_STILL,
    FORWARD,
    HOTBAR,
    INVENTORY,
    PITCH,
    SNEAK,
    USE,
    YAW,
    camera_bin,
)
from optimus_gym.core.situation import PICTURE_SIZE
from optimus_gym.core.world_powers import UNKNOWN_SCREEN, MouseWorld
from optimus_gym.game.items import item, item_names
from optimus_gym.game.screens import DEGREES_A_PIXEL, GameScreen, game_screen

HOTBAR_LENGTH = 9
"""Slots of the hotbar, the first pockets."""
_MOVES = 40
"""Maximum ticks of a movement of the cursor; the whole picture takes 10."""
_SPEEDING = 2
"""Maximum number of camera bins that a tick adds to the cursor's speed, for a gentle start."""
_WAITS = 6
"""Maximum ticks until a screen must have opened or closed."""
_FETCHING = 60
"""Maximum ticks of the walk to a thrown stack, which cannot be picked up for 40 ticks."""
_STEPS: tuple[float, ...] = tuple(degrees / DEGREES_A_PIXEL for degrees in CAMERA_DEGREES)
"""The cursor's movement for each camera bin, pixels."""


@dataclass(frozen=True, slots=True)
class Pocket:
    """A slot of the inventory that holds something: its number (0 to 8: hotbar), item and pieces."""

    slot: int
    name: str
    count: int


class ByMouse(Hands):
    """A player's hands in a world with the power "mouse"; scripts read the screen and move the cursor."""

    def __init__(self, world: Any, row: int) -> None:
        super().__init__(world, row)
        self._mouse = cast(MouseWorld, world)
        self.carried = 0
        """Pieces that the script has at the cursor."""
        self._forget_cursor()

    def _forget_cursor(self) -> None:
        self._x, self._y = PICTURE_SIZE[0] / 2, PICTURE_SIZE[1] / 2
        self._pace = [0, 0]

    def screen(self) -> int:
        """Return the code of the open screen, 0 = none."""
        return int(self._mouse.screens(self._only)[0])

    def pockets(self) -> list[Pocket]:
        """Return what lies in the inventory by slot, without the empty slots."""
        names = item_names()
        slots = self._mouse.pockets(self._only)[0].tolist()
        return [
            Pocket(slot, names[kind], count) for slot, (kind, count) in enumerate(slots) if kind
        ]

    def empty_pockets(self) -> list[int]:
        """Return the numbers of the empty slots of the inventory."""
        full = {pocket.slot for pocket in self.pockets()}
        return [slot for slot in range(len(self._mouse.pockets(self._only)[0])) if slot not in full]

    def open_inventory(self) -> Steps:
        """Open the inventory screen; return whether it is open."""
        yield from self.close()
        yield self._pressing(INVENTORY)
        return (yield from self._await(game_screen("inventory").code))

    def close(self) -> Steps:
        """Close the open screen, if there is one; return whether no screen is open."""
        if self.screen() == 0:
            return True
        yield self._pressing(INVENTORY)
        return (yield from self._await(0))

    def _await(self, code: int) -> Steps:
        """Release all keys until a screen is open, or none (0); return whether that came about.

        In a world that does not tell which screen is open, any open screen counts.
        """
        self._forget_cursor()
        for _ in range(_WAITS):
            if self.screen() == code or (code and self.screen() == UNKNOWN_SCREEN):
                yield self.fresh()
                return True
            yield self.fresh()
        return False

    def opened(self, screen: GameScreen) -> Steps:
        """Wait until a block's screen is open; return whether it is."""
        return (yield from self._await(screen.code))

    def _pressing(self, *keys: int) -> Action:
        action = self.fresh()
        action[list(keys)] = 1
        return action

    def leave(self) -> Steps:
        """Close the open screen; if something else has closed it, fetch the stack that then was thrown."""
        thrown = self.screen() == 0 and self.carried > 0
        self.carried = 0
        yield from self.close()
        if thrown:
            yield from self._fetch()
        return True

    def _fetch(self) -> Steps:
        """Walk ahead, after a thrown stack, until something is picked up; sneak, so as not to fall."""
        before = sum(pocket.count for pocket in self.pockets())
        for _ in range(_FETCHING):
            yield self._pressing(FORWARD, SNEAK)
            if sum(pocket.count for pocket in self.pockets()) > before:
                return True
        return False

    def move(self, x: float, y: float, shift: bool = False) -> Steps:
        """Move the cursor to a point (pixels of 640x360); return False if the screen closes meanwhile."""
        for _ in range(_MOVES):
            action = self.fresh()
            action[SNEAK] = shift
            action[YAW] = self._bin(0, x - self._x)
            action[PITCH] = self._bin(1, y - self._y)
            if action[YAW] == action[PITCH] == CAMERA_STILL:
                return self.screen() != 0
            self._x += _STEPS[action[YAW]]
            self._y += _STEPS[action[PITCH]]
            yield action
            if self.screen() == 0:
                return False
        return False

    def _bin(self, axis: int, pixels: float) -> int:
        """Return the camera bin that moves the cursor nearest to `pixels`, with a gentle start."""
        wanted = camera_bin(pixels * DEGREES_A_PIXEL) - CAMERA_STILL
        fastest = abs(self._pace[axis]) + _SPEEDING
        self._pace[axis] = max(-fastest, min(fastest, wanted))
        return CAMERA_STILL + self._pace[axis]

    def click(self, point: tuple[float, float], right: bool = False, shift: bool = False) -> Steps:
        """Click at a point (pixels of 640x360), and release; return False if the screen closes meanwhile."""
        if not (yield from self.move(*point, shift)):
            return False
        action = self._pressing(USE if right else ATTACK)
        action[SNEAK] = shift
        yield action
        action = self.fresh()
        action[SNEAK] = shift
        yield action
        return self.screen() != 0

    def swap_into_hotbar(self, screen: GameScreen, pocket: int, slot: int) -> Steps:
        """Point at a pocket and press the key of a slot of the hotbar, so that both change places."""
        if not (yield from self.move(*screen.slot(pocket).middle)):
            return False
        action = self.fresh()
        action[HOTBAR] = slot + 1
        yield action
        yield self.fresh()
        return self.screen() != 0

    def hold(self, name: str) -> Steps:
        """Take an item in hand: by its key from the hotbar, else by mouse from the inventory."""
        if self.hand() == name:
            return True
        places = [pocket.slot for pocket in self.pockets() if pocket.name == name]
        if not places:
            return False
        slot = places[0]
        if slot >= HOTBAR_LENGTH:
            empty = [free for free in self.empty_pockets() if free < HOTBAR_LENGTH]
            to = empty[0] if empty else self._spare_slot()
            if not (yield from self.open_inventory()):
                return False
            yield from self.swap_into_hotbar(game_screen("inventory"), slot, to)
            yield from self.close()
            slot = to
        action = self.fresh()
        action[HOTBAR] = slot + 1
        yield action
        return self.hand() == name

    def _spare_slot(self) -> int:
        """Return the slot of a full hotbar to swap with: the first that holds no tool, else the last."""
        return next(
            (p.slot for p in self.pockets() if not item(p.name).max_durability), HOTBAR_LENGTH - 1
        )

    def free_hand(self) -> Steps:
        """Select an empty slot of the hotbar, if there is one, so that the use key places nothing."""
        empty = [slot for slot in self.empty_pockets() if slot < HOTBAR_LENGTH]
        if empty:
            action = self.fresh()
            action[HOTBAR] = empty[0] + 1
            yield action
        return bool(empty)

    def ready(self, name: str) -> Steps:
        """Take an item in hand, so that `put` can place it."""
        return (yield from self.hold(name))

    def shut(self) -> Steps:
        """Close a screen that the use key has opened; return whether one was open."""
        was_open = self.screen() != 0
        yield from self.close()
        return was_open

    def put(self, action: Action, name: str) -> None:
        """Let an action place the item in hand at the face under the crosshair."""
        action[USE] = 1


class MouseBody(ByMouse, Body):
    """The player of an embedded world that is worked by mouse; scripts may read its blocks."""
