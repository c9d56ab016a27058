"""The arguments of an environment, checked together before anything is built."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from optimus_gym.core.checks import check_count, check_path, is_number, is_whole
from optimus_gym.core.errors import BadValue, shown, unknown_argument
from optimus_gym.core.parts import Part, part_of, plain
from optimus_gym.core.plain import plain_value
from optimus_gym.core.situation import PICTURE_SIZE
from optimus_gym.core.types import VIEW_DISTANCES
from optimus_gym.game.protocols import Protocol, protocol

LARGEST_SIDE = 4096
"""Pixels; a picture's width or height beyond this is taken for a mistake."""
PARTS = ("world", "agent", "backbone", "controller")
"""Arguments that name an exchangeable part; see `optimus_gym.core.parts` for the forms."""
CHOICES: Mapping[str, tuple[str | None, ...]] = MappingProxyType(
    {
        "render_mode": (None, "rgb_array", "rgb_array_list"),
        "vocabulary": ("suite", "task", "all"),
        "observation": ("scaled", "raw"),
        "info": (None, "numbers", "full"),
        "thinking": ("paused", "ticks"),
        "pov": ("drawn", "squeezed"),
    }
)
"""Arguments that are one of some words."""


@dataclass(frozen=True)
class EnvConfig:
    """What `gym.make` was given."""

    task: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]] | None = None
    """A task's id, `{"item": name, "count": n}`, a row as `optimus_gym.game.tasks.own_tasks` takes it, or a
    sequence of these. The reset option `task` chooses one of several by its id; otherwise the seed does.
    Observations do not tell which."""
    suite: str | None = None
    """Draw one task of this suite for each episode (instead of `task`); observations tell the goal."""
    world: Any = "voxel"
    """"voxel" (the embedded world), "symbolic" (an inventory without space; sub-goal view only), or any
    other form of a part. One that was given as an object is the caller's to close."""
    agent: Any = "optimus-1"
    """Who thinks: plans, judges, gives up."""
    backbone: Any = "rules"
    """What the agent asks: a language model, or what stands for one."""
    controller: Any = "oracle"
    """Who carries out sub-goals in the sub-goal view; the other views make none, and so does a world that
    carries them out by itself."""
    memory: str | os.PathLike[str] | None = None
    """A folder with the agent's knowledge and experience; None: the full knowledge graph."""
    learn: bool = False
    """Whether the agent may write into `memory`, at the end of episodes."""
    protocol: str = "vanilla"
    """A name of `optimus_gym.game.protocols.protocols`: what death means, how hard and lively the world
    is, when episodes begin, what an agent is told of its place, and their assists."""
    resolution: tuple[int, int] = (128, 128)
    """Width and height of `pov` in pixels."""
    pov: str = "drawn"
    """"drawn": `pov` is drawn at its size, by one ray a pixel; "squeezed": it is the 640x360 screen, squeezed
    byte for byte as VPT does (`optimus_gym.core.squeezing`), for policies that were trained on frames of
    the real client; it takes the time of a 640x360 frame."""
    view_distance: int = 64
    """Blocks that one sees, 16 to 256."""
    start: Mapping[str, Any] | None = None
    """Options of `reset` by name that hold for every episode, those of automatic resets too; what JSON can
    hold: a snapshot by its path, whose file is read once. An option given to `reset` itself holds for the
    episodes of that reset alone and replaces the one here; a snapshot and what it decides replace each
    other. None is as `{}`."""
    biome: str | None = None
    """The biome that episodes begin in unless their reset option says otherwise; None takes the
    task's. The embedded world begins where 0.8 of the land within 32 blocks is that biome, or where the
    most is that its search finds (`worlds.voxel.terrain.biome_start`)."""
    render_mode: str | None = None
    """None, "rgb_array", or "rgb_array_list", the pictures of all ticks since the latest `render()`."""
    vocabulary: str = "suite"
    """"suite": the items on the ways of the suite's tasks, so that a policy for one task loads on
    another; "task": those of this task alone; "all": every item."""
    observation: str = "scaled"
    """"scaled": vectors of about 0 to 1 (`optimus_gym.core.scaling`); "raw": in game units."""
    info: str | None = None
    """"numbers": numbers and arrays of fixed shape; "full": also names, plans and texts. None takes
    "full" in the sub-goal view and "numbers" in the others."""
    discount: float = 1.0
    """A tick's discount in `info["smdp"]["discounted_reward"]`, (0, 1]."""
    subgoal_ticks: int = 6000
    """Ticks after which a sub-goal has failed."""
    thinking: str = "paused"
    """What the world does while the backbone answers: "paused", or "ticks", so that it goes on for 20 ticks
    a second of the answer's latency, with nothing done (`envs.asking`)."""
    ticks: int | None = None
    """Ticks after which the episode is truncated; None takes the protocol's budget, or the task's."""
    device: str | None = None
    """Where networks run ("cpu", "cuda:0"); None: they decide."""

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> "EnvConfig":
        """Return the configuration that arguments by name make.

        Raises:
            UnknownArgument: there is no such argument; names the nearest.
            BadValue, UnknownName: an argument cannot be used.
        """
        known = [entry.name for entry in fields(cls)]
        for name in arguments:
            if name not in known:
                raise unknown_argument(name, known)
        return cls(**arguments)

    def __post_init__(self) -> None:
        if (self.task is None) == (self.suite is None):
            raise BadValue(
                f"expected either a task or a suite, got task={self.task!r}, suite={self.suite!r}"
            )
        if isinstance(self.task, Mapping):
            object.__setattr__(self, "task", plain_value("task", self.task))
        if isinstance(self.task, list | tuple):
            several = (
                plain_value("task", one) if isinstance(one, Mapping) else one for one in self.task
            )
            object.__setattr__(self, "task", tuple(several))
        self._check_start()
        _ = self.parts
        _ = self.rules
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if not isinstance(value, str | None) or value not in choices:
                expected = " or ".join(", ".join(map(repr, choices)).rsplit(", ", 1))
                raise BadValue(f"{name}: expected {expected}, got {shown(value)}")
        object.__setattr__(self, "resolution", check_resolution(self.resolution))
        if self.pov == "squeezed":
            _check_squeezed(self.resolution)
        self._check_counts()
        if not is_number(self.discount) or not 0 < self.discount <= 1:
            raise BadValue(f"discount: expected a number in (0, 1], got {shown(self.discount)}")
        object.__setattr__(self, "discount", float(self.discount))
        if self.device is not None and not isinstance(self.device, str):
            raise BadValue(f"device: expected a name or None, got {self.device!r}")
        self._check_memory()

    def _check_start(self) -> None:
        """Refuse reset options that are no mapping or that JSON cannot hold; `Starts` checks the rest."""
        if self.start is None:
            return
        if not isinstance(self.start, Mapping):
            raise BadValue(f"start: expected a mapping or None, got {shown(self.start)}")
        object.__setattr__(self, "start", plain_value("start", dict(self.start)))
        if self.biome is not None and self.start.get("biome") is not None:
            raise BadValue(
                f"biome: expected once, got biome={self.biome!r} and {self.start['biome']!r} in start"
            )

    def _check_counts(self) -> None:
        """Refuse what is no integer in range; keep Python's integers instead of numpy's."""
        distance = check_count("view_distance", self.view_distance, *VIEW_DISTANCES)
        object.__setattr__(self, "view_distance", distance)
        object.__setattr__(
            self, "subgoal_ticks", check_count("subgoal_ticks", self.subgoal_ticks, 1)
        )
        if self.ticks is not None:
            object.__setattr__(self, "ticks", check_count("ticks", self.ticks, 1))

    def _check_memory(self) -> None:
        if not isinstance(self.learn, bool):
            raise BadValue(f"learn: expected True or False, got {self.learn!r}")
        if self.memory is None:
            if self.learn:
                raise BadValue("learn: expected a memory folder to learn into, got memory=None")
            return
        folder = check_path("memory", self.memory)
        if folder.exists() != folder.is_dir() or not (folder.exists() or self.learn):
            found = "a file" if folder.exists() else "nothing there"
            raise BadValue(f"memory: expected a folder, got {str(folder)!r}: {found}")

    @cached_property
    def parts(self) -> Mapping[str, Part | None]:
        """Return the parts by kind; None for one that was given as an object."""
        return {kind: part_of(kind, getattr(self, kind)) for kind in PARTS}

    @cached_property
    def rules(self) -> Protocol:
        """Return the protocol."""
        return protocol(self.protocol)

    @property
    def folder(self) -> Path | None:
        """Return the memory's folder."""
        return None if self.memory is None else Path(self.memory)

    def name_of(self, kind: str) -> str:
        """Return how a part is called in messages and records."""
        part = self.parts[kind]
        return str(part) if part is not None else type(getattr(self, kind)).__name__

    def check_copies(self) -> None:
        """Refuse to be copied or pickled with a part that was given as an object.

        Raises:
            BadValue: there is one.
        """
        for kind, part in self.parts.items():
            if part is None:
                raise BadValue(
                    f"{kind}: a copy of the environment would need a copy of this "
                    f"{type(getattr(self, kind)).__name__}; an object serves one environment"
                )

    def __getstate__(self) -> dict[str, Any]:
        self.check_copies()
        return {entry.name: getattr(self, entry.name) for entry in fields(self)}


def plain_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as a specification holds them: what JSON can hold, objects by their class's name.

    Raises:
        BadValue: JSON cannot hold one; says its name.
    """
    return {
        name: plain(name, value) if name in PARTS else plain_value(name, value)
        for name, value in arguments.items()
    }


def check_resolution(resolution: object) -> tuple[int, int]:
    """Return (width, height) as two ints.

    Raises:
        BadValue: not two integers from 1 to 4096.
    """
    if isinstance(resolution, list | tuple) and len(resolution) == 2:
        width, height = resolution
        if all(is_whole(side) and 1 <= side <= LARGEST_SIDE for side in resolution):
            return int(width), int(height)
    raise BadValue(
        f"resolution: expected (width, height), two integers from 1 to {LARGEST_SIDE}, "
        f"got {shown(resolution)}"
    )


def _check_squeezed(resolution: tuple[int, int]) -> None:
    """Refuse a size beyond the screen's, which squeezing would not reach.

    Raises:
        BadValue: it is wider or higher than the screen.
    """
    if any(side > most for side, most in zip(resolution, PICTURE_SIZE, strict=True)):
        raise BadValue(
            f"resolution: expected at most {PICTURE_SIZE} with pov='squeezed', got {resolution}"
        )
