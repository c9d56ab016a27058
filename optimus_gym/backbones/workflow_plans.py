"""The rules as MP5's planner: the actions of one sub-objective, as a workflow (MP5, Table 10).

A thing that the player must walk to is looked for ("find") unless the request says that it is in view, and
approached ("move_to"). If the request leaves the view out, the rules look for the thing in any case. If the
percipient cannot tell, or the last look has failed, the rules leave the search to the action itself.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from optimus_gym.backbones.call_plans import lacks_in
from optimus_gym.backbones.chaining import ChainStep, Known
from optimus_gym.backbones.sought_things import is_yes, sought_in
from optimus_gym.game.sources import STATIONS
from optimus_gym.game.tools import able_tools, tools
from optimus_gym.prompts.code_plans import Call
from optimus_gym.prompts.words import kinds_of

NOT_TOLD: Final = "not known"
"""An answer of the percipient that has no means to see what it is asked."""
BELOW_TOP: Final = 4
"""Blocks from the highest place of an item down to the end of a shaft: our choice, above lava at y 10."""
SEEKING: Final = ("find", "move_to")
"""Actions that lead to a thing, before the action on the thing."""
_SHAFT: Final = re.compile(r"\by (\d+) to (\d+)\b")
"""Pattern of the heights in a sub-objective's tips, such as "y 0 to 15"."""
WorkflowAction = dict[str, Any]


def plan_in_workflow(facts: Mapping[str, Any]) -> str:
    """Return a workflow as MP5's planner writes it, from the facts of a request (`prompts.lines`)."""
    actions = _Actions(facts).all()
    groups = [{"times": 1, "actions": [action]} for action in actions]
    return json.dumps({"workflow": groups})


