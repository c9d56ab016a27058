"""Ways to get items that a request of JARVIS-1 states, as calls of code, for the backbone `rules`.

A request states a way by a line of the game's ways, by a call of a remembered plan, by the fault of an
earlier answer, or by the explanation of a failure. The rules know no other way.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from optimus_gym.backbones.lessons import GATHERS, HELD_VERBS, here
from optimus_gym.game.equipment import equipment_place
from optimus_gym.game.items import items
from optimus_gym.game.sources import STATIONS
from optimus_gym.game.tools import tools
from optimus_gym.prompts.code_plans import Call, program_in
from optimus_gym.prompts.lines import ANSWERED, UNUSABLE, named_faults
from optimus_gym.prompts.words import COLLECTIVES, kinds_of

FIRST_GET: Final = "So first get "
"""Beginning of the sentence in which the rules' explanation of a failure names the items to get first."""
ANOTHER_WAY: Final = "in another way"
"""Words in the rules' explanation of a failure that advise against repeating the failed action."""
MADE_VERBS: Final = ("craft", "smelt")
_FAULT: Final = re.compile(r"\((\w+) (\d+) (\w+)\) cannot work: (.*)")
_LACK: Final = re.compile(
    r"(?:(\d+) more (\w+)|needs at least an? (\w+), none|no (\w+) is (?:in reach|held))"
)
_IMPOSSIBLE: Final = re.compile(
    r"\((\w+) \d+ (\w+)\) cannot work: (?:no known block|no recipe|nothing smelts|no known way)"
)
_GUESSES: Final = ("mine", "craft", "smelt")
_PIECES: Final = re.compile(r"(\d+) (\w+)")
_MISSING: Final = re.compile(r"missing_\w+: (\d+) (\w+)")


@dataclass(frozen=True, slots=True)
class Stated:
    """The ways to get items that a request states.

    Attributes:
        held: pieces held, by item.
        near: stations in reach.
        ways: the ways, the preferred ones first.
        avoid: verb and item of each action that the request advises against or calls impossible.
        fuel: pieces that one piece of fuel smelts, by fuel, the preferred fuel first.
    """

    held: Mapping[str, int]
    near: frozenset[str]
    ways: tuple[Call, ...]
    avoid: frozenset[tuple[str, str]] = frozenset()
    fuel: Mapping[str, int] = field(default_factory=dict)

    def count(self, word: str) -> int:
        """Return how many held pieces serve as an item or a collective word, stations in reach included."""
        return sum(self.held.get(kind, 0) for kind in kinds_of(word)) + (word in self.near)

    def of(self, word: str) -> list[Call]:
        """Return the stated ways to an item, else to a word that means the same or another kind, best first.

        Planks of oak serve as "planks", and a way to "planks" serves for planks of oak.
        """
        found = [way for way in self.ways if way.item == word]
        if not found:
            meant = [name for name in COLLECTIVES if word in kinds_of(name)]
            meant += kinds_of(word) if word in COLLECTIVES else ()
            found = [way for way in self.ways if way.item in meant]
        return sorted(found, key=self.is_avoided)

    def word(self, item: str) -> str:
        """Return the collective word for an item that only a collective way brings, else the item."""
        if any(way.item == item for way in self.ways):
            return item
        words = (name for name in COLLECTIVES if item in kinds_of(name))
        return next((name for name in words if any(way.item == name for way in self.ways)), item)

    def is_avoided(self, way: Call) -> bool:
        """Return whether the request advises against a way."""
        return (way.verb, way.item) in self.avoid

    def guess(self, item: str) -> Call:
        """Return a guess for an item without a stated way: craft tools, stations, armour; mine other items.

        A guess that the request advises against gives way to the next one: mine, craft, smelt.
        """
        made = item in tools() or item in STATIONS
        made = made or (item in items() and equipment_place(item) > 0)
        guesses = [Call(verb, item) for verb in ("craft" if made else "mine", *_GUESSES)]
        return next((one for one in guesses if not self.is_avoided(one)), guesses[0])


