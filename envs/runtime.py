"""Runs N worlds with their episodes: begins episodes, ticks worlds, notes inventories and statuses.

The runtime knows tasks, budgets and inventories, but neither plans (see `loop`) nor Gymnasium's spaces.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import noop
from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue, WorldFailed, shown
from optimus_gym.core.interfaces import World
from optimus_gym.core.rng import check_seed, generator
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import Event, Failure, Setup, Sight, Status, SubGoal
from optimus_gym.core.world_powers import (
    BiomeShareWorld,
    MouseWorld,
    NightVisionWorld,
    RespawnWorld,
    SightWorld,
    SnapshotWorld,
    SubGoalWorld,
)
from optimus_gym.envs.commanding import added_events, begin_world, needed_powers, obey
from optimus_gym.envs.config import EnvConfig, check_resolution
from optimus_gym.envs.courses import Episode, counts_by_name
from optimus_gym.envs.powers import powers_of, with_way
from optimus_gym.envs.starts import Starts
from optimus_gym.envs.world_answers import (
    check_alive,
    check_counts,
    check_done,
    check_events,
    check_held,
    check_methods,
    check_row,
    check_screens,
)
from optimus_gym.game.items import item_names

SEED_LIMIT = 2**31
Watcher = Callable[[int], None]


class Runtime:
    """The worlds and episodes behind an environment; row i is the world of sub-environment i.

    Args:
        config: the environment's arguments.
        count: the number of worlds.
        threads: the number of threads for the worlds, passed to the world's class.

    Attributes:
        config: the environment's arguments; `crafting` is the way that is really used.
        can: the world's powers (`core.world_powers.POWERS`).
        closed: whether the worlds have been released.
        tasks: the tasks that an episode may have.
        latest: each row's latest low-level action from any executor or policy (int32[N, 15]).
        counts: pieces of each item that each row holds, by item id (int32[N, 976]); updated in every tick.
        changed: whether the latest tick changed a row's inventory (bool[N]).
        changes: how often each row's inventory has changed.
        happened: the events of each row's latest tick.
        died: whether a row's player died in the row's latest tick (bool[N]).
        moments: a counter for each row, which grows whenever the row's world ticks or restarts (int64[N]).
        watchers: functions that are called with a row after each of the row's ticks.
    """

    def __init__(self, config: EnvConfig, count: int, threads: int | None = None) -> None:
        self.can = powers_of(config)
        self.config = config = with_way(config, self.can)
        self.count = count
        self._name = config.name_of("world")
        self._threads = threads
        self._starts = Starts(config)
        self.tasks = self._starts.tasks
        self._episodes: list[Episode | None] = [None] * count
        self._never_reset = set(range(count))
        self.watchers: list[Watcher] = []
        self.latest = np.tile(noop(), (count, 1))
        self.counts = np.zeros((count, len(item_names())), np.int32)
        self.changed = np.zeros(count, np.bool_)
        self.changes = [0] * count
        self.happened: list[tuple[Event, ...]] = [()] * count
        self.died = np.zeros(count, np.bool_)
        self.moments = np.zeros(count, np.int64)
        self._respawns = config.rules.death == "respawn"
        self._screens = config.crafting == "gui" if "mouse" in self.can else None
        self._killed: set[int] = set()  # rows whose player a command killed since the latest tick
        self._world: World | None = None
        self.closed = False
        part = config.parts["world"]
        if part is None:
            self._world = check_methods(self._name, config.world, count, self.can)
        elif part.options:
            _ = self.world  # the world's class rejects unknown options

    @property
    def world(self) -> World:
        """The worlds, made on first use so that making an environment stays cheap."""
        if self._world is None:
            if self.closed:
                raise BadValue("the environment is closed; reset it")
            part = self.config.parts["world"]
            assert part is not None, "a given world exists"
            distance = self.config.view_distance
            made = part.build(self.count, view_distance=distance, threads=self._threads)
            self._world = check_methods(self._name, made, self.count, self.can)
        return self._world

    def episode(self, row: int) -> Episode:
        """Return the episode of `row`, which must have been reset."""
        episode = self._episodes[row]
        assert episode is not None, "reset comes before step"
        return episode

    @property
    def awaits_reset(self) -> bool:
        """Return whether a row was never reset."""
        return bool(self._never_reset)

    def begin(self, row: int, seed: int, options: Mapping[str, Any]) -> None:
        """Begin an episode; nothing changes if an option cannot be used.

        Args:
            row: the world's row.
            seed: decides all draws, 0 to 2**63 - 1, except the later draws of a snapshot's world, which the
                snapshot decides.
            options: some of `starts.RESET_OPTIONS`. A snapshot brings its whole world: it excludes the
                options of `starts.IN_A_SNAPSHOT` and replaces the task's inventory and biome. The data of
                the episode restart: ticks and budget, the items ever possessed (those of the new inventory),
                plan and replans.

        Raises:
            UnknownName: an option, or a name in its value, does not exist.
            BadValue: the seed or the value of an option cannot be used.
        """
        check_seed(seed)
        task, start = self._starts.of(seed, options)
        commands = self._starts.commands(options, task if isinstance(start, Setup) else None)
        for power in needed_powers(start, commands):
            self._check_power(power)
        keeps = "snapshots" in self.can and row not in self._never_reset
        reason = ""
        try:
            begin_world(self.world, row, start, commands, self._respawns, keeps, self._screens)
        except WorldFailed as error:
            reason = error.reasons.get(row, str(error))
        if not reason:
            check_row(self._name, self.world, self.can, row)
        self.moments[row] += 1
        self.died[row] = False
        self._killed.discard(row)
        self.latest[row] = noop()
        self.counts[row] = 0 if reason else self.world.counts([row])[0]
        self.changes[row] += 1
        self._episodes[row] = Episode(
            task=task,
            goal=task.goal,
            budget=self.config.ticks or self.config.rules.budget or task.budget,
            seed=int(generator(seed, "agent").integers(SEED_LIMIT)),
            possessed=self.counts[row] > 0,
            assists=() if reason else self.world.assists(row),
            biome_share=0.0 if reason else self._biome_share(row),
        )
        self._never_reset.discard(row)
        if reason:
            self.end(row, "world_failed", reason)
        else:
            self.judge(row, bool(self.world.alive([row])[0]), changed=True)

    def command(self, row: int, text: str) -> str:
        """Carry out a chat command in the row's world between two ticks, and return the game's line.

        The episode's assists name "commands" from then on, and each assist that the command switched on. The
        task may succeed, or the episode may end by a death, as after a tick.

        Raises:
            BadValue, UnknownName: the world lacks the power "commands", or refuses the command; nothing has
                changed.
        """
        self._check_power("commands")
        world, episode = self.world, self.episode(row)
        before = world.events(row)
        line, killed = obey(world, row, text, self._respawns)
        if killed:
            self._killed.add(row)
        check_row(self._name, world, self.can, row)
        self.moments[row] += 1
        self.counts[row] = world.counts([row])[0]
        self.changes[row] += 1
        episode.possessed = episode.possessed | (self.counts[row] > 0)
        episode.events.extend(added_events(before, world.events(row)))
        episode.assists = tuple(dict.fromkeys((*episode.assists, *world.assists(row))))
        self.judge(row, bool(world.alive([row])[0]), changed=True)
        return line

    def _biome_share(self, row: int) -> float:
        if "biome_share" not in self.can:
            return 0.0
        return cast(BiomeShareWorld, self.world).biome_share(row)

    def tick(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        """Tick the worlds of `rows` once with `actions` (int32[n, 15]) and update the episodes."""
        chosen = np.array(rows, np.int64)
        try:
            self.world.tick(chosen, actions)
            done: Sequence[int] = rows
        except WorldFailed as error:
            done = self._failed(rows, error)
            chosen = np.array(done, np.int64)
        self.latest[self._places(rows)] = actions
        self._account(done, chosen, 1)

    def carry_out(self, row: int, subgoal: SubGoal, limit: int) -> tuple[int, Failure | None]:
        """Let the world carry out a sub-goal, and add the ticks taken to the episode.

        Watchers are called once, at the sub-goal's end.

        Args:
            row: the world's row.
            subgoal: the sub-goal.
            limit: maximum ticks of the sub-goal; the rest of the episode's budget is another maximum.

        Returns:
            the ticks taken, and the failure, or None.
        """
        episode = self.episode(row)
        world = cast(SubGoalWorld, self.world)
        most = min(limit, episode.budget - episode.ticks)
        try:
            done = world.carry_out(row, subgoal, most)
        except WorldFailed as error:
            self._failed([row], error)
            return 0, None
        check_done(self._name, done, most)
        check_row(self._name, world, self.can, row)
        self._account([row], np.array([row]), done.ticks)
        return done.ticks, done.failure

    def _failed(self, rows: Sequence[int], error: WorldFailed) -> list[int]:
        """End the episodes of rows whose worlds failed; return the rows whose worlds still work.

        Raises:
            BadValue: the error names no row, or a row outside `rows`.
        """
        if not error.reasons or not set(error.reasons) <= set(rows):
            raise BadValue(
                f"world {self._name!r}: expected WorldFailed with reasons by row, for some of the rows "
                f"{list(rows)}, got {shown(error.reasons)}"
            ) from error
        for row in rows:
            if row in error.reasons:
                self.moments[row] += 1
                self.changed[row] = self.died[row] = False
                self.happened[row] = ()
                self.end(row, "world_failed", error.reasons[row])
        return [row for row in rows if row not in error.reasons]

    def _account(self, rows: Sequence[int], chosen: NDArray[np.int64], ticks: int) -> None:
        """Update inventories, deaths, events and statuses after ticks of `rows` (= `chosen`, ascending).

        Raises:
            BadValue: the world's answers break the contract (`envs.world_answers`).
        """
        if not rows:
            return
        world, where = self.world, self._places(rows)
        alive = check_alive(self._name, world.alive(chosen), len(rows))
        dead = ~alive
        self.died[where] = dead
        if self._killed:
            self.died[list(self._killed.intersection(rows))] = True
            self._killed.difference_update(rows)
        if self._respawns:
            for row in chosen[dead].tolist():
                cast(RespawnWorld, world).respawn(row)
        counts = check_counts(self._name, world.counts(chosen), rows)
        changes = np.logical_or.reduce(counts != self.counts[where], axis=1)
        has_changed = changes.tolist()
        if True in has_changed:
            check_held(self._name, counts, rows)
        happened = [check_events(self._name, world.events(row), row) for row in rows]
        self.changed[where] = changes
        self.counts[where] = counts
        self.moments[where] += 1
        told = zip(rows, alive.tolist(), has_changed, happened, strict=True)
        for row, lives, changed, events in told:
            episode = self.episode(row)
            self.happened[row] = events
            if events:
                episode.events.extend(events)
            episode.ticks += ticks
            if changed:
                self.changes[row] += 1
                episode.possessed = episode.possessed | (self.counts[row] > 0)
            self.judge(row, lives, changed)
            for watcher in self.watchers:
                watcher(row)

    def _places(self, rows: Sequence[int]) -> slice | Sequence[int]:
        """Return a numpy index that selects `rows` (ascending); a slice if `rows` are all rows."""
        return slice(None) if len(rows) == self.count else rows

    def judge(self, row: int, alive: bool, changed: bool) -> None:
        """Update the status of the row's episode; `changed` says whether the inventory may have changed."""
        episode = self.episode(row)
        asks = changed or episode.task.success != "held"
        if asks and episode.is_reached(self.counts[row], partial(self.world.bodies, [row])):
            self.end(row, "success")
        elif not alive and self.config.rules.death == "episode_over":
            self.end(row, "died")
        elif episode.ticks >= episode.budget:
            self.end(row, "budget")

    def end(self, row: int, status: Status, reason: str = "") -> None:
        """End the episode of `row`."""
        episode = self.episode(row)
        episode.status, episode.reason = status, reason

    def snapshot(self, row: int) -> Snapshot:
        """Return the state of the row's world, without the episode's state.

        Raises:
            BadValue: the row does not exist, or the world cannot be saved.
        """
        row = self.check_row(row)
        self._check_power("snapshots")
        return cast(SnapshotWorld, self.world).snapshot(row)

    def sights(self, row: int, resolution: tuple[int, int] | None) -> tuple[Sight, ...]:
        """Return what the row's frame shows at a resolution; None takes the observation's resolution.

        Raises:
            BadValue: the row does not exist, the resolution is not two integers in range, or the world lacks
                the power "sights".
        """
        row = self.check_row(row)
        self._check_power("sights")
        wanted = self.config.resolution if resolution is None else check_resolution(resolution)
        return cast(SightWorld, self.world).sights(row, wanted)

    def check_row(self, row: object) -> int:
        """Return a row's number as a Python int.

        Raises:
            BadValue: the row does not exist.
        """
        return check_count("row", row, 0, self.count - 1)

    def _check_power(self, power: str) -> None:
        if power not in self.can:
            raise BadValue(f"world {self.config.name_of('world')!r} lacks the power {power!r}")

    def frame(self, row: int, size: tuple[int, int]) -> NDArray[np.uint8]:
        """Return the present screen of `row` at a size (width, height): uint8[height, width, 3]."""
        image = np.empty((size[1], size[0], 3), np.uint8)
        self.world.frames([row], image[None])
        return image

    def bright_frame(self, row: int, size: tuple[int, int]) -> NDArray[np.uint8]:
        """Return the screen of `row`, drawn as with night vision at a size (width, height); changes no state.

        Returns:
            uint8[height, width, 3].

        Raises:
            BadValue: the world lacks the power "night_vision".
        """
        self._check_power("night_vision")
        image: NDArray[np.uint8] = np.empty((size[1], size[0], 3), np.uint8)
        cast(NightVisionWorld, self.world).bright_frames([row], image[None])
        return image

    def screens(self, rows: Sequence[int]) -> NDArray[np.int64]:
        """Return the code of each row's open screen (int64[n], `game.screens.screen_names`), 0 = none."""
        codes = np.zeros(len(rows), np.int64)
        if self.config.crafting == "gui":
            sound = [k for k, row in enumerate(rows) if self.episode(row).status != "world_failed"]
            asked = [rows[k] for k in sound]
            if asked:
                told = cast(MouseWorld, self.world).screens(asked)
                codes[sound] = check_screens(self._name, told, asked)
        return codes

    def inventory(self, row: int) -> dict[str, int]:
        """Return the pieces that `row` holds, by item."""
        return counts_by_name(self.counts[row])

    def close(self) -> None:
        """Release the worlds; close them unless the caller gave them as an object; may be called twice."""
        self.closed = True
        self.moments += 1
        if self._world is not None and self.config.parts["world"] is not None:
            self._world.close()
        self._world = None
