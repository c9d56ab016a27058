"""Materials in items' names: "iron_axe" is an axe of iron; the same thing of gold is "golden_axe"."""

from functools import cache
from typing import NamedTuple

from optimus_gym.game.items import items
from optimus_gym.game.tags import tag
from optimus_gym.game.tools import tools
from optimus_gym.prompts.words import HABITS


class MadeOf(NamedTuple):
    """The two parts of an item's name.

    Attributes:
        material: the material or colour, such as "iron", "dark_oak" or "red".
        thing: the name without the material, such as "pickaxe" or "door".
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
    """Return "tool" for a tool, "armour" for a piece of armour, and "" for any other item."""
    if item in tools():
        return "tool"
    return "armour" if item in items() and items()[item].armour is not None else ""


@cache
def kin_of(item: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the items that differ from an item in the thing alone, and those that differ in the material.

    Returns:
        the other tools (or, for armour, the other armour) of the same material; then the same thing in other
        materials.

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
    """Return the item that has the material `new` in place of the material `old`.

    An item without the old material is returned unchanged. The result is None if the item has the old
    material and the game has no such item of the new material.

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
    """Return the words for a material in items' names ("golden" and "gold"), the given word first."""
    adjectives = [word for word, other in HABITS.items() if other == material]
    return tuple(dict.fromkeys([material, *adjectives]))


@cache
def _materials() -> frozenset[str]:
    """Return the materials of tools and armour, the kinds of wood and the colours."""
    gear = (name for name in items() if gear_of(name) and "_" in name)
    named = {name.rsplit("_", 1)[0] for name in gear}
    ends = (name.removesuffix(f"_{end}") for end in ("planks", "wool") for name in tag(end))
    return frozenset(named | set(ends))
