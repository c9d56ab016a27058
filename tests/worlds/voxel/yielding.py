"""Items that the embedded world yields, by its own packed tables: terrain, loot, creatures, crafts.

This module does not use `memory.abilities`, so that tests can compare both lists.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from optimus_gym.game.biomes import ALIASES, BIOMES
from optimus_gym.game.blocks import block, blocks
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.items import items
from optimus_gym.game.makings import BENCHES
from optimus_gym.game.protocols import EpisodeProtocol
from optimus_gym.game.smelting import OVENS
from optimus_gym.game.sources import Need, Source
from optimus_gym.game.tools import able_tools
from optimus_gym.worlds.voxel.blocks.saplings import _LARGE, _SMALL
from optimus_gym.worlds.voxel.blocks.updates import _OBSIDIAN, CONCRETE
from optimus_gym.worlds.voxel.creatures.elements import _EGG
from optimus_gym.worlds.voxel.creatures.hitting import _MILK, _SHEARS
from optimus_gym.worlds.voxel.creatures.kinds import (
    DROP_ROWS,
    DROP_STARTS,
    IS_MONSTER,
    WEIGHTS,
    WOOLS,
)
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK
from optimus_gym.worlds.voxel.tables.properties import (
    CROP,
    HARVESTS,
    LIVES,
    LOOT_ROWS,
    LOOT_STARTS,
    TOOL_KIND,
    TOOL_ROW,
)
from optimus_gym.worlds.voxel.tables.recipes import (
    CHOICES,
    FUEL_ORDER,
    INGREDIENTS,
    OVEN_TAKES,
    RECIPE_STARTS,
    RECIPES,
    SMELTS_TO,
)
from optimus_gym.worlds.voxel.terrain import names as soil
from optimus_gym.worlds.voxel.terrain import ores, plants, shaft_build
from optimus_gym.worlds.voxel.terrain import vegetation as green
from optimus_gym.worlds.voxel.terrain.biomes import FILLER, TOP_SOIL
from optimus_gym.worlds.voxel.terrain.mushrooms import BROWN_MUSHROOM, RED_MUSHROOM
from optimus_gym.worlds.voxel.terrain.trees import NO_TREE
from optimus_gym.worlds.voxel.using.handling import _FILLED, _FLUID_BLOCKS

ANYWHERE = frozenset(range(len(BIOMES)))
ITEM_NAMES = {entry.id: name for name, entry in items().items()}
BLOCK_NAMES = {entry.id: name for name, entry in blocks().items()}
KINDS = tuple(creature_kinds())
VARIANTS = {"sunflower_plains": "plains"}
"""Biomes of the game that are part of another biome in the world (docs/deviations.md)."""
Homes = dict[str, set[int]]


def _ground() -> Iterator[int]:
    """Yield the blocks that lie in the ground, in mineshafts and on the water, in any biome."""
    own = (soil.STONE, soil.BEDROCK, soil.DIRT, soil.SAND, soil.SANDSTONE, soil.GRAVEL, soil.CLAY)
    yield from (
        *own,
        soil.STILL_WATER,
        soil.STILL_LAVA,
        soil.ICE,
        soil.SNOW,
        soil.SUGAR_CANE,
        BROWN_MUSHROOM,
        RED_MUSHROOM,
    )
    yield from (*TOP_SOIL, *FILLER, *ores.VEIN_RULES[:, 0])
    shaft = shaft_build
    yield from (shaft.OAK_PLANKS, shaft.OAK_FENCE, shaft.COBWEB, shaft.RAIL, shaft.WALL_TORCH)


def land() -> Homes:
    """Return the biomes of every block of the terrain."""
    homes: Homes = {BLOCK_NAMES[int(number)]: set(ANYWHERE) for number in _ground()}

    def grows(voxel: int, biome: int) -> None:
        homes.setdefault(BLOCK_NAMES[int(voxel) & BLOCK_MASK], set()).add(biome)

    grows(ores.EMERALD, ores.MOUNTAINS)
    for biome in ANYWHERE:
        for tree in np.flatnonzero(np.diff(green.TREE_STEPS[biome], prepend=0.0) > 0.0):
            grows(green.TREE_LOG[tree], biome)
            grows(green.TREE_LEAVES[biome, tree], biome)
            if green.TREE_VINES[tree]:
                grows(green.VINE[biome], biome)
        for steps in (green.SCATTER_STEPS, green.PATCH_STEPS):
            for plant in np.flatnonzero(np.diff(steps[biome], prepend=0.0) > 0.0):
                grows(green.PLANT_VOXEL[biome, plant], biome)
        if green.CACTUS_CHANCE[biome] > 0.0:
            grows(plants._CACTUS, biome)
    return homes


def made() -> set[str]:
    """Return the blocks that the world makes by hardening and growth."""
    grown = np.flatnonzero((LIVES == CROP) | (_SMALL != NO_TREE) | (_LARGE != NO_TREE))
    hard = CONCRETE[CONCRETE > 0]
    return {BLOCK_NAMES[int(number)] for number in (*grown, *hard, _OBSIDIAN)}


LAND, MADE = land(), made()


def gives(source: Source, rules: EpisodeProtocol) -> bool:
    """Return whether the world's tables confirm a source under a protocol, with all its needs held."""
    product = items()[source.product].id
    if source.creature is not None:
        return _comes(source, rules) and _creature_gives(source, product)
    if source.verb in ("mine", "grow"):
        return _block_gives(source, product)
    if source.verb == "fill":
        return _is_in_reach(source) and product == _FILLED[_fluid(source)] and _takes_bucket(source)
    return source.verb in ("craft", "smelt") and _made(source, product)


