"""Rules about a world's powers (keys, functions, sub-goals, snapshots, overlay), death and a broken world."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial, reduce
from typing import Any, Final

import numpy as np

from optimus_gym.core.actions import CAMERA_DEGREES, FORWARD, PITCH, YAW, Function, noop
from optimus_gym.core.errors import BadValue, WorldFailed
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import Event, Failure, SubGoal
from optimus_gym.envs.reaching import evidence_of
from optimus_gym.envs.world_answers import check_done
from optimus_gym.game.items import item
from optimus_gym.testing.command_contract import OBEYING
from optimus_gym.testing.contract import (
    Contract,
    NotApplicable,
    RuleBroken,
    expect,
    expect_refusal,
)
from optimus_gym.testing.message_contract import TELLING
from optimus_gym.testing.nearby_contract import LOOKING
from optimus_gym.testing.screen_contract import SCREENS
from optimus_gym.testing.world_case import WorldCase
from optimus_gym.testing.world_contract import ANSWERING, FULL_HEALTH
from optimus_gym.testing.world_play import (
    MOST_SUBGOAL_TICKS,
    act,
    call,
    different_answers,
    held_counts,
    keys,
    seen,
    tick_idly,
)

_ABLE: Final = Contract(WorldCase)
PATIENCE: Final = 400
"""Maximum number of ticks for which a test waits for an event that must come."""
_PLANKS: Final = SubGoal("craft", "oak_planks", 4)
_EASY: Final = (SubGoal("mine", "dirt"), _PLANKS, SubGoal("mine", "oak_log"))
"""Easy sub-goals; a world that fails at all of them skips the rules about sub-goals."""
_LOGS: Final = {"oak_log": 2}
"""The player's inventory before the sub-goals of `_EASY`."""
_MADE: Final = {"mine": "picked_up", "craft": "crafted"}
"""By verb, the kind of event that shows that a sub-goal of the verb was reached."""
MANY: Final = 64
"""Number of pieces that no player can get in one tick."""
TABLE: Final = SubGoal("place", "crafting_table")
STAYING: Final = 10
"""Ticks for which a dead player must stay dead."""
WALKED: Final = (0.5, 10.0)
"""Minimum and maximum distance in blocks that a player may walk in 20 ticks."""


@_ABLE.basic
def returns_a_done(case: WorldCase) -> None:
    """`carry_out` returns a `Done`: ticks from 1 to the limit, and a failure with a known reason, or None."""
    case.need("subgoals")
    with case.begun(1) as world:
        for subgoal, limit in (
            (_PLANKS, MOST_SUBGOAL_TICKS),
            (SubGoal("equip", "elytra"), MOST_SUBGOAL_TICKS),
            (replace(_EASY[0], count=MANY), 1),
        ):
            done = world.carry_out(0, subgoal, limit)
            try:
                check_done(type(world).__name__, done, limit)
            except BadValue as error:
                raise RuleBroken(f"{error} after {str(subgoal)!r}") from error


@_ABLE.rule
def reads_its_overlay(case: WorldCase) -> None:
    """With the pictures of `overlay`, hearts, food, air and hotbar can be read from the world's frames."""
    case.need("overlay", "pictures")
    from optimus_gym.vision.hud_reader import HudReader, Stack

    with case.begun(1, inventory={"cobblestone": 17}) as world:
        screen = np.zeros((1, 360, 640, 3), np.uint8)
        world.frames([0], screen)
        shown = HudReader(world.overlay()).read(screen[0])
        vitals = (shown.health, shown.food, shown.air)
        expect(vitals == (20, 20, 10), "20 half-hearts, 20 food, 10 air", vitals, world, "overlay")
        stack = Stack("cobblestone", 17)
        expect(
            stack in shown.hotbar, "17 cobblestone in the hotbar", shown.hotbar, world, "overlay"
        )


@_ABLE.rule
def keys_turn_the_player(case: WorldCase) -> None:
    """Camera actions turn the player to the right and down; without a camera action the direction stays."""
    case.need("keys")
    with case.begun(1) as world:
        *_, yaw, pitch = world.poses([0])[0]
        tick_idly(world)
        still = world.poses([0])[0, 3:].tolist()
        expect(still == [yaw, pitch], f"yaw and pitch of {[yaw, pitch]}", still, world, "tick")
        action = noop()
        action[PITCH], action[YAW] = 9, 8
        world.tick([0], action[None])
        wanted = [(yaw + CAMERA_DEGREES[8]) % 360, pitch + CAMERA_DEGREES[9]]
        turned = world.poses([0])[0, 3:]
        fits = np.allclose(turned, wanted)
        expect(fits, f"yaw and pitch of {wanted}", turned.tolist(), world, "poses")


