"""The options of worlds that play the game over the wire."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.situation import PICTURE_SIZE
from optimus_gym.worlds.malmo.client.finding import display_words, find_jar, find_java
from optimus_gym.worlds.malmo.client.game_sources import (
    GameSource,
    LaunchedGames,
    RunningGames,
    check_seconds,
    read_addresses,
)
from optimus_gym.worlds.malmo.client.launching import LaunchPlan, launch_command
from optimus_gym.worlds.malmo.dialects import Dialect

STARTING_SECONDS: Final = 300.0
"""Seconds until a launched game must be ready, unless `timeout` says otherwise."""
MOST_RESTARTS: Final = 1_000_000
MOST_SETTLING: Final = 1_200
MOST_GAME_SIDE: Final = 4_096
_MEMORY: Final = re.compile(r"[1-9][0-9]{0,5}[KMGkmg]")
_LAUNCHING: Final = ("jar", "home", "java", "memory", "headless")
"""Options that say how games are launched."""


@dataclass(frozen=True)
class GameOptions:
    """Where the games of a world come from, and how long to wait for them."""

    jar: Any = None
    """The game's jar; None: that of `home`."""
    home: Any = None
    """The folder of MineRL 1.0 or MineStudio with the game; None: that of the installed package."""
    address: Any = None
    """"host:port" of a running game in place of a launched one, "host:first-last", or several such texts: an
    address for each row, or one for all rows if its server gives each connection a world, as
    `optimus-gym serve` does."""
    java: Any = None
    """The program of Java; None: that of JAVA_HOME, or the first on PATH."""
    memory: Any = "2G"
    """The game's largest heap, as Java's -Xmx takes it."""
    headless: Any = None
    """Whether a launched game gets a display of its own by `xvfb-run`; None: if there is none on Linux."""
    restarts: Any = 10
    """How often a row whose game broke down or timed out gets a new game; 0: never."""
    timeout: Any = None
    """Seconds to wait for an answer of the game, and for its start; None: as the dialect's client waits, and
    300 s for the start. A game that is busy at a reset has five times as long."""
    settle: Any = 20
    """Ticks without keys at the beginning of each episode, until the land around the player is there
    (MineStudio 1.1.6: 20)."""
    picture_size: Any = PICTURE_SIZE
    """Width and height of the game's picture, pixels. Frames of this size need no squeezing. The mouse needs
    640x360: the places of the game's screens are pixels of such a picture."""

    def __post_init__(self) -> None:
        check_count("restarts", self.restarts, 0, MOST_RESTARTS)
        check_count("settle", self.settle, 0, MOST_SETTLING)
        check_seconds("timeout", self.timeout, 0.0)
        object.__setattr__(self, "picture_size", _check_size(self.picture_size))
        if not isinstance(self.memory, str) or not _MEMORY.fullmatch(self.memory):
            raise BadValue(f'memory: expected a text like "2G" or "800M", got {shown(self.memory)}')
        if not isinstance(self.headless, bool | None):
            raise BadValue(f"headless: expected True, False or None, got {shown(self.headless)}")
        if self.address is None:
            return
        for name in _LAUNCHING:
            if getattr(self, name) != getattr(GameOptions, name):
                raise BadValue(
                    f"{name}: expected no such option together with address, got "
                    f"{shown(getattr(self, name))}"
                )

    def source(self, count: int, dialect: Dialect, package: str) -> GameSource:
        """Return the source of a world's games; nothing is launched yet.

        Args:
            count: the number of rows.
            dialect: the games' dialect.
            package: the installed package whose game is launched.

        Raises:
            BadValue: an option cannot be used.
            MissingGame: the game or a program that it needs is not installed.
        """
        seconds = check_seconds("timeout", self.timeout, dialect.seconds)
        if self.address is not None:
            return RunningGames(read_addresses(self.address, count), count, dialect, seconds)
        jar = find_jar(self.jar, self.home, package)
        command = launch_command(
            display_words(self.headless), find_java(self.java), self.memory, jar
        )
        starting = check_seconds("timeout", self.timeout, STARTING_SECONDS)
        return LaunchedGames(
            LaunchPlan(command, starting, _runtime_of(jar)), count, dialect, seconds
        )


def _check_size(value: object) -> tuple[int, int]:
    """Return a width and a height of 1 to 4096 pixels."""
    if isinstance(value, list | tuple) and len(value) == 2:
        width, height = (check_count("picture_size", side, 1, MOST_GAME_SIDE) for side in value)
        return width, height
    raise BadValue(f"picture_size: expected a width and a height, got {shown(value)}")


def _runtime_of(jar: Path) -> Path | None:
    """Return MineStudio's folder `runtime`, next to its folder `engine`; None if there is none."""
    folder = jar.parents[min(3, len(jar.parents) - 1)] / "runtime"
    return folder if folder.is_dir() else None
