"""Compile or load the kernels for a run of tests, by playing a tick."""

import gymnasium
import numpy as np

import optimus_gym  # noqa: F401  registers the environments

TASK = "OptimusFlat-Wood-v0"


def load() -> None:
    """Play a tick in the embedded world and draw it."""
    environment = gymnasium.make(TASK)
    environment.reset(seed=0)
    environment.step(np.zeros_like(environment.action_space.sample()))
    environment.close()
