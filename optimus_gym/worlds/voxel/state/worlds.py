"""The state of N embedded worlds: one set of arrays, no Python objects.

Row `i` of every array belongs to world `i`. The arrays that decide the future (players, slots, drops,
furnaces, edits) are small and can be hashed and saved (`snapshot`). Voxels and distance field (the empty
boxes around each cell, for rays) cover a window of chunks around the player and are computed from the seed
and the changed blocks (`DERIVED`).

Units: blocks, ticks (1/20 s), degrees, half-hearts. Axes: x east, y up, z south.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.hurts import hurts
from optimus_gym.worlds.voxel.compiling.bundle import Bundle
from optimus_gym.worlds.voxel.state.fauna import (
    ARROW,
    CREATURE,
    FAUNA,
    MOST_ARROWS,
    MOST_CREATURES,
    MOST_PEOPLED,
    RULES,
    SEARCH,
)
from optimus_gym.worlds.voxel.state.holdings import (
    CONTAINER,
    DROP_ROW,
    FURNACE_ROW,
    MOST_CONTAINERS,
    SLEEP,
    STACK,
    STORED,
)
from optimus_gym.worlds.voxel.state.message_row import MESSAGE_ROW
from optimus_gym.worlds.voxel.state.needs import EFFECT, EFFECT_NAMES, NEEDS, SPAWN
from optimus_gym.worlds.voxel.state.player_row import AID, PLAYER
from optimus_gym.worlds.voxel.state.scenery import EDIT, FALLING, SCHEDULED, SKY
from optimus_gym.worlds.voxel.state.screen_row import LAID, SCREEN_ROW

HEIGHT = 128
"""Blocks from bedrock to sky; Minecraft 1.16.5 has 256 (docs/deviations.md)."""
SEA_LEVEL = 63
"""Height of the sea's surface, the top of the blocks at y = 62; Minecraft Wiki, "Sea level" (1.16)."""
CHUNK = 16
"""Blocks of a chunk's side; Minecraft Wiki, "Chunk"."""
_FEWEST_CHUNKS = 6
"""Side in chunks of the smallest window of loaded chunks: a tick needs 2 on each side of the player's."""

BLOCK_BITS = 10
"""A voxel is block id + (state << BLOCK_BITS): 763 block ids below 1,024, and 64 states in the upper 6
bits."""
BLOCK_MASK = (1 << BLOCK_BITS) - 1

HOTBAR_START = 0
"""First slot of the hotbar; Minecraft Wiki, "Inventory" (slot numbers)."""
MAIN = 9
"""First slot of the inventory above the hotbar."""
# Slots of worn items.
FEET = 36
LEGS = 37
CHEST = 38
HEAD = 39
OFFHAND = 40
SLOTS = 41
POCKETS = 36
"""Number of slots (0 to 35) that picked-up items may enter."""
MOST_DROPS = 96
"""Maximum number of item entities in a world; a further item replaces the oldest one."""
MOST_FURNACES = 32
"""Maximum number of filled or burning furnaces that a world remembers; idle empty furnaces need no row."""
MOST_REPAIRS = 64
"""Maximum number of changed cells around which the distance field is repaired; more rebuild whole chunks."""
MOST_LIGHT_CHANGES = 64
"""Maximum number of changed cells around which light is repaired; more changes light whole chunks again."""
MOST_EVENTS = 48
"""Maximum number of events of one tick that are kept."""
SPARE_EDITS = 8192
"""Free rows of `edits` that a tick needs: more than 512 changed blocks and the blocks of a new tree."""
MOST_EDITS = 2**20 - SPARE_EDITS
"""Maximum number of changed blocks of a saved world, so that no file can demand a larger table."""
MOST_SCHEDULED = 8192
"""Maximum number of scheduled cells (flowing water and lava, sand); further cells stay as they are."""
MOST_NOTES = 512
"""Maximum number of cells that may change in a tick; further changes wait for the next tick."""
MOST_FALLING = 64
"""Maximum number of blocks in the air at a time; a further block lands at once."""

