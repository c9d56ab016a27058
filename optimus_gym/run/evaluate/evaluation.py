"""The frozen configuration of an evaluation, and the list of its episodes."""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Final

from optimus_gym.core.checks import check_count, check_name, is_whole
from optimus_gym.core.errors import BadValue, UnknownName, shown
from optimus_gym.core.plain import plain_value
from optimus_gym.core.rng import check_seed
from optimus_gym.core.task import Task
from optimus_gym.envs.config import PART_KINDS, EnvConfig
from optimus_gym.envs.starts import RESET_OPTIONS, Starts
from optimus_gym.game.tasks import OWN_SUITE, SUITE, added_rows, own_tasks, tasks
from optimus_gym.memory.memory_folders import memory_text
from optimus_gym.run.settings import specification
from optimus_gym.seeds import SEEDS_A_TASK, of_task, refuse_test_seeds

TEST_SEEDS: Final = "test"
"""Value of `Evaluation.seed`: the 30 fixed test seeds of each task (`optimus_gym.seeds.of_task`)."""
OURS: Final = (*PART_KINDS, "task", "suite", "protocol", "memory", "start", "learn_into")
"""Arguments of the environment that are fields of an evaluation, or that the evaluation sets by itself."""
_SELDOM: Final[Mapping[str, Any]] = {"own_tasks": None, "learn": False, "learn_into": None}
"""Fields that most evaluations leave as they are, with their defaults."""
_REFUSED: Final = ("learn", "render_mode", "info")
"""Environment arguments that an evaluation rejects: no memory is written, no window shown, no `info` read."""


