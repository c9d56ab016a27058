"""The arguments of an environment, checked together before anything is built."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.registry import load, names
from optimus_gym.core.types import VIEW_DISTANCES
from optimus_gym.game.protocols import protocol

LARGEST_SIDE = 4096
"""Pixels; a picture's width or height beyond this is taken for a mistake."""


@dataclass(frozen=True, slots=True)
class EnvConfig:
    """What `gym.make` was given."""

    task: str | Mapping[str, Any] | None = None
    """A task's id, or `{"item": name, "count": n}`."""
    suite: str | None = None
    """Draw one task of this suite for each episode (instead of `task`)."""
    world: str = "voxel"
    """"voxel" (the embedded world), "symbolic" (an inventory without space; sub-goal view only), or
    "module:Class"."""
    world_options: Mapping[str, Any] = field(default_factory=dict)
    """What else the world takes by name, such as `failures` of the symbolic one."""
    agent: str = "optimus-1"
    backbone: Any = "rules"
    controller: Any = "oracle"
    memory: None = None
    """None: the full knowledge graph."""
    protocol: str = "vanilla"
    """A name of `optimus_gym.game.protocols.protocols`: what death means, how hard and lively the world
    is, when episodes begin, and their assists."""
    resolution: tuple[int, int] = (128, 128)
    """Width and height of `pov` in pixels."""
    view_distance: int = 64
    """Blocks that one sees, 16 to 256."""
    biome: str | None = None
    """The biome that episodes begin in unless their reset option says otherwise; None takes the
    task's."""
    render_mode: str | None = None
    vocabulary: str = "task"
    """"task": the items on the goal's path; "all": every item."""
    discount: float = 1.0
    """A tick's discount in `info["smdp"]["discounted_reward"]`, (0, 1]."""
    max_replans: int = 20
    """Plans that may follow the first one in an episode."""
    subgoal_ticks: int = 6000
    """Ticks after which a sub-goal has failed."""
    ticks: int | None = None
    """Ticks after which the episode is truncated; None takes the protocol's budget, or the task's."""

    def __post_init__(self) -> None:
        if (self.task is None) == (self.suite is None):
            raise BadValue(
                f"expected either a task or a suite, got task={self.task!r}, suite={self.suite!r}"
            )
        for kind in ("world", "agent", "backbone", "controller"):
            value = getattr(self, kind)
            if isinstance(value, str) and value not in names(kind):
                load(kind, value)
        if not isinstance(self.world_options, Mapping):
            raise BadValue(f"world_options: expected a mapping, got {self.world_options!r}")
        protocol(self.protocol)
        if self.memory is not None:
            raise BadValue(f"memory: expected None (the full knowledge graph), got {self.memory!r}")
        if self.render_mode not in (None, "rgb_array"):
            raise BadValue(f"render_mode: expected None or 'rgb_array', got {self.render_mode!r}")
        if self.vocabulary not in ("task", "all"):
            raise BadValue(f"vocabulary: expected 'task' or 'all', got {self.vocabulary!r}")
        object.__setattr__(self, "resolution", check_resolution(self.resolution))
        check_count("view_distance", self.view_distance, *VIEW_DISTANCES)
        if self.biome is not None and self.world == "voxel":
            _check_biome(self.biome)
        if not 0 < self.discount <= 1:
            raise BadValue(f"discount: expected a number in (0, 1], got {self.discount!r}")
        check_count("max_replans", self.max_replans, 0)
        check_count("subgoal_ticks", self.subgoal_ticks, 1)
        if self.ticks is not None:
            check_count("ticks", self.ticks, 1)


def carries_out_subgoals(world: str) -> bool:
    """Tell whether a world is a `core.protocols.SubGoalWorld`, without making one.

    Raises:
        UnknownName, BadValue: there is no such world.
    """
    return world != "voxel" and hasattr(load("world", world), "carry_out")


def _check_biome(biome: object) -> None:
    from optimus_gym.worlds.voxel.terrain.biomes import BIOMES

    if biome not in BIOMES:
        raise UnknownName("biome", biome, BIOMES)


def check_count(name: str, value: object, least: int, most: int | None = None) -> None:
    """Refuse what is no integer of `least` to `most` (None: no upper limit).

    Raises:
        BadValue: says the argument's name.
    """
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):  # type: ignore[operator]
        expected = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise BadValue(f"{name}: expected an integer {expected}, got {value!r}")


def check_resolution(resolution: object) -> tuple[int, int]:
    """Return (width, height) as two ints.

    Raises:
        BadValue: not two integers from 1 to 4096.
    """
    if isinstance(resolution, list | tuple) and len(resolution) == 2:
        width, height = resolution
        if (
            isinstance(width, int)
            and isinstance(height, int)
            and 1 <= width <= LARGEST_SIDE
            and 1 <= height <= LARGEST_SIDE
        ):
            return width, height
    raise BadValue(
        f"resolution: expected (width, height), two integers from 1 to {LARGEST_SIDE}, "
        f"got {resolution!r}"
    )
