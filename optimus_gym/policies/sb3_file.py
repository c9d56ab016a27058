"""Reads tensors and plain values from a model that stable-baselines3 saved, without executing its code.

The model's file is a zip. In the zip, `policy.pth` holds the weights. `data` is a JSON object, in which plain
values stand as themselves, and any other object as a pickle with a description of its parts as text. The
pickles are never read; the reader takes spaces and activation function from the descriptions.
"""

import json
import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from zipfile import BadZipFile, ZipFile

import torch

from optimus_gym.core.checks import check_home_path, is_number
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.stored_zip import members_of
from optimus_gym.core.tensor_files import tensors_within
from optimus_gym.core.weights import not_finite
from optimus_gym.policies.sb3_kinds import KEY_KINDS, PolicyKind, kind_of
from optimus_gym.policies.sb3_training import KEPT_AS, SavedTraining, training_of

_WEIGHTS = "policy.pth"
"""Name of the file with the weights in a model's zip."""
_DATA = "data"
"""Name of the JSON file with the arguments in a model's zip."""
_MOST_WORDS = 16_000_000
"""Maximum size in bytes of a model's JSON, which holds the latest observations of all its environments."""
_MOST_DIGITS = 9
"""Maximum number of digits of a number in the description of a space."""
_MOST_SIDES = 8
"""Maximum number of dimensions of a shape in the file; no observation has more than three."""
KWARGS: Mapping[str, type | tuple[type, ...]] = {
    "net_arch": (list, dict),
    "activation_fn": str,
    "features_extractor_kwargs": dict,
    "normalize_images": bool,
    "share_features_extractor": bool,
    "lstm_hidden_size": int,
    "n_lstm_layers": int,
    "shared_lstm": bool,
    "enable_critic_lstm": bool,
}
"""Arguments of a policy that decide how the policy acts, and the arguments' types in the file."""
TRAINING_KWARGS = frozenset({"optimizer_class", "optimizer_kwargs", "ortho_init", "log_std_init"})
"""Arguments of a policy that matter for training only, and that the reader skips."""
PICKLED = frozenset({":type:", ":serialized:"})
"""Keys that mark pickled objects in the file."""
EXTRACTOR = "features_extractor_class"
"""Argument of a policy that only its pickle describes; the controller's option `extractor` replaces it."""
_KEY = re.compile(r"'(\w+)': Box\([^()]*, \(([\d, ]+)\), \w+\)")
_RANGE = re.compile(r"'(\w+)': Box\((-?[\d.]+), (-?[\d.]+), \([\d, ]+\), \w+\)")
_ACTIVATION = re.compile(r"<class 'torch\.nn\.modules\.activation\.(\w+)'>")


@dataclass(frozen=True, slots=True)
class SavedModel:
    """A policy as its file describes it.

    Attributes:
        path: the file.
        weights: tensors by name.
        shapes: shapes of the observation's keys in the policy's order, pictures channels first; empty
            if the policy looks at one key, or if the file does not say.
        shape: shape of the observation of a policy that looks at one key, else empty.
        ranges: least and greatest value of the observation's keys, for keys whose numbers all have the same
            limits.
        sizes: number of values that each number of an action can take; empty if the file does not say.
        kwargs: arguments of the policy's class.
        kind: the kind of policy, which tells the algorithm.
        extracts: whether the policy has a features extractor of its own class.
        exploration: probability of a random action in the policy of DQN, 0 to 1.
        training: the training as the file describes it.
        words: all that the file's JSON tells of the model, such as the arguments of its algorithm.
    """

    path: str
    weights: Mapping[str, torch.Tensor]
    shapes: Mapping[str, tuple[int, ...]]
    shape: tuple[int, ...]
    ranges: Mapping[str, tuple[float, float]]
    sizes: tuple[int, ...]
    kwargs: Mapping[str, Any]
    kind: PolicyKind
    extracts: bool
    exploration: float
    training: SavedTraining
    words: Mapping[str, Any]

    @property
    def policy(self) -> str:
        """Return the policy's name in stable-baselines3, "MultiInputPolicy" if the file does not say."""
        convolves = any("features_extractor.cnn." in name for name in self.weights)
        one = "CnnPolicy" if convolves else "MlpPolicy"
        return one if self.shape or convolves else "MultiInputPolicy"


def read_model(
    path: str, normalized: bool = False, kinds: Collection[PolicyKind] = KEY_KINDS
) -> SavedModel:
    """Read a model that stable-baselines3 saved.

    Args:
        path: the file that `model.save` wrote.
        normalized: whether the caller has the statistics of `VecNormalize`.
        kinds: the kinds of policies that the caller plays.

    Raises:
        BadValue: the file is missing, is no saved model, is damaged, or holds parts that cannot be read
            without executing code.
    """
    file = check_home_path("model", path)
    if file.exists() and not file.is_file():
        raise BadValue(f"model: expected a file, got {path!r}, a folder or a device")
    try:
        with ZipFile(file) as archive:
            members = members_of(archive, file.stat().st_size)
            if members[_DATA].file_size > _MOST_WORDS:
                raise BadValue(
                    f"model: expected {_DATA} of at most {_MOST_WORDS} bytes in {path!r}"
                )
            weights, data = archive.read(members[_WEIGHTS]), archive.read(members[_DATA])
    except OSError as error:
        raise BadValue(f"model: expected a file, got {path!r} ({error.strerror})") from error
    except KeyError as error:
        raise BadValue(
            f"model: expected {_WEIGHTS} and {_DATA} in {path!r}, found no {error}"
        ) from error
    except BadValue:
        raise
    except (BadZipFile, ValueError, EOFError) as error:
        raise BadValue(f"model: expected a whole zip file, got {path!r} ({error})") from error
    words = _words(data, path)
    training = training_of(words.get(KEPT_AS), path)
    kind = kind_of(words, file, normalized, kinds)
    kwargs = words.get("policy_kwargs")
    return SavedModel(
        path=path,
        weights=_weights(weights, path),
        shapes=_shapes(words.get("observation_space")),
        shape=_shape(words.get("observation_space")),
        ranges=_ranges(words.get("observation_space")),
        sizes=_sizes(words.get("action_space")),
        kwargs=_kwargs(kwargs, path),
        kind=kind,
        extracts=isinstance(kwargs, dict) and EXTRACTOR in kwargs,
        exploration=_exploration(words.get("exploration_rate"), path),
        training=training,
        words=words,
    )


