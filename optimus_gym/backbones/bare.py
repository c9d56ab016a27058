"""A plan without recipes ("bare goal"): the wanted item, preceded by the item that the last try lacked."""

import re
from collections.abc import Mapping
from typing import Any, Final

from optimus_gym.core.types import ONCE
from optimus_gym.game.sources import STATIONS
from optimus_gym.game.tools import able_tools, tools
from optimus_gym.prompts.words import in_words, kinds_of

_LACKED: Final = re.compile(r"missing_\w+: (\d+) (\w+)")


def bare_steps(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the steps of a plan for the bare goal, made from a request's facts without any recipe.

    If the last plan lacked a station in reach or a tool in hand, and the inventory holds the station or an
    able tool, the new plan first places the station or equips the tool. A lack that placing or equipping a
    held item cannot mend makes the new plan first get the lacking item, unless this is the goal's item: a
    station or tool by crafting, any other item by mining.

    Args:
        facts: the facts of a request for a plan (`prompts.lines`).

    >>> facts = {"goal": ("craft", "chest", 1), "inventory": {"crafting_table": 1}, "failure":
    ...     "missing_station: 1 crafting_table (none is in reach)"}
    >>> [step["task"] for step in bare_steps(facts)]
    ['place crafting table', 'craft 1 chest']
    """
    verb, item, count = facts["goal"]
    held = sum(facts.get("inventory", {}).get(name, 0) for name in (item, *kinds_of(item)))
    wanted = count - held if verb not in ONCE and 0 < held < count else count
    return [*amends(facts), plan_step(verb, item, wanted)]


def amends(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a list with the step that gets the item that the last plan lacked; empty if there is none."""
    lacked = _LACKED.match(facts.get("failure", ""))
    if lacked is None:
        return []
    count, item = int(lacked[1]), lacked[2]
    held = {name for name, pieces in facts.get("inventory", {}).items() if pieces}
    if item in STATIONS and item in held:
        return [plan_step("place", item, 1)]
    fits = [name for name in (able_tools(item) if item in tools() else ()) if name in held]
    if fits:
        return [plan_step("equip", fits[-1], 1)]
    if item == facts["goal"][1]:
        return []
    made = item in STATIONS or item in tools()
    return [plan_step("craft" if made else "mine", item, count)]


def plan_step(verb: str, item: str, count: int) -> dict[str, Any]:
    """Return one step of a plan, with the task in words and the goal as item and count.

    >>> plan_step("mine", "log", 3)
    {'task': 'mine 3 log', 'goal': ['log', 3]}
    """
    number = f"{count} " if verb not in ONCE else ""
    return {"task": f"{verb} {number}{in_words(item)}", "goal": [item, count]}
