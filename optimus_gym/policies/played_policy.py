"""A policy that stable-baselines3 saved, fitted to one environment: it chooses actions for many rows."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from optimus_gym.core.registry import import_named
from optimus_gym.core.rng import generator
from optimus_gym.policies import sb3_fitting as fitting
from optimus_gym.policies.policy_options import PolicyOptions
from optimus_gym.policies.sb3_deciding import deciding_for
from optimus_gym.policies.sb3_file import SavedModel, read_model
from optimus_gym.policies.sb3_kinds import PolicyKind
from optimus_gym.policies.sb3_seeing import Seeing, read_statistics


class PlayedPolicy:
    """Chooses actions as a saved policy does.

    Args:
        options: the options of the policy.
        kinds: the kinds of policies that the caller plays.

    Attributes:
        saved: the model as its file describes it.
        looks_at: the keys of the observation that the policy sees, after `fit`.

    Raises:
        BadValue: the file cannot be read, or the caller does not play this kind of policy.
    """

    def __init__(self, options: PolicyOptions, kinds: Collection[PolicyKind]) -> None:
        named = options.normalize
        self._statistics = None if named is None else read_statistics(named)
        self.saved: SavedModel = read_model(options.source, self._statistics is not None, kinds)
        self._options = options
        self._generators: dict[int, np.random.Generator] = {}
        self.looks_at: tuple[str, ...] = ()

    def fit(
        self, shown: fitting.SeenEnvironment, actions: spaces.Space[Any], places: int, device: str
    ) -> None:
        """Make the policy for an environment.

        Args:
            shown: observations and pictures of the environment.
            actions: the policy's action space.
            places: numbers of an action.
            device: the device for the network.

        Raises:
            BadValue: the model's observations or actions do not fit the environment, or the model was trained
                in another way than an option says.
            MissingExtra: sb3-contrib, for its kinds of policies, is not installed.
        """
        options, saved = self._options, self.saved
        fitting.check_picture_options(saved, shown)
        stack = fitting.agreed_number("stack", saved, saved.training.stack, options.stack)
        space = fitting.space_of(saved, shown, options.looks_at, stack)
        self.looks_at = tuple(space.spaces)
        if self._statistics is None:
            fitting.check_ranges(saved, space)
        policy = options.policy or saved.policy
        self._one_key = policy != "MultiInputPolicy"
        only = fitting.only_key(space, policy, options.source) if self._one_key else space
        named = options.extractor
        extractor = None if named is None else import_named("extractor", named)
        network = fitting.policy_of(policy, saved, only, actions, extractor).to(device)
        self._deciding = deciding_for(saved.kind, network, places, saved.exploration)
        shapes = {key: shown.observation_space[key].shape or () for key in self.looks_at}
        self._seeing = Seeing(stack, self._statistics and self._statistics.named(shapes, stack))

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int], name: str) -> None:
        """Begin episodes: empty stacks and memories, and a generator called `name` for each row."""
        self._seeing.begin_episodes(rows)
        self._deciding.begin_episodes(rows)
        for row, seed in zip(rows, seeds, strict=True):
            self._generators[row] = generator(seed, name)

    def choose(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        masks: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.int64]:
        """Return the rows' actions (int64[n, places]).

        Args:
            rows: n rows.
            observations: arrays (n, ...) by key, at least those of `looks_at`.
            masks: the actions that are possible (bool[n, actions]), which a masked policy needs.
        """
        seen: Any = self._seeing.see(rows, {key: observations[key] for key in self.looks_at})
        if self._one_key:
            (seen,) = seen.values()
        draws = None
        if not self._options.deterministic:
            draws = np.array([self._generators[row].random(self._deciding.draws) for row in rows])
        return self._deciding.decide(rows, seen, draws, masks)
