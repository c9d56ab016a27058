"""Names of items and blocks in Minecraft 1.11, which MineRL 0.4.4 uses, to and from those of 1.16.5.

Minecraft 1.11 has a name and a number, the metadata, for what 1.16.5 calls by one name: ("planks", 2) is
"birch_planks". Source: `data/old_names.json`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from optimus_gym.game.blocks import block_names
from optimus_gym.game.rows import checked

_OLD: Final = re.compile(r"(?:minecraft:)?([a-z0-9_]{1,100})(?:#([0-9]{1,2}))?")
_FOLDED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({"log": ("log", "log2")})
"""Names that mean several: MineRL 0.4.4 counts both kinds of logs as "log" (its `handlers/util.py`)."""


@dataclass(frozen=True, slots=True)
class OldNames:
    """The table of names.

    Attributes:
        variants: names in 1.16.5 of each old item, by metadata; None for a metadata without an item.
        also: for each old item, items of 1.16.5 that 1.11 does not tell from the first variant.
        blocks: for old blocks that are no items, the names in 1.16.5.
        old: for items of 1.16.5, the old name and the metadata.
    """

    variants: Mapping[str, tuple[str | None, ...]]
    also: Mapping[str, tuple[str, ...]]
    blocks: Mapping[str, tuple[str, ...]]
    old: Mapping[str, tuple[str, int]]


@cache
def old_names() -> OldNames:
    """Return the table of names.

    Raises:
        BadValue: rows of the file lack their source.
    """
    text = files("optimus_gym.worlds.malmo.data").joinpath("old_names.json").read_text("utf-8")
    rows = checked(json.loads(text), "old_names.json")
    items = [row for row in rows if "new" in row]
    old = {
        name: (row["old"], metadata)
        for row in items
        for metadata, name in enumerate(row["new"])
        if name is not None
    }
    old |= {name: (row["old"], 0) for row in items for name in row.get("also", ())}
    return OldNames(
        variants=MappingProxyType({row["old"]: tuple(row["new"]) for row in items}),
        also=MappingProxyType({row["old"]: tuple(row.get("also", ())) for row in items}),
        blocks=MappingProxyType({r["old"]: tuple(r["blocks"]) for r in rows if "blocks" in r}),
        old=MappingProxyType(old),
    )


def old_item(name: str) -> tuple[str, int] | None:
    """Return the name and the metadata in 1.11 of an item of 1.16.5, None if 1.11 has no such item.

    >>> old_item("birch_planks"), old_item("acacia_log"), old_item("kelp")
    (('planks', 2), ('log2', 0), None)
    """
    return old_names().old.get(name)


def new_item(name: str, metadata: int = 0) -> str | None:
    """Return the name in 1.16.5 of an item of 1.11, None if there is no such item.

    The metadata of an item without variants is its wear, which has no part in the name.

    >>> new_item("planks", 2), new_item("iron_pickaxe", 17), new_item("planks", 6)
    ('birch_planks', 'iron_pickaxe', None)
    """
    variants = old_names().variants.get(name, ())
    if len(variants) == 1:
        return variants[0]
    return variants[metadata] if 0 <= metadata < len(variants) else None


def new_items(text: str) -> tuple[str, ...]:
    """Return the items of 1.16.5 that a text of MineRL 0.4.4 means, none if it means no item.

    A name alone means all variants, "log" those of "log2", too; "#" and a metadata choose one.

    >>> new_items("log")
    ('oak_log', 'spruce_log', 'birch_log', 'jungle_log', 'acacia_log', 'dark_oak_log')
    >>> new_items("planks#2"), new_items("other")
    (('birch_planks',), ())
    """
    found = _OLD.fullmatch(text)
    if found is None:
        return ()
    name, metadata = found.groups()
    if metadata is None:
        return tuple(_all_variants(name))
    chosen = new_item(name, int(metadata))
    return () if chosen is None else (chosen,)


def _all_variants(name: str) -> Iterator[str]:
    table = old_names()
    for each in _FOLDED.get(name, (name,)):
        yield from (variant for variant in table.variants.get(each, ()) if variant is not None)
        yield from table.also.get(each, ())


def new_blocks(name: str) -> tuple[str, ...]:
    """Return the blocks of 1.16.5 that a block's name in 1.11 means, none if there is no such block.

    >>> new_blocks("lit_furnace"), new_blocks("reeds"), new_blocks("stick")
    (('furnace',), ('sugar_cane',), ())
    """
    known = set(block_names())
    named = old_names().blocks.get(name) or new_items(name)
    return tuple(block for block in named if block in known)
