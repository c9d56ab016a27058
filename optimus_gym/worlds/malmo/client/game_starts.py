"""The start of an episode in the game: a setup as a mission and chat commands, or the reason why not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue
from optimus_gym.core.situation import PICTURE_SIZE
from optimus_gym.core.types import Setup
from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.conditions import check_setup
from optimus_gym.game.creatures import difficulty_number
from optimus_gym.game.items import items
from optimus_gym.game.protocols import assists
from optimus_gym.worlds.malmo.dialects import Dialect
from optimus_gym.worlds.malmo.missions import CHAT_HANDLER, Mission, Placement, StartStack

GAME_BIOMES: Final[Mapping[str, str]] = {"snowy_plains": "snowy_tundra"}
"""Names of biomes in Minecraft 1.16.5, where they differ from `game.biomes.BIOMES`."""
GAME_DIFFICULTY: Final = "hard"
"""Difficulty of the game that MineRL 1.0 and MineStudio launch, unless a command changes it."""
WITH_CHAT: Final = ("keep_inventory", "peaceful", "always_day", "night_vision", "starting_axe")
"""Assists that the game takes if it takes chat commands."""
WITHOUT_CHAT: Final = ("starting_axe",)
"""Assists that the game takes in a mission."""
_HANDLERS: Final = frozenset(
    {
        "FileBasedPerformanceProducer",
        "PauseCommand",
        "ObservationFromFullInventory",
        "ObservationFromEquippedItem",
        "ObservationFromFullStats",
        "HumanLevelCommands",
        "CameraCommands",
        "IsGuiOpen",
    }
)
"""Elements of the missions of MineRL 1.0 and MineStudio that say what the player sees and does."""
_AXE: Final = "iron_axe"
_FOREVER: Final = 1_000_000
"""Seconds of an effect that shall not end; the game takes no more (Minecraft Wiki, "Effect")."""
_QUIET: Final = "/gamerule sendCommandFeedback false"


@dataclass(frozen=True, slots=True)
class GameStart:
    """How an episode begins in the game: a mission, then chat commands, one a tick."""

    mission: Mission
    commands: tuple[str, ...] = ()


def plan_start(
    setup: Setup,
    dialect: Dialect,
    world: str,
    size: tuple[int, int] = PICTURE_SIZE,
    by_mission: bool = True,
) -> GameStart:
    """Return how an episode begins in a game.

    The first command hides the game's answers to the other commands from the pictures.

    Args:
        setup: the start of the episode.
        dialect: the game's dialect.
        world: the world's name, for errors.
        size: width and height of the game's picture, pixels.
        by_mission: whether the game reads the mission; else commands do what the mission would.

    Raises:
        UnknownName: there is no such biome, item, assist, difficulty or weather.
        BadValue: the inventory does not fit, or the game cannot do what the setup asks for.
    """
    check_setup(setup, BIOMES)
    for name in setup.assists:
        check_name("assist", name, assists())
    if setup.difficulty is not None:
        difficulty_number(setup.difficulty)
    _check_assists(setup, dialect, world)
    inventory = dict(setup.inventory)
    if "starting_axe" in setup.assists:
        inventory.setdefault(_AXE, 1)
    stacks = _stacks(inventory)
    commands = tuple(_commands(setup)) if dialect.chat else ()
    if not by_mission:
        given = _without_mission(setup, stacks, dialect, world)
        return GameStart(Mission(), (*commands[:1], *given, *commands[1:]))
    return GameStart(_mission(setup, stacks, dialect, size), commands)


def _check_assists(setup: Setup, dialect: Dialect, world: str) -> None:
    """Reject assists that the game does not take."""
    able = WITH_CHAT if dialect.chat else WITHOUT_CHAT
    unable = [name for name in setup.assists if name not in able]
    if unable:
        raise BadValue(
            f"assists: expected some of {', '.join(able)} in the world {world!r}, got {', '.join(unable)}"
        )


def _stacks(inventory: Mapping[str, int]) -> tuple[StartStack, ...]:
    """Return the stacks that hold an inventory, from the first slot on."""
    made: list[StartStack] = []
    for name, count in inventory.items():
        size = items()[name].stack_size
        for first in range(0, count, size):
            made.append(StartStack(len(made), name, min(size, count - first)))
    return tuple(made)


def _mission(
    setup: Setup, stacks: tuple[StartStack, ...], dialect: Dialect, size: tuple[int, int]
) -> Mission:
    """Return the mission, as the dialect's client sends it, and with more of the setup.

    Commands repeat what the game may overlook.
    """
    place = None if setup.position is None else Placement(*setup.position)
    return Mission(
        width=size[0],
        height=size[1],
        time=setup.time or None,
        weather=None if setup.weather == "clear" else setup.weather,
        creatures=setup.creatures,
        land_options="{}",
        gui_scale=1.0,
        gamma=2.0,
        fov=70.0,
        cursor_size=16,
        low_level=True,
        inventory=stacks,
        biome=None if setup.biome is None else GAME_BIOMES.get(setup.biome, setup.biome),
        placement=place,
        handlers=_HANDLERS | {CHAT_HANDLER} if dialect.chat else _HANDLERS,
    )


def _commands(setup: Setup) -> Iterator[str]:
    """Yield the chat commands of a setup, in order."""
    yield _QUIET
    yield "/gamerule doImmediateRespawn true"
    if setup.position is not None:
        yield "/tp @s " + " ".join(_number(axis) for axis in setup.position)
    if not setup.creatures:
        yield "/gamerule doMobSpawning false"
    difficulty = "peaceful" if "peaceful" in setup.assists else setup.difficulty
    if difficulty is not None:
        yield f"/difficulty {difficulty}"
    if "always_day" in setup.assists:
        yield "/gamerule doDaylightCycle false"
    if setup.time or "always_day" in setup.assists:
        yield f"/time set {setup.time}"
    if setup.weather != "clear":
        yield f"/weather {setup.weather}"
    if "keep_inventory" in setup.assists:
        yield "/gamerule keepInventory true"
    if "night_vision" in setup.assists:
        yield f"/effect give @s minecraft:night_vision {_FOREVER} 0 true"


def _number(value: float) -> str:
    """Return a number without an exponent, which commands do not take; whole ones keep their `.0`."""
    return str(np.format_float_positional(value, trim="0"))


def _without_mission(
    setup: Setup, stacks: tuple[StartStack, ...], dialect: Dialect, world: str
) -> Iterator[str]:
    """Yield the commands that do what a mission does.

    Raises:
        BadValue: the setup needs a mission, and the game takes no commands.
    """
    if not dialect.chat:
        asked = {
            "biome": setup.biome is not None,
            "position": setup.position is not None,
            "inventory": bool(stacks),
            "time": setup.time != 0,
            "weather": setup.weather != "clear",
        }
        if any(asked.values()):
            named = ", ".join(name for name, is_asked in asked.items() if is_asked)
            raise BadValue(
                f"setup: expected an episode that begins as the environment begins it, since the world "
                f"{world!r} takes no chat commands; got a {named}"
            )
        return
    if setup.biome is not None:
        yield f"/teleportbiome @a {GAME_BIOMES.get(setup.biome, setup.biome)} 0 ~0 0"
    for stack in stacks:
        place = f"hotbar.{stack.slot}" if stack.slot < 9 else f"inventory.{stack.slot - 9}"
        yield f"/replaceitem entity @s {place} minecraft:{stack.item} {stack.count}"
