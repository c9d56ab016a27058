"""The controller `sb3`: a policy that stable-baselines3 trained on keys, or on a set of actions."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.verbs import HELPED, check_verbs
from optimus_gym.core.actions import CONTROL_LENGTH, full_actions
from optimus_gym.core.checks import check_home_path
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.plain import read_json
from optimus_gym.core.types import VERBS, Failure, SubGoal
from optimus_gym.policies.action_sets import Holding, check_action_set, check_hold
from optimus_gym.policies.policy_options import PolicyOptions
from optimus_gym.policies.saved_policy import open_policy
from optimus_gym.policies.sb3_kinds import KEY_KINDS


class Sb3Controller:
    """Acts as a policy that stable-baselines3 trained with PPO, A2C or DQN, or sb3-contrib with RecurrentPPO.

    An action is held for as many ticks as in training; a new episode or sub-goal ends the hold. Actions are
    drawn by the row's random generator "sb3 controller", which gives one number for each number of the
    policy's action (13 keys, or one choice from a set), and two numbers for an action of DQN. A deep copy or
    pickle of the controller is not attached to an environment.

    The file of a model may describe the training (`sb3_training`). The options `hold`, `stack` and `actions`
    say it for a file that does not.

    Args:
        source: the file that `model.save` wrote.
        policy: "MultiInputPolicy", "CnnPolicy" or "MlpPolicy"; None: as the file says.
        deterministic: whether to take the likeliest action instead of drawing one; for DQN, whether to leave
            out the random actions of its exploration.
        looks_at: the observation's keys in the policy's order, for a file that does not name them (the file
            of a policy of one vector, or of another version of stable-baselines3); empty: `pov` for a policy
            of one picture, else all usable keys.
        verbs: verbs of sub-goals that the policy carries out; empty: all verbs except the helper's.
        hold: ticks that each action is held, for a model trained with `hold` or `FrameSkip`.
        stack: observations that the policy sees at once, for a model trained through `VecFrameStack`.
        actions: the keys of each action of a `Discrete` set, a list of mappings as in `sb3_training`, or the
            path of a JSON file with this list.
        normalize: a file that `sb3_seeing.save_statistics` wrote, for a model trained through `VecNormalize`.
        extractor: "module:Class" of the model's own `features_extractor_class`.

    Raises:
        BadValue, UnknownName: an option cannot be used.
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
        hold: int | None = None,
        stack: int | None = None,
        actions: str | Sequence[Mapping[str, int]] | None = None,
        normalize: str | None = None,
        extractor: str | None = None,
    ) -> None:
        for verb in verbs:
            if verb not in VERBS:
                raise UnknownName("verb", verb, VERBS)
        if hold is not None:
            hold = check_hold("hold", hold)
        self._options = PolicyOptions(
            source, policy, deterministic, looks_at, stack, normalize, extractor
        )
        self._hold = hold
        self._given = actions if actions is None or isinstance(actions, str) else tuple(actions)
        self._set = None if actions is None else check_action_set("actions", _listed(actions))
        self.looks_at = self._options.looks_at
        self._verbs = tuple(verbs)
        self.verbs = frozenset[str](verbs) or type(self).verbs

    def __reduce__(self) -> tuple[Any, ...]:
        own = self._options
        return type(self), (
            *(own.source, own.policy, own.deterministic, own.looks_at, self._verbs),
            *(self._hold, own.stack, self._given, own.normalize, own.extractor),
        )

    def attach(self, setting: ControllerSetting) -> None:
        """Read the model, fit it to the environment, and forget the previous environment's episodes.

        Raises:
            BadValue: the file cannot be read, the model's observations or actions do not fit the
                environment, or the model was trained in another way than an option says.
            MissingExtra: stable-baselines3 or, for a recurrent policy, sb3-contrib is not installed.
        """
        self._policy = open_policy(self._options, KEY_KINDS, "controller 'sb3'")
        from optimus_gym.policies import sb3_fitting as fitting

        saved = self._policy.saved
        self._actions = fitting.action_set_of(saved, self._set)
        actions = fitting.action_space_of(saved, setting.action_space, self._actions)
        places = CONTROL_LENGTH if self._actions is None else 1
        self._policy.fit(setting, actions, places, setting.device or "cpu")
        self.looks_at = self._policy.looks_at
        self._holding = Holding(
            fitting.agreed_number("hold", saved, saved.training.hold, self._hold)
        )

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin episodes in `rows`, with random generators from the seeds; release the rows' held actions."""
        self._holding.release(rows)
        self._policy.begin_episodes(rows, seeds, "sb3 controller")

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
            chosen = self._policy.choose(deciding, seen)
            own = self._actions
            pressed = full_actions(chosen) if own is None else own[chosen.reshape(-1)]
            self._holding.take(deciding, pressed)
        return self._holding.press(rows), [None] * len(rows)


def _listed(actions: str | Sequence[Mapping[str, int]]) -> list[Any]:
    """Return the actions of an option, read from a JSON file if the option is its path.

    Raises:
        BadValue: the file is missing or holds no JSON.
    """
    if not isinstance(actions, str):
        return list(actions)
    file: Path = check_home_path("actions", actions)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise BadValue(f"actions: expected a JSON file, got {actions!r} ({error})") from error
    found: list[Any] = read_json(content, actions)
    return found
