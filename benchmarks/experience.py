"""Measure how fast a memory of many experiences opens and is searched: `python benchmarks/experience.py`.

Every experience has one of several thousand goals and its own first frame; vectors are random. Searches
are by text, by text and then image, and with filters. Each search returns the best three successes and the
best three failures, on one thread.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))

import numpy as np
from numpy.typing import NDArray

from optimus_gym.memory.experience import Experience, Image, PastPursuit, Replan
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.memory.retrieval import Filters
from optimus_gym.vision.aligner import unit_vectors

WIDTH, ROUNDS = 256, 50
Vectors = NDArray[np.float32]


class Drawn:
    """An aligner with random vectors."""

    name, width, longest, threshold, confidence = "drawn", WIDTH, 64, 0.0, 0.5

    def texts(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each text; equal texts get equal vectors."""
        return unit_vectors(np.stack([self._vector(abs(hash(text))) for text in texts]))

    def _vector(self, seed: int) -> Vectors:
        return np.random.default_rng(seed).standard_normal(WIDTH).astype(np.float32)


def filled(folder: Path, count: int, goals: int) -> None:
    """Fill a memory with made-up experiences."""
    random = np.random.default_rng(0)
    picture = random.bytes(2_000)
    with ExperiencePool(folder, Drawn()) as pool:
        pool.store.database.connection.execute("PRAGMA synchronous = OFF")
        for k in range(count):
            vector = unit_vectors(random.standard_normal((1, WIDTH)).astype(np.float32))[0]
            status = "success" if k % 3 else "died"
            goal = f"goal number {k % goals}"
            first = Image(0, picture, vector)
            clip = unit_vectors(random.standard_normal((1, WIDTH)).astype(np.float32))[0]
            begun = PastPursuit("mine 3 log", "reached", "", 200, 200, (first,), 0.4, clip)
            again = Replan(
                1, f"mine 3 ore {k % goals}", "timeout: 3 ore", ("mine 3 log",), 1, k % 2 == 0
            )
            pool.add(
                Experience(
                    f"{k}", f"Task{k % 67}", goal, "forest", {"inventory": {}}, ("mine 3 log",) * 12,
                    (begun,), (), status, 4_000, first, {"protocol": "vanilla"}, (again,),
                )
            )  # fmt: skip


def median_ms(work: Callable[[int], object]) -> tuple[float, float]:
    """Return the median and the longest time of a search over some rounds, in milliseconds."""
    times = []
    for k in range(ROUNDS):
        begun = time.perf_counter()
        work(k)
        times.append(time.perf_counter() - begun)
    return 1000 * float(np.median(times)), 1000 * max(times)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--experiences", type=int, default=100_000)
    parser.add_argument("--goals", type=int, default=2_000, help="number of different goals")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        filled(Path(folder), given.experiences, given.goals)
        begun = time.perf_counter()
        with ExperiencePool(Path(folder), Drawn(), writes=False) as pool:
            print(f"{len(pool):,} experiences open in {time.perf_counter() - begun:.2f} s")
            random = np.random.default_rng(1)
            look = unit_vectors(random.standard_normal((1, WIDTH)).astype(np.float32))[0]

            def text(k: int) -> str:
                return f"goal number {k * 31 % given.goals}"

            def setback(k: int) -> str:
                return f"mine 3 ore {k * 31 % given.goals}"

            pool.texts([one for k in range(ROUNDS) for one in (text(k), setback(k))])
            searches = {
                "by text": lambda k: pool.find(text(k)),
                "by new words for an item": lambda k: pool.find(f"I need {k + 1} picks of gold"),
                "by text, then image": lambda k: pool.find(text(k), picture=look),
                "by image among all": lambda k: pool.find(text(k), picture=look, confidence=-1.0),
                "by reasoning (12 queries), then text": lambda k: pool.find(
                    text(k), [text(k + n) for n in range(1, 12)]
                ),
                "plans after a setback": lambda k: pool.replans(setback(k), "timeout: 3 ore"),
                "by text, filtered": lambda k: pool.find(
                    text(k), filters=Filters("both", "forest", given.experiences // 2)
                ),
            }
            for name, search in searches.items():
                median, most = median_ms(search)
                print(f"{name:40s} median {median:6.2f} ms, slowest {most:6.2f} ms")


if __name__ == "__main__":
    main()
