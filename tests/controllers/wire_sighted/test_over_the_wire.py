"""The whole agent makes a stone pickaxe from nothing, over the wire."""

import gymnasium as gym
import pytest

from tests.worlds.malmo.client.served_worlds import address

SUBGOALS = 60
"""Sub-goals after which the test gives up; the plan has about ten."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", [78_000, 78_003])
def test_a_stone_pickaxe_is_made_from_nothing(seed):
    world = {"name": "minerl", "address": address()}
    env = gym.make("Optimus-Stone-v0", world=world, controller="wire-sighted")
    try:
        _, info = env.reset(seed=seed)
        for _ in range(SUBGOALS):
            _, _, terminated, truncated, info = env.step(0)
            if terminated or truncated:
                break
        assert info["status"] == "success"
    finally:
        env.close()
