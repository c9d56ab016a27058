"""Rules of every world: its declarations, results of queries, frames, repeatability, resets."""

from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.interfaces import World
from optimus_gym.core.types import Sight
from optimus_gym.core.world_powers import POWERS
from optimus_gym.envs.world_answers import check_events, check_row
from optimus_gym.testing.contract import (
    Contract,
    RuleBroken,
    expect,
    expect_members,
    expect_refusal,
)
from optimus_gym.testing.world_case import METHODS, WorldCase
from optimus_gym.testing.world_play import (
    ANSWERS,
    SIZE,
    act,
    answers,
    are_equal,
    different_answers,
    frames_over,
    global_draws,
    held_counts,
    seen,
)

ANSWERING: Final = Contract(WorldCase)
ACTING: Final = frozenset({"keys", "mouse", "subgoals"})
"""Powers that let a player act; a world has at least one of these powers."""
ARRAYS: Final = "worlds"
"""The member that the power "arrays" requires, the only required member that is no method."""
MOST_COLOURS_OF_NOTHING: Final = 20
"""Maximum number of different pixel values (0 to 255) in a frame that counts as empty."""
FULL_HEALTH: Final = 20.0


class _WithoutEvents:
    """A wrapper that hides a world's events, for rules that do not check events."""

    def __init__(self, world: Any) -> None:
        self._world = world

    def __getattr__(self, name: str) -> Any:
        return getattr(self._world, name)

    def events(self, row: int) -> tuple[Any, ...]:
        """Return no event."""
        return ()


@ANSWERING.basic
def can_be_made(case: WorldCase) -> None:
    """A world can be made with two rows, and its `count` is then 2."""
    world = case.make(2)
    count = getattr(world, "count", None)
    expect(count == 2, "2 rows", f"{count!r}", world, "count")


@ANSWERING.basic
def declares_known_powers(case: WorldCase) -> None:
    """A world declares powers that exist, and at least one that lets a player act."""
    world = case.make(1)
    can = getattr(world, "can", None)
    expect(isinstance(can, frozenset), "a frozenset of powers", can, world, "can")
    unknown = sorted(set(can or ()) - set(POWERS), key=str)
    expect(not unknown, f"powers of {', '.join(POWERS)}", unknown, world, "can")
    able = set(can or ()) & ACTING
    expect(able, f"one of the powers {', '.join(sorted(ACTING))}", "none of them", world, "can")


@ANSWERING.basic
def has_all_members(case: WorldCase) -> None:
    """A world has all methods and attributes of `World`, and those of its powers."""
    world = case.make(1)
    expect_members(world, World)
    for power in sorted(world.can):
        for member in METHODS.get(power, ()):
            found = (
                hasattr(world, member) if member == ARRAYS else callable(getattr(world, member, 0))
            )
            expect(
                found, f"{member!r}, as it declares the power {power!r}", "no such member", world
            )


@ANSWERING.basic
def names_its_options_and_biomes(case: WorldCase) -> None:
    """A world names its options and at least one biome."""
    world = case.make(1)
    for member in ("options", "biomes"):
        names = getattr(world, member)
        fits = isinstance(names, tuple) and all(isinstance(name, str) for name in names)
        expect(fits, "a tuple of names", names, world, member)
    expect(world.biomes, "at least one biome", "none", world, "biomes")


@ANSWERING.basic
def answers_have_their_types(case: WorldCase) -> None:
    """In every tick, queries return the types, shapes and ranges that the protocol `World` demands."""
    with case.begun(1) as world:
        for step in range(case.steps):
            try:
                check_row(type(world).__name__, _WithoutEvents(world), world.can, 0)
            except BadValue as error:
                raise RuleBroken(str(error)) from error
            act(world, [0], step)


@ANSWERING.basic
def events_exist(case: WorldCase) -> None:
    """In every tick, each event has a known kind, a known subject and a count."""
    with case.begun(1) as world:
        for step in range(case.steps):
            act(world, [0], step)
            try:
                check_events(type(world).__name__, world.events(0), 0)
            except BadValue as error:
                raise RuleBroken(str(error)) from error


@ANSWERING.basic
def begins_an_episode(case: WorldCase) -> None:
    """A world begins an episode with the inventory and the biome of the setup, and with full health."""
    with case.begun(1) as world:
        expect(
            held_counts(world) == dict(case.setup.inventory),
            "the setup's items",
            held_counts(world),
            world,
            "reset",
        )
        alive, health = world.alive([0])[0], float(world.bodies([0])[1][0, 0])
        expect(alive and health == FULL_HEALTH, "a player in full health", health, world, "reset")
        biome, wanted = world.biome(0), case.setup.biome
        expect(biome in (None, wanted), f"the biome {wanted} or None", biome, world, "biome")
        expect(world.events(0) == (), "no event after a reset", world.events(0), world, "events")


