"""Rules that answer the requests of JARVIS-1: plans in code, and explanations of failures.

The rules reason backward from the goal over the ways that the request states (`code_ways`), as JARVIS-1's
model does over its knowledge and its reference plans (JARVIS-1, sections 3.2 and 3.3).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import Any, Final

from optimus_gym.backbones.code_ways import (
    ANOTHER_WAY,
    FIRST_GET,
    MADE_VERBS,
    Stated,
    is_gathered,
    stated_in,
)
from optimus_gym.backbones.lessons import HELD_VERBS
from optimus_gym.core.types import ONCE
from optimus_gym.game.tools import able_tools, tools, uses_of
from optimus_gym.prompts.code_plans import Call, told_program
from optimus_gym.prompts.lines import NOTHING, UNKNOWN
from optimus_gym.prompts.words import in_words, kinds_of, with_article

DEEPEST_CHAIN: Final = 40
"""Maximum number of ways that the rules chain, one behind the other; the longest chain of the game is
shorter."""
GROUND_HEIGHT: Final = 60
"""Height of the feet, blocks, below which the rules take the agent to be below ground: our choice, just below
the sea's level (63; Minecraft Wiki, "Altitude")."""
DIAMOND_HEIGHT: Final = 15
"""Greatest height of diamond ore, blocks (Minecraft Wiki, "Diamond Ore")."""
VAIN_SEARCHES: Final = ("not_found", "timeout", "stuck")
"""Reasons of failures after which the rules advise to get the item in another way."""


def code_plan(facts: Mapping[str, Any], text: str) -> str:
    """Return a plan in code to the goal of a request.

    Args:
        facts: the request's facts (`prompts.lines`).
        text: the request's text, which after a faulty answer also holds the answer's faults.
    """
    verb, item, count = facts["goal"]
    chain = BackwardChain(stated_in(facts, text))
    calls = [] if verb == "find" else chain.to(verb, item, count)
    if verb in ONCE or verb == "find":
        calls.append(Call(verb, item))
    return told_program(calls, item)


@dataclass(slots=True)
class BackwardChain:
    """Reasons backward from a goal over stated ways, and lists the calls from the first to the last one.

    Attributes:
        stated: the stated ways, and the held pieces.
        chosen: the chosen way to each item; held items without any way have none.
        order: the items, each after the items that its way needs.
        fires: the fuel of each smelted item's way.
    """

    stated: Stated
    chosen: dict[str, Call] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    fires: dict[str, str] = field(default_factory=dict)

    def to(self, verb: str, item: str, count: int) -> list[Call]:
        """Return the calls that lead from the held pieces to `count` pieces of an item."""
        known = bool(self.stated.of(item)) or verb in ONCE
        if not known or not self._resolve(item, ()):
            self._choose(item, Call(verb, item))
        return self._calls(item, count)

    def _resolve(self, item: str, path: tuple[str, ...]) -> bool:
        """Choose ways to an item and to all that its way needs; return whether this is possible.

        Args:
            item: the item.
            path: the items for which the item is needed; a way that needs one of them is a circle.
        """
        if item in self.order:
            return True
        if item in path or len(path) > DEEPEST_CHAIN:
            return False
        ways = self.stated.of(item)
        for way in ways:
            if self._is_possible(way, (*path, item)):
                self._choose(item, way)
                return True
        if self.stated.count(item):
            self.order.append(item)
            return True
        if ways:
            return False
        self._choose(item, self.stated.guess(item))
        return True

    def _is_possible(self, way: Call, path: tuple[str, ...]) -> bool:
        if not all(self._resolve(name, path) for name in way.inputs):
            return False
        if way.verb != "smelt" or any(name in self.stated.fuel for name in way.materials):
            return True
        fire = self._fuel(path)
        if fire is not None:
            self.fires[path[-1]] = fire
        return fire is not None or not self.stated.fuel

    def _fuel(self, path: tuple[str, ...]) -> str | None:
        """Return the fuel for a smelted item: a held one, or the first one that can be had."""
        known = [name for name in self.stated.fuel if self.stated.of(name)]
        known.sort(key=lambda name: self.stated.is_avoided(self.stated.of(name)[0]))
        held = [name for name in self.stated.fuel if self.stated.count(name)]
        return next((name for name in (*held, *known) if self._resolve(name, path)), None)

    def _choose(self, item: str, way: Call) -> None:
        self.chosen[item] = way
        self.order.append(item)

    def _calls(self, goal: str, count: int) -> list[Call]:
        """Return one call for each item of the order that the held pieces do not cover."""
        uses_up: Counter[str] = Counter({goal: count})
        uses: Counter[str] = Counter()
        present: set[str] = set()
        calls: list[Call] = []
        for item in reversed(self.order):
            tools_worn = ceil(uses[item] / uses_of(item)) if item in tools() else 1
            wanted = uses_up[item] + (max(tools_worn, 1) if item in present else 0)
            lacks = wanted - self._held(item, is_tool=item in present)
            way = self.chosen.get(item)
            if lacks <= 0 or way is None:
                continue
            batches = lacks if is_gathered(way) else ceil(lacks / way.count)
            pieces = lacks if is_gathered(way) else batches * way.count
            materials = {name: n * batches for name, n in way.materials.items()}
            if way.verb == "smelt" and item in self.fires:
                fire = self.fires[item]
                burnt = ceil(pieces / self.stated.fuel[fire])
                materials[fire] = materials.get(fire, 0) + burnt
            uses_up.update(materials)
            present |= {name for name in (*way.holds, way.tool) if name is not None}
            if way.tool is not None and is_gathered(way):
                uses[way.tool] += lacks
            tool = self._tool(way.tool)
            calls.append(Call(way.verb, item, pieces, materials, tool, way.holds))
        return calls[::-1]

    def _held(self, item: str, is_tool: bool) -> int:
        """Return the held pieces that serve as an item; stronger tools serve as a tool."""
        if is_tool and item in tools():
            return sum(self.stated.count(name) for name in able_tools(item))
        return self.stated.count(item)

    def _tool(self, needed: str | None) -> str | None:
        """Return the weakest held tool that serves as the needed tool, or the needed tool itself."""
        if needed not in tools() or needed is None:
            return needed
        return next((name for name in able_tools(needed) if self.stated.count(name)), needed)


