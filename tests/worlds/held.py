"""What a player of any world holds, by name."""

import numpy as np

from optimus_gym.core.interfaces import World
from optimus_gym.game.items import item_names


def held(world: World, row: int = 0) -> dict[str, int]:
    counts, names = world.counts([row])[0], item_names()
    return {names[k]: int(counts[k]) for k in np.flatnonzero(counts)}
