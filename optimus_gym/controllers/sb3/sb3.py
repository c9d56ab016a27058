"""The controller `sb3`: a policy that stable-baselines3 trained on keys, or on a set of actions."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.sb3_training import check_ticks
from optimus_gym.controllers.verbs import HELPED, check_verbs
from optimus_gym.core.actions import CONTROL_LENGTH, full_actions, without_presses
from optimus_gym.core.errors import MissingExtra, UnknownName
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.rng import generator
from optimus_gym.core.types import VERBS, Failure, SubGoal

_POLICIES = {
    "MultiInputPolicy": "MultiInputActorCriticPolicy",
    "CnnPolicy": "ActorCriticCnnPolicy",
    "MlpPolicy": "ActorCriticPolicy",
}
"""Names and classes of the policies of PPO and A2C; all but the first read only one observation key."""


class Sb3Controller:
    """Acts as a PPO or A2C policy that stable-baselines3 trained.

    An action is held for as many ticks as in training; a new episode or sub-goal ends the hold. Actions are
    drawn by the row's random generator "sb3 controller", which gives one number for each number of the
    policy's action (13 keys, or one choice from a set). A deep copy or pickle of the controller is not
    attached to an environment.

    Args:
        source: the file that `model.save` wrote, perhaps with a description of the training (see
            `sb3_training`). The model's file does not say whether the model was trained through
            `VecNormalize`; in any case the policy gets observations that `VecNormalize` has not changed.
        policy: "MultiInputPolicy", "CnnPolicy" or "MlpPolicy"; None: as the file says.
        deterministic: whether to take the likeliest action instead of drawing one.
        looks_at: the observation's keys in the policy's order, for a file that does not name them (the file
            of a policy of one vector, or of another version of stable-baselines3); empty: `pov` for a policy
            of one picture, else all usable keys.
        verbs: verbs of sub-goals that the policy carries out; empty: all verbs except the helper's.
        ticks: ticks that each action is held, for a model trained through `FrameSkip` whose file does not
            say so; None: as the file says, else 1.
    """

    privileged = False
    needs = frozenset({"keys"})
    verbs: frozenset[str] = frozenset(VERBS) - HELPED
    looks_at: tuple[str, ...] = ()
    fixed_batch = False

    def __init__(
        self,
        source: str,
        policy: str | None = None,
        deterministic: bool = True,
        looks_at: Sequence[str] = (),
        verbs: Sequence[str] = (),
        ticks: int | None = None,
    ) -> None:
        if policy is not None and policy not in _POLICIES:
            raise UnknownName("policy", policy, _POLICIES)
        for verb in verbs:
            if verb not in VERBS:
                raise UnknownName("verb", verb, VERBS)
        if ticks is not None:
            ticks = check_ticks("ticks, as of `FrameSkip`", ticks)
        self._arguments = (source, policy, deterministic, tuple(looks_at), tuple(verbs), ticks)
        self.looks_at = tuple(looks_at)
        self.verbs = frozenset[str](verbs) or type(self).verbs
        self._policy: Any = None
        self._one_key = False
        """Whether the policy gets one array instead of a mapping from observation keys to arrays."""
        self._actions: NDArray[np.int32] | None = None
        """Values of keys in each action of the policy's set (int32[n, 15]); None: the policy has no set."""
        self._holding = Holding(1)
        self._generators: dict[int, np.random.Generator] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments

    def attach(self, setting: ControllerSetting) -> None:
        """Read the model, fit it to the environment, and forget the previous environment's episodes.

        Raises:
            BadValue: the file cannot be read, the model's observations or actions do not fit the
                environment, or the model was trained in another way than an option says.
            MissingExtra: stable-baselines3 is not installed.
        """
        source, policy, _, looks_at, _, ticks = self._arguments
        self._generators = {}
        try:
            import stable_baselines3.common.policies as policies

            from optimus_gym.controllers import sb3_fitting as fitting
            from optimus_gym.controllers.sb3_file import read_model
        except ImportError as error:
            raise MissingExtra("controller 'sb3'", "train") from error
        saved = read_model(source)
        policy = policy or saved.policy
        fitting.check_picture_options(saved, setting)
        space = fitting.space_of(saved, setting, looks_at)
        actions = fitting.action_space_of(saved, setting)
        self.looks_at = tuple(space.spaces)
        self._one_key = policy != "MultiInputPolicy"
        only = fitting.only_key(space, policy, source) if self._one_key else space
        maker = getattr(policies, _POLICIES[policy])
        self._policy = fitting.policy_of(maker, saved, only, actions).to(setting.device or "cpu")
        self._actions = saved.training.actions
        self._holding = Holding(fitting.ticks_of(saved, ticks))

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin episodes in `rows`, with random generators from the seeds; release the rows' held actions."""
        self._holding.release(rows)
        for row, seed in zip(rows, seeds, strict=True):
            self._generators[row] = generator(seed, "sb3 controller")

    def begin_subgoals(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Release the held actions of `rows`; the policy sees the new sub-goals in its observations.

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
            deciding = [rows[place] for place in free]
            seen = {key: observations[key][free] for key in self.looks_at}
            self._holding.take(deciding, self._decide(deciding, seen))
        return self._holding.press(rows), [None] * len(rows)

    def _decide(
        self, rows: Sequence[int], observations: Mapping[str, NDArray[Any]]
    ) -> NDArray[np.int32]:
        """Return the policy's next actions (int32[n, 15])."""
        seen: Any = observations
        if self._one_key:
            (seen,) = observations.values()
        deterministic = self._arguments[2]
        if deterministic:
            chosen = self._policy.predict(seen, deterministic=True)[0]
        else:
            places = CONTROL_LENGTH if self._actions is None else 1
            draws = np.array([self._generators[row].random(places) for row in rows])
            chosen = _drawn(self._policy, seen, draws)
        return full_actions(chosen) if self._actions is None else self._actions[chosen.reshape(-1)]


def _drawn(policy: Any, seen: Any, draws: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the policy's actions, drawn by `draws`: float64[n, length of an action], in [0, 1)."""
    import torch

    with torch.no_grad():
        made = policy.get_distribution(policy.obs_to_tensor(seen)[0]).distribution
    places = made if isinstance(made, list) else [made]
    chosen = np.zeros(draws.shape, np.int64)
    for k, place in enumerate(places):
        heaps = np.cumsum(place.probs.cpu().numpy().astype(np.float64), axis=1)
        chosen[:, k] = (heaps[:, :-1] <= draws[:, k, None] * heaps[:, -1:]).sum(axis=1)
    return chosen


class Holding:
    """Holds each row's action for `ticks` ticks, as `wrappers.FrameSkip` does.

    Args:
        ticks: ticks to hold each action, at least 1.
    """

    def __init__(self, ticks: int) -> None:
        self._ticks = ticks
        self._held: dict[int, NDArray[np.int32]] = {}
        """For each row, the action that the row presses next."""
        self._left: dict[int, int] = {}
        """For each row, the number of ticks for which the row still holds its action."""

    def release(self, rows: Sequence[int]) -> None:
        """End the holds of `rows`, so that each row takes a new action next."""
        for row in rows:
            self._left.pop(row, None)

    def free(self, rows: Sequence[int]) -> list[int]:
        """Return the indices into `rows` of those rows that need a new action now."""
        return [place for place, row in enumerate(rows) if not self._left.get(row)]

    def take(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        """Let `rows` hold new actions (int32[n, 15]) from now on."""
        self._held.update(zip(rows, actions, strict=True))
        self._left.update(dict.fromkeys(rows, self._ticks))

    def press(self, rows: Sequence[int]) -> NDArray[np.int32]:
        """Return the actions (int32[n, 15]) that `rows` press in this tick; each row must hold an action."""
        pressed = np.stack([self._held[row] for row in rows])
        for row in rows:
            self._held[row] = without_presses(self._held[row])
            self._left[row] -= 1
        return pressed
