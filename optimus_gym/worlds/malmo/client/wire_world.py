"""Games of the wire behind the `World` protocol: what all worlds of the real game share."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import camera_turns
from optimus_gym.core.errors import BadValue, WorldFailed
from optimus_gym.core.interfaces import Rows
from optimus_gym.core.situation import PICTURE_SIZE
from optimus_gym.core.types import Event, Setup
from optimus_gym.core.world_powers import Surroundings
from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.protocols import COMMANDED
from optimus_gym.worlds.malmo.client.game_sources import GameSource
from optimus_gym.worlds.malmo.client.game_starts import plan_start
from optimus_gym.worlds.malmo.client.happenings import events_between, has_died
from optimus_gym.worlds.malmo.client.key_strokes import CLOSE_SCREEN, strokes
from optimus_gym.worlds.malmo.client.near_reports import surroundings_in
from optimus_gym.worlds.malmo.client.player_answers import (
    body_in,
    counts_in,
    pose_in,
    resized,
    told_biome,
)
from optimus_gym.worlds.malmo.client.station_memory import StationMemory
from optimus_gym.worlds.malmo.dialects import Dialect
from optimus_gym.worlds.malmo.framing import WireFault
from optimus_gym.worlds.malmo.games import Game, WireMoment
from optimus_gym.worlds.malmo.reports import Report
from optimus_gym.worlds.malmo.wire_actions import NO_BOX, WireAction, WireBox

BREAKDOWNS: Final = (WireFault, OSError)
"""Errors of a game that has broken down; a TimeoutError is an OSError."""
_LOOK: Final[WireBox] = (-5, 5, -4, 7, -5, 5)
"""The box in which stations are looked for: all that a player reaches."""
_SMALLEST: Final[WireBox] = (0, 0, 0, 1, 0, 0)
"""The box that stands for the player's block alone: that block's own box asks for nothing."""


def _nothing_seen() -> WireMoment:
    return WireMoment(np.zeros((*PICTURE_SIZE[::-1], 3), np.uint8), Report())


@dataclass(slots=True)
class GamePlayer:
    """A row's game and what it told last."""

    game: Game | None = None
    moment: WireMoment = field(default_factory=_nothing_seen)
    setup: Setup = field(default_factory=lambda: Setup(0))
    is_dead: bool = False
    is_waiting: bool = False
    """Whether a tick has been sent whose outcome was never read."""
    events: tuple[Event, ...] = ()
    is_commanded: bool = False
    asked: WireBox | None = None
    """The box that the next tick reports to the caller."""
    sent: WireBox | None = None
    """The box that the running tick reports to the caller or to `stations`."""
    near: Surroundings | None = None
    stations: StationMemory = field(default_factory=StationMemory)


