"""Memories of experience as a kind of files: the database, and the portable file."""

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from optimus_gym.memory.database import FILE
from optimus_gym.memory.exchange.portable import export, read_portable
from optimus_gym.memory.experience import Case, Experience, Image, Pursuit
from optimus_gym.memory.pictures import packed
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.memory.upkeep import compact, sizes
from optimus_gym.vision.mini_aligner import MiniAligner
from tools.mutating.changes import Draws, change_bytes

EPISODES: Final = 3


@cache
def _aligner() -> MiniAligner:
    return MiniAligner()


def _experience(number: int) -> Experience:
    """Return an experience that nobody had."""
    shade = np.full((64, 64, 3), 40 * number, np.uint8)
    vector = np.zeros(_aligner().width, np.float32)
    vector[number] = 1
    image = Image(20 * number, packed(shade), vector)
    pursuit = Pursuit("mine 3 log", "reached", "", 40, 40, (image,), 0.5, vector)
    case = Case(0, "mine 3 log", "forest", image, image, "", "COMPLETE", "COMPLETE")
    return Experience(
        f"{number}", "Wood", "Craft a wooden pickaxe", "forest", {"inventory": {}}, ("mine 3 log",),
        (pursuit,), (case,), ("success", "died", "budget")[number % 3], 40, image,
    )  # fmt: skip


class Databases:
    """Experience in a memory folder."""

    def samples(self) -> Sequence[bytes]:
        """Return a database of a few experiences."""
        with tempfile.TemporaryDirectory() as folder:
            with ExperiencePool(Path(folder), _aligner()) as pool:
                for number in range(EPISODES):
                    pool.add(_experience(number))
            return [Path(folder, FILE).read_bytes()]

    def change(self, data: bytes, draws: Draws) -> bytes:
        """Return a database changed."""
        return change_bytes(data, draws)

    def use(self, path: Path) -> None:
        """Search a memory, read all of it, add to it, and make it smaller."""
        folder = path.rename(path.with_name(FILE)).parent
        with ExperiencePool(folder, _aligner()) as pool:
            for found in pool.find("craft a pickaxe"):
                pool.get(found.number)
            pool.cases("mine log", _experience(1).cases[0].present.vector)
            pool.add(_experience(EPISODES))
            compact(pool.store.database, 1)
            sizes(pool.store.database)


class Portables:
    """Experience in a portable file."""

    def samples(self) -> Sequence[bytes]:
        """Return a file of a few experiences."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "portable")
            aligner = _aligner()
            export(map(_experience, range(EPISODES)), (aligner.name, aligner.width), path)
            return [path.read_bytes()]

    def change(self, data: bytes, draws: Draws) -> bytes:
        """Return a portable file changed."""
        return change_bytes(data, draws)

    def use(self, path: Path) -> None:
        """Read all of it."""
        for _ in read_portable(path, _aligner()):
            continue
