"""One tick of a world: blocks act first, then the player, then creatures, dropped items and ovens."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import (
    ACTION_LENGTH,
    ATTACK,
    DROP,
    FUNCTION,
    HOTBAR,
    ITEM,
    SNEAK,
    SWAP,
    USE,
    Function,
)
from optimus_gym.worlds.voxel.blocks.crops import trample
from optimus_gym.worlds.voxel.blocks.falling import tick_falling
from optimus_gym.worlds.voxel.blocks.living import tick_random
from optimus_gym.worlds.voxel.blocks.snowfall import tick_snowfall
from optimus_gym.worlds.voxel.blocks.turns import run_scheduled
from optimus_gym.worlds.voxel.blocks.updates import feel_changes
from optimus_gym.worlds.voxel.bodies.aim import take_aim
from optimus_gym.worlds.voxel.bodies.exhaustion import tire_of_way
from optimus_gym.worlds.voxel.bodies.physics import feel_fluids, move_player
from optimus_gym.worlds.voxel.clicking.working import work_screens
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.hitting import strike, tend
from optimus_gym.worlds.voxel.creatures.life import tick_creatures
from optimus_gym.worlds.voxel.creatures.living_land import LOADED_CHUNKS
from optimus_gym.worlds.voxel.land.light import light_rows, needs_light
from optimus_gym.worlds.voxel.land.surroundings import NEAR_CHUNKS, note_middle
from optimus_gym.worlds.voxel.land.window import ensure_area, holds_area
from optimus_gym.worlds.voxel.player.death import leave_behind
from optimus_gym.worlds.voxel.player.effects import tick_night_vision
from optimus_gym.worlds.voxel.player.mining import attack, rest_arm, swing_arm
from optimus_gym.worlds.voxel.player.ore_gifts import give_ore
from optimus_gym.worlds.voxel.player.stuck import kill_stuck
from optimus_gym.worlds.voxel.player.survival import tick_survival
from optimus_gym.worlds.voxel.player.vitals import land, tick_vitals
from optimus_gym.worlds.voxel.state.worlds import Worlds
from optimus_gym.worlds.voxel.tables.game_screens import NO_SCREEN
from optimus_gym.worlds.voxel.things.crafting import craft
from optimus_gym.worlds.voxel.things.drops import throw_held, tick_drops
from optimus_gym.worlds.voxel.things.furnaces import smelt, tick_furnaces
from optimus_gym.worlds.voxel.things.inventory import equip, select_slot, swap_hands
from optimus_gym.worlds.voxel.using.beds import lie
from optimus_gym.worlds.voxel.using.eating import eat, goes_on_eating, stop_eating
from optimus_gym.worlds.voxel.using.placing import place_item
from optimus_gym.worlds.voxel.using.touching import use
from optimus_gym.worlds.voxel.weather import tick_weather


@kernel
def _look(worlds: Worlds, i: int, pitch: float, yaw: float) -> None:
    """Turn the player's head by two angles (degrees); a turn of the yaw is at most 180 degrees."""
    p = worlds.players[i]
    p.pitch = min(max(p.pitch + pitch, -90.0), 90.0)
    yaw = p.yaw + yaw
    if yaw >= 360.0:
        yaw -= 360.0
    if yaw < 0.0:
        yaw += 360.0
        if yaw >= 360.0:
            yaw = 0.0
    p.yaw = yaw


@kernel
def advance_rows(
    worlds: Worlds,
    rows: NDArray[np.int64],
    actions: NDArray[np.int32],
    turns: NDArray[np.float64],
    first: int,
) -> int:
    """Advance `rows` (int64[n]) by one tick of `actions` (int32[n, 15]), from index `first` of all on.

    Blocks act first, then the player, then creatures, dropped items and ovens, as in the game.
    turns (float64[n, 2]): the camera's turns of pitch and yaw, degrees; `actions` does not turn it.

    Returns:
        The index in `rows` of the first row that lacks loaded or lit land around its player; this row and
        all later rows have not ticked. n if all rows have ticked.
    """
    for k in range(first, len(rows)):
        i, action, pitch, yaw = rows[k], actions[k], turns[k, 0], turns[k, 1]
        p = worlds.players[i]
        if needs_light(worlds, i) or not holds_area(worlds, i, p.x, p.z, _loaded_around(worlds, i)):
            return k
        note_middle(worlds, i)
        if not worlds.rules[i].screens:  # else `with_screens` cleared them before the clicks
            p.events = 0
        run_scheduled(worlds, i)
        tick_random(worlds, i)
        tick_falling(worlds, i)
        lies = worlds.sleeps[i].ticks > 0
        if lies:
            lie(worlds, i, action[SNEAK] == 1)
        elif p.alive:
            _move(worlds, i, action, pitch, yaw)
        if p.alive and not lies:
            _act(worlds, i, action)
        if worlds.rules[i].creatures:
            tick_creatures(worlds, i)
        tick_drops(worlds, i)
        tick_furnaces(worlds, i)
        if p.alive:
            tick_vitals(worlds, i)
        if p.alive and worlds.rules[i].survival:
            tick_survival(worlds, i)
        tick_night_vision(worlds, i)
        tick_weather(worlds, i)
        if p.alive and worlds.assists[i].respawn_when_stuck:
            kill_stuck(worlds, i)
        if not p.alive:
            leave_behind(worlds, i)
        if not worlds.assists[i].always_day:
            worlds.skies[i].time += 1
        tick_snowfall(worlds, i)
        feel_changes(worlds, i)
        take_aim(worlds, i)
        p.tick += 1
    return len(rows)


