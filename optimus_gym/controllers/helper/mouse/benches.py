"""Opening the screen of a block in reach: the player looks at the block and presses the use key.

Some worlds tell that a screen is open and not which one. There the script looks around. If ovens and other
stations are in reach, the script tries a screen out with a shift-click on fuel in a pocket: an oven takes the
fuel to its own places, a crafting table to its grid, and other stations leave it in the pockets (Minecraft
Wiki, "Inventory", "Furnace", 1.16).
"""

from optimus_gym.controllers.body import Body, Cell
from optimus_gym.controllers.helper.clearing import dig_known
from optimus_gym.controllers.helper.mouse.pointing import ByMouse
from optimus_gym.controllers.helper.steering import look
from optimus_gym.controllers.pose import READY, TURNING, look_at
from optimus_gym.controllers.script import Steps
from optimus_gym.core.actions import USE
from optimus_gym.core.world_powers import UNKNOWN_SCREEN
from optimus_gym.game.blocks import block
from optimus_gym.game.screens import (
    FUEL_PLACE,
    GRID_PLACE,
    INPUT_PLACE,
    GameScreen,
    game_screen,
)
from optimus_gym.game.smelting import OVENS, fuels
from optimus_gym.game.sources import CRAFTING_TABLE
from optimus_gym.worlds.voxel.bodies.aim import nearest_in_reach

_AIM_TICKS = 40
"""Maximum ticks for turning to a block."""
_UNCOVERINGS = 3
"""Maximum number of blocks dug away because they hide the block."""
_PITCHES = (35.0, 50.0, 20.0, 65.0, 0.0)
"""Pitches in degrees at which the player looks for a block that it cannot read; 35 meets flat ground at 2.3
blocks."""
_TURNS = (0.0, 90.0, -90.0, 180.0, 45.0, -45.0, 135.0, -135.0)
"""Angles in degrees, added to the yaw, at which the player looks for a block that it cannot read."""
_OVENS = frozenset(oven.name for oven in OVENS)


def open_bench(hands: ByMouse, screen: GameScreen) -> Steps:
    """Open the screen of a block in reach, or the inventory; return whether the screen is open."""
    if screen.name == "inventory":
        return (yield from hands.open_inventory())
    yield from hands.close()
    if isinstance(hands, Body):
        return (yield from _open_known(hands, screen))
    return (yield from _open_by_looking(hands, screen))


def _open_known(hands: ByMouse, screen: GameScreen) -> Steps:
    """Look at the nearest block that has the screen, dig away what hides it, and use it."""
    assert isinstance(hands, Body), "a world whose blocks can be read"
    for _ in range(_UNCOVERINGS):
        found, x, y, z = nearest_in_reach(hands.worlds, hands.row, block(screen.name).id)
        if not found:
            return False
        if (yield from _aim(hands, (x, y, z))):
            return (yield from _use(hands, screen))
        cover = (int(hands.found[0]), int(hands.found[1]), int(hands.found[2]))
        if not (yield from dig_known(hands, cover)):
            return False
    return False


def _aim(body: Body, cell: Cell) -> Steps:
    """Turn until the crosshair is on a block; return False if another block hides it."""
    for _ in range(_AIM_TICKS):
        action = body.fresh()
        state = look_at(body.worlds, body.row, cell, -1, body.point, body.found, action)
        if state not in (READY, TURNING):
            return False
        yield action
        if state == READY:
            return True
    return False


def _use(hands: ByMouse, screen: GameScreen) -> Steps:
    """Press the use key on the block under the crosshair; return whether its screen opens."""
    yield hands.fresh()
    action = hands.fresh()
    action[USE] = 1
    yield action
    done = yield from hands.opened(screen)
    if not done:
        yield from hands.close()
    return done


def _open_by_looking(hands: ByMouse, screen: GameScreen) -> Steps:
    """Use what is under the crosshair, here and then all around, until the block's screen opens."""
    yield from hands.free_hand()
    if (yield from _use_unseen(hands, screen)):
        return True
    yaw = float(hands.pose()[3])
    for turn in _TURNS:
        for pitch in _PITCHES:
            yield from look(hands, yaw + turn, pitch)
            if (yield from _use_unseen(hands, screen)):
                return True
    return False


def _use_unseen(hands: ByMouse, screen: GameScreen) -> Steps:
    """Press the use key; return whether a screen opens that may be the wanted one."""
    if not (yield from _use(hands, screen)):
        return False
    if (yield from _may_be(hands, screen)):
        return True
    yield from hands.close()
    return False


def _may_be(hands: ByMouse, screen: GameScreen) -> Steps:
    """Try out whether the open screen can be the wanted one; what lies in an oven comes into the pockets."""
    rivals = [name for name in hands.stations() if (name in _OVENS) != (screen.name in _OVENS)]
    if hands.screen() != UNKNOWN_SCREEN or not rivals:
        return True
    yield from _empty_oven(hands)
    fuel = next((pocket for pocket in hands.pockets() if pocket.name in fuels()), None)
    if fuel is None:
        return True
    held = hands.count([fuel.name])
    yield from hands.click(screen.slot(fuel.slot).middle, shift=True)
    was_taken = hands.count([fuel.name]) < held
    yield from _empty_oven(hands)
    is_oven = was_taken and hands.count([fuel.name]) == held
    if was_taken and not is_oven:
        yield from hands.click(game_screen(CRAFTING_TABLE).slot(GRID_PLACE).middle, shift=True)
    return hands.screen() != 0 and is_oven == (screen.name in _OVENS)


def _empty_oven(hands: ByMouse) -> Steps:
    """Take input and fuel out of an oven; in other screens this does nothing."""
    for place in (INPUT_PLACE, FUEL_PLACE):
        yield from hands.click(game_screen("furnace").slot(place).middle, shift=True)
    return True
