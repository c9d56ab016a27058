"""The rules' next action, for agents that ask after every action: ReAct and Inner Monologue.

With a thought the rules look ahead: they chain the known ways to the goal, and the first step of the chain is
the action. Without a thought they act at once: they go from the goal to the first thing that is lacking, and
get as many pieces as the next step takes, so that the course to the goal has more and smaller actions.

If the request does not list what the agent holds, the rules imagine it: every action that the request does
not call failed counts as done, from empty hands.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from optimus_gym.backbones.call_plans import call_of, goal_steps
from optimus_gym.backbones.chaining import GATHERED, ChainStep, Known
from optimus_gym.backbones.lessons import HELD_VERBS
from optimus_gym.backbones.parse.plans import parse_plan
from optimus_gym.backbones.step_plans import worded_step
from optimus_gym.core.types import ONCE, SubGoal

ACTION_LINE: Final = "Action: "
THOUGHT_LINE: Final = "Thought: "
MOST_FOLLOWED: Final = 100
"""Maximum number of things that the rules follow from a goal to a lacking thing: ways may form circles."""
_FAILED: Final = ("failed", "no")
"""Beginnings of a result that says that an action failed."""


def action_with_thought(facts: Mapping[str, Any]) -> str:
    """Return a thought that names what is still to do, and the first action of it."""
    known = imagined(facts)
    steps = spelled(goal_steps(facts, known), known)
    chosen = _chosen(steps, facts)
    told = ", ".join(map(_told, steps))
    return f"{THOUGHT_LINE}still to do: {told}.\n{ACTION_LINE}{_told(chosen)}"


def action_at_once(facts: Mapping[str, Any]) -> str:
    """Return the action that gets the first lacking thing on the way to the goal."""
    known = imagined(facts)
    verb, item, count = facts["goal"]
    if verb in HELD_VERBS or known.count(item) < count:
        step = _first_lacking(known, item, max(count - known.count(item), 1))
    else:
        step = ChainStep(verb, item, 1)
    return ACTION_LINE + _told(_chosen(spelled([step], known), facts))


class Imagined(Known):
    """Known ways and the player's things, the item in hand included.

    Args:
        facts: the facts of a request.
    """

    def __init__(self, facts: Mapping[str, Any]) -> None:
        super().__init__(facts)
        self.hand: str | None = facts.get("equipped")

    def do(self, verb: str, item: str, count: int) -> None:
        """Change the things as if an action had been carried out."""
        held = dict(self.held)
        if verb == "equip":
            self.hand = item
        elif verb == "place":
            held[item] = max(held.get(item, 0) - 1, 0)
            self.near, self.hand = (*self.near, item), None
        elif verb in GATHERED:
            for station in self.near:
                held[station] = held.get(station, 0) + 1
            self.near = ()
        for name, used in self.step(item, count).uses.items() if verb not in ONCE else ():
            held[name] = max(held.get(name, 0) - used, 0)
        if verb not in ONCE:
            held[item] = held.get(item, 0) + count
        self.held = held


def imagined(facts: Mapping[str, Any]) -> Imagined:
    """Return the player's things as the request lists them, or as its turns let the rules imagine them."""
    known = Imagined(facts)
    if "inventory" in facts:
        return known
    for action, failed in _turns(facts):
        if not failed:
            known.do(*action)
    return known


def spelled(steps: Sequence[ChainStep], known: Imagined) -> list[SubGoal]:
    """Return a chain as sub-goals that equip tools and place stations, without equipping the item in hand."""
    calls = "\n".join(map(call_of, steps))
    found = list(parse_plan(calls, tuple(known.near)).subgoals)
    if found and found[0].verb == "equip" and found[0].item == known.hand and len(found) > 1:
        return found[1:]
    return found


def _first_lacking(known: Known, item: str, pieces: int) -> ChainStep:
    """Return the step that gets an item, or the first lacking thing that the step takes."""
    for _ in range(MOST_FOLLOWED):
        step = known.step(item, pieces)
        short = {name: count - known.count(name) for name, count in step.uses.items()}
        lacking = next((name for name, count in short.items() if count > 0), None)
        lasting = next((name for name in step.lasting if not known.has(name)), None)
        if lacking is not None:
            item, pieces = lacking, short[lacking]
        elif lasting is not None:
            item, pieces = lasting, 1
        else:
            return step
    return step


def _chosen(steps: Sequence[SubGoal], facts: Mapping[str, Any]) -> SubGoal:
    """Return the first step; if it has just failed, the next step that gathers with bare hands, if any."""
    last = next(reversed(_turns(facts)), None)
    if last is None or not last[1] or last[0][:2] != worded_step(steps[0])[:2]:
        return steps[0]
    others = (
        step for before, step in pairwise(steps) if step.verb in GATHERED and before.verb != "equip"
    )
    return next(others, steps[0])


def _turns(facts: Mapping[str, Any]) -> list[tuple[tuple[str, str, int], bool]]:
    """Return the actions of a request's turns, and whether each is said to have failed."""
    actions: dict[int, tuple[str, str, int]] = {}
    failed: set[int] = set()
    for number, what, words in facts.get("turns", ()):
        if what == "action":
            found = parse_plan(f"1. {words}").subgoals
            if found:
                actions[number] = worded_step(found[-1])
        elif what in ("observation", "success") and words.startswith(_FAILED):
            failed.add(number)
    return [(action, number in failed) for number, action in actions.items()]


def _told(subgoal: SubGoal) -> str:
    verb, item, count = worded_step(subgoal)
    return f"{verb} {item}" if verb in (*ONCE, "find") else f"{verb} {count} {item}"
