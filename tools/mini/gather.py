"""Gather the data to train and measure `mini`; data of earlier runs is reused."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from optimus_gym.terminal.bars import counted
from tools.mini.scenes import scenes
from tools.mini.shards import write_shard

PLACES_A_SHARD: Final = 180


class Lot(NamedTuple):
    """A lot: shards with consecutive seeds for one purpose.

    Attributes:
        name: the name of the lot's folder.
        first: the seed of the lot's first world.
        shards: the number of shards.
        frames: for scenes the frames from each place, for clips the largest number of frames of each
            sub-goal.
    """

    name: str
    first: int
    shards: int
    frames: int


def gather_scenes(folder: Path, number: int, lot: Lot) -> None:
    """Write one shard of scenes: frames of places, with their labels."""
    first = lot.first + number * PLACES_A_SHARD
    seeds = np.arange(first, first + PLACES_A_SHARD)
    random = np.random.default_rng([first, 0])
    taken = list(scenes(seeds, random, lot.frames))
    rows = [
        {"environment": s.environment, "share": s.share, "sights": s.sights, "held": s.held}
        for s in taken
    ]
    write_shard(folder, [s.frame for s in taken], rows)


def gather(
    root: Path, lot: Lot, write: Callable[[Path, int, Lot], None], workers: int
) -> list[Path]:
    """Return the paths of a lot's shards; write the missing shards first."""
    folders = [root / lot.name / f"{number:04d}" for number in range(lot.shards)]
    missing = [number for number, folder in enumerate(folders) if not folder.exists()]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        asked = [pool.submit(write, folders[number], number, lot) for number in missing]
        for done in counted(as_completed(asked), lot.name, total=len(asked)):
            done.result()
    return folders
