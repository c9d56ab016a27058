"""Cut README's short film out of the video of a whole episode.

optimus-gym run Optimus-Diamond-v0 --seed 0 --video diamond.mp4
python tools/film.py diamond.mp4 docs/diamond.webp
"""

import sys
from itertools import chain
from pathlib import Path

import av
from PIL import Image

SIZE = (800, 300)
QUALITY = 50
"""WebP's quality, 0 to 100."""
DURATION_MS = 110
"""Duration of a picture in milliseconds."""
LAST_MS = 2500
"""Duration of the last picture in milliseconds."""
SCENES = (
    range(0, 84, 4),  # the first log
    range(84, 112, 7),
    range(206, 272, 6),  # stone, the second pickaxe, a furnace
    range(320, 398, 6),  # iron ore
    range(400, 552, 22),  # smelting, the third pickaxe
    range(556, 860, 19),  # down to the diamond
    range(864, 908, 3),
)
"""Indices of the film's pictures among the video's pictures; the video has a picture every four ticks."""


def cut(video: Path) -> list[Image.Image]:
    """Return the film's pictures out of a video."""
    wanted = set(chain(*SCENES))
    with av.open(video) as file:
        pictures = [
            frame.to_image().resize(SIZE, Image.Resampling.LANCZOS)
            for place, frame in enumerate(file.decode(video=0))
            if place in wanted
        ]
    if len(pictures) < len(wanted):
        raise SystemExit(f"{video}: expected at least {max(wanted) + 1} pictures")
    return pictures


def write(pictures: list[Image.Image], film: Path) -> None:
    """Write an endless animated WebP."""
    durations = [DURATION_MS] * (len(pictures) - 1) + [LAST_MS]
    first, *others = pictures
    first.save(
        film,
        save_all=True,
        append_images=others,
        duration=durations,
        loop=0,
        quality=QUALITY,
        method=6,
    )


if __name__ == "__main__":
    write(cut(Path(sys.argv[1])), Path(sys.argv[2]))