STANDING = 0
CROUCHING = 1
SWIMMING = 2
"""Value of `pose` for a player that swims, or crawls on dry land."""
ASSISTS = np.dtype(
    [
        ("night_vision", "u1"),
        ("diamonds_20_percent", "u1"),
        ("keep_inventory", "u1"),
        ("peaceful", "u1"),
        ("always_day", "u1"),
        ("starting_axe", "u1"),
        ("instant_smelting", "u1"),
        ("ores_under_agent", "u1"),
        ("respawn_when_stuck", "u1"),
        ("fast_breaking", "u1"),
    ]
)
"""1 where the world has the assist; `optimus_gym.game.protocols.assists` explains each assist."""

EVENT = np.dtype([("kind", "i4"), ("subject", "i4"), ("count", "i4")])
"""An event of a tick: index of `EVENT_NAMES`, number of an item, block, hurt or creature, and count."""

PICKED_UP, MINED, CRAFTED, SMELTED, USED, BROKEN, HURT, DIED, DEALT, KILLED, EATEN = range(11)
EVENT_NAMES = (
    "picked_up", "mined", "crafted", "smelted", "used", "broken", "hurt", "died", "dealt", "killed",
    "eaten",
)  # fmt: skip
HURT_NAMES = tuple(hurts())
"""Names of the kinds of hurt (causes of damage), the subjects of HURT and DIED events. The subject of DEALT
and KILLED events is the number of a kind of creature. The count of HURT and DEALT events is in
half-hearts."""

UNLIT = 0
"""State of a chunk whose light has not been computed."""
LIT = 1
"""State of a chunk whose light has been computed."""
STALE = 2
"""State of a chunk whose light must be computed again, because it is now wrong."""
DONE = -1
"""Value of `due` for a cell of `scheduled` that has acted."""

NO_CHUNK = np.int64(-(2**62))


