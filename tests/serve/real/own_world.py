"""The embedded world in this process, played by the actions that the clients send: what they must see."""

import numpy as np

from optimus_gym.core.actions import (
    ATTACK,
    FORWARD,
    HOTBAR,
    INVENTORY,
    JUMP,
    LEFT,
    SNEAK,
    SPRINT,
    USE,
    noop,
)
from optimus_gym.game.items import item_names
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.serve.real.programs import print_of

ENTRIES = {
    "forward": (FORWARD, 1),
    "back": (FORWARD, 2),
    "left": (LEFT, 1),
    "right": (LEFT, 2),
    "jump": (JUMP, 1),
    "sneak": (SNEAK, 1),
    "sprint": (SPRINT, 1),
    "attack": (ATTACK, 1),
    "use": (USE, 1),
    "inventory": (INVENTORY, 1),
    **{f"hotbar.{number}": (HOTBAR, number) for number in range(1, 10)},
}
"""Keys of the clients, each with its entry of an action and the entry's value."""
MOVES = (("forward", "back"), ("left", "right"), ("jump",), ("sneak",), ("sprint",), ("attack",))
"""Keys of MineRL 0.4.4 and MineStudio, those of one entry together."""
HANDS = (("use",), ("inventory",), tuple(f"hotbar.{number}" for number in range(1, 10)))
"""Further keys of MineStudio."""


def random_actions(count, seed, keys):
    """Return actions (keys, pitch, yaw) of a player who presses keys at random, mostly for some ticks."""
    random = np.random.default_rng(seed)
    held: dict[int, str] = {}
    made = []
    for _ in range(count):
        for place, names in enumerate(keys):
            if random.random() < 0.15:
                held.pop(place, None)
                if random.random() < 0.5:
                    held[place] = names[random.integers(len(names))]
        pitch, yaw = np.float32(random.normal(0.0, 4.0, 2)).tolist()
        made.append((sorted(held.values()), pitch, yaw))
    return made


def rounded(pose):
    return [round(value, 6) for value in pose]


class OwnWorld:
    """A world that notes what its player sees, as the clients' programs do."""

    def __init__(self, size):
        self.world = VoxelWorld(1, view_distance=64, threads=1)
        self._image = np.empty((1, size[1], size[0], 3), np.uint8)

    def begin(self, setup):
        self.world.reset(0, setup)

    def tick(self, keys, pitch, yaw):
        action = noop()
        for key in keys:
            entry, value = ENTRIES[key]
            action[entry] = value
        self.world.tick([0], action[None], np.array([[pitch, yaw]]))

    def picture(self):
        self.world.frames([0], self._image)
        return print_of(self._image[0])

    def pose(self):
        """Return x, y, z, yaw and pitch, rounded; the clients know yaw from -180 to 180 degrees."""
        x, y, z, yaw, pitch = self.world.poses([0])[0].tolist()
        return rounded([x, y, z, (yaw + 180.0) % 360.0 - 180.0, pitch])

    def stacks(self):
        names, slots = item_names(), self.world.pockets([0])[0].tolist()
        return {str(slot): [names[kind], count] for slot, (kind, count) in enumerate(slots) if kind}

    def close(self):
        self.world.close()
