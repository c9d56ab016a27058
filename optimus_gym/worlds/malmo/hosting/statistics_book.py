"""The game's statistics since an episode's beginning, counted from a world's events, keys and poses.

Minecraft Wiki, "Statistics" (1.16): distances in hundredths of a block, damage in tenths of half-hearts,
times in ticks. Deeds that a world does not report stay at 0, such as the use of an empty bucket.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot
from typing import Final

from optimus_gym.core.types import Event
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.items import items
from optimus_gym.worlds.malmo.reports import STATISTICS

_PLAIN: Final = {
    "picked_up": "pickup",
    "mined": "mine_block",
    "crafted": "craft_item",
    "smelted": "craft_item",  # the game counts what is taken out of a furnace as crafted
    "used": "use_item",
    "broken": "break_item",
    "killed": "kill_entity",
}
"""Kinds of events, each with the group that counts its pieces."""
_TENTHS: Final = 10
_LEAP: Final = (0.4, 0.45)
"""Rise of the first tick of a jump, blocks; Minecraft Wiki, "Jumping" (0.42)."""
_CARRIED: Final = 10.0
"""Way of a tick, in blocks, from which it is no movement, such as a teleportation."""


@dataclass(frozen=True, slots=True)
class TickFacts:
    """The facts of a tick besides its events.

    Attributes:
        keys: the pressed keys.
        tool: the item in hand before the tick, or "".
        dropped: the item of a piece that was thrown away, or "".
        way: the way of the tick along x, y and z, blocks.
        alive: whether the player lives at the tick's end.
    """

    keys: frozenset[str]
    tool: str
    dropped: str
    way: tuple[float, float, float]
    alive: bool


class StatisticsBook:
    """Counts of one episode by group and name; names are those of 1.16 without "minecraft:"."""

    def __init__(self) -> None:
        self._counts: dict[str, dict[str, int]] = {group: {} for group in STATISTICS}
        self._fractions: dict[str, float] = {}

    def counts(self) -> Mapping[str, Mapping[str, int]]:
        """Return a copy of all counts, without groups that count nothing yet."""
        return {group: dict(names) for group, names in self._counts.items() if names}

    def note(self, events: tuple[Event, ...], facts: TickFacts) -> None:
        """Count a tick with its events."""
        for event in events:
            self._note_event(event, facts)
        if facts.dropped:
            self._add("drop", facts.dropped, 1)
            self._add("custom", "drop", 1)
        self._note_way(facts)
        self._add("custom", "play_one_minute", 1)
        self._add("custom", "time_since_rest", 1)
        if facts.alive:
            self._add("custom", "time_since_death", 1)
        if "sneak" in facts.keys:
            self._add("custom", "sneak_time", 1)

    def _add(self, group: str, name: str, count: int) -> None:
        table = self._counts[group]
        table[name] = table.get(name, 0) + count

    def _note_event(self, event: Event, facts: TickFacts) -> None:
        group = _PLAIN.get(event.kind)
        if group is not None:
            self._add(group, event.subject, event.count)
        worn = facts.tool in items() and items()[facts.tool].max_durability > 0
        if worn and (event.kind == "mined" or (event.kind == "dealt" and "attack" in facts.keys)):
            self._add("use_item", facts.tool, 1)
        if event.kind == "killed":
            self._add("custom", "mob_kills", event.count)
        elif event.kind == "dealt":
            for counted in ("damage_dealt", "custom"):
                self._add(counted, "damage_dealt", _TENTHS * event.count)
        elif event.kind == "hurt":
            self._add("custom", "damage_taken", _TENTHS * event.count)
        elif event.kind == "died":
            self._add("custom", "deaths", 1)
            self._counts["custom"]["time_since_death"] = 0
            if event.subject in creature_kinds():
                self._add("entity_killed_by", event.subject, 1)

    def _note_way(self, facts: TickFacts) -> None:
        """Count the way of a tick and its jump; the keys say how the player walked."""
        x, y, z = facts.way
        if max(abs(x), abs(y), abs(z)) >= _CARRIED:
            return
        kind = "crouch" if "sneak" in facts.keys else "sprint" if "sprint" in facts.keys else "walk"
        self._add_way(f"{kind}_one_cm", hypot(x, z))
        if y < 0.0:
            self._add_way("fall_one_cm", -y)
        elif "jump" in facts.keys and _LEAP[0] < y < _LEAP[1]:
            self._add("custom", "jump", 1)

    def _add_way(self, name: str, blocks: float) -> None:
        """Count whole hundredths of a block, and keep the rest for the next tick."""
        whole, rest = divmod(self._fractions.get(name, 0.0) + 100.0 * blocks, 1.0)
        self._fractions[name] = rest
        if whole:
            self._add("custom", name, int(whole))