@dataclass(frozen=True, slots=True, eq=False)
class Worlds(Bundle):
    """The arrays of N worlds; kernels take this object and a row number."""

    players: NDArray[Any]
    """PLAYER[N]."""
    slots: NDArray[Any]
    """STACK[N, 41]: 0-8 hotbar, 9-35 main, 36-39 feet, legs, chest, head, 40 off-hand."""
    needs: NDArray[Any]
    """NEEDS[N]."""
    effects: NDArray[Any]
    """EFFECT[N, 6]: the status effects of each player, in the order of `EFFECT_NAMES`."""
    spawns: NDArray[Any]
    """SPAWN[N]."""
    skies: NDArray[Any]
    """SKY[N]."""
    assists: NDArray[Any]
    """ASSISTS[N], set at the start of an episode."""
    aids: NDArray[Any]
    """AID[N]."""
    rules: NDArray[Any]
    """RULES[N], set at the start of an episode."""
    fauna: NDArray[Any]
    """FAUNA[N]."""
    creatures: NDArray[Any]
    """CREATURE[N, 256]."""
    arrows: NDArray[Any]
    """ARROW[N, 32]."""
    peopled: NDArray[np.int64]
    """int64[N, 512]: keys (`land.chunks.chunk_key`) of chunks that have got their first animals."""
    searches: NDArray[Any]
    """SEARCH[N]: working memory of the path searches of creatures."""
    drops: NDArray[Any]
    """DROP[N, 96]."""
    furnaces: NDArray[Any]
    """FURNACE[N, 32]."""
    containers: NDArray[Any]
    """CONTAINER[N, 64]."""
    stored: NDArray[Any]
    """STACK[N, 64, 27]: the stacks of each container."""
    sleeps: NDArray[Any]
    """SLEEP[N]."""
    screens: NDArray[Any]
    """SCREEN_ROW[N]: the open screen of each player, and its cursor."""
    laid: NDArray[Any]
    """STACK[N, 10]: the stacks in the crafting grid, and the stack at the cursor (`LAID_CURSOR`)."""
    messages: NDArray[Any]
    """MESSAGE_ROW[N]: the messages on each player's screen; all zeros without the rule `messages`."""
    events: NDArray[Any]
    """EVENT[N, 48]: the events of each world's latest tick."""
    edits: NDArray[Any]
    """EDIT[N, capacity]: the changed blocks; the capacity, a power of two, grows between ticks when
    necessary."""
    edit_index: NDArray[np.int32]
    """int32[N, 2, 2 * capacity]: two hash tables of row + 1 in `edits`: by position, and by chunk for the
    chunk's latest edit (see `land.edits`)."""
    edit_links: NDArray[np.int32]
    """int32[N, capacity]: row + 1 of the previous edit in the same chunk, 0 = none."""
    scheduled: NDArray[Any]
    """SCHEDULED[N, 8192]."""
    scheduled_index: NDArray[np.int32]
    """int32[N, 16384]: hash table of row + 1 in `scheduled` by position (see `land.schedule`)."""
    notes: NDArray[np.int32]
    """int32[N, 512, 4]: x, y, z of cells changed in this tick, and the voxel that broke there (see
    `land.notes`)."""
    falling: NDArray[Any]
    """FALLING[N, 64]."""
    repairs: NDArray[np.int32]
    """int32[N, 64, 3]: x, y, z of cells that became air or a layer of snow, or ceased to be air or snow,
    since the last frame."""
    waiting: NDArray[np.int64]
    """int64[N]: how many rows of `repairs` are used."""
    voxels: NDArray[np.uint16]
    """uint16[N, W, W, 128] indexed (x mod W, z mod W, y): the window of loaded chunks, W blocks wide."""
    field: NDArray[np.uint32]
    """uint32[N, W, W, 128]: code of the size of the empty box that extends from the cell towards each octant,
    3 bits an octant (see `land.field`); block light in bits 24 to 27 and sky light in bits 28 to 31 (see
    `land.light`)."""
    chunks: NDArray[np.int64]
    """int64[N, W/16, W/16]: key of the chunk that lies in each place of the window, or NO_CHUNK."""
    fresh: NDArray[np.uint8]
    """uint8[N, W/16, W/16]: 1 where `field` is correct for the chunk and its loaded neighbours."""
    tops: NDArray[np.int16]
    """int16[N, W, W]: height above which a column holds only air."""
    lit: NDArray[np.uint8]
    """uint8[N, W/16, W/16]: UNLIT, LIT (correct except for `light_changes`), STALE (lit, now wrong)."""
    unlit: NDArray[np.uint8]
    """uint8[N]: 0 only if all loaded chunks are lit."""
    light_changes: NDArray[np.int32]
    """int32[N, 64, 4]: x, y, z of changed cells, and the light to repair: 1 block, 2 sky, 3 both."""
    light_waiting: NDArray[np.int64]
    """int64[N]: how many rows of `light_changes` are used."""
    biomes: NDArray[np.uint8]
    """uint8[N, W, W]: biome of each loaded column, an index into `BIOMES`."""
    living: NDArray[np.int16]
    """int16[N, W/16, W/16]: bit k is set if the layer of heights 16 k to 16 k + 15 may hold blocks that
    random ticks change; 0 = not searched since the chunk was loaded."""


DERIVED: Final[Mapping[str, int | None]] = MappingProxyType(
    {
        "searches": None,
        "edit_index": 0,
        "edit_links": None,
        "scheduled_index": 0,
        "notes": None,
        "repairs": None,
        "waiting": 0,
        "voxels": None,
        "field": None,
        "chunks": int(NO_CHUNK),
        "fresh": 0,
        "tops": None,
        "lit": UNLIT,
        "unlit": 1,
        "light_changes": None,
        "light_waiting": 0,
        "biomes": None,
        "living": 0,
    }
)
"""Derived arrays, computed from the other arrays, which are the state. The value of an entry fills the array
in a world without loaded land; None if any values will do. A snapshot leaves derived arrays out."""
TRIMMED: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "edits": ("players", "edits"),
        "scheduled": ("players", "scheduled"),
        "creatures": ("fauna", "creatures"),
        "arrows": ("fauna", "arrows"),
    }
)
"""State arrays with unused rows -> array and field that hold the number of used rows. A snapshot keeps only
the used rows."""


