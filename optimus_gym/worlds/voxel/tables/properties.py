"""The game's blocks, items and tools packed into arrays by id, for kernels.

Block arrays are 1,024 long (index: block id), item arrays 976 long (index: item id, 0 = empty). The arrays
are constants of the compiled kernels: they are made at the import of this module and never change. Sources:
`optimus_gym.game` and the rows of `worlds/voxel/tables/data/`.
"""

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.game.blocks import block, block_names, blocks
from optimus_gym.game.dataset import dataset
from optimus_gym.game.items import item_names, items
from optimus_gym.game.loot import loot
from optimus_gym.game.rows import Row, checked, rows
from optimus_gym.game.tags import select
from optimus_gym.game.tools import CUTTERS, tools
from optimus_gym.game.tools import speed_on as game_speed_on
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, CHEST, FEET, HEAD, LEGS, OFFHAND
from optimus_gym.worlds.voxel.tables.panels import PATTERNS, Corners, solid_box

BLOCKS = 1 << BLOCK_BITS
ITEMS = 976
NOT_WORN = -1
_SMALL = 0.25
"""Base area (square blocks) below which a block does not stop bodies (docs/deviations.md)."""
_THIN_BUT_STOPPING = (
    "*_fence",
    "*_wall",
    "glass_pane",
    "*_stained_glass_pane",
    "iron_bars",
    "bamboo",
)
_SIXTEENTHS = 16.0


def rule_rows(name: str) -> tuple[Row, ...]:
    """Return the rows of the file `worlds/voxel/tables/data/<name>.json`; each row names its source.

    Raises:
        BadValue: the file is not a list of objects with sources.
    """
    folder = files("optimus_gym.worlds.voxel.tables.data")
    text = folder.joinpath(f"{name}.json").read_text(encoding="utf-8")
    return checked(json.loads(text), f"{name}.json")


def selected_blocks(row: Row, where: str, key: str = "blocks") -> list[int]:
    """Return the ids of the blocks that a row of a JSON table names in field `key`."""
    return [block(name).id for name in select(row[key], block_names(), f"{where}.json")]


def _by_block(field: str, kind: DTypeLike) -> NDArray[Any]:
    """Return the values of one field of the game's data on blocks, by block id."""
    table = np.zeros(BLOCKS, kind)
    for entry in blocks().values():
        table[entry.id] = getattr(entry, field)
    return table


def surface(name: str, other: float, kind: DTypeLike) -> NDArray[Any]:
    """Return one property of `surfaces.json` by block id; `other` for blocks without a row."""
    table = np.full(BLOCKS, other, kind)
    for row in rule_rows("surfaces"):
        if row["property"] == name:
            table[selected_blocks(row, "surfaces")] = row["value"]
    return table


def _collision_heights() -> NDArray[np.float64]:
    """Return the collision height of each block's default shape, by block id; 0 = passable.

    Source: `minecraft-data`, blockCollisionShapes.
    """
    shapes = dataset().blockCollisionShapes
    thin = set(select(_THIN_BUT_STOPPING, block_names(), "tables.py"))
    table = np.zeros(BLOCKS)
    for entry in dataset().blocks_list:
        index = shapes["blocks"][entry["name"]]
        if isinstance(index, list):
            index = index[int(entry["defaultState"]) - int(entry["minStateId"])]
        boxes = shapes["shapes"][str(index)]
        area = max(((b[3] - b[0]) * (b[5] - b[2]) for b in boxes), default=0.0)
        if area >= _SMALL or entry["name"] in thin:
            table[int(entry["id"])] = max((b[4] for b in boxes), default=0.0)
    table[PANELS > 0] = PANEL
    return table


def _panels() -> NDArray[np.uint8]:
    """Return, by block id, the kind of panel (door, trapdoor, gate; see `panels`), 0 = no panel."""
    table = np.zeros(BLOCKS, np.uint8)
    for kind, pattern in PATTERNS:
        table[[block(name).id for name in select([pattern], block_names(), "panels.py")]] = kind
    return table


def _panel_boxes(box_of: Callable[[int, int], Corners | None]) -> NDArray[np.float64]:
    """Return boxes of doors, trapdoors and gates, by kind and state; swapped corners stand for no box."""
    table = np.zeros((len(PATTERNS) + 1, 1 << 16 - BLOCK_BITS, 6))
    for kind, _pattern in PATTERNS:
        for state in range(table.shape[1]):
            table[kind, state] = box_of(kind, state) or (32, 32, 32, -16, -16, -16)
    return table / _SIXTEENTHS