class WireWorld:
    """N players, each in a game of its own.

    The actions of all rows are sent before the first answer is read, so that the games work at the same time.
    A dead player's game stands still until a reset or a respawn. A row whose game breaks down or times out
    fails until its next reset, which takes a new game from the source.

    Args:
        count: the number of worlds.
        source: gives each row its game.
        dialect: the games' dialect.
        name: the world's name, for errors.
        restarts: how often a row may take a new game.
        settle: ticks without keys at the beginning of each episode.
        size: width and height of the games' pictures, pixels.
        by_mission: whether the games read missions; else chat commands set up episodes.
    """

    biomes: ClassVar[tuple[str, ...]] = BIOMES

    def __init__(
        self,
        count: int,
        source: GameSource,
        dialect: Dialect,
        name: str,
        *,
        restarts: int = 0,
        settle: int = 0,
        size: tuple[int, int] = PICTURE_SIZE,
        by_mission: bool = True,
    ) -> None:
        self.count = count
        self._source = source
        self._dialect = dialect
        self._name = name
        self._left = [restarts] * count
        self._settle = settle
        self._size = size
        self._by_mission = by_mission
        self._players = [GamePlayer() for _ in range(count)]
        self._failures = [""] * count

    def reset(self, row: int, setup: Setup) -> None:
        """Begin an episode in world `row`; this takes seconds, and minutes if a game must be launched.

        Raises:
            UnknownName: there is no such biome, item, assist, difficulty or weather.
            BadValue: the inventory does not fit into 36 slots, or the game does not take an assist.
            WorldFailed: the game broke down, or the row has used up its restarts.
        """
        start = plan_start(setup, self._dialect, self._name, self._size, self._by_mission)
        try:
            game = self._working_game(row)
            player = GamePlayer(game, game.begin(start.mission, setup.seed), setup)
            player.is_dead = has_died(player.moment.report, player.moment.report)
            self._players[row], self._failures[row] = player, ""
            for text in (*[""] * self._settle, *start.commands):
                self._step(row, WireAction(chat=text))
        except BREAKDOWNS as error:
            self._fail(row, error)
            raise WorldFailed({row: self._failures[row]}) from error
        player.events, player.is_dead = (), player.is_dead or player.moment.done

    def _working_game(self, row: int) -> Game:
        """Return the game of `row`; a new one after a breakdown.

        Raises:
            WireFault, TimeoutError: there is none.
        """
        if self._failures[row]:
            if self._left[row] == 0:
                raise WireFault(f"{self._failures[row]}; all restarts are used up")
            self._left[row] -= 1
        return self._source.game(row)

    def _fail(self, row: int, error: BaseException) -> None:
        """Note why the game of `row` broke down, and give the game up."""
        self._failures[row] = f"{error}{self._source.last_words(row)}"
        self._players[row].is_waiting = False
        self._source.drop(row)

    def tick(
        self, rows: Rows, actions: NDArray[np.int32], turns: NDArray[np.float64] | None = None
    ) -> None:
        """Advance the worlds `rows` by one tick.

        While a screen is open that the setup does not allow, a tick closes the screen and does nothing else.

        Args:
            rows: the worlds that tick.
            actions: int32[n, 15], laid out as in `core.actions`.
            turns: float64[n, 2], turns of pitch and yaw in degrees, -180 to 180 each, in place of the
                camera bins of `actions`; None: the turns of these bins.

        Raises:
            BadValue: a row has never begun an episode.
            WorldFailed: some of the games broke down, now or before.
        """
        angles = camera_turns(actions) if turns is None else np.asarray(turns, np.float64)
        for row in rows:
            if self._players[row].game is None and not self._failures[row]:
                raise BadValue(f"tick: expected a reset of world {row} before, got none")
        sent = []
        for row, action, turn in zip(rows, actions.tolist(), angles.tolist(), strict=True):
            player = self._players[row]
            player.events, player.near = (), None
            if self._failures[row] or player.is_dead:
                continue
            try:
                self._send(player, self._action(player, action, turn))
                sent.append(int(row))
            except BREAKDOWNS as error:
                self._fail(int(row), error)
        for row in sent:
            try:
                self._receive(self._players[row])
            except BREAKDOWNS as error:
                self._fail(row, error)
        failed = {int(row): self._failures[row] for row in rows if self._failures[row]}
        if failed:
            raise WorldFailed(failed)

    def _action(self, player: GamePlayer, action: list[int], turn: list[float]) -> WireAction:
        """Return the action of a tick, with the box of blocks that somebody wants to know."""
        screens = player.setup.screens or not self._dialect.slots
        if player.moment.report.screen_open and not screens:
            return CLOSE_SCREEN
        box = NO_BOX
        if self._dialect.near:
            if player.asked is not None:
                box = player.asked if player.asked != NO_BOX else _SMALLEST
            elif player.stations.is_unsure:
                box = _LOOK
        player.sent = None if box == NO_BOX else box
        return strokes(action, turn, screens, voxels=box, mobs=box if player.asked else NO_BOX)

    def _send(self, player: GamePlayer, action: WireAction) -> None:
        assert player.game is not None, "a reset gave the player a game"
        if player.is_waiting:
            raise WireFault("expected a tick after a whole one, got one after an interrupted one")
        player.is_waiting = True
        player.game.send(action)

    def _receive(self, player: GamePlayer) -> None:
        """Read the outcome of a tick."""
        assert player.game is not None, "something was sent"
        before, player.moment = player.moment, player.game.receive()
        player.is_waiting = False
        report = player.moment.report
        died = has_died(before.report, report) or player.moment.done
        player.events = events_between(before.report, report, died)
        player.is_dead = player.is_dead or died
        self._note_near(player, report)
        player.stations.note_events(player.events, pose_in(report.location))

    def _note_near(self, player: GamePlayer, report: Report) -> None:
        """Note the blocks and creatures that a tick reported."""
        box, player.sent = player.sent, None
        if box is None:
            return
        told = None if report.voxels is None else surroundings_in(report, box)
        if told is not None:
            player.stations.note_blocks(told)
        player.stations.is_unsure = False
        asked, player.asked = player.asked, None
        if asked == NO_BOX and told is not None:
            told = Surroundings(told.corner, told.blocks[:1, :1, :1], told.creatures)
        player.near = told if asked is not None else None

    def _step(self, row: int, action: WireAction) -> None:
        """Advance the world of `row` alone by one tick.

        Raises:
            WireFault, TimeoutError: the game broke down.
        """
        player = self._players[row]
        self._send(player, action)
        self._receive(player)

    def _told(self, rows: Rows) -> Iterator[Report]:
        for row in rows:
            yield self._players[row].moment.report

    def frames(self, rows: Rows, images: NDArray[np.uint8]) -> None:
        """Fill `images` (uint8[n, H, W, 3]) with the latest pictures, squeezed as VPT does."""
        for image, row in zip(images, rows, strict=True):
            image[...] = resized(self._players[row].moment.picture, *image.shape[:2])

    def counts(self, rows: Rows) -> NDArray[np.int32]:
        """Return the number of held pieces of each item (int32[n, 976], by item id), a new array."""
        counts = np.zeros((len(rows), self._items), np.int32)
        for held, report in zip(counts, self._told(rows), strict=True):
            held[:] = counts_in(report, self._dialect.slots)
        return counts

    _items: ClassVar[int] = len(counts_in(Report(), slots=True))

    def bodies(self, rows: Rows) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the players' equipment and vitals, new arrays.

        Returns:
            item ids of hand, off-hand, feet, legs, chest and head (int32[n, 6]), and health, food,
            saturation, air, armour points and level (float32[n, 6]).
        """
        equipment = np.zeros((len(rows), 6), np.int32)
        vitals = np.zeros((len(rows), 6), np.float32)
        for k, report in enumerate(self._told(rows)):
            equipment[k], vitals[k] = body_in(report, counts_in(report, self._dialect.slots))
        return equipment, vitals

    def poses(self, rows: Rows) -> NDArray[np.float64]:
        """Return x, y, z of the feet, yaw and pitch (float64[n, 5], blocks and degrees), a new array."""
        poses = [pose_in(report.location) for report in self._told(rows)]
        return np.array(poses, np.float64).reshape(-1, 5)

    def alive(self, rows: Rows) -> NDArray[np.bool_]:
        """Return whether the players of `rows` have not died since their reset or respawn (bool[n])."""
        return np.array([not self._players[row].is_dead for row in rows], np.bool_)

    def biome(self, row: int) -> str | None:
        """Return the name of the biome that the player of world `row` is in, None if the game tells none."""
        return told_biome(self._players[row].moment.report.location)

    def stations(self, row: int) -> tuple[str, ...]:
        """Return the stations in reach that the player has placed, or that surroundings have shown.

        The game tells no stations: others, as in villages, are unknown (`client.station_memory`).
        """
        player = self._players[row]
        return player.stations.in_reach(pose_in(player.moment.report.location))

    def assists(self, row: int) -> tuple[str, ...]:
        """Return the assists of world `row`; "commands" is the last after a command."""
        player = self._players[row]
        return (*player.setup.assists, *((COMMANDED,) if player.is_commanded else ()))

    def events(self, row: int) -> tuple[Event, ...]:
        """Return the events of the latest tick of world `row` (`client.happenings`)."""
        return self._players[row].events

    def close(self) -> None:
        """End the launched games, and the connections to others; a second call does nothing."""
        self._source.close()