def forget_land(worlds: Worlds, row: int) -> None:
    """Unload all chunks of world `row`; derived arrays are computed again on demand."""
    for name, filling in DERIVED.items():
        if filling is not None:
            getattr(worlds, name)[row] = filling


def wipe(worlds: Worlds, row: int) -> None:
    """Fill the state of world `row` with zeros and unload all its chunks."""
    for name, array in worlds.arrays().items():
        if name not in DERIVED:
            array[row] = np.zeros((), array.dtype)
    forget_land(worlds, row)


def window_width(view_distance: int) -> int:
    """Return the window's side in blocks: the loaded square that a view distance (blocks) and a tick need."""
    return CHUNK * max(2 * -(-view_distance // CHUNK) + 2, _FEWEST_CHUNKS)


def make_worlds(count: int, view_distance: int = 64, edits: int = 16384) -> Worlds:
    """Allocate `count` worlds without loaded land, with `edits` (a power of two) rows for changed blocks."""
    width = window_width(view_distance)
    side = width // CHUNK
    return Worlds(
        players=np.zeros(count, PLAYER),
        slots=np.zeros((count, SLOTS), STACK),
        needs=np.zeros(count, NEEDS),
        effects=np.zeros((count, len(EFFECT_NAMES)), EFFECT),
        spawns=np.zeros(count, SPAWN),
        skies=np.zeros(count, SKY),
        assists=np.zeros(count, ASSISTS),
        aids=np.zeros(count, AID),
        rules=np.zeros(count, RULES),
        fauna=np.zeros(count, FAUNA),
        creatures=np.zeros((count, MOST_CREATURES), CREATURE),
        arrows=np.zeros((count, MOST_ARROWS), ARROW),
        peopled=np.zeros((count, MOST_PEOPLED), np.int64),
        searches=np.zeros(count, SEARCH),
        drops=np.zeros((count, MOST_DROPS), DROP_ROW),
        furnaces=np.zeros((count, MOST_FURNACES), FURNACE_ROW),
        containers=np.zeros((count, MOST_CONTAINERS), CONTAINER),
        stored=np.zeros((count, MOST_CONTAINERS, STORED), STACK),
        sleeps=np.zeros(count, SLEEP),
        screens=np.zeros(count, SCREEN_ROW),
        laid=np.zeros((count, LAID), STACK),
        messages=np.zeros(count, MESSAGE_ROW),
        events=np.zeros((count, MOST_EVENTS), EVENT),
        edits=np.zeros((count, edits), EDIT),
        edit_index=np.zeros((count, 2, 2 * edits), np.int32),
        edit_links=np.zeros((count, edits), np.int32),
        scheduled=np.zeros((count, MOST_SCHEDULED), SCHEDULED),
        scheduled_index=np.zeros((count, 2 * MOST_SCHEDULED), np.int32),
        notes=np.zeros((count, MOST_NOTES, 4), np.int32),
        falling=np.zeros((count, MOST_FALLING), FALLING),
        repairs=np.zeros((count, MOST_REPAIRS, 3), np.int32),
        waiting=np.zeros(count, np.int64),
        voxels=np.zeros((count, width, width, HEIGHT), np.uint16),
        field=np.zeros((count, width, width, HEIGHT), np.uint32),
        chunks=np.full((count, side, side), NO_CHUNK, np.int64),
        fresh=np.zeros((count, side, side), np.uint8),
        tops=np.zeros((count, width, width), np.int16),
        lit=np.zeros((count, side, side), np.uint8),
        unlit=np.ones(count, np.uint8),
        light_changes=np.zeros((count, MOST_LIGHT_CHANGES, 4), np.int32),
        light_waiting=np.zeros(count, np.int64),
        biomes=np.zeros((count, width, width), np.uint8),
        living=np.zeros((count, side, side), np.int16),
    )