@kernel
def _loaded_around(worlds: Worlds, i: int) -> int:
    """Return how many loaded chunks on each side of the player's chunk a tick of world `i` needs."""
    return LOADED_CHUNKS if worlds.rules[i].creatures else NEAR_CHUNKS


@kernel
def _meet(worlds: Worlds, i: int, strikes: bool, uses: bool) -> tuple[bool, bool]:
    """Let the player strike, shear and milk creatures.

    Return whether the player aims at a creature, and whether the use key may still act on blocks.
    """
    if not worlds.rules[i].creatures:
        return False, uses
    at_creature = strike(worlds, i, strikes)
    return at_creature, not tend(worlds, i, uses) and uses


@kernel
def _move(worlds: Worlds, i: int, action: NDArray[np.int32], pitch: float, yaw: float) -> None:
    """Let the player look, choose a slot and move."""
    _look(worlds, i, pitch, yaw)
    if action[HOTBAR] > 0:
        select_slot(worlds, i, action[HOTBAR] - 1)
    p = worlds.players[i]
    x, y, z = p.x, p.y, p.z
    move_player(worlds, i, action)
    feel_fluids(worlds, i)
    tire_of_way(worlds, i, p.x - x, p.y - y, p.z - z)
    trample(worlds, i)
    land(worlds, i)
    rest_arm(worlds, i)


@kernel
def _act(worlds: Worlds, i: int, action: NDArray[np.int32]) -> None:
    """Let the player swap and throw items, then strike, dig, use, eat and make things."""
    take_aim(worlds, i)
    _change_hand(worlds, i, action[SWAP] == 1, action[DROP] == 1)
    eats = goes_on_eating(worlds, i, action[USE] == 1)
    strikes, uses = action[ATTACK] == 1 and not eats, action[USE] == 1 and not eats
    at_creature, uses = _meet(worlds, i, strikes, uses)
    attack(worlds, i, strikes, at_creature)
    if eats or use(worlds, i, uses):
        eat(worlds, i)
    _call_function(worlds, i, action[FUNCTION], action[ITEM])
    if worlds.assists[i].ores_under_agent:
        give_ore(worlds, i)


@kernel
def _change_hand(worlds: Worlds, i: int, swaps: bool, throws: bool) -> None:
    """Swap the stacks of hand and off-hand, then throw one piece: the game's order of these two keys."""
    if swaps:
        stop_eating(worlds, i)
        swap_hands(worlds, i)
    if throws and throw_held(worlds, i):
        swing_arm(worlds, i)


@kernel
def _call_function(worlds: Worlds, i: int, function: int, item: int) -> None:
    """Craft, smelt, equip or place an item at once; a player with screens crafts and smelts by mouse."""
    if item == 0 or (worlds.rules[i].screens and function in (Function.CRAFT, Function.SMELT)):
        return
    if function == Function.CRAFT:
        craft(worlds, i, item)
    elif function == Function.SMELT:
        smelt(worlds, i, item)
    elif function == Function.EQUIP:
        equip(worlds, i, item)
    elif function == Function.PLACE:
        place_item(worlds, i, item)


def with_screens(
    worlds: Worlds,
    rows: NDArray[np.int64],
    actions: NDArray[np.int32],
    turns: NDArray[np.float64],
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Let keys and camera act on the screens of the worlds `rows`, before the tick.

    The arguments are those of `tick_rows`.

    Returns:
        Copies of `actions` and `turns` without those that acted on a screen, for `tick_rows`.
    """
    for row in rows[worlds.screens["kind"][rows] != NO_SCREEN].tolist():
        player = worlds.players[row]
        ensure_area(worlds, row, player["x"], player["z"], NEAR_CHUNKS)
    worlds.players["events"][rows[worlds.rules["screens"][rows] != 0]] = 0
    actions, turns = actions.copy(), turns.copy()
    work_screens(worlds, rows, actions, turns)
    return actions, turns


def end_screen(worlds: Worlds, row: int) -> None:
    """Close the open screen of a dead player, whose next tick would close it."""
    nothing = np.zeros((1, ACTION_LENGTH), np.int32)
    work_screens(worlds, np.array([row], np.int64), nothing, np.zeros((1, 2)))


def tick_rows(
    worlds: Worlds,
    rows: NDArray[np.int64],
    actions: NDArray[np.int32],
    turns: NDArray[np.float64],
) -> None:
    """Advance the worlds `rows` by one tick (1/20 s).

    Args:
        worlds: the arrays of all worlds. A tick may add tens of rows to `edits`, which must have room.
        rows: int64[n], the worlds that tick.
        actions: int32[n, 15], laid out as in `core.actions`, the item as item id (0 to 975). This function
            does not check the actions, and turns the camera by `turns` alone.
        turns: float64[n, 2], the camera's turns of pitch and yaw in degrees, -180 to 180 each.
    """
    assert actions.shape[1] == ACTION_LENGTH, "kernels would read beyond a shorter action"
    done = advance_rows(worlds, rows, actions, turns, 0)
    while done < len(rows):
        row = int(rows[done])
        player = worlds.players[row]
        near = LOADED_CHUNKS if worlds.rules["creatures"][row] else NEAR_CHUNKS
        ensure_area(worlds, row, player["x"], player["z"], near)
        light_rows(worlds, rows[done : done + 1])
        done = advance_rows(worlds, rows, actions, turns, done)