@ANSWERING.rule
def answers_many_rows_as_each_alone(case: WorldCase) -> None:
    """A query for many rows returns what queries for each row return, in the order of the rows."""
    with case.begun(3) as world:
        act(world, [0, 1], 0)
        act(world, [1], 1)
        for rows in ([2, 0], (1,), np.arange(3), []):
            single = [answers(world, [int(row)]) for row in rows]
            for k, (answer, (name, shape, dtype)) in enumerate(
                zip(answers(world, rows), ANSWERS, strict=True)
            ):
                wanted = f"{np.dtype(dtype)}{[len(rows), *shape]} of {name} for rows {list(rows)}"
                came = f"{answer.dtype}{list(answer.shape)}"
                fits = answer.shape == (len(rows), *shape) and answer.dtype == dtype
                expect(fits, wanted, came, world)
                for row, (mine, alone) in enumerate(zip(answer, single, strict=True)):
                    same = np.array_equal(mine, alone[k][0])
                    expect(same, f"{name} of row {rows[row]} as alone", "another answer", world)


@ANSWERING.rule
def returned_arrays_are_new(case: WorldCase) -> None:
    """A world never changes an array that it has returned; writing into the array changes no world."""
    rows = [0, 1, 2]
    with case.begun(3) as world:
        act(world, [0, 1], 0)
        kept = answers(world, rows)
        copies = tuple(answer.copy() for answer in kept)
        for first, second, (name, *_) in zip(kept, answers(world, rows), ANSWERS, strict=True):
            expect(not np.shares_memory(first, second), f"a new array of {name}", "the same", world)
        for answer in answers(world, rows):
            answer[...] = answer == 0
        same = are_equal(answers(world, rows), copies)
        expect(same, "arrays that are the caller's", "arrays that hold the world's state", world)
        act(world, rows, 2)
        expect(are_equal(kept, copies), "arrays that stay as they are", "changed arrays", world)


@ANSWERING.rule
def answers_make_sense(case: WorldCase) -> None:
    """No count is below 0, worn items count as held, yaw is 0 to 360 degrees and pitch -90 to 90."""
    with case.begun(3) as world:
        act(world, [0, 1], 0)
        act(world, [1], 1)
        counts, equipment, _, poses, _ = answers(world, range(3))
        expect((counts >= 0).all(), "counts of at least 0", int(counts.min()), world, "counts")
        expect(not counts[:, 0].any(), "no air, which is no item", "air", world, "counts")
        worn = np.take_along_axis(counts, equipment.astype(np.int64), 1)
        held_too = ((worn > 0) | (equipment == 0)).all()
        expect(held_too, "worn items among the held ones", "other items", world, "bodies")
        yaws, pitches = poses[:, 3], poses[:, 4]
        turned = ((yaws >= 0) & (yaws < 360)).all()
        expect(turned, "yaw of 0 to 360 degrees", yaws.tolist(), world, "poses")
        expect(
            (np.abs(pitches) <= 90).all(), "pitch of -90 to 90", pitches.tolist(), world, "poses"
        )


@ANSWERING.rule
def draws_whole_frames(case: WorldCase) -> None:
    """`frames` draws every pixel, and each row's frame is the same alone as together with other rows."""
    with case.begun(2) as world:
        act(world, [1], 0)
        both = frames_over(world, [1, 0], fill=7)
        whole = np.array_equal(both, frames_over(world, [1, 0], fill=200))
        expect(whole, "frames that cover what the array held", "pixels left out", world, "frames")
        alone = [frames_over(world, [row])[0] for row in range(2)]
        expect(np.array_equal(both[::-1], alone), "each row's own frame", "others", world, "frames")


@ANSWERING.rule
def shows_something(case: WorldCase) -> None:
    """A world with pictures shows more than one colour."""
    case.need("pictures")
    with case.begun(1) as world:
        values = len(np.unique(frames_over(world, [0])))
        enough = values > MOST_COLOURS_OF_NOTHING
        wanted = f"pixels of more than {MOST_COLOURS_OF_NOTHING} values"
        expect(enough, wanted, f"{values} values", world, "frames")


