"""The player follows the tracks of prismarine-physics for 1.16.5 as long as these follow the game.

`python -m tools.second_opinion` makes the file: scenes, and positions up to the first tick in which one
of the named reasons lets prismarine-physics part from the game.
"""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from tools.second_opinion.playing import AIR_PACE, AXES, BOTH_WALLS, EDGE, HEIGHT, play

SCENES = json.loads(gzip.decompress((Path(__file__).parent / "data/tracks.json.gz").read_bytes()))
NAMED = [scene for scene in SCENES if not scene["name"].startswith("random ")]
RANDOM = [scene for scene in SCENES if scene["name"].startswith("random ")]
CLOSE = 1e-3


def length(scene) -> int:
    return sum(ticks for ticks, _ in scene["keys"])


def assert_same(scene) -> None:
    theirs = np.array(scene["track"]).reshape(-1, 3)
    ours = play(scene)[0][: len(theirs)]
    away = np.abs(ours - theirs).max(axis=1)
    assert away.max(initial=0.0) < CLOSE, f"{scene['name']}: tick {int((away >= CLOSE).argmax())}"


@pytest.mark.parametrize("scene", NAMED, ids=lambda scene: scene["name"])
def test_a_named_scene_follows_its_track(scene):
    assert_same(scene)


@pytest.mark.parametrize("part", range(8))
def test_random_scenes_follow_their_tracks(part):
    for scene in RANDOM[part::8]:
        assert_same(scene)


def test_tracks_end_early_only_for_named_reasons():
    allowed = {AIR_PACE, AXES, BOTH_WALLS, EDGE, HEIGHT}
    for scene in SCENES:
        assert set(scene["parts"]) <= allowed
        assert (len(scene["track"]) < length(scene)) == bool(scene["parts"])
    assert len(RANDOM) == 200
    assert not [scene["name"] for scene in NAMED if scene["parts"]]
    assert sum(len(scene["track"]) for scene in SCENES) > 0.8 * sum(map(length, SCENES))
