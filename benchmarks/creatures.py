"""Measure a tick without a frame with 0, 50 and 200 creatures, and a frame with 0 and 20 in view.

    python benchmarks/creatures.py [--ticks 4000] [--rounds 7]

The world is a seed's plains at night; the player rests and is kept alive. Eight of the creatures are
monsters, the others animals. Monsters push the player away, so the player is put back every second: otherwise
half the creatures would soon be outside the living area and cost nothing. The output is the least mean of the
rounds in microseconds, and the number of living creatures. "Without" is a world without creatures. "0" is a
world on peaceful difficulty in which creatures are enabled, but none live.
"""

import argparse
import time

import numpy as np
from crowd import gather
from numpy.typing import NDArray

from optimus_gym.core.actions import noop
from optimus_gym.core.types import Setup
from optimus_gym.worlds.voxel.world import VoxelWorld

ROW = np.zeros(1, np.int64)
NIGHT = 14_000
SEED = 5
COUNTS = (0, 50, 200)
IN_VIEW = 20
PLACE = ("x", "y", "z", "vx", "vy", "vz")
LIVING = 3 * 16
"""Radius in blocks of the area where creatures always live, wherever the player is in its chunk."""
STRETCH = 20
"""Ticks between two healings of the player: fewer than a creeper's fuse has."""


def main() -> None:
    """Measure ticks and frames with each number of creatures, and print a table."""
    parser = argparse.ArgumentParser(description="Measure the cost of creatures.")
    parser.add_argument("--ticks", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=7)
    parsed = parser.parse_args()
    worlds = {"without": _world(None), **{str(count): _world(count) for count in COUNTS}}
    seen = {"0 in view": _world(0), f"{IN_VIEW} in view": _world(IN_VIEW, ahead=True)}
    ticks = {name: [] for name in worlds}
    frames = {name: [] for name in seen}
    for _ in range(parsed.rounds):
        for name, world in worlds.items():
            ticks[name].append(_tick(world, parsed.ticks))
        for name, world in seen.items():
            frames[name].append(_frame(world, parsed.ticks // 8))
    for name, found in ticks.items():
        print(
            f"tick, creatures {name:>8}: {min(found):7.1f} us, median {np.median(found):7.1f}; "
            f"{_living(worlds[name])} live"
        )
    for name, found in frames.items():
        print(f"frame 128x128, {name:>10}: {min(found):7.1f} us, median {np.median(found):7.1f}")


def _world(count: int | None, ahead: bool = False) -> VoxelWorld:
    """Return a world with `count` creatures; None: a world without creatures."""
    world = VoxelWorld(1)
    setup = Setup(seed=SEED, biome="plains", time=NIGHT, creatures=count is not None)
    world.reset(0, setup)
    world.tick(ROW, noop()[None])
    if count is not None:
        world.worlds.rules["difficulty"] = 2 if count else 0
        gather(world.worlds, count, count if ahead else 0)
    return world


def _hold(world: VoxelWorld, place: tuple[float, ...]) -> None:
    """Heal the player and put it back in its place; keep creepers from exploding."""
    players = world.worlds.players
    players["health"] = 20
    for name, value in zip(PLACE, place, strict=True):
        players[name] = value
    world.worlds.creatures["fuse"] = 0


def _living(world: VoxelWorld) -> int:
    """Return the number of creatures in the living area around the player."""
    player, count = world.worlds.players[0], int(world.worlds.fauna["creatures"][0])
    creatures = world.worlds.creatures[0, :count]
    far = np.maximum(abs(creatures["x"] - player["x"]), abs(creatures["z"] - player["z"]))
    return int(np.count_nonzero((far < LIVING) & (creatures["health"] > 0)))


def _tick(world: VoxelWorld, ticks: int) -> float:
    """Return the mean microseconds of a tick."""
    action = noop()[None]
    spent = 0.0
    place = tuple(float(world.worlds.players[name][0]) for name in PLACE)
    for _ in range(ticks // STRETCH):
        world.worlds.skies["time"] = NIGHT
        _hold(world, place)
        begun = time.perf_counter()
        for _ in range(STRETCH):
            world.tick(ROW, action)
        spent += time.perf_counter() - begun
    return spent / (ticks // STRETCH * STRETCH) * 1e6


def _frame(world: VoxelWorld, frames: int) -> float:
    image: NDArray[np.uint8] = np.zeros((128, 128, 3), np.uint8)
    world.frames([0], image[None])
    begun = time.perf_counter()
    for _ in range(frames):
        world.frames([0], image[None])
    return (time.perf_counter() - begun) / frames * 1e6


if __name__ == "__main__":
    main()