def stated_in(facts: Mapping[str, Any], text: str) -> Stated:
    """Return what a request states about ways to get items.

    The preferred ways come first: ways whose creature or block is in sight, or whose materials can all be had
    from what is in sight; ways of plans that began in the present place; the game's ways; ways of other
    plans; ways that faults and explanations have named; calls of the last answer that its faults do
    not call impossible. A craft or smelt call without materials is no way.

    Args:
        facts: the request's facts (`prompts.lines`).
        text: the request's text, which after a faulty answer also holds the answer's faults.
    """
    held, near = facts.get("inventory", {}), frozenset(facts.get("stations", ()))
    rows = facts.get("references", ())
    place = here({"screen": {}, **facts})
    near_rows = [row for row in rows if row["environment"] == place]
    others = [row for row in rows if row["environment"] != place]
    verbs = facts.get("verbs", ())
    stated = [*_remembered(near_rows), *facts["ways"], *_remembered(others)]
    able = [way for way in stated if way.verb in verbs and _is_whole(way)]
    sights = " ".join(facts.get("sees", ())).replace(" ", "_")
    near_items = {way.item for way in able if _is_in_sight(way, sights)}
    seen = [
        way
        for way in able
        if _is_in_sight(way, sights) or (way.materials and near_items.issuperset(way.materials))
    ]
    bare = Stated(held, near, tuple(able))
    faults = named_faults(text)
    named = [*_named_by_faults(bare, faults), *_named_by_failure(bare, facts)]
    impossible = {(one[1], one[2]) for fault in faults if (one := _IMPOSSIBLE.search(fault))}
    former = [
        replace(way, note="")
        for way in _last_answer(text)
        if _is_whole(way) and (way.verb, way.item) not in impossible
    ]
    return Stated(
        held,
        near,
        (*seen, *able, *named, *former),
        frozenset(_avoided(facts) | impossible),
        facts.get("fuel", {}),
    )


def _last_answer(text: str) -> tuple[Call, ...]:
    """Return the calls of the last answer in a prompt that asks for a correction."""
    if f"\n{ANSWERED}\n" not in text:
        return ()
    answer = text.rsplit(f"\n{ANSWERED}\n", 1)[1].split(f"\n{UNUSABLE}\n", 1)[0]
    return program_in(answer) or ()


def _is_whole(way: Call) -> bool:
    return way.verb not in MADE_VERBS or bool(way.materials)


def _remembered(rows: Iterable[Mapping[str, Any]]) -> list[Call]:
    return [replace(call, note="") for row in rows for call in row["plan"]]


def _is_in_sight(way: Call, sights: str) -> bool:
    """Return whether the block or creature of a way is in sight."""
    return bool(way.origin) and way.origin in sights


def _named_by_faults(stated: Stated, faults: Sequence[str]) -> list[Call]:
    """Return the way that each fault of an answer names: the faulty step, and all that the step lacks."""
    named = [
        _lacking(stated, Call(found[1], found[3], int(found[2])), _lacks_in(found[4]))
        for fault in faults
        if (found := _FAULT.search(fault)) is not None and found[1] in HELD_VERBS
    ]
    return [way for way in named if way.inputs]


def _lacks_in(why: str) -> list[tuple[str, int]]:
    """Return the lacking items in a fault's words.

    >>> _lacks_in("no furnace is in reach, and 2 more stick would be needed")
    [('furnace', 1), ('stick', 2)]
    """
    return [
        (more or tool or lack, int(count or 1)) for count, more, tool, lack in _LACK.findall(why)
    ]


def _named_by_failure(stated: Stated, facts: Mapping[str, Any]) -> list[Call]:
    """Return the way that the explanation of a failure names, or without one the failure itself."""
    if "action" not in facts or facts["action"].verb not in HELD_VERBS:
        return []
    explained = facts.get("explanation", "")
    if FIRST_GET in explained:
        pieces = _PIECES.findall(explained.rsplit(FIRST_GET, 1)[1])
    else:
        pieces = _MISSING.findall(facts.get("failure", ""))
    lacks = [(name, int(count)) for count, name in pieces]
    return [_lacking(stated, facts["action"], lacks)] if lacks else []


def _lacking(stated: Stated, call: Call, lacks: Sequence[tuple[str, int]]) -> Call:
    """Return a way that needs the materials of a call, and the items that the call lacked.

    Held pieces of a lacking item are needed, too, since the call lacked still more pieces.
    """
    materials, tool = dict(call.materials), call.tool
    for name, count in lacks:
        if name in STATIONS or name in tools():
            tool = name
        elif call.verb in MADE_VERBS:
            word = stated.word(name)
            materials[word] = max(count + stated.count(word), materials.get(word, 0))
    return Call(call.verb, stated.word(call.item), call.count, materials, tool)


def _avoided(facts: Mapping[str, Any]) -> set[tuple[str, str]]:
    if "action" not in facts or ANOTHER_WAY not in facts.get("explanation", ""):
        return set()
    return {(facts["action"].verb, facts["action"].item)}


def is_gathered(call: Call) -> bool:
    """Return whether the pieces of a call come one by one from the world around the player."""
    return call.verb in GATHERS