class _Actions:
    """Makes the actions of one sub-objective.

    Args:
        facts: the request's facts.
    """

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self._facts = facts
        self._verbs: Sequence[str] = facts.get("verbs", ())
        self._known = Known(facts)
        self._failed: tuple[str, str, int] | None = facts.get("failed_step")
        self._references: Sequence[Mapping[str, Any]] = facts.get("references", ())

    def all(self) -> list[WorkflowAction]:
        """Return the actions, with the actions that get what the last try lacked before them."""
        verb, item, count = self._facts["goal"]
        if verb == "find":
            return [*self._beside(item), _action("find", item)]
        if verb in ("equip", "place"):
            return [*self._amends(), _action(verb, item)]
        like = self._like(item)
        if self._known.way(item) is None and like is not None:
            return [*self._amends(), *_repeated(like, count)]
        step = self._known.step(item, count)
        if step.verb != verb:
            step = ChainStep(verb, item, count)
        return [*self._amends(), *self._of(step, count)]

    def _of(self, step: ChainStep, count: int) -> list[WorkflowAction]:
        if step.verb in ("craft", "smelt"):
            near = step.station is None or step.station in self._known.near
            placed = [] if near else [_action("place", str(step.station))]
            args = {"obj": {step.item: count}, "materials": dict(step.uses)}
            return [*placed, {"name": step.verb, "args": {**args, "platform": step.station}}]
        held = self._tool(step.tool)
        taken = [] if held in (None, self._facts.get("equipped")) else [_action("equip", str(held))]
        way = self._known.way(step.item)
        creature = way.origin if way is not None and step.verb == "kill" else ""
        if creature and "fight" in self._verbs:
            act = {"name": "fight", "args": {"obj": {creature: count}, "tool": held}}
        else:
            act = {
                "name": step.verb,
                "args": {"obj": {step.item: count}, "tool": held or step.tool},
            }
        return [*self._shaft(way), *taken, *self._seek(creature or step.item, step.tool), act]

    def _seek(self, thing: str, tool: str | None) -> list[WorkflowAction]:
        """Return the actions that lead to a thing above ground; things that need a pickaxe are dug for."""
        if tool is not None and tool.endswith("_pickaxe"):
            return []
        failed = self._failed
        if failed is not None and failed[0] in ("find", "move") and _is_same(failed[1], thing):
            return []
        seen = self._facts.get("screen")
        answers = [] if seen is None else [*seen.values()]
        like = self._like(self._facts["goal"][1])
        known_to_work = like is not None and all(call.verb != "find" for call in like["plan"])
        if any(is_yes(answer, thing) for answer in answers):
            wanted: tuple[str, ...] = SEEKING[1:]
        elif known_to_work or (answers and all(NOT_TOLD in answer for answer in answers)):
            wanted = ()
        else:
            wanted = SEEKING
        able = {"move_to": "move"}
        return [_action(name, thing) for name in wanted if able.get(name, name) in self._verbs]

    def _beside(self, item: str) -> list[WorkflowAction]:
        """Return the search for the other things that the task wants in view."""
        task = self._facts.get("task", "")
        things = [word for aspect, word in sought_in(task, item) if aspect in ("object", "mob")]
        return [_action("find", word) for word in things if not _is_same(word, item)]

    def _shaft(self, way: Call | None) -> list[WorkflowAction]:
        """Return the shaft to the heights that the tips name, if the player stands above them."""
        heights = _SHAFT.search("" if way is None else way.note)
        if heights is None or "dig_down" not in self._verbs:
            return []
        low, high = int(heights[1]), int(heights[2])
        level = max(high - BELOW_TOP, low + 1)
        return (
            [{"name": "dig_down", "args": {"y_level": level, "tool": None}}]
            if self._facts.get("height", 0) > high
            else []
        )

    def _tool(self, needed: str | None) -> str | None:
        """Return the tool in hand if it serves for a needed one, else the weakest such tool held, or None."""
        fits = able_tools(needed) if needed in tools() and needed is not None else ()
        hand = self._facts.get("equipped")
        return next((name for name in (hand, *fits) if name in fits and self._held(name)), None)

    def _held(self, name: str) -> bool:
        return self._known.held.get(name, 0) > 0

    def _amends(self) -> list[WorkflowAction]:
        """Return the actions that get what the feedback says is lacking, without any recipe."""
        actions = []
        for name, count in lacks_in(self._facts.get("explanation", "")).items():
            if name in STATIONS and self._known.held.get(name, 0):
                actions.append(_action("place", name))
            elif not _is_same(name, self._facts["goal"][1]):
                made = name in STATIONS or name in tools()
                args = {"obj": {name: count}}
                actions.append({"name": "craft" if made else "mine", "args": args})
        return actions

    def _like(self, item: str) -> Mapping[str, Any] | None:
        """Return the first remembered sequence for the same item, None without."""
        return next(
            (row for row in self._references if _is_same(row["goal"].split()[-1], item)), None
        )


def _action(name: str, thing: str) -> WorkflowAction:
    return {"name": name, "args": {"obj": thing}}


def _is_same(word: str, item: str) -> bool:
    return word == item or bool(set(kinds_of(word)) & set(kinds_of(item)))


def _repeated(row: Mapping[str, Any], count: int) -> list[WorkflowAction]:
    """Return a remembered sequence's actions; its last action gets the wanted pieces."""
    calls: Sequence[Call] = row["plan"]
    return [_again(call, count if call is calls[-1] else call.count) for call in calls]


def _again(call: Call, count: int) -> WorkflowAction:
    name = "move_to" if call.verb == "move" else call.verb
    if call.verb in ("find", "move", "equip", "place"):
        return _action(name, call.item)
    if call.verb == "dig_down":
        return {"name": name, "args": {"y_level": call.count, "tool": call.tool}}
    batches = -(-count // max(call.count, 1))
    materials = {item: pieces * batches for item, pieces in call.materials.items()}
    args = {"obj": {call.item: count}, "materials": materials, "platform": call.tool}
    return {"name": name, "args": args}
