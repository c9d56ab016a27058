"""A policy that stable-baselines3 trained on the control view, as a controller."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from optimus_gym.controllers.verbs import HELPED, check_verbs
from optimus_gym.core.actions import CONTROL_LENGTH, noop
from optimus_gym.core.checks import is_whole
from optimus_gym.core.errors import BadValue, MissingExtra, UnknownName, shown
from optimus_gym.core.protocols import ControllerSetting
from optimus_gym.core.rng import generator
from optimus_gym.core.types import VERBS, Failure, SubGoal

if TYPE_CHECKING:
    from optimus_gym.controllers.sb3_file import SavedModel

POLICIES = {
    "MultiInputPolicy": "MultiInputActorCriticPolicy",
    "CnnPolicy": "ActorCriticCnnPolicy",
    "MlpPolicy": "ActorCriticPolicy",
}
"""Policies of PPO and A2C and their classes; all but the first look at one key."""


class Sb3Controller:
    """Acts as a trained PPO or A2C policy does; see `sb3_file` for what is read of its file.

    Drawn actions come from the generator "sb3 controller" of the row's seed, thirteen numbers a tick. A
    copy, deep or pickled, is as new: it has met no environment.

    Args:
        source: the file that `model.save` wrote. The file does not tell whether the model was trained
            through `VecNormalize` or `FrameSkip`: such a model is not played as it was trained.
        policy: "MultiInputPolicy", or for a policy of one key "CnnPolicy" or "MlpPolicy".
        deterministic: whether to take the likeliest action instead of drawing one.
        looks_at: the observation's keys in the policy's order, if the file does not say (a policy of
            one key, another version's file); empty: all that can be.
        verbs: verbs of sub-goals that it carries out; empty: all that are not the helper's.
    """

    privileged = False
    needs = frozenset({"keys"})
    verbs: frozenset[str] = frozenset(VERBS) - HELPED
    looks_at: tuple[str, ...] = ()
    fixed_batch = False

    def __init__(
        self,
        source: str,
        policy: str = "MultiInputPolicy",
        deterministic: bool = True,
        looks_at: Sequence[str] = (),
        verbs: Sequence[str] = (),
    ) -> None:
        if policy not in POLICIES:
            raise UnknownName("policy", policy, POLICIES)
        for verb in verbs:
            if verb not in VERBS:
                raise UnknownName("verb", verb, VERBS)
        self._arguments = (source, policy, deterministic, tuple(looks_at), tuple(verbs))
        self.looks_at = tuple(looks_at)
        self.verbs = frozenset[str](verbs) or type(self).verbs
        self._policy: Any = None
        self._generators: dict[int, np.random.Generator] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments

    def attach(self, setting: ControllerSetting) -> None:
        """Read the model and fit it to the environment; a former one's episodes are forgotten.

        Raises:
            BadValue: the file cannot be read, or what it sees or does is not the environment's.
            MissingExtra: stable-baselines3 is not installed.
        """
        source, policy, _, looks_at, _ = self._arguments
        self._generators = {}
        try:
            import stable_baselines3.common.policies as policies

            from optimus_gym.controllers.sb3_file import read_model
        except ImportError as error:
            raise MissingExtra("controller 'sb3'", "train") from error
        saved = read_model(source)
        space = _space(saved, setting.observation_space, looks_at)
        if saved.sizes and saved.sizes != tuple(setting.action_space.nvec.tolist()):
            raise BadValue(
                f"model: expected the environment's action space {setting.action_space.nvec.tolist()}, "
                f"got {list(saved.sizes)} ({source})"
            )
        self.looks_at = tuple(space.spaces)
        only = space if policy == "MultiInputPolicy" else _only(space, policy, source)
        self._policy = _load(getattr(policies, POLICIES[policy]), saved, only, setting)

    def reset(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin episodes with the seeds' generators."""
        for row, seed in zip(rows, seeds, strict=True):
            self._generators[row] = generator(seed, "sb3 controller")

    def begin(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Turn to other sub-goals, which the observations tell.

        Raises:
            BadValue: a verb is not one of this controller's.
        """
        check_verbs(subgoals, self.verbs)

    def act(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        mask: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Return the policy's actions (int32[n, 15]) and no failures."""
        _, policy, deterministic, _, _ = self._arguments
        seen: Any = {key: observations[key] for key in self.looks_at}
        if policy != "MultiInputPolicy":
            (seen,) = seen.values()
        actions = np.tile(noop(), (len(rows), 1))
        if deterministic:
            actions[:, :CONTROL_LENGTH] = self._policy.predict(seen, deterministic=True)[0]
        else:
            draws = np.array([self._generators[row].random(CONTROL_LENGTH) for row in rows])
            actions[:, :CONTROL_LENGTH] = _drawn(self._policy, seen, draws)
        return actions, [None] * len(rows)


def _space(saved: "SavedModel", given: spaces.Dict, looks_at: tuple[str, ...]) -> spaces.Dict:
    """Return the part of an observation space that a model looks at, pictures channels first.

    Raises:
        BadValue: there is no such part.
    """
    offered = {key: _channels_first(space) for key, space in given.spaces.items()}
    pictures = {name.split(".")[2] for name in saved.weights if ".extractors." in name}
    keys = (
        tuple(saved.shapes)
        or looks_at
        or tuple(key for key in offered if len(offered[key].shape) != 3 or key in pictures)
    )
    has = {key: offered[key].shape for key in offered}
    for key in keys:
        if key not in has or saved.shapes.get(key, has[key]) != has[key]:
            wanted = dict(saved.shapes) or list(keys)
            raise BadValue(
                f"model: expected the environment's observation {has}, got {wanted} ({saved.path})"
            )
    return spaces.Dict([(key, offered[key]) for key in keys])


def _channels_first(space: spaces.Space[Any]) -> spaces.Box:
    """Return a key's space as stable-baselines3 has it: pictures are turned to (3, H, W)."""
    assert isinstance(space, spaces.Box), "every key of an observation is a Box"
    if len(space.shape) != 3 or space.dtype != np.uint8:
        return space
    height, width, channels = space.shape
    return spaces.Box(0, 255, (channels, height, width), np.uint8)


def _only(space: spaces.Dict, policy: str, source: str) -> spaces.Space[Any]:
    """Return the space of the one key of a policy that looks at one.

    Raises:
        BadValue: it is not one.
    """
    if len(space.spaces) != 1:
        raise BadValue(
            f"looks_at: expected the one key that a {policy} looks at, got {list(space.spaces)} "
            f"({source})"
        )
    return next(iter(space.spaces.values()))


def _load(
    maker: Any, saved: "SavedModel", space: spaces.Space[Any], setting: ControllerSetting
) -> Any:
    """Make the policy for the environment and give it the model's weights.

    Raises:
        BadValue: they do not fit.
    """
    import torch

    _check_sizes(saved)
    nowhere = torch.device("meta")  # sizes are compared before room is made for what the file says
    laid_out = type(maker.__name__, (maker,), {"device": property(lambda _: nowhere)})
    try:
        with torch.random.fork_rng(devices=[]), nowhere:
            policy = laid_out(
                space, setting.action_space, lambda _: 0.0, ortho_init=False, **saved.kwargs
            )
    except (AssertionError, RuntimeError, TypeError, ValueError) as error:
        raise BadValue(f"model: no policy of {saved.path} for {space}: {error}") from error
    built = {name: tuple(tensor.shape) for name, tensor in policy.state_dict().items()}
    given = {name: tuple(tensor.shape) for name, tensor in saved.weights.items()}
    for name in (*built, *given):
        if built.get(name) != given.get(name):
            raise BadValue(
                f"model: expected {name} of shape {built.get(name)}, for the environment's {space} and "
                f"{setting.action_space}, got {given.get(name)} ({saved.path})"
            )
    policy.__class__ = maker
    policy.load_state_dict(saved.weights, assign=True)
    policy.set_training_mode(False)
    return policy.to(setting.device or "cpu")


def _check_sizes(saved: "SavedModel") -> None:
    """Refuse sizes that are larger than any side of a model's weights, and more layers than weights.

    Raises:
        BadValue: names what is wrong.
    """
    sides = [side for tensor in saved.weights.values() for side in tensor.shape]
    most, count = max(sides, default=0), len(saved.weights)
    left: list[Any] = [saved.kwargs.get("net_arch"), saved.kwargs.get("features_extractor_kwargs")]
    seen = 0
    while left:
        value = left.pop()
        if isinstance(value, dict | list):
            left += value.values() if isinstance(value, dict) else value
            seen += len(value)
        elif (value is not None and (not is_whole(value) or not 0 < value <= most)) or seen > count:
            raise BadValue(
                f"model: expected at most {count} layers of 1 to {most}, as the weights of {saved.path} "
                f"have, got {shown(value)} in the policy's arguments"
            )


def _drawn(policy: Any, seen: Any, draws: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return actions drawn by numbers (float64[n, 13], [0, 1)) from the policy's distribution."""
    import torch

    with torch.no_grad():
        places = policy.get_distribution(policy.obs_to_tensor(seen)[0]).distribution
    chosen = np.zeros(draws.shape, np.int64)
    for k, place in enumerate(places):
        heaps = np.cumsum(place.probs.cpu().numpy().astype(np.float64), axis=1)
        chosen[:, k] = (heaps[:, :-1] <= draws[:, k, None] * heaps[:, -1:]).sum(axis=1)
    return chosen
