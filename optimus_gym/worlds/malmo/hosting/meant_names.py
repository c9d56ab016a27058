"""Items and blocks by the names of a client, which are those of Minecraft 1.16.5 or those of 1.11."""

from functools import lru_cache
from typing import Final

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.blocks import block_names
from optimus_gym.game.items import items
from optimus_gym.worlds.malmo.old_names import (
    new_blocks,
    new_item,
    new_items,
    old_item,
    old_names,
)

_REMEMBERED: Final = 1024
"""Number of names whose meaning is remembered; strangers may send any name."""


def _plain(name: str) -> str:
    return name.strip().lower().removeprefix("minecraft:")


@lru_cache(maxsize=_REMEMBERED)
def meant_items(name: str, old: bool) -> tuple[str, ...]:
    """Return the items of 1.16.5 that a client's name may mean, none if there are none.

    Args:
        name: the name, in 1.11 perhaps with "#" and a metadata behind.
        old: whether the name is one of 1.11.

    >>> meant_items("minecraft:stick", old=False), meant_items("planks#2", old=True)
    (('stick',), ('birch_planks',))
    """
    plain = _plain(name)
    if old:
        return new_items(plain)
    return (plain,) if plain in items() else ()


@lru_cache(maxsize=_REMEMBERED)
def meant_blocks(name: str, old: bool) -> tuple[str, ...]:
    """Return the blocks of 1.16.5 that a client's name may mean, none if there are none.

    >>> meant_blocks("diamond_block", old=True)
    ('diamond_block',)
    """
    plain = _plain(name)
    if old:
        return new_blocks(plain)
    return (plain,) if plain in block_names() else ()


def exact_item(name: str, metadata: int, old: bool) -> str:
    """Return the item of 1.16.5 that a stack of a mission holds.

    Raises:
        UnknownName: there is no such item.
    """
    plain = _plain(name)
    made = new_item(plain, metadata) if old else plain
    if made is None or made not in items():
        told = f"{name}#{metadata}" if metadata else name
        raise UnknownName("item", told, old_names().variants if old else items())
    return made


def told_item(name: str, old: bool) -> tuple[str, int]:
    """Return a client's name and metadata of an item. An item that is new since 1.11 keeps its name.

    >>> told_item("birch_planks", old=True), told_item("birch_planks", old=False)
    (('planks', 2), ('birch_planks', 0))
    """
    return (old_item(name) if old else None) or (name, 0)