@_ABLE.rule
def keys_move_the_player(case: WorldCase) -> None:
    """The keys forward and back move the player."""
    case.need("keys")
    with case.begun(1) as world:
        ways = [_walk(world, key) for key in (1, 2)]
        fits = WALKED[0] < max(ways) < WALKED[1]
        expect(fits, f"a way of {WALKED[0]} to {WALKED[1]} blocks", ways, world, "tick")


def _walk(world: Any, key: int) -> float:
    """Walk 20 ticks forward (1) or back (2); return the distance in blocks."""
    before, action = world.poses([0])[0, :3], noop()
    action[FORWARD] = key
    for _ in range(20):
        world.tick([0], action[None])
    return float(np.hypot(*(world.poses([0])[0, :3] - before)[[0, 2]]))


@_ABLE.rule
def functions_count_at_once(case: WorldCase) -> None:
    """`counts` shows in the same tick what an action's function (such as craft) made, used up or placed."""
    case.need("functions")
    with case.begun(1, inventory={"oak_log": 1}) as world:
        call(world, Function.CRAFT, "oak_planks")
        _expect_held(world, {"oak_planks": 4})
        world.reset(0, replace(case.setup, inventory={"furnace": 1, "iron_ore": 1, "coal": 1}))
        call(world, Function.PLACE, "furnace")
        _expect_held(world, {"iron_ore": 1, "coal": 1})
        near = world.stations(0)
        expect("furnace" in near, "the furnace in reach", near, world, "stations")
        call(world, Function.SMELT, "iron_ingot")
        for _ in range(PATIENCE):
            _expect_held(world, {})
            tick_idly(world)
            if any(event.kind == "smelted" for event in world.events(0)):
                break
        _expect_held(world, {"iron_ingot": 1})
        call(world, Function.EQUIP, "iron_ingot")
        hand = world.bodies([0])[0][0, 0]
        expect(hand == item("iron_ingot").id, "the iron ingot in hand", int(hand), world, "bodies")


def _expect_held(world: Any, wanted: Mapping[str, int]) -> None:
    expect(
        held_counts(world) == wanted, f"{dict(wanted)} held", held_counts(world), world, "counts"
    )


@_ABLE.rule
def functions_tell_events(case: WorldCase) -> None:
    """`events` returns the event "crafted" of an action's function only in the action's tick."""
    case.need("functions")
    with case.begun(1, inventory={"oak_log": 2}) as world:
        call(world, Function.CRAFT, "oak_planks")
        made, told = Event("crafted", "oak_planks", 4), world.events(0)
        expect(made in told, f"{made}", told, world, "events")
        tick_idly(world)
        told = world.events(0)
        old = "crafted" in {event.kind for event in told}
        expect(not old, "no event of the tick before", told, world, "events")


@_ABLE.rule
def subgoals_tell_events(case: WorldCase) -> None:
    """After `carry_out`, `events` returns the events of the whole sub-goal, and no earlier event."""
    able = _able(case)
    with case.begun(1, inventory=_LOGS) as world:
        old: Event | None = None
        for subgoal in able:
            world.carry_out(0, subgoal, MOST_SUBGOAL_TICKS)
            told = world.events(0)
            made = Event(_MADE[subgoal.verb], subgoal.item, subgoal.count)
            expect(made in told, f"{made} after {str(subgoal)!r}", told, world, "events")
            expect(old not in told, f"no event before {str(subgoal)!r}", told, world, "events")
            old = made
        tick_idly(world)
        expect(
            world.events(0) == (), "no event in a tick of rest", world.events(0), world, "events"
        )


