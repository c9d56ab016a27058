"""The embedded world behind the `World` protocol: N worlds in one set of arrays."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import VIEW_DISTANCES, Event, PlannerView, Setup, Sight
from optimus_gym.game.blocks import block_names
from optimus_gym.game.creatures import creature_kinds, difficulty_number
from optimus_gym.game.items import item_names
from optimus_gym.worlds.voxel import snapshot as snapshots
from optimus_gym.worlds.voxel import start
from optimus_gym.worlds.voxel.accounts import count_items, list_bodies
from optimus_gym.worlds.voxel.assists import check_assists, with_axe
from optimus_gym.worlds.voxel.creatures.land import with_land
from optimus_gym.worlds.voxel.edits import with_room
from optimus_gym.worlds.voxel.screen import Screens
from optimus_gym.worlds.voxel.sights import sights_of
from optimus_gym.worlds.voxel.state import (
    ASSISTS,
    BROKEN,
    CRAFTED,
    DEALT,
    DIED,
    EATEN,
    EVENT_NAMES,
    HURT,
    HURT_NAMES,
    KILLED,
    MINED,
    PICKED_UP,
    SMELTED,
    USED,
    Worlds,
    make_worlds,
)
from optimus_gym.worlds.voxel.stations import stations_in_reach
from optimus_gym.worlds.voxel.terrain.biomes import BIOMES, biome_index
from optimus_gym.worlds.voxel.tick import tick_rows
from optimus_gym.worlds.voxel.warmup import compile_once
from optimus_gym.worlds.voxel.window import ensure_area
from optimus_gym.worlds.voxel.workers import Workers, usable_processors

FEWEST_TICKS = 8
"""Worlds a thread must have to tick for it to be worth waking: a tick takes microseconds."""


class VoxelWorld:
    """N embedded worlds.

    What happens and what is seen is the same for any number of threads.

    Args:
        count: how many, at least 1.
        view_distance: blocks that one sees, 16 to 256.
        threads: how many tick and draw the worlds at once; None takes one for each processor that
            the process may use, at most one for each world.
    """

    def __init__(self, count: int = 1, view_distance: int = 64, threads: int | None = None) -> None:
        if not isinstance(count, int) or count < 1:
            raise BadValue(f"count: expected an integer of at least 1, got {count!r}")
        narrowest, widest = VIEW_DISTANCES
        if not isinstance(view_distance, int) or not narrowest <= view_distance <= widest:
            raise BadValue(
                f"view_distance: expected an integer from {narrowest} to {widest}, "
                f"got {view_distance!r}"
            )
        self._workers = Workers(min(count, usable_processors()) if threads is None else threads)
        compile_once()
        self.count = count
        self.view_distance = view_distance
        self.worlds: Worlds = make_worlds(count, view_distance)
        self._screens = Screens(count, view_distance, self._workers.threads)

    def reset(self, row: int, setup: Setup) -> None:
        """Begin an episode in world `row`.

        Raises:
            UnknownName: there is no such biome, item, assist or difficulty.
            BadValue: the inventory does not fit into 36 slots.
        """
        biome = -1 if setup.biome is None else biome_index(setup.biome)
        check_assists(setup.assists)
        stacks = start.stacks_of(with_axe(setup.inventory, setup.assists))
        if setup.difficulty is not None:
            difficulty_number(setup.difficulty)
        if setup.creatures:
            self.worlds = with_land(self.worlds)
        seed = np.uint64(setup.seed)
        start.begin(self.worlds, row, seed, biome, setup.position, stacks, setup.assists)
        start.set_sky(self.worlds, row, setup.time, setup.weather)
        start.set_rules(self.worlds, row, setup.difficulty, setup.creatures)
        self._screens.forget(row)

    def tick(self, rows: NDArray[np.int64], actions: NDArray[np.int32]) -> None:
        """Advance the worlds `rows` by one tick of `actions` (int32[n, 11])."""
        self.worlds = with_room(self.worlds, max(self.worlds.players["edits"].tolist()))
        if self._workers.threads == 1:
            tick_rows(self.worlds, rows, actions)
            return

        def work(_worker: int, places: slice) -> None:
            tick_rows(self.worlds, rows[places], actions[places])

        self._workers.share(work, len(rows), FEWEST_TICKS)

    def respawn(self, row: int) -> None:
        """Let the dead player of world `row` go on at its spawn point.

        Raises:
            BadValue: it lives.
        """
        if self.alive(row):
            raise BadValue(f"respawn: expected a dead player, that of world {row} lives")
        start.respawn(self.worlds, row)

    def snapshot(self, row: int) -> Snapshot:
        """Return the whole state of world `row`; what it shows and what it does next follow from it."""
        return snapshots.take(self.worlds, row)

    def restore(self, row: int, snapshot: Snapshot) -> None:
        """Put world `row` into the state that was saved, be it of another row, world or process.

        Raises:
            BadValue: it is no snapshot of this kind and version of world; nothing has changed.
        """
        arrays = snapshots.read(snapshot)
        self.worlds = with_room(self.worlds, len(arrays["edits"]))
        if arrays["rules"]["creatures"][0]:
            self.worlds = with_land(self.worlds)
        snapshots.write(self.worlds, row, arrays)
        self._screens.forget(row)

    def frame(self, row: int, image: NDArray[np.uint8]) -> None:
        """Fill `image` (uint8[H, W, 3], C-contiguous) with the screen of world `row`."""
        self.frames(np.array([row], np.int64), image[None])

    def frames(self, rows: NDArray[np.int64], images: NDArray[np.uint8]) -> None:
        """Fill `images` (uint8[n, H, W, 3], C-contiguous) with the screens of `rows` (int64[n])."""
        self._screens.prepare(images.shape[1], images.shape[2])
        if self._workers.threads == 1:
            self._screens.draw(self.worlds, rows, images)
            return

        def work(worker: int, places: slice) -> None:
            self._screens.draw(self.worlds, rows[places], images[places], worker)

        self._workers.share(work, len(rows))

    def sights(self, row: int, resolution: tuple[int, int]) -> tuple[Sight, ...]:
        """Return what the view of world `row` shows at a resolution (width, height)."""
        return sights_of(self.worlds, row, self.view_distance, resolution)

    def counts(self, row: int) -> NDArray[np.int32]:
        """Return how many of each item are held (int32[976], by item id)."""
        counts = np.empty(len(item_names()), np.int32)
        count_items(self.worlds, row, counts)
        return counts

    def bodies(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the `equipment` (int32[n, 6]) and `vitals` (float32[n, 6]) of `rows` (int64[n])."""
        equipment = np.empty((len(rows), 6), np.int32)
        vitals = np.empty((len(rows), 6), np.float32)
        list_bodies(self.worlds, rows, equipment, vitals)
        return equipment, vitals

    def equipment(self, row: int) -> NDArray[np.int32]:
        """Return item ids (int32[6]) of hand, off-hand, feet, legs, chest and head."""
        equipment: NDArray[np.int32] = self.bodies(np.array([row], np.int64))[0][0]
        return equipment

    def vitals(self, row: int) -> NDArray[np.float32]:
        """Return health, food, saturation, air, armour points and level (float32[6])."""
        vitals: NDArray[np.float32] = self.bodies(np.array([row], np.int64))[1][0]
        return vitals

    def assists(self, row: int) -> tuple[str, ...]:
        """Return the assists of world `row`: those of its setup, or of the snapshot it came from."""
        return tuple(name for name in ASSISTS.names or () if self.worlds.assists[name][row])

    def alive(self, row: int) -> bool:
        """Tell whether the player of world `row` lives."""
        return bool(self.worlds.players["alive"][row])

    def events(self, row: int) -> tuple[Event, ...]:
        """Return what happened in the latest tick of world `row`."""
        count = self.worlds.players["events"][row]
        if not count:
            return ()
        rows = self.worlds.events[row, :count].tolist()
        return tuple(
            Event(EVENT_NAMES[kind], _subject_names(kind)[subject], number)
            for kind, subject, number in rows
        )

    def view(self, row: int) -> PlannerView:
        """Return what a planner may see of world `row`."""
        player = self.worlds.players[row]
        counts = self.counts(row)
        names = item_names()
        hand = int(self.equipment(row)[0])
        width = self.worlds.biomes.shape[1]
        ensure_area(self.worlds, row, player["x"], player["z"], 0)
        biome = self.worlds.biomes[
            row, int(player["x"] // 1) % width, int(player["z"] // 1) % width
        ]
        return PlannerView(
            inventory={names[k]: int(counts[k]) for k in np.flatnonzero(counts)},
            equipped=names[hand] if hand else None,
            health=float(player["health"]),
            height=float(player["y"]),
            biome=BIOMES[biome],
            stations=stations_in_reach(self.worlds, row),
            frame=lambda: self._screenshot(row),
        )

    def _screenshot(self, row: int) -> NDArray[np.uint8]:
        image = np.empty((360, 640, 3), np.uint8)
        self.frame(row, image)
        return image

    def close(self) -> None:
        """End the threads and let go of the arrays; may be called twice."""
        self._workers.close()
        self.worlds = make_worlds(0)


@cache
def _subject_names(kind: int) -> tuple[str, ...]:
    if kind == MINED:
        return block_names()
    if kind in (HURT, DIED):
        return HURT_NAMES
    if kind in (DEALT, KILLED):
        return tuple(creature_kinds())
    assert kind in (PICKED_UP, CRAFTED, SMELTED, USED, BROKEN, EATEN), "an event kind of state.py"
    return item_names()
