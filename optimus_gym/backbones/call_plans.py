"""The rules' plans as calls of functions, as DEPS and JARVIS-1 write them: `mine({"log": 3}, null)`.

The first plan chains the request's ways from the goal to the held items. A new plan after a failure is the
last plan without its reached steps, as a planner repeats its plan; if the request's explanation names lacking
pieces, the steps that get these pieces come first. Without an explanation the rules see no fault, and repeat
the rest of the plan unchanged.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from optimus_gym.backbones.chaining import GATHERED, ChainStep, Known, chain
from optimus_gym.backbones.lessons import HELD_VERBS
from optimus_gym.core.types import ONCE
from optimus_gym.game.sources import STATIONS
from optimus_gym.game.tools import tools

LACKS: Final = "the agent lacks "
"""Words of an explanation before the lacking pieces."""
IS_GOT_BY: Final = " is got by "
"""Words of an explanation between an item and the verb that gets the item."""
_GOT_BY: Final = re.compile(rf"(\w+){IS_GOT_BY}(\w+)")
_LACKS: Final = re.compile(rf"{LACKS}((?:\d+ \w+(?:, )?)+)")
_AIDED: Final = ("equip", "place")
"""Verbs of steps that a plan of calls leaves out, because calls name their tool and station."""


def plan_in_calls(facts: Mapping[str, Any]) -> str:
    """Return the rules' plan, one call a line, from the facts of a request (`prompts.lines`)."""
    return "\n".join(map(call_of, steps_for(facts)))


def steps_for(facts: Mapping[str, Any]) -> list[ChainStep]:
    """Return the steps of the rules' plan: the repaired rest of the last plan, else a chain to the goal."""
    known = Known(facts)
    rest = _rest(facts, known)
    if not rest:
        return goal_steps(facts, known)
    lacking = lacks_in(facts.get("explanation", ""))
    wanted = {
        name: count if name in (*STATIONS, *tools()) else known.count(name) + count
        for name, count in lacking.items()
    }
    return [*chain(known, wanted), *rest]


def goal_steps(facts: Mapping[str, Any], known: Known) -> list[ChainStep]:
    """Return the chain of steps that reaches the goal from the held items."""
    verb, item, count = facts["goal"]
    if verb == "find":
        return [ChainStep(verb, item, 1)]
    steps = chain(known, {item: count})
    if verb in HELD_VERBS:
        return steps or [ChainStep(verb, item, count)]
    return [*steps, ChainStep(verb, item, 1)]


def lacks_in(explanation: str) -> dict[str, int]:
    """Return the lacking pieces that an explanation of the rules names, by the item's word.

    >>> lacks_in("craft 1 torch uses 1 coal, 1 stick; the agent lacks 1 coal, 1 stick.")
    {'coal': 1, 'stick': 1}
    """
    found = _LACKS.search(explanation)
    pairs = (part.split(" ") for part in found[1].split(", ")) if found is not None else ()
    return {name: int(count) for count, name in pairs}


def call_of(step: ChainStep) -> str:
    """Return a step as a call.

    >>> call_of(ChainStep("mine", "iron_ore", 3, tool="stone_pickaxe"))
    'mine({"iron_ore": 3}, "stone_pickaxe")'
    """
    if step.verb in ONCE or step.verb == "find":
        return f"{step.verb}({json.dumps(step.item)})"
    product, uses = json.dumps({step.item: step.count}), json.dumps(dict(step.uses))
    if step.verb in ("craft", "smelt"):
        return f"{step.verb}({product}, {uses}, {json.dumps(step.station)})"
    return f"{step.verb}({product}, {json.dumps(step.tool)})"


def _rest(facts: Mapping[str, Any], known: Known) -> list[ChainStep]:
    """Return the steps of the last plan that were not reached, with tool and station of their known ways.

    If the first of these steps gathers, the step wants only the pieces that the player lacks.
    """
    past, reached = facts.get("past_plan", ()), facts.get("reached", ())
    verbs = dict(_GOT_BY.findall(facts.get("explanation", "")))
    left = [step for number, step in enumerate(past, start=1) if number not in reached]
    rest = [
        _aided(verbs.get(item, verb), item, count, known)
        for verb, item, count in left
        if verb not in _AIDED or (verb, item) == facts["goal"][:2]
    ]
    if rest and rest[0].verb in GATHERED:
        missing = max(rest[0].count - known.count(rest[0].item), 1)
        rest[0] = replace(rest[0], count=missing)
    return rest


def _aided(verb: str, item: str, count: int, known: Known) -> ChainStep:
    way = known.way(item)
    if way is None or way.verb != verb:
        return ChainStep(verb, item, count)
    return replace(known.step(item, count), item=item, count=count)
