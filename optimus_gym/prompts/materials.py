"""Materials in items' names: what a thing is made of, and the same thing of another material."""

from functools import cache
from typing import NamedTuple

from optimus_gym.game.items import items
from optimus_gym.game.tags import tag
from optimus_gym.game.tools import tools
from optimus_gym.prompts.words import HABITS


class MadeOf(NamedTuple):
    """The two parts of an item's name.

    Attributes:
        material: such as "iron", "dark_oak" or "red".
        thing: such as "pickaxe" or "door".
    """

    material: str
    thing: str


@cache
def made_of(item: str) -> MadeOf | None:
    """Return the parts of an item's name, or None if the name holds no material.

    >>> made_of("golden_axe"), made_of("dark_oak_door"), made_of("furnace")
    (MadeOf(material='golden', thing='axe'), MadeOf(material='dark_oak', thing='door'), None)
    """
    found = next((name for name in _materials() if item.startswith(f"{name}_")), None)
    return None if found is None else MadeOf(found, item.removeprefix(f"{found}_"))


@cache
def gear_of(item: str) -> str:
    """Return "tool" or "armour" if an item is one, else ""."""
    if item in tools():
        return "tool"
    return "armour" if item in items() and items()[item].armour is not None else ""


@cache
def kin_of(item: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the items that are like an item.

    Returns:
        Other tools (or armour) of the same material; the same thing of other materials.

    >>> [names[:2] for names in kin_of("golden_axe")]
    [('golden_sword', 'golden_shovel'), ('wooden_axe', 'stone_axe')]
    """
    made = made_of(item)
    if made is None:
        return (), ()
    others = [name for name in items() if name != item and made_of(name) is not None]
    gear = gear_of(item)
    alike = (name for name in others if gear and gear_of(name) == gear)
    material = tuple(name for name in alike if name.startswith(f"{made.material}_"))
    return material, tuple(name for name in others if name.endswith(f"_{made.thing}"))


@cache
def in_material(item: str, old: str, new: str) -> str | None:
    """Return an item with one material in place of another.

    An item of neither material stays. None: the item is of the old material, and has no like of the new one.

    >>> in_material("iron_ore", "iron", "golden"), in_material("stick", "iron", "golden")
    ('gold_ore', 'stick')
    >>> in_material("diamond", "diamond", "golden") is None
    True
    """
    for form in _forms(old):
        if item == form:
            return None
        if item.startswith(f"{form}_"):
            rest = item.removeprefix(form)
            return next((other + rest for other in _forms(new) if other + rest in items()), None)
    return item


def _forms(material: str) -> tuple[str, ...]:
    """Return the words that stand for a material in items' names, its own first."""
    adjectives = [word for word, other in HABITS.items() if other == material]
    return tuple(dict.fromkeys([material, *adjectives]))


@cache
def _materials() -> frozenset[str]:
    """Return the materials of tools and armour, the kinds of wood and the colours."""
    gear = (name for name in items() if gear_of(name) and "_" in name)
    named = {name.rsplit("_", 1)[0] for name in gear}
    ends = (name.removesuffix(f"_{end}") for end in ("planks", "wool") for name in tag(end))
    return frozenset(named | set(ends))
