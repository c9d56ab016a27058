"""Missions: what a client asks of the game at a reset (`mission_xml` writes and reads them)."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from optimus_gym.worlds.malmo.dialects import MINERL_0_4, MINERL_1_0, MINESTUDIO, Dialect

LandKind: TypeAlias = Literal["default", "flat", "biome", "file"]
CHAT_HANDLER: Final = "ChatCommands"
"""Element of missions that only MineStudio sends."""


@dataclass(frozen=True, slots=True)
class StartStack:
    """A stack that the player has at the start: slot (0 to 8: hotbar), item, pieces, 1.11's variant."""

    slot: int
    item: str
    count: int = 1
    metadata: int = 0


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the player begins: x, y, z of the feet in blocks, yaw and pitch in degrees."""

    x: float
    y: float
    z: float
    yaw: float = 0.0
    pitch: float = 0.0


@dataclass(frozen=True, slots=True)
class ItemGoal:
    """An item and a number of its pieces, with the reward for them; a goal that only ends a mission has 0."""

    item: str
    count: int = 1
    reward: float = 0.0


@dataclass(frozen=True, slots=True)
class BlockGoal:
    """The reward for touching a block, once or in every tick."""

    block: str
    reward: float
    once: bool = True


@dataclass(frozen=True, slots=True)
class Navigation:
    """A block to be found, and the compass that points near it (MineRL 0.4.4, `NavigationDecorator`).

    Attributes:
        block: the block.
        least_radius, most_radius: distance of the compass's target from the start, blocks.
        least_distance, most_distance: distance of the block from the compass's target, blocks.
        random_compass: whether the compass's target has that distance; else it is the block itself.
    """

    block: str
    least_radius: int
    most_radius: int
    least_distance: int = 0
    most_distance: int = 0
    random_compass: bool = False


@dataclass(frozen=True, slots=True)
class Mission:
    """An episode as a client asks for it.

    Attributes:
        name: the environment's name in the client ("MineRLTreechop-v0").
        width, height: size of the picture, pixels.
        depth: whether the picture has a fourth channel.
        seed: the land's seed in the mission; the seed in the token goes before it.
        time: time of day at the start, ticks; None leaves it to the game.
        time_passes: whether the time of day goes on.
        weather: "clear", "rain", "thunder", or None.
        creatures: whether creatures spawn.
        land: the kind of land; `land_options` tells more.
        land_options: options of the land's generator, the biome's number, or the file's name.
        seconds: length of the episode in seconds of game time, or None.
        gui_scale, gamma, fov, cursor_size: settings of the client's screen, or None.
        low_level: whether the player's keys are those of the keyboard (MineRL 1.0 and later).
        inventory: stacks at the start.
        biome: name of the biome to begin in, or None.
        world_file: a saved world to begin in, or None.
        in_village: whether the player begins in a village.
        ends_at_death: whether the episode ends when the player dies.
        placement: where the player begins, or None.
        health: health at the start, half-hearts, or None.
        food: food at the start, or None.
        handlers: names of the elements of the agent's handlers that have no fields of their own here.
        possessions: rewards for holding items.
        once: whether each of `possessions` counts once; else each piece counts.
        touched: rewards for touching blocks.
        compass_reward: reward for each block that the player comes nearer to the compass's target.
        ends_with: items that end the episode when they are held.
        ends_crafting: items that end the episode when they are crafted.
        ends_touching: blocks that end the episode when they are touched.
        navigation: the block to be found, or None.
    """

    name: str = "MineRLHumanSurvival-v0"
    width: int = 640
    height: int = 360
    depth: bool = False
    seed: int | None = None
    time: int | None = None
    time_passes: bool = True
    weather: str | None = None
    creatures: bool = True
    land: LandKind = "default"
    land_options: str = ""
    seconds: float | None = None
    gui_scale: float | None = None
    gamma: float | None = None
    fov: float | None = None
    cursor_size: int | None = None
    low_level: bool = False
    inventory: tuple[StartStack, ...] = ()
    biome: str | None = None
    world_file: str | None = None
    in_village: bool = False
    ends_at_death: bool = False
    placement: Placement | None = None
    health: float | None = None
    food: int | None = None
    handlers: frozenset[str] = frozenset()
    possessions: tuple[ItemGoal, ...] = ()
    once: bool = True
    touched: tuple[BlockGoal, ...] = ()
    compass_reward: float | None = None
    ends_with: tuple[ItemGoal, ...] = ()
    ends_crafting: tuple[ItemGoal, ...] = ()
    ends_touching: tuple[str, ...] = ()
    navigation: Navigation | None = None


def dialect_of(mission: Mission) -> Dialect:
    """Return the dialect of the client that sent a mission.

    Only MineStudio asks for chat, and MineRL 0.4.4 has no settings of the screen.

    >>> dialect_of(Mission(gui_scale=1.0)).name, dialect_of(Mission()).name
    ('minerl-1.0', 'minerl-0.4.4')
    """
    if CHAT_HANDLER in mission.handlers:
        return MINESTUDIO
    return MINERL_0_4 if mission.gui_scale is None else MINERL_1_0
