"""Measure the memory of one world while a player walks in one direction, and whether it stops growing.

    python benchmarks/memory.py [--ticks 36000] [--more 12000] [--view-distance 64] [--seed 0]

A player walks south with real actions: it sprints, jumps over obstacles, swims, and digs through or walks
around blocks that it cannot climb. A frame is drawn in every tick; the player is kept fed and healthy, and
the tools are kept new. The output is the growth of the process's resident memory in megabytes, beginning
before the world is made, and the distance walked.
"""

import argparse
import gc
import os
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

import optimus_gym  # noqa: F401  registers the environments
from optimus_gym.core.actions import (
    ATTACK,
    CAMERA_STILL,
    FORWARD,
    HOTBAR,
    JUMP,
    LEFT,
    PITCH,
    SPRINT,
    noop,
)
from optimus_gym.game.blocks import block_names
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.world import VoxelWorld

PROTOCOL = "jarvis-1-paper"
"""A protocol without monsters, which would end the walk in its first night."""
LINES = 12
"""Number of lines of the report."""
TOOLS = {
    "diamond_pickaxe": (),
    "diamond_axe": ("log",),
    "diamond_shovel": ("dirt", "grass", "sand", "gravel", "clay", "snow"),
}
"""By tool of the walker, words in the names of the blocks that it digs; other blocks get the first tool."""
PITCHES = (0, 50, -30)
"""Pitches in degrees while the walker digs: ahead, at its feet and above its head."""
PATIENCE = 8
"""Ticks without progress before the walker digs."""
DIG = 30
"""Ticks of digging at each pitch; a turn takes up to 8 ticks, a block 8, and 6 pass between two blocks."""
ASIDE = 30
"""Ticks for which the walker steps aside if digging did not help."""
ROUND = 2 * DIG * len(PITCHES) + ASIDE
"""Ticks without progress before the whole routine is repeated."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure a world's memory while a player walks.")
    parser.add_argument("--ticks", type=int, default=36_000)
    parser.add_argument("--more", type=int, default=12_000, help="further ticks, to measure growth")
    parser.add_argument("--view-distance", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    parsed = parser.parse_args()
    arguments = {"resolution": (128, 128), "view_distance": parsed.view_distance}
    Walk(parsed.seed, **arguments).go(200)  # loads the compiled code
    before = resident()
    walk = Walk(parsed.seed, **arguments)
    peak = 0.0
    for part, ticks in (("", parsed.ticks), ("more: ", parsed.more)):
        for number in range(LINES):
            walk.go(ticks // LINES)
            used = resident() - before
            peak = max(peak, used)
            done = (number + 1) * ticks // LINES
            print(f"{part}{done:6d} ticks {walk.way:7.0f} blocks {used:6.1f} MiB", flush=True)
    print(f"highest {peak:.1f} MiB")


def resident() -> float:
    """Return the resident memory of the process now, in MiB."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


class Walk:
    """A player that walks south.

    Args:
        seed: the world's seed.
        arguments: arguments of the environment.
    """

    def __init__(self, seed: int, **arguments: object) -> None:
        self.env = gymnasium.make(
            "OptimusFlat-Diamond-v0",
            disable_env_checker=True,
            ticks=10**9,
            protocol=PROTOCOL,
            **arguments,
        ).unwrapped
        self.env.reset(seed=seed, options={"inventory": dict.fromkeys(TOOLS, 1)})
        world = self.env._view.runtime.world
        assert isinstance(world, VoxelWorld)
        self.world = world
        self._began, self._farthest, self._waited = float(self.player["z"]), -np.inf, 0

    @property
    def worlds(self) -> Worlds:
        """The world's present arrays, which grow with the edits."""
        return self.world.worlds

    @property
    def player(self) -> Any:
        """The player's record in the world's array of players."""
        return self.worlds.players[0]

    @property
    def way(self) -> float:
        """Distance walked south in blocks."""
        return float(self.player["z"]) - self._began

    def go(self, ticks: int) -> None:
        """Walk on for `ticks` ticks."""
        for _ in range(ticks):
            self.player["health"] = self.player["food"] = 20
            self.worlds.slots["damage"] = 0
            self.env.step(self._action())

    def _action(self) -> NDArray[np.int64]:
        south = float(self.player["z"])
        self._waited = 0 if south > self._farthest + 0.05 else self._waited + 1
        self._farthest = max(self._farthest, south)
        action = noop().astype(np.int64)
        action[FORWARD] = action[SPRINT] = 1
        waited = self._waited % ROUND
        aside = waited >= ROUND - ASIDE
        digs = waited > PATIENCE and not aside
        action[LEFT], action[ATTACK], action[HOTBAR] = aside, digs, self._tool()
        action[JUMP] = self.player["in_water"] or (self.player["against_wall"] and not digs)
        wanted = PITCHES[waited // DIG % len(PITCHES)] if digs else 0
        off = (wanted - float(self.player["pitch"])) / 10
        action[PITCH] = CAMERA_STILL + 5 * np.sign(np.round(off))
        return action

    def _tool(self) -> int:
        """Return the hotbar key, 1 to 3, of the tool for the block at the player's aim."""
        x, y, z = (int(self.player[f"aim_{axis}"]) for axis in "xyz")
        name = block_names()[block_at(self.worlds, 0, x, y, z) & BLOCK_MASK]
        fit = [any(word in name for word in words) for words in TOOLS.values()]
        return 1 + (fit.index(True) if any(fit) else 0)


if __name__ == "__main__":
    main()
