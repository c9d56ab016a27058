"""Random numbers of a world: splitmix64, whose 64-bit state is stored with the world's player.

Reference: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014), figure 14.
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import Worlds

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)
_UNIT = 1.0 / 9007199254740992.0


@kernel
def fraction(worlds: Worlds, i: int) -> float:
    """Draw a random number in [0, 1) with 53 random bits."""
    player = worlds.players[i]
    state = np.uint64(player.random) + _STEP
    player.random = state
    state = (state ^ (state >> _S30)) * _FIRST
    state = (state ^ (state >> _S27)) * _SECOND
    state = state ^ (state >> _S31)
    return np.float64(state >> _S11) * _UNIT


@kernel
def roll(worlds: Worlds, i: int, low: int, high: int) -> int:
    """Draw a random whole number from `low` to `high`, both included."""
    return low + int(fraction(worlds, i) * (high - low + 1))