def needed_items(facts: Mapping[str, Any]) -> str:
    """Return the items that a goal and its parts need, one line an item (JARVIS-1, section 3.3, Figure 5).

    The rules reason backward over the stated ways, at most as many steps as the request says, and leave out
    held items.

    Args:
        facts: the request's facts (`prompts.lines`).
    """
    _, item, _ = facts["goal"]
    stated = stated_in({"verbs": HELD_VERBS, **facts}, "")
    lines: dict[str, tuple[str, ...]] = {}
    level = [item]
    for _ in range(facts["depth"]):
        for name in level:
            needs = stated.of(name)[0].inputs if stated.of(name) else ()
            lines[name] = tuple(one for one in needs if not stated.count(one))
        level = [one for name in level for one in lines[name] if one not in lines]
    told = (f"{name}: {', '.join(needs)}" for name, needs in lines.items() if needs)
    return "\n".join(told) or NOTHING


def wording_choice(facts: Mapping[str, Any]) -> str:
    """Return the choice of the first text that fits the stated situation, as "Thought" and "Text".

    Args:
        facts: the request's facts (`prompts.lines`).
    """
    _, _, wanted = facts["subgoal"].split(" ", 2)
    item, _, creature = wanted.partition(" from ")
    kinds = (item, *kinds_of(item))
    things = (*kinds, creature) if creature else kinds
    sights = " ".join(facts.get("sees", ())).replace(" ", "_")
    height, hand = facts.get("height"), facts.get("equipped") or ""
    fits = {
        "in sight": any(f"_{thing}" in f"_{sights}" for thing in things),
        "holding some": any(facts.get("inventory", {}).get(kind) for kind in kinds),
        "an axe in hand": hand.endswith("_axe"),
        "at the bottom": height is not None and height <= DIAMOND_HEIGHT,
        "below ground": height is not None and height < GROUND_HEIGHT,
        "else": True,
    }
    whens = [one["when"] for one in facts["options"]]
    number = next((n for n, when in enumerate(whens) if fits.get(when)), 0)
    return f"Thought: the situation is this: {whens[number]}.\nText: {number + 1}"


def explanation(facts: Mapping[str, Any]) -> str:
    """Return in one line why an action failed, and what to do about it (JARVIS-1, appendix C.2, listing 3).

    The line names all materials and tools of the action that are missing, or, after a vain search, advises to
    get the item in another way.

    Args:
        facts: the request's facts (`prompts.lines`).
    """
    action: Call = facts["action"]
    why = str(facts["failure"])
    reason = why.split(":", 1)[0].split(" ", 1)[0]
    doing = f"{action.verb} {in_words(action.item)}"
    if reason in VAIN_SEARCHES and action.verb in MADE_VERBS:
        return (
            f"Because there is no way to {doing} ({why}). So get {action.item} {ANOTHER_WAY}, "
            "or do without it."
        )
    if reason in VAIN_SEARCHES:
        biome = facts.get("biome", UNKNOWN)
        where = "here" if biome == UNKNOWN else f"here, in {in_words(biome)}"
        return (
            f"Because my search to {doing} was in vain {where} ({why}). "
            f"So get {action.item} {ANOTHER_WAY}, or look for it elsewhere."
        )
    lacks = _lacks(facts, action)
    if not lacks:
        return f"Because my try to {doing} ended so: {why}. So try again."
    needs = _listed({name: count for name, count in lacks.items() if name not in tools()})
    tool = next((f" with {with_article(name)}" for name in lacks if name in tools()), "")
    held = _listed({name: facts["inventory"][name] for name in lacks if name in facts["inventory"]})
    return (
        f"Because to {doing}{tool} takes {needs} more, and I hold {held} of that. "
        f"{FIRST_GET}{_listed(lacks)}."
    )


def _lacks(facts: Mapping[str, Any], action: Call) -> dict[str, int]:
    """Return the pieces that an action lacks, by the stated way to its item and by the failure itself."""
    stated = stated_in({"references": (), **facts, "verbs": HELD_VERBS}, "")
    if action.verb in ONCE:
        return {} if stated.count(action.item) else {action.item: 1}
    ways = [way for way in stated.of(action.item) if way.verb == action.verb]
    lacks: dict[str, int] = {}
    for way in (*ways[:1], *ways[-1:], action):
        lacks = _short(stated, way, action.count) | lacks
    return {name: count for name, count in lacks.items() if count > 0}


def _short(stated: Stated, way: Call, count: int) -> dict[str, int]:
    """Return how many pieces of each input the held pieces lack for a way that gets `count` pieces."""
    batches = ceil(count / way.count) if way.verb in MADE_VERBS else 1
    short = {name: n * batches - stated.count(name) for name, n in way.materials.items()}
    for name in (way.tool, *way.holds):
        if name is not None:
            able = able_tools(name) if name in tools() else (name,)
            short[name] = 1 - sum(stated.count(one) for one in able)
    return short


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or NOTHING