@dataclass(frozen=True, slots=True)
class Job:
    """An episode to play."""

    task: str
    episode: int
    """The episode's number among the episodes of its task, from 0."""
    seed: int


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """The configuration of an evaluation; equal configurations give equal rows.

    Parts are specifications (`optimus_gym.core.parts`), never objects: each process builds its own parts.

    Raises:
        BadValue, UnknownName: a field has a value that cannot be used.
    """

    suite: str = SUITE
    """Name of the suite (`optimus_gym.game.tasks.SUITES`), or "own" for the user's own tasks."""
    own_tasks: Mapping[str, Any] | None = None
    """The user's tasks, in the form that `optimus_gym.game.tasks.own_tasks` takes; only with the suite "own".
    With None, the suite "own" has the tasks that were registered with `register_task` in this process: all,
    or the ones named in `tasks`."""
    tasks: tuple[str, ...] = ()
    """Ids of tasks of the suite; an empty tuple means all tasks."""
    agent: Any = "optimus-1"
    controller: Any = "oracle"
    backbone: Any = "rules"
    world: Any = "voxel"
    protocol: str = "vanilla"
    memory: str | os.PathLike[str] | None = None
    """A folder with the agent's knowledge and experience, or "starter", the package's memory; without `learn`
    the evaluation only reads it."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of the environment that have no field here, by name, such as `resolution`."""
    start: Mapping[str, Any] = field(default_factory=dict)
    """Reset options of every episode by name, such as `time` or `inventory`."""
    episodes: int = SEEDS_A_TASK
    """The number of episodes of each task."""
    seed: str | int = TEST_SEEDS
    """"test": each task's fixed test seeds, for final figures. A number, for tuning: the seed of each task's
    first episode; each further episode takes the next seed. A number that leads to test seeds raises
    `BadValue`."""
    learn: bool = False
    """Whether the agents write what they learn; only the command `learn` sets this field. Episodes that learn
    into their own memory depend on the order in which they end."""
    learn_into: str | os.PathLike[str] | None = None
    """A folder that gets what each task's episodes teach, as memories of their own; None: `memory` does."""

    def __post_init__(self) -> None:
        for name in PART_KINDS:
            object.__setattr__(self, name, specification(name, getattr(self, name)))
        if isinstance(self.tasks, str):
            raise BadValue(f"tasks: expected a tuple of ids, got the text {shown(self.tasks)}")
        chosen = tuple(dict.fromkeys(self.tasks))
        self._keep_own_tasks(chosen)
        known = self.known
        for name in chosen:
            check_name(f"task of suite {self.suite!r}", name, known)
        in_order = tuple(name for name in known if not chosen or name in chosen)
        object.__setattr__(self, "tasks", in_order)
        self._check_settings()
        for name, text in (("memory", memory_text), ("learn_into", os.fspath)):
            if (path := getattr(self, name)) is not None:
                object.__setattr__(self, name, text(path))
        self._check_seeds()
        self._check_start()

    def _keep_own_tasks(self, chosen: Collection[str]) -> None:
        """Store the user's own tasks as JSON values, so that other processes can build these tasks.

        Raises:
            BadValue: the suite "own" has no tasks, or another suite was given `own_tasks`.
        """
        table = self.own_tasks
        if self.suite != OWN_SUITE:
            if table is not None:
                raise BadValue(f"own_tasks: expected suite 'own', got suite {shown(self.suite)}")
            return
        if table is None:
            rows = [row for name, row in added_rows().items() if name in chosen or not chosen]
            if not rows:
                raise BadValue("suite 'own': expected own_tasks or registered tasks, got neither")
            table = {"tasks": rows}
        object.__setattr__(self, "own_tasks", plain_value("own_tasks", table))

    @cached_property
    def known(self) -> Mapping[str, Task]:
        """Return the suite's tasks by id."""
        return (
            tasks(self.suite) if self.own_tasks is None else own_tasks(self.own_tasks, "own_tasks")
        )

    def _check_settings(self) -> None:
        known = [entry.name for entry in fields(EnvConfig) if entry.name not in (*OURS, *_REFUSED)]
        for name in self.settings:
            if name in OURS or name in _REFUSED:
                own = "is a field of Evaluation itself"
                why = "is set by the evaluation itself" if name in _REFUSED else own
                raise BadValue(f"settings: {name} {why}; expected some of {', '.join(known)}")
            if name not in known:
                raise UnknownName("setting", name, known)
        if self.settings.get("vocabulary") == "task":
            raise BadValue("settings: vocabulary: expected 'suite' or 'all', got 'task'")
        object.__setattr__(self, "settings", plain_value("settings", dict(self.settings)))

    def _check_start(self) -> None:
        known = [name for name in RESET_OPTIONS if name not in ("task", "snapshot")]
        for name in self.start:
            check_name("reset option of all episodes", name, known)
        Starts(self.config).of(0, self.start)
        object.__setattr__(self, "start", plain_value("start", dict(self.start)))

    def _check_seeds(self) -> None:
        if self.seed == TEST_SEEDS:
            check_count("episodes", self.episodes, 1, SEEDS_A_TASK)
        elif is_whole(self.seed):
            count = check_count("episodes", self.episodes, 1)
            check_seed(int(self.seed) + count - 1)
            refuse_test_seeds(range(int(self.seed), int(self.seed) + count))
        else:
            raise BadValue(f"seed: expected 'test' or a whole number, got {shown(self.seed)}")

    @property
    def config(self) -> EnvConfig:
        """Return the arguments of the environment that plays all tasks of the evaluation."""
        return self.config_of(self.tasks)

    @property
    def is_whole(self) -> bool:
        """Return whether the evaluation has all tasks of its suite."""
        return len(self.tasks) == len(self.known)

    def config_of(self, chosen: tuple[str, ...]) -> EnvConfig:
        """Return the arguments of an environment that plays the tasks in `chosen`."""
        parts = {name: getattr(self, name) for name in PART_KINDS}
        own = {} if self.own_tasks is None else {row["id"]: row for row in self.own_tasks["tasks"]}
        return EnvConfig.of(
            {
                "task": tuple(own.get(name, name) for name in chosen),
                "protocol": self.protocol,
                "memory": self.memory,
                "learn": self.learn,
                "learn_into": self.learn_into,
                **parts,
                **self.settings,
            }
        )

    @property
    def jobs(self) -> tuple[Job, ...]:
        """Return the evaluation's episodes: each task's first episode, then each task's second, and so on."""
        return tuple(
            Job(name, episode, self._seed(name, episode))
            for episode in range(self.episodes)
            for name in self.tasks
        )

    def _seed(self, name: str, episode: int) -> int:
        return of_task(name)[episode] if self.seed == TEST_SEEDS else int(self.seed) + episode

    @property
    def groups(self) -> dict[str, str]:
        """Return the group of each task by the task's id."""
        return {name: self.known[name].group for name in self.tasks}

    def budget_of(self, name: str) -> int:
        """Return the ticks that an episode of a task may take."""
        config = self.config
        return config.ticks or config.rules.budget or self.known[name].budget

    def plain(self) -> dict[str, Any]:
        """Return the fields as JSON values, from which `Evaluation(**values)` makes an equal object.

        Fields that only some evaluations have are left out if they have their defaults.
        """
        told = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        for name, usual in _SELDOM.items():
            if told[name] == usual:
                del told[name]
        return {name: plain_value(name, value) for name, value in told.items()}