def _able(case: WorldCase) -> list[SubGoal]:
    """Return the sub-goals of `_EASY` that the world carries out.

    Raises:
        NotApplicable: the world fails at all sub-goals of `_EASY`.
    """
    case.need("subgoals")
    with case.begun(1, inventory=_LOGS) as world:
        able = [one for one in _EASY if world.carry_out(0, one, MOST_SUBGOAL_TICKS).failure is None]
    if not able:
        raise NotApplicable(f"the world fails to carry out {', '.join(map(str, _EASY))}")
    return able


@_ABLE.rule
def tells_what_it_placed(case: WorldCase) -> None:
    """After a world has placed something, `events` has the event "used", which ends a sub-goal "place"."""
    if not case.can & {"functions", "subgoals"}:
        raise NotApplicable("the world declares neither the power 'functions' nor 'subgoals'")
    with case.begun(1, inventory={TABLE.item: 1}) as world:
        if "subgoals" in world.can:
            failure = world.carry_out(0, TABLE, MOST_SUBGOAL_TICKS).failure
        else:
            call(world, Function.PLACE, TABLE.item)
            failure = Failure("stuck") if held_counts(world) else None
        if failure is not None:
            raise NotApplicable(f"the world did not place a {TABLE.item}: {failure}")
        told = world.events(0)
        used = any(event.kind == "used" and event.subject == TABLE.item for event in told)
        expect(used, evidence_of(TABLE), told, world, "events")


@_ABLE.rule
def subgoals_are_done(case: WorldCase) -> None:
    """`carry_out` returns no failure only if the state shows the sub-goal as reached."""
    able = _able(case)
    with case.begun(1, inventory=_LOGS) as world:
        for subgoal in able:
            before = held_counts(world).get(subgoal.item, 0)
            world.carry_out(0, subgoal, MOST_SUBGOAL_TICKS)
            gained = held_counts(world).get(subgoal.item, 0) - before
            came = f"{gained} more of it after {str(subgoal)!r}"
            expect(gained >= subgoal.count, evidence_of(subgoal), came, world, "carry_out")
        lacking = SubGoal("equip", "iron_boots")
        done = world.carry_out(0, lacking, MOST_SUBGOAL_TICKS)
        failed = isinstance(done.failure, Failure)
        expect(failed, f"a failure of {str(lacking)!r} without boots", done, world, "carry_out")


@_ABLE.rule
def subgoals_keep_their_limit(case: WorldCase) -> None:
    """A sub-goal that needs more ticks than its limit ends at the limit with the failure "timeout"."""
    many = replace(_able(case)[0], count=MANY)
    with case.begun(1) as world:
        late = world.carry_out(0, many, 1)
        expect(late.ticks == 1, "1 tick within a limit of 1", late.ticks, world, "carry_out")
        reason = None if late.failure is None else late.failure.reason
        wanted = f"the failure 'timeout' of {str(many)!r} within 1 tick"
        expect(reason == "timeout", wanted, reason, world, "carry_out")


@_ABLE.rule
def undeclared_keys_do_nothing(case: WorldCase) -> None:
    """In a world without the power "keys", pressed keys and functions change no item."""
    case.need("subgoals")
    if "keys" in case.can:
        raise NotApplicable("the rule is for worlds without the power 'keys'")
    with case.begun(1) as world:
        before = held_counts(world)
        world.tick([0], keys(0, True)[None])
        expect(
            held_counts(world) == before,
            "the same items after a tick",
            held_counts(world),
            world,
            "tick",
        )


@_ABLE.rule
def death_lasts(case: WorldCase) -> None:
    """A dead player stays dead until a reset, and begins the next episode like a new player."""
    with _dying(case) as world:
        before = seen(world, 1)
        _die(world)
        for _ in range(STAYING):
            alive = world.alive([0, 1]).tolist()
            expect(alive == [True, False], "row 1 dead, row 0 alive", alive, world, "alive")
            tick_idly(world, (0, 1))
        world.reset(1, case.deadly)
        found = different_answers(before, seen(world, 1))
        expect(not found, "an episode as before the death", f"other {found}", world, "reset")


@_ABLE.rule
def respawns_the_dead_alone(case: WorldCase) -> None:
    """`respawn` gives a dead player full health, and rejects a player that lives."""
    case.need("respawn")
    with _dying(case) as world:
        before = seen(world, 1)
        respawn = partial(world.respawn, 1)
        expect_refusal(respawn, (BadValue,), "a player that lives", world, "respawn")
        found = different_answers(before, seen(world, 1))
        expect(not found, "no change by a refused call", f"other {found}", world, "respawn")
        _die(world)
        world.respawn(1)
        alive, health = bool(world.alive([1])[0]), float(world.bodies([1])[1][0, 0])
        expect(alive, "a player that lives", "a dead player", world, "respawn")
        expect(health == FULL_HEALTH, f"health of {FULL_HEALTH}", health, world, "respawn")


