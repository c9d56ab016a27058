"""N worlds with their episodes: begins them, advances them by one tick, keeps the accounts.

Knows tasks, budgets and what is held; knows nothing of plans (see `hierarchy`) or of spaces.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import ACTION_LENGTH, FUNCTION
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.protocols import SubGoalWorld, World
from optimus_gym.core.registry import load
from optimus_gym.core.rng import check_seed, generator
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.task import Task
from optimus_gym.core.types import Failure, Setup, Sight, SubGoal
from optimus_gym.envs.config import EnvConfig, check_resolution
from optimus_gym.envs.episode import Episode
from optimus_gym.envs.tasks import resolve_task, suite_tasks
from optimus_gym.game.conditions import DAY, TIMES, WEATHERS
from optimus_gym.game.equipment import is_equipped
from optimus_gym.game.items import item, item_names
from optimus_gym.game.protocols import protocol

RESET_OPTIONS = ("task", "inventory", "position", "biome", "time", "weather", "snapshot")
IN_A_SNAPSHOT = ("inventory", "position", "biome", "time", "weather")
"""Reset options that a snapshot decides itself."""

Watcher = Callable[[int], None]


class Runtime:
    """The worlds and episodes behind an environment; row i is environment i.

    Args:
        config: the environment's arguments.
        count: how many worlds.
        threads: how many see to them at once, as the world takes it.
    """

    def __init__(self, config: EnvConfig, count: int, threads: int | None = None) -> None:
        self.config = config
        self.count = count
        self._threads = threads
        self.protocol = protocol(config.protocol)
        self.tasks = _tasks(config)
        self.episodes: list[Episode | None] = [None] * count
        self.watchers: list[Watcher] = []
        self.latest = [[0] * ACTION_LENGTH for _ in range(count)]
        """Each row's latest low-level action, whoever made it; the item as item id."""
        self.counts = np.zeros((count, len(item_names())), np.int32)
        """How many of each item each row holds, by item id."""
        self.list_items(np.empty(0, np.int64))
        self._world: World | None = None
        self._closed = False
        if config.world_options:
            _ = self.world  # refuses an option that it does not know

    def list_items(self, ids: NDArray[np.int64]) -> None:
        """Keep `listed` from now on: how many of some items each row holds, in the order of `ids`."""
        self._listed_ids = ids
        self.listed = self.counts[:, ids].astype(np.float32)

    @property
    def world(self) -> World:
        """The worlds; made when first needed, so that making an environment stays cheap."""
        if self._world is None:
            if self._closed:
                raise BadValue("the environment is closed; make a new one")
            made = load("world", self.config.world)
            _check_world_options(self.config, getattr(made, "options", ()))
            world: World = made(
                self.count,
                view_distance=self.config.view_distance,
                threads=self._threads,
                **self.config.world_options,
            )
            self._world = world
        return self._world

    def episode(self, row: int) -> Episode:
        """Return the episode of `row`, which must have been reset."""
        episode = self.episodes[row]
        assert episode is not None, "reset comes before step"
        return episode

    def begin(self, row: int, seed: int, options: Mapping[str, Any] | None) -> Episode:
        """Begin an episode; nothing changes if an option cannot be used.

        Args:
            row: which world.
            seed: decides everything that is drawn, 0 to 2**63 - 1; what a snapshot goes on to draw
                is decided by the snapshot.
            options: some of `RESET_OPTIONS`. A snapshot brings its whole world, so that none of
                `IN_A_SNAPSHOT` may come with it, and the task's own inventory and biome are left
                out. All else begins anew: ticks and budget, what was ever possessed (what is held
                then counts as possessed), plan and replans.

        Raises:
            BadValue, UnknownName: an option or its value is not known.
        """
        check_seed(seed)
        options = dict(options or {})
        for name in options:
            if name not in RESET_OPTIONS:
                raise UnknownName("reset option", name, RESET_OPTIONS)
        task = self._choose_task(seed, options.get("task"))
        if options.get("snapshot") is not None:
            self.world.restore(row, _checked_snapshot(options))
        else:
            self.world.reset(row, self._setup(seed, task, options))
        counts = self._count(row)
        episode = Episode(
            task=task,
            goal=task.goal,
            budget=self.config.ticks or self.protocol.budget or task.budget,
            counts=counts,
            possessed=counts > 0,
            assists=self.world.assists(row),
        )
        self.episodes[row] = episode
        self._judge(row, episode)
        return episode

    def _setup(self, seed: int, task: Task, options: Mapping[str, Any]) -> Setup:
        rules = self.protocol
        return Setup(
            seed=seed,
            biome=options.get("biome", self.config.biome or _biome(seed, task)),
            position=_checked_position(options.get("position")),
            inventory={**task.inventory, **_checked_inventory(options.get("inventory"))},
            time=_checked_time(options.get("time", rules.time)),
            weather=_checked_weather(options.get("weather", rules.weather)),
            assists=rules.assists,
            creatures=rules.creatures,
            difficulty=rules.difficulty,
        )

    def _choose_task(self, seed: int, wanted: object) -> Task:
        if wanted is not None:
            if self.config.task is not None and len(self.tasks) == 1:
                raise BadValue(
                    f"option task: this environment's task is {self.tasks[0].id!r}; "
                    f"use Optimus-v0 with suite=... to choose one at reset, got {wanted!r}"
                )
            task = resolve_task(wanted)
            if task not in self.tasks:
                raise UnknownName(f"task of suite {self.config.suite!r}", wanted, self.task_ids)
            return task
        if len(self.tasks) == 1:
            return self.tasks[0]
        return self.tasks[int(generator(seed, "task").integers(len(self.tasks)))]

    @property
    def task_ids(self) -> tuple[str, ...]:
        """Return the ids of the tasks that an episode may have."""
        return tuple(task.id for task in self.tasks)

    def tick(self, rows: NDArray[np.int64], actions: NDArray[np.int32]) -> None:
        """Advance `rows` by one tick with `actions` (int32[n, 11]) and keep their accounts."""
        self.world.tick(rows, actions)
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            self.latest[row] = action
            function = action[FUNCTION]
            episode = self.episode(row)
            events = self.world.events(row)
            if not self.world.alive(row) and self.protocol.death == "respawn":
                self.world.respawn(row)
            if events or function:
                episode.events.extend(events)
                episode.possessed = episode.possessed | (self._count(row) > 0)
            episode.ticks += 1
            self._judge(row, episode, changed=bool(events or function))
            for watcher in self.watchers:
                watcher(row)

    def carry_out(self, row: int, subgoal: SubGoal, limit: int) -> Failure | None:
        """Let a world that can do so carry out a sub-goal, and keep the accounts of its ticks.

        Watchers are called once, at its end.

        Args:
            row: which world.
            subgoal: what to do.
            limit: ticks that it may take, beside what is left of the budget.

        Returns:
            why it failed, or None.
        """
        episode = self.episode(row)
        world = cast(SubGoalWorld, self.world)
        done = world.carry_out(row, subgoal, min(limit, episode.budget - episode.ticks))
        episode.events.extend(self.world.events(row))
        episode.possessed = episode.possessed | (self._count(row) > 0)
        episode.ticks += done.ticks
        self._judge(row, episode)
        for watcher in self.watchers:
            watcher(row)
        return done.failure

    def _count(self, row: int) -> NDArray[np.int32]:
        """Note what `row` holds now, and return it: its row of `counts`."""
        counts: NDArray[np.int32] = self.counts[row]
        counts[:] = self.world.counts(row)
        self.listed[row] = counts[self._listed_ids]
        return counts

    def _judge(self, row: int, episode: Episode, changed: bool = True) -> None:
        """Note how the episode stands; `changed`: what is held may be other than before."""
        if (changed or episode.task.success != "held") and self._succeeded(row, episode):
            episode.status = "success"
        elif not self.world.alive(row) and self.protocol.death == "episode_over":
            episode.status = "died"
        elif episode.ticks >= episode.budget:
            episode.status = "budget"

    def _succeeded(self, row: int, episode: Episode) -> bool:
        """Tell whether the task is reached, in the way that it asks for."""
        task = episode.task
        if task.success == "equipped":
            worn = self.world.equipment(row).tolist()
            return any(is_equipped(name, worn) for name in task.kinds)
        if task.success == "declared":
            return any(e.kind == "found" and e.subject in task.kinds for e in episode.events)
        held = sum(int(episode.counts[item(name).id]) for name in task.kinds)
        return held >= task.count

    def snapshot(self, row: int) -> Snapshot:
        """Return the state of the row's world; what belongs to the episode is not in it."""
        return self.world.snapshot(row)

    def sights(self, row: int, resolution: tuple[int, int] | None) -> tuple[Sight, ...]:
        """Return what the row's frame shows at a resolution, or else at the observation's.

        Raises:
            BadValue: there is no such row, or the resolution is not two integers in range.
        """
        if row not in range(self.count):
            raise BadValue(f"row: expected an integer from 0 to {self.count - 1}, got {row!r}")
        wanted = self.config.resolution if resolution is None else check_resolution(resolution)
        return self.world.sights(row, wanted)

    def inventory(self, row: int) -> dict[str, int]:
        """Return what `row` holds, by name."""
        counts = self.episode(row).counts
        names = item_names()
        return {names[k]: int(counts[k]) for k in np.flatnonzero(counts)}

    def close(self) -> None:
        """Let go of the worlds; may be called twice."""
        self._closed = True
        if self._world is not None:
            self._world.close()
            self._world = None