@ANSWERING.rule
def lists_sights_by_size(case: WorldCase) -> None:
    """`sights` lists things with at least one pixel, those with most pixels first."""
    case.need("sights")
    with case.begun(1) as world:
        sights = world.sights(0, SIZE[::-1])
        fits = all(isinstance(sight, Sight) and sight.pixels > 0 for sight in sights)
        expect(fits, "sights of at least one pixel", sights, world, "sights")
        ordered = list(sights) == sorted(sights, key=lambda one: (-one.pixels, one.name))
        expect(ordered, "most pixels first, then names", sights, world, "sights")


@ANSWERING.rule
def repeats_itself(case: WorldCase) -> None:
    """The same seed and actions give the same results, also in another world, row or episode."""
    history = []
    with case.begun(1) as world:
        for step in range(case.steps):
            act(world, [0], step)
            history.append(seen(world, 0))
    with case.begun(3) as world:
        world.reset(0, replace(case.setup, seed=case.setup.seed + 1))
        for step, expected in enumerate(history):
            act(world, [2, 0], step)
            found = different_answers(expected, seen(world, 2))
            expect(not found, "the same answers again", f"other {found} in step {step}", world)


@ANSWERING.rule
def draws_from_its_own_generators(case: WorldCase) -> None:
    """A world never draws from the global generators of Python and NumPy."""
    before = global_draws()
    with case.begun(1) as world:
        for step in range(case.steps):
            act(world, [0], step)
        same = global_draws() == before
        expect(same, "global generators that stay as they are", "other states of them", world)


@ANSWERING.rule
def rows_stand_still(case: WorldCase) -> None:
    """A row's state does not change while only other rows tick."""
    with case.begun(3) as world:
        before = seen(world, 1)
        for step in range(case.steps):
            act(world, [0, 2], step)
        found = different_answers(before, seen(world, 1))
        expect(not found, "a row that stands still", f"other {found}", world, "tick")


@ANSWERING.rule
def rows_are_independent(case: WorldCase) -> None:
    """A row goes on in the same way, whichever other rows tick."""
    with case.begun(3) as world:
        for step in range(case.steps):
            act(world, [0, 2], step)
        for step in range(case.steps):
            act(world, [1], step)
        found = different_answers(seen(world, 0), seen(world, 1))
        expect(not found, "the same answers of a row that ticked alone", f"other {found}", world)


@ANSWERING.rule
def queries_change_nothing(case: WorldCase) -> None:
    """Queries change neither the results of the next queries nor the ticks that follow."""
    with case.begun(2) as world:
        for step in range(case.steps):
            act(world, [0, 1], step)
            found = different_answers(seen(world, 0), seen(world, 0))
            expect(not found, "the same answers to a second query", f"other {found}", world)
        found = different_answers(seen(world, 0), seen(world, 1))
        expect(not found, "a row that queries do not change", f"other {found}", world)


@ANSWERING.rule
def a_reset_leaves_nothing(case: WorldCase) -> None:
    """An episode after a reset is the same as an episode in a new world."""
    with case.begun(2) as world:
        for step in range(case.steps):
            act(world, [0], step)
        world.reset(0, replace(case.setup, seed=77, inventory={"stone": 3}))
        expect(
            held_counts(world) == {"stone": 3}, "3 stone held", held_counts(world), world, "reset"
        )
        world.reset(0, case.setup)
        found = different_answers(seen(world, 0), seen(world, 1))
        expect(not found, "an episode as in a new row", f"other {found}", world, "reset")
        act(world, [0, 1], 0)
        found = different_answers(seen(world, 0), seen(world, 1))
        expect(not found, "a first tick as in a new row", f"other {found}", world, "reset")


@ANSWERING.rule
def refuses_bad_setups(case: WorldCase) -> None:
    """A world rejects a setup that it cannot use, and its state does not change."""
    with case.begun(2) as world:
        act(world, [0, 1], 0)
        for setup in case.bad_setups:
            reset = partial(world.reset, 0, setup)
            expect_refusal(reset, (BadValue, UnknownName), str(setup), world, "reset")
            found = different_answers(seen(world, 0), seen(world, 1))
            expect(not found, f"no change by the refused {setup}", f"other {found}", world, "reset")
        act(world, [0, 1], 1)
        found = different_answers(seen(world, 0), seen(world, 1))
        expect(not found, "a tick as without refusals", f"other {found}", world, "reset")


@ANSWERING.rule
def closes_at_any_time(case: WorldCase) -> None:
    """A world can be closed before its first episode, and twice."""
    case.make(1).close()
    with case.begun(2) as world:
        act(world, [0], 0)
        world.close()
