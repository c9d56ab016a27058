"""Calibrate the rules' verdict: play, note, fit and write `optimus_gym/backbones/data/verdict.json`.

    python -m tools.verdict --work DIR [--remembered 120] [--noted 240] [--workers 2]

DIR stores the played episodes; a later run reuses them.
"""

import argparse
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from optimus_gym.terminal.bars import bars
from tools.verdict.fitting import write_weights
from tools.verdict.play import noted, remembered

Play = Callable[[Path, Path, int], None]
REMEMBERED = 430_000
NOTED = 432_000
"""First seeds, in parts of the training range that nothing else uses."""


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--remembered", type=int, default=120)
    parser.add_argument("--noted", type=int, default=240)
    parser.add_argument("--workers", type=int, default=2)
    parsed = parser.parse_args()
    memory, notes = parsed.work / "memory", parsed.work / "notes"
    parsed.work.mkdir(parents=True, exist_ok=True)
    done = parsed.work / "remembered"
    if not done.exists():
        _shared(
            _remember,
            memory,
            memory,
            range(REMEMBERED, REMEMBERED + parsed.remembered),
            parsed.workers,
        )
        done.touch()
    _shared(_note, notes, memory, range(NOTED, NOTED + parsed.noted), parsed.workers)
    write_weights(notes)


def _shared(play: Play, folder: Path, memory: Path, seeds: Sequence[int], workers: int) -> None:
    """Play seeds in several processes, with a bar."""
    with ProcessPoolExecutor(workers) as pool, bars("h") as progress:
        bar = progress.add_task(folder.name, total=len(seeds))
        for _ in pool.map(play, [folder] * len(seeds), [memory] * len(seeds), seeds):
            progress.advance(bar)


def _remember(folder: Path, _: Path, seed: int) -> None:
    for _done in remembered(folder, [seed]):
        pass


def _note(folder: Path, memory: Path, seed: int) -> None:
    for _done in noted(folder, memory, [seed]):
        pass


if __name__ == "__main__":
    main()
