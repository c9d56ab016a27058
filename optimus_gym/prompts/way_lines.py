"""Writes ways to get items as lines of a prompt, and reads the same ways from such lines.

| line | way |
| --- | --- |
| `- mine 1 iron_ore: with stone_pickaxe or better` | digging with a tool |
| `- craft 1 wooden_pickaxe: uses 3 planks, 2 stick; at crafting_table` | a recipe at a station |
| `- smelt 1 iron_ingot: uses 1 iron_ore; at furnace; burns 1 coal for 8` | a piece of coal smelts 8 pieces |
| `- kill 1 beef: from cow` | a creature |
| `- mine 1 obsidian: with diamond_pickaxe or better; holding water_bucket` | an item that must be held |
| `- mine 1 diamond: with iron_pickaxe or better; in y 0 to 15` | a place, if the row names one |
"""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from optimus_gym.prompts.memories import NOTHING

_WAY: Final = re.compile(r"- (\w+) (\d+) (\w+)(?:: (.*))?")
_NOTES: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "uses": re.compile(r"uses (.+)"),
        "station": re.compile(r"at (\w+)"),
        "tool": re.compile(r"with (\w+) or better"),
        "fuel": re.compile(r"burns 1 (\w+) for ([\d.]+)"),
        "holds": re.compile(r"holding (.+)"),
        "creature": re.compile(r"from (\w+)"),
        "place": re.compile(r"in (.+)"),
    }
)


def told_ways(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the lines of ways to get items.

    Args:
        rows: the ways: `verb`, `item`, `count` (pieces of a batch), `uses` (pieces that a batch uses up, by
            item), `station`, `tool`, `fuel` (item, and the pieces that one piece of the item smelts), `holds`
            (items that are held and not used up) and `creature`; None if a way needs no station, tool, fuel
            or creature. A row may also have `place`, in words.
    """
    return "\n".join(map(_told_way, rows)) or NOTHING


def _told_way(row: Mapping[str, Any]) -> str:
    notes = []
    if row["uses"]:
        notes.append("uses " + ", ".join(f"{count} {name}" for name, count in row["uses"].items()))
    if row["station"] is not None:
        notes.append(f"at {row['station']}")
    if row["tool"] is not None:
        notes.append(f"with {row['tool']} or better")
    if row["fuel"] is not None:
        name, pieces = row["fuel"]
        notes.append(f"burns 1 {name} for {pieces:g}")
    if row["holds"]:
        notes.append("holding " + ", ".join(row["holds"]))
    if row["creature"] is not None:
        notes.append(f"from {row['creature']}")
    if row.get("place") is not None:
        notes.append(f"in {row['place']}")
    note = ": " + "; ".join(notes) if notes else ""
    return f"- {row['verb']} {row['count']} {row['item']}{note}"


def ways_in(text: str) -> tuple[dict[str, Any], ...]:
    """Return the ways in the lines that `told_ways` has written.

    Raises:
        ValueError: a line is no way.

    >>> ways_in("- craft 4 planks: uses 1 log")[0]["uses"]
    {'log': 1}
    """
    return () if text == NOTHING else tuple(map(_way, text.splitlines()))


def _way(line: str) -> dict[str, Any]:
    found = _WAY.fullmatch(line)
    if found is None:
        raise ValueError(f"expected a line of ways, got {line!r}")
    verb, count, item, notes = found.groups()
    told: dict[str, re.Match[str]] = {}
    for note in (notes or "").split("; "):
        for name, pattern in _NOTES.items():
            if (match := pattern.fullmatch(note)) is not None:
                told[name] = match
    said = {name: match[1] for name, match in told.items()}
    uses = (part.split(" ", 1) for part in said["uses"].split(", ")) if "uses" in said else ()
    return {
        "verb": verb,
        "item": item,
        "count": int(count),
        "uses": {name: int(pieces) for pieces, name in uses},
        "station": said.get("station"),
        "tool": said.get("tool"),
        "fuel": (said["fuel"], float(told["fuel"][2])) if "fuel" in told else None,
        "holds": tuple(said["holds"].split(", ")) if "holds" in said else (),
        "creature": said.get("creature"),
        **({"place": said["place"]} if "place" in said else {}),
    }
