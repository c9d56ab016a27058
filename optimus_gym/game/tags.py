"""Item tags: named sets of items that recipes, fuels and tools refer to."""

from collections.abc import Mapping, Sequence
from fnmatch import filter as glob
from functools import cache
from types import MappingProxyType

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.game.rows import rows


@cache
def tags() -> Mapping[str, tuple[str, ...]]:
    """Return each tag's items, in the file's order, nested tags expanded.

    Source: `data/tags.json`; Minecraft Wiki "Tag" (Java Edition 1.16 item tags).
    """
    table: dict[str, tuple[str, ...]] = {}
    for row in rows("tags"):
        members: dict[str, None] = {}
        for entry in row["items"]:
            members |= dict.fromkeys(table[entry[1:]] if entry.startswith("#") else (entry,))
        table[row["tag"]] = tuple(members)
    return MappingProxyType(table)


def tag(name: str) -> tuple[str, ...]:
    """Return the items of one tag.

    Raises:
        UnknownName: no such tag.
    """
    if name not in tags():
        raise UnknownName("tag", name, tags())
    return tags()[name]


def select(patterns: Sequence[str], names: Sequence[str], where: str) -> tuple[str, ...]:
    """Return the names that match a data row's patterns, in the patterns' order, each name once.

    A pattern is a name, a glob ("*_stairs") or a tag ("#planks").

    Raises:
        BadValue: a pattern matches no name in `names`.
        UnknownName: no such tag.
    """
    known = dict.fromkeys(names)
    chosen: dict[str, None] = {}
    for pattern in patterns:
        if pattern.startswith("#"):
            found = [name for name in tag(pattern[1:]) if name in known]
        elif pattern in known:
            found = [pattern]
        else:
            found = glob(names, pattern)
        if not found:
            raise BadValue(
                f"expected a name, glob or tag that matches known names, got {pattern!r} ({where})"
            )
        chosen |= dict.fromkeys(found)
    return tuple(chosen)
