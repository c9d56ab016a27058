r"""Compare player physics and recipes with PrismarineJS's, and write the tracks for a test.

    npm install --prefix FOLDER prismarine-physics@1.11.1 prismarine-block prismarine-recipe \
        prismarine-registry minecraft-data vec3
    python -m tools.second_opinion --node FOLDER recipes
    python -m tools.second_opinion --node FOLDER tracks           # compare
    python -m tools.second_opinion --node FOLDER tracks --write   # and write the file of tracks

The file of tracks is `tests/worlds/voxel/bodies/data/tracks.json.gz`. FOLDER is outside the repository:
only positions from PrismarineJS enter the repository. A track is stored up to the first tick in which
prismarine-physics differs from the game (the reasons in `playing.py`). The exit status is 1 if a
track differs from the embedded world's without a reason, or if a recipe differs.
"""

import argparse
import gzip
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tools.second_opinion.playing import play
from tools.second_opinion.recipes import differences
from tools.second_opinion.scenes import named, random

HERE = Path(__file__).parent
TRACKS = Path("tests/worlds/voxel/bodies/data/tracks.json.gz")
RANDOM, SEED = 200, 0
CLOSE = 1e-3
"""Largest difference of positions in blocks, from single and double precision over a whole track."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare tracks or recipes; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("tracks", "recipes"))
    parser.add_argument("--node", type=Path, required=True, help="folder that holds node_modules")
    parser.add_argument("--write", action="store_true", help=f"write {TRACKS}")
    parsed = parser.parse_args(arguments)
    if parsed.what == "recipes":
        theirs = _node("recipes.js", parsed.node, "")
        lines = differences(theirs)
        print(*lines, f"{len(theirs)} recipes of theirs, {len(lines)} differences", sep="\n")
        return int(bool(lines))
    scenes = [*named(), *random(RANDOM, SEED)]
    tracks = _node("tracks.js", parsed.node, json.dumps(scenes))
    kept, faults = _compare(scenes, tracks)
    if parsed.write:
        text = json.dumps(kept, separators=(",", ":"))
        TRACKS.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    return int(faults > 0)


def _node(script: str, folder: Path, given: str) -> Any:
    """Return the JSON output of a script in this folder."""
    command = ["node", str(HERE / script), str(folder)]
    return json.loads(
        subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout
    )


def _compare(scenes: list[dict[str, Any]], tracks: list[Any]) -> tuple[list[dict[str, Any]], int]:
    """Return the scenes with their tracks up to the first difference, and the number of unexplained ones."""
    kept, faults, ends = [], 0, Counter[str]()
    for scene, other in zip(scenes, tracks, strict=True):
        ours, reasons = play(scene)
        apart = np.abs(ours - np.array(other)).max(axis=1) > CLOSE
        first = int(apart.argmax()) if apart.any() else len(other)
        why = sorted(reasons[first]) if first < len(other) else []
        if first < len(other) and not why:
            faults += 1
            print(f"{scene['name']}: tick {first}: ours {ours[first]}, theirs {other[first]}")
        ends.update(why or ["equal to the end"])
        track = [[round(value, 5) for value in row] for row in other[:first]]
        kept.append({**scene, "track": track, "parts": why})
    print(*(f"{count:4} {why}" for why, count in ends.most_common()), sep="\n")
    print(f"{sum(len(row['track']) for row in kept)} of {sum(map(len, tracks))} ticks are kept")
    return kept, faults


if __name__ == "__main__":
    sys.exit(main())