def _weights(content: bytes, path: str) -> dict[str, torch.Tensor]:
    try:
        weights = tensors_within(content)
    except ValueError as error:
        told = f"model: expected {_WEIGHTS} of {path!r} to hold weights alone: {error}"
        raise BadValue(told) from error
    if not isinstance(weights, dict) or not all(
        isinstance(name, str) and isinstance(tensor, torch.Tensor)
        for name, tensor in weights.items()
    ):
        raise BadValue(f"model: expected {_WEIGHTS} of {path!r} to hold tensors by name")
    broken = not_finite(weights)
    if broken:
        raise BadValue(
            f"model: expected finite numbers in {path!r}, got NaN or infinity in {broken[0]}"
        )
    for name, tensor in weights.items():
        if not tensor.is_floating_point():
            raise BadValue(f"model: expected floats in {path!r}, got {tensor.dtype} in {name}")
    return {name: tensor.float() for name, tensor in weights.items()}


def _words(content: bytes, path: str) -> dict[str, Any]:
    try:
        words = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadValue(f"model: expected {_DATA} of {path!r} to be JSON ({error})") from error
    if not isinstance(words, dict):
        raise BadValue(f"model: expected {_DATA} of {path!r} to be a JSON object")
    return words


def _shapes(space: Any) -> dict[str, tuple[int, ...]]:
    """Return the shapes of a Dict space by key, from the space's description as text."""
    described = space.get("spaces") if isinstance(space, dict) else None
    if not isinstance(described, str):
        return {}
    return {key: _numbers(shape) for key, shape in _KEY.findall(described)}


def _ranges(space: Any) -> dict[str, tuple[float, float]]:
    """Return the limits of the keys of a Dict space, from the space's description as text."""
    described = space.get("spaces") if isinstance(space, dict) else None
    if not isinstance(described, str):
        return {}
    return {key: (_limit(low), _limit(high)) for key, low, high in _RANGE.findall(described)}


def _limit(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _shape(space: Any) -> tuple[int, ...]:
    """Return the shape of a Box space from the space's description in the file."""
    described = space.get("_shape") if isinstance(space, dict) and "spaces" not in space else None
    if not isinstance(described, list):
        return ()
    return _numbers(",".join(str(number)[:_MOST_DIGITS] for number in described[:_MOST_SIDES]))


def _sizes(space: Any) -> tuple[int, ...]:
    """Return the sizes of a MultiDiscrete or Discrete space from the space's description as text."""
    described = space.get("nvec", space.get("n")) if isinstance(space, dict) else None
    return _numbers(described) if isinstance(described, str) else ()


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number[:_MOST_DIGITS]) for number in re.findall(r"\d+", text))


def _kwargs(given: Any, path: str) -> dict[str, Any]:
    """Return the arguments with which the policy was made, from the file's `policy_kwargs`.

    Raises:
        BadValue: an argument is an object that only its pickle describes.
    """
    given = {} if given is None else given
    if not isinstance(given, dict):
        raise BadValue(f"model: expected policy_kwargs of {path!r} to be a JSON object")
    left_out = PICKLED | TRAINING_KWARGS | {EXTRACTOR}
    kwargs = {k: v for k, v in given.items() if k not in left_out}
    for name, value in kwargs.items():
        if name not in KWARGS or not isinstance(value, KWARGS[name]):
            raise BadValue(
                f"model: expected policy_kwargs of {path!r} to be some of {sorted(KWARGS)}, with plain "
                f"values (pickled values are not read), got {name!r}"
            )
    if "activation_fn" in kwargs:
        kwargs["activation_fn"] = _activation(kwargs["activation_fn"], path)
    return kwargs


def _exploration(value: Any, path: str) -> float:
    """Return DQN's probability of a random action; 0 if the file has none.

    Raises:
        BadValue: the value is no number from 0 to 1.
    """
    if value is None:
        return 0.0
    if not is_number(value) or not 0 <= value <= 1:
        raise BadValue(
            f"model: expected exploration_rate of {path!r} from 0 to 1, got {shown(value)}"
        )
    return float(value)


def _activation(text: str, path: str) -> type[torch.nn.Module]:
    named = _ACTIVATION.fullmatch(text)
    found = getattr(torch.nn.modules.activation, named[1], None) if named else None
    if not isinstance(found, type) or not issubclass(found, torch.nn.Module):
        raise BadValue(f"model: expected an activation of torch.nn in {path!r}, got {text!r}")
    return found
