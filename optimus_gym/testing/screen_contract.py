"""Rules about a world's camera and mouse: turns by any angle, the game's screens, and crafting by mouse."""

from typing import Any, Final

import numpy as np

from optimus_gym.core.actions import (
    CAMERA_DEGREES,
    CAMERA_STILL,
    FORWARD,
    PITCH,
    YAW,
    camera_bin,
    noop,
    pressing,
)
from optimus_gym.core.world_powers import UNKNOWN_SCREEN
from optimus_gym.game.screens import DEGREES_A_PIXEL, GRID_PLACE, RESULT_PLACE, game_screen
from optimus_gym.testing.contract import Contract, expect
from optimus_gym.testing.world_case import WorldCase
from optimus_gym.testing.world_play import held_counts, tick_idly

SCREENS: Final = Contract(WorldCase)
"""Rules of worlds with the powers "camera" and "mouse"."""
_TURN: Final = (0.15, 30.0)
"""Turn of pitch and yaw, degrees: one pixel of the cursor, and more than any bin of the camera."""
_MIDDLE: Final = (320.0, 180.0)
"""Where the cursor is when a screen opens, pixels of the picture of 640x360."""
_PLANKS: Final = 4
"""Planks made of one log."""


@SCREENS.rule
def turns_by_any_angle(case: WorldCase) -> None:
    """With the power "camera", `turns` turns the view by any angle, and None by the action's bins."""
    case.need("camera")
    with case.begun(1) as world:
        *_, yaw, pitch = world.poses([0])[0]
        bins = noop()
        bins[PITCH], bins[YAW] = 9, 8
        world.tick([0], bins[None], np.array([_TURN]))
        wanted = [(yaw + _TURN[1]) % 360, pitch + _TURN[0]]
        _expect_view(world, wanted)
        world.tick([0], bins[None], None)
        _expect_view(world, [(wanted[0] + CAMERA_DEGREES[8]) % 360, wanted[1] + CAMERA_DEGREES[9]])


def _expect_view(world: Any, wanted: list[float]) -> None:
    turned = world.poses([0])[0, 3:]
    expect(
        np.allclose(turned, wanted), f"yaw and pitch of {wanted}", turned.tolist(), world, "tick"
    )


def _press(world: Any, **keys: int) -> None:
    """Press keys for one tick, and no key in the next one."""
    world.tick([0], pressing(keys)[None])
    tick_idly(world)


def _expect_screen(world: Any, is_open: bool, when: str) -> None:
    code = world.screens([0])
    fits = code.dtype == np.int32 and code.shape == (1,)
    expect(fits, "int32[1]", f"{code.dtype}{list(code.shape)}", world, "screens")
    codes = (game_screen("inventory").code, UNKNOWN_SCREEN) if is_open else (0,)
    wanted = f"the code {' or '.join(map(str, codes))} {when}"
    expect(code[0] in codes, wanted, int(code[0]), world, "screens")


@SCREENS.rule
def opens_and_closes_the_inventory(case: WorldCase) -> None:
    """With `Setup.screens`, the inventory key opens the inventory's screen, and closes the screen again."""
    case.need("mouse", "keys")
    with case.begun(1, screens=True) as world:
        _expect_screen(world, False, "at the start")
        _press(world, inventory=1)
        _expect_screen(world, True, "after the inventory key")
        _press(world, inventory=1)
        _expect_screen(world, False, "after the second press of the inventory key")


@SCREENS.rule
def has_screens_only_if_asked(case: WorldCase) -> None:
    """Without `Setup.screens`, the inventory key opens nothing, and the camera turns the view."""
    case.need("mouse", "keys")
    with case.begun(1, screens=False) as world:
        *_, yaw, pitch = world.poses([0])[0]
        _press(world, inventory=1)
        _expect_screen(world, False, "without `Setup.screens`")
        world.tick([0], pressing({"yaw": 8})[None])
        _expect_view(world, [(yaw + CAMERA_DEGREES[8]) % 360, pitch])


@SCREENS.rule
def stands_still_while_a_screen_is_open(case: WorldCase) -> None:
    """While a screen is open, keys and camera neither move nor turn the player."""
    case.need("mouse", "keys")
    with case.begun(1, screens=True) as world:
        for _ in range(20):  # a new player may still fall onto the ground
            tick_idly(world)
        _press(world, inventory=1)
        before = world.poses([0])[0].tolist()
        action = pressing({"pitch": 3, "yaw": 9})
        action[FORWARD] = 1
        for _ in range(5):
            world.tick([0], action[None])
        after = world.poses([0])[0].tolist()
        expect(after == before, f"the pose {before}", after, world, "poses")


@SCREENS.rule
def pockets_agree_with_counts(case: WorldCase) -> None:
    """`pockets` returns item and pieces of each of 36 slots, as many as `counts` if nothing is worn."""
    case.need("mouse")
    with case.begun(1, screens=True) as world:
        pockets = world.pockets([0])
        fits = pockets.dtype == np.int32 and pockets.shape == (1, 36, 2)
        expect(fits, "int32[1, 36, 2]", f"{pockets.dtype}{list(pockets.shape)}", world, "pockets")
        held = np.zeros(len(world.counts([0])[0]), np.int64)
        np.add.at(held, pockets[0, :, 0], pockets[0, :, 1])
        same = np.array_equal(held, world.counts([0])[0])
        expect(same, f"{held_counts(world)} in the slots", pockets[0].tolist(), world, "pockets")


@SCREENS.rule
def crafts_by_mouse(case: WorldCase) -> None:
    """Clicks take a log out of its slot, lay it into the grid and take planks; `counts` follows."""
    case.need("mouse", "keys")
    with case.begun(1, screens=True, inventory={"oak_log": 1}) as world:
        _press(world, inventory=1)
        place = int(np.flatnonzero(world.pockets([0])[0, :, 1])[0])
        cursor = _click(world, _MIDDLE, place)
        _expect_held(world, {}, "with the log at the cursor")
        cursor = _click(world, cursor, GRID_PLACE)
        _expect_held(world, {}, "with the log in the grid")
        _click(world, cursor, RESULT_PLACE, sneak=1)
        _expect_held(world, {"oak_planks": _PLANKS}, "after a shift-click on the result")
        _press(world, inventory=1)
        _expect_held(world, {"oak_planks": _PLANKS}, "after the end of the screen")


def _expect_held(world: Any, wanted: dict[str, int], when: str) -> None:
    held = held_counts(world)
    expect(held == wanted, f"{wanted} held {when}", held, world, "counts")


def _click(world: Any, cursor: tuple[float, float], place: int, **keys: int) -> tuple[float, float]:
    """Move the cursor from a point to a place of the inventory by the camera's bins, and click there.

    Return the point of the cursor.
    """
    x, y = game_screen("inventory").slot(place).middle
    left = [(y - cursor[1]) * DEGREES_A_PIXEL, (x - cursor[0]) * DEGREES_A_PIXEL]
    while True:
        bins = [camera_bin(turn) for turn in left]
        if bins == [CAMERA_STILL, CAMERA_STILL]:
            break
        world.tick([0], pressing({"pitch": bins[0], "yaw": bins[1]})[None])
        left = [turn - CAMERA_DEGREES[k] for turn, k in zip(left, bins, strict=True)]
    _press(world, attack=1, **keys)
    return x - left[1] / DEGREES_A_PIXEL, y - left[0] / DEGREES_A_PIXEL
