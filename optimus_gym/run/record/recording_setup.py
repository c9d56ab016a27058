"""The frozen configuration of a recording: environment, parts and seeds."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

import gymnasium as gym

from optimus_gym.core.checks import check_count, check_flag
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.plain import plain_value
from optimus_gym.core.registration import environment_ids
from optimus_gym.core.rng import check_seed
from optimus_gym.envs.config import PART_KINDS, EnvConfig
from optimus_gym.envs.starts import Starts
from optimus_gym.run.settings import specification
from optimus_gym.seeds import TRAIN, refuse_test_seeds

VIEWS: Final = ("Optimus", "OptimusControl", "OptimusFlat")
"""First part of the ids of the three views: sub-goal, control, flat."""
_REFUSED: Final = ("learn", "learn_into", "memory", "render_mode", "info")
"""Environment arguments that a recording rejects."""


@dataclass(frozen=True, kw_only=True)
class Recording:
    """The configuration of a recording; equal configurations give equal datasets.

    Raises:
        BadValue, UnknownName: a field has a value that cannot be used.
    """

    id: str
    """The environment's id, in one of the three views; the dataset holds this view's steps."""
    agent: Any = "optimus-1"
    controller: Any = "oracle"
    """The controller that plays the episodes, whichever view is recorded."""
    backbone: Any = "rules"
    world: Any = "voxel"
    protocol: str = "vanilla"
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of the environment that have no field here, by name, such as `resolution`."""
    start: Mapping[str, Any] = field(default_factory=dict)
    """Reset options of every episode by name, such as `time` or `inventory`."""
    episodes: int = 10
    """The number of episodes to play."""
    seed: int = TRAIN.start
    """The seed of the first episode; each further episode takes the next seed. Test seeds raise
    `BadValue`."""
    successes: bool = False
    """Whether to keep only episodes that fulfil their task."""

    def __post_init__(self) -> None:
        if self.id not in environment_ids():
            raise UnknownName("environment", self.id, environment_ids())
        for name in PART_KINDS:
            object.__setattr__(self, name, specification(name, getattr(self, name)))
        for name in _REFUSED:
            if name in self.settings:
                raise BadValue(f"settings: {name}: a recording does not take this argument")
        object.__setattr__(self, "settings", plain_value("settings", dict(self.settings)))
        count = check_count("episodes", self.episodes, 1)
        check_seed(check_count("seed", self.seed, 0) + count - 1)
        refuse_test_seeds((self.seed, self.seed + count - 1))
        check_flag("successes", self.successes)
        if "snapshot" in self.start:
            raise BadValue("start: expected no snapshot, since every episode has its own world")
        Starts(self.config).of(self.seed, self.start)
        object.__setattr__(self, "start", plain_value("start", dict(self.start)))

    @property
    def view(self) -> str:
        """Return the first part of the id: one of `VIEWS`."""
        return self.id.partition("-")[0]

    @property
    def seeds(self) -> range:
        """Return the seeds of the episodes."""
        return range(self.seed, self.seed + self.episodes)

    @property
    def arguments(self) -> dict[str, Any]:
        """Return the arguments for `gym.make` other than the id."""
        named = {name: getattr(self, name) for name in PART_KINDS}
        if self.view != VIEWS[0]:
            del named["controller"]
        if self.view == VIEWS[2]:
            del named["agent"], named["backbone"]
        return {"protocol": self.protocol, **named, **self.settings}

    @property
    def config(self) -> EnvConfig:
        """Return the arguments of the environment in which the controller plays."""
        named = {name: getattr(self, name) for name in PART_KINDS}
        own = gym.spec(self.id).kwargs
        return EnvConfig.of({**own, "protocol": self.protocol, **named, **self.settings})

    def plain(self) -> dict[str, Any]:
        """Return the fields as JSON values, from which `Recording(**values)` makes an equal object."""
        told = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return {name: plain_value(name, value) for name, value in told.items()}
