"""The arguments of an environment, checked together before anything is built."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from optimus_gym.core.checks import check_count, check_flag, check_path, is_number, is_whole
from optimus_gym.core.errors import BadValue, shown, unknown_argument
from optimus_gym.core.parts import Part, part_of, plain
from optimus_gym.core.plain import plain_value
from optimus_gym.core.situation import PICTURE_SIZE
from optimus_gym.core.types import VIEW_DISTANCES
from optimus_gym.game.protocols import EpisodeProtocol, protocol
from optimus_gym.memory.memory_folders import check_memory, memory_folder, own_memory

SUBGOAL_TICKS = 6000
"""Budget in ticks of a task of one sub-goal, and the ticks after which a sub-goal of other tasks fails."""
LARGEST_SIDE = 4096
"""Maximum width and height of a picture in pixels; a larger value is rejected as a mistake."""
LONGEST_HOLD = 1200
"""Maximum number of ticks that an action is held: a minute."""
ASKED = ("task", "suite", "subgoal")
"""Arguments that say what an episode is about; exactly one of them is given."""
PART_KINDS = ("world", "agent", "backbone", "controller")
"""Arguments that name an exchangeable part; `optimus_gym.core.parts` lists the forms of their values."""
NAMED_KINDS = (*PART_KINDS, "reward")
"""`PART_KINDS`, and the argument that names the reward, which changes no episode."""
_CHOICES: Mapping[str, tuple[str | None, ...]] = MappingProxyType(
    {
        "render_mode": (None, "rgb_array", "rgb_array_list"),
        "vocabulary": ("suite", "task", "all"),
        "observation": ("scaled", "raw"),
        "info": (None, "numbers", "full"),
        "thinking": ("paused", "ticks"),
        "pov": ("drawn", "squeezed"),
        "crafting": (None, "functional", "gui"),
    }
)
"""Arguments that take one of a few words, with the words."""


@dataclass(frozen=True)
class EnvConfig:
    """The arguments of `gym.make`."""

    task: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]] | None = None
    """A task's id, `{"item": name, "count": n}`, a mapping with an "id" and the other fields of a task
    (`optimus_gym.game.tasks.own_tasks`), or a sequence of these forms. The reset option `task` chooses one of
    several tasks by its id; otherwise the seed chooses. Observations do not show which task was chosen."""
    suite: str | None = None
    """Instead of `task`: a suite, from which each episode draws one task; observations show the goal."""
    subgoal: str | Mapping[str, Any] | None = None
    """Instead of `task` or `suite`: one sub-goal as the whole task, to train or test a skill alone, such as
    `{"verb": "mine", "item": "log", "count": 1}` (`envs.own_tasks.subgoal_task`), or the name of a row of the
    curriculum (`envs.own_tasks.curriculum`), which also says the start and the budget. The environment hands
    out the sub-goal without asking an `agent`; a failed sub-goal ends the episode. Not for the flat view."""
    world: Any = "voxel"
    """"voxel" (the embedded world), "symbolic" (a player's inventory without a map; sub-goal view only), the
    real game ("minerl" by MineStudio's engine, "minerl-1.0" by that of MineRL 1.0, "minestudio" by the
    package MineStudio in this process; docs/minerl.md), or another world: a name, "module:Class", a mapping
    or an object (`optimus_gym.core.parts`). The caller closes a world that was given as an object."""
    agent: Any = "optimus-1"
    """The part that thinks: plans, judges, gives up."""
    backbone: Any = "rules"
    """The part that the agent asks: a language model, or a stand-in."""
    controller: Any = "oracle"
    """The part that carries out sub-goals in the sub-goal view. The control view, the flat view and worlds
    that carry out sub-goals by themselves use no controller."""
    memory: str | os.PathLike[str] | None = None
    """A folder with the agent's knowledge and experience, or "starter", the memory that comes with the
    package and is only read (`optimus_gym.memory.memory_folders`); None: the full knowledge graph and no
    experience."""
    learn: bool = False
    """Whether the agent may write into `memory`, at the end of episodes."""
    learn_into: str | os.PathLike[str] | None = None
    """With `learn`, a folder that the agent writes into instead of `memory`, which stays as it is: the
    episodes of each task go into a memory of their own, named by the task. None: `learn` writes into
    `memory`."""
    protocol: str = "vanilla"
    """The name of an episode's rules in `optimus_gym.game.protocols.protocols`: death, difficulty, creatures,
    time at the start, whether the agent knows its position and biome, and assists (changes that make the game
    easier)."""
    resolution: tuple[int, int] = (128, 128)
    """Width and height of `pov` in pixels."""
    pov: str = "drawn"
    """"drawn": `pov` is drawn at its size, by one ray a pixel; "squeezed": the 640x360 screen is squeezed to
    `pov` byte for byte as VPT does (`optimus_gym.core.squeezing`), for policies that were trained on frames
    of the real client; each frame then costs the time of a 640x360 frame."""
    view_distance: int = 64
    """Distance that frames show, 16 to 256 blocks."""
    messages: bool = False
    """Whether pictures show the messages of the game's client: toasts about recipes and advancements, the
    chat, and the name of a newly held item. The world needs the powers "pictures" and "messages". A snapshot
    keeps the choice of the environment in which it was taken."""
    start: Mapping[str, Any] | None = None
    """Options of `reset` by name for every episode, automatic resets included. JSON must be able to hold the
    options, so a snapshot is given by its path; its file is read once. An option of a `reset` call replaces
    the same option of `start` for the episodes of that call alone. A snapshot given to `reset` also replaces
    the options of `start` that a snapshot decides (`envs.starts.IN_A_SNAPSHOT`), and each of these options
    given to `reset` replaces a snapshot in `start`. None means `{}`."""
    biome: str | None = None
    """The biome that episodes begin in unless the reset option `biome` says otherwise; None takes the
    task's biome. The embedded world puts the player where 0.8 of the land within 32 blocks has that
    biome, or else at the place with the largest such share that its search finds
    (`worlds.voxel.terrain.biome_start`)."""
    crafting: str | None = None
    """The way to craft, smelt, equip and place. "functional": each takes one tick, by the world's power
    "functions". "gui": the player works the game's screens by mouse, by the world's power "mouse"; the flat
    view then offers no functions, and the key "inventory" opens and closes the inventory. None takes
    "functional", or "gui" in a world with the power "mouse" and without "functions". The environment's own
    configuration and result rows hold the way that is really used; a world with neither power, such as
    "symbolic", counts as "functional"."""
    render_mode: str | None = None
    """What `render()` returns: None; "rgb_array": the present picture; "rgb_array_list": the pictures of all
    ticks since the latest `render()`."""
    vocabulary: str = "suite"
    """The items that observations and actions name. "suite": the items that plans for the suite's tasks may
    name, so that a policy for one task loads on another; "task": the items that plans for this task may name;
    "all": every item."""
    observation: str = "scaled"
    """"scaled": vectors of about 0 to 1 (`optimus_gym.core.scaling`); "raw": vectors in game units."""
    info: str | None = None
    """"numbers": numbers and arrays of fixed shape; "full": also names, plans and texts. None takes
    "full" in the sub-goal view and "numbers" in the other views."""
    reward: Any = None
    """The reward of a tick (`envs.rewards`): "subgoal" (progress and completion of the sub-goal),
    "subgoal+aligner" (the same, shaped by how well the picture fits the sub-goal), "milestones" (first
    possessions, by depth), "sparse" (the task alone), "obtain-diamond" or "obtain-diamond-dense" (MineRL's
    tables), "module:Function", a mapping with options, or an object. None takes "milestones" in the flat
    view, which has no sub-goals, and "subgoal" in the other views."""
    discount: float = 1.0
    """The discount factor of one tick in `info["smdp"]["discounted_reward"]` and in shaped rewards, above 0
    and at most 1."""
    subgoal_ticks: int | None = None
    """Ticks after which a sub-goal fails; None: 6,000, or with `subgoal` the episode's budget."""
    hold: int = 1
    """Ticks that a step of the control or flat view holds its action (frame skip). Drop, inventory, swap
    hands and the function act in the first tick alone. The step ends early at the episode's end and, in the
    control view, when another sub-goal begins. The reward is the sum over the step's ticks, and only the last
    tick is drawn."""
    thinking: str = "paused"
    """The world while the backbone answers: "paused" stops it; "ticks" lets it go on, with an idle player,
    for 20 ticks a second of the answer's latency (`envs.asking`)."""
    ticks: int | None = None
    """Ticks after which the episode is truncated; None takes the protocol's budget or, if the
    protocol has none, the task's."""
    device: str | None = None
    """The device of networks ("cpu", "cuda:0"); None: each part that has a network chooses its device."""

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> "EnvConfig":
        """Return the configuration with the values of `arguments`, which are given by name.

        Raises:
            UnknownArgument: an argument does not exist; the message holds the nearest names.
            BadValue, UnknownName: an argument cannot be used.
        """
        known = [entry.name for entry in fields(cls)]
        for name in arguments:
            if name not in known:
                raise unknown_argument(name, known)
        return cls(**arguments)

    def __post_init__(self) -> None:
        given = [name for name in ASKED if getattr(self, name) is not None]
        if len(given) != 1:
            told = ", ".join(f"{name}={shown(getattr(self, name))}" for name in given or ASKED[:2])
            raise BadValue(f"expected either a task, a suite or a sub-goal, got {told}")
        if isinstance(self.subgoal, Mapping):
            object.__setattr__(self, "subgoal", plain_value("subgoal", self.subgoal))
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
        for name, choices in _CHOICES.items():
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
            raise BadValue(f"device: expected a device's name or None, got {self.device!r}")
        check_flag("messages", self.messages)
        self._check_memory()

    def subgoal_limit(self, budget: int) -> int:
        """Return the ticks after which a sub-goal fails in an episode with a budget of ticks."""
        if self.subgoal_ticks is not None:
            return self.subgoal_ticks
        return SUBGOAL_TICKS if self.subgoal is None else budget

    def _check_start(self) -> None:
        """Reject a `start` that is no mapping or that JSON cannot hold; `Starts` checks its options."""
        if self.start is None:
            return
        if not isinstance(self.start, Mapping):
            raise BadValue(f"start: expected a mapping or None, got {shown(self.start)}")
        object.__setattr__(self, "start", plain_value("start", dict(self.start)))
        if self.biome is not None and self.start.get("biome") is not None:
            raise BadValue(
                f"biome: expected one value, got biome={self.biome!r} and {self.start['biome']!r} in start"
            )

    def _check_counts(self) -> None:
        """Reject numbers of blocks or ticks that are no integers in range; make them Python integers."""
        distance = check_count("view_distance", self.view_distance, *VIEW_DISTANCES)
        object.__setattr__(self, "view_distance", distance)
        object.__setattr__(self, "hold", check_count("hold", self.hold, 1, LONGEST_HOLD))
        for name in ("ticks", "subgoal_ticks"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, check_count(name, getattr(self, name), 1))

    def _check_memory(self) -> None:
        check_flag("learn", self.learn)
        if self.learn_into is not None:
            if not self.learn:
                raise BadValue(
                    "learn_into: expected learn=True with a folder to learn into, got learn=False"
                )
            _check_folder("learn_into", self.learn_into, True)
        if self.memory is None:
            if self.learn and self.learn_into is None:
                raise BadValue("learn: expected a memory folder to learn into, got memory=None")
            return
        if self.learn and self.learn_into is None:
            own_memory(self.memory)
        _check_folder("memory", memory_folder(self.memory), self.learn)
        if not self.learn:
            check_memory(memory_folder(self.memory))

    @cached_property
    def parts(self) -> Mapping[str, Part | None]:
        """Return the specification of each part, by kind; None for a part that was given as an object.

        The reward is left out if the argument names none, because the view then chooses it.
        """
        given = PART_KINDS if self.reward is None else NAMED_KINDS
        return {kind: part_of(kind, getattr(self, kind)) for kind in given}

    @cached_property
    def rules(self) -> EpisodeProtocol:
        """Return the protocol."""
        return protocol(self.protocol)

    @property
    def folder(self) -> Path | None:
        """Return the memory's folder."""
        return None if self.memory is None else memory_folder(self.memory)

    @property
    def apart(self) -> Path | None:
        """Return the folder whose memories get what episodes teach; None: `memory` gets it."""
        return None if self.learn_into is None else Path(self.learn_into)

    def name_of(self, kind: str) -> str:
        """Return the name that messages and records give to a part, whose kind is one of `NAMED_KINDS`."""
        part = self.parts[kind]
        return str(part) if part is not None else type(getattr(self, kind)).__name__

    def check_copies(self) -> None:
        """Check that the configuration can be copied or pickled.

        Raises:
            BadValue: a part was given as an object.
        """
        for kind, part in self.parts.items():
            if part is None:
                raise BadValue(
                    f"{kind}: expected a name or a specification, to copy the environment, got an object of "
                    f"class {type(getattr(self, kind)).__name__}, which only one environment can use"
                )

    def __getstate__(self) -> dict[str, Any]:
        self.check_copies()
        return {entry.name: getattr(self, entry.name) for entry in fields(self)}


def plain_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments in JSON's types, as `EnvSpec.kwargs` holds them; an object becomes its class's name.

    Raises:
        BadValue: JSON cannot hold an argument; the message holds its name.
    """
    return {
        name: plain(name, value) if name in NAMED_KINDS else plain_value(name, value)
        for name, value in arguments.items()
    }


def check_resolution(resolution: object) -> tuple[int, int]:
    """Return a resolution (width, height) as two Python ints.

    Raises:
        BadValue: the resolution is not two integers from 1 to 4096.
    """
    if isinstance(resolution, list | tuple) and len(resolution) == 2:
        width, height = resolution
        if all(is_whole(side) and 1 <= side <= LARGEST_SIDE for side in resolution):
            return int(width), int(height)
    raise BadValue(
        f"resolution: expected (width, height), two integers from 1 to {LARGEST_SIDE}, "
        f"got {shown(resolution)}"
    )


def _check_folder(name: str, value: object, may_be_new: bool) -> None:
    """Reject a path to a file, or to nothing unless the folder may be new."""
    folder = check_path(name, value)
    if folder.exists() != folder.is_dir() or not (folder.exists() or may_be_new):
        found = "a file" if folder.exists() else "nothing there"
        raise BadValue(f"{name}: expected a folder, got {str(folder)!r}: {found}")


def _check_squeezed(resolution: tuple[int, int]) -> None:
    """Reject a resolution larger than the 640x360 screen, because squeezing only reduces pictures.

    Raises:
        BadValue: the size is wider or higher than the screen.
    """
    if any(side > most for side, most in zip(resolution, PICTURE_SIZE, strict=True)):
        raise BadValue(
            f"resolution: expected at most {PICTURE_SIZE} with pov='squeezed', got {resolution}"
        )
