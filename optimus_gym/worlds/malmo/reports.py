"""Reports of the game on a player, one with each picture (`report_json` writes and reads reports)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeAlias

EQUIPMENT: Final = ("mainhand", "offhand", "feet", "legs", "chest", "head")
"""Names of held and worn stacks, in the order of `core.interfaces.World.bodies`."""
STATISTICS: Final = (
    *("use_item", "drop", "pickup", "break_item", "craft_item", "mine_block", "kill_entity"),
    *("entity_killed_by", "damage_dealt", "custom"),
)
"""Groups of the game's statistics, which count from the episode's beginning."""
AIR_NAME: Final = "air"
OWN_SLOTS: Final = 36
"""Slots of hotbar and inventory; a game's slots behind them hold what is worn (`Report.worn`)."""
Statistics: TypeAlias = Mapping[str, Mapping[str, int]]
"""For each of `STATISTICS`, counts by name; groups and names without a count may be missing."""


@dataclass(frozen=True, slots=True)
class WireStack:
    """A stack: slot (0 to 35; 0 to 8: hotbar), item, pieces, and 1.11's metadata."""

    slot: int
    item: str
    count: int
    metadata: int = 0


@dataclass(frozen=True, slots=True)
class Worn:
    """A stack that is held or worn: item, uses so far and most uses (0 for items that never wear out)."""

    item: str = AIR_NAME
    damage: int = 0
    most_damage: int = 0
    metadata: int = 0


@dataclass(frozen=True, slots=True)
class PlayerLife:
    """The player's vitals in the game's units."""

    health: float = 20.0
    food: int = 20
    saturation: float = 5.0
    air: int = 300
    experience: int = 0
    score: int = 0
    alive: bool = True


@dataclass(frozen=True, slots=True)
class Location:
    """Where the player stands and what is there.

    Attributes:
        x, y, z: position of the feet, blocks.
        yaw: degrees, 0 = south, growing to the right.
        pitch: degrees, positive downwards.
        biome_id: number of the biome in Minecraft 1.16.5.
        rainfall, temperature: of the biome.
        sees_sky: whether the sky is above the player.
        rains: whether it rains.
        light: light level, 0 to 15.
        sky_light: the sky's part of the light, 0 to 1.
        sun: brightness of the sun, 0 to 1.
        sea_level: height of the sea, blocks.
    """

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    yaw: float = 0.0
    pitch: float = 0.0
    biome_id: int = 0
    rainfall: float = 0.5
    temperature: float = 0.5
    sees_sky: bool = True
    rains: bool = False
    light: int = 15
    sky_light: float = 1.0
    sun: float = 1.0
    sea_level: int = 63


@dataclass(frozen=True, slots=True)
class NearBlock:
    """A block of the box that a step asked for; its place relative to the player's block."""

    name: str
    x: int
    y: int
    z: int


@dataclass(frozen=True, slots=True)
class NearCreature:
    """A creature of the box that a step asked for; its place relative to the player, and its health."""

    name: str
    x: float
    y: float
    z: float
    health: float = 0.0


@dataclass(frozen=True, slots=True)
class Report:
    """The state of a player and of the player's place, as the game reports it with each picture.

    Attributes:
        screen_open: whether a screen (inventory, crafting table, ...) is open.
        stacks: the stacks of the inventory by slot, without empty slots.
        worn: for each of `EQUIPMENT`, what is held or worn there; missing names are air.
        life: vitals.
        location: position, view, biome, weather and light.
        statistics: the game's counts since the episode's beginning.
        voxels: the blocks asked for, or None if the step asked for none.
        mobs: the creatures asked for, or None.
        compass: angle to the compass's target, degrees from -180 to 180 (MineRL 0.4.4), or None.
    """

    screen_open: bool = False
    stacks: tuple[WireStack, ...] = ()
    worn: Mapping[str, Worn] = field(default_factory=lambda: MappingProxyType({}))
    life: PlayerLife = PlayerLife()
    location: Location = Location()
    statistics: Statistics = field(default_factory=lambda: MappingProxyType({}))
    voxels: tuple[NearBlock, ...] | None = None
    mobs: tuple[NearCreature, ...] | None = None
    compass: float | None = None
