"""The real game, Minecraft 1.16.5, as a world: the games of MineStudio and of MineRL 1.0 over their wire."""

from dataclasses import fields
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.core.interfaces import Rows
from optimus_gym.core.world_powers import (
    UNKNOWN_SCREEN,
    Conditions,
    Reach,
    Surroundings,
    check_reach,
)
from optimus_gym.worlds.malmo.client.chat_checks import check_chat
from optimus_gym.worlds.malmo.client.game_options import GameOptions
from optimus_gym.worlds.malmo.client.happenings import merged
from optimus_gym.worlds.malmo.client.player_answers import pockets_in, told_biome
from optimus_gym.worlds.malmo.client.wire_world import BREAKDOWNS, WireWorld
from optimus_gym.worlds.malmo.dialects import MINERL_1_0, MINESTUDIO
from optimus_gym.worlds.malmo.framing import WireFault
from optimus_gym.worlds.malmo.wire_actions import WireAction

RESPAWN_TICKS: Final = 100
"""Ticks within which the game must have revived a dead player (game rule doImmediateRespawn)."""


class ChattingWorld(WireWorld):
    """A `WireWorld` of games that take chat commands and tell slots, blocks and creatures."""

    def respawn(self, row: int) -> None:
        """Let the dead player of world `row` go on at its spawn point, which the game does by itself.

        If the game does not revive the player within `RESPAWN_TICKS` ticks, the row fails in its next tick.

        Raises:
            BadValue: the player lives.
        """
        player = self._players[row]
        if not player.is_dead:
            raise BadValue(f"respawn: expected a dead player in world {row}, got a living one")
        if self._failures[row]:
            return
        kept = player.events
        try:
            for _ in range(RESPAWN_TICKS):
                life = player.moment.report.life
                if life.alive and life.health > 0 and not player.moment.done:
                    player.is_dead = False
                    break
                self._step(row, WireAction())
            else:
                raise WireFault(f"expected a revived player within {RESPAWN_TICKS} ticks")
        except BREAKDOWNS as error:
            self._fail(row, error)
        player.events = kept

    def screens(self, rows: Rows) -> NDArray[np.int32]:
        """Return 0 for each player without an open screen, else `UNKNOWN_SCREEN` (int32[n])."""
        codes = [UNKNOWN_SCREEN if report.screen_open else 0 for report in self._told(rows)]
        return np.array(codes, np.int32)

    def pockets(self, rows: Rows) -> NDArray[np.int32]:
        """Return the players' inventories by slot (int32[n, 36, 2]): item id and pieces, the hotbar first."""
        pockets = [pockets_in(report) for report in self._told(rows)]
        return np.array(pockets, np.int32).reshape(-1, 36, 2)

    def command(self, row: int, text: str) -> str:
        """Carry out a chat command in world `row`; this takes a tick of the game, in which no key is pressed.

        The game shows its answer, and whether it refuses the command, in its picture alone; the start of an
        episode has hidden such answers by the game rule sendCommandFeedback. If the game breaks down, the
        row fails in its next tick.

        Returns:
            "", as the answer is unknown.

        Raises:
            BadValue, UnknownName: the text is no command of the game; nothing has changed.
        """
        line = check_chat(text)
        player = self._players[row]
        player.is_commanded = True
        before = player.events
        if not self._failures[row]:
            try:
                self._step(row, WireAction(chat=line))
            except BREAKDOWNS as error:
                self._fail(row, error)
            player.events = merged(before, player.events)
        return ""

    def ask_surroundings(self, row: int, reach: Reach) -> None:
        """Let the next tick of world `row` report a box; a second call before that tick replaces the first.

        Raises:
            BadValue: `reach` is no box within 50 blocks of the player.
        """
        self._players[row].asked = check_reach(reach)

    def surroundings(self, row: int) -> Surroundings | None:
        """Return what the latest tick of world `row` reported; None if nothing was asked, or told."""
        return self._players[row].near

    def conditions(self, row: int) -> Conditions:
        """Return biome, weather and light at the feet of the player of world `row`."""
        place = self._players[row].moment.report.location
        return Conditions(
            told_biome(place), place.sees_sky, place.rains, place.light, place.sky_light, place.sun
        )


class MineRLWorld(ChattingWorld):
    """The game with MineStudio's engine, which tells slots, blocks and creatures, and takes chat commands.

    Each row is a game of its own: launched at the first reset, or running at an address. Setups become a
    mission and chat commands. Seed, biome, start inventory, time, weather, position and difficulty are kept;
    without creatures none spawn, but land has animals. The difficulty is "hard" unless the setup names one,
    and hunger is always on. The game takes the assists keep_inventory, peaceful, always_day, night_vision
    and starting_axe; others are refused. Pictures always show the game's messages. Stations are known if the
    player placed them or surroundings showed them. Which screen is open is unknown. The docstrings of
    `client.happenings` and `client.game_starts` say more.

    Args:
        count: the number of worlds.
        view_distance: without effect: the game draws as far as its own settings say.
        threads: without effect.
        options: the fields of `client.game_options.GameOptions`.

    Raises:
        BadValue: an option cannot be used.
        MissingGame: the game, Java or xvfb-run is not installed.
    """

    can: ClassVar[frozenset[str]] = frozenset(
        {"keys", "camera", "mouse", "pictures", "commands", "surroundings", "respawn"}
    )
    options: ClassVar[tuple[str, ...]] = tuple(entry.name for entry in fields(GameOptions))

    def __init__(
        self, count: int, *, view_distance: int = 64, threads: int | None = None, **options: Any
    ) -> None:
        chosen = GameOptions(**options)
        source = chosen.source(count, MINESTUDIO, "minestudio")
        super().__init__(
            count,
            source,
            MINESTUDIO,
            "minerl",
            restarts=chosen.restarts,
            settle=chosen.settle,
            size=chosen.picture_size,
        )


class MineRL1World(WireWorld):
    """The game with the engine of MineRL 1.0, which tells no slots and takes no chat commands.

    Like `MineRLWorld`, with these differences: the setup is a mission alone, in which the game may overlook
    time, weather, position and creatures; the difficulty is always "hard"; the game takes the assist
    starting_axe alone; screens open whatever the setup says.

    Args:
        count: the number of worlds.
        view_distance: without effect.
        threads: without effect.
        options: the fields of `client.game_options.GameOptions`.

    Raises:
        BadValue: an option cannot be used.
        MissingGame: the game, Java or xvfb-run is not installed.
    """

    can: ClassVar[frozenset[str]] = frozenset({"keys", "camera", "pictures"})
    options: ClassVar[tuple[str, ...]] = MineRLWorld.options

    def __init__(
        self, count: int, *, view_distance: int = 64, threads: int | None = None, **options: Any
    ) -> None:
        chosen = GameOptions(**options)
        source = chosen.source(count, MINERL_1_0, "minerl")
        super().__init__(
            count,
            source,
            MINERL_1_0,
            "minerl-1.0",
            restarts=chosen.restarts,
            settle=chosen.settle,
            size=chosen.picture_size,
        )
