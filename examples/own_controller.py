"""Write a controller: it gets pictures and sub-goals, and presses keys for all rows at once.

Run it with `python examples/own_controller.py`. The controller walks and digs towards the brightest part
of the picture: it plays badly, but is complete. A real controller calls its network in `act`. `optimus-gym
evaluate --controller own_controller:Brightest --out runs/brightest`, run in this folder, evaluates it.
"""

import gymnasium as gym
import numpy as np

import optimus_gym  # noqa: F401  registers the ids
from optimus_gym.controllers.verbs import HELPED, check_verbs
from optimus_gym.core.actions import ATTACK, CAMERA_STILL, FORWARD, JUMP, YAW, noop
from optimus_gym.core.types import VERBS


class Brightest:
    """Turns to the brightest third of the picture by `turn` bins of the camera, walks, jumps and hits."""

    privileged = False  # it reads only observations, not the world itself
    needs = frozenset({"keys", "pictures"})  # powers that the world must have
    verbs = frozenset(VERBS) - HELPED  # the helper crafts, smelts, equips, places and recovers
    looks_at = ("pov",)  # keys of the observation to compute for it
    fixed_batch = False  # `act` gets only the rows that act

    def __init__(
        self, turn=2
    ):  # an option: controller={"name": "own_controller:Brightest", "turn": 1}
        self.turn = turn

    def attach(self, setting):
        pass  # a network takes the number of rows and the device from the setting

    def begin_episodes(self, rows, seeds):
        pass  # a policy with a memory empties the memory of these rows here

    def begin_subgoals(self, rows, subgoals):
        check_verbs(subgoals, self.verbs)  # a policy with goals stores the rows' goals here

    def act(self, rows, observations, mask):
        columns = observations["pov"].mean(axis=(1, 3))  # per column of pixels
        thirds = [part.mean(1) for part in np.array_split(columns, 3, axis=1)]
        actions = np.tile(noop(), (len(rows), 1))
        actions[:, [FORWARD, JUMP, ATTACK]] = 1
        actions[:, YAW] = CAMERA_STILL + self.turn * (np.argmax(thirds, axis=0) - 1)
        return actions, [None] * len(rows)  # or a Failure for a row that cannot go on


def main(ticks=600):
    env = gym.make("Optimus-Wood-v0", controller=Brightest(turn=1), ticks=ticks, subgoal_ticks=200)
    env.reset(seed=10_000)
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(0)
        print(info["subgoal"], "->", info["outcome"] or info["status"])
        over = terminated or truncated
    return info["status"]


if __name__ == "__main__":
    main()
