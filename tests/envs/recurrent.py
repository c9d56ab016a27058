"""A recurrent policy with a torch network: its state counts, by row, the frames of the sub-goal."""

import numpy as np
import torch

from optimus_gym.core.actions import ATTACK, CONTROL_LENGTH, FORWARD, noop
from optimus_gym.core.types import FUNCTIONAL_VERBS, VERBS


class Recurrent(torch.nn.Module):
    """Acts on one fixed batch of all rows; each sub-goal and episode resets its row's state."""

    privileged, needs, fixed_batch = False, frozenset({"keys", "pictures"}), True
    verbs = frozenset(VERBS) - FUNCTIONAL_VERBS
    looks_at = ("pov", "subgoal")

    def __init__(self, seed=0):
        super().__init__()
        torch.manual_seed(seed)
        self.cell, self.head = torch.nn.GRUCell(3, 8), torch.nn.Linear(8, 4)
        self.begun, self.batches, self.log = [], [], []

    def attach(self, setting):
        self.rows = setting.rows
        self.state = torch.zeros(setting.rows, 8)
        self.frames = np.zeros(setting.rows, np.int64)

    def begin_episodes(self, rows, seeds):
        self._forget(rows)
        self.log += [("reset", row) for row in rows]

    def begin_subgoals(self, rows, subgoals):
        self._forget(rows)
        self.begun += list(zip(rows, map(str, subgoals), strict=True))

    def _forget(self, rows):
        self.state[list(rows)] = 0
        self.frames[list(rows)] = 0

    @torch.no_grad()
    def act(self, rows, observations, mask):
        self.batches.append((len(rows), int(mask.sum())))
        seen = torch.as_tensor(observations["pov"]).float().mean((1, 2)) / 255
        state = self.cell(seen, self.state)
        self.state = torch.where(torch.as_tensor(mask)[:, None], state, self.state)
        self.frames[mask] += 1
        actions = np.tile(noop(), (len(rows), 1))
        wants = self.head(self.state).argmax(1).numpy()
        actions[:, FORWARD], actions[:, ATTACK] = wants % 2, 1
        assert actions[:, :CONTROL_LENGTH].shape == (self.rows, CONTROL_LENGTH)
        return actions, [None] * len(rows)
