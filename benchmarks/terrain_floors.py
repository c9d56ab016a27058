"""Compare the land's content with known values of the game: emptier land would make the world faster.

    python benchmarks/terrain_floors.py [--seeds 50]

The command prints the share of cave air and lava by height, trees in a forest chunk, heights and areas of the
biomes, and the time to generate a chunk. `tests/worlds/voxel/terrain/test_floors.py` checks some of these
figures against limits.
"""

import argparse
import statistics
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, SEA_LEVEL
from optimus_gym.worlds.voxel.terrain.biomes import FOREST, OCEAN, RIVER
from optimus_gym.worlds.voxel.terrain.chunk import generate_chunk
from optimus_gym.worlds.voxel.terrain.heights import column_at
from optimus_gym.worlds.voxel.terrain.names import AIR, DIRT, STILL_LAVA

Voxels = NDArray[np.uint16]
LOWEST_CAVE = 12
"""Lowest y of the layers in which the share of cave air is measured."""
HIGHEST_CAVE = 50
"""Highest y of the layers in which the share of cave air is measured."""
LAVA_TOP = 10
STEP = 16
"""Distance in blocks between neighbouring columns of a map of biomes."""
SIDE = 160
"""Number of columns along each side of a map of biomes."""
GAME = {
    "caves": "4-15 % wanted; Minecraft Wiki, Cave: no figure",
    "lava": "all cave air at y 10 and below; Minecraft Wiki, Cave (1.16)",
    "trees": "10; Minecraft Wiki, Forest",
    "highest": "lowland 63-80, mountains to about 130 of 256; Minecraft Wiki, Altitude and Biome",
    "width": "cells of 256 blocks; Minecraft Wiki, Biome (1.16)",
}


def chunks(seeds: Sequence[int]) -> Iterator[tuple[Voxels, NDArray[np.int64]]]:
    """Yield nine chunks of each seed, far apart, and their biomes (int64[16, 16])."""
    for seed in seeds:
        for k in range(9):
            out = np.empty((16, 16, 128), np.uint16)
            yield out, generate_chunk(np.uint64(seed), 40 * (k // 3) - 37, 40 * (k % 3) - 23, out)


def cave_shares(seeds: Sequence[int]) -> tuple[float, float, float]:
    """Return the share of air at y 12-50 under land, and the shares of lava and of air at y 5-10."""
    air, lava, low = [], [], []
    for voxels, biome in chunks(seeds):
        ids = voxels & BLOCK_MASK
        dry = ~np.isin(biome, (OCEAN, RIVER)) & (ids[..., HIGHEST_CAVE + 1 : SEA_LEVEL] != AIR).all(
            -1
        )
        if dry.any():
            air.append((ids[dry][:, LOWEST_CAVE : HIGHEST_CAVE + 1] == AIR).mean())
        lava.append((ids[..., 5 : LAVA_TOP + 1] == STILL_LAVA).mean())
        low.append((ids[..., 5 : LAVA_TOP + 1] == AIR).mean())
    return statistics.mean(air), statistics.mean(lava), statistics.mean(low)


def trees_a_forest_chunk(seeds: Sequence[int]) -> float:
    """Return the mean number of trunks in chunks that consist only of forest."""
    logs = [block("oak_log").id, block("birch_log").id]
    counts = []
    for seed in seeds:
        for cx in range(-60, 60, 6):
            corners = [(16 * cx + a, b) for a in (0, 15) for b in (0, 15)]
            if all(column_at(np.uint64(seed), x, z)[1] == FOREST for x, z in corners):
                out = np.empty((16, 16, 128), np.uint16)
                generate_chunk(np.uint64(seed), cx, 0, out)
                trunks = np.isin(out[..., 1:], logs) & (out[..., :-1] == DIRT)
                counts.append(float(trunks.sum()))
    return statistics.mean(counts)


def maps(seeds: Sequence[int]) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield each seed's map of biomes and of heights (int64[160, 160])."""
    for seed in seeds:
        heights, biomes = np.empty((2, SIDE, SIDE), np.int64)
        for i in range(SIDE):
            for k in range(SIDE):
                x, z = STEP * (i - SIDE // 2), STEP * (k - SIDE // 2)
                heights[i, k], biomes[i, k], _ = column_at(np.uint64(seed), x, z)
        yield biomes, heights


def widths(biomes: NDArray[np.int64], biome: int) -> NDArray[np.int64]:
    """Return for each column of a biome the biome's width there from west to east, in blocks."""
    found = []
    for line in biomes.T:
        edges = np.flatnonzero(np.diff(line, prepend=-1, append=-1))
        for first, end in pairwise(edges):
            if line[first] == biome:
                found += [STEP * (end - first)] * (end - first)
    return np.array(found, np.int64)


def biome_table(seeds: Sequence[int]) -> dict[str, dict[str, float]]:
    """Return share of all columns, typical width and heights (5th, 50th, 95th percentile) by biome."""
    all_biomes, all_heights = zip(*maps(seeds), strict=True)
    biomes, heights = np.stack(all_biomes), np.stack(all_heights)
    table = {}
    for number, name in enumerate(BIOMES):
        here = heights[biomes == number]
        wide = np.concatenate([widths(one, number) for one in all_biomes])
        low, middle, high = np.percentile(here, (5, 50, 95)) if len(here) else (0, 0, 0)
        table[name] = {
            "share": len(here) / heights.size,
            "width": float(np.median(wide)) if len(wide) else 0.0,
            "low": low,
            "middle": middle,
            "high": high,
        }
    return table


def chunk_milliseconds(count: int = 300) -> float:
    """Return the median CPU time that the generation of a chunk takes."""
    out = np.empty((16, 16, 128), np.uint16)
    times = []
    for k in range(count):
        begun = time.process_time()
        generate_chunk(np.uint64(k % 20), 7 * k, -11 * k, out)
        times.append(time.process_time() - begun)
    return 1000.0 * statistics.median(times)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description="Measure the content of the land against the game's figures."
    )
    parser.add_argument("--seeds", type=int, default=50)
    seeds = range(parser.parse_args().seeds)
    air, lava, low = cave_shares(seeds)
    print(f"cave air, y 12-50 under land   {100 * air:5.1f} %      game: {GAME['caves']}")
    print(f"lava, y 5-10                   {100 * lava:5.1f} %      game: {GAME['lava']}")
    print(f"air, y 5-10                    {100 * low:5.1f} %")
    print(
        f"trees in a forest chunk        {trees_a_forest_chunk(seeds):5.1f}        game: {GAME['trees']}"
    )
    print(f"a chunk                        {chunk_milliseconds():5.2f} ms CPU")
    print(f"\nheights in the game: {GAME['highest']}; widths: {GAME['width']}")
    print("biome            share  width   height of 5, 50, 95 %")
    for name, row in biome_table(seeds).items():
        print(
            f"{name:15s} {100 * row['share']:5.1f} % {row['width']:5.0f}   "
            f"{row['low']:4.0f} {row['middle']:4.0f} {row['high']:4.0f}"
        )


if __name__ == "__main__":
    main()