@contextmanager
def _dying(case: WorldCase) -> Iterator[Any]:
    """Make a world of two rows; the player of row 1 is about to die."""
    case.need("keys")
    with case.begun(2) as world:
        world.reset(1, case.deadly)
        yield world


def _die(world: Any) -> None:
    """Press no key until the player of row 1 is dead."""
    for _ in range(PATIENCE):
        tick_idly(world, (1,))
        if not world.alive([1])[0]:
            return
    expect(False, f"a death within {PATIENCE} ticks of the deadly setup", "none", world, "alive")


@_ABLE.rule
def snapshots_go_on_alike(case: WorldCase) -> None:
    """A snapshot restored into any row shows the saved state and goes on as the saved row did."""
    case.need("snapshots")
    with case.begun(2) as world:
        act(world, [0], 0)
        saved, then = world.snapshot(0), seen(world, 0)
        for step in range(1, case.steps):
            act(world, [0], step)
        expected = seen(world, 0)
        world.reset(1, replace(case.setup, seed=9, inventory={"stone": 3}))
        for row in (1, 0):
            world.restore(row, Snapshot.from_bytes(saved.to_bytes()))
            found = different_answers({**then, "events": ()}, {**seen(world, row), "events": ()})
            expect(not found, "the saved state", f"other {found}", world, "restore")
            for step in range(1, case.steps):
                act(world, [row], step)
            found = different_answers(expected, seen(world, row))
            expect(not found, "the saved row's future", f"other {found}", world, "restore")


@_ABLE.rule
def refuses_foreign_snapshots(case: WorldCase) -> None:
    """A world rejects a snapshot of another world or layout, or without an array, and does not change."""
    case.need("snapshots")
    with case.begun(2) as world:
        act(world, [0], 0)
        saved, still = world.snapshot(0), seen(world, 1)
        for what, foreign in (
            ("another world's snapshot", Snapshot("another", saved.layout, saved.parts)),
            ("a snapshot of another layout", Snapshot(saved.world, "another", saved.parts)),
            ("a snapshot without its last part", replace(saved, parts=saved.parts[:-1])),
        ):
            restore = partial(world.restore, 1, foreign)
            expect_refusal(restore, (BadValue,), what, world, "restore")
            found = different_answers(still, seen(world, 1))
            expect(not found, f"no change by {what}", f"other {found}", world, "restore")


CONTRACT: Final = reduce(
    Contract.followed_by, (ANSWERING, _ABLE, SCREENS, OBEYING, TELLING, LOOKING)
)
"""All rules of worlds."""


def check_breakdown(make: Callable[[int], Any], row: int, tick: int) -> None:
    """Check that a world which breaks down in a known tick reports the broken row, and that other rows go on.

    Args:
        make: a function that makes the world from the number of rows.
        row: the row that breaks down, 0 to 2.
        tick: the tick in which the row breaks down; the first is 1.

    Raises:
        RuleBroken: the world reports other rows or no reason, or another row does not go on.
    """
    case, others = WorldCase.of(make), [k for k in range(3) if k != row]
    with case.begun(3) as world, case.begun(3) as sound:
        for step in range(tick + 2):
            reasons: Mapping[int, str] = {}
            try:
                act(world, [0, 1, 2], step)
            except WorldFailed as failed:
                reasons = failed.reasons
            act(sound, others, step)
            wanted = {row} if step + 1 >= tick else set()
            named = set(reasons) == wanted and all(reasons.values())
            expect(named, f"reasons of the rows {wanted} in step {step}", reasons, world, "tick")
            for other in others:
                found = different_answers(seen(world, other), seen(sound, other))
                expect(not found, f"row {other} to go on", f"other {found}", world, "tick")
        world.reset(row, case.setup)
        sound.reset(row, case.setup)
        found = different_answers(seen(world, row), seen(sound, row))
        expect(not found, "a sound row after a reset", f"other {found}", world, "reset")
