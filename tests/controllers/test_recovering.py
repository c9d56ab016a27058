"""Executors recover from predicaments, in environments on generated land and on flat land.

The shares of the slow test are those of `python -m tests.controllers.rescue EXECUTOR CASE 411000 20`, less a
margin.
"""

from functools import cache

import pytest

from optimus_gym.controllers.script import limited
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.types import SubGoal
from optimus_gym.worlds.voxel.predicaments import predicaments_of
from tests.controllers.play import FlatWorld, Play, act
from tests.controllers.rescue import CASES, Land, Rescue
from tests.worlds.flat import FEET

FIRST = 410_000
EXECUTORS = ("oracle", "helper", "hands")
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
rescue = cache(Rescue)


def outcomes(executor, case, count):
    """Return the outcomes of `count` recoveries, each on different land."""
    found, seed = [], FIRST
    while len(found) < count:
        outcome = rescue(executor).outcome(case, seed)
        found += [outcome] if outcome is not None else []
        seed += 1
    return found


def test_every_predicament_has_a_case():
    assert {case.predicament for case in CASES.values()} == set(PREDICAMENTS)


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize(
    "case",
    [
        "lake",
        "pit",
        "pit_with_dirt",
        "hurt_bread",
        "hungry_bread",
        "stuck",
        "stuck_box",
        "zombies",
        "skeleton",
    ],
)
def test_a_recovery_succeeds(executor, case):
    (outcome,) = outcomes(executor, case, 1)
    assert outcome.end == "reached", outcome.failure
    assert outcome.subgoal.item == CASES[case].predicament


@pytest.mark.parametrize("executor", EXECUTORS)
def test_the_player_stands_behind_blocks_when_the_night_ends(executor):
    (outcome,) = outcomes(executor, "dawn", 1)
    assert (outcome.end, outcome.ticks) == ("reached", 700)
    land = Land(rescue(executor).world, 0)
    x, y, z = land.feet()
    assert all(land.is_solid(x + dx, y + up, z + dz) for dx, dz in SIDES for up in (0, 1))
    assert land.is_solid(x, y + 2, z)


def test_the_oracle_hunts_without_food_and_the_helper_reports_the_lack():
    for case in ("hungry_bare", "hurt_bare"):
        (hunted,) = outcomes("oracle", case, 1)
        assert hunted.end == "reached", hunted.failure
        (lacking,) = outcomes("helper", case, 1)
        assert (lacking.failure.reason, lacking.ticks) == ("missing_item", 1)


SHARES = {
    "oracle": {"cave_bare": 3, "hungry_bare": 5},
    "helper": {"cave": 4, "cave_pickaxe": 4, "spider": 4},
    "hands": {"cave": 4, "cave_pickaxe": 3, "sea": 4, "open_sea": 4, "zombies": 4},
}
"""Required recoveries out of six; all other cases need six from the oracle, five from the helper."""
HELPLESS = {"cave_bare", "hurt_bare", "hurt_badly", "hungry_bare"}
"""Cases without a way out for the helper: no food, or too slow with bare hands."""
TRIED = [
    (executor, case)
    for executor in EXECUTORS
    for case in sorted(CASES)
    if executor == "oracle" or case not in HELPLESS
]


@pytest.mark.slow
@pytest.mark.parametrize(("executor", "case"), TRIED)
def test_recoveries_succeed_as_often_as_before(executor, case):
    ends = [outcome.end for outcome in outcomes(executor, case, 6)]
    least = SHARES[executor].get(case, 6 if executor == "oracle" else 5)
    assert ends.count("reached") >= least


class Reporting(FlatWorld):
    """The flat world with reports of predicaments."""

    can = FlatWorld.can | {"predicaments"}

    def predicaments(self, row):
        return predicaments_of(self.worlds, row)


def pool(half=6, deep=3):
    """Return a world whose player floats in the middle of still water, level with the ground."""
    flat = Reporting("dirt")
    for x in range(-half, half + 1):
        for z in range(-half, half + 1):
            for y in range(FEET - deep, FEET):
                flat.put(x, y, z, "water")
    flat.set(y=FEET - 2, in_water=1)
    return flat


def carried_out(controller, world, predicament, most=3000):
    """Let a controller recover, and yield after each tick of the world."""
    controller.begin_subgoals([0], [SubGoal("recover", predicament)])
    for _ in range(most):
        actions, failures = act(controller)
        assert failures[0] is None, failures[0]
        if controller.has_ended(0):
            return
        world.tick([0], actions)
        yield
    raise AssertionError("it had not ended")


@pytest.mark.parametrize("executor", ["helper", "oracle"])
def test_a_swimmer_leaves_the_water_only_onto_the_bank(executor):
    flat = pool()
    for _ in carried_out(getattr(Play(flat), executor), flat, "in_water"):
        assert flat.in_water or max(abs(flat.x - 0.5), abs(flat.z - 0.5)) > 5.5
    assert not flat.in_water
    assert flat.y >= FEET


def shaft(above):
    """Return a world whose player holds dirt in a closed shaft under the block `above`."""
    flat = Reporting()
    for y in range(FEET - 4, FEET):
        flat.put(0, y, 0, "air")
    flat.put(0, FEET, 0, "dirt")
    flat.put(0, FEET + 1, 0, above)
    flat.set(y=FEET - 4)
    flat.give(0, "dirt", 8)
    flat.give(1, "iron_pickaxe")
    return flat


@pytest.mark.parametrize("executor", ["helper", "oracle"])
def test_the_player_climbs_out_of_a_shaft_past_lava(executor):
    flat = shaft("lava")
    for _ in carried_out(getattr(Play(flat), executor), flat, "drop_down"):
        assert not flat.in_lava
    assert flat.health == 20
    assert flat.at(0, FEET, 0) == "dirt"
    assert predicaments_of(flat.worlds, 0) == frozenset()


@pytest.mark.parametrize("executor", ["helper", "oracle"])
@pytest.mark.parametrize("predicament", ["in_water", "boredom"])
def test_an_unknown_predicament_fails_for_lack_of_a_skill(executor, predicament):
    flat = FlatWorld()
    controller = getattr(Play(flat), executor)
    controller.begin_subgoals([0], [SubGoal("recover", predicament)])
    _, (failure,) = act(controller)
    assert failure.reason == "no_skill"
    assert predicament in failure.detail


def test_a_recovery_from_hunger_needs_no_report_of_the_world():
    flat = FlatWorld()
    flat.set(food=4)
    flat.worlds.rules["survival"] = 1
    flat.give(0, "bread", 3)
    play = Play(flat)
    assert play.run(SubGoal("recover", "hungry"), 400) is None
    assert flat.food >= 10


def test_a_script_that_takes_too_long_fails():
    def forever():
        while True:
            yield None

    script, ticks = limited(forever(), 7, "boredom"), 0
    while True:
        try:
            next(script)
        except StopIteration as end:
            failure = end.value
            break
        ticks += 1
    assert (ticks, failure.reason) == (7, "stuck")
    assert "boredom lasts longer than 7 ticks" in failure.detail
