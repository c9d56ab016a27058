"""What is recorded: a frozen configuration of environment, players and seeds."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

import gymnasium as gym

from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.plain import plain_value
from optimus_gym.core.registration import environment_ids
from optimus_gym.core.rng import check_seed
from optimus_gym.envs.config import PARTS, EnvConfig
from optimus_gym.envs.starts import Starts
from optimus_gym.run.settings import specification
from optimus_gym.seeds import TRAIN, refuse_test_seeds

VIEWS: Final = ("Optimus", "OptimusControl", "OptimusFlat")
"""How ids of the three views begin: sub-goal, control, flat."""
REFUSED: Final = ("learn", "memory", "render_mode", "info")
"""Arguments of the environment that a recording has no use for."""


@dataclass(frozen=True, kw_only=True)
class Recording:
    """What is recorded; equal ones give equal datasets.

    Raises:
        BadValue, UnknownName: something cannot be used.
    """

    id: str
    """Of the environment, in one of the three views; its steps are the dataset's."""
    agent: Any = "optimus-1"
    controller: Any = "oracle"
    """Who plays, whatever the view."""
    backbone: Any = "rules"
    world: Any = "voxel"
    protocol: str = "vanilla"
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Other arguments of the environment by name, such as `resolution`."""
    begin: Mapping[str, Any] = field(default_factory=dict)
    """Reset options of every episode by name, such as `time` or `inventory`."""
    episodes: int = 10
    """That are played."""
    first: int = TRAIN.start
    """The first of their consecutive seeds, none of them a test seed."""
    successes: bool = False
    """Whether only episodes that reach their task are kept."""

    def __post_init__(self) -> None:
        if self.id not in environment_ids():
            raise UnknownName("environment", self.id, environment_ids())
        for name in PARTS:
            object.__setattr__(self, name, specification(name, getattr(self, name)))
        for name in REFUSED:
            if name in self.settings:
                raise BadValue(f"settings: {name}: a recording has no use for it")
        object.__setattr__(self, "settings", plain_value("settings", dict(self.settings)))
        count = check_count("episodes", self.episodes, 1)
        check_seed(check_count("first", self.first, 0) + count - 1)
        refuse_test_seeds((self.first, self.first + count - 1))
        if not isinstance(self.successes, bool):
            raise BadValue(f"successes: expected True or False, got {self.successes!r}")
        if "snapshot" in self.begin:
            raise BadValue("begin: snapshot: every episode has a world of its own")
        Starts(self.config).of(self.first, self.begin)
        object.__setattr__(self, "begin", plain_value("begin", dict(self.begin)))

    @property
    def view(self) -> str:
        """Return the beginning of its id: one of `VIEWS`."""
        return self.id.partition("-")[0]

    @property
    def seeds(self) -> range:
        """Return the seeds of its episodes."""
        return range(self.first, self.first + self.episodes)

    @property
    def arguments(self) -> dict[str, Any]:
        """Return what `gym.make` is given beside the id."""
        named = {name: getattr(self, name) for name in PARTS}
        if self.view != VIEWS[0]:
            del named["controller"]
        if self.view == VIEWS[2]:
            del named["agent"], named["backbone"]
        return {"protocol": self.protocol, **named, **self.settings}

    @property
    def config(self) -> EnvConfig:
        """Return the arguments of an environment in which the controller plays."""
        named = {name: getattr(self, name) for name in PARTS}
        own = gym.spec(self.id).kwargs
        return EnvConfig.of({**own, "protocol": self.protocol, **named, **self.settings})

    def plain(self) -> dict[str, Any]:
        """Return it as JSON holds it: `Recording(**plain)` is equal."""
        told = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return {name: plain_value(name, value) for name, value in told.items()}
