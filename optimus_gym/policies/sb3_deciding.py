"""The choice of an action by each kind of policy: PPO and A2C, DQN, RecurrentPPO, MaskablePPO."""

from collections.abc import Sequence
from typing import Any, Final, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from optimus_gym.policies.sb3_kinds import PolicyKind

_RANDOMLY: Final = 2
"""Numbers that DQN draws for an action: whether the action is random, and which one."""


class Deciding(Protocol):
    """Chooses the actions of many rows; keeps what a row's network remembers under the row's number."""

    draws: int
    """Random numbers that an action takes."""

    def begin_episodes(self, rows: Sequence[int]) -> None:
        """Forget what the network remembers of `rows`."""

    def decide(
        self,
        rows: Sequence[int],
        seen: Any,
        draws: NDArray[np.float64] | None,
        masks: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.int64]:
        """Return the rows' actions (int64[n, k]).

        Args:
            rows: n rows.
            seen: what the policy sees: an array (n, ...), or a mapping from keys to such arrays.
            draws: random numbers in [0, 1) (float64[n, draws]); None: take the likeliest actions.
            masks: the actions that are possible (bool[n, actions]), which policies of MaskablePPO and DQN
                keep to; None: all.
        """


def deciding_for(kind: PolicyKind, policy: Any, places: int, exploration: float) -> Deciding:
    """Return what chooses the actions of a policy.

    Args:
        kind: the kind of policy.
        policy: the policy.
        places: numbers of an action.
        exploration: DQN's probability of a random action.
    """
    if kind == "q-values":
        return QValues(policy, exploration)
    if kind == "masked":
        return Masked(policy, places)
    return Recurrent(policy, places) if kind == "recurrent" else ActorCritic(policy, places)


class ActorCritic:
    """A policy of PPO or A2C: a distribution for each number of an action.

    Args:
        policy: the policy.
        places: numbers of an action.
    """

    def __init__(self, policy: Any, places: int) -> None:
        self._policy = policy
        self.draws = places

    def begin_episodes(self, rows: Sequence[int]) -> None:
        """Do nothing: the network remembers nothing."""

    def decide(
        self,
        rows: Sequence[int],
        seen: Any,
        draws: NDArray[np.float64] | None,
        masks: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.int64]:
        """Return the rows' actions (int64[n, k])."""
        with torch.no_grad():
            made = self._policy.get_distribution(self._policy.obs_to_tensor(seen)[0])
        return _chosen(made, draws)


class Masked(ActorCritic):
    """A policy of MaskablePPO: a distribution over the possible actions."""

    def decide(
        self,
        rows: Sequence[int],
        seen: Any,
        draws: NDArray[np.float64] | None,
        masks: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.int64]:
        """Return the rows' actions (int64[n, k]), possible ones only."""
        with torch.no_grad():
            made = self._policy.get_distribution(self._policy.obs_to_tensor(seen)[0], masks)
        return _chosen(made, draws)


class QValues:
    """A policy of DQN: the action of the highest value, or now and then a random action.

    Args:
        policy: the policy.
        exploration: probability of a random action, 0 to 1.
    """

    draws = _RANDOMLY

    def __init__(self, policy: Any, exploration: float) -> None:
        self._policy = policy
        self._exploration = exploration

    def begin_episodes(self, rows: Sequence[int]) -> None:
        """Do nothing: the network remembers nothing."""

    def decide(
        self,
        rows: Sequence[int],
        seen: Any,
        draws: NDArray[np.float64] | None,
        masks: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.int64]:
        """Return the rows' actions (int64[n, 1])."""
        with torch.no_grad():
            values = self._policy.q_net(self._policy.obs_to_tensor(seen)[0]).cpu().numpy()
        possible = np.ones(values.shape, np.bool_) if masks is None else masks
        best: NDArray[np.int64] = np.where(possible, values, -np.inf).argmax(1)
        if draws is not None:
            heaps = np.cumsum(possible, axis=1)
            random = (heaps <= draws[:, 1, None] * heaps[:, -1:]).sum(axis=1)
            best = np.where(draws[:, 0] < self._exploration, random, best)
        return best[:, None]


class Recurrent:
    """A policy of RecurrentPPO, whose network remembers each row's episode.

    Args:
        policy: the policy.
        places: numbers of an action.
    """

    def __init__(self, policy: Any, places: int) -> None:
        self._policy = policy
        self.draws = places
        self._states: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}
        """The states of the actor's network by row (float32[layers, units] each)."""

    def begin_episodes(self, rows: Sequence[int]) -> None:
        """Forget the states of `rows`."""
        for row in rows:
            self._states.pop(row, None)

    def decide(
        self,
        rows: Sequence[int],
        seen: Any,
        draws: NDArray[np.float64] | None,
        masks: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.int64]:
        """Return the rows' actions (int64[n, k])."""
        layers, _, units = self._policy.lstm_hidden_state_shape
        device = self._policy.device
        empty = torch.zeros(layers, units, device=device)
        kept = [self._states.get(row, (empty, empty)) for row in rows]
        states = tuple(torch.stack([one[k] for one in kept], dim=1) for k in (0, 1))
        begins = torch.zeros(len(rows), device=device)
        with torch.no_grad():
            made, states = self._policy.get_distribution(
                self._policy.obs_to_tensor(seen)[0], states, begins
            )
        for place, row in enumerate(rows):
            self._states[row] = (states[0][:, place].clone(), states[1][:, place].clone())
        return _chosen(made, draws)


def _chosen(made: Any, draws: NDArray[np.float64] | None) -> NDArray[np.int64]:
    """Return the likeliest actions of a distribution, or actions drawn by `draws` (int64[n, k])."""
    if draws is None:
        likeliest: NDArray[np.int64] = made.mode().cpu().numpy()
        return likeliest.reshape(len(likeliest), -1)
    places = made.distribution
    chosen = np.zeros(draws.shape, np.int64)
    for k, place in enumerate(places if isinstance(places, list) else [places]):
        heaps = np.cumsum(place.probs.cpu().numpy().astype(np.float64), axis=1)
        chosen[:, k] = (heaps[:, :-1] <= draws[:, k, None] * heaps[:, -1:]).sum(axis=1)
    return chosen
