"""The controller that plays a policy of `ppo_vec`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from optimus_gym.baselines.ppo_vec import STATE, UNITS, Network
from optimus_gym.baselines.run_folder import read_state
from optimus_gym.baselines.skill_run import ACTIONS, HOLD
from optimus_gym.controllers.verbs import HELPED, check_verbs
from optimus_gym.core.errors import BadValue
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.rng import generator
from optimus_gym.core.types import VERBS, Failure, SubGoal
from optimus_gym.core.weights import fill_network
from optimus_gym.policies.action_sets import Holding, check_action_set


class VecController:
    """Plays a policy of this page: draws an action and holds it, with a memory for each row.

    Args:
        source: the file `state.pt` of a training.
    """

    privileged = False
    needs = frozenset({"keys"})
    verbs = frozenset(VERBS) - HELPED
    looks_at = ("pov",)
    fixed_batch = False

    def __init__(self, source: str) -> None:
        self._source = source

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._source,)

    def attach(self, setting: ControllerSetting) -> None:
        """Read the policy.

        Raises:
            BadValue: there is no such file, it is damaged, or its policy saw pictures of another size.
        """
        file = Path(self._source)
        state = read_state(file, STATE)
        if state is None:
            raise BadValue(f"source: expected the file state.pt of a training, got '{file}'")
        side = int(state["side"])
        if setting.resolution != (side, side):
            raise BadValue(
                f"resolution: expected {(side, side)}, as the policy was trained with, got the environment's "
                f"{setting.resolution} ({file})"
            )
        self._network = Network(side)
        fill_network(self._network, state["weights"], file)
        self._network.eval()
        self._actions = check_action_set("actions", [dict(keys) for keys in ACTIONS.values()])
        self._holding = Holding(HOLD)
        self._states: dict[int, Tensor] = {}
        self._draws: dict[int, np.random.Generator] = {}

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin episodes in `rows` with an empty memory."""
        self._holding.release(rows)
        for row, seed in zip(rows, seeds, strict=True):
            self._states[row] = torch.zeros(UNITS)
            self._draws[row] = generator(seed, "ppo_vec controller")

    def begin_subgoals(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Release the held actions of `rows`.

        Raises:
            BadValue: a sub-goal's verb is not one that this controller carries out.
        """
        check_verbs(subgoals, self.verbs)
        self._holding.release(rows)

    def act(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        mask: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Return the policy's actions (int32[n, 15]) and no failures."""
        free = self._holding.free(rows)
        if free:
            choosing = [rows[place] for place in free]
            self._holding.take(choosing, self._choose(choosing, observations["pov"][free]))
        return self._holding.press(rows), [None] * len(rows)

    @torch.no_grad()
    def _choose(self, rows: Sequence[int], pictures: NDArray[np.uint8]) -> NDArray[np.int32]:
        state = torch.stack([self._states[row] for row in rows])
        scores, _, state = self._network(
            torch.from_numpy(pictures)[None], torch.zeros(1, len(rows)), state
        )
        heaps = torch.softmax(scores[0].double(), 1).cumsum(1).numpy()
        chosen = []
        for place, row in enumerate(rows):
            self._states[row] = state[place]
            draw = self._draws[row].random() * heaps[place, -1]
            chosen.append(int(np.searchsorted(heaps[place, :-1], draw, side="right")))
        return self._actions[chosen]
