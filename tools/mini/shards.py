"""Scenes and clips on disk, in shards that are written atomically."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

FRAMES: Final = "frames.npy"
ROWS: Final = "rows.json"


def write_shard(folder: Path, frames: Sequence[NDArray[np.uint8]], rows: Sequence[Any]) -> None:
    """Write a shard: frames (uint8[128, 128, 3] each) and their labels, as JSON values."""
    making = folder.with_suffix(".part")
    making.mkdir(parents=True, exist_ok=True)
    np.save(making / FRAMES, np.stack(frames))
    (making / ROWS).write_text(json.dumps(list(rows)), encoding="utf-8")
    making.rename(folder)


def read_shards(folders: Iterable[Path]) -> list[tuple[NDArray[np.uint8], list[Mapping[str, Any]]]]:
    """Return the shards: frames (uint8[n, 128, 128, 3]) and their labels."""
    return [
        (
            np.load(folder / FRAMES),
            json.loads((folder / ROWS).read_text(encoding="utf-8")),
        )
        for folder in folders
    ]
