"""Compare a step of two versions of the package, in turns, at the twelve places of `poses.json`.

    python benchmarks/two_versions.py PYTHON [--rounds 9] [--steps 100] [--sizes 128x128 64x64 640x360]
        [--places NAME ...]

PYTHON is the interpreter of a virtual environment in which the other version is installed. Each version holds
its places in a process of its own. In each round both play the same actions from the same beginning, one
after the other, so that whatever else the machine does weighs on both. A ratio above 1 says that this version
is the faster one. The first ratio takes each step's best time, the second each step's median time.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from poses import Pose, rows
from steps_per_second import one_thread


class Version:
    """A process that plays the places with one version of the package.

    Args:
        python: interpreter of the virtual environment in which the version is installed.
        size: width and height of the frames, such as "64x64".
        steps: number of steps in a round.
    """

    def __init__(self, python: str, size: str, steps: int) -> None:
        self._process = subprocess.Popen(
            [python, __file__, "--play", size, str(steps)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._answer()

    def play(self, place: int) -> list[float]:
        """Play a round at a place and return the seconds of each step."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{place}\n")
        self._process.stdin.flush()
        return list(self._answer())

    def close(self) -> None:
        """End the process."""
        self._process.communicate()

    def _answer(self) -> Any:
        """Return the process's next line."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._process.args!r} ended; its message stands above")
        return json.loads(line)


def play_places(size: str, steps: int) -> None:
    """Play the places that standard input names, and print the seconds of each step."""
    width, height = map(int, size.split("x"))
    places = [Pose(row, (width, height), steps) for row in rows()]
    print("[]", flush=True)
    for line in sys.stdin:
        print(json.dumps(step_times(places[int(line)])), flush=True)


def step_times(place: Pose) -> list[float]:
    """Play a place's actions from its beginning; return the seconds of each step."""
    place.begin()
    times = []
    for action in place.actions:
        begun = time.perf_counter()
        _, _, terminated, truncated, _ = place.env.step(action)
        times.append(time.perf_counter() - begun)
        if terminated or truncated:
            place.begin()
    return times


def compare(python: str, size: str, rounds: int, steps: int, places: list[str]) -> Iterator[str]:
    """Measure both versions at one size, place by place, in turns."""
    import numpy as np

    own, other = (Version(each, size, steps) for each in (sys.executable, python))
    best, middle = [], []
    for place, row in enumerate(rows()):
        if row["name"] not in places:
            continue
        own.play(place), other.play(place)  # not counted: machine code is loaded from the disk
        times: dict[Version, list[list[float]]] = {own: [], other: []}
        for number in range(rounds):
            for version in (own, other) if number % 2 else (other, own):
                times[version].append(version.play(place))
        mine, others = np.array(times[own]), np.array(times[other])
        best.append(others.min(0).sum() / mine.min(0).sum())
        middle.append(np.median(others, 0).sum() / np.median(mine, 0).sum())
        speed = 1 / mine.min(0).mean()
        yield (
            f"{size:<8} {row['name']:<20} {speed:>8,.0f} steps/s; ratio by best times "
            f"{best[-1]:.3f}, by medians {middle[-1]:.3f}"
        )
    yield (
        f"{size:<8} all places: ratio by best times {np.mean(best):.3f} (least {min(best):.3f}), "
        f"by medians {np.mean(middle):.3f} (least {min(middle):.3f})"
    )
    own.close(), other.close()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Compare a step of two versions, in turns.")
    parser.add_argument("python", nargs="?", help="interpreter of the other version's environment")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--sizes", nargs="+", default=["128x128", "64x64", "640x360"])
    names = [row["name"] for row in rows()]
    parser.add_argument("--places", nargs="+", default=names, choices=names, metavar="NAME")
    parser.add_argument("--play", nargs=2, help=argparse.SUPPRESS)
    parsed = parser.parse_args()
    if parsed.play:
        play_places(parsed.play[0], int(parsed.play[1]))
        return
    if parsed.python is None:
        parser.error("expected the interpreter of the other version's environment, got none")
    for size in parsed.sizes:
        for line in compare(parsed.python, size, parsed.rounds, parsed.steps, parsed.places):
            print(line, flush=True)


if __name__ == "__main__":
    one_thread()
    main()
