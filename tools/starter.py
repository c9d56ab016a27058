"""Make the package's memory `starter` again: `python -m tools.starter DIR`.

Four epochs of self-evolution in the embedded world fill DIR, which holds the whole memory and the curve then;
a run that was interrupted goes on with the same command. The package takes all known ways of this memory, the
newest success and the newest failure of each goal, and a few small pictures of each experience.
"""

import argparse
import io
import shutil
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image as Pillow

from optimus_gym.knowledge.graph_file import dumps
from optimus_gym.knowledge.graph_folder import GRAPH_FILE, read_knowledge
from optimus_gym.memory.database import MEMORY_FILE
from optimus_gym.memory.experience import Case, Experience, Image
from optimus_gym.memory.memory_folders import STARTER_FOLDER
from optimus_gym.memory.pictures import packed, unpacked
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.run.cli import main as optimus_gym
from optimus_gym.run.learn.school import MEMORY
from optimus_gym.vision.mini_aligner import MiniAligner

LEARN: Final = "learn {} --workers 2 --rows 8 --episodes 10 --evaluation-seed 40000 --seed 500000"
"""The command that fills the whole memory; the number of workers changes nothing but the time."""
MOST_PICTURES: Final = 3
"""Pictures of an experience that stay."""
SIDE: Final = 40
"""Height and width of a picture in pixels."""
MOST_BYTES: Final = 10**6
"""Bytes that the memory may have in a wheel, which is a ZIP file."""


def kept(pool: ExperiencePool) -> Iterator[Experience]:
    """Yield the newest success and the newest failure of each goal, oldest first, with few pictures."""
    newest = {}
    for number in pool.store.numbers():
        one = pool.get(number)
        if one.outcome:
            newest[one.goal, one.outcome] = number
    for number in sorted(newest.values()):
        yield thinned(pool.get(number))


def thinned(experience: Experience) -> Experience:
    """Return an experience with its first picture and the pictures of a few cases.

    Cases labelled REPLAN come before others, and late cases before early ones.
    """
    ranked = sorted(
        range(len(experience.cases)),
        key=lambda k: (experience.cases[k].label == "REPLAN", k),
        reverse=True,
    )
    ticks = set() if experience.first is None else {experience.first.tick}
    chosen = []
    for k in ranked:
        case = experience.cases[k]
        needed = ticks | {case.before.tick, case.present.tick}
        if len(needed) <= MOST_PICTURES:
            ticks = needed
            chosen.append(k)
    bare = (replace(one, seen=(), correlation=None, vector=None) for one in experience.pursuits)
    return replace(
        experience,
        pursuits=tuple(bare),
        cases=tuple(_small_case(experience.cases[k]) for k in sorted(chosen)),
        first=None if experience.first is None else _small(experience.first),
    )


def _small_case(case: Case) -> Case:
    return replace(case, before=_small(case.before), present=_small(case.present))


def _small(image: Image) -> Image:
    picture = Pillow.fromarray(unpacked(image.picture)).resize((SIDE, SIDE), Pillow.Resampling.BOX)
    return replace(image, picture=packed(np.asarray(picture)))


def pack(memory: Path, folder: Path) -> None:
    """Write a small copy of a memory into a folder of package data, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    aligner = MiniAligner()
    with (
        ExperiencePool(memory, aligner, writes=False) as whole,
        ExperiencePool(folder, aligner) as small,
    ):
        small.add_all(list(kept(whole)))
    with closing(sqlite3.connect(folder / MEMORY_FILE)) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA journal_mode = DELETE")  # readers leave no file behind
    (folder / GRAPH_FILE).write_text(dumps(read_knowledge(memory)))


def bytes_in_a_wheel(folder: Path) -> int:
    """Return how many bytes a folder's files have when they are compressed as in a wheel."""
    with zipfile.ZipFile(io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for path in folder.iterdir():
            archive.write(path, path.name)
        return sum(one.compress_size for one in archive.infolist())


def main() -> None:
    """Learn, and pack what was learned."""
    parser = argparse.ArgumentParser(prog="python -m tools.starter", description=__doc__)
    parser.add_argument("folder", metavar="DIR")
    folder = parser.parse_args().folder
    if optimus_gym([folder if word == "{}" else word for word in LEARN.split()]):
        raise SystemExit("the whole memory was not learned")
    pack(Path(folder) / MEMORY, STARTER_FOLDER)
    size = bytes_in_a_wheel(STARTER_FOLDER)
    print(f"{size:,} bytes in a wheel")
    assert size <= MOST_BYTES, f"expected at most {MOST_BYTES:,} bytes"


if __name__ == "__main__":
    main()
