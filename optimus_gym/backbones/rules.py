"""A backbone without a language model: it applies rules to the text of a request."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from optimus_gym.backbones.answer_forms import answer_in_form
from optimus_gym.backbones.bare import bare_steps, plan_step
from optimus_gym.backbones.code_rules import code_plan, explanation, needed_items, wording_choice
from optimus_gym.backbones.curriculum import proposed_tasks
from optimus_gym.backbones.lessons import HELD_VERBS, detour, shortcut, way
from optimus_gym.backbones.verdict import verdict_on
from optimus_gym.core.predicaments import LITTLE_FOOD, LOW_HEALTH
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.types import RECOVER
from optimus_gym.game.tools import able_tools, cheapest_tool, uses_of
from optimus_gym.prompts.lines import NOTHING, facts_in

PLANS: Final = ("plan", "replan")
"""Kinds of requests whose answer is a plan."""
WEAK_HEALTH: Final = 10
"""Health in half-hearts; at night an agent with this health or less rests (our choice)."""
A_NIGHT: Final = 700
"""Seconds that an episode must still last for the agent to wait for the morning; a night takes 525 s
(Minecraft Wiki, "Daylight cycle")."""
_FULL: Final = 20
_PLANNED: Final = frozenset(
    {"goal", "inventory", "equipped", "stations", "verbs", "experiences", "screen", "left"}
)
"""Names of the facts that every request for a plan holds."""
_JUDGED: Final = frozenset(
    {
        *("subgoal", "seconds", "usual", "before", "now", "came", "used", "cases"),
        *("changed_before", "changed_last", "changed_second", "still"),
    }
)
"""Names of the facts that every request for a reflection holds."""
_CODED: Final = frozenset({"goal", "verbs", "ways", "references"})
"""Names of the facts that every request for a plan in code holds."""
_INSTRUCTED: Final = frozenset({"pool", "batch"})
"""Names of the facts that every request for tasks to learn from holds."""
_WORDED: Final = frozenset({"subgoal", "options"})
"""Names of the facts that every request for the wording of a sub-goal holds."""
_QUERIED: Final = frozenset({"goal", "depth", "ways"})
"""Names of the facts that every request for backward reasoning holds."""
_EXPLAINED: Final = frozenset({"action", "failure", "inventory", "ways"})
"""Names of the facts that every request for the explanation of a failure holds."""


class RulesBackbone:
    """Writes plans and verdicts from the text of a request alone.

    If the text has lines of a knowledge graph, the plan follows these lines. A past success in the player's
    present environment (biome, cave, water or night) replaces the lines if it was much quicker, or if a step
    of the lines failed before in this environment. Without lines of a graph, the plan comes from a success at
    the same or a similar task in the text (`backbones.lessons`). Without a graph and without a success, the
    plan is the bare goal, preceded by the item that the last try lacked (`backbones.bare`): the rules know no
    recipe by heart. A remembered plan that worked after the same setback as the present one replaces the
    failed step, or the whole plan. The verdict of a reflection comes from a linear classifier
    (`backbones.verdict`) on numbers in the text, about screens and similar past cases.
    """

    name = "rules"
    takes_pictures = False

    def complete(self, requests: Sequence[Request]) -> list[Reply]:
        """Answer each request by the rules; the same text always gives the same answer.

        If a text lacks the labelled lines of a question (`prompts.lines`), the answer says so.
        """
        return [Reply(answer_to(request.text), 0.0, self.name) for request in requests]


def answer_to(text: str) -> str:
    """Return the rules' answer to a request's text."""
    facts = facts_in(text) or {}
    if (said := answer_in_form(facts)) is not None:
        return said
    if facts.keys() >= _PLANNED:
        return json.dumps({f"step {n}": one for n, one in enumerate(_plan(facts), start=1)})
    if facts.keys() >= _JUDGED:
        return verdict_on(facts)
    if facts.keys() >= _CODED:
        return code_plan(facts, text)
    if facts.keys() >= _INSTRUCTED:
        return proposed_tasks(facts)
    if facts.keys() >= _WORDED:
        return wording_choice(facts)
    if facts.keys() >= _QUERIED:
        return needed_items(facts)
    if facts.keys() >= _EXPLAINED:
        return explanation(facts)
    return "The rules answer a question for a plan or for a reflection, and this is neither."


def _plan(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the steps of a plan; the first step is a recovery if the screen shows a predicament."""
    rows = facts["steps"] if facts.get("unknown", "") == NOTHING else ()
    rest = _rest(facts, rows)
    first = prelude(facts, rows)
    return rest if first is None else [plan_step(RECOVER, first, 1), *rest]


