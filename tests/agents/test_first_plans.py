"""The first plans of 64 rows come from a server that takes half a second for each in under two seconds."""

import time

import gymnasium
import pytest

from optimus_gym.backbones.openai_api import OpenAIBackbone
from tests.agents.backbones import ruled
from tests.backbones.openai_server import serving, set_environment

pytest.importorskip("openai")

ROWS, DELAY, MOST = 64, 0.5, 2.0


def seconds_of_a_reset(backbone, tries=3):
    """Return the fewest seconds of some tries, as machines are busy, and the infos of the last try."""
    env = gymnasium.make_vec(
        "Optimus-Diamond-v0", ROWS, world="symbolic", backbone=backbone, resolution=(16, 12)
    )
    env.reset(seed=0)  # loads and computes everything that is needed once
    took = []
    for _ in range(tries):
        start = time.perf_counter()
        _, infos = env.reset(seed=1)
        took.append(time.perf_counter() - start)
    env.close()
    return min(took), infos


def test_64_first_plans_take_little_longer_than_one(monkeypatch):
    set_environment(monkeypatch)
    alone, expected = seconds_of_a_reset("rules")
    with serving(ruled, DELAY) as server:
        took, infos = seconds_of_a_reset(OpenAIBackbone("m", server.address))
    assert len(server.asked) == 4 * ROWS
    assert infos["plan"].tolist() == expected["plan"].tolist()
    assert (infos["backbone"]["own_plans"] == 1).all()
    assert DELAY < took < alone + MOST
