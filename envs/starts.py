"""Chooses how an episode begins: its task, and the setup or snapshot from which its world begins."""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from optimus_gym.core.checks import check_count, is_whole
from optimus_gym.core.errors import BadValue, UnknownName, shown
from optimus_gym.core.rng import generator
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.task import Task
from optimus_gym.core.types import Setup
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.own_tasks import resolve_task, resolve_tasks, subgoal_task, suite_tasks
from optimus_gym.game.border import BORDER
from optimus_gym.game.conditions import DAY_TICKS, TIMES, WEATHERS
from optimus_gym.game.items import check_fits, item

RESET_OPTIONS = (
    *("task", "inventory", "position", "biome", "time", "weather", "snapshot"),
    "commands",
)
IN_A_SNAPSHOT = ("inventory", "position", "biome", "time", "weather")
"""Reset options that exclude the option `snapshot`, because a snapshot decides their values."""


class Starts:
    """Chooses the tasks and the beginnings of the worlds of an environment's episodes.

    Attributes:
        tasks: the tasks that an episode may have.

    Raises:
        BadValue, UnknownName: the argument `start` holds an option or a value that `reset` refuses.
    """

    def __init__(self, config: EnvConfig) -> None:
        self._config = config
        self.tasks: tuple[Task, ...] = _tasks_of(config)
        self._always: Mapping[str, Any] = {}
        self._always = self._checked_start(config.start or {})

    def _checked_start(self, start: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the options that hold for every episode, with a snapshot's path replaced by the snapshot.

        Raises:
            BadValue, UnknownName: an option cannot be used.
        """
        _, begun = self.of(0, start)
        if isinstance(begun, Snapshot):
            return {**start, "snapshot": begun}
        check_fits(begun.inventory)
        return start

    def of(self, seed: int, options: Mapping[str, Any]) -> tuple[Task, Setup | Snapshot]:
        """Return the task of an episode, and the setup or snapshot of its world.

        Args:
            seed: decides all draws.
            options: options of this reset, which replace those of the configuration's `start`.

        Raises:
            UnknownName: an option, or a task or item in its value, does not exist.
            BadValue: an option cannot be used, or its value has a wrong form or range.
        """
        for name in options:
            if name not in RESET_OPTIONS:
                raise UnknownName("reset option", name, RESET_OPTIONS)
        options = replaced(self._always, options)
        _checked_commands(options.get("commands"))
        task = self._choose_task(seed, options.get("task"))
        if options.get("snapshot") is not None:
            return task, _checked_snapshot(options)
        return task, self._setup(seed, task, options)

    def commands(self, options: Mapping[str, Any], task: Task | None = None) -> tuple[str, ...]:
        """Return the chat commands that an episode begins with, the task's own first, in order.

        Args:
            task: the episode's task; None leaves out the task's commands, as after a snapshot.
            options: options of this reset, which replace those of the configuration's `start`.

        Raises:
            BadValue: the option `commands` is no sequence of texts.
        """
        own = () if task is None else task.commands
        return (*own, *_checked_commands({**self._always, **options}.get("commands")))

    def _setup(self, seed: int, task: Task, options: Mapping[str, Any]) -> Setup:
        rules = self._config.rules
        return Setup(
            seed=seed,
            biome=options.get("biome", self._config.biome or _biome(seed, task)),
            position=_checked_position(options.get("position")),
            inventory={**task.inventory, **_checked_inventory(options.get("inventory"))},
            time=_checked_time(options.get("time", rules.time if task.time is None else task.time)),
            weather=_checked_weather(options.get("weather", task.weather or rules.weather)),
            assists=rules.assists,
            creatures=rules.creatures,
            difficulty=rules.difficulty,
            screens=self._config.crafting == "gui",
            messages=self._config.messages,
        )

    def _choose_task(self, seed: int, wanted: object) -> Task:
        if wanted is not None:
            if self._config.suite is None and not isinstance(self._config.task, tuple):
                raise BadValue(
                    f"option task: this environment's task is {self.tasks[0].id!r}; "
                    f"use Optimus-v0 with suite=... to choose one at reset, got {wanted!r}"
                )
            known = {task.id: task for task in self.tasks}
            if isinstance(wanted, str) and wanted in known:
                return known[wanted]
            task = resolve_task(wanted)
            if task not in self.tasks:
                where = (
                    "of this environment"
                    if self._config.suite is None
                    else f"of suite {self._config.suite!r}"
                )
                raise UnknownName(f"task {where}", wanted, known)
            return task
        if len(self.tasks) == 1:
            return self.tasks[0]
        return self.tasks[int(generator(seed, "task").integers(len(self.tasks)))]


def _tasks_of(config: EnvConfig) -> tuple[Task, ...]:
    if config.subgoal is not None:
        return (subgoal_task(config.subgoal),)
    return resolve_tasks(config.task) if config.suite is None else suite_tasks(config.suite)


def replaced(always: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of every episode, overridden by the options of one reset.

    A snapshot in `options` removes from `always` the options that a snapshot decides (`IN_A_SNAPSHOT`). One
    of the options of `IN_A_SNAPSHOT` in `options` removes a snapshot from `always`.

    >>> replaced({"snapshot": "cave", "task": "Wood"}, {"biome": "forest"})
    {'task': 'Wood', 'biome': 'forest'}
    """
    kept = dict(always)
    if options.get("snapshot") is not None:
        kept = {name: value for name, value in kept.items() if name not in IN_A_SNAPSHOT}
    elif any(options.get(name) is not None for name in IN_A_SNAPSHOT):
        kept.pop("snapshot", None)
    return {**kept, **options}


def _biome(seed: int, task: Task) -> str | None:
    """Draw one of the biomes that a task names, by the seed; None if the task may begin in any biome."""
    if not task.biomes:
        return None
    return task.biomes[int(generator(seed, "biome").integers(len(task.biomes)))]


def _checked_snapshot(options: Mapping[str, Any]) -> Snapshot:
    for name in IN_A_SNAPSHOT:
        if options.get(name) is not None:
            raise BadValue(f"option snapshot: the snapshot decides the {name}; leave out {name!r}")
    wanted = options["snapshot"]
    if isinstance(wanted, str | os.PathLike):
        return Snapshot.load(wanted)
    if not isinstance(wanted, Snapshot):
        raise BadValue(f"option snapshot: expected a Snapshot or a path, got {wanted!r:.100}")
    return wanted


def _checked_commands(wanted: object) -> tuple[str, ...]:
    if wanted is None:
        return ()
    if isinstance(wanted, list | tuple) and all(isinstance(one, str) for one in wanted):
        return tuple(wanted)
    raise BadValue(f"option commands: expected a tuple of texts, got {shown(wanted)}")


def _checked_inventory(wanted: object) -> dict[str, int]:
    if wanted is None:
        return {}
    if not isinstance(wanted, Mapping):
        raise BadValue(
            f"option inventory: expected a mapping of item to count, got {shown(wanted)}"
        )
    held = {}
    for name, count in wanted.items():
        held[item(name).name] = check_count(f"option inventory: {name}", count, 1)
    return held


def _checked_position(wanted: object) -> tuple[float, float, float] | None:
    if wanted is None:
        return None
    try:
        x, y, z = (float(value) for value in wanted)  # type: ignore[attr-defined]
    except (TypeError, ValueError, OverflowError) as error:
        raise BadValue(f"option position: expected x, y, z, got {shown(wanted)}") from error
    if not (np.isfinite([x, y, z]).all() and 0 <= y <= 127 and max(abs(x), abs(z)) < BORDER):
        raise BadValue(
            f"option position: expected 0 <= y <= 127 and |x|, |z| < {BORDER}, got {shown(wanted)}"
        )
    return x, y, z


def _checked_time(wanted: object) -> int:
    if isinstance(wanted, str) and wanted in TIMES:
        return TIMES[wanted]
    if is_whole(wanted) and 0 <= wanted < DAY_TICKS:
        return int(wanted)
    raise BadValue(
        f"option time: expected an integer from 0 to {DAY_TICKS - 1} or one of {sorted(TIMES)}, "
        f"got {shown(wanted)}"
    )


def _checked_weather(wanted: object) -> str:
    if not isinstance(wanted, str) or wanted not in WEATHERS:
        raise BadValue(f"option weather: expected one of {WEATHERS}, got {shown(wanted)}")
    return wanted