def _rest(facts: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a plan's steps without a recovery: from the graph's lines, or else from past episodes."""
    verb, item, count = facts["goal"]
    if facts.get("unknown", "") != NOTHING:
        return detour(way(facts) or bare_steps(facts), facts)
    writer = Writer(facts)
    for number, line in enumerate(rows):
        writer.add(line, rows[number + 1 :])
    if verb not in HELD_VERBS:
        writer.write(verb, item, count)
    return detour(shortcut(writer.steps, facts), facts)


class Writer:
    """Writes a plan's steps; tracks the items that the player will hold, have in hand and have in reach.

    Held tools are assumed to be new.

    Args:
        facts: the facts of a request for a plan (`prompts.lines`): items held, in hand and in reach.

    Attributes:
        steps: the steps so far.
    """

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self.steps: list[dict[str, Any]] = []
        self.held = {name: count for name, count in facts["inventory"].items() if count > 0}
        self.hand: str | None = facts["equipped"]
        self.near: set[str] = set(facts["stations"])
        self.worn: dict[str, int] = {}
        """Number of uses of each tool in the plan so far, by the tool's name."""

    def add(self, line: Mapping[str, Any], later: Sequence[Mapping[str, Any]]) -> None:
        """Add the step of one line of the knowledge graph, preceded by the steps that make it possible.

        Args:
            line: one of the knowledge graph's lines in the request.
            later: the graph's lines after `line`, for which tools must last.
        """
        by_hand = line["verb"] in ("craft", "smelt")
        if not by_hand:
            self._take_in_hand(line["tool"], line["count"], later)
            self._take_along()
        for name, count in line["uses"].items():
            if name in self.near and self.held.get(name, 0) < count:
                self._take_up(name)
            self._add(name, -count)
        if by_hand and line["station"] is not None:
            self._place(line["station"])
        self.write(line["verb"], line["item"], line["count"])
        self._add(line["item"], line["count"])

    def write(self, verb: str, item: str, count: int) -> None:
        """Add one sub-goal as a step of the plan."""
        self.steps.append(plan_step(verb, item, count))

    def _add(self, item: str, count: int) -> None:
        self.held[item] = max(self.held.get(item, 0) + count, 0)

    def _take_in_hand(
        self, needed: str | None, uses: int, later: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        if needed is None:
            return
        chosen = self._tool_for(needed, uses, later)
        if chosen != self.hand:
            self.write("equip", chosen, 1)
            self.hand = chosen
        self.worn[chosen] = self.worn.get(chosen, 0) + uses

    def _tool_for(self, needed: str, uses: int, later: Sequence[Mapping[str, Any]]) -> str:
        """Return the strongest held tool that can replace `needed` and lasts for the later lines.

        The steps from the knowledge graph name the weakest able tool `needed` for all uses; a stronger tool
        is preferred only if the steps to come leave enough of its uses. If no held tool lasts, return the
        weakest held tool that can replace `needed`, or `needed` if none is held.
        """
        for name in reversed(able_tools(needed)):
            reserved = sum(line["count"] for line in later if line["tool"] == name)
            left = self.held.get(name, 0) * uses_of(name) - self.worn.get(name, 0)
            if self.held.get(name, 0) and left >= uses + reserved:
                return name
        held = (name for name in able_tools(needed) if self.held.get(name, 0))
        return next(held, needed)

    def _place(self, station: str) -> None:
        if station not in self.near:
            self.write("place", station, 1)
            self._add(station, -1)
            self.near.add(station)
            self.hand = None

    def _take_up(self, station: str) -> None:
        """Add a step that mines a placed station, because a later step uses the station up."""
        self._take_in_hand(cheapest_tool(station), 1)
        self.write("mine", station, 1)
        self._take_along()

    def _take_along(self) -> None:
        """Count the stations in reach as held again, since the agent pockets its stations when it mines."""
        for station in sorted(self.near):
            self._add(station, 1)
        self.near.clear()


def prelude(facts: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the predicament from which the plan should first recover, None if there is none.

    Predicaments whose recovery has no chance now, or has just failed, are skipped.

    Args:
        facts: the facts of a request for a plan (`prompts.lines`).
        rows: the graph's lines that the plan will follow.
    """
    if RECOVER not in facts["verbs"]:
        return None
    failed, vain = facts.get("failed", ""), facts.get("vain", ())
    asked = (name for name in _asked(facts, rows) if name not in vain)
    return next((name for name in asked if not _is_of(failed, name)), None)


def _is_of(failed: str, name: str) -> bool:
    return failed.startswith(RECOVER) and failed.endswith(f" {name}")


def _asked(facts: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the predicaments that the screen shows, the most pressing first."""
    screen = facts["screen"]
    health, food = _halves(screen.get("health", "")), _halves(screen.get("food", ""))
    above = bool(rows) and (rows[0]["item"] == "log" or rows[0]["creature"] is not None)
    where = screen.get("environment", "")
    signs = {
        "in_water": where == "under_water",
        "hurt": health <= LOW_HEALTH,
        "hungry": food <= LITTLE_FOOD,
        "drop_down": where == "cave" and above,
        "night": where == "night" and health <= WEAK_HEALTH and facts["left"] > A_NIGHT,
    }
    return [name for name, shows in signs.items() if shows]


def _halves(words: str) -> int:
    found = re.match(r"\d+", words)
    return int(found[0]) if found else _FULL
