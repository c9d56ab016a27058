"""Worlds of environments that the caller has, and of MineStudio's simulator in this process."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, ClassVar, Final

from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue, MissingExtra, shown
from optimus_gym.core.situation import PICTURE_SIZE
from optimus_gym.worlds.malmo.client.env_game import EnvGame
from optimus_gym.worlds.malmo.client.finding import find_jar
from optimus_gym.worlds.malmo.client.game_options import MOST_RESTARTS, MOST_SETTLING
from optimus_gym.worlds.malmo.client.game_sources import GivenGames, MadeGames
from optimus_gym.worlds.malmo.client.wire_world import WireWorld
from optimus_gym.worlds.malmo.client.world import ChattingWorld, MineRLWorld
from optimus_gym.worlds.malmo.dialects import MINESTUDIO

STUDIO: Final = "minestudio"
_GIVEN: Final = "env"
"""The name of a world of given environments, in errors."""
_SIMULATOR: Final = "minestudio.simulator"
_CALLBACKS: Final = "minestudio.simulator.callbacks"


class EnvWorld(WireWorld):
    """Environments without chat commands (MineRL 0.4.4, MineRL 1.0) as a world; made by `from_env`."""

    can: ClassVar[frozenset[str]] = frozenset({"keys", "camera", "pictures"})
    options: ClassVar[tuple[str, ...]] = ()


class FunctionalEnvWorld(EnvWorld):
    """Environments of MineRL 0.4.4 that craft, smelt, equip and place by name, as a world."""

    can: ClassVar[frozenset[str]] = EnvWorld.can | {"functions"}


class ChattingEnvWorld(ChattingWorld):
    """Environments with chat commands (MineStudio) as a world; made by `from_env`."""

    can: ClassVar[frozenset[str]] = MineRLWorld.can
    options: ClassVar[tuple[str, ...]] = ()


def from_env(*envs: Any, settle: int = 0, closes: bool = False) -> WireWorld:
    """Return a world of environments with MineRL's `reset` and `step`: MineRL 0.4.4, 1.0 or MineStudio.

    The argument `world` of an environment takes this world. The environments' own missions begin the
    episodes; with MineStudio's chat commands a setup adds biome, inventory, position, time, weather,
    difficulty and assists, without chat commands it may only name a seed.

    Args:
        envs: the environments, one for each row; MineStudio's `MinecraftSim` with `action_type="env"`.
        settle: ticks without keys at the beginning of each episode, 0 to 1,200.
        closes: whether the world's `close` closes the environments.

    Raises:
        BadValue: there is no environment, an object is no such environment, or two differ in their actions.
    """
    if not envs:
        raise BadValue("from_env: expected at least one environment, got none")
    settle = check_count("settle", settle, 0, MOST_SETTLING)
    games = [EnvGame(env, closes) for env in envs]
    dialect = games[0].dialect
    others = [game.dialect.name for game in games if game.dialect is not dialect]
    if others:
        raise BadValue(f"from_env: expected environments of {dialect.name}, got one of {others[0]}")
    kind: type[WireWorld] = ChattingEnvWorld if dialect.chat else EnvWorld
    if games[0].crafts:
        kind = FunctionalEnvWorld
    return kind(
        len(games),
        GivenGames(games),
        dialect,
        _GIVEN,
        settle=settle,
        restarts=MOST_RESTARTS,
        by_mission=False,
    )


class MineStudioWorld(ChattingWorld):
    """MineStudio's simulator (`MinecraftSim`) in this process, which launches its own games.

    Like `MineRLWorld`, but biome and start inventory are set by chat commands, too.

    Args:
        count: the number of worlds.
        view_distance: without effect.
        threads: without effect.
        callbacks: MineStudio's callbacks, passed on in order: the name of a class of
            `minestudio.simulator.callbacks`, or "module:Class", or a mapping of such a name ("name") and the
            class's arguments; or objects, for a world of one row.
        restarts: how often a row whose simulator broke down gets a new one.
        settle: ticks without keys at the beginning of each episode, at least 1.

    Raises:
        MissingExtra: MineStudio is not installed.
        MissingGame: MineStudio's engine is not there.
        BadValue: an option cannot be used.
    """

    can: ClassVar[frozenset[str]] = MineRLWorld.can
    options: ClassVar[tuple[str, ...]] = ("callbacks", "restarts", "settle")

    def __init__(
        self,
        count: int,
        *,
        view_distance: int = 64,
        threads: int | None = None,
        callbacks: Sequence[Any] = (),
        restarts: int = 10,
        settle: int = 20,
    ) -> None:
        restarts = check_count("restarts", restarts, 0, MOST_RESTARTS)
        self._empty = check_count("settle", settle, 1, MOST_SETTLING)
        if isinstance(callbacks, str | Mapping) or not isinstance(callbacks, Sequence):
            raise BadValue(f"callbacks: expected a list of callbacks, got {shown(callbacks)}")
        self._callbacks = tuple(callbacks)
        if count > 1 and any(not isinstance(one, str | Mapping) for one in callbacks):
            raise BadValue("callbacks: expected names or mappings for several rows, got objects")
        try:
            self._simulator = import_module(_SIMULATOR).MinecraftSim
        except ImportError as error:
            raise MissingExtra(f"world {STUDIO!r}", STUDIO) from error
        find_jar(None, None, STUDIO)  # else MineStudio would ask at the terminal
        source = MadeGames(self._made, count)
        super().__init__(count, source, MINESTUDIO, STUDIO, restarts=restarts, by_mission=False)

    def _made(self) -> EnvGame:
        """Return a simulator with callbacks of its own."""
        simulator = self._simulator(
            action_type="env",
            obs_size=PICTURE_SIZE,
            render_size=PICTURE_SIZE,
            num_empty_frames=self._empty,
            callbacks=[_callback(one) for one in self._callbacks],
        )
        return EnvGame(simulator)


def _callback(wanted: Any) -> Any:
    """Return a callback: an object, or the one that a name or a mapping stands for."""
    if not isinstance(wanted, str | Mapping):
        return wanted
    options = {} if isinstance(wanted, str) else dict(wanted)
    name = wanted if isinstance(wanted, str) else options.pop("name", None)
    module, _, attribute = name.rpartition(":") if isinstance(name, str) else ("", "", "")
    if not attribute:
        raise BadValue(f"callbacks: expected a class's name, got {shown(wanted)}")
    try:
        maker = getattr(import_module(module or _CALLBACKS), attribute)
        return maker(**options)
    except (ImportError, AttributeError, TypeError) as error:
        raise BadValue(f"callbacks: {shown(wanted)} cannot be made: {error}") from error