def _names(source: Source) -> set[int]:
    """Return the world's biomes that a source names."""
    if source.place is None or not source.place.biomes:
        return set(ANYWHERE)
    known = {**ALIASES, **VARIANTS}
    said = (known.get(name, name) for name in source.place.biomes)
    return {BIOMES.index(name) for name in said if name in BIOMES}


def _is_in_reach(source: Source) -> bool:
    """Return whether the land has a source's block in one of the source's biomes."""
    return bool(LAND.get(source.block, set()) & _names(source))


def _comes(source: Source, rules: EpisodeProtocol) -> bool:
    """Return whether a source's creature spawns in one of the source's biomes."""
    if source.creature not in KINDS or not rules.creatures:
        return False
    kind = KINDS.index(source.creature)
    peaceful = rules.difficulty == "peaceful" or "peaceful" in rules.assists
    if IS_MONSTER[kind] and peaceful:
        return False
    return any(WEIGHTS[biome, kind] > 0.0 for biome in _names(source))


def _creature_gives(source: Source, product: int) -> bool:
    """Return whether a creature yields an item when killed, shorn or milked, or by itself."""
    kind = KINDS.index(source.creature)
    if source.verb == "kill":
        rows = DROP_ROWS[DROP_STARTS[kind] : DROP_STARTS[kind + 1]]
        drops = {int(row["item"]) for row in rows if row["high"] > 0 and row["chance"] > 0.0}
        return product in drops or (source.creature == "sheep" and product in WOOLS)
    return {
        "shear": source.creature == "sheep" and product in WOOLS and _is(source.tool, _SHEARS),
        "milk": source.creature == "cow" and product == _MILK,
        "find": source.creature == "chicken" and product == _EGG,
    }.get(source.verb, False)


def _is(name: str | None, number: int) -> bool:
    return name is not None and items()[name].id == number


def _block_gives(source: Source, product: int) -> bool:
    """Return whether a block that the land has or makes drops an item for the tool."""
    number = block(source.block).id
    if not (_is_in_reach(source) or source.block in MADE):
        return False
    tree = max(_SMALL[number], _LARGE[number])
    if tree != NO_TREE:
        number = int(green.TREE_LOG[tree]) & BLOCK_MASK
    held = 0 if source.tool is None or source.verb == "grow" else items()[source.tool].id
    return bool(HARVESTS[TOOL_ROW[held], number]) and any(
        row["item"] == product
        and row["chance"] > 0.0
        and row["tool"] in (0, TOOL_KIND[held])
        and row["without"] != (TOOL_KIND[held] or -1)
        for row in LOOT_ROWS[LOOT_STARTS[number] : LOOT_STARTS[number + 1]]
    )


def _fluid(source: Source) -> int:
    """Return the number of a source's fluid; 0 = no fluid."""
    found = np.flatnonzero(block(source.block).id == _FLUID_BLOCKS)
    return int(found[0]) if len(found) else 0


def _takes_bucket(source: Source) -> bool:
    return [need.choices for need in source.needs] == [("bucket",)]


def _made(source: Source, product: int) -> bool:
    """Return whether a recipe or an oven makes an item of a source's needs at the source's station."""
    if source.verb == "smelt":
        ovens = [oven.name for oven in OVENS]
        kind = ovens.index(source.station) + 1
        (need,) = source.needs
        inputs = [items()[name].id for name in need.choices]
        return all(SMELTS_TO[n] == product and OVEN_TAKES[kind, n] for n in inputs)
    bench = 0 if source.station is None else 1 + BENCHES.index(source.station)
    return any(
        row["bench"] == bench
        and row["count"] == source.yields
        and _parts(INGREDIENTS[row["first"] : row["end"]]) == _needed(source.needs)
        for row in RECIPES[RECIPE_STARTS[product] : RECIPE_STARTS[product + 1]]
    )


def _parts(ingredients: np.ndarray) -> list[tuple[int, tuple[str, ...]]]:
    return sorted(
        (
            int(row["count"]),
            tuple(sorted(ITEM_NAMES[n] for n in CHOICES[row["first"] : row["end"]])),
        )
        for row in ingredients
    )


def _needed(needs: Iterable[Need]) -> list[tuple[int, tuple[str, ...]]]:
    return sorted((need.count, tuple(sorted(need.choices))) for need in needs)


def taken(source: Source) -> list[tuple[str, ...]]:
    """Return the sets of items for a source, one item of each needed: parts, tool, station, fuel."""
    sets = [need.choices for need in source.needs]
    sets += [] if source.tool is None else [able_tools(source.tool)]
    sets += [(name,) for name in (source.station, *source.holds) if name is not None]
    if source.verb == "smelt":
        sets.append(tuple(ITEM_NAMES[int(number)] for number in FUEL_ORDER))
    return sets
