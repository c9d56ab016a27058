"""The embedded world behind the `World` protocol: N worlds in one set of arrays."""

from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import camera_turns
from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue
from optimus_gym.core.interfaces import Rows
from optimus_gym.core.overlay import Overlay
from optimus_gym.core.processors import usable_processors
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import MOST_ROWS, VIEW_DISTANCES, Event, Setup, Sight
from optimus_gym.core.world_powers import Conditions, Reach, Surroundings, check_reach
from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.blocks import block_names
from optimus_gym.game.conditions import check_weather
from optimus_gym.game.creatures import creature_kinds, difficulty_number
from optimus_gym.game.items import item_names
from optimus_gym.game.protocols import COMMANDED
from optimus_gym.worlds.voxel import snapshot as snapshots
from optimus_gym.worlds.voxel import start
from optimus_gym.worlds.voxel.commands.grammar import carry_out_command
from optimus_gym.worlds.voxel.creatures.living_land import with_land
from optimus_gym.worlds.voxel.land.assists import check_assists, with_axe
from optimus_gym.worlds.voxel.land.edits import with_room
from optimus_gym.worlds.voxel.land.window import ensure_area
from optimus_gym.worlds.voxel.nearby import Lookout, conditions_of
from optimus_gym.worlds.voxel.player.accounts import count_items, list_bodies, list_poses
from optimus_gym.worlds.voxel.player.chatting import add_chat_line
from optimus_gym.worlds.voxel.player.telling import tell_rows
from optimus_gym.worlds.voxel.predicaments import predicaments_of
from optimus_gym.worlds.voxel.screen.hud import hud_overlay
from optimus_gym.worlds.voxel.screen.painter import Painter
from optimus_gym.worlds.voxel.sights import sights_of
from optimus_gym.worlds.voxel.state.worlds import (
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
    POCKETS,
    SMELTED,
    USED,
    Worlds,
    make_worlds,
)
from optimus_gym.worlds.voxel.terrain.biome_start import biome_share
from optimus_gym.worlds.voxel.terrain.biomes import biome_index
from optimus_gym.worlds.voxel.things.stations import stations_in_reach
from optimus_gym.worlds.voxel.tick import end_screen, tick_rows, with_screens
from optimus_gym.worlds.voxel.warmup import compile_once
from optimus_gym.worlds.voxel.whereabouts import things_in_reach
from optimus_gym.worlds.voxel.workers import Workers

FEWEST_TICKS = 8
"""Minimum number of worlds per thread in a call of `tick`, since a tick takes microseconds."""