def _fluids() -> NDArray[np.uint8]:
    """Return, by block id, 1 for water and blocks that stand in water, 2 for lava, else 0."""
    return np.asarray(surface("water", 0, np.uint8) + 2 * surface("lava", 0, np.uint8), np.uint8)


PANEL = -1.0
"""Value in COLLISION_HEIGHTS of doors, trapdoors and gates, whose boxes are in PANEL_SOLIDS."""
PANELS: NDArray[np.uint8] = _panels()
"""uint8[1024], by block id: kind of panel (DOOR, TRAPDOOR or GATE of `panels`), 0 = no panel."""
PANEL_SOLIDS: NDArray[np.float64] = _panel_boxes(solid_box)
"""float64[kinds, states, 6], in blocks: the box of each kind of panel and state that stops bodies."""
COLLISION_HEIGHTS: NDArray[np.float64] = _collision_heights()
"""float64[1024], in blocks: collision height of each block, 1.5 for a fence; 0 = passable, PANEL = a
panel."""
HARDNESS: NDArray[np.float64] = _by_block("hardness", np.float64)
"""float64[1024]: hardness of each block; -1 = cannot be broken."""
OPAQUE: NDArray[np.uint8] = _by_block("opaque", np.uint8)
REPLACEABLE: NDArray[np.uint8] = _by_block("replaceable", np.uint8)
SLIPPERINESS: NDArray[np.float64] = surface("slipperiness", 0.6, np.float64)
"""float64[1024]: slipperiness of each block; Minecraft Wiki, "Slipperiness"."""
ICY: NDArray[np.uint8] = surface("icy", 0, np.uint8)
"""uint8[1024]: 1 for kinds of ice that differ from other full blocks: a falling fluid next to the ice does
not push bodies down; Minecraft Wiki, "Ice"."""
CLIMBABLE: NDArray[np.uint8] = surface("climbable", 0, np.uint8)
FALLS: NDArray[np.uint8] = surface("falls", 0, np.uint8)
WASHED: NDArray[np.uint8] = surface("washed", 0, np.uint8)
"""uint8[1024]: 1 for blocks that flowing water and lava wash away."""
LIVES: NDArray[np.uint8] = surface("lives", 0, np.uint8)
"""uint8[1024]: each block's reaction to random ticks: 0 = none, else one of the constants LEAF to
FARMLAND."""
# Reactions to random ticks.
LEAF = 1
SAPLING = 2
GRASS = 3
CANE = 4
GROWING_CACTUS = 5
CROP = 6
WART = 7
BERRIES = 8
MELTING_ICE = 9
MELTING_SNOW = 10
FARMLAND = 11

FIRE_HURTS: NDArray[np.uint8] = surface("burns", 0, np.uint8)
"""uint8[1024], half-hearts: damage by standing in the block, which is a fire; 0 = not a fire."""
PRICKS: NDArray[np.uint8] = surface("pricks", 0, np.uint8)
"""uint8[1024], half-hearts: damage by touching the block, a cactus or sweet berry bush; 0 = none."""
TWO_HIGH: NDArray[np.uint8] = surface("tall", 0, np.uint8)
"""uint8[1024]: 1 for doors and plants of two blocks; state bit 0 marks the upper block."""
ACTS: NDArray[np.uint8] = surface("acts", 0, np.uint8)
"""uint8[1024]: each block's reaction to the use key: 0 = none, else STORE, OPENS, STIFF or BED."""
STORE = 1
"""Value in ACTS of a chest or barrel."""
OPENS = 2
"""Value in ACTS of a door, trapdoor or gate that opens by hand."""
STIFF = 3
"""Value in ACTS of a door, trapdoor or gate that does not open by hand."""
BED = 4
"""Value in ACTS of a bed (state bit 0 marks its head)."""
MAX_AGE: NDArray[np.uint8] = surface("max_age", 0, np.uint8)
"""uint8[1024]: lowest state in which a crop, berry bush, wart or cocoa is ripe; 0 = another block."""
IS_FIRE: NDArray[np.uint8] = surface("fire", 0, np.uint8)
"""uint8[1024]: 1 for blocks that set bodies in them on fire; state bits 0 to 3 are a fire's age."""


def _burning(field: str) -> NDArray[np.int64]:
    """Return the field "ignites" or "burns" of `burning.json` by block id; 0 = the block does not burn."""
    table = np.zeros(BLOCKS, np.int64)
    for row in rule_rows("burning"):
        table[selected_blocks(row, "burning")] = row[field]
    return table


