"""Measure nights in the open: how often a still player is hurt, compared with the game's rules.

    python benchmarks/nights.py [--seeds 40] [--first 300000] [--rules 20]

Each seed's plains are played once on normal difficulty, from 13,000 to 23,000 ticks of the day. The player
stands on the most open place near its start and presses no key. The output is the share of seeds where the
player is hurt, the first tick and the cause. Then the same figures follow for several nights for each seed by
the game's rules alone, on even land without hiding places (`night_rules.py`).
"""

import argparse
from dataclasses import dataclass

import numpy as np
from night_packs import packs_of
from night_rules import KINDS, Pack, expect

from optimus_gym.core.actions import noop
from optimus_gym.core.intervals import wilson
from optimus_gym.core.types import Setup
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS, FLUIDS, OPAQUE
from optimus_gym.worlds.voxel.world import VoxelWorld

ROW = np.zeros(1, np.int64)
BEGINS, ENDS = 13_000, 23_000
AROUND = 8
"""Radius in columns of the open land around the player."""
SEARCHED = 20
"""Radius in columns of the search for a place."""


@dataclass(frozen=True)
class Night:
    """The outcome of a seed's night in the open.

    Attributes:
        hurt: ticks until the player's first hurt; None: no hurt.
        by: the cause of the first hurt; "": no hurt.
        dead: ticks until the player's death; None: it survived.
        packs: a sample of the packs that the rules spawn in this land at midnight.
    """

    hurt: int | None
    by: str
    dead: int | None
    packs: list[Pack]


def play(world: VoxelWorld, seed: int) -> Night:
    """Let the player of a seed stand in the open for a night."""
    world.reset(
        0, Setup(seed=seed, biome="plains", time=BEGINS, creatures=True, difficulty="normal")
    )
    world.tick(ROW, noop()[None])
    stand_in_the_open(world)
    world.tick(ROW, noop()[None])
    packs = packs_of(world.worlds, seed)
    hurt, by = None, ""
    for tick in range(ENDS - BEGINS):
        world.tick(ROW, noop()[None])
        found = [event.subject for event in world.events(0) if event.kind == "hurt"]
        if found and hurt is None:
            hurt, by = tick, found[0]
        if not world.alive(ROW)[0]:
            return Night(hurt, by, tick, packs)
    return Night(hurt, by, None, packs)


def stand_in_the_open(world: VoxelWorld) -> None:
    """Put the player on the nearby place with the most even and open land around it."""
    worlds, player = world.worlds, world.worlds.players[0]
    reach = AROUND + SEARCHED
    x0, z0 = int(player["x"]) - reach, int(player["z"]) - reach
    width = worlds.voxels.shape[1]
    xs, zs = ((low + np.arange(2 * reach + 1)) % width for low in (x0, z0))
    blocks = worlds.voxels[0][np.ix_(xs, zs)] & BLOCK_MASK
    heights = np.arange(blocks.shape[-1])
    ground = np.where(OPAQUE[blocks] > 0, heights, -1).max(-1)
    covered = np.where((COLLISION_HEIGHTS[blocks] > 0) | (FLUIDS[blocks] > 0), heights, -1).max(-1)
    best, most = (SEARCHED, SEARCHED), -1
    for x in range(AROUND, AROUND + 2 * SEARCHED + 1):
        for z in range(AROUND, AROUND + 2 * SEARCHED + 1):
            near = slice(x - AROUND, x + AROUND + 1), slice(z - AROUND, z + AROUND + 1)
            even = (abs(ground[near] - ground[x, z]) <= 1) & (covered[near] == ground[near])
            if covered[x, z] == ground[x, z] and even.sum() > most:
                best, most = (x, z), int(even.sum())
    player["x"], player["z"] = x0 + best[0] + 0.5, z0 + best[1] + 0.5
    player["y"] = ground[best] + 1


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description="Measure how often nights in the open hurt a player."
    )
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--first", type=int, default=300_000)
    parser.add_argument("--rules", type=int, default=20, help="nights by the game's rules a seed")
    parsed = parser.parse_args()
    world = VoxelWorld(1, view_distance=16)
    nights = [play(world, seed) for seed in range(parsed.first, parsed.first + parsed.seeds)]
    report(nights)
    in_open = [np.mean(np.concatenate([pack.open for pack in night.packs])) for night in nights]
    print(
        f"in the open come of all monsters: {np.mean(in_open):.2f} ({min(in_open):.2f} to {max(in_open):.2f})"
    )
    expected = expect([night.packs for night in nights], BEGINS, ENDS - BEGINS, parsed.rules)
    kinds = ", ".join(f"{name} {share:.2f}" for name, share in expected.kinds.items())
    print(f"by the rules alone: hurt {expected.hurt:.2f}, first at {expected.first:.0f} ({kinds})")


def report(nights: list[Night]) -> None:
    """Print the figures of the nights."""
    hurt = [night.hurt for night in nights if night.hurt is not None]
    low, high = wilson(len(hurt), len(nights))
    kinds = ", ".join(
        f"{name} {sum(n.by == name for n in nights) / len(nights):.2f}" for name in KINDS
    )
    print(f"hurt {len(hurt) / len(nights):.2f} of {len(nights)} ({low:.2f} to {high:.2f}): {kinds}")
    print(f"first hurt, ticks: {sorted(hurt)}")
    dead = [night.dead for night in nights if night.dead is not None]
    print(f"dead {len(dead) / len(nights):.2f}, ticks: {sorted(dead)}")


if __name__ == "__main__":
    main()