def _tasks(config: EnvConfig) -> tuple[Task, ...]:
    if config.suite is not None:
        return suite_tasks(config.suite)
    return (resolve_task(config.task),)


def _check_world_options(config: EnvConfig, known: Sequence[str]) -> None:
    for name in config.world_options:
        if not known:
            raise BadValue(f"world_options: world {config.world!r} takes none, got {name!r}")
        if name not in known:
            raise UnknownName(f"option of world {config.world!r}", name, known)


def _biome(seed: int, task: Task) -> str | None:
    """Draw where a task begins, from the generator "biome" of the seed; None = anywhere."""
    if not task.biomes:
        return None
    return task.biomes[int(generator(seed, "biome").integers(len(task.biomes)))]


def _checked_snapshot(options: Mapping[str, Any]) -> Snapshot:
    for name in IN_A_SNAPSHOT:
        if options.get(name) is not None:
            raise BadValue(f"option snapshot: it decides the {name} itself; leave out {name!r}")
    wanted = options["snapshot"]
    if isinstance(wanted, str | os.PathLike):
        return Snapshot.load(wanted)
    if not isinstance(wanted, Snapshot):
        raise BadValue(f"option snapshot: expected a Snapshot or a path, got {wanted!r:.100}")
    return wanted


def _checked_inventory(wanted: object) -> dict[str, int]:
    if wanted is None:
        return {}
    if not isinstance(wanted, Mapping):
        raise BadValue(f"option inventory: expected a mapping of item to count, got {wanted!r}")
    for name, count in wanted.items():
        item(name)
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise BadValue(
                f"option inventory: expected a count of at least 1 {name}, got {count!r}"
            )
    return dict(wanted)


def _checked_position(wanted: object) -> tuple[float, float, float] | None:
    if wanted is None:
        return None
    try:
        x, y, z = (float(value) for value in wanted)  # type: ignore[attr-defined]
    except (TypeError, ValueError) as error:
        raise BadValue(f"option position: expected x, y, z, got {wanted!r}") from error
    if not (np.isfinite([x, y, z]).all() and 0 <= y <= 127 and max(abs(x), abs(z)) <= 3e7):
        raise BadValue(
            f"option position: expected 0 <= y <= 127 and |x|, |z| <= 30,000,000, got {wanted!r}"
        )
    return x, y, z


def _checked_time(wanted: object) -> int:
    if isinstance(wanted, str) and wanted in TIMES:
        return TIMES[wanted]
    if isinstance(wanted, int) and not isinstance(wanted, bool) and 0 <= wanted < DAY:
        return wanted
    raise BadValue(
        f"option time: expected an integer from 0 to {DAY - 1} or one of {sorted(TIMES)}, "
        f"got {wanted!r}"
    )


def _checked_weather(wanted: object) -> str:
    if wanted not in WEATHERS:
        raise BadValue(f"option weather: expected one of {WEATHERS}, got {wanted!r}")
    return str(wanted)