IGNITES = _burning("ignites")
"""int64[1024]: odds, in the game's units, that a fire spreads to air next to the block."""
FLAMMABLE = _burning("burns")
"""int64[1024]: odds, in the game's units, that a fire next to the block burns it away; 0 = not flammable."""
FLUIDS: NDArray[np.uint8] = _fluids()
"""uint8[1024]: fluid in the block's cell: 0 none, 1 water (also plants that only grow in water), 2 lava."""
LIGHT_GIVEN: NDArray[np.uint8] = _by_block("light", np.uint8)
"""uint8[1024]: light level that each block gives, 0 to 15."""
LIGHT_WHEN_LIT: NDArray[np.uint8] = surface("lit", 0, np.uint8)
"""uint8[1024]: light level that a block gives while its state bit 0 (lit) is set; 0 = never lit."""
FILTERS: NDArray[np.uint8] = _by_block("filters", np.uint8)
"""uint8[1024]: levels that light loses in each block: 0, 1, or 15 (all)."""
SHADES: NDArray[np.uint8] = surface("shades", 0, np.uint8)
"""uint8[1024]: 15 for stairs, which stop light on two sides in the game, but on all sides in this world."""
SHUT_BELOW: NDArray[np.uint8] = surface("floors", 0, np.uint8)
"""uint8[1024]: 1 for blocks that fill the lower side of their cell and stop light on that side only."""
IS_FLUID_BLOCK: NDArray[np.uint8] = np.zeros(BLOCKS, np.uint8)
"""uint8[1024]: 1 for water and lava, whose state bits are the fluid's level."""
IS_FLUID_BLOCK[[block("water").id, block("lava").id]] = 1
FALL_SHARE: NDArray[np.float64] = surface("shortens_falls", 1.0, np.float64)
"""float64[1024]: the share of a fall's height that counts if the fall ends on the block."""
FALL_HURT_SHARE: NDArray[np.float64] = surface("softens_falls", 1.0, np.float64)
"""float64[1024]: the share of a fall's damage that remains if the fall ends on the block."""


def _by_item(field: str, kind: DTypeLike) -> NDArray[Any]:
    """Return the values of one field of the game's data on items, by item id."""
    table = np.zeros(ITEMS, kind)
    for entry in items().values():
        table[entry.id] = getattr(entry, field)
    return table


STACK_SIZES: NDArray[np.int64] = _by_item("stack_size", np.int64)
FIREPROOF: NDArray[np.bool_] = np.array(
    [name.startswith("netherite_") or name == "ancient_debris" for name in item_names()]
)
"""bool[976]: whether an item survives fire and lava; Minecraft Wiki, "Netherite"."""
DURABILITIES: NDArray[np.int64] = _by_item("max_durability", np.int64)
"""int64[976]: uses before each item breaks; 0 = the item never wears out."""


def _placed() -> NDArray[np.int64]:
    """Return, by item id, the block that the item places, 0 = none."""
    table = np.zeros(ITEMS, np.int64)
    for entry in items().values():
        if entry.block is not None:
            table[entry.id] = block(entry.block).id
    return table


def _worn() -> NDArray[np.int64]:
    """Return, by item id, the slot in which an item is worn; Minecraft Wiki, "Armor", "Shield"."""
    slots = {"feet": FEET, "legs": LEGS, "chest": CHEST, "head": HEAD, "offhand": OFFHAND}
    table = np.full(ITEMS, NOT_WORN, np.int64)
    for entry in items().values():
        if entry.armour is not None:
            table[entry.id] = slots[entry.armour]
    return table


PLACES: NDArray[np.int64] = _placed()
WORN_IN: NDArray[np.int64] = _worn()
DEFENCE: NDArray[np.int64] = _by_item("defence", np.int64)
"""Armour points of each item when worn."""
TOUGHNESS: NDArray[np.float64] = _by_item("toughness", np.float64)
"""Armour toughness of each item when worn."""

TOOL_KINDS = ("", "pickaxe", "axe", "shovel", "hoe", "sword", "shears", "trident")
"""Kinds of tools; a kind's index stands for the kind in TOOL_KIND and LOOT_ROWS."""


def _tool_rows() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return each item's row in SPEEDS and HARVESTS, its kind of tool, and its wear for a broken block."""
    row, kind, wear = (np.zeros(ITEMS, np.int64) for _ in range(3))
    for number, entry in enumerate(tools().values(), 1):
        here = items()[entry.item].id
        row[here], kind[here] = number, TOOL_KINDS.index(entry.kind)
        wear[here] = entry.wear_break
    return row, kind, wear


