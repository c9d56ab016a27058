"""The controller `pixel`: a small network that learned from the controller `teacher` to mine and to hunt."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.pixel.senses import SENSED_KEYS, Senses, goal_of
from optimus_gym.controllers.pixel.stamp import check_stamp
from optimus_gym.controllers.verbs import check_verbs
from optimus_gym.core.actions import CONTROL_SIZES, full_actions
from optimus_gym.core.checks import check_flag, check_home_path, is_number
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.rng import generator
from optimus_gym.core.types import Failure, SubGoal

_USUAL_SHARPNESS: Final = 1.4
"""Default factor on the network's scores."""
_SHARPEST: Final = 100
_NETWORKS_KEPT: Final = 4
"""Maximum number of networks that `_session` keeps."""
_DATA: Final = "optimus_gym.controllers.pixel.data"


class PixelController:
    """Acts by a network of 0.4 million parameters that sees pictures, hand, vitals and the sub-goal.

    The network gives a distribution for each of the thirteen keys; the controller draws each key's value by
    the row's random generator "pixel controller" (thirteen numbers for a tick). A sub-goal that the network
    was not trained for fails at once with "no_skill".

    Args:
        source: the file of a network that `baselines.imitate` trained; None: the network of the package.
        deterministic: whether to take the likeliest values instead of drawing them.
        sharpness: factor on the network's scores before the draws, above 0 and at most 100; above 1 the
            likelier values are drawn more often. The default was chosen on 64 seeds from 60000 (our choice).

    Raises:
        BadValue: `deterministic` is no flag, or `sharpness` is out of range.
    """

    privileged = False
    needs = frozenset({"keys"})
    verbs = frozenset({"mine", "kill"})
    looks_at: tuple[str, ...] = SENSED_KEYS
    fixed_batch = False

    def __init__(
        self,
        source: str | None = None,
        deterministic: bool = False,
        sharpness: float = _USUAL_SHARPNESS,
    ) -> None:
        if not is_number(sharpness) or not 0 < sharpness <= _SHARPEST:
            raise BadValue(
                f"sharpness: expected a number above 0, at most {_SHARPEST}, got {shown(sharpness)}"
            )
        self._sharpness = float(sharpness)
        self._source = source
        self._deterministic = check_flag("deterministic", deterministic)
        self._detach()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._source, self._deterministic, self._sharpness)

    def _detach(self) -> None:
        self._generators: dict[int, np.random.Generator] = {}
        self._refused: dict[int, Failure] = {}

    def attach(self, setting: ControllerSetting) -> None:
        """Load the network, and forget the previous environment's episodes.

        Raises:
            BadValue: the environment's pictures do not fit, the network cannot be loaded, or it was made for
            other looks, keys or senses.
        """
        self._detach()
        self.senses = Senses(setting)
        self._network = _network(self._source)

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin episodes in `rows`, with random generators from the seeds."""
        for row, seed in zip(rows, seeds, strict=True):
            self._generators[row] = generator(seed, "pixel controller")

    def begin_subgoals(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Give each of `rows` a new sub-goal.

        Raises:
            BadValue: a sub-goal's verb is not one that this controller carries out.
        """
        check_verbs(subgoals, self.verbs)
        for row, subgoal in zip(rows, subgoals, strict=True):
            goal = goal_of(subgoal)
            self._refused.pop(row, None)
            if goal is None:
                detail = f"the network was not trained to {subgoal}"
                self._refused[row] = Failure("no_skill", subgoal.item, subgoal.count, detail)
            self.senses.begin_subgoal(row, goal or 0)

    def act(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        mask: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Return the rows' actions (int32[n, 15]), and failures of sub-goals that are not known."""
        actions = self.decide(rows, *self.senses.sense(rows, observations))
        self.senses.acted(rows, actions)
        return actions, [self._refused.get(row) for row in rows]

    def decide(
        self, rows: Sequence[int], pictures: NDArray[np.uint8], facts: NDArray[np.float32]
    ) -> NDArray[np.int32]:
        """Return actions (int32[n, 15]) for what `Senses.sense` returned."""
        scores = self._network.run(None, {"pictures": pictures, "facts": facts})[0]
        actions = np.empty((len(rows), len(CONTROL_SIZES)), np.int32)
        ends = np.cumsum(CONTROL_SIZES)
        draws = np.array([self._generators[row].random(len(CONTROL_SIZES)) for row in rows])
        for key, (size, end) in enumerate(zip(CONTROL_SIZES, ends, strict=True)):
            part = scores[:, end - size : end]
            if self._deterministic:
                actions[:, key] = part.argmax(1)
                continue
            weights = np.exp(self._sharpness * (part - part.max(1, keepdims=True)))
            heaps = np.cumsum(weights, axis=1, dtype=np.float64)
            actions[:, key] = (heaps[:, :-1] <= draws[:, key, None] * heaps[:, -1:]).sum(1)
        return full_actions(actions)


def _network(source: str | None) -> Any:
    """Return the ONNX network that a file holds now, or the network of the package.

    Raises:
        BadValue: there is no network, it cannot be loaded, or it was made for other looks, keys or senses.
    """
    own = files(_DATA).joinpath("pixel.onnx")
    file = own if source is None else check_home_path("source", source)
    try:
        network = _session(file.read_bytes())
    except (OSError, ValueError) as error:
        raise BadValue(
            f"source: expected a network's file of baselines.imitate, got {source!r} ({error})"
        ) from error
    told = network.get_modelmeta().custom_metadata_map.get("stamp", "")
    check_stamp("source", told, repr(source or "the package's network"))
    return network


@lru_cache(_NETWORKS_KEPT)
def _session(content: bytes) -> Any:
    """Return the ONNX network in a file's content.

    Raises:
        ValueError: the content is no network.
    """
    import onnxruntime
    from onnxruntime.capi.onnxruntime_pybind11_state import (
        Fail,
        InvalidArgument,
        InvalidGraph,
        InvalidProtobuf,
    )

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except (Fail, InvalidArgument, InvalidGraph, InvalidProtobuf) as error:
        raise ValueError(str(error)) from error
