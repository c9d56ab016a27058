"""Players in predicaments on generated land, and an agent that only recovers from them.

As a script, this module prints how often and how soon an executor recovers:
python -m tests.controllers.rescue EXECUTOR CASE FIRST_SEED SEEDS
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import gymnasium
import numpy as np

import optimus_gym  # noqa: F401
from optimus_gym.core.actions import noop
from optimus_gym.core.deliberation import Decision, Verdict
from optimus_gym.core.rng import generator
from optimus_gym.core.types import SubGoal
from optimus_gym.game.blocks import block, block_names
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.worlds.voxel.creatures.kinds import CHASES
from optimus_gym.worlds.voxel.creatures.population import add_creature
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.land.window import ensure_area
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS
from optimus_gym.worlds.voxel.world import VoxelWorld

REACH = 40
"""Distance in blocks from the spawn within which a test searches a place for the predicament."""
MIDNIGHT = 18_000
NEAREST, FARTHEST = 3.0, 5.5
"""Distance in blocks between the player and the monsters that attack it."""
KINDS = tuple(creature_kinds())


class Rescuer:
    """Decides to recover, once, and gives up."""

    name, needs, period, judge = "rescuer", frozenset(), None, "inventory"

    def __init__(self) -> None:
        self.predicament, self.outcomes = "hurt", []

    def attach(self, setting) -> None:
        pass

    def begin_episodes(self, situations) -> None:
        self.outcomes = []

    def decide(self, situations):
        goal = SubGoal("recover", self.predicament)
        return [Decision(None if self.outcomes else goal, "it has tried") for _ in situations]

    def watch(self, situations):
        return [Verdict() for _ in situations]

    def ended(self, outcomes) -> None:
        self.outcomes += outcomes

    def finish(self, records) -> None:
        pass


class Idle:
    """A controller that stands still while mining and leaves all other verbs to the helper."""

    privileged, needs, verbs = False, frozenset({"keys"}), frozenset({"mine"})
    looks_at, fixed_batch = (), False

    def attach(self, setting) -> None:
        pass

    def begin_episodes(self, rows, seeds) -> None:
        pass

    def begin_subgoals(self, rows, subgoals) -> None:
        pass

    def act(self, rows, observations, mask):
        return np.tile(noop(), (len(rows), 1)), [None] * len(rows)


class Blind(VoxelWorld):
    """The embedded world without access to its blocks."""

    can = VoxelWorld.can - {"arrays"}


class Land:
    """The first row of an embedded world, for reading and changing blocks."""

    def __init__(self, world, seed: int) -> None:
        self.world, self.random = world, generator(seed, "rescue")
        x, _, z = self.feet()
        ensure_area(world.worlds, 0, float(x), float(z), 3)

    def feet(self) -> tuple[int, int, int]:
        x, y, z = self.world.poses([0])[0, :3].tolist()
        return int(np.floor(x)), int(np.floor(y + 0.02)), int(np.floor(z))

    def kind(self, x: int, y: int, z: int) -> int:
        return int(block_at(self.world.worlds, 0, x, y, z)) & BLOCK_MASK

    def name(self, x: int, y: int, z: int) -> str:
        return block_names()[self.kind(x, y, z)]

    def put(self, x: int, y: int, z: int, name: str) -> None:
        set_block(self.world.worlds, 0, x, y, z, block(name).id)

    def set(self, **values: float) -> None:
        for name, value in values.items():
            self.world.worlds.players[0][name] = value

    def stand_in(self, x: int, y: int, z: int) -> None:
        self.set(x=x + 0.5, y=y, z=z + 0.5, vx=0, vy=0, vz=0, on_ground=1)

    def is_solid(self, x: int, y: int, z: int) -> bool:
        return bool(COLLISION_HEIGHTS[self.kind(x, y, z)] > 0.0)

    def is_free(self, x: int, y: int, z: int) -> bool:
        """Return whether a body has room in a dry cell on solid ground."""
        names = [self.name(x, y + up, z) for up in range(2)]
        bare = all(name in ("air", "cave_air") for name in names)
        return bare and COLLISION_HEIGHTS[self.kind(x, y - 1, z)] == 1.0

    def columns(self):
        """Yield the columns around the player in random order."""
        x, _, z = self.feet()
        near = [(dx, dz) for dx in range(-REACH, REACH + 1) for dz in range(-REACH, REACH + 1)]
        for k in self.random.permutation(len(near)).tolist():
            yield x + near[k][0], z + near[k][1]


def into_water(land: Land) -> bool:
    """Put the player into water at least two blocks deep."""
    for x, z in land.columns():
        if all(land.name(x, y, z) == "water" for y in (62, 61)):
            land.stand_in(x, 60 if land.name(x, 60, z) == "water" else 61, z)
            return True
    return False


def into_open_sea(land: Land) -> bool:
    """Let the player float with twenty blocks of water around it."""
    away = [(dx, dz) for dx in (-20, -10, 0, 10, 20) for dz in (-20, -10, 0, 10, 20)]
    for x, z in land.columns():
        if all(land.name(x + dx, 62, z + dz) == "water" for dx, dz in away):
            land.stand_in(x, 61, z)
            return True
    return False


def as_it_is(land: Land) -> bool:
    """Leave the player at its spawn."""
    return True


def into_pit(land: Land) -> bool:
    """Dig a pit four to six blocks deep and up to three wide, and put the player in."""
    x, y, z = land.feet()
    deep, wide = int(land.random.integers(4, 7)), int(land.random.integers(0, 2))
    for dx in range(-wide, wide + 1):
        for dz in range(-wide, wide + 1):
            for down in range(-2, deep + 1):
                land.put(x + dx, y - down, z + dz, "air")
    if not all(
        COLLISION_HEIGHTS[land.kind(x + dx, y - deep - 1, z + dz)] == 1.0
        for dx in range(-wide, wide + 1)
        for dz in range(-wide, wide + 1)
    ):
        return False
    land.stand_in(x, y - deep, z)
    return True


def into_cave(land: Land) -> bool:
    """Put the player into a cave between heights 20 and 40."""
    for x, z in land.columns():
        for y in land.random.permutation(np.arange(20, 41)).tolist():
            if land.is_free(x, y, z):
                land.stand_in(x, y, z)
                return "drop_down" in land.world.predicaments(0)
    return False


def into_box(*walls: str) -> Callable[[Land], bool]:
    """Shut the player in between walls of one of some kinds."""

    def box(land: Land) -> bool:
        x, y, z = land.feet()
        wall = walls[int(land.random.integers(len(walls)))]
        for dx in range(-2, 3):
            for dz in range(-2, 3):
                for up in range(-1, 4):
                    inner = dx == dz == 0 and up in (0, 1)
                    land.put(x + dx, y + up, z + dz, "air" if inner else wall)
        land.stand_in(x, y, z)
        return True

    return box


def beset_by(kind: str, number: int = 1) -> Callable[[Land], bool]:
    """Add monsters that see the player from some blocks away."""

    def beset(land: Land) -> bool:
        x, y, z = land.feet()
        worlds, left = land.world.worlds, number
        for cx, cz in land.columns():
            if not left or not NEAREST <= np.hypot(cx - x, cz - z) <= FARTHEST:
                continue
            for cy in range(y - 2, y + 3):
                if left and land.is_free(cx, cy, cz):
                    k = add_creature(worlds, 0, KINDS.index(kind), cx + 0.5, float(cy), cz + 0.5)
                    worlds.creatures[0, k]["mood"], worlds.creatures[0, k]["seen"] = CHASES, 100
                    left -= 1
        return not left and "danger" in land.world.predicaments(0)

    return beset


def with_vitals(**values: float) -> Callable[[Land], bool]:
    """Change health or food."""

    def change(land: Land) -> bool:
        land.set(**values)
        return True

    return change


@dataclass(frozen=True)
class Case:
    """A predicament and the function that brings the player into it."""

    predicament: str
    arrange: Callable[[Land], bool]
    options: Mapping[str, Any] = field(default_factory=dict)


CASES = {
    "lake": Case("in_water", into_water),
    "sea": Case("in_water", as_it_is, {"biome": "ocean"}),
    "open_sea": Case("in_water", into_open_sea, {"biome": "ocean"}),
    "pit": Case("drop_down", into_pit),
    "pit_with_dirt": Case("drop_down", into_pit, {"inventory": {"dirt": 12}}),
    "cave": Case("drop_down", into_cave, {"inventory": {"stone_pickaxe": 1, "cobblestone": 9}}),
    "cave_pickaxe": Case("drop_down", into_cave, {"inventory": {"wooden_pickaxe": 1}}),
    "cave_bare": Case("drop_down", into_cave),
    "hurt": Case("hurt", with_vitals(health=9.0)),
    "hurt_badly": Case("hurt", with_vitals(health=4.0)),
    "hurt_bread": Case("hurt", with_vitals(health=4.0, food=12.0), {"inventory": {"bread": 6}}),
    "hurt_bare": Case("hurt", with_vitals(health=4.0, food=12.0)),
    "hungry_bread": Case("hungry", with_vitals(food=3.0), {"inventory": {"bread": 6}}),
    "hungry_bare": Case("hungry", with_vitals(food=3.0)),
    "stuck": Case("stuck", as_it_is),
    "stuck_box": Case("stuck", into_box("dirt", "oak_planks", "sand", "oak_leaves")),
    "stuck_stone": Case("stuck", into_box("stone")),
    "stuck_cave": Case("stuck", into_cave),
    "dawn": Case("night", as_it_is, {"time": 22_800}),
    "night": Case("night", as_it_is, {"time": MIDNIGHT}),
    "zombie": Case("danger", beset_by("zombie"), {"time": MIDNIGHT}),
    "zombies": Case("danger", beset_by("zombie", 3), {"time": MIDNIGHT}),
    "spider": Case("danger", beset_by("spider"), {"time": MIDNIGHT}),
    "skeleton": Case("danger", beset_by("skeleton"), {"time": MIDNIGHT}),
    "creeper": Case("danger", beset_by("creeper"), {"time": MIDNIGHT}),
    "dusk": Case("night", as_it_is, {"time": 13_000}),
}


class Rescue:
    """An environment in which an executor gets the player out of predicaments.

    Args:
        executor: "oracle"; "helper", whose controller cannot recover; or "hands", the helper that may
            not read blocks.
    """

    def __init__(self, executor: str, **arguments: Any) -> None:
        self.agent = Rescuer()
        self.env = gymnasium.make(
            "Optimus-v0",
            task={"item": "diamond"},
            agent=self.agent,
            controller="oracle" if executor == "oracle" else Idle(),
            world=f"{__name__}:Blind" if executor == "hands" else "voxel",
            resolution=(16, 12),
            ticks=30_000,
            subgoal_ticks=12_000,
            max_episode_steps=-1,
            **arguments,
        ).unwrapped

    @property
    def world(self):
        return self.env._view.runtime.world

    def put(self, name: str, seed: int) -> bool:
        """Begin an episode in a case; return whether the land has a place for the case."""
        case = CASES[name]
        self.agent.predicament = case.predicament
        self.env.reset(seed=seed, options=dict(case.options))
        return case.arrange(Land(self.world, seed))

    def outcome(self, name: str, seed: int):
        """Return the outcome of the recovery, or None if the land has no place for the case."""
        if not self.put(name, seed):
            return None
        self.env.step(0)
        return self.agent.outcomes[0]

    def stays_out(self, name: str) -> bool:
        """Return whether the player is still out of its predicament after a second."""
        predicament = CASES[name].predicament
        for _ in range(20):
            self.world.tick([0], noop()[None])
        return predicament not in self.world.predicaments(0)


def measure(executor: str, name: str, first: int, count: int) -> None:
    rescue, ticks, tried, seed, back = Rescue(executor), [], 0, first, 0
    while tried < count:
        outcome = rescue.outcome(name, seed)
        seed += 1
        if outcome is None:
            continue
        tried += 1
        well = outcome.end == "reached"
        if well:
            ticks.append(outcome.ticks)
            back += not rescue.stays_out(name)
        else:
            by = [event.subject for event in rescue.world.events(0) if event.kind == "died"]
            print(f"  {seed - 1}: {outcome.failure} after {outcome.ticks}", *by, flush=True)
    spent = f"{np.mean(ticks):.0f} ticks (to {max(ticks)})" if ticks else "-"
    print(
        f"{executor} {name}: {len(ticks)} of {tried}, {spent}; {back} are in it again", flush=True
    )


if __name__ == "__main__":
    who, names, begin, number = sys.argv[1:]
    for one in names.split(",") if names != "all" else CASES:
        measure(who, one, int(begin), int(number))
