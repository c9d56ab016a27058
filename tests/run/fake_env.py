"""A sub-goal view without a world, which plays a script and looks like the real view from outside."""

import os
import signal
from types import MappingProxyType

import gymnasium as gym
import numpy as np

from optimus_gym.envs.courses import Progress
from optimus_gym.run.results.replies import COUNTS

PLAN = ("mine 1 oak_log", "craft 4 oak_planks", "craft 1 crafting_table")
TICKS_A_SUBGOAL = 50


class FakeEnv(gym.Env):
    """Reaches each sub-goal of PLAN in 50 ticks; fails once at sub-goal number `fails_at`, if given."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 20}  # noqa: RUF012
    observation_space = gym.spaces.Discrete(2)
    action_space = gym.spaces.Discrete(1)
    powers = frozenset()

    backbone = MappingProxyType({"name": "rules", "models": ("rules",)})

    def __init__(self, fails_at=None, interrupted_at=None, killed_at=None, render_mode="rgb_array"):
        self.render_mode = render_mode
        self.fails_at = fails_at
        self.interrupted_at = interrupted_at
        self.killed_at = killed_at
        self.callbacks = []
        self.rendered = 0
        self.closed = False

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.ticks = self.position = self.replans = 0
        return 0, self._info("", "")

    def step(self, action):
        assert action == 0
        subgoal = PLAN[self.position]
        for _ in range(TICKS_A_SUBGOAL):
            self.ticks += 1
            if self.ticks == self.interrupted_at:
                raise KeyboardInterrupt
            if self.ticks == self.killed_at:
                os.kill(os.getpid(), signal.SIGTERM)
            for callback in self.callbacks:
                callback(0)
        if self.position == self.fails_at:
            self.fails_at = None
            self.replans += 1
            return 0, 0.0, False, False, self._info(subgoal, "not_found: 1 oak_log [far]")
        self.position += 1
        return 0, 1.0, self.position == len(PLAN), False, self._info(subgoal, "reached")

    def _info(self, subgoal, outcome):
        over = self.position == len(PLAN)
        return {
            "plan": PLAN[self.position :],
            "subgoal": subgoal,
            "outcome": outcome,
            "ticks": self.ticks,
            "success": over,
            "replans": self.replans,
            "planned_by": "",
            "ended": ((subgoal, outcome),) if subgoal else (),
            "reason": "",
            "complete_wrong": 0,
            "memory": {"lost": 0, "fault": ""},
            "backbone": {**dict.fromkeys(COUNTS, 0), "fault": "", **self.backbone},
            "status": "success" if over else "running",
        }

    def watch(self, callback):
        self.callbacks.append(callback)

    def progress(self, row=0):
        assert row == 0
        return Progress(
            task="Fake",
            instruction="make a crafting table",
            plan=PLAN,
            position=self.position,
            subgoal=PLAN[min(self.position, len(PLAN) - 1)],
            ticks=self.ticks,
            budget=1000,
            inventory={"oak_log": self.ticks // 50},
            replans=self.replans,
        )

    def render(self):
        self.rendered += 1
        picture = np.zeros((360, 640, 3), np.uint8)
        picture[:, :, 0] = min(self.ticks, 255)
        picture[:, :, 2] = 200
        return picture

    def close(self):
        self.closed = True
