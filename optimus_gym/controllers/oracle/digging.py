"""Digging one block away: choose the tool, aim, and clear the blocks in front."""

from optimus_gym.controllers.body import Cell
from optimus_gym.controllers.oracle.grid import DIG, HOT, IS_WATER, PASS
from optimus_gym.controllers.oracle.miner import Miner, ticks_with
from optimus_gym.controllers.pose import HIDDEN, OUT_OF_REACH, dig_at
from optimus_gym.controllers.script import Steps
from optimus_gym.core.actions import HOTBAR
from optimus_gym.game.blocks import block_names
from optimus_gym.game.tools import harvests, tool

_DEEPEST = 4
"""Maximum number of blocks in a row that are dug away to free the line of sight to a wanted block."""
SPARE_TICKS = 60
_MOST_FALLS = 8
"""Maximum number of times that sand or gravel may fall into a cell while the player clears the cell."""


def choose_tool(miner: Miner, block: int, wanted: bool) -> str | None:
    """Return the tool to dig a block id with, None for the hand.

    The fastest tool is chosen; among equally fast ones, the hand comes first. If the drop is `wanted`, only
    tools that harvest the block count. A precious pickaxe (of tier `PRECIOUS` or higher) is not used while a
    lesser one is held, unless only the precious one harvests the block.
    """
    name = block_names()[block]
    spare = miner.path_tools()
    able = (None, *spare)
    if wanted:
        able = tuple(held for held in able if harvests(name, held))
        if not able:
            able = tuple(held for held in miner.tools() if harvests(name, held)) or (None,)
            return min(able, key=lambda held: tool(held).tier if held else 0)
    return min(able, key=lambda held: float(ticks_with(held)[block]))


def take_in_hand(miner: Miner, name: str | None) -> Steps:
    """Bring a tool into the hand; for None replace a tool in the hand by something else, if possible."""
    if name is not None:
        for _ in range(4):
            if miner.hand() == name:
                return True
            yield from miner.hold(name)
        return miner.hand() == name
    hand = miner.hand()
    if hand in miner.tools():
        slot = miner.bare_slot()
        if slot >= 0:
            action = miner.fresh()
            action[HOTBAR] = slot + 1
            yield action
    return True


def dig(miner: Miner, cell: Cell, wanted: bool = False, depth: int = 0) -> Steps:
    """Dig until the block at `cell` is gone, clearing blocks in front; return False if that fails."""
    block = miner.block(*cell)
    if miner.flags(*cell) & (PASS | IS_WATER) and not wanted:
        return True
    held = choose_tool(miner, block, wanted)
    yield from take_in_hand(miner, held)
    patience = int(ticks_with(held)[block]) * 2 + SPARE_TICKS
    if bool(miner.player["in_water"]):
        patience *= 6
    for _ in range(min(patience, 3000)):
        if miner.block(*cell) != block:
            return True
        action = miner.fresh()
        state = dig_at(miner.worlds, miner.row, cell, miner.point, miner.found, action)
        if state == OUT_OF_REACH:
            return False
        if state == HIDDEN:
            cover = (int(miner.found[0]), int(miner.found[1]), int(miner.found[2]))
            cleared = yield from _uncover(miner, cover, depth)
            if not cleared:
                return False
            yield from take_in_hand(miner, held)
            continue
        yield action
    return miner.block(*cell) != block


def _uncover(miner: Miner, cover: Cell, depth: int) -> Steps:
    """Dig away the block at `cover`, which hides a wanted block, if digging it is harmless."""
    flags = miner.flags(*cover)
    if depth >= _DEEPEST or flags & HOT or not flags & (DIG | PASS):
        return False
    done = yield from dig(miner, cover, wanted=bool(flags & PASS), depth=depth + 1)
    return done


def clear_cell(miner: Miner, cell: Cell) -> Steps:
    """Make a cell passable, even if sand or gravel falls into it; return False if that fails."""
    for _ in range(_MOST_FALLS):
        flags = miner.flags(*cell)
        if flags & HOT:
            return False
        if flags & (PASS | IS_WATER):
            return True
        if not flags & DIG:
            return False
        done = yield from dig(miner, cell)
        if not done:
            return False
    return False
