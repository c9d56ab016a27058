"""Write a world: an orchard in which the player can pick logs, and nothing else.

Run it with `python examples/own_world.py`. The world has the power "subgoals": it carries out whole
sub-goals, and needs neither keys nor pictures. `optimus_gym.core.interfaces.World` is every world's contract.
"""

import gymnasium as gym
import numpy as np

from optimus_gym.core.types import Event, Failure
from optimus_gym.core.world_powers import Done
from optimus_gym.game.conditions import check_setup
from optimus_gym.game.items import item_names, items

VITALS = np.float32([20, 20, 5, 300, 0, 0])  # health, food, saturation, air, armour, level


class Orchard:
    can = frozenset({"subgoals"})  # its powers, of `optimus_gym.core.world_powers.POWERS`
    options, biomes = ("ticks_a_log",), ("forest",)

    def __init__(self, count, *, view_distance=64, threads=None, ticks_a_log=40):
        self.count, self.ticks_a_log = count, ticks_a_log
        self.held = np.zeros((count, len(item_names())), np.int32)
        self.happened = dict.fromkeys(range(count), ())

    def reset(self, row, setup):  # a refused setup must change nothing
        check_setup(setup, self.biomes)
        self.held[row], self.happened[row] = 0, ()
        for name, pieces in setup.inventory.items():
            self.held[row, items()[name].id] = pieces

    def carry_out(self, row, subgoal, limit):  # `limit`: the sub-goal's most ticks
        if subgoal.verb != "mine" or not subgoal.item.endswith("_log"):
            return Done(1, Failure("no_skill", subgoal.item))
        picked = min(subgoal.count, limit // self.ticks_a_log)
        self.held[row, items()[subgoal.item].id] += picked
        self.happened[row] = (Event("picked_up", subgoal.item, picked),) if picked else ()
        if picked < subgoal.count:
            return Done(limit, Failure("timeout", subgoal.item, subgoal.count - picked))
        return Done(picked * self.ticks_a_log)

    def tick(self, rows, actions):
        self.happened.update(dict.fromkeys(rows, ()))

    def counts(self, rows):
        return self.held[list(rows)]  # a copy, since the caller may keep it

    def bodies(self, rows):  # items in hand and worn; vitals
        return np.zeros((len(rows), 6), np.int32), np.tile(VITALS, (len(rows), 1))

    def poses(self, rows):  # x, y, z, yaw, pitch
        return np.tile([0.0, 64.0, 0.0, 0.0, 0.0], (len(rows), 1))

    def frames(self, rows, images):
        images[:] = 0  # this world draws no pictures

    def alive(self, rows):
        return np.ones(len(rows), np.bool_)

    def biome(self, row):
        return "forest"

    def stations(self, row):
        return ()

    assists = stations

    def events(self, row):
        return self.happened[row]

    def close(self):
        pass


def main(logs=5, seed=0):
    env = gym.make(
        "Optimus-v0", task={"item": "oak_log", "count": logs}, world=Orchard(1, ticks_a_log=30)
    )
    env.reset(seed=seed)
    *_, info = env.step(0)
    print(info["subgoal"], "->", info["outcome"], "after", info["ticks"], "ticks")
    return info["ticks"]


if __name__ == "__main__":
    main()