_TOOL_ROWS = _tool_rows()
TOOL_ROW = _TOOL_ROWS[0]
"""int64[976]: the row of SPEEDS and HARVESTS for each item (0 = like a bare hand)."""
TOOL_KIND = _TOOL_ROWS[1]
"""int64[976]: the kind of tool that each item is, an index in TOOL_KINDS."""
TOOL_WEAR = _TOOL_ROWS[2]
"""int64[976]: uses that breaking a block takes from the item."""


def _blows() -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Return, by item id, damage (half-hearts), pause (ticks) and wear (uses) of a charged blow."""
    damage, pause, wear = np.ones(ITEMS), np.full(ITEMS, 5.0), np.zeros(ITEMS, np.int64)
    for entry in tools().values():
        here = items()[entry.item].id
        damage[here], pause[here] = entry.attack, 20.0 / entry.attack_speed
        wear[here] = entry.wear_hit
    return damage, pause, wear


_BLOWS = _blows()
BLOW_DAMAGE = _BLOWS[0]
"""float64[976]: damage, in half-hearts, of a charged blow with each item; Minecraft Wiki, "Damage"."""
BLOW_PAUSE = _BLOWS[1]
"""float64[976]: ticks from a blow with each item until the next one is charged; Minecraft Wiki, "Damage"."""
BLOW_WEAR = _BLOWS[2]
"""int64[976]: uses that a blow takes from the item; Minecraft Wiki, "Damage"."""


def _speeds() -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """Return digging speed, and whether the block gives its drop, by tool (row 0: bare hand) and block."""
    speeds = np.ones((len(tools()) + 1, BLOCKS))
    gets = np.ones((len(tools()) + 1, BLOCKS), np.uint8)
    special = {(row_kind, name) for row_kind, name in _special_pairs()}
    for row, held in enumerate([None, *tools().values()]):
        for entry in blocks().values():
            kind = held.kind if held else ""
            if held and (kind == entry.tool or (kind, entry.name) in special):
                speeds[row, entry.id] = game_speed_on(entry.name, held.item)
            if entry.tier:
                cuts = entry.tool in CUTTERS and kind in CUTTERS
                fits = held is not None and kind == entry.tool and held.tier >= entry.tier
                gets[row, entry.id] = cuts or (fits and entry.tool not in CUTTERS)
    return speeds, gets


def _special_pairs() -> list[tuple[str, str]]:
    """Return the pairs of tool kind and block for which `tool_speeds.json` names a speed."""
    return [
        (row["kind"], name)
        for row in rows("tool_speeds")
        for name in select(row["blocks"], block_names(), "tool_speeds.json")
    ]


_SPEEDS = _speeds()
SPEEDS = _SPEEDS[0]
"""float64[tools, 1024]: factor of the digging speed of each tool on each block; 1 = a bare hand's."""
HARVESTS = _SPEEDS[1]
"""uint8[tools, 1024]: 1 if a block that is broken with the tool gives its drop."""


LOOT = np.dtype(
    [
        ("item", "i8"),
        ("low", "i8"),
        ("high", "i8"),
        ("chance", "f8"),
        ("tool", "i8"),  # drops only with this kind of tool, 0 = any
        ("without", "i8"),  # drops only without this kind of tool, 0 = any
        ("grown", "i8"),  # age of a crop that drops: 1 grown, 0 younger, -1 any
        ("roll", "i8"),  # drops of the same number > 0 exclude each other
    ]
)


def _packed_loot() -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Return, by block id, the index of the block's first row of loot, and all rows of loot."""
    starts = np.zeros(BLOCKS + 1, np.int64)
    packed: list[tuple[float, ...]] = []
    by_id = {block(name).id: drops for name, drops in loot().items()}
    for number in range(BLOCKS):
        starts[number] = len(packed)
        for drop in by_id.get(number, ()):
            if drop.high < drop.low or not 0.0 <= drop.chance <= 1.0:
                raise BadValue(
                    f"loot: expected low <= high pieces and a chance of 0 to 1, got {drop}"
                )
            packed.append(
                (
                    items()[drop.item].id, drop.low, drop.high, drop.chance,
                    TOOL_KINDS.index(drop.tool or ""), TOOL_KINDS.index(drop.without or ""),
                    -1 if drop.grown is None else int(drop.grown), drop.roll,
                )
            )  # fmt: skip
    starts[BLOCKS] = len(packed)
    return starts, np.array(packed, LOOT)


LOOT_STARTS, LOOT_ROWS = _packed_loot()
