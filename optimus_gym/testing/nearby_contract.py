"""Rules about a world's powers "surroundings" and "whereabouts"."""

from functools import partial
from typing import Any, Final

import numpy as np

from optimus_gym.core.actions import Function
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import SubGoal
from optimus_gym.core.world_powers import Reach, Surroundings
from optimus_gym.envs.world_answers import check_conditions, check_surroundings
from optimus_gym.game.things import things
from optimus_gym.testing.contract import Contract, RuleBroken, expect, expect_refusal
from optimus_gym.testing.world_case import WorldCase
from optimus_gym.testing.world_play import (
    MOST_SUBGOAL_TICKS,
    act,
    call,
    different_answers,
    seen,
    tick_idly,
)

LOOKING: Final = Contract(WorldCase)
"""The rules about surroundings."""
_SMALL: Final[Reach] = (-2, 2, -3, 1, -1, 2)
_WIDE: Final[Reach] = (-5, 4, -6, 3, -3, 7)
_BAD: Final = ((1, 0, 0, 0, 0, 0), (0, 51, 0, 0, 0, 0), (0, 1, 0, 1), (0.5, 1, 0, 1, 0, 1), None)
"""Boxes that each world must refuse."""
_TICKS: Final = 6
_TABLE: Final = SubGoal("place", "crafting_table")


@LOOKING.rule
def reports_the_box_asked_for(case: WorldCase) -> None:
    """`surroundings` returns the box asked for before the latest tick, else None; boxes agree."""
    case.need("surroundings")
    with case.begun(1) as world:
        world.ask_surroundings(0, _SMALL)
        _expect_nothing(world, "before the tick")
        small, wide = _box_after_tick(world, _SMALL), _box_after_tick(world, _WIDE)
        tick_idly(world)
        _expect_nothing(world, "after a tick without a question")
        first = [a - b for a, b in zip(small.corner, wide.corner, strict=True)]
        part = tuple(slice(a, a + n) for a, n in zip(first, small.blocks.shape, strict=True))
        same = np.array_equal(wide.blocks[part], small.blocks)
        expect(same, "the same blocks in both boxes", "other blocks", world, "surroundings")
        ground = bool((small.blocks[:, :3] != 0).any())
        expect(ground, "ground below the player", "air alone", world, "surroundings")
        world.ask_surroundings(0, _SMALL)
        world.reset(0, case.setup)
        tick_idly(world)
        _expect_nothing(world, "after a reset")


def _box_after_tick(world: Any, reach: Reach) -> Surroundings:
    """Ask for a box, tick, and return the report, whose place and size are right."""
    world.ask_surroundings(0, reach)
    tick_idly(world)
    try:
        told = check_surroundings(type(world).__name__, world.surroundings(0))
    except BadValue as error:
        raise RuleBroken(str(error)) from error
    here = np.floor(world.poses([0])[0, :3]).astype(int)
    corner = tuple((here + reach[::2]).tolist())
    expect(told.corner == corner, f"the corner {corner}", told.corner, world, "surroundings")
    size = tuple((np.array(reach[1::2]) - reach[::2] + 1).tolist())
    expect(told.blocks.shape == size, f"{size} blocks", told.blocks.shape, world, "surroundings")
    return told


def _expect_nothing(world: Any, when: str) -> None:
    told = world.surroundings(0)
    expect(told is None, f"None {when}", told, world, "surroundings")


@LOOKING.rule
def looking_changes_nothing(case: WorldCase) -> None:
    """A row goes on alike, whether or not its surroundings are asked for and read."""
    case.need("surroundings")
    with case.begun(2) as world:
        for step in range(_TICKS):
            world.ask_surroundings(0, _WIDE)
            act(world, [0, 1], step)
            world.surroundings(0)
            world.conditions(0)
        found = different_answers(seen(world, 1), seen(world, 0))
        expect(not found, "rows that are alike", f"other {found}", world, "ask_surroundings")


@LOOKING.rule
def conditions_make_sense(case: WorldCase) -> None:
    """`conditions` returns light and weather in their ranges, and the biome that `biome` returns."""
    case.need("surroundings")
    with case.begun(1) as world:
        told = world.conditions(0)
        try:
            check_conditions(type(world).__name__, told)
        except BadValue as error:
            raise RuleBroken(str(error)) from error
        biome = world.biome(0)
        expect(told.biome == biome, f"the biome {biome}", told.biome, world, "conditions")


@LOOKING.rule
def tells_what_is_in_reach(case: WorldCase) -> None:
    """`in_reach` returns sorted names, with each station in reach; `under_sky` returns True or False."""
    case.need("whereabouts")
    with case.begun(1, inventory={_TABLE.item: 1}) as world:
        if "subgoals" in world.can:
            world.carry_out(0, _TABLE, MOST_SUBGOAL_TICKS)
        elif "functions" in world.can:
            call(world, Function.PLACE, _TABLE.item)
        near = world.in_reach(0)
        known = isinstance(near, tuple) and set(near) <= set(things())
        expect(known, "a tuple of the game's things", near, world, "in_reach")
        ordered = list(near) == sorted(set(near))
        expect(ordered, "names in order, each once", near, world, "in_reach")
        stations = world.stations(0)
        expect(set(stations) <= set(near), f"{stations} in reach", near, world, "in_reach")
        sky = world.under_sky(0)
        expect(isinstance(sky, bool), "True or False", sky, world, "under_sky")


@LOOKING.rule
def refuses_bad_boxes(case: WorldCase) -> None:
    """`ask_surroundings` refuses boxes that are empty, too wide or no boxes."""
    case.need("surroundings")
    with case.begun(1) as world:
        for reach in _BAD:
            ask = partial(world.ask_surroundings, 0, reach)
            expect_refusal(ask, (BadValue,), f"the box {reach}", world, "ask_surroundings")
