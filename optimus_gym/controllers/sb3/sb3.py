"""The controller `sb3`: a policy that stable-baselines3 trained on keys, or on a set of actions."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.action_sets import Holding, check_action_set, check_hold
from optimus_gym.controllers.sb3.sb3_training import check_stack
from optimus_gym.controllers.verbs import HELPED, check_verbs
from optimus_gym.core.actions import CONTROL_LENGTH, full_actions
from optimus_gym.core.checks import check_flag, check_home_path
from optimus_gym.core.errors import BadValue, MissingExtra, UnknownName, shown
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.plain import read_json
from optimus_gym.core.registry import import_named
from optimus_gym.core.rng import generator
from optimus_gym.core.types import VERBS, Failure, SubGoal

_POLICIES = ("MultiInputPolicy", "CnnPolicy", "MlpPolicy")
"""Names of policies; all but the first read only one observation key."""


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
        if policy is not None and policy not in _POLICIES:
            raise UnknownName("policy", policy, _POLICIES)
        for verb in verbs:
            if verb not in VERBS:
                raise UnknownName("verb", verb, VERBS)
        if hold is not None:
            hold = check_hold("hold", hold)
        if stack is not None:
            stack = check_stack("stack, as of `VecFrameStack`", stack)
        if extractor is not None and not isinstance(extractor, str):
            raise BadValue(f"extractor: expected 'module:Class', got {shown(extractor)}")
        self._source, self._policy_name, self._extractor = source, policy, extractor
        self._deterministic = check_flag("deterministic", deterministic)
        self._hold, self._stack, self._normalize = hold, stack, normalize
        self._given = actions if actions is None or isinstance(actions, str) else tuple(actions)
        self._set = None if actions is None else check_action_set("actions", _listed(actions))
        self.looks_at = self._asked = tuple(looks_at)
        self._verbs = tuple(verbs)
        self.verbs = frozenset[str](verbs) or type(self).verbs
        self._generators: dict[int, np.random.Generator] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (
            *(self._source, self._policy_name, self._deterministic, self._asked, self._verbs),
            *(self._hold, self._stack, self._given, self._normalize, self._extractor),
        )

    def attach(self, setting: ControllerSetting) -> None:
        """Read the model, fit it to the environment, and forget the previous environment's episodes.

        Raises:
            BadValue: the file cannot be read, the model's observations or actions do not fit the
                environment, or the model was trained in another way than an option says.
            MissingExtra: stable-baselines3 or, for a recurrent policy, sb3-contrib is not installed.
        """
        self._generators = {}
        try:
            import stable_baselines3.common.policies  # noqa: F401

            from optimus_gym.controllers.sb3 import sb3_fitting as fitting
            from optimus_gym.controllers.sb3.sb3_deciding import deciding_for
            from optimus_gym.controllers.sb3.sb3_file import read_model
            from optimus_gym.controllers.sb3.sb3_seeing import Seeing, read_statistics
        except ImportError as error:
            raise MissingExtra("controller 'sb3'", "train") from error
        statistics = None if self._normalize is None else read_statistics(self._normalize)
        saved = read_model(self._source, normalized=statistics is not None)
        told = saved.training
        policy = self._policy_name or saved.policy
        fitting.check_picture_options(saved, setting)
        stack = fitting.agreed_number("stack", saved, told.stack, self._stack)
        space = fitting.space_of(saved, setting, self._asked, stack)
        self._actions = fitting.action_set_of(saved, self._set)
        actions = fitting.action_space_of(saved, setting, self._actions)
        self.looks_at = tuple(space.spaces)
        self._one_key = policy != "MultiInputPolicy"
        only = fitting.only_key(space, policy, self._source) if self._one_key else space
        extractor = None if self._extractor is None else import_named("extractor", self._extractor)
        network = fitting.policy_of(policy, saved, only, actions, extractor)
        network = network.to(setting.device or "cpu")
        places = CONTROL_LENGTH if self._actions is None else 1
        self._deciding = deciding_for(saved.kind, network, places, saved.exploration)
        self._seeing = Seeing(stack, statistics and statistics.named(self.looks_at))
        self._holding = Holding(fitting.agreed_number("hold", saved, told.hold, self._hold))

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin episodes in `rows`, with random generators from the seeds; release the rows' held actions."""
        self._holding.release(rows)
        self._seeing.begin_episodes(rows)
        self._deciding.begin_episodes(rows)
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
        self, rows: Sequence[int], observations: dict[str, NDArray[Any]]
    ) -> NDArray[np.int32]:
        """Return the policy's next actions (int32[n, 15])."""
        seen: Any = self._seeing.see(rows, observations)
        if self._one_key:
            (seen,) = seen.values()
        draws = None
        if not self._deterministic:
            draws = np.array([self._generators[row].random(self._deciding.draws) for row in rows])
        chosen = self._deciding.decide(rows, seen, draws)
        return full_actions(chosen) if self._actions is None else self._actions[chosen.reshape(-1)]


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