class VoxelWorld:
    """The embedded world: an endless land with the survival rules of Minecraft 1.16.5, in N copies.

    Results and pictures are the same for any number of threads.

    Args:
        count: number of worlds, 1 to 65,536.
        view_distance: range of view in blocks, 16 to 256.
        threads: maximum number of threads that tick and draw worlds at once, 1 to 1,024; None means one for
            each processor that the process may use. There are never more threads than worlds.
    """

    can: ClassVar[frozenset[str]] = frozenset(
        {
            "keys",
            "camera",
            "mouse",
            "functions",
            "pictures",
            "overlay",
            "snapshots",
            "sights",
            "arrays",
            "respawn",
            "predicaments",
            "biome_share",
            "night_vision",
            "commands",
            "messages",
            "surroundings",
            "whereabouts",
        }
    )
    options: ClassVar[tuple[str, ...]] = ()
    biomes: ClassVar[tuple[str, ...]] = BIOMES

    def __init__(self, count: int = 1, view_distance: int = 64, threads: int | None = None) -> None:
        count = check_count("count", count, 1, MOST_ROWS)
        view_distance = check_count("view_distance", view_distance, *VIEW_DISTANCES)
        self._workers = Workers(usable_processors() if threads is None else threads, count)
        compile_once()
        self.count = count
        self.view_distance = view_distance
        self.worlds: Worlds = make_worlds(count, view_distance)
        self._has_screens = False
        self._has_messages = False
        self._painter = Painter(count, view_distance, self._workers.threads)
        self._lookout = Lookout()

    def reset(self, row: int, setup: Setup) -> None:
        """Begin an episode in world `row`.

        Raises:
            UnknownName: there is no such biome, item, assist, difficulty or weather.
            BadValue: the inventory does not fit into 36 slots.
        """
        biome = -1 if setup.biome is None else biome_index(setup.biome)
        check_assists(setup.assists)
        check_weather(setup.weather)
        stacks = start.stacks_of(with_axe(setup.inventory, setup.assists))
        if setup.difficulty is not None:
            difficulty_number(setup.difficulty)
        if setup.creatures:
            self.worlds = with_land(self.worlds)
        seed = np.uint64(setup.seed)
        start.begin(self.worlds, row, seed, biome, setup.position, stacks, setup.assists)
        start.set_sky(self.worlds, row, setup.time, setup.weather)
        start.set_rules(
            self.worlds, row, setup.difficulty, setup.creatures, setup.screens, setup.messages
        )
        self._begin(row)

    def _begin(self, row: int) -> None:
        """Take note that world `row` has a new state."""
        self._painter.forget(row)
        self._lookout.forget(row)
        self._has_screens = bool(self.worlds.rules["screens"].any())
        self._has_messages = bool(self.worlds.rules["messages"].any())

    def tick(
        self,
        rows: Rows,
        actions: NDArray[np.int32],
        turns: NDArray[np.float64] | None = None,
    ) -> None:
        """Advance the worlds `rows` by one tick of `actions` (int32[n, 15]).

        Args:
            rows: the worlds that tick.
            actions: int32[n, 15], laid out as in `core.actions`.
            turns: float64[n, 2], turns of pitch and yaw in degrees, -180 to 180 each, in place of the
                camera bins of `actions`; None: the turns of these bins.
        """
        chosen = np.asarray(rows, np.int64)
        angles = camera_turns(actions) if turns is None else np.asarray(turns, np.float64)
        if self._has_screens:
            actions, angles = with_screens(self.worlds, chosen, actions, angles)
        self.worlds = with_room(self.worlds, max(self.worlds.players["edits"].tolist()))
        if self._workers.threads == 1:
            tick_rows(self.worlds, chosen, actions, angles)
        else:

            def work(_worker: int, places: slice) -> None:
                tick_rows(self.worlds, chosen[places], actions[places], angles[places])

            self._workers.share(work, len(chosen), FEWEST_TICKS)
        if self._has_messages:
            tell_rows(self.worlds, chosen)
        self._lookout.answer(self.worlds, chosen)

    def respawn(self, row: int) -> None:
        """Revive the dead player of world `row` at its spawn point.

        Raises:
            BadValue: the player lives.
        """
        if self.worlds.players["alive"][row]:
            raise BadValue(f"respawn: expected a dead player in world {row}, got a living one")
        if self.worlds.screens["kind"][row]:
            end_screen(self.worlds, row)
        start.respawn(self.worlds, row)

    def snapshot(self, row: int) -> Snapshot:
        """Return the whole state of world `row`; all later pictures and ticks follow from that state."""
        return snapshots.take(self.worlds, row)

    def restore(self, row: int, snapshot: Snapshot, screens: bool | None = None) -> None:
        """Put world `row` into a saved state, which may come from another row, world or process.

        Args:
            row: number of the world.
            snapshot: the saved state.
            screens: whether the saved world must open the game's screens; None takes either.

        Raises:
            BadValue: the snapshot is of another kind or version of world, or `screens` is another value than
                the saved world's; world `row` has not changed.
        """
        arrays = snapshots.read(snapshot)
        snapshots.check_screens_rule(arrays, screens)
        self.worlds = with_room(self.worlds, len(arrays["edits"]))
        if arrays["rules"]["creatures"][0]:
            self.worlds = with_land(self.worlds)
        snapshots.write(self.worlds, row, arrays)
        self._begin(row)

    def frames(self, rows: Rows, images: NDArray[np.uint8]) -> None:
        """Fill `images` (uint8[n, H, W, 3], C-contiguous) with the frames of the worlds `rows`."""
        chosen = np.asarray(rows, np.int64)
        self._painter.prepare(images.shape[1], images.shape[2])
        if self._workers.threads == 1:
            self._painter.draw(self.worlds, chosen, images)
            return

        def work(worker: int, places: slice) -> None:
            self._painter.draw(self.worlds, chosen[places], images[places], worker)

        self._workers.share(work, len(chosen))

    def bright_frames(self, rows: Rows, images: NDArray[np.uint8]) -> None:
        """Fill `images` (uint8[n, H, W, 3], C-contiguous) with frames drawn with "night_vision"."""
        chosen = np.asarray(rows, np.int64)
        night_vision = self.worlds.assists["night_vision"]
        former = night_vision[chosen]
        try:
            night_vision[chosen] = 1
            self.frames(chosen, images)
        finally:
            night_vision[chosen] = former

    def sights(self, row: int, resolution: tuple[int, int]) -> tuple[Sight, ...]:
        """Return the blocks, creatures and items that a picture of world `row` (width, height) shows."""
        return sights_of(self.worlds, row, self.view_distance, resolution)

    def counts(self, rows: Rows) -> NDArray[np.int32]:
        """Return the number of held pieces of each item (int32[n, 976], by item id), a new array."""
        counts = np.zeros((len(rows), len(item_names())), np.int32)
        count_items(self.worlds, np.asarray(rows, np.int64), counts)
        return counts

    def bodies(self, rows: Rows) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the players' equipment and vitals, new arrays.

        Returns:
            item ids of hand, off-hand, feet, legs, chest and head (int32[n, 6]), and health, food,
            saturation, air, armour points and level (float32[n, 6]).
        """
        equipment = np.empty((len(rows), 6), np.int32)
        vitals = np.empty((len(rows), 6), np.float32)
        list_bodies(self.worlds, np.asarray(rows, np.int64), equipment, vitals)
        return equipment, vitals

    def poses(self, rows: Rows) -> NDArray[np.float64]:
        """Return x, y, z of the feet, yaw and pitch (float64[n, 5], blocks and degrees), a new array."""
        poses = np.empty((len(rows), 5))
        list_poses(self.worlds, np.asarray(rows, np.int64), poses)
        return poses

    def alive(self, rows: Rows) -> NDArray[np.bool_]:
        """Return whether the players of `rows` live (bool[n])."""
        alive: NDArray[np.bool_] = self.worlds.players["alive"][np.asarray(rows, np.int64)] != 0
        return alive

    def biome(self, row: int) -> str:
        """Return the name of the biome that the player of world `row` is in."""
        player, biomes = self.worlds.players[row], self.worlds.biomes
        width = biomes.shape[1]
        ensure_area(self.worlds, row, player["x"], player["z"], 0)
        x, z = int(player["x"] // 1) % width, int(player["z"] // 1) % width
        return BIOMES[int(biomes[row, x, z])]

    def biome_share(self, row: int) -> float:
        """Return the share of land within 32 blocks of world `row`'s player that has the player's biome.

        The share is 0 to 1; `terrain.biome_start.biome_share` says which columns are land.
        """
        player = self.worlds.players[row]
        x, z = int(player["x"] // 1), int(player["z"] // 1)
        return float(biome_share(player["seed"], x, z, BIOMES.index(self.biome(row))))

    def screens(self, rows: Rows) -> NDArray[np.int32]:
        """Return the code of each player's open screen (int32[n]; `game.screens`), 0 = none."""
        return self.worlds.screens["kind"][np.asarray(rows, np.int64)].astype(np.int32)

    def pockets(self, rows: Rows) -> NDArray[np.int32]:
        """Return the players' inventories by slot (int32[n, 36, 2]): item id and pieces, the hotbar first."""
        slots = self.worlds.slots[np.asarray(rows, np.int64), :POCKETS]
        return np.stack([slots["item"], slots["count"]], axis=-1).astype(np.int32)

    def stations(self, row: int) -> tuple[str, ...]:
        """Return the stations within reach of the player of world `row`."""
        return stations_in_reach(self.worlds, row)

    def overlay(self) -> Overlay:
        """Return the pictures of hearts, food, armour, air and items that frames show."""
        return hud_overlay()

    def predicaments(self, row: int) -> frozenset[str]:
        """Return the predicaments that the player of world `row` is in (`core.predicaments`)."""
        return predicaments_of(self.worlds, row)

    def ask_surroundings(self, row: int, reach: Reach) -> None:
        """Let the next tick of world `row` report the blocks and creatures of a box around its player.

        Raises:
            BadValue: `reach` is no box within 50 blocks of the player.
        """
        self._lookout.ask(row, check_reach(reach))

    def surroundings(self, row: int) -> Surroundings | None:
        """Return what the latest tick of world `row` reported of the box asked for; None without a question.

        All blocks are known: land that is not loaded is made, and above and below the land is air.
        """
        return self._lookout.told(row)

    def conditions(self, row: int) -> Conditions:
        """Return biome, weather and light at the feet of the player of world `row`."""
        return conditions_of(self.worlds, row, self.biome(row))

    def in_reach(self, row: int) -> tuple[str, ...]:
        """Return the blocks, creatures and lying items in reach of the player of world `row`, by name."""
        return things_in_reach(self.worlds, row)

    def under_sky(self, row: int) -> bool:
        """Return whether the sky's light reaches the feet of the player of world `row` in full."""
        return self.conditions(row).sees_sky

    def assists(self, row: int) -> tuple[str, ...]:
        """Return the assists of world `row`; "commands" is the last after a command."""
        names = tuple(name for name in ASSISTS.names or () if self.worlds.assists[name][row])
        return (*names, COMMANDED) if self.worlds.rules["commanded"][row] else names

    def command(self, row: int, text: str) -> str:
        """Carry out a chat command of the game in world `row`, between two ticks.

        `commands.grammar.CHAT_COMMANDS` lists the commands.

        Returns:
            The line that the game shows, "" while the game rule sendCommandFeedback is false.

        Raises:
            BadValue, UnknownName: this world cannot carry the command out; nothing has changed.
        """
        self.worlds, line = carry_out_command(self.worlds, row, text)
        if line and self.worlds.rules["messages"][row]:
            add_chat_line(self.worlds, row, line)
        return line

    def events(self, row: int) -> tuple[Event, ...]:
        """Return the events of the latest tick of world `row`."""
        count = self.worlds.players["events"][row]
        if not count:
            return ()
        rows = self.worlds.events[row, :count].tolist()
        return tuple(
            Event(EVENT_NAMES[kind], _subject_names(kind)[subject], number)
            for kind, subject, number in rows
        )

    def close(self) -> None:
        """End the threads and release the arrays; a second call does nothing."""
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
